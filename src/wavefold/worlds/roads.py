"""Road networks that span a world: the patterns of roads, and the permitted patterns of each cell.

`road_plan` defines the routes of roads. The base of the world consists of straight, bent and forked pieces of
road on open ground, a pattern that can fill the plane; so it is valid. Windows may change all cells, but
planned cells keep their roads, possibly with a bridge or another branch. Other cells with a road must be
ends, such as houses, directly joined to a planned cell. So all roads are connected, although no window
depends on cells beyond its rim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.paths import PathCells, describe_path, find_pieces, read_paths
from wavefold.errors import ConfigError, WorldError, suggest
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.options.names import SidesLike, TileLike
from wavefold.options.values import parse_in_range
from wavefold.solver.problem import Problem
from wavefold.tiles import TileSet
from wavefold.topology import get_lattice_class, make_box
from wavefold.worlds.plan import PatternGrid, WordGrid
from wavefold.worlds.road_plan import STEPS, RoadPlan

LEAST_SPACING, MOST_SPACING = 16, 1024  # cells
ARM_CELLS = 3  # around a bend or fork; they contain all pairs of tiles that a plan can have there
MOST_GROUNDS = 64  # patterns that are tried as open ground

Shape = frozenset[int]  # the sides to which a road leads, as in STEPS


@dataclass(frozen=True, slots=True)
class RoadNetwork:
    """Roads or rivers that join all towns of a world.

    sides : the sockets of roads, such as {"gg+", "ww+"}; see `Connected`
    tiles : instead of sockets, the tiles of roads, which are joined wherever they touch
    spacing : mean distance between towns in cells, 16 to 1,024
    winding : from 0 (as straight as possible) to 1
    ends : tiles in which a branch may end, such as houses; None: any with a single such side; (): no branches

    >>> RoadNetwork(sides=("mm=", "cc="), spacing=48)
    """

    sides: SidesLike | None = None
    tiles: TileLike | None = None
    spacing: int = 32
    winding: float = 0.5
    ends: TileLike | None = None

    def __post_init__(self) -> None:
        parse_in_range("spacing", self.spacing, LEAST_SPACING, MOST_SPACING)
        if not isinstance(self.winding, Real) or not 0 <= self.winding <= 1:
            raise ConfigError(f"winding must be a number from 0 to 1, not {self.winding!r:.80}")
        if self.sides is None and self.tiles is None:
            raise ConfigError(
                "a network needs the sides of its roads, such as RoadNetwork(sides='road'), or their tiles"
            )

    def find_cut_off(self, problem: Problem, patterns: NDArray[np.int64]) -> list[list[int]]:
        """Find roads in a rectangle of a world that are not connected to others; a list of cells for each.

        A road that leaves the rectangle may be connected outside.

        patterns : [cell]
        """
        pieces = find_pieces(PathCells.of(problem, patterns, self.tiles, self.sides))
        inside = np.zeros(problem.topology.shape or (), bool)
        inside[1:-1, 1:-1] = True
        inside = inside.reshape(-1)
        found = [sorted({cell for cell, _ in piece}) for piece in pieces]
        return [] if len(found) < 2 else [cells for cells in found if inside[cells].all()]

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        sides = sorted(self.sides) if isinstance(self.sides, set | frozenset) else self.sides
        given = {"sides": sides, "tiles": self.tiles, "spacing": self.spacing, "winding": float(self.winding)}
        return given if self.ends is None else {**given, "ends": self.ends}


def build_network(table: Mapping[str, Any]) -> RoadNetwork:
    """Build a network from a table, for example of a configuration."""
    known = [each.name for each in fields(RoadNetwork)]
    for key in table:
        if key not in known:
            raise ConfigError(f"a network has no key {key!r}; {suggest(key, known)}")
    return RoadNetwork(**table)


def find_roads(tiles: TileSet, network: object, seed: int) -> RoadBase | None:
    """Return the base of a world with this network; None without a network."""
    if network is None:
        return None
    if not isinstance(network, RoadNetwork):
        raise ConfigError(
            f"network must be a RoadNetwork, such as wf.RoadNetwork(sides='road'), not {network!r:.80}"
        )
    return RoadBase(tiles, network, seed)


class RoadBase:
    """The planned roads of a world on open ground. Thread-safe.

    seed : the seed of the world
    """

    def __init__(self, tiles: TileSet, network: RoadNetwork, seed: int) -> None:
        self.plan = RoadPlan(seed, network.spacing, network.winding)
        self.pieces = RoadPieces(tiles, network)
        self._words: dict[int, NDArray[np.uint64]] = {}

    def base(self, x: int, y: int, width: int, height: int) -> PatternGrid:
        """Return a rectangle of the base: open ground with roads."""
        return self.pieces.pattern_of[self.plan.roads(x, y, width, height)]

    def find_required(self, x: int, y: int, width: int, height: int) -> WordGrid:
        """Find the permitted patterns of each cell of a rectangle."""
        roads = self.plan.roads(x - 1, y - 1, width + 2, height + 2)
        facing = np.zeros((height, width), np.int64)
        for direction, (right, down) in enumerate(self.pieces.steps):
            there = roads[1 + down : 1 + down + height, 1 + right : 1 + right + width]
            facing |= (there > 0).astype(np.int64) << direction
        codes = roads[1:-1, 1:-1] | facing << len(STEPS)
        kinds, inverse = np.unique(codes, return_inverse=True)
        table = np.stack([self._words_of(int(code)) for code in kinds])
        return np.asarray(table[inverse.reshape(codes.shape)])

    def _words_of(self, code: int) -> NDArray[np.uint64]:
        if code not in self._words:
            sides, facing = code & 15, code >> len(STEPS)
            self._words[code] = pack_bits(self.pieces.find_permitted(sides, facing))
        return self._words[code]


class RoadPieces:
    """The patterns of a tile set that form a network.

    steps : (dx, dy) by direction of the rules
    joined : uint32 [pattern] the directions in which its road continues, as bits; 0: no road
    pattern_of : int32 [16] the pattern for roads to these sides of the plan, as bits; 0: the open ground
    """

    def __init__(self, tiles: TileSet, network: RoadNetwork) -> None:
        self.rules, self._network = tiles.rules, network
        self._allows = cache(tiles.rules.allows)
        self.steps: list[tuple[int, int]] = [
            (int(right), int(down)) for right, down in get_lattice_class(tiles.topology).steps
        ]
        self._direction = {side: self.steps.index(step) for side, step in STEPS.items()}
        self._problem = Problem(tiles, make_box(tiles.topology, 1, 1))
        paths = read_paths(self._problem, network.tiles, network.sides)
        used = paths.node_sides != 0
        # Exclude tiles with two separate roads, such as a bridge over a road, which may be two networks.
        self.joined = np.where(used.sum(axis=0) == 1, paths.node_sides.max(axis=0), 0).astype(np.int64)
        self._is_end = np.bitwise_count(self.joined) == 1
        if network.ends is not None:
            ends = self._problem.patterns_named(network.ends)  # may be empty: then no road ends
            self._is_end &= np.isin(np.arange(used.shape[1]), ends)
        self._excluded = used.sum(axis=0) > 1
        if (ground := getattr(tiles, "ground_pattern", None)) is not None:
            self._excluded[ground] = True
        self._check_sides()
        self.pattern_of = self._find_pieces()

    def convert_sides(self, sides: int) -> int:
        """Convert sides of the plan to directions of the rules, both as bits."""
        return sum(1 << way for side, way in self._direction.items() if sides >> side & 1)

    def find_permitted(self, sides: int, facing: int) -> NDArray[np.bool_]:
        """Return the permitted patterns, bool [pattern], of a cell with planned roads to these sides.

        facing : the directions of planned cells, as bits. A cell without planned roads may be the end of a
            road that leads there
        """
        wanted = self.convert_sides(sides)
        if wanted:
            return np.asarray(~self._excluded & (self.joined & wanted == wanted))
        return np.asarray(~self._excluded & ((self.joined == 0) | self._is_end & (self.joined & facing != 0)))

    def _check_sides(self) -> None:
        """Raise ConfigError if a road may lead to a side of a road tile without a road."""
        roads = np.flatnonzero(self.joined)
        for direction, (right, down) in enumerate(self.steps):
            back = self.steps.index((-right, -down))
            for pattern in roads[self.joined[roads] >> direction & 1 == 1].tolist():
                others = self._allows(direction, pattern) & (self.joined > 0)
                wrong = np.flatnonzero(others & (self.joined >> back & 1 == 0))
                if wrong.size:
                    names = self.rules.names[pattern], self.rules.names[wrong[0]]
                    raise ConfigError(
                        f"the road of {names[0]!r} may lead to {names[1]!r}, which has no road on that "
                        "side; list the sides of all roads of the network"
                    )

    # --- the patterns of the base ------------------------------------------------------------------

    def _find_pieces(self) -> PatternGrid:
        """Find the pattern for each combination of sides, on a ground on which all of them fit."""
        shapes = [frozenset(each) for count in (2, 3) for each in combinations(STEPS, count)]
        shapes.sort(key=lambda shape: not is_straight(shape))
        least: list[Shape] = shapes  # the missing shapes of the ground with the fewest
        grounds = self._list_grounds()
        for ground in grounds[:MOST_GROUNDS]:
            found: dict[Shape, int] = {frozenset(): ground}
            missing: list[Shape] = []
            for shape in shapes:
                pattern = self._find_piece(shape, found)
                if pattern is None:
                    missing.append(shape)
                else:
                    found[shape] = pattern
            if not missing:
                table = np.full(1 << len(STEPS), ground, np.int32)
                for shape, pattern in found.items():
                    table[sum(1 << side for side in shape)] = pattern
                return table
            least = min(least, missing, key=len)
        raise WorldError(self._describe_missing(bool(grounds), least))

    def _list_grounds(self) -> list[int]:
        """List patterns without roads that fit beside themselves on all sides, largest weight first."""
        all_ways = range(len(self.steps))
        found = [
            pattern
            for pattern in np.flatnonzero((self.joined == 0) & ~self._excluded).tolist()
            if all(self._allows(way, pattern)[pattern] for way in all_ways)
        ]
        return sorted(found, key=lambda pattern: (-self.rules.weights[pattern], pattern))

    def _find_piece(self, shape: Shape, found: dict[Shape, int]) -> int | None:
        """Find a pattern for a shape that fits on the ground and beside straight pieces; or None."""
        wanted = self.convert_sides(sum(1 << side for side in shape))
        fits = np.flatnonzero(self.find_permitted(sum(1 << side for side in shape), 0)).tolist()
        candidates = sorted(
            fits,
            key=lambda each: (int(self.joined[each] ^ wanted).bit_count(), -self.rules.weights[each], each),
        )
        return next((each for each in candidates if self._fits(shape, each, found)), None)

    def _fits(self, shape: Shape, pattern: int, found: dict[Shape, int]) -> bool:
        """Return whether a piece on the ground, with straight roads to its sides, satisfies the rules."""
        size = 2 * ARM_CELLS + 1
        patch = np.full((size, size), found[frozenset()], np.int64)
        for side in shape:
            right, down = STEPS[side]
            straight = found.get(frozenset((side, (side + 2) % 4)), pattern)
            for step in range(1, ARM_CELLS + 1):
                patch[ARM_CELLS + step * down, ARM_CELLS + step * right] = straight
        patch[ARM_CELLS, ARM_CELLS] = pattern
        return self._is_valid(patch)

    def _is_valid(self, patch: NDArray[np.int64]) -> bool:
        height, width = patch.shape
        for direction, (right, down) in enumerate(self.steps):
            for y in range(max(0, -down), height - max(0, down)):
                for x in range(max(0, -right), width - max(0, right)):
                    if not self._allows(direction, int(patch[y, x]))[patch[y + down, x + right]]:
                        return False
        return True

    def _describe_missing(self, has_ground: bool, missing: list[Shape]) -> str:
        what = describe_path(self._network.tiles, self._network.sides)
        if not has_ground:
            return (
                f"no network of {what} is possible: it needs a tile without roads that fits beside itself on "
                "every side, as open ground"
            )
        names = get_lattice_class(self._problem.rules.topology).box(1, 1).directions
        shown = [
            " and ".join(names[self._direction[side]] for side in sorted(shape)) for shape in missing[:3]
        ]
        return (
            f"no network of {what} is possible: it needs straight pieces, bends and forks on open ground; "
            f"no tile fits with roads to {', or to '.join(shown)}"
        )


def is_straight(shape: Shape) -> bool:
    """Return whether a shape is two opposite sides."""
    return len(shape) == 2 and abs(min(shape) - max(shape)) == 2
