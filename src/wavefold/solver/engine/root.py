"""The root: the domains after the first propagation. Also applies propagators outside of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.propagators import apply_constraints
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.checkpoint import Steps, checkpoint
from wavefold.kernels.propagate import ac4, propagation
from wavefold.kernels.structs import Domains, KernelGraph, RuleTable, Wave
from wavefold.solver.constraint import WaveView
from wavefold.solver.engine.arrays import count_extra_words, create_wave, grow_buffers
from wavefold.solver.engine.propagator_table import tabulate_propagators
from wavefold.solver.engine.rule_table import build_rule_table
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import Propagator, narrow_domains

COUNTED_AT_ONCE = 4_000_000  # words that are read to count supports, between two checkpoints
SCHEDULED_AT_ONCE = 1 << 19  # cells
COPIED_AT_ONCE = 1 << 18  # words; memory that is written for the first time takes longest


def prune_view(view: WaveView, propagators: tuple[Propagator, ...]) -> None:
    """Remove from a view the patterns that propagators remove; all patterns of a cell without a solution."""
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
    """Apply propagators to domains [cell, word]; returns the narrowed domains, and an empty cell or -1."""
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


@dataclass(frozen=True, eq=False)
class Root:
    """The domains after the first propagation, before any decision.

    empty_cell : a cell without patterns, or -1
    """

    domains: Domains
    empty_cell: int

    @property
    def words(self) -> NDArray[np.uint64]:
        """The words of the domains, as in `Wave.words`."""
        return self.domains.words


def prepare_wave(graph: KernelGraph, table: RuleTable, method: int, snapshot: bool = False) -> Wave:
    """Create a wave whose words are not written yet."""
    words = graph.neighbour.shape[0] * table.rows.shape[2] + count_extra_words(graph, table, method)
    return create_wave(graph, table, method, np.zeros(words, np.uint64), snapshot)


def compute_root(domains: NDArray[np.uint64], wave: Wave, table: RuleTable, graph: KernelGraph) -> Root:
    """Propagate these domains [cell, word] to the fixpoint, in a new wave."""
    return RootPropagation(domains, wave, table, graph).run()


class RootPropagation:
    """The computation of a root in a new wave. `run` continues where a checkpoint ended an earlier call."""

    def __init__(self, domains: NDArray[np.uint64], wave: Wave, table: RuleTable, graph: KernelGraph) -> None:
        self._propagation = WavePropagation(wave, table, graph)
        self._empty_cell = -1
        self._loading = self._load(domains)
        self._root: Root | None = None
        self._copying: Steps[None]

    def run(self) -> Root:
        """Compute the root."""
        for _ in self._loading:
            checkpoint()
        if self._root is None:
            wave = self._propagation.wave
            if self._empty_cell < 0:
                wave = self._propagation.run()
                if wave.state[c.PHASE] == c.CONFLICT:
                    self._empty_cell = int(wave.state[c.EMPTY_CELL])
            self._root = Root(Domains(np.empty_like(wave.words)), self._empty_cell)
            self._copying = copy_words(wave.words, self._root.words)
        for _ in self._copying:
            checkpoint()
        return self._root

    def _load(self, domains: NDArray[np.uint64]) -> Steps[None]:
        """Write the domains into the wave, and find an empty one."""
        yield from copy_words(domains.reshape(-1), self._propagation.wave.words)
        step = max(1, COPIED_AT_ONCE // domains.shape[1])
        for start in range(0, len(domains), step):
            empty = np.flatnonzero(~domains[start : start + step].any(axis=1))
            if empty.size:
                self._empty_cell = start + int(empty[0])
                return
            yield


def copy_words(source: NDArray[np.uint64], target: NDArray[np.uint64]) -> Steps[None]:
    """Copy words to the beginning of an array that is at least as large."""
    for start in range(0, source.size, COPIED_AT_ONCE):
        part = slice(start, min(start + COPIED_AT_ONCE, source.size))
        target[part] = source[part]
        yield


class WavePropagation:
    """The propagation of a whole wave. `run` continues where a checkpoint ended an earlier call.

    wave : replaced by one with larger buffers if necessary
    """

    def __init__(self, wave: Wave, table: RuleTable, graph: KernelGraph) -> None:
        self.wave = wave
        self._table, self._graph = table, graph
        self._scheduled = 0  # cells to be visited
        self._counted = 0  # cells whose supports are counted; only for AC4

    def run(self) -> Wave:
        """Propagate to the fixpoint; the phase of the wave is CONFLICT if a cell was emptied."""
        while (status := self._propagate()) == c.FULL:
            self.wave = grow_buffers(self.wave)
        wave = self.wave
        if status == c.EMPTY:
            wave.changed_by[:] = c.IDLE
            wave.state[c.HEAD] = wave.state[c.TAIL]
        wave.state[c.PHASE] = c.CONFLICT if status == c.EMPTY else c.PROPAGATING
        return wave

    def _propagate(self) -> int:
        """Schedule all cells and propagate; returns CONSISTENT, EMPTY or FULL."""
        cells = len(self._graph.neighbour)
        if self._scheduled == 0 and self.wave.state[c.METHOD] == c.AC4:
            self._count_supports()
        while self._scheduled < cells:
            stop = min(cells, self._scheduled + SCHEDULED_AT_ONCE)
            status = propagation.schedule_all(self.wave, self._table, self._graph, self._scheduled, stop)
            if status != c.CONSISTENT:
                return int(status)
            self._scheduled = stop
            checkpoint()
        status = propagate_slices(self.wave, self._table, self._graph)
        self._scheduled = 0
        return status

    def _count_supports(self) -> None:
        """Count the supports of all cells, with a checkpoint every few milliseconds."""
        cells, directions = self._graph.neighbour.shape
        _, classes, words = self._table.rows.shape
        step = max(1, COUNTED_AT_ONCE // max(1, directions * classes * words))
        while self._counted < cells:
            checkpoint()
            stop = min(cells, self._counted + step)
            ac4.count_supports(self.wave, self._table, self._graph, self._counted, stop)
            self._counted = stop
        self._counted = 0  # if the propagation starts again, supports are counted again


def propagate_slices(wave: Wave, table: RuleTable, graph: KernelGraph) -> int:
    """Propagate removals in slices of work; returns CONSISTENT, EMPTY or FULL."""
    while (status := propagation.propagate(wave, table, graph)) == c.WORKED:
        start_slice(wave)
    return int(status)


def start_slice(wave: Wave) -> None:
    """Allow another slice of work after a checkpoint."""
    wave.state[c.WORK_LEFT] = c.WORK_SLICE
    checkpoint()
