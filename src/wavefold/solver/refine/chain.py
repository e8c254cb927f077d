"""A map during refining: its arrays, its weights, and its sweeps, which consist of rounds of windows."""

from __future__ import annotations

from math import prod
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.bits import to_signed
from wavefold.kernels.constants import IDLE, LOG_BITS
from wavefold.kernels.host.bitsets import count_set_bits, unpack_bits
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.kernels.host.threads import count_threads, run_in_threads
from wavefold.kernels.logarithms import build_log_table, build_power_table, take_logs, take_powers
from wavefold.kernels.refine import structs as refine_structs
from wavefold.kernels.refine import sweep as refine_sweep
from wavefold.kernels.refine.structs import NUMBERS, OUTSIDE, RefineMap, RefineRules, Rounds
from wavefold.kernels.vectors import QUAD
from wavefold.solver.engine.rule_table import round_weights
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import Propagator, Tally
from wavefold.solver.refine.tables import RefineTables, build_tables, build_tests, tabulate_pairs
from wavefold.tiles import Rules
from wavefold.topology import is_lattice

PROPOSALS_PER_CELL = 2  # in one sweep, on average
JITTER_DIVISOR = 2  # a box may move within its block by its length, divided by this
CERTAIN = 1 << 32  # a probability of 1 in Rounds.number[CHANCE]
WINDOW_WIDTHS = {1: (4, 8, 16, 32), 2: (2, 3, 5, 8, 12), 3: (2, 3, 4, 6)}  # by number of axes
BALL_CELLS = (4, 7, 19, 37, 91)  # of windows on a topology without axes
LN2 = np.log(2) * (1 << LOG_BITS)  # in 1 / 2**LOG_BITS
MOST_WEIGHT_LOG = int(28 * LN2)  # weights have up to 28 bits
MOST_PAIR_WEIGHT_LOG = int(36 * LN2)  # with soft pairs, which may multiply weights
COUNTERS = slice(refine_structs.PROPOSED, refine_structs.EFFORT + 1)  # of RefineMap.state
WORDS_AT_ONCE = 1 << 12  # of windows that are proposed between two checkpoints
LEAST_SHARED_WORDS = 1 << 13  # of the windows of a round that several threads share
CELLS_AT_ONCE = 1024  # whose weights are computed together
MOST_EFFORT_RATIO = 12  # window sizes with more effort per changed cell than the best size are dropped

_tables: WeakKeyDictionary[Rules, RefineTables] = WeakKeyDictionary()


