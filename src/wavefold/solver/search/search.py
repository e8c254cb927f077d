"""A search: an engine with its ladder of strategies, its listeners and its statistics."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from wavefold.errors import ConfigError
from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import count_set_bits, count_single_bits
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.events import NOTHING, REPAIRED, REPLACED, Listeners, Watcher
from wavefold.solver.engine.rule_table import method_name
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.search.callbacks import Callbacks
from wavefold.solver.search.ladder import Ladder, LadderRun
from wavefold.solver.search.witness import WitnessRung
from wavefold.solver.statistics import Statistics, read_counts


class LadderStopped(Exception):
    """All rungs of the ladder were taken; the text says so to the user."""


class Search:
    """One search for a map, advanced from outside: no budget.

    callbacks : functions of the user that the engine calls
    listeners : who is called with events; may change while the search is under way
    ending : "solved", "impossible", or "" while neither is known
    seconds : {phase: wall-clock time}
    """

    def __init__(
        self,
        engine: Engine,
        settings: Ladder,
        seed: int,
        fallback: Heuristics | None,
        callbacks: Callbacks,
        listeners: Listeners,
    ) -> None:
        self.engine = engine
        engine.addresses = callbacks.addresses
        self.watcher = Watcher(engine, listeners)
        self.ladder = LadderRun(engine, settings, seed, fallback, WitnessRung(engine))
        self._callbacks = callbacks
        self.ending = ""
        self._undecided = 0  # a cell
        self.seconds = {"setup": 0.0, "search": 0.0, "ladder": 0.0}
        self.ladder.start()
        callbacks.raise_error()

    def advance(self, one_transition: bool = False, may_forget: bool = False) -> None:
        """Search on until the caller is needed, or for one transition. Raises `LadderStopped`.

        may_forget : old decisions of large maps may become final, unless there are listeners
        """
        before = perf_counter()
        try:
            watched = one_transition or self.watcher.listeners
            answer = self.watcher.advance() if watched else self.engine.advance(may_forget=may_forget)
        finally:
            self.seconds["search"] += perf_counter() - before
        self.ladder.note_jumps()
        if answer == c.SOLVED:
            self._take_next_window()
        elif answer == c.IMPOSSIBLE and self.engine.from_root:
            self.ending = "impossible"
        elif answer in (c.STUCK, c.IMPOSSIBLE):
            self._take_next_rung()
        elif answer == c.NO_CALLS:
            raise ConfigError("kernels cannot call functions of the user on this platform")
        self._callbacks.raise_error()

    def step(self) -> None:
        """Choose a cell, collapse it, propagate; or undo what failed. Raises `LadderStopped`."""
        engine = self.engine
        made, goes_back = engine.decision_count, engine.in_conflict
        while not self.ending:
            made = min(made, engine.decision_count)  # a restart counts from 0 again
            # Constraints look at a decision only when the next one is due: without a limit it would be made.
            engine.set_limits(made if goes_back else made + 1)
            self.advance(one_transition=True)
            if engine.in_conflict:
                break
            if engine.is_choosing and (goes_back or engine.decision_count > made):
                break
        if not self.ending and engine.is_choosing and self._is_complete():
            self._take_next_window()

    def count_decided(self) -> int:
        """How many cells are down to one pattern."""
        return count_single_bits(self.engine.domains)

    def _is_complete(self) -> bool:
        """Whether all cells are down to one pattern. Looks first at one that was not, the last time."""
        domains = self.engine.domains
        if not count_single_bits(domains[self._undecided : self._undecided + 1]):
            return False
        undecided = np.flatnonzero(count_set_bits(domains) != 1)
        if undecided.size:
            self._undecided = int(undecided[undecided.size // 2])
        return not undecided.size

    def count(self) -> Statistics:
        """The statistics so far."""
        engine, ladder = self.engine, self.ladder
        return Statistics(
            **read_counts(engine.state, engine.tally),
            repairs=ladder.repairs,
            restarts=ladder.restarts,
            order=ladder.order,
            propagation=method_name(engine.method),
            rungs=tuple(ladder.rungs),
            seconds=dict(self.seconds),
        )

    def _take_next_window(self) -> None:
        """All cells are decided: finish, unless the witness continues with another window."""
        if self.ladder.take_next_window() == REPLACED:
            self.watcher.publish_replaced(self.ladder.replaced)
        else:
            self.ending = "solved"

    def _take_next_rung(self) -> None:
        before = perf_counter()
        cell = self.engine.last_cell
        kind = self.ladder.take_next_rung(cell)
        self.seconds["ladder"] += perf_counter() - before
        if kind is None:
            problem = self.ladder.witness_problem
            why = f"; the witness could not be used: {problem}" if problem else ""
            raise LadderStopped(f"stopped: all search strategies were tried{why}")
        if kind == REPLACED:
            self.watcher.publish_replaced(self.ladder.replaced)
        else:
            self.watcher.publish_row(kind, cell if kind == REPAIRED else NOTHING)
