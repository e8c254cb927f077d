"""The root: domains after the first propagation, before any decision."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.checkpoint import checkpoint
from wavefold.kernels import constants, propagation
from wavefold.kernels.constants import CONSISTENT, EMPTY, FULL, WORKED
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.solver.engine.arrays import count_class_words, create_wave, grow_buffers


class Root(NamedTuple):
    """The domains after the first propagation, before any decision."""

    words: NDArray[np.uint64]  # as in Wave.words
    empty_cell: int  # a cell that nothing fits, or -1


def prepare_wave(graph: KernelGraph, table: RuleTable, method: int, snapshot: bool = False) -> Wave:
    """A wave whose words have yet to be written, and all that is needed to propagate it compiled."""
    words = graph.neighbour.shape[0] * table.rows.shape[2] + count_class_words(graph, table, method)
    wave = create_wave(graph, table, method, np.zeros(words, np.uint64), snapshot)
    propagation.prepare_propagation(method, table, graph)
    return wave


def compute_root(domains: NDArray[np.uint64], wave: Wave, table: RuleTable, graph: KernelGraph) -> Root:
    """Propagate these domains [cell, word] to their end, in a new wave."""
    words = wave.words
    words[: domains.size] = domains.reshape(-1)
    empty = np.flatnonzero(~domains.any(axis=1))
    if empty.size:
        return Root(words.copy(), int(empty[0]))
    wave = propagate_all(wave, table, graph)
    failed = wave.state[constants.PHASE] == constants.CONFLICT
    return Root(words.copy(), int(wave.state[constants.EMPTY_CELL]) if failed else -1)


def propagate_all(wave: Wave, table: RuleTable, graph: KernelGraph) -> Wave:
    """Propagate a wave from scratch; its phase tells whether a cell was emptied."""
    while True:
        status = propagation.schedule_all(wave, table, graph)
        if status == CONSISTENT:
            status = propagate_slices(wave, table, graph)
        if status != FULL:
            break
        wave = grow_buffers(wave)
    if status == EMPTY:
        wave.changed_by[:] = constants.IDLE
        wave.state[constants.HEAD] = wave.state[constants.TAIL]
    wave.state[constants.PHASE] = constants.CONFLICT if status == EMPTY else constants.PROPAGATING
    return wave


def propagate_slices(wave: Wave, table: RuleTable, graph: KernelGraph) -> int:
    """Propagate what was removed, one slice of work after another: CONSISTENT, EMPTY or FULL."""
    while (status := propagation.propagate(wave, table, graph)) == WORKED:
        start_slice(wave)
    return int(status)


def start_slice(wave: Wave) -> None:
    """Allow another slice of work, unless a checkpoint ends it."""
    wave.state[constants.WORK_LEFT] = constants.WORK_SLICE
    checkpoint()
