"""How much a solve may cost."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from wavefold.errors import ConfigError

UNLIMITED = (1 << 62) - 1
FIRST_PACE = 8192  # decisions until the first check
LONGEST_SLICE = 0.02  # seconds between two checks


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on a solve; None means no limit. The first that is reached ends it with `OutOfBudget`.

    `decisions` and `backtracks` count the same on every machine. `ms` is wall-clock time: it may stop
    work early, but it never changes what a finished map looks like.
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
    """Measures a run against its budget."""

    def __init__(self, budget: Budget, decisions: int, backtracks: int) -> None:
        self._budget = budget
        self._started = perf_counter()
        self.last_decision = UNLIMITED if budget.decisions is None else decisions + int(budget.decisions)
        self.last_backtrack = UNLIMITED if budget.backtracks is None else backtracks + int(budget.backtracks)
        self._pace = FIRST_PACE
        self._checked_at = self._started

    def next_stop(self, decisions: int) -> int:
        """The number of decisions at which to check the budget again: soon enough for the clock and Ctrl-C.

        Time only decides how often the budget is checked, never what is found.
        """
        now = perf_counter()
        spent, self._checked_at = now - self._checked_at, now
        self._pace = max(16, self._pace // 2) if spent > LONGEST_SLICE else min(1 << 20, self._pace * 2)
        return min(self.last_decision, decisions + self._pace)

    def reason_to_stop(self, decisions: int, backtracks: int) -> str:
        """A sentence about the limit that was reached; empty if none was."""
        spent = (perf_counter() - self._started) * 1e3
        if decisions >= self.last_decision:
            return f"stopped after {self._budget.decisions:,} decisions"
        if backtracks >= self.last_backtrack:
            return f"stopped after {self._budget.backtracks:,} backtracks"
        if self._budget.ms is not None and spent >= self._budget.ms:
            return f"stopped after {spent:.0f} ms (the budget was {self._budget.ms:g} ms)"
        return ""
