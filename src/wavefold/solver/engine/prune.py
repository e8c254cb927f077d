"""Propagators applied outside of a search: to test constraints, and to prune a single wave."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.propagators import apply_constraints
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.solver.constraint import WaveView
from wavefold.solver.engine.arrays import create_wave, grow_buffers
from wavefold.solver.engine.propagator_table import tabulate_propagators
from wavefold.solver.engine.rule_table import build_rule_table
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import Propagator, narrow_domains


def prune_view(view: WaveView, propagators: tuple[Propagator, ...]) -> None:
    """Remove from a view what propagators remove; all of a cell where they find that nothing is left."""
    possible = view.possible
    words, empty = narrow_words(view.problem, view.words, propagators)
    left = unpack_bits(words, possible.shape[1])
    if empty >= 0:
        left[empty] = False
    for cell in np.flatnonzero((possible & ~left).any(axis=1)).tolist():
        view.remove(cell, np.flatnonzero(possible[cell] & ~left[cell]))


def narrow_words(
    problem: Problem, words: NDArray[np.uint64], propagators: tuple[Propagator, ...]
) -> tuple[NDArray[np.uint64], int]:
    """The domains [cell, word] that propagators leave, and a cell that is left with nothing, or -1."""
    narrowed = words.copy()
    narrow_domains(narrowed, propagators)
    graph, method = problem.kernel_graph, c.NAIVE
    table = build_rule_table(problem.rules, method, graph).with_changes(**tabulate_propagators(propagators))
    wave = create_wave(graph, table, method, narrowed.reshape(-1), False)
    before = -1
    while before < wave.state[c.TRAIL]:
        before = int(wave.state[c.TRAIL])
        while (status := apply_constraints(wave, table, graph)) == c.FULL:
            wave = grow_buffers(wave)
        if status == c.EMPTY:
            return narrowed, int(wave.state[c.EMPTY_CELL])
    return narrowed, -1
