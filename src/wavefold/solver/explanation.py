"""Explain contradictions: find a minimal set of requirements that cannot hold together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import LimitReached, checkpoint, limiting
from wavefold.options.names import RequirementKind
from wavefold.solver.budget import Budget, Meter
from wavefold.solver.constraint import describe_constraint
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.search.ladder import Ladder
from wavefold.solver.search.region import Region, RegionSolver

FEWEST_PATTERNS = Heuristics.of("domain")
MOST_STEPS = 2000  # decisions and backtracks of a search, plus one per cell


class Requirement(NamedTuple):
    """A requirement beyond the rules: a pin, a ban, the mask of a cell, or a constraint."""

    kind: RequirementKind
    text: str
    cell: int  # -1 for constraints
    item: object


@dataclass(frozen=True, slots=True)
class Explanation:
    """A minimal set of requirements that contradict each other; without any one, the others can hold.

    If `proved` is False, a search reached its limit: the set is still contradictory, but may not be minimal.
    """

    requirements: tuple[Requirement, ...]
    remedies: tuple[str, ...]  # the effect of removing each requirement
    cells: tuple[int, ...]
    contradictory: bool
    proved: bool
    sentence: str = field(repr=False)

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self, locate: Callable[[int], object] = int) -> dict[str, object]:
        """Return plain data for JSON.

        locate : converts the number of a cell, for example to its coordinate
        """
        requirements = [
            {"kind": each.kind, "text": each.text, "remedy": remedy}
            | ({"cell": locate(each.cell)} if each.cell >= 0 else {})
            for each, remedy in zip(self.requirements, self.remedies, strict=True)
        ]
        return {
            "sentence": self.sentence,
            "contradictory": self.contradictory,
            "proved": self.proved,
            "requirements": requirements,
            "cells": [locate(cell) for cell in self.cells if cell >= 0],
        }


def explain(
    problem: Problem, more: Sequence[Pin] = (), proved: bool = False, ms: float | None = None
) -> Explanation:
    """Find a minimal set of requirements that contradict each other, if the problem is impossible.

    more : pins and bans in addition to those of the problem
    proved : whether the problem is known to be impossible
    ms : time limit; an unfinished search gives an explanation without requirements
    """
    meter = Meter(Budget(ms=ms))
    try:
        with limiting(meter.check_time):
            return _explain(problem, more, proved)
    except LimitReached:
        what = "nothing fits" if proved else "neither a contradiction nor a map was found"
        text = (
            f"{what}; the search for the reason stopped after {ms:g} ms; Solver.explain() has no time limit"
        )
        return Explanation((), (), (), proved, False, text)


def _explain(problem: Problem, more: Sequence[Pin], proved: bool) -> Explanation:
    requirements = _list_requirements(problem, more)
    oracle = SatisfiabilityOracle(problem, requirements)
    everything = list(range(len(requirements)))
    answer = False if proved else oracle.holds(everything)
    if answer is True:
        return Explanation((), (), (), False, True, "there is no contradiction: a map exists")
    if answer is None:
        text = "neither a contradiction nor a map was found within the limits of the search"
        return Explanation((), (), (), False, False, text)
    if not requirements or oracle.holds([]) is False:
        where = oracle.empty_cell
        emptied = (where,) if where >= 0 else ()
        return Explanation((), (), emptied, True, True, _describe_rules(problem, where))
    core = oracle.find_smallest([], everything, False)
    remedies = tuple(
        _describe_remedy(oracle.holds([other for other in everything if other != each])) for each in core
    )
    chosen = tuple(requirements[each] for each in core)
    cells = tuple(dict.fromkeys(each.cell for each in chosen if each.cell >= 0))
    return Explanation(chosen, remedies, cells, True, oracle.is_certain, _describe(chosen, remedies))


class SatisfiabilityOracle:
    """Decides whether some of the requirements can hold together.

    is_certain : whether no search reached its limit so far
    """

    def __init__(self, problem: Problem, requirements: Sequence[Requirement]) -> None:
        self.problem = problem
        self.requirements = requirements
        self.is_certain = True
        self.empty_cell = -1
        self._bare = problem.replace(pins=(), masks=None, constraints=())
        self._solver = RegionSolver(self._bare)

    def holds(self, chosen: Sequence[int]) -> bool | None:
        """Return whether these requirements can hold together; None if a short search cannot decide."""
        checkpoint()
        requirements = [self.requirements[each] for each in chosen]
        limit = MOST_STEPS + self.problem.cell_count
        solver = self._solver_with([each.item for each in requirements if each.kind == "constraint"])
        attempt = solver.solve(
            Region(required=self._domains(requirements)), FEWEST_PATTERNS, 0, Ladder(exact=True), limit, limit
        )
        self.empty_cell = attempt.conflict if attempt.at_root else -1
        if attempt.patterns is not None:
            return True
        if attempt.is_proof:
            return False
        self.is_certain = False
        return None

    def _domains(self, requirements: Sequence[Requirement]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Return the cells that pins, bans and masks restrict, and their domains [n, word]."""
        masked = np.zeros(self.problem.cell_count, bool)
        masked[[each.cell for each in requirements if each.kind == "mask"]] = True
        pins = [each.item for each in requirements if isinstance(each.item, Pin)]
        domains = self.problem.domains_with(pins, masked)
        cells = np.flatnonzero((domains != self._bare.domains).any(axis=1))
        return cells, domains[cells]

    def _solver_with(self, constraints: list[Any]) -> RegionSolver:
        if list(map(id, self._solver.problem.constraints)) != list(map(id, constraints)):
            self._solver = RegionSolver(self._bare.replace(constraints=tuple(constraints)))
        return self._solver

    def find_smallest(self, kept: list[int], rest: list[int], added: bool) -> list[int]:
        """Find a smallest part of `rest` that contradicts `kept`, by the algorithm QuickXplain."""
        if added and self.holds(kept) is False:
            return []
        if len(rest) == 1:
            return rest
        half = len(rest) // 2
        first, second = rest[:half], rest[half:]
        needed_second = self.find_smallest(kept + first, second, bool(first))
        needed_first = self.find_smallest(kept + needed_second, first, bool(needed_second))
        return needed_first + needed_second


