"""The independent checker: is this map really valid? NumPy only; shares no code with the solver."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError

__all__ = ["Violation", "check"]

MOST_LISTED = 1000


class Violation(NamedTuple):
    """One thing that is wrong with a map."""

    kind: str  # "size", "pattern", "rule", "pin", "mask" or "constraint"
    cells: tuple[int, ...]
    text: str


def check(problem: Any, solution: Any) -> list[Violation]:
    """Everything that is wrong with a solution of a problem; an empty list when it is valid.

    `solution` is a Solution or an array of patterns, one per cell. At most a thousand violations are listed.
    """
    if not hasattr(problem, "rules") or not hasattr(problem, "graph"):
        raise ConfigError(f"check(problem, solution) needs a Problem first, not {problem!r}")
    patterns = np.asarray(getattr(solution, "patterns", solution))
    cells, count = len(problem.graph.neighbour), len(problem.rules.names)
    if patterns.shape != (cells,) or not np.issubdtype(patterns.dtype, np.integer):
        return [
            Violation(
                "size",
                (),
                f"expected {cells} whole numbers, one per cell, not {patterns.dtype} {patterns.shape}",
            )
        ]
    unknown = np.flatnonzero((patterns < 0) | (patterns >= count))
    if unknown.size:
        text = "{} holds no pattern of the rules: {}"
        describe = problem.topology.describe
        found = [
            (int(cell), text.format(describe(int(cell)), patterns[cell])) for cell in unknown[:MOST_LISTED]
        ]
        return [Violation("pattern", (cell,), words) for cell, words in found]
    violations = [*_rule_violations(problem, patterns), *_wish_violations(problem, patterns)]
    for constraint in problem.constraints:
        if not hasattr(constraint, "violations"):
            raise ConfigError(
                f"{constraint!r} cannot be checked: it has no method violations(problem, patterns)"
            )
        texts = constraint.violations(problem, patterns)
        if not isinstance(texts, list):
            raise ConfigError(f"{constraint!r}.violations must return a list of sentences, not {texts!r}")
        violations += [Violation("constraint", (), text) for text in texts]
    return violations[:MOST_LISTED]


def _rule_violations(problem: Any, patterns: NDArray[Any]) -> list[Violation]:
    """Every pair of touching cells, each seen from both sides."""
    rules, topology = problem.rules, problem.topology
    violations = []
    for direction, relation in enumerate(problem.graph.rule):
        other = problem.graph.neighbour[:, direction]
        here = np.flatnonzero(other >= 0)
        there = other[here]
        wrong = np.zeros(here.size, bool)
        for pattern in np.unique(patterns[here]):
            mine = patterns[here] == pattern
            wrong[mine] = ~rules.allows(int(relation), int(pattern))[patterns[there[mine]]]
        for i in np.flatnonzero(wrong)[:MOST_LISTED]:
            a, b = int(here[i]), int(there[i])
            text = (
                f"{rules.names[patterns[a]]!r} at {topology.describe(a)} may not have "
                f"{rules.names[patterns[b]]!r} to the {topology.directions[direction]}"
            )
            violations.append(Violation("rule", (a, b), text))
    return violations


def _wish_violations(problem: Any, patterns: NDArray[Any]) -> list[Violation]:
    violations = []
    names, describe = problem.rules.names, problem.topology.describe
    for pin in problem.pins:
        if patterns[pin.cell] not in pin.patterns:
            text = f"{describe(pin.cell)} is pinned to {pin.name!r} but holds {names[patterns[pin.cell]]!r}"
            violations.append(Violation("pin", (pin.cell,), text))
    if problem.masks is not None:
        masks = np.broadcast_to(problem.masks, (patterns.size, len(names)))
        for cell in np.flatnonzero(~masks[np.arange(patterns.size), patterns])[:MOST_LISTED].tolist():
            text = f"the mask forbids {names[patterns[cell]]!r} at {describe(cell)}"
            violations.append(Violation("mask", (cell,), text))
    return violations
