"""The patterns of a tile set, and their relations by sockets, neighbour rules and a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import TileSetError
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.names import RecommendedOrder
from wavefold.tiles.groups import Groups, find_group
from wavefold.tiles.neighbour_rules import Beside, find_patterns, find_side, list_hard_rules, to_tuple
from wavefold.tiles.orientation import Orientation, Symmetry, get_ring, parse_symmetry
from wavefold.tiles.rules import Relation, Rules, SoftPairs
from wavefold.tiles.tile import Pattern, Tile, expand_tile, flip_socket, parse_suffix
from wavefold.topology import get_lattice_class, make_single_cell

MOST_PATTERNS = 100_000
MOST_TABLE_PATTERNS = 4096  # an `AllowedTable` has a byte per pair and direction

AllowedFunction = Callable[[Pattern, Pattern, str], bool]
SidePairs = tuple[int, NDArray[np.int64], NDArray[np.int64]]  # side, patterns here, patterns there
AllowedTable = NDArray[np.bool_]  # [direction, a, b]: may b stand in that direction of a?


class PatternTable:
    """The patterns of a tile set: its tiles in all orientations, at all heights.

    Attributes
    ----------
    patterns : sorted by tile, orientation and height
    tile_of : [pattern] -> index of its tile
    symmetries : {tile: its symmetry}
    groups : {name: patterns}
    """

    def __init__(self, tiles: Sequence[Tile], topology: str, groups: Groups | None = None) -> None:
        self.tiles, self.topology = tiles, topology
        self.ring = get_ring(topology)
        self.directions = make_single_cell(topology).directions
        self.opposite = make_single_cell(topology).opposite_sides()
        self.patterns: tuple[Pattern, ...] = tuple(
            pattern for tile in tiles for pattern in expand_tile(tile, topology)
        )
        if len(self.patterns) > MOST_PATTERNS:
            raise TileSetError(f"the tile set has {len(self.patterns):,} patterns; at most {MOST_PATTERNS:,}")
        self.groups: dict[str, NDArray[np.int64]] = {}
        if groups:
            names = self.build_rules([])
            self.groups = {group: find_group(group, groups, names) for group in groups}

    @cached_property
    def tile_of(self) -> list[int]:
        number = {tile.name: index for index, tile in enumerate(self.tiles)}
        return [number[pattern.tile.name] for pattern in self.patterns]

    @cached_property
    def symmetries(self) -> dict[str, Symmetry]:
        return {tile.name: parse_symmetry(tile.symmetry, self.ring, tile.name) for tile in self.tiles}

    @cached_property
    def has_side(self) -> list[list[bool]]:
        """[pattern, side]: whether the cell of the pattern has that side.

        Nothing matches a missing side, so the pattern cannot be placed in cells that point another way.
        """
        drawn, sides = get_lattice_class(self.topology).drawn_sides(), range(len(self.directions))
        exists = {
            turned: [side in {self.ring.move_side(each, turned) for each in drawn} for side in sides]
            for turned in self.ring.list_orientations()
        }
        return [exists[pattern.orientation] for pattern in self.patterns]

    @cached_property
    def _index(self) -> dict[tuple[str, Orientation, int], int]:
        return {(each.tile.name, each.orientation, each.level): i for i, each in enumerate(self.patterns)}

    def _find(self, tile: str, orientation: Orientation, level: int) -> int | None:
        """The pattern of a tile that looks the same in this orientation, at this height; None if missing."""
        symmetry = self.symmetries[tile]
        variant = symmetry.variant_of.get(orientation)
        return None if variant is None else self._index.get((tile, symmetry.variants[variant], level))

    def find_spelling(self, name: str) -> int | None:
        """The pattern for another spelling of its name, such as `grass@r0l1` for `grass@l1`.

        For a tile that looks the same after half a turn, `road@180` is another spelling of `road`.
        """
        tile, _, text = name.partition("@")
        found = parse_suffix(text, self.ring)
        return None if found is None or tile not in self.symmetries else self._find(tile, *found)

    def find_images(self, orientation: Orientation) -> NDArray[np.int64]:
        """[pattern] -> its image when the whole map is rotated or mirrored; -1 if it has none.

        If a tile is not placed in the orientation of the image, its pattern with the same sockets is used.
        """
        sides, moved = self._moves[self.ring.list_orientations().index(orientation)]
        images, tile_of = moved.copy(), np.array(self.tile_of)
        for tile in np.unique(tile_of[moved < 0]).tolist():
            alike: dict[Any, list[int]] = {}
            for number in np.flatnonzero(tile_of == tile).tolist():
                alike.setdefault(self._shown(number), []).append(number)
            for members in alike.values():
                found = alike.get(self._shown(members[0], sides, orientation.mirrored), [])
                images[members] = found if len(found) == len(members) else -1
        return images

    def _shown(self, number: int, sides: list[int] | None = None, is_mirrored: bool = False) -> Any:
        """The level of a pattern, and its sockets and heights after its sides are moved to `sides`."""
        pattern, where = self.patterns[number], sides or list(range(len(self.directions)))
        if pattern.sockets is None:
            return number if sides is None else None  # equal to no other
        shown: list[Any] = [None] * len(where)
        for side, (socket, height) in enumerate(zip(pattern.sockets, pattern.heights, strict=True)):
            flips = is_mirrored and side < self.ring.sides
            shown[where[side]] = flip_socket(socket) if flips else socket, height
        return pattern.level, tuple(shown)

    def build_rules(
        self,
        relations: Sequence[Relation],
        weights: ArrayLike | None = None,
        soft: SoftPairs | None = None,
        order: RecommendedOrder | None = None,
    ) -> Rules:
        """Make rules from these relations. The patterns of a tile with `apart` have one kind."""
        apart = {tile.name: number for number, tile in enumerate(tile for tile in self.tiles if tile.apart)}
        return Rules(
            [pattern.name for pattern in self.patterns],
            relations,
            weights,
            tiles=[tile.name for tile in self.tiles],
            tile_of=self.tile_of,
            kinds=[apart.get(pattern.tile.name, -1) for pattern in self.patterns],
            topology=self.topology,
            other_name=self.find_spelling,
            groups=self.groups,
            soft=soft,
            order=order,
        )

    # --- relations --------------------------------------------------------------------------------

    def relate(self, beside: Sequence[Beside], allowed: AllowedFunction | None) -> list[Relation]:
        """One relation per side, from sockets, neighbour rules and the function."""
        beside = list_hard_rules(beside)
        if not beside and allowed is None and all(tile.sockets is not None for tile in self.tiles):
            return self._relate_sockets()
        self._check_table()
        return [Relation.from_allowed(side) for side in self._tabulate(beside, allowed)]

    def weigh_pairs(self, beside: Sequence[Beside]) -> SoftPairs | None:
        """The factors of neighbour rules with a weight; None without such rules."""
        soft = [rule for rule in beside if rule.weight is not None]
        if not soft:
            return None
        self._check_table()
        names = self.build_rules([])

        def weigh_side(side: int) -> NDArray[np.float64]:
            table = np.ones((len(self.patterns),) * 2)
            for rule in soft:
                named = np.zeros(table.shape, bool)  # the factor counts once, even if a pair is named twice
                for toward, near, far in self._find_pairs(rule, names):
                    if toward == side:
                        named[np.ix_(near, far)] = True
                table[named] *= float(rule.weight or 1)
            return table

        found = SoftPairs.from_tables(weigh_side(side) for side in range(len(self.directions)))
        return found if found.factors.size else None

    def _check_table(self) -> None:
        """Raise if there are too many patterns for a table of all pairs."""
        if len(self.patterns) > MOST_TABLE_PATTERNS:
            raise TileSetError(
                f"with neighbour rules or a function a tile set can have at most {MOST_TABLE_PATTERNS:,} "
                f"patterns, not {len(self.patterns):,}; use sockets"
            )

    def _relate_sockets(self) -> list[Relation]:
        shown = [self._sockets_and_heights(number) for number in range(len(self.patterns))]
        facing = [[(flip_socket(socket), height) for socket, height in row] for row in shown]
        return [
            Relation.from_sockets([row[side] for row in shown], [row[back] for row in facing])
            for side, back in enumerate(self.opposite)
        ]

    def _sockets_and_heights(self, number: int) -> list[tuple[Any, int]]:
        """[side] the socket and height of a pattern; where it has none, a pair that matches nothing."""
        pattern, nothing = self.patterns[number], (f"{number}>", -1)
        if pattern.sockets is None:
            return [nothing] * len(self.directions)
        shown = zip(pattern.sockets, pattern.heights, self.has_side[number], strict=True)
        return [(socket, height) if exists else nothing for socket, height, exists in shown]

    def _tabulate(self, beside: Sequence[Beside], allowed: AllowedFunction | None) -> AllowedTable:
        """Fill the table from sockets, then rules, then the function."""
        table = np.stack([relation.table() for relation in self._relate_sockets()])
        if all(tile.sockets is None for tile in self.tiles):
            table[:] = not any(rule.allowed for rule in beside)
        if beside:
            names = self.build_rules([])
            for rule in sorted(beside, key=lambda rule: not rule.allowed):
                for toward, near, far in self._find_pairs(rule, names):
                    table[toward][np.ix_(near, far)] = rule.allowed
        if any(tile.levels > 1 for tile in self.tiles):
            heights = np.array([pattern.heights for pattern in self.patterns])
            for side, back in enumerate(self.opposite):
                table[side] &= heights[:, side, None] == heights[None, :, back]
        exists = np.array(self.has_side)
        for side, back in enumerate(self.opposite):
            table[side] &= exists[:, side, None] & exists[None, :, back]
        return table if allowed is None else self._apply(allowed, table)

    @cached_property
    def _moves(self) -> list[tuple[list[int], NDArray[np.int64]]]:
        """For each orientation: [side] the side it moves to, and [pattern] the pattern it becomes, or -1."""
        moves = []
        for orientation in self.ring.list_orientations():
            sides = [self.ring.move_side(side, orientation) for side in range(len(self.directions))]
            moved = [
                self._find(each.tile.name, orientation.after(each.orientation, self.ring.sides), each.level)
                for each in self.patterns
            ]
            moves.append((sides, np.array([-1 if each is None else each for each in moved])))
        return moves

    def _find_pairs(self, rule: Beside, names: Rules) -> Iterator[SidePairs]:
        """Yield the pairs of a rule from both sides, in all orientations of its tiles."""
        sides = [find_side(each, self.directions) for each in to_tuple(rule.sides)]
        there = find_patterns(names, rule.there)
        for name in to_tuple(rule.here) or ("",):
            here, turn = find_patterns(names, name), Orientation()
            if sides and "@" not in name:  # sides are those of the first orientation
                turn = self.patterns[int(here[0])].orientation
                here = np.array([each for each in here if self.patterns[each].orientation == turn])
            checkpoint()
            for (side_to, moved), side in product(self._moves, sides or range(len(self.directions))):
                near, far = moved[here], moved[there]
                near, far = near[near >= 0], far[far >= 0]
                toward = side_to[self.ring.move_side(side, turn)]
                yield toward, near, far
                yield self.opposite[toward], far, near

    def _apply(self, allowed: AllowedFunction, table: AllowedTable) -> AllowedTable:
        """Remove pairs that the function does not allow from both sides."""
        permitted = np.zeros_like(table)
        for side, here, there in np.argwhere(table).tolist():
            pair = self.patterns[here], self.patterns[there], self.directions[side]
            try:
                permitted[side, here, there] = bool(allowed(*pair))
            except Exception as error:
                raise TileSetError(
                    f"allowed({pair[0].name!r}, {pair[1].name!r}, {pair[2]!r}) failed: "
                    f"{type(error).__name__}: {error}"
                ) from error
        return np.stack([permitted[side] & permitted[back].T for side, back in enumerate(self.opposite)])
