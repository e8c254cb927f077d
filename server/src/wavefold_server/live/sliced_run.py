"""A `step` or `run` under way, done in slices of a few milliseconds, and what there is to see of it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import Contradiction, OutOfBudget
from wavefold.solver import EVENT_KINDS, BatchColumns, Budget, Meter, Solver, checkpoint, is_jump
from wavefold_server.live.frames import Frame, board_of, domains_of, split_events, tag_of
from wavefold_server.live.logged_commands import Run, Step

FIRST_BULK = 1 << 10  # decisions made at once
ROWS_AT_ONCE = 1 << 16  # events between two pictures: 1 MB
MOST_STATES = 1 << 22  # cells times patterns; beyond, events would take too much memory: boards are sent
ENDINGS = ("solved", "impossible")

CHOSEN, UNDONE = map(EVENT_KINDS.index, ("chosen", "undone"))


class SlicedRun:
    """Advances a solver by steps or, if nobody watches, by many decisions at once. Both give the same maps.

    budget : of the search, for `run`; what was spent before counts
    is_watched : False: nothing is shown, whatever the command says, as for a log
    shows_domains : whoever follows the events has the domains, and can go back by himself as long as he has
        seen the decisions; after anything else he gets domains at once, not a board at the end of the frame
    ending : "solved", "impossible", "contradiction", "until" (what the command asked for is done), or
        "paused"; "" while there is more to do
    """

    def __init__(
        self,
        solver: Solver,
        command: Step | Run,
        budget: Budget,
        is_watched: bool = True,
        shows_domains: bool = False,
    ) -> None:
        self.solver, self.command, self._budget = solver, command, budget
        self.ending: str = solver.status if solver.status in ENDINGS else ""
        self.steps, self._first = 0, solver.stats.decisions
        self._most = Meter(budget).last_decision
        until = command.until if isinstance(command, Run) else "end"
        self._last = self._first + until if isinstance(until, int) else None  # decision
        self._show: str = command.show if isinstance(command, Run) else "events"
        self._in_bulk = self._show == "end" and until != "contradiction"
        if not is_watched:
            self._show = "nothing"
        elif self._show == "events" and count_states(solver) > MOST_STATES:
            self._show = "boards"
        self._shows_domains = shows_domains and self._show == "events"
        self._frames: list[Frame] = []  # before the batches
        self._depth = 0  # decisions that were shown and are in force
        self._is_lost = False  # whether nobody can follow what has happened
        self._bulk = FIRST_BULK
        self._batches: list[NDArray[np.int32]] = []
        self._rows = 0  # of events that are not shown yet

    def advance(self, seconds: float, steps: int | None = None) -> None:
        """Go on for about this time, at most so many steps, and not beyond the events of one picture."""
        if self._in_bulk:
            self._advance_in_bulk(seconds)
        else:
            stop = self.solver.listen(self._collect, batches=True) if self._show == "events" else None
            try:
                self._advance_by_steps(perf_counter() + seconds, steps)
            finally:
                if stop is not None:
                    stop()
        self._check_budget()

    @property
    def is_full(self) -> bool:
        """Whether there are enough events for a picture."""
        return self._rows >= ROWS_AT_ONCE

    def pause(self) -> None:
        """There is more to do, but not now."""
        self.ending = self.ending or "paused"

    def take_messages(self) -> list[bytes]:
        """Frames of what happened since the last time: events, or a board where they do not suffice."""
        tag, needs_board = tag_of(self.command.version), not self._shows_domains and self._has_jumped()
        frames = [*self._frames, *split_events(self._batches, tag)]
        self._frames, self._batches, self._rows = [], [], 0
        if needs_board or self._show == "boards" or (self.ending and self._show == "end"):
            frames.append(board_of(self.solver.partial().words, len(self.solver.problem.rules), tag))
        return [frame.encode() for frame in frames]

    def _has_jumped(self) -> bool:
        return any(map(is_jump, self._batches))

    def to_log(self) -> Step | Run | None:
        """Return a command that gives the same state; None if nothing changed."""
        made = self.solver.stats.decisions - self._first
        if not made and not self.steps:
            return None
        if self.ending in ENDINGS:
            return Run(show="end")
        return Run(until=made, show="end") if self._in_bulk else Step(count=self.steps)

    def _collect(self, batch: NDArray[np.int32]) -> None:
        self._batches.append(batch)
        self._rows += len(batch)
        kinds = BatchColumns.of(batch).kinds
        first = kinds[0]  # steps back come first in a batch, all others are alone
        if first == CHOSEN:
            self._depth += 1
        elif first == UNDONE:
            self._depth -= int(np.count_nonzero(kinds == UNDONE))
        self._is_lost |= first > UNDONE or self._depth < 0

    def _show_domains(self) -> None:
        """What has happened can be followed again from here."""
        tag = tag_of(self.command.version)
        domains = domains_of(self.solver.partial().words, len(self.solver.problem.rules), tag)
        self._frames += [*split_events(self._batches, tag), domains]
        self._rows += domains.rows.size // 4
        self._batches, self._depth, self._is_lost = [], 0, False

    def _advance_by_steps(self, deadline: float, steps: int | None) -> None:
        last = self.steps + steps if steps is not None else None
        while not self.ending and self.steps != last and not self.is_full:
            checkpoint()
            status = self.solver.step()
            self.steps += 1
            if self._is_lost and self._shows_domains:
                self._show_domains()
            self._end_after_step(status)
            if perf_counter() > deadline or self.solver.stats.decisions >= self._most:
                break

    def _end_after_step(self, status: str) -> None:
        command: Any = self.command
        if status in ENDINGS:
            self.ending = status
        elif isinstance(command, Step):
            self.ending = "until" if self.steps == command.count else ""
        elif command.until == "contradiction" and status == "contradiction":
            self.ending = "contradiction"
        elif status == "open" and self._last is not None and self.solver.stats.decisions >= self._last:
            self.ending = "until"

    def _advance_in_bulk(self, seconds: float) -> None:
        """Decide about as many cells as fit in this time. Where a run ends must not depend on the clock."""
        started, before = perf_counter(), self.solver.stats.decisions
        last = self._most if self._last is None else min(self._last, self._most)
        most = max(0, min(self._bulk, last - before))
        try:
            self.solver.run(most)
        except Contradiction:
            pass
        except OutOfBudget:
            if self.solver.stats.decisions < before + most:
                raise
        if self.solver.status in ENDINGS:
            self.ending = self.solver.status
        elif self._last is not None and self.solver.stats.decisions >= self._last:
            self.ending = "until"
        self._bulk = self._bulk * 2 if perf_counter() - started < seconds / 2 else max(1, self._bulk // 2)

    def _check_budget(self) -> None:
        """Raise `OutOfBudget` once a run has spent what it may."""
        stats, limits = self.solver.stats, self._budget
        spent = {"decisions": stats.decisions, "backtracks": stats.backtracks}
        spent["ms"] = round(1e3 * sum(stats.seconds.values()))
        for name, amount in spent.items():
            limit = getattr(limits, name)
            if isinstance(self.command, Run) and not self.ending and limit is not None and amount >= limit:
                raise OutOfBudget(f"stopped after {amount:,} {name} (the budget was {limit:,g})")


def count_states(solver: Solver) -> int:
    """How many patterns all cells together may have."""
    return solver.problem.cell_count * len(solver.problem.rules)


class Pace:
    """The times at which steps are due, for a speed in steps per second."""

    def __init__(self, speed: float | str, clock: Callable[[], float]) -> None:
        self._speed = None if isinstance(speed, str) else speed
        self._clock, self._started = clock, clock()

    def delay(self, done: int, shown: float) -> float:
        """Seconds until another step is due, and can be shown at the time `shown` at once."""
        if self._speed is None:
            return 0.0
        return max(self._started + done / self._speed, shown) - self._clock()

    def count_steps(self, done: int) -> int | None:
        """How many steps are due; None: as many as possible."""
        if self._speed is None:
            return None
        return max(1, int((self._clock() - self._started) * self._speed) + 1 - done)