def _list_requirements(problem: Problem, more: Sequence[Pin]) -> list[Requirement]:
    """List pins and bans, then masks, then constraints."""
    describe, requirements = problem.topology.describe, []
    for pin in (*problem.pins, *more):
        names = sorted(pin.name, key=str) if isinstance(pin.name, list | set | frozenset) else [pin.name]
        name = " or ".join(map(repr, names))
        text = f"the {pin.noun or pin.kind} {name} at {describe(pin.cell)}"
        requirements.append(Requirement(pin.kind, text, pin.cell, pin))
    if problem.masks is not None:
        masks = np.broadcast_to(problem.masks, (problem.cell_count, len(problem.rules)))
        ground = problem.ground_masks()
        for cell in np.flatnonzero(~masks.all(axis=1)).tolist():
            is_ground = ground is not None and np.array_equal(masks[cell], ground[cell])
            text = _describe_mask(problem, masks[cell], describe(cell), is_ground)
            requirements.append(Requirement("mask", text, cell, None))
    for constraint in problem.constraints:
        requirements.append(Requirement("constraint", describe_constraint(constraint), -1, constraint))
    return requirements


def _describe_mask(problem: Problem, mask: NDArray[np.bool_], where: str, is_ground: bool) -> str:
    left = np.flatnonzero(mask)
    if is_ground:
        rule = "the ground" if left.size == 1 else "no ground above the bottom row,"
        return f"{rule} at {where} (the sample was learned with a ground)"
    names = [problem.rules.names[each] for each in left[:3]] + ["…"] * (left.size > 3)
    return f"the mask at {where} (allows {', '.join(names) or 'nothing'})"


def _describe_remedy(answer: bool | None) -> str:
    if answer is None:
        return "without it: undetermined"
    return "without it a map exists" if answer else "without it there is another contradiction"


def _describe(requirements: Sequence[Requirement], remedies: Sequence[str]) -> str:
    if len(requirements) == 1:
        return f"nothing fits: {requirements[0].text} alone contradicts the rules ({remedies[0]})"
    lines = [f"nothing fits: these {len(requirements)} cannot hold together"]
    lines += [f"  - {each.text} ({remedy})" for each, remedy in zip(requirements, remedies, strict=True)]
    return "\n".join(lines)


def _describe_rules(problem: Problem, cell: int) -> str:
    """Explain why the rules alone allow no map, by tiles without a possible neighbour if there are any."""
    sides = problem.graph.rule
    unsupported = [
        f"nothing fits {problem.rules.names[pattern]!r} to the {problem.topology.directions[direction]}"
        for direction in range(len(sides))
        for pattern in range(min(len(problem.rules), 2000))
        if not problem.rules.allows(int(sides[direction]), pattern).any()
    ]
    where = f" (no pattern remains at {problem.topology.describe(cell)})" if cell >= 0 else ""
    if problem.topology.has_named_cells:
        advice = "add values, or allow more along an edge"
        return f"the rules alone allow no solution on this graph{where}; {advice}"
    why = "; ".join([f"the rules alone allow no map on this topology{where}", *unsupported[:3]])
    return f"{why}; add tiles, relax a rule, or change the size or the wrapping"
