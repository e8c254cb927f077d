"""Certificates: a small map that repeats over the plane, or a proof that a map cannot exist."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.maps import IMPOSSIBLE, attempt, plane_problem
from wavefold.solver import Heuristics, Solution
from wavefold.solver.engine.region import Region, RegionSolver
from wavefold.solver.search.ladder import SEARCHES
from wavefold.tiles import TileSet
from wavefold.topology import box, lattice_class

DECISIONS = 2_000  # for each size
GOOD_MIXING = 0.9
MOST_WORK, LEAST_CELLS = 20_000, 6  # patterns times cells of a repeating map; but so many cells in any case


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """What is known of endless maps.

    verdict : "periodic": `base` repeated is valid everywhere. "impossible": no open map of `size` cells
        across exists. "undecided": neither was found
    base : int64 [row, column] or [layer, row, column] of patterns; rows of hexagons are r, columns q
    mixing : the share of cells that change when a window of the base is made anew, 0 to 1
    """

    verdict: str
    size: tuple[int, ...] = ()
    base: NDArray[np.int64] | None = None
    mixing: float = 0.0
    tried: int = 0  # sizes looked at

    def __str__(self) -> str:
        size = " x ".join(map(str, self.size))
        if self.verdict == "periodic":
            return f"repeats every {size} cells; {self.mixing:.0%} of a window changes when made anew"
        if self.verdict == "impossible":
            return f"proved: there is no map of {size} cells"
        return f"undecided: no repeating map was found in {self.tried} sizes, nor a proof that none exists"


def find_certificate(
    tiles: TileSet, largest: int = 36, candidates: int = 4, tick: Callable[[], None] = lambda: None
) -> Certificate:
    """The best-mixing of the first few repeating maps, smallest first; or a proof that there is none.

    `largest` limits the cells of a repeating map, `candidates` how many are compared.
    """
    best: Certificate | None = None
    found = tried = 0
    largest = min(largest, max(LEAST_CELLS, MOST_WORK // len(tiles)))  # many patterns make every size dear
    for size in candidate_sizes(tiles.topology, largest):
        tick()
        tried += 1
        torus = box(tiles.topology, *size, wraps=True)
        solution = attempt(plane_problem(tiles, torus), tried, DECISIONS, "entropy", "exact")
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
    """The smallest open map that is proved impossible, if there is one."""
    lattice = lattice_class(tiles.topology)
    for side in range(1, lattice.sizes.refuted + 1):
        grid = lattice.of_width(side)
        answer = attempt(plane_problem(tiles, grid), 0, DECISIONS, "domain", "exact")
        if answer == IMPOSSIBLE:
            return Certificate("impossible", tuple(grid.shape or ())[::-1], tried=tried)
    return Certificate("undecided", tried=tried)


def candidate_sizes(topology: str, largest: int) -> list[tuple[int, ...]]:
    """Sizes of repeating maps, fewest cells first; those near a square first among equals."""
    longest = min(largest, 12)
    spans = range(1, longest + 1)
    every_size = product(spans, repeat=len(lattice_class(topology).axes))
    small = [size for size in every_size if prod(size) <= largest]
    return sorted(small, key=lambda size: (prod(size), max(size), size))


def measure_mixing(tiles: TileSet, base: NDArray[np.int64], seeds: int = 3) -> float:
    """The share of cells that change when windows of the repeated base are solved anew, their rim fixed."""
    lattice = lattice_class(tiles.topology)
    window = lattice.box(*(lattice.sizes.window for _ in lattice.axes))
    coordinates = np.array(window.coordinates)
    low = coordinates.min(axis=0)
    columns_first = (coordinates - low) % np.array(base.shape[::-1])
    patterns = base[tuple(columns_first.T[::-1])]
    rim = (window.graph().neighbour < 0).any(axis=1)
    fixed = np.flatnonzero(rim)
    solver, region = RegionSolver(plane_problem(tiles, window)), Region(fixed=(fixed, patterns[fixed]))
    order, changed = Heuristics.of("scanline"), 0.0
    for seed in range(seeds):
        found = solver.solve(region, order, seed, SEARCHES["auto"], 20 * window.cell_count).patterns
        if found is not None:  # otherwise the window keeps what it had
            changed += float((found != patterns)[~rim].mean())
    return changed / seeds
