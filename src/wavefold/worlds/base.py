"""The base of a world: its content before any window is solved, and where a window has no solution.

The map of a certificate is the smallest one that repeats, often a single tile. Borders solved on such a base
would have too much of this tile around them. So the base is a larger repeating map, solved like any other
map, in which tiles have the usual frequencies.

A base may be rotated or reflected if each pattern has a counterpart with the same weight and factors, so that
a valid map stays valid.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import Contradiction, OutOfBudget, TileSetError, WorldError
from wavefold.solver import Budget, Solver
from wavefold.solver.search.certificate import Certificate, build_plane_problem, find_certificate
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import Rules, TileSet
from wavefold.tiles.orientation import get_ring
from wavefold.tiles.turning import find_counterparts
from wavefold.topology import get_lattice_class, is_uniform_plane, make_box

SIDES = (97, 53, 23)  # primes, so that borders of chunks of any size meet every part of the base
# With less mixing, the base stays visible. A larger one does not repeat within a view.
LEAST_MIXING, LARGER_SIDE = 0.75, 193
SEEDS = 3  # that are tried for each side
MOST_WORDS = 40_000_000  # read if each cell is visited once
DECISIONS, DECISIONS_PER_CELL = 2_000, 2  # limits of a search are their sum
MOST_CONFLICTS = 1_000  # of one attempt; successful searches had at most 951, and most had none
MOST_PATTERN_CONFLICTS = 300_000  # of all attempts with a side, multiplied by the number of patterns
STIFF_MIXING, MOST_STIFF_CONFLICTS = 0.05, 50  # with less mixing, a longer search does not help
MOST_CACHED = 64  # bases of tile sets

known_plain_bases: BoundedCache[WorldBase] = BoundedCache(MOST_CACHED)  # by `plane_cache_key`


class Rectangle(NamedTuple):
    """A rectangle of cells of a plane."""

    x: int
    y: int
    width: int
    height: int


class BaseTurn(NamedTuple):
    """An orientation of the plane: its axes are exchanged or not, then each is reversed (-1) or not (1)."""

    exchanged: bool
    right: int
    down: int
    counterparts: NDArray[np.int32]  # [pattern] -> its turned pattern

    def find_source(self, wanted: Rectangle) -> Rectangle:
        """Find the rectangle of the unturned plane that becomes this rectangle."""
        x, y, width, height = wanted
        left, top = (x if self.right > 0 else 1 - x - width), (y if self.down > 0 else 1 - y - height)
        return Rectangle(top, left, height, width) if self.exchanged else Rectangle(left, top, width, height)

    def turn(self, plane: NDArray[Any]) -> NDArray[np.int32]:
        """Turn the content [row, column] of a source rectangle."""
        turned = (plane.T if self.exchanged else plane)[:: self.down, :: self.right]
        return np.ascontiguousarray(self.counterparts[turned])


def find_turns(rules: Rules, labels: NDArray[np.int64]) -> tuple[BaseTurn, ...]:
    """Find all orientations in which a plane stays valid by these rules, the unturned one first.

    labels : [pattern] a number; a pattern and its counterpart must have the same
    """
    ring, steps = get_ring(rules.topology), get_lattice_class(rules.topology).steps.tolist()
    found = []
    for exchanged, right, down in product((False, True), (1, -1), (1, -1)):
        ends = [[x * right, y * down] for x, y in (step[::-1] if exchanged else step for step in steps)]
        if not all(end in steps for end in ends):
            continue  # a chunk of hexagons rotated by 60 degrees is not a rectangle of cells
        sides = [steps.index(end) for end in ends]
        for orientation in ring.list_orientations():
            if sides == [ring.move_side(side, orientation) for side in range(len(steps))]:
                counterparts = find_counterparts(rules, labels, orientation)
                if counterparts is not None:
                    found.append(BaseTurn(exchanged, right, down, counterparts))
    return tuple(found)


def check_tiles(tiles: Any) -> None:
    """Raise unless this is a tile set for a plane."""
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"tiles must be a TileSet such as TileSet.load('pipes'), not {tiles!r}")
    if not is_uniform_plane(tiles.topology):
        raise WorldError(f"an endless world needs square or hex tiles; these are {tiles.topology} tiles")


def plane_cache_key(tiles: TileSet) -> str:
    """Return a key of everything that a base depends on: rules, their order, and the excluded ground."""
    ground, order = getattr(tiles, "ground_pattern", None), tiles.rules.order
    key = tiles.rules.digest if ground is None else f"{tiles.rules.digest} without {ground}"
    return key if order is None else f"{key} in order {order}"


class WorldBase(NamedTuple):
    """The base of the worlds of one tile set."""

    certificate: Certificate
    patterns: NDArray[np.int64]  # [row, column], repeats over the plane


def find_base(tiles: TileSet) -> WorldBase:
    """Return the base of a tile set: a large repeating map if one is found, or that of the certificate.

    A pure function of the tiles, computed once per process: attempts and limits are the same on every
    machine. Raises WorldError if the tiles have no certificate.
    """
    return known_plain_bases.get(plane_cache_key(tiles), lambda: compute_base(tiles))


def compute_base(tiles: TileSet) -> WorldBase:
    """Compute the base of a tile set; see `find_base`."""
    certificate = find_certificate(tiles)
    if certificate.base is None:
        raise WorldError(
            f"this tile set has no certificate for an endless world: {certificate}",
            advice="wf.audit(tiles) shows what prevents it",
            flag_advice="wavefold audit shows what prevents it",
        )
    sides = (LARGER_SIDE, *SIDES) if certificate.mixing < LEAST_MIXING and len(SIDES) > 1 else SIDES
    large = find_large_torus(tiles, certificate, sides)
    return WorldBase(certificate, certificate.base if large is None else large)


def find_large_torus(
    tiles: TileSet, certificate: Certificate, sides: tuple[int, ...]
) -> NDArray[np.int64] | None:
    """Find the largest repeating map with one of these sides by a short search; or None."""
    most_conflicts = MOST_STIFF_CONFLICTS if certificate.mixing < STIFF_MIXING else MOST_CONFLICTS
    for side in sides:
        cells = side * side
        if cells * count_words(tiles) > MOST_WORDS and side != SIDES[-1]:
            continue
        torus: Any = make_box(tiles.topology, side, side, wraps=True)
        problem = build_plane_problem(tiles, torus)
        left = MOST_PATTERN_CONFLICTS // len(tiles)
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
                break  # a proof, so other seeds would fail as well
    return None


def count_words(tiles: TileSet) -> int:
    """Return how many words of 64 patterns a visit to a cell reads; sets with many classes read more."""
    return max(relation.rows.size for relation in tiles.rules.relations)
