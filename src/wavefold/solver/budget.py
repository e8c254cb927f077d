"""How much a solve may cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Annotated

from wavefold.kernels.host.checkpoint import Stopped
from wavefold.options.option import Option, check_options, option_group
from wavefold.options.values import format_count

UNLIMITED = (1 << 62) - 1


@option_group("budget")
@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on a solve; None means no limit. The first that is reached ends it with `OutOfBudget`.

    `decisions` and `backtracks` count the same on every machine. `ms` is wall-clock time: it may stop
    work early, but it never changes what a finished map looks like. A refined map whose time ends while it is
    refined is finished, too, and `provisional`: another run may refine it for longer, to another map.
    """

    ms: Annotated[
        float | None,
        Option(
            "milliseconds; they may stop work early, but never change a map",
            "Time, in milliseconds",
            low=0,
            high=UNLIMITED,
        ),
    ] = None
    decisions: Annotated[
        int | None,
        Option("decisions, undone or not; the same on every machine", "Decisions", low=0, high=UNLIMITED),
    ] = None
    backtracks: Annotated[
        int | None,
        Option("decisions undone; the same on every machine", "Steps back", low=0, high=UNLIMITED),
    ] = None

    def __post_init__(self) -> None:
        check_options(self, "budget ")

    @classmethod
    def of(cls, budget: Budget | int | None) -> Budget:
        """A budget from a Budget, a number of decisions, or None for no limit."""
        if budget is None:
            return cls()
        return budget if isinstance(budget, Budget) else cls(decisions=budget)

    def left_after(self, ms: float, decisions: int) -> Budget:
        """What is left when so much time and so many decisions were spent; all backtracks."""
        return replace(
            self,
            ms=None if self.ms is None else max(0.0, self.ms - ms),
            decisions=None if self.decisions is None else max(0, self.decisions - decisions),
        )


class Meter:
    """Measures a run against its budget.

    started : when its time began, as `started` of another meter; None: now
    """

    def __init__(self, budget: Budget, started: float | None = None) -> None:
        self._budget = budget
        self.started = perf_counter() if started is None else started
        self.last_decision = UNLIMITED if budget.decisions is None else int(budget.decisions)
        self.last_backtrack = UNLIMITED if budget.backtracks is None else int(budget.backtracks)

    def start_counting(self, decisions: int, backtracks: int) -> None:
        """Count from these numbers on: what an earlier run needed is not this one's."""
        self.last_decision = min(UNLIMITED, self.last_decision + decisions)
        self.last_backtrack = min(UNLIMITED, self.last_backtrack + backtracks)

    @property
    def spent(self) -> float:
        """The milliseconds since the start."""
        return (perf_counter() - self.started) * 1e3

    def remaining(self) -> float | None:
        """The milliseconds left; None if time is not limited."""
        return self._budget.left_after(self.spent, 0).ms

    def check_time(self) -> None:
        """Raise `Stopped` if the time is up."""
        if reason := self.reason_to_stop(-1, -1):
            raise Stopped(reason)

    def reason_to_stop(self, decisions: int, backtracks: int) -> str:
        """A sentence about the limit that was reached; empty if none was."""
        spent = self.spent
        if self._budget.decisions is not None and decisions >= self.last_decision:
            return f"stopped after {format_count(self._budget.decisions, 'decisions')}"
        if self._budget.backtracks is not None and backtracks >= self.last_backtrack:
            return f"stopped after {format_count(self._budget.backtracks, 'backtracks')}"
        if self._budget.ms is not None and spent >= self._budget.ms:
            return f"stopped after {spent:.0f} ms (the budget was {self._budget.ms:g} ms)"
        return ""
