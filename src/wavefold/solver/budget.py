"""How much a solve may cost."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from wavefold.errors import ConfigError

__all__ = ["Budget"]


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
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
                raise ConfigError(f"budget {name} must be a number of at least 0, not {value!r}")

    @classmethod
    def of(cls, budget: Budget | int | None) -> Budget:
        """A budget as people write it: a Budget, a number of decisions, or None for no limit."""
        if budget is None:
            return cls()
        return budget if isinstance(budget, Budget) else cls(decisions=budget)
