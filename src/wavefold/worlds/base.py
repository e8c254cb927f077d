"""The base of a world: its content before any window is solved, and where a window stays unsolved.

A set allows a turn or a mirror image if each pattern has a counterpart with the same weight and the same
factors, so that a valid map stays valid when it is turned.

The certificate's map is the smallest one that repeats, often a single tile. Borders solved on such a base
have more of that tile around them than other places. A larger repeating map, solved like any other map, has
tiles in the usual proportions.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import Contradiction, OutOfBudget, TileSetError, WorldError
from wavefold.solver import Budget, Solver
from wavefold.solver.search.certificate import Certificate, find_certificate, build_plane_problem
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import Rules, TileSet
from wavefold.tiles.orientation import get_ring
from wavefold.tiles.turning import find_counterparts
from wavefold.topology import get_lattice_class, is_uniform_plane, make_box


class Rectangle(NamedTuple):
    """Cells of a plane."""

    x: int
    y: int
    width: int
    height: int


class BaseTurn(NamedTuple):
    """One orientation of the plane: its axes are exchanged or not, then each is reversed (-1) or not (1)."""

    exchanged: bool
    right: int
    down: int
    counterparts: NDArray[np.int32]  # [pattern] -> its turned pattern

    def find_source(self, wanted: Rectangle) -> Rectangle:
        """The rectangle of the unturned plane that becomes this rectangle."""
        x, y, width, height = wanted
        left, top = (x if self.right > 0 else 1 - x - width), (y if self.down > 0 else 1 - y - height)
        return Rectangle(top, left, height, width) if self.exchanged else Rectangle(left, top, width, height)

    def turn(self, plane: NDArray[Any]) -> NDArray[np.int32]:
        """The content [row, column] of the source, turned."""
        turned = (plane.T if self.exchanged else plane)[:: self.down, :: self.right]
        return np.ascontiguousarray(self.counterparts[turned])


def find_turns(rules: Rules, labels: NDArray[np.int64]) -> tuple[BaseTurn, ...]:
    """All orientations in which a plane stays valid by these rules; the unturned one is first.

    labels : [pattern] those of a pattern and its counterpart are equal
    """
    ring, steps = get_ring(rules.topology), get_lattice_class(rules.topology).steps.tolist()
    found = []
    for exchanged, right, down in product((False, True), (1, -1), (1, -1)):
        ends = [[x * right, y * down] for x, y in (step[::-1] if exchanged else step for step in steps)]
        if not all(end in steps for end in ends):
            continue  # a chunk of hexagons, turned by 60 degrees, is not a rectangle of cells
        sides = [steps.index(end) for end in ends]
        for orientation in ring.list_orientations():
            if sides == [ring.move_side(side, orientation) for side in range(len(steps))]:
                counterparts = find_counterparts(rules, labels, orientation)
                if counterparts is not None:
                    found.append(BaseTurn(exchanged, right, down, counterparts))
    return tuple(found)


SIDES = (97, 53, 23)  # primes: whatever the size of chunks, borders meet every part of the base
# Where windows change little, the base is visible, and should not repeat within one view.
SHOWING, LARGER = 0.75, 193
SEEDS = 3
MOST_WORDS = 40_000_000  # words read if each cell is visited once
DECISIONS = 2_000  # plus this many per cell:
DECISIONS_PER_CELL = 2
CONFLICTS = 1_000  # of one try; successful searches had at most 951, and most had none
CONFLICTS_OF_PATTERNS = 300_000  # of all tries of a side, times patterns: with many, each takes longer
STIFF, CONFLICTS_IF_STIFF = 0.05, 50  # a set whose tiles hardly mix: more search would not help

BASES = 64  # of tile sets, kept in memory


def check_tiles(tiles: Any) -> None:
    """Raise unless this is a tile set for a plane."""
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"tiles must be a TileSet such as TileSet.load('pipes'), not {tiles!r}")
    if not is_uniform_plane(tiles.topology):
        raise WorldError(
            f"an endless world is made of square or hex tiles, and these are for {tiles.topology}s"
        )


def plane_key(tiles: TileSet) -> str:
    """A key of everything that decides how a plane is filled: rules, their order, and the excluded ground."""
    ground, order = getattr(tiles, "ground_pattern", None), tiles.rules.order
    key = tiles.rules.digest if ground is None else f"{tiles.rules.digest} without {ground}"
    return key if order is None else f"{key} in order {order}"


class WorldBase(NamedTuple):
    """The base of the worlds of one tile set."""

    certificate: Certificate
    patterns: NDArray[np.int64]  # [row, column], repeats over the plane


known_bases: BoundedCache[WorldBase] = BoundedCache(BASES)  # by `plane_key`


def find_base(tiles: TileSet) -> WorldBase:
    """The base of a tile set, computed once per process: a large map if one is found, or the certificate's.

    A pure function of the tiles: attempts, their order and their limits are the same on every machine.
    Raises WorldError if the tiles have no certificate.
    """
    return known_bases.get(plane_key(tiles), lambda: compute_base(tiles))


def compute_base(tiles: TileSet) -> WorldBase:
    """See `find_base`."""
    certificate = find_certificate(tiles)
    if certificate.base is None:
        raise WorldError(
            f"this tile set has no certificate for an endless world: {certificate}",
            advice="wf.audit(tiles) shows what prevents it",
            flag_advice="wavefold audit shows what prevents it",
        )
    sides = (LARGER, *SIDES) if certificate.mixing < SHOWING and len(SIDES) > 1 else SIDES
    large = large_torus(tiles, certificate, sides)
    return WorldBase(certificate, certificate.base if large is None else large)


def large_torus(tiles: TileSet, certificate: Certificate, sides: tuple[int, ...]) -> NDArray[np.int64] | None:
    """The largest repeating map with one of these sides that a short search finds; or None."""
    most_conflicts = CONFLICTS_IF_STIFF if certificate.mixing < STIFF else CONFLICTS
    for side in sides:
        cells = side * side
        if cells * count_words(tiles) > MOST_WORDS and side != SIDES[-1]:
            continue
        torus: Any = make_box(tiles.topology, side, side, wraps=True)
        problem = build_plane_problem(tiles, torus)
        left = CONFLICTS_OF_PATTERNS // len(tiles)
        for seed in range(1, SEEDS + 1):
            solver = Solver(problem, seed, "scanline" if tiles.order == "scanline" else "auto")
            budget = Budget(
                decisions=DECISIONS + DECISIONS_PER_CELL * cells, backtracks=min(most_conflicts, left)
            )
            try:
                return solver.run(budget).array
            except OutOfBudget:
                left = max(0, left - solver.stats.backtracks)
            except Contradiction:
                break  # other seeds would prove the same
    return None


def count_words(tiles: TileSet) -> int:
    """How many words of 64 patterns a visit to a cell reads; more for sets with many classes."""
    return max(relation.rows.size for relation in tiles.rules.relations)
