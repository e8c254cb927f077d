"""What a session shows of its solver: domains, entropies, colours and explanations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import count_set_bits, unpack_bits
from wavefold.render.cell_looks import highest_entropy, mean_colours, weights_of
from wavefold.service.live.frames import COLOURS, ENTROPY, Frame
from wavefold.service.problems import Problem as ProblemDocument
from wavefold.service.problems import problem_of
from wavefold.solver.explain import Explanation, explain
from wavefold.solver.problem import Pin, Problem

EXPLAIN_MS = 500.0  # for an explanation that nobody asked for

Words = NDArray[np.uint64]  # [cell, word] what each cell may still be


def show_entropies(problem: Problem, entropies: NDArray[np.float64], tag: int) -> Frame:
    """A byte for each cell: 0 if it is decided, 255 if it may be anything."""
    share = entropies / (highest_entropy(problem) or 1.0)
    levels = np.where(entropies > 0, np.maximum(1, np.rint(255 * share)), 0)
    return Frame(ENTROPY, tag, levels.clip(0, 255).astype(np.uint8))


def show_colours(problem: Problem, words: Words, tag: int) -> Frame:
    """The mean colour of what each cell may still be."""
    return Frame(COLOURS, tag, mean_colours(problem, words))


def describe_domain(problem: Problem, words: Words, cell: int) -> dict[str, Any]:
    """What a cell may still be, the likeliest first, by the weights of patterns in this cell."""
    possible = np.flatnonzero(unpack_bits(words[cell], len(problem.rules)))
    weights = weights_of(problem)
    own = weights[cell if len(weights) > 1 else 0, possible]
    chances = own / own.sum() if possible.size else own
    order = np.argsort(-chances, kind="stable")
    listed = [
        {"pattern": int(possible[each]), "name": problem.rules.names[possible[each]],
         "chance": float(chances[each])}
        for each in order
    ]  # fmt: skip
    return {"cell": cell, "coordinate": problem.topology.coordinate(cell), "domain": listed}


def find_conflict(problem: Problem, words: Words) -> dict[str, Any] | None:
    """A cell that nothing is left for."""
    empty = np.flatnonzero(count_set_bits(words) == 0)
    if not empty.size:
        return None
    return {"cell": int(empty[0]), "coordinate": problem.topology.coordinate(int(empty[0]))}


def describe_explanation(found: Explanation) -> dict[str, Any]:
    """Which requirements cannot hold together, in words, and what leaving each out would do."""
    both = zip(found.requirements, found.remedies, strict=True)
    return {
        "sentence": found.sentence,
        "contradictory": found.contradictory,
        "proved": found.proved,
        "cells": list(found.cells),
        "requirements": [
            {"kind": each.kind, "text": each.text, "cell": each.cell, "remedy": remedy}
            for each, remedy in both
        ],
    }


def explain_impossible(problem: Problem, pins: list[Pin]) -> dict[str, Any]:
    """Why it was proved that there is no map, as far as it is known soon."""
    return describe_explanation(explain(problem, pins, proved=True, ms=EXPLAIN_MS))


def describe_refusal(error: Exception, problem: Problem, pins: list[Pin], refused: Pin) -> ProblemDocument:
    """The problem with a pin or ban that nothing fits: where, and which requirements clash with it.

    If none does, it is decisions that do: undoing them helps.
    """
    found = describe_explanation(explain(problem, [*pins, refused], ms=EXPLAIN_MS))
    document = problem_of(error)
    document.more |= {"cell": refused.cell, "explanation": found}
    if not found["contradictory"]:
        document.advice = "Undo some decisions, or begin again with this pin among the pins of `open`."
    return document
