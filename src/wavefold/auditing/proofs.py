"""Proofs by solving small maps: one that repeats, that there is none, that a pattern cannot appear in any."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.trials import IMPOSSIBLE, try_solve
from wavefold.common.bitsets import unpack_bits
from wavefold.solver import Heuristics, Problem, Solution
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import ENTROPY, Region, RegionSolver
from wavefold.tiles import TileSet
from wavefold.topology import Lattice, Topology, box, lattice_class

DECISIONS_REPEATING = 2_000  # for each size
DECISIONS_AROUND = 400  # for each pattern; one that is not refuted by then counts as possible
LONGEST = 12  # cells along a side of a repeating map
GOOD_MIXING = 0.9  # good enough to look no further
MOST_WORK, LEAST_CELLS = 20_000, 6  # patterns times cells of a repeating map; at least so many cells


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """What is known about endless maps.

    verdict : "periodic": `base` repeated is valid everywhere. "impossible": no open map of `size` cells
        across exists. "undecided": neither was found
    base : int64 [row, column] or [layer, row, column] of patterns; rows of hexagons are r, columns q
    mixing : the share of cells that change when a window of the repeated base is solved again, 0 to 1
    """

    verdict: str
    size: tuple[int, ...] = ()
    base: NDArray[np.int64] | None = None
    mixing: float = 0.0
    tried: int = 0  # sizes of repeating maps

    def __str__(self) -> str:
        size = " x ".join(map(str, self.size))
        if self.verdict == "periodic":
            return f"repeats every {size} cells; {self.mixing:.0%} of a window changes when solved again"
        if self.verdict == "impossible":
            return f"impossible: there is a proof that no map of {size} cells exists"
        return f"undecided: no repeating map was found in {self.tried} sizes, nor a proof that none exists"


def plane_problem(tiles: TileSet, topology: Topology) -> Problem:
    """A problem inside an endless plane. That has no bottom, so a learned ground pattern is masked out."""
    ground = getattr(tiles, "ground_pattern", None)
    if ground is None:
        return Problem(tiles, topology)
    return Problem(tiles.rules, topology, masks=np.arange(len(tiles)) != ground)


def find_certificate(
    tiles: TileSet, largest: int = 36, candidates: int = 4, tick: Callable[[], None] = lambda: None
) -> Certificate:
    """The best-mixing of the first few repeating maps, smallest first; or a proof that there is none.

    `largest` limits the cells of a repeating map, `candidates` how many are compared.
    """
    best: Certificate | None = None
    found = tried = 0
    largest = min(largest, max(LEAST_CELLS, MOST_WORK // len(tiles)))
    for size in candidate_sizes(tiles.topology, largest):
        tick()
        tried += 1
        torus = box(tiles.topology, *size, wraps=True)
        solution = try_solve(plane_problem(tiles, torus), tried, DECISIONS_REPEATING, "entropy", "exact")
        if not isinstance(solution, Solution):
            continue
        found += 1
        share = measure_mixing(tiles, solution.array)
        if best is None or share > best.mixing:
            best = Certificate("periodic", size, solution.array, share, tried)
        if found >= candidates or best.mixing >= GOOD_MIXING:
            break
    return best or find_refutation(tiles, tried)


def find_refutation(tiles: TileSet, tried: int) -> Certificate:
    """A proof that the smallest impossible map is, if one is found; sizes grow up to a limit."""
    grid_class = lattice_class(tiles.topology)
    for width in range(1, grid_class.sizes.refuted + 1):
        grid = grid_class.of_width(width)
        answer = try_solve(plane_problem(tiles, grid), 0, DECISIONS_REPEATING, "domain", "exact")
        if answer == IMPOSSIBLE:
            return Certificate("impossible", grid.shape[::-1], tried=tried)
    return Certificate("undecided", tried=tried)


def candidate_sizes(topology: str, largest: int) -> list[tuple[int, ...]]:
    """Sizes of repeating maps, fewest cells first; of equally many, those closest to a square first."""
    spans = range(1, min(largest, LONGEST) + 1)
    every = product(spans, repeat=len(lattice_class(topology).axes))
    return sorted(
        (size for size in every if prod(size) <= largest), key=lambda size: (prod(size), max(size), size)
    )


def repeat_base(base: NDArray[np.int64], grid: Lattice) -> NDArray[np.int64]:
    """[cell] the patterns of a grid that is covered with copies of the base."""
    in_base = np.array(grid.coordinates) % np.array(base.shape[::-1])  # columns first
    return np.asarray(base[tuple(in_base.T[::-1])])


def measure_mixing(tiles: TileSet, base: NDArray[np.int64], seeds: int = 3) -> float:
    """The share of cells that change when windows of the repeated base are solved again, their rim fixed."""
    width = lattice_class(tiles.topology).sizes.window
    window = box(tiles.topology, *(width for _ in base.shape))
    patterns = repeat_base(base, window)
    rim = (window.graph().neighbour < 0).any(axis=1)
    fixed = np.flatnonzero(rim)
    solver, region = RegionSolver(plane_problem(tiles, window)), Region(fixed=(fixed, patterns[fixed]))
    order, changed = Heuristics.of("scanline"), 0.0
    for seed in range(seeds):
        found = solver.solve(region, order, seed, SEARCHES["auto"], 20 * window.cell_count).patterns
        if found is not None:  # otherwise the window keeps what it had
            changed += float((found != patterns)[~rim].mean())
    return changed / seeds


# --- patterns that cannot appear inside a map -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class UnplaceablePattern:
    """A pattern that cannot appear inside a map."""

    pattern: str
    tile: str
    why: str
    whole_tile: bool  # no pattern of its tile can
    at_rim: bool = False  # it appeared near the edge of a map, where sides are free


def find_unplaceable(
    tiles: TileSet, seen: Iterable[int], at_rim: Iterable[int] = ()
) -> list[UnplaceablePattern]:
    """Every pattern that cannot be surrounded. Those `seen` inside maps can; `at_rim` appeared at an edge."""
    reasons = find_unsupported(tiles)
    grid_class = lattice_class(tiles.topology)
    width = grid_class.sizes.surroundings
    grid = grid_class.of_width(width)
    middle = grid.spiral()[:1].astype(np.int64)
    solver = cache(lambda: RegionSolver(plane_problem(tiles, grid)))  # often there is nothing to prove
    proved = set(seen) | set(reasons)
    for pattern in range(len(tiles)):
        if pattern in proved:
            continue
        region = Region(fixed=(middle, np.array([pattern])))
        if solver().solve(region, ENTROPY, 0, SEARCHES["exact"], DECISIONS_AROUND).is_proof:
            reasons[pattern] = f"something fits each side, but not all {width // 2} cells around it at once"
    names, tile_of = tiles.rules.names, tiles.rules.tile_of
    alive = np.unique(np.delete(tile_of, list(reasons)))
    seen_at_rim = set(at_rim)
    return [
        UnplaceablePattern(
            names[each],
            tiles.rules.tiles[tile_of[each]],
            reasons[each],
            bool(tile_of[each] not in alive),
            each in seen_at_rim,
        )
        for each in sorted(reasons)
    ]


def find_unsupported(tiles: TileSet) -> dict[int, str]:
    """{pattern: reason} for a side that nothing fits, or only patterns found before, until none is found."""
    rules = tiles.rules
    alive = np.ones(len(rules), bool)
    reasons: dict[int, str] = {}
    while True:
        before = alive.copy()
        for direction, relation in enumerate(rules.relations):
            table = unpack_bits(relation.rows, len(rules))
            lost = alive & ~has_support(table, relation.class_of, rules.kinds, before)
            for pattern in np.flatnonzero(lost).tolist():
                fits = rules.allows(direction, pattern)
                cause = "only tiles that cannot appear inside a map fit" if fits.any() else "nothing fits"
                reasons[pattern] = f"{cause} its {tiles.directions[direction]} side"
            alive &= ~lost
        if (alive == before).all():
            return reasons


def has_support(
    table: NDArray[np.bool_], class_of: NDArray[np.int32], kinds: NDArray[np.int32], alive: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """[pattern] whether an alive pattern of another kind fits; `table` is [class, pattern]."""
    counts = (table & alive).sum(axis=1)[class_of]
    for kind in np.unique(kinds[kinds >= 0]):
        own = kinds == kind
        counts[own] -= (table & alive & own).sum(axis=1)[class_of[own]]
    return np.asarray(counts > 0)
