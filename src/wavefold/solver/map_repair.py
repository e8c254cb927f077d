"""Repair: make a map valid again after somebody changed it, and change as little as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.common.bitsets import unpack_bits
from wavefold.errors import ConfigError, Contradiction, OutOfBudget
from wavefold.solver.budget import Budget
from wavefold.solver.explain import Explanation
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.solution import Solution
from wavefold.solver.solver import Solver
from wavefold.solver.statistics import Statistics
from wavefold.topology.part import Part

PREFERENCE = 1_000.0  # how much likelier a cell keeps what it had
DECISIONS = 20  # per cell that is open, for each try
RADII = (0, 1, 2, 3, 5, 8, 13, 21)
MANY_CHANGED, FEW_DECISIONS = 100, 2  # when many cells changed, each goes back easily or not at all
MOST_REVERTED = 400  # changed cells that are tried with their old pattern, one by one

Cells = NDArray[np.bool_]  # [cell]
Progress = Callable[[int, int], None]


class Repair(NamedTuple):
    """A mended map."""

    solution: Solution
    changed: tuple[int, ...]  # cells that are not what was wanted, unknown ones included
    broken: tuple[int, ...]  # cells that did not fit as they were


def repair(
    problem: Problem,
    wanted: ArrayLike,
    keep: Iterable[Any] = (),
    seed: int = 0,
    budget: Budget | int | None = None,
    progress: Progress | None = None,
) -> Repair:
    """The valid map nearest to the wanted one that is easily found.

    `wanted` is int [cell] of patterns, in the topology's order or in the shape of `solution.array`; -1 where
    anything will do. Cells in `keep` (coordinates or numbers) stay as they are. Cells that break a rule are
    opened, then those around them, ring by ring, until they fit; what need not have changed goes back.
    Raises `Contradiction` if no map has the cells of `keep`, and `OutOfBudget` if none was found: `budget`
    limits the last try, with every cell open that need not be kept. `progress(opened, cells)` is called
    before each try.
    """
    patterns = read_wanted(problem, wanted)
    kept = np.zeros(problem.cell_count, bool)
    kept[[problem.cell(place) for place in keep]] = True
    for cell in np.flatnonzero(kept & (patterns < 0)).tolist():
        raise ConfigError(
            f"a cell to keep has no pattern: {problem.topology.describe(cell)}; "
            "leave it out of keep, and it will be filled"
        )
    broken = broken_cells(problem, patterns)
    found = patterns
    if broken.any() or problem.constraints:
        found = widening(problem, patterns, broken, kept, seed, Budget.of(budget), progress)
        found = reverted(problem, patterns, found, broken, seed)
    changed = np.flatnonzero(found != patterns)
    solution = Solution(problem, found, Statistics(), seed)
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
    problem: Problem,
    patterns: NDArray[np.int64],
    broken: Cells,
    kept: Cells,
    seed: int,
    budget: Budget,
    progress: Progress | None,
) -> NDArray[np.int64]:
    """Open the broken cells, then rings around them, until a map is found."""
    opened, reached = broken & ~kept, 0
    for radius in RADII:
        for _ in range(radius - reached):
            opened = opened | (grown(problem, opened | broken) & ~kept)
        reached = radius
        if progress is not None:
            progress(int(opened.sum()), problem.cell_count)
        found = solved(problem, patterns, opened, broken, seed)
        if found is not None:
            return found
        if (opened | kept).all():
            break
    # Everything else failed: the whole map, with nothing held but what must be kept. This may raise.
    if progress is not None:
        progress(int((~kept).sum()), problem.cell_count)
    return last_try(problem, patterns, kept, seed, budget).patterns


def last_try(
    problem: Problem, patterns: NDArray[np.int64], kept: Cells, seed: int, budget: Budget
) -> Solution:
    """The whole map, to which kept cells are pins: if they cannot all be kept, it can be said which."""
    again = Problem(
        problem.tiles,
        problem.topology,
        None,
        problem.constraints,
        preferring(problem, patterns, np.arange(problem.cell_count), ~kept),
        problem.masks,
    )
    names = problem.rules.names
    pins = [
        Pin(cell, names[patterns[cell]], patterns[cell : cell + 1]) for cell in np.flatnonzero(kept).tolist()
    ]
    again.pins = (*problem.pins, *pins)
    try:
        return Solver(again, seed, "entropy").run(budget)
    except Contradiction as error:
        proof = error  # the name `error` is gone when somebody asks why
        raise Contradiction(str(error.args[0]), why=lambda: of_kept_cells(proof.explanation, pins)) from error


def of_kept_cells(why: Explanation | None, pins: list[Pin]) -> Explanation | None:
    """The same explanation, in which the cells to keep are called so."""
    if why is None:
        return None
    wishes, sentence = [], why.sentence
    for wish in why.wishes:
        if any(wish.item is pin for pin in pins):
            text = wish.text.replace("the pin", "the kept cell", 1)
            sentence = sentence.replace(wish.text, text)
            wishes.append(wish._replace(text=text))
        else:
            wishes.append(wish)
    return replace(why, wishes=tuple(wishes), sentence=sentence)


def reverted(
    problem: Problem, patterns: NDArray[np.int64], found: NDArray[np.int64], broken: Cells, seed: int
) -> NDArray[np.int64]:
    """Give cells their old pattern back, one by one, where a map with it is found."""
    changed = np.flatnonzero((found != patterns) & (patterns >= 0))
    decisions = DECISIONS if changed.size <= MANY_CHANGED else FEW_DECISIONS
    for cell in changed[:MOST_REVERTED].tolist():
        opened = found != patterns
        if opened[cell]:  # otherwise it went back along with another
            opened[cell] = False
            again = solved(problem, patterns, opened, broken, seed, decisions)
            found = found if again is None else again
    return found


def solved(
    problem: Problem,
    patterns: NDArray[np.int64],
    opened: Cells,
    broken: Cells,
    seed: int,
    decisions: int = DECISIONS,
) -> NDArray[np.int64] | None:
    """[cell] a valid map in which only the opened cells differ, and do so seldom; None if none was found."""
    try:
        return attempted(problem, patterns, opened, broken, seed, decisions=decisions)
    except (Contradiction, OutOfBudget):
        return None


def attempted(
    problem: Problem,
    patterns: NDArray[np.int64],
    opened: Cells,
    broken: Cells,
    seed: int,
    order: str = "entropy",
    prefers: bool = True,
    decisions: int = DECISIONS,
) -> NDArray[np.int64]:
    """The same, or an error that tells a proof from a search that was given up.

    Without `prefers`, cells become anything that fits: more of them change, but a way is found sooner.
    """
    budget = Budget(decisions=100 + decisions * int(opened.sum()))
    if problem.constraints:  # they may look at any cell
        return solved_whole(problem, patterns, opened, seed).run(budget).patterns
    cells = np.flatnonzero(grown(problem, opened) | broken)
    part = Problem(
        problem.tiles,
        Part(problem.topology, cells),
        weights=preferring(problem, patterns, cells, opened) if prefers else own_weights(problem, cells),
        masks=holding(problem, patterns, cells, opened),
    )
    found = patterns.copy()
    found[cells] = Solver(part, seed, order).run(budget).patterns
    return found


def solved_whole(problem: Problem, patterns: NDArray[np.int64], opened: Cells, seed: int) -> Solver:
    """A solver for the whole map, in which only the opened cells may differ."""
    cells = np.arange(problem.cell_count)
    again = Problem(
        problem.tiles,
        problem.topology,
        None,
        problem.constraints,
        preferring(problem, patterns, cells, opened),
        holding(problem, patterns, cells, opened),
    )
    return Solver(again, seed, "entropy")


def holding(
    problem: Problem, patterns: NDArray[np.int64], cells: NDArray[np.int64], opened: Cells
) -> NDArray[np.bool_]:
    """bool [cell, pattern]: what the problem leaves to opened cells, and to the others what they have."""
    masks: NDArray[np.bool_] = unpack_bits(problem.domains[cells], len(problem.rules))
    held = np.flatnonzero(~opened[cells])
    kept = patterns[cells[held]]
    fits = masks[held, kept]
    masks[held] = False
    masks[held, kept] = fits  # what the problem forbids is not held, whoever wants it
    return masks


def preferring(
    problem: Problem, patterns: NDArray[np.int64], cells: NDArray[np.int64], opened: Cells
) -> NDArray[np.float64]:
    """float64 [cell, pattern]: the weights of the problem, and much more for what a cell had."""
    weights = own_weights(problem, cells)
    liked = np.flatnonzero(opened[cells] & (patterns[cells] >= 0))
    weights[liked, patterns[cells[liked]]] *= PREFERENCE
    return weights


def own_weights(problem: Problem, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64 [cell, pattern]: the weights of the problem."""
    own = problem.rules.weights if problem.weights is None else problem.weights
    shape = (problem.cell_count, len(problem.rules))
    weights: NDArray[np.float64] = np.broadcast_to(own, shape)[cells].copy()
    return weights


def grown(problem: Problem, cells: Cells) -> Cells:
    """These cells and their neighbours."""
    neighbour = problem.graph.neighbour
    return cells | np.asarray((cells[np.maximum(neighbour, 0)] & (neighbour >= 0)).any(axis=1))
