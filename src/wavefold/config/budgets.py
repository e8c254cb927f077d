"""Budgets as people write them: "50ms", "2s", "10000", "2s, 500 backtracks"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wavefold.errors import ConfigError, suggest

if TYPE_CHECKING:
    from wavefold.solver import Budget


NO_LIMIT = "unlimited"
ENDLESS = 10**18  # decisions; in a configuration, no value would mean the default budget
LONGEST_SHOWN = 60  # characters
LIMITS = ("ms", "decisions", "backtracks")
AMOUNT = re.compile(r"([0-9][0-9_]{0,17}(?:\.[0-9]{1,9})?)\s*([A-Za-z]*)")
UNITS: dict[str, tuple[str, int]] = {  # what a unit counts, and how many of it
    "": ("decisions", 1),
    "ms": ("ms", 1),
    "s": ("ms", 1_000),
    "min": ("ms", 60_000),
    "decision": ("decisions", 1),
    "decisions": ("decisions", 1),
    "backtrack": ("backtracks", 1),
    "backtracks": ("backtracks", 1),
}
EXPECTED = "write a time such as 50ms, 2s or 1min, a number of decisions, or several, separated by commas"


def budget_from(text: str) -> Budget:
    """Parse a budget: a time, a number of decisions or backtracks, or several separated by commas.

    >>> budget_from("2s, 10000")
    Budget(ms=2000.0, decisions=10000, backtracks=None)
    """
    from wavefold.solver import Budget

    return Budget() if text.strip() == NO_LIMIT else Budget(**parse_limits(text))  # type: ignore[arg-type]


def parse_limits(text: str) -> dict[str, float | int | None]:
    """The limits a text names, by their names in `Budget`; None for those it does not name."""
    limits: dict[str, float | int | None] = dict.fromkeys(LIMITS)
    if text.strip() == NO_LIMIT:
        return limits | {"decisions": ENDLESS}
    for part in text.split(","):
        name, amount = parse_limit(part.strip(), text)
        if limits[name] is not None:
            what = "a time" if name == "ms" else name
            raise ConfigError(f"the budget {text!r} names {what} twice; keep one of them")
        limits[name] = amount
    return limits


def parse_limit(part: str, text: str) -> tuple[str, float | int]:
    """The name and the amount of one limit."""
    found = AMOUNT.fullmatch(part)
    if found is None:
        shown = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
        raise ConfigError(f"{shown!r} is not a budget: {EXPECTED}")
    digits, unit = found[1], found[2]
    if unit.lower() not in UNITS:
        raise ConfigError(
            f"the budget {text!r} has an unknown unit {unit!r}; {suggest(unit, filter(None, UNITS))}"
        )
    name, times = UNITS[unit.lower()]
    if name == "ms":
        if not float(digits):
            raise ConfigError(f"the budget {text!r} allows no time at all; {EXPECTED}")
        return name, float(digits) * times
    if "." in digits:
        raise ConfigError(f"the budget {text!r} has a fraction of {name}: {name} are whole numbers")
    return name, int(digits) * times
