"""A search: an engine with its ladder, listeners and statistics."""

from __future__ import annotations

from time import perf_counter
from typing import Literal

import numpy as np

from wavefold.errors import ConfigError
from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import count_set_bits, count_single_bits
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.events import NOTHING, REPAIRED, REPLACED, Listeners, Watcher
from wavefold.solver.engine.rule_table import name_method
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.search.callbacks import Callbacks
from wavefold.solver.search.ladder import Ladder, LadderRun
from wavefold.solver.search.witness import WitnessRung
from wavefold.solver.statistics import Statistics, read_counts


class LadderStopped(Exception):
    """All rungs of the ladder were taken; the text is shown to the user."""


class Search:
    """One search for a map, without a budget.

    callbacks : functions of the user that the engine calls
    listeners : called with events; the list may change during the search
    ending : "solved", "impossible", or "" while the search is unfinished
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
        self.ending: Literal["", "solved", "impossible"] = ""
        self._undecided = 0  # a cell
        self.seconds = {"setup": 0.0, "search": 0.0, "ladder": 0.0}
        self.ladder.start()
        callbacks.raise_error()

    def advance(self, one_transition: bool = False, may_forget: bool = False) -> None:
        """Continue the search to its next status, or for one transition. Raises `LadderStopped`.

        may_forget : whether old decisions of large maps may become final, if there are no listeners
        """
        before = perf_counter()
        try:
            watched = one_transition or self.watcher.listeners
            answer = self.watcher.advance() if watched else self.engine.advance(may_forget=may_forget)
        finally:
            self.seconds["search"] += perf_counter() - before
        self.ladder.record_jumps()
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
        """Choose a cell, collapse it and propagate; or undo a failed decision. Raises `LadderStopped`."""
        engine = self.engine
        made, goes_back = engine.decision_count, engine.in_conflict
        while not self.ending:
            made = min(made, engine.decision_count)  # a restart resets the count
            # Constraints check a decision only before the next one, which the limit prevents.
            engine.set_limits(made if goes_back else made + 1)
            self.advance(one_transition=True)
            if engine.in_conflict:
                break
            if engine.is_choosing and (goes_back or engine.decision_count > made):
                break
        if not self.ending and engine.is_choosing and self._is_complete():
            self._take_next_window()

    def count_decided(self) -> int:
        """Count the cells with one remaining pattern."""
        return count_single_bits(self.engine.domains)

    def _is_complete(self) -> bool:
        """Return whether all cells have one remaining pattern; tests first the cell that had more before."""
        domains = self.engine.domains
        if not count_single_bits(domains[self._undecided : self._undecided + 1]):
            return False
        undecided = np.flatnonzero(count_set_bits(domains) != 1)
        if undecided.size:
            self._undecided = int(undecided[undecided.size // 2])
        return not undecided.size

    def count(self) -> Statistics:
        """Return the statistics so far."""
        engine, ladder = self.engine, self.ladder
        return Statistics(
            **read_counts(engine.state, engine.tally),
            repairs=ladder.repairs,
            restarts=ladder.restarts,
            order=ladder.order,
            propagation=name_method(engine.method),
            rungs=tuple(ladder.rungs),
            seconds=dict(self.seconds),
        )

    def _take_next_window(self) -> None:
        """Finish the search when all cells are decided, unless the witness continues with another window."""
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
