"""Why nothing fits: a smallest set of wishes that cannot hold together, in the author's words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from wavefold.kernels import constants
from wavefold.solver.engine.engine import Engine
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.search.heuristics import Heuristics

SEARCH_LIMIT = 2000  # decisions and backtracks spent on one question that propagation cannot answer


class Wish(NamedTuple):
    """Something asked for beyond the rules: a pin, a ban, the mask of a cell, or a constraint."""

    kind: str  # "pin", "ban", "mask" or "constraint"
    text: str
    cell: int  # -1 for constraints
    item: Any


@dataclass(frozen=True, slots=True)
class Explanation:
    """A minimal set of wishes that contradict each other: leave any one out and the rest can hold.

    `proved` is False if the answer to some question was not found within the limit; the set is
    contradictory all the same, it may only be larger than needed.
    """

    wishes: tuple[Wish, ...]
    remedies: tuple[str, ...]  # per wish: what leaving it out would do
    cells: tuple[int, ...]
    contradictory: bool
    proved: bool
    sentence: str = field(repr=False)

    def __str__(self) -> str:
        return self.sentence


def explain(problem: Problem, more: Sequence[Pin] = (), proved: bool = False) -> Explanation:
    """Look for a minimal contradictory set, pins and bans made later included. If there is none, say so.

    `proved` spares the first question: somebody has shown already that there is a contradiction.
    """
    wishes = _wishes(problem, more)
    asking = Questions(problem, wishes)
    everything = list(range(len(wishes)))
    answer = False if proved else asking.holds(everything)
    if answer is not False:
        text = (
            "nothing contradicts: a map exists" if answer else "no contradiction was found, and no map either"
        )
        return Explanation(
            (), (), (), False, bool(answer), text + " within the limit of the search" * (not answer)
        )
    if not wishes or asking.holds([]) is False:
        where = asking.empty_cell
        return Explanation(
            (), (), (where,) if where >= 0 else (), True, True, _rules_sentence(problem, where)
        )
    core = asking.smallest([], everything, False)
    remedies = tuple(_remedy(asking.holds([other for other in everything if other != each])) for each in core)
    chosen = tuple(wishes[each] for each in core)
    cells = tuple(dict.fromkeys(wish.cell for wish in chosen if wish.cell >= 0))
    return Explanation(chosen, remedies, cells, True, asking.certain, _sentence(chosen, remedies))


class Questions:
    """Asks whether some of the wishes can hold together: True, False (proved), or None (not known)."""

    def __init__(self, problem: Problem, wishes: Sequence[Wish]) -> None:
        self.problem = problem
        self.wishes = wishes
        self.certain = True
        self.empty_cell = -1

    def holds(self, chosen: Sequence[int]) -> bool | None:
        """Propagate; if that does not decide it, search a little."""
        wishes = [self.wishes[each] for each in chosen]
        masked = np.zeros(self.problem.cell_count, bool)
        masked[[wish.cell for wish in wishes if wish.kind == "mask"]] = True
        pins: list[Pin] = [wish.item for wish in wishes if wish.kind in ("pin", "ban")]
        trial = Problem(
            self.problem.tiles,
            self.problem.topology,
            constraints=[wish.item for wish in wishes if wish.kind == "constraint"],
        )
        trial.__dict__["graph"] = self.problem.graph
        trial.masks, trial.weights = self.problem.masks, self.problem.weights
        trial.__dict__["domains"] = trial.domains_with(pins, masked)
        engine = Engine(trial, Heuristics.of("domain").complete())
        self.empty_cell = engine.root.empty_cell
        if engine.root.empty_cell >= 0:
            return False
        engine.begin(0)
        engine.state[constants.LIMIT] = engine.state[constants.BACKTRACK_LIMIT] = (
            SEARCH_LIMIT + trial.cell_count
        )
        answer = engine.advance()
        if answer == constants.SOLVED:
            return True
        if answer == constants.IMPOSSIBLE:
            return False
        self.certain = False
        return None

    def smallest(self, kept: list[int], rest: list[int], added: bool) -> list[int]:
        """QuickXplain: the part of `rest` that, with `kept`, cannot hold; halving, so few questions."""
        if added and self.holds(kept) is False:
            return []
        if len(rest) == 1:
            return rest
        half = len(rest) // 2
        first, second = rest[:half], rest[half:]
        needed_second = self.smallest(kept + first, second, bool(first))
        needed_first = self.smallest(kept + needed_second, first, bool(needed_second))
        return needed_first + needed_second


def _wishes(problem: Problem, more: Sequence[Pin]) -> list[Wish]:
    describe = problem.topology.describe
    wishes = [
        Wish(pin.kind, f"the {pin.kind} {_shown(pin.name)} at {describe(pin.cell)}", pin.cell, pin)
        for pin in (*problem.pins, *more)
    ]
    if problem.masks is not None:
        masks = np.broadcast_to(problem.masks, (problem.cell_count, len(problem.rules)))
        for cell in np.flatnonzero(~masks.all(axis=1)).tolist():
            left = np.flatnonzero(masks[cell])
            names = ", ".join(problem.rules.names[each] for each in left[:3]) + (
                ", …" if left.size > 3 else ""
            )
            wishes.append(
                Wish("mask", f"the mask at {describe(cell)} (allows {names or 'nothing'})", cell, None)
            )
    wishes += [Wish("constraint", f"the constraint {each!r}", -1, each) for each in problem.constraints]
    return wishes


def _shown(name: Any) -> str:
    return (
        repr(name)
        if not isinstance(name, list | set | frozenset)
        else " or ".join(map(repr, sorted(name, key=str)))
    )


def _remedy(answer: bool | None) -> str:
    if answer:
        return "without it a map exists"
    return (
        "without it there is still a contradiction elsewhere" if answer is False else "without it: not known"
    )


def _sentence(wishes: Sequence[Wish], remedies: Sequence[str]) -> str:
    if len(wishes) == 1:
        return f"nothing fits: {wishes[0].text} alone contradicts the rules ({remedies[0]})"
    lines = [f"nothing fits: these {len(wishes)} cannot hold together"]
    lines += [f"  - {wish.text} ({remedy})" for wish, remedy in zip(wishes, remedies, strict=True)]
    return "\n".join(lines)


def _rules_sentence(problem: Problem, cell: int) -> str:
    """The rules alone fail: name a tile that needs a neighbour nobody is, if there is one."""
    sides = problem.graph.rule
    lonely = [
        f"{problem.rules.names[pattern]!r} finds no neighbour to the {problem.topology.directions[direction]}"
        for direction in range(len(sides))
        for pattern in range(min(len(problem.rules), 2000))
        if not problem.rules.allows(int(sides[direction]), pattern).any()
    ]
    where = f" (at {problem.topology.describe(cell)} nothing is left)" if cell >= 0 else ""
    if problem.topology.kind == "graph":
        return (
            f"the rules alone allow no solution on this graph{where}; add values, or allow more along an edge"
        )
    why = f"; {'; '.join(lonely[:3])}" if lonely else ""
    return (
        f"the rules alone allow no map on this topology{where}{why}; "
        "add tiles, relax a rule, or change the size or the wrapping"
    )
