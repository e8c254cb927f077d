"""Repair: make a map valid again after somebody changed it, and change as little as possible."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, Contradiction, OutOfBudget
from wavefold.solver.budget import Budget
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Solution
from wavefold.solver.solver import Solver

__all__ = ["Repair", "repair"]

PREFERENCE = 1_000.0  # how much likelier a cell keeps what it had
DECISIONS = 20  # per cell that is open, for each try
RADII = (0, 1, 2, 3, 5, 8, 13, 21)
MOST_REVERTED = 400  # changed cells that are tried with their old pattern, one by one

Cells = NDArray[np.bool_]  # [cell]


class Repair(NamedTuple):
    """A mended map."""

    solution: Solution
    changed: tuple[int, ...]  # cells that are not what was wanted, unknown ones included
    broken: tuple[int, ...]  # cells that did not fit as they were


def repair(problem: Problem, wanted: ArrayLike, keep: Iterable[Any] = (), seed: int = 0) -> Repair:
    """The valid map nearest to the wanted one that is easily found.

    `wanted` is int [cell] of patterns, in the topology's order or in the shape of `solution.array`; -1 where
    anything will do. Cells in `keep` (coordinates or numbers) stay as they are. Cells that break a rule are
    opened, then those around them, ring by ring, until they fit; what need not have changed goes back.
    Raises `Contradiction` if no map has the cells of `keep`.
    """
    patterns = read_wanted(problem, wanted)
    kept = np.zeros(problem.cell_count, bool)
    kept[[problem.cell(place) for place in keep]] = True
    if (patterns[kept] < 0).any():
        raise ConfigError("a cell to keep has no pattern")
    broken = broken_cells(problem, patterns)
    if not broken.any():
        return Repair(as_it_is(problem, patterns, seed), (), ())
    solution = widening(problem, patterns, broken, kept, seed)
    solution = reverted(problem, patterns, solution, kept, seed)
    changed = np.flatnonzero(solution.patterns != patterns)
    return Repair(solution, tuple(changed.tolist()), tuple(np.flatnonzero(broken).tolist()))


def read_wanted(problem: Problem, wanted: ArrayLike) -> NDArray[np.int64]:
    """The wanted map as int64 [cell]."""
    array = np.asarray(wanted)
    if array.dtype.kind not in "iu":
        raise ConfigError(f"the map to repair must hold numbers of patterns, not {array.dtype}")
    shape = problem.topology.shape
    if shape is not None and array.shape == tuple(shape):
        numbers = problem.topology.to_array(np.arange(problem.cell_count), missing=-1)
        flat = np.empty(problem.cell_count, np.int64)
        flat[numbers[numbers >= 0]] = array[numbers >= 0]
        array = flat
    if array.shape != (problem.cell_count,):
        raise ConfigError(f"the map to repair has shape {array.shape}; it must be {(problem.cell_count,)}")
    if array.size and not -1 <= array.min() <= array.max() < len(problem.rules):
        raise ConfigError(f"the map to repair holds patterns outside -1 to {len(problem.rules) - 1}")
    return array.astype(np.int64)


def broken_cells(problem: Problem, patterns: NDArray[np.int64]) -> Cells:
    """[cell] whether it is unknown, not permitted, or does not fit a neighbour."""
    possible = problem.domains
    known = patterns >= 0
    safe = np.maximum(patterns, 0)
    words = possible[np.arange(patterns.size), safe // 64]
    broken = ~known | ((words >> (safe % 64).astype(np.uint64)) & np.uint64(1) == 0)
    graph, rules = problem.graph, problem.rules
    for direction in range(graph.neighbour.shape[1]):
        there = graph.neighbour[:, direction]
        both = np.flatnonzero((there >= 0) & known & known[np.maximum(there, 0)])
        relation = rules.relations[graph.rule[direction]]
        other = patterns[there[both]]
        row = relation.rows[relation.class_of[patterns[both]], other // 64]
        fits = (row >> (other % 64).astype(np.uint64)) & np.uint64(1) == 1
        kind = rules.kinds[patterns[both]]
        fits &= (kind < 0) | (kind != rules.kinds[other])
        broken[both[~fits]] = True
    return np.asarray(broken)


def widening(
    problem: Problem, patterns: NDArray[np.int64], broken: Cells, kept: Cells, seed: int
) -> Solution:
    """Open the broken cells, then rings around them, until a map is found."""
    opened, reached = broken & ~kept, 0
    for radius in (*RADII, problem.cell_count):
        for _ in range(radius - reached):
            wider = grown(problem, opened | broken) & ~kept
            if (wider == opened).all():
                break
            opened = wider
        reached = radius
        everything = bool((opened | kept).all())
        try:
            return solved(problem, patterns, opened, seed)
        except (Contradiction, OutOfBudget):
            if everything:
                raise
    raise AssertionError("the last radius opens every cell that may change")


def reverted(
    problem: Problem, patterns: NDArray[np.int64], solution: Solution, kept: Cells, seed: int
) -> Solution:
    """Give cells their old pattern back, one by one, where a map with it is found."""
    changed = (solution.patterns != patterns) & (patterns >= 0)
    for cell in np.flatnonzero(changed)[:MOST_REVERTED].tolist():
        differs = (solution.patterns != patterns) & ~kept
        if not differs[cell]:
            continue  # went back along with another
        differs[cell] = False
        try:
            solution = solved(problem, patterns, differs, seed)
        except (Contradiction, OutOfBudget):
            continue
    return solution


def solved(problem: Problem, patterns: NDArray[np.int64], opened: Cells, seed: int) -> Solution:
    """A map in which only these cells may differ, and do so seldom."""
    rules, cells = problem.rules, problem.cell_count
    given = np.ones(len(rules), bool) if problem.masks is None else problem.masks
    masks = np.array(np.broadcast_to(given, (cells, len(rules))))
    held = np.flatnonzero(~opened)
    masks[held] = False
    masks[held, patterns[held]] = True
    own = rules.weights if problem.weights is None else problem.weights
    weights = np.array(np.broadcast_to(own, (cells, len(rules))))
    liked = np.flatnonzero(opened & (patterns >= 0))
    weights[liked, patterns[liked]] *= PREFERENCE
    pins = {pin.cell: pin.name for pin in problem.pins}
    again = Problem(problem.tiles, problem.topology, None, problem.constraints, weights, masks)
    again.pins = problem.pins if pins else ()
    budget = Budget(decisions=100 + DECISIONS * int(opened.sum()))
    found = Solver(again, seed, "entropy").run(budget)
    return Solution(problem, found.patterns, found.stats, seed)


def as_it_is(problem: Problem, patterns: NDArray[np.int64], seed: int) -> Solution:
    """A map that needs no repair; constraints are asked, too."""
    return solved(problem, patterns, np.zeros(problem.cell_count, bool), seed)


def grown(problem: Problem, cells: Cells) -> Cells:
    """These cells and their neighbours."""
    neighbour = problem.graph.neighbour
    return cells | np.asarray((cells[np.maximum(neighbour, 0)] & (neighbour >= 0)).any(axis=1))
