"""Certificates: a small map that repeats is valid in any size; or a proof that no map of some size exists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import ENTROPY, Attempt, Region, RegionSolver
from wavefold.tiles import Rules, TileSet
from wavefold.topology import Lattice, Topology, box, lattice_class

DECISIONS_REPEATING = 2_000  # for each size
LONGEST = 12  # cells along a side of a repeating map
GOOD_MIXING = 0.9  # good enough to look no further
MOST_WORK, LEAST_CELLS = 20_000, 6  # patterns times cells of a repeating map; at least so many cells

PatternMask = NDArray[np.bool_]  # [pattern] which of them may be used
FinishedSizes = dict[tuple[int, ...], tuple[NDArray[np.int64] | None, float]]  # see `try_size`


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


def plane_problem(
    tiles: TileSet | Rules, topology: Topology, permitted: PatternMask | None = None
) -> Problem:
    """A problem inside an endless plane. That has no bottom, so a learned ground pattern is masked out.

    permitted : which patterns may be used, instead of all but the ground
    """
    ground = getattr(tiles, "ground_pattern", None)
    if permitted is None and ground is not None:
        permitted = np.arange(len(tiles)) != ground
    if permitted is None:
        return Problem(tiles, topology, own_constraints=False)
    return Problem(tiles.rules if isinstance(tiles, TileSet) else tiles, topology, masks=permitted)


def find_certificate(
    tiles: TileSet | Rules,
    largest: int = 36,
    candidates: int = 4,
    tick: Callable[[], None] = checkpoint,
    permitted: PatternMask | None = None,
    finished: FinishedSizes | None = None,
) -> Certificate:
    """The best-mixing of the first few repeating maps, smallest first; or a proof that there is none.

    `largest` limits the cells of a repeating map, `candidates` how many are compared. `permitted`: as in
    `plane_problem`. `finished` is filled with what was tried, and read when a call goes on where a checkpoint
    ended an earlier one.
    """
    best: Certificate | None = None
    finished = {} if finished is None else finished
    found = tried = 0
    largest = min(largest, max(LEAST_CELLS, MOST_WORK // len(tiles)))
    for size in candidate_sizes(tiles.topology, largest):
        tick()
        tried += 1
        if size not in finished:
            finished[size] = try_size(tiles, size, tried, permitted)
        base, share = finished[size]
        if base is None:
            continue
        found += 1
        if best is None or share > best.mixing:
            best = Certificate("periodic", size, base, share, tried)
        if found >= candidates or best.mixing >= GOOD_MIXING:
            break
    return best or find_refutation(tiles, tried, permitted)


def try_size(
    tiles: TileSet | Rules, size: tuple[int, ...], seed: int, permitted: PatternMask | None
) -> tuple[NDArray[np.int64] | None, float]:
    """A repeating map of this size and how well it mixes; None if none was found."""
    torus = box(tiles.topology, *size, wraps=True)
    repeating = solve_completely(plane_problem(tiles, torus, permitted), seed).patterns
    if repeating is None:
        return None, 0.0
    base = torus.to_array(repeating.astype(np.int64))
    return base, measure_mixing(tiles, base, permitted=permitted)


def solve_completely(problem: Problem, seed: int, order: Heuristics = ENTROPY) -> Attempt:
    """Search completely, for a limited number of decisions."""
    return RegionSolver(problem).solve(Region(), order, seed, SEARCHES["exact"], DECISIONS_REPEATING)


def find_refutation(tiles: TileSet | Rules, tried: int, permitted: PatternMask | None = None) -> Certificate:
    """A proof that the smallest impossible map is, if one is found; sizes grow up to a limit."""
    grid_class = lattice_class(tiles.topology)
    for width in range(1, grid_class.sizes.refuted + 1):
        grid = grid_class.of_width(width)
        problem = plane_problem(tiles, grid, permitted)
        if solve_completely(problem, 0, Heuristics.of("domain")).is_proof:
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


def measure_mixing(
    tiles: TileSet | Rules, base: NDArray[np.int64], seeds: int = 3, permitted: PatternMask | None = None
) -> float:
    """The share of cells that change when windows of the repeated base are solved again, their rim fixed."""
    width = lattice_class(tiles.topology).sizes.window
    window = box(tiles.topology, *(width for _ in base.shape))
    patterns = repeat_base(base, window)
    rim = (window.graph().neighbour < 0).any(axis=1)
    fixed = np.flatnonzero(rim)
    solver = RegionSolver(plane_problem(tiles, window, permitted))
    region = Region(fixed=(fixed, patterns[fixed]))
    order, changed = Heuristics.of("scanline"), 0.0
    for seed in range(seeds):
        found = solver.solve(region, order, seed, SEARCHES["auto"], 20 * window.cell_count).patterns
        if found is not None:  # otherwise the window keeps what it had
            changed += float((found != patterns)[~rim].mean())
    return changed / seeds
