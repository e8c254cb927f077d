"""Budgets: limits on a solve, and the meter that checks them."""

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
    """Limits on a solve; None means no limit. The first limit reached raises `OutOfBudget`.

    Limits on `decisions` and `backtracks` give the same result on every machine. `ms` limits wall-clock time;
    it may stop a solve early, but never changes a finished map. If the time ends during refining, the map is
    `provisional`: another run may refine it for longer and give another map.
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
        """Return the budget for a `Budget`, a number of decisions, or None (no limit)."""
        if budget is None:
            return cls()
        return budget if isinstance(budget, Budget) else cls(decisions=budget)

    def left_after(self, ms: float, decisions: int) -> Budget:
        """Return the remaining budget after this time and these decisions; backtracks stay."""
        return replace(
            self,
            ms=None if self.ms is None else max(0.0, self.ms - ms),
            decisions=None if self.decisions is None else max(0, self.decisions - decisions),
        )


class Meter:
    """Compares a run with its budget.

    started : the start time, such as `started` of another meter; None: now
    """

    def __init__(self, budget: Budget, started: float | None = None) -> None:
        self._budget = budget
        self.started = perf_counter() if started is None else started
        self.last_decision = UNLIMITED if budget.decisions is None else int(budget.decisions)
        self.last_backtrack = UNLIMITED if budget.backtracks is None else int(budget.backtracks)

    def start_counting(self, decisions: int, backtracks: int) -> None:
        """Start counting from these numbers, so that earlier runs do not count."""
        self.last_decision = min(UNLIMITED, self.last_decision + decisions)
        self.last_backtrack = min(UNLIMITED, self.last_backtrack + backtracks)

    @property
    def spent(self) -> float:
        """The milliseconds since the start."""
        return (perf_counter() - self.started) * 1e3

    def remaining(self) -> float | None:
        """Return the remaining milliseconds; None if time is not limited."""
        limit = self._budget.ms
        return None if limit is None else max(0.0, limit - self.spent)

    def check_time(self) -> None:
        """Raise `Stopped` if the time is up."""
        if reason := self.reason_to_stop(-1, -1):
            raise Stopped(reason)

    def reason_to_stop(self, decisions: int, backtracks: int) -> str:
        """Describe the limit that was reached; empty if none was."""
        spent = self.spent
        if self._budget.decisions is not None and decisions >= self.last_decision:
            return f"stopped after {format_count(self._budget.decisions, 'decisions')}"
        if self._budget.backtracks is not None and backtracks >= self.last_backtrack:
            return f"stopped after {format_count(self._budget.backtracks, 'backtracks')}"
        if self._budget.ms is not None and spent >= self._budget.ms:
            return f"stopped after {spent:.0f} ms (the budget was {self._budget.ms:g} ms)"
        return ""
