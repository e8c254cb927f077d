"""Certificates: a small repeating map proves that maps of any size exist; a refuted size that they do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.names import Verdict
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import ENTROPY, Attempt, Region, RegionSolver
from wavefold.tiles import Rules, TileSet
from wavefold.topology import Lattice, Topology, get_lattice_class, make_box

MOST_DECISIONS = 2_000  # for each size
MOST_SIDE_CELLS = 12  # along a side of a repeating map
GOOD_MIXING = 0.9  # ends the search for a better map
MOST_WORK, LEAST_CELLS = 20_000, 6  # patterns times cells of a repeating map; its cells in any case

PatternMask = NDArray[np.bool_]  # [pattern]
FinishedSizes = dict[tuple[int, ...], tuple[NDArray[np.int64] | None, float]]  # see `try_size`


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """A proof that endless maps exist, or that they do not.

    verdict : "periodic": `base`, repeated, is valid everywhere. "impossible": no map of `size` exists that
        does not wrap. "undecided": neither was found
    base : int64 [row, column] or [layer, row, column] of patterns; rows of hexagons are r, columns q
    mixing : the share of cells that change when a window of the repeated base is solved again, 0 to 1
    """

    verdict: Verdict
    size: tuple[int, ...] = ()
    base: NDArray[np.int64] | None = None
    mixing: float = 0.0
    tried: int = 0  # sizes of repeating maps

    def __str__(self) -> str:
        size = " x ".join(map(str, self.size))
        if self.verdict == "periodic":
            return f"repeats every {size} cells; {self.mixing:.0%} of a window changes when solved again"
        if self.verdict == "impossible":
            return f"impossible: it is proved that no map of {size} cells exists"
        return f"undecided: found neither a repeating map in {self.tried} sizes nor a proof that none exists"


def build_plane_problem(
    tiles: TileSet | Rules, topology: Topology, permitted: PatternMask | None = None
) -> Problem:
    """Build a problem inside an endless plane, without the ground pattern of a learned set.

    permitted : the patterns that may be used; None: all but the ground
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
    """Find the repeating map that mixes best among the first few, smallest first; or prove there is none.

    largest : the most cells of a repeating map
    candidates : the number of repeating maps to compare
    permitted : see `build_plane_problem`
    finished : the sizes tried so far; pass the same dict again to continue a call that a checkpoint ended
    """
    best: Certificate | None = None
    finished = {} if finished is None else finished
    found = tried = 0
    largest = min(largest, max(LEAST_CELLS, MOST_WORK // len(tiles)))
    for size in list_candidate_sizes(tiles.topology, largest):
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
    """Find a repeating map of this size, or None, and measure its mixing."""
    torus = make_box(tiles.topology, *size, wraps=True)
    repeating = solve_completely(build_plane_problem(tiles, torus, permitted), seed).patterns
    if repeating is None:
        return None, 0.0
    base = torus.to_array(repeating.astype(np.int64))
    return base, measure_mixing(tiles, base, permitted=permitted)


def solve_completely(problem: Problem, seed: int, order: Heuristics = ENTROPY) -> Attempt:
    """Search a problem completely, with a limit on decisions."""
    return RegionSolver(problem).solve(Region(), order, seed, SEARCHES["exact"], MOST_DECISIONS)


def find_refutation(tiles: TileSet | Rules, tried: int, permitted: PatternMask | None = None) -> Certificate:
    """Search for the smallest size of which no map exists, up to a limit."""
    grid_class = get_lattice_class(tiles.topology)
    for width in range(1, grid_class.sizes.refuted + 1):
        grid = grid_class.of_width(width)
        problem = build_plane_problem(tiles, grid, permitted)
        if solve_completely(problem, 0, Heuristics.of("domain")).is_proof:
            return Certificate("impossible", grid.shape[::-1], tried=tried)
    return Certificate("undecided", tried=tried)


def list_candidate_sizes(topology: str, largest: int) -> list[tuple[int, ...]]:
    """List sizes of repeating maps, fewest cells first, then those closest to a square."""
    spans = range(1, min(largest, MOST_SIDE_CELLS) + 1)
    every = product(spans, repeat=len(get_lattice_class(topology).axes))
    return sorted(
        (size for size in every if prod(size) <= largest), key=lambda size: (prod(size), max(size), size)
    )


def repeat_base(base: NDArray[np.int64], grid: Lattice) -> NDArray[np.int64]:
    """Return the patterns [cell] of a grid covered with copies of the base."""
    in_base = np.array(grid.coordinates) % np.array(base.shape[::-1])  # columns first
    return np.asarray(base[tuple(in_base.T[::-1])])


def measure_mixing(
    tiles: TileSet | Rules, base: NDArray[np.int64], seeds: int = 3, permitted: PatternMask | None = None
) -> float:
    """Measure the share of cells that change when windows of the repeated base are solved again."""
    width = get_lattice_class(tiles.topology).sizes.window
    window = make_box(tiles.topology, *(width for _ in base.shape))
    patterns = repeat_base(base, window)
    rim = (window.graph().neighbour < 0).any(axis=1)
    fixed = np.flatnonzero(rim)
    solver = RegionSolver(build_plane_problem(tiles, window, permitted))
    region = Region(fixed=(fixed, patterns[fixed]))
    order, changed = Heuristics.of("scanline"), 0.0
    for seed in range(seeds):
        found = solver.solve(region, order, seed, SEARCHES["auto"], 20 * window.cell_count).patterns
        if found is not None:  # otherwise the window keeps its content
            changed += float((found != patterns)[~rim].mean())
    return changed / seeds