class RoundPlan:
    """The rounds of a map and their windows, as numbers for kernels.

    axes : the number of axes of the map; 0: windows are balls, which may overlap
    free_cells : the number of cells that may change
    """

    def __init__(self, problem: Problem) -> None:
        topology: Any = problem.topology
        number, axis = np.zeros(NUMBERS, np.int64), np.zeros((0, refine_structs.AXIS_SIZE), np.int64)
        self._place: NDArray[np.int32] = np.zeros(0, np.int32)
        if is_lattice(topology.kind) and not topology.side_sets:
            self._place = topology.to_array(np.arange(problem.cell_count, dtype=np.int32), missing=-1)
            shape = self._place.shape
            axis = np.zeros((len(shape), refine_structs.AXIS_SIZE), np.int64)
            axis[:, refine_structs.STRIDE] = [prod(shape[at + 1 :]) for at in range(len(shape))]
            self._gap = int(np.abs(topology.steps).max())
            axis[:, refine_structs.GAP] = self._gap
        self.rounds = Rounds(self._place.reshape(-1).astype(np.int32), axis, number)
        self.axes = len(axis)
        self.free_cells = 0
        self._spans: list[int] = []  # of free cells, along each axis

    def begin(self, seed: int, free: NDArray[np.bool_]) -> None:
        """Reset the number of windows, and set the free cells [cell]."""
        self.rounds.number[:] = 0
        self.rounds.number[refine_structs.KEY] = to_signed(seed)
        self.free_cells = int(free.sum())
        if self.axes and self.free_cells:
            occupied = np.append(free, False)[self._place]  # [coordinates]; -1 is the last
            for at in range(self.axes):
                others = tuple(each for each in range(self.axes) if each != at)
                lines = np.flatnonzero(occupied.any(axis=others))
                self.rounds.axis[at, refine_structs.ORIGIN] = lines[0]
                self.rounds.axis[at, refine_structs.SPAN] = lines[-1] - lines[0] + 1
            self._spans = self.rounds.axis[:, refine_structs.SPAN].tolist()

    def prepare(self, size: int, sizes: int, always: bool) -> tuple[int, int]:
        """Prepare the rounds of one of `sizes` sizes; returns the numbers of rounds and of windows per round.

        On average, the rounds of all sizes together propose each free cell PROPOSALS_PER_CELL times.
        """
        number = self.rounds.number
        number[refine_structs.SIZE], number[refine_structs.ALWAYS] = size, always
        number[refine_structs.CENTRES] = self.free_cells
        return self._divide(size, sizes) if self.axes else self._count_balls(size, sizes)

    def _count_balls(self, size: int, sizes: int) -> tuple[int, int]:
        """Return 1 for a single round, and its number of windows."""
        self.rounds.number[refine_structs.CHANCE] = CERTAIN
        return 1, -(-PROPOSALS_PER_CELL * self.free_cells // (sizes * min(size, self.free_cells)))

    def _divide(self, size: int, sizes: int) -> tuple[int, int]:
        """Divide all axes into blocks for boxes of a size; returns numbers of rounds, and of windows."""
        lengths, blocks, covered = [], [], 1
        for span in self._spans:
            length = min(size, span)
            lengths.append(length)
            blocks.append(max(1, span // (length + max(1, length // JITTER_DIVISOR) + self._gap - 1)))
            covered *= blocks[-1] * length
        axis = self.rounds.axis
        axis[:, refine_structs.LENGTH], axis[:, refine_structs.BLOCKS] = lengths, blocks
        needed, offered = PROPOSALS_PER_CELL * prod(self._spans), covered * sizes
        rounds = -(-needed // offered)
        self.rounds.number[refine_structs.CHANCE] = needed * CERTAIN // (offered * rounds)
        return rounds, prod(blocks)


class Chain:
    """A map that is refined sweep by sweep, and is valid after every sweep.

    Parameters
    ----------
    patterns : int [cell] a valid map
    free : bool [cell] which cells may change; None: all
    propagators : constraints beyond the rules; windows that break them are rejected
    sizes : widths of windows, or numbers of cells of balls; None: the default for the topology
    by_cell : whether `load` is called with `cell_log`
    """

    def __init__(
        self,
        problem: Problem,
        patterns: NDArray[Any],
        seed: int,
        free: NDArray[np.bool_] | None = None,
        propagators: tuple[Propagator, ...] = (),
        sizes: tuple[int, ...] | None = None,
        by_cell: bool = False,
    ) -> None:
        self.problem = problem
        self.graph = problem.kernel_graph
        self._plan = RoundPlan(problem)
        self._all_sizes = sizes or (WINDOW_WIDTHS[self._plan.axes] if self._plan.axes else BALL_CELLS)
        self.propagators = propagators
        self._tests = build_tests(problem, propagators)
        self._base = np.zeros(len(problem.rules), np.int64)  # ln of the weights
        self.rules = self._build_rules(by_cell)
        self.map = self._build_map()
        self._root, self._narrowed = self.map.root.copy(), self.map.narrowed.copy()
        self.state = self.map.state
        self._copies: list[RefineMap] = []  # of the same map, with scratch arrays for other threads
        self.set_activities(np.zeros(len(problem.rules), np.int64))
        self.load(patterns, seed, free)

    def load(
        self,
        patterns: NDArray[Any],
        seed: int,
        free: NDArray[np.bool_] | None = None,
        masks: tuple[NDArray[np.int64], NDArray[np.uint64]] | None = None,
        cell_log: NDArray[np.int32] | None = None,
    ) -> None:
        """Load another map [cell] of the same problem; the activities stay.

        masks : cells, and the permitted patterns of each, uint64 [n, word]; the map must meet them
        cell_log : [cell, pattern] ln of factors on weights, at most 0, in 1 / 2**LOG_BITS
        """
        into, words = self.map, self.problem.rules.words
        into.pattern[:] = patterns
        into.root[:], into.narrowed[:] = self._root, self._narrowed
        may_change = self._may_change if free is None else self._may_change & free
        if masks is not None:
            cells, allowed = masks
            root = into.root.reshape(self.problem.cell_count, -1)
            root[cells, :words] &= allowed
            into.narrowed[cells] = 1
        into.free[:] = may_change
        centres = np.flatnonzero(may_change)
        into.centre[: centres.size] = centres
        tallies = [each for each in self.propagators if isinstance(each, Tally)]
        for number, tally in enumerate(tallies):
            self._tests.count[number] = tally.limits(patterns)
        if cell_log is not None:
            self.rules.cell_log[:] = cell_log
        self.state[:] = 0
        self._plan.begin(seed, may_change)
        self.sizes: tuple[int, ...] = self._all_sizes
        self._of_size = {size: np.zeros(2, np.int64) for size in self.sizes}  # changed cells, effort

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, without those that all chains of a tile set share."""
        return int(sum(array.nbytes for array in self.map.arrays()) + self.rules.cell_log.nbytes)

    @property
    def free_cells(self) -> int:
        """The number of cells that may change."""
        return self._plan.free_cells

    def sweep(self, always: bool = False) -> None:
        """Propose windows of all sizes until each free cell was proposed twice on average.

        always : whether to accept every window that is not a dead end, so that the map loses its content
        """
        counts = [refine_structs.CHANGED, refine_structs.EFFORT]
        for size in self.sizes if self.free_cells else ():
            before = self.state[counts]
            cells = min(size ** max(1, self._plan.axes), self.free_cells)  # of a window
            rounds, windows = self._plan.prepare(size, len(self.sizes), always)
            if rounds * windows * cells * self.rules.rows.shape[2] <= WORDS_AT_ONCE:
                arrays = (self.rules, self.map, self.graph, self._tests, self._plan.rounds)
                refine_sweep.propose_rounds(*arrays, rounds, windows)
                rounds = 0
            for _ in range(rounds):
                self._propose_round(windows, cells)
            self._of_size[size] += self.state[counts] - before
        checkpoint()

    def _propose_round(self, windows: int, cells: int) -> None:
        """Propose the windows of a round in slices, which several threads share if windows do not touch."""
        refine_sweep.begin_round(self._plan.rounds)
        words = cells * self.rules.rows.shape[2]
        step = max(1, WORDS_AT_ONCE // words)
        threads = 1
        if self._plan.axes and not self.propagators and windows * words >= LEAST_SHARED_WORDS:
            threads = min(count_threads(), -(-windows // step))
        starts = iter(range(0, windows, step))
        while len(self._copies) < threads - 1:
            self._copies.append(self.map.with_changes(**self._build_scratch()))
        maps = [self.map, *self._copies[: threads - 1]]

        def propose(worker: int) -> bool:
            start = next(starts, None)  # atomic, so that threads can share the iterator
            if start is None:
                return False
            stop = min(start + step, windows)
            arrays = (self.rules, maps[worker], self.graph, self._tests, self._plan.rounds)
            refine_sweep.propose_windows(*arrays, start, stop)
            return True

        try:
            run_in_threads(propose, threads)
        finally:
            for copy in maps[1:]:
                self.state[COUNTERS] += copy.state[COUNTERS]
                copy.state[:] = 0
        self._plan.rounds.number[refine_structs.FIRST_WINDOW] += windows

    def drop_useless_sizes(self) -> None:
        """Drop window sizes that change few cells for their effort."""
        counts = {size: tuple(self._of_size[size].tolist()) for size in self.sizes}  # Python's integers
        most, least = max(counts.values(), key=lambda count: (count[0] << 32) // max(1, count[1]))
        self.sizes = tuple(
            size
            for size, (changed, effort) in counts.items()
            if changed * MOST_EFFORT_RATIO * least >= most * effort
        )

    def set_activities(self, activities: NDArray[np.int64]) -> None:
        """Set the weights of patterns to those of the problem, multiplied by e**activity [pattern]."""
        logs = self._base + activities
        logs += (MOST_PAIR_WEIGHT_LOG if self.rules.pair_log.size else MOST_WEIGHT_LOG) - logs.max()
        self.rules.weight[:] = take_powers(logs)
        self.rules.weight_log[:] = take_logs(self.rules.weight)

    def ask_by_weight(self, group_of: NDArray[np.int32]) -> NDArray[np.int64]:
        """Compute how often the patterns of each group would be drawn by weight, in 1/65536 cells."""
        root = self.map.root.reshape(self.problem.cell_count, -1)
        times = np.ones(len(root), np.int64)
        if not self.rules.cell_log.size:  # count cells with all patterns once, with a multiplicity
            alike = np.flatnonzero(self.map.narrowed == 0)
            times[alike[1:]], times[alike[:1]] = 0, alike.size
        counted, by_pattern = np.flatnonzero(times), np.zeros(group_of.size, np.int64)
        for first in range(0, counted.size, CELLS_AT_ONCE):
            cells = counted[first : first + CELLS_AT_ONCE]
            weights = unpack_bits(root[cells], group_of.size) * self._weigh(cells)
            drawn = (weights << 16) // weights.sum(axis=1, keepdims=True)
            by_pattern += times[cells] @ drawn
        asked = np.zeros(int(group_of.max()) + 1, np.int64)
        np.add.at(asked, group_of, by_pattern)
        return asked

    def _weigh(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the weights [cell, pattern] in these cells; [pattern] if equal in all cells."""
        rules = self.rules
        if not rules.cell_log.size:
            return rules.weight
        logs = (rules.weight_log + rules.cell_log[cells]).reshape(-1)
        return take_powers(logs).reshape(cells.size, -1)

    def _build_rules(self, by_cell: bool) -> RefineRules:
        rules, weights = self.problem.rules, self.problem.weights
        cell_log = np.zeros((self.problem.cell_count, len(rules)) if by_cell else (0, 0), np.int32)
        if weights is not None and len(weights) > 1:
            whole = round_weights(weights).reshape(-1)
            logs = take_logs(whole)
            cell_log = (logs - logs.max()).astype(np.int32).reshape(weights.shape)
        else:
            self._base[:] = take_logs(round_weights(rules.weights if weights is None else weights[0]))
        if rules not in _tables:
            _tables[rules] = build_tables(rules)
        tables = _tables[rules]
        pair_row, pair_log, pair_mask = tabulate_pairs(rules, tables.rows.shape[2])
        return RefineRules(
            **tables._asdict(),
            weight=np.ones(len(rules), np.int64),
            weight_log=np.zeros(len(rules), np.int64),
            cell_log=cell_log,
            pair_row=pair_row,
            pair_log=pair_log,
            pair_mask=pair_mask,
            logarithm=build_log_table(),
            power=build_power_table(),
        )

    def _build_map(self) -> RefineMap:
        problem = self.problem
        cells, width = problem.cell_count, self.rules.rows.shape[2]
        root = np.zeros((cells, width), np.uint64)
        root[:, : problem.rules.words] = problem.domains
        remaining = count_set_bits(problem.domains)
        self._may_change = remaining > 1
        return RefineMap(
            pattern=np.zeros(cells, np.int32),
            root=root.reshape(-1),
            narrowed=(remaining < len(problem.rules)).astype(np.uint8),
            free=np.zeros(cells, np.uint8),
            centre=np.zeros(cells, np.int32),
            slot=np.full(cells, OUTSIDE, np.int32),
            **self._build_scratch(),
        )

    def _build_scratch(self) -> dict[str, NDArray[Any]]:
        """Build scratch arrays for proposing windows; each thread has its own."""
        directions, axes = self.graph.neighbour.shape[1], self._plan.axes
        classes, width = self.rules.rows.shape[1:]
        most = max(self._all_sizes) ** max(1, axes)
        live = most * directions if self.rules.pattern_rows.size else 0
        return {
            "corner": np.zeros(axes, np.int64),
            "cell": np.zeros(most, np.int32),
            "beside": np.zeros((most, directions), np.int32),
            "domain": np.zeros(most * width, np.uint64),
            "live": np.zeros(live, np.uint64),
            "fork_domain": np.zeros(most * width, np.uint64),
            "fork_live": np.zeros(live, np.uint64),
            "decided": np.zeros(most, np.int32),
            "proposed": np.zeros(most, np.int32),
            "queue": np.zeros(1 << int(most).bit_length(), np.int32),
            "queued": np.full(most, IDLE, np.uint8),
            "classes": np.zeros(-(-self.rules.rows.shape[0] // QUAD) * QUAD, np.uint64),
            "support": np.zeros(width, np.uint64),
            "stamp": np.zeros(classes + 1, np.int64),
            "candidate": np.zeros(len(self.problem.rules), np.int64),
            "pairs": np.zeros(directions, np.int32),
            "state": np.zeros(refine_structs.REFINE_STATE_SIZE, np.int64),
        }
