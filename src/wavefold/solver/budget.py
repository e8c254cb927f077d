"""How much a solve may cost."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from wavefold.common.checkpoint import Stopped
from wavefold.common.values import format_count
from wavefold.errors import ConfigError

UNLIMITED = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on a solve; None means no limit. The first that is reached ends it with `OutOfBudget`.

    `decisions` and `backtracks` count the same on every machine. `ms` is wall-clock time: it may stop
    work early, but it never changes what a finished map looks like. A refined map whose time ends while it is
    refined is finished, too, and `provisional`: another run may refine it for longer, to another map.
    """

    ms: float | None = None
    decisions: int | None = None
    backtracks: int | None = None

    def __post_init__(self) -> None:
        for name in ("ms", "decisions", "backtracks"):
            value = getattr(self, name)
            if value is not None and not _is_amount(value):
                raise ConfigError(f"budget {name} must be a number of at least 0, not {value!r}")

    @classmethod
    def of(cls, budget: Budget | int | None) -> Budget:
        """A budget from a Budget, a number of decisions, or None for no limit."""
        if budget is None:
            return cls()
        return budget if isinstance(budget, Budget) else cls(decisions=budget)


def _is_amount(value: object) -> bool:
    """Whether this is a number from 0 to UNLIMITED."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return is_number and bool(0 <= value <= UNLIMITED)  # type: ignore[operator]


class Meter:
    """Measures a run against its budget, from the moment it is created."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._started = perf_counter()
        self.last_decision = UNLIMITED if budget.decisions is None else int(budget.decisions)
        self.last_backtrack = UNLIMITED if budget.backtracks is None else int(budget.backtracks)

    def start_counting(self, decisions: int, backtracks: int) -> None:
        """Count from these numbers on: what an earlier run needed is not this one's."""
        self.last_decision = min(UNLIMITED, self.last_decision + decisions)
        self.last_backtrack = min(UNLIMITED, self.last_backtrack + backtracks)

    def remaining(self) -> float | None:
        """The milliseconds left; None if time is not limited."""
        spent = (perf_counter() - self._started) * 1e3
        return None if self._budget.ms is None else max(0.0, self._budget.ms - spent)

    def check_time(self) -> None:
        """Raise `Stopped` if the time is up."""
        if reason := self.reason_to_stop(-1, -1):
            raise Stopped(reason)

    def reason_to_stop(self, decisions: int, backtracks: int) -> str:
        """A sentence about the limit that was reached; empty if none was."""
        spent = (perf_counter() - self._started) * 1e3
        if self._budget.decisions is not None and decisions >= self.last_decision:
            return f"stopped after {format_count(self._budget.decisions, 'decisions')}"
        if self._budget.backtracks is not None and backtracks >= self.last_backtrack:
            return f"stopped after {format_count(self._budget.backtracks, 'backtracks')}"
        if self._budget.ms is not None and spent >= self._budget.ms:
            return f"stopped after {spent:.0f} ms (the budget was {self._budget.ms:g} ms)"
        return ""
