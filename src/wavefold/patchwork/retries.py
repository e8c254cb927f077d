"""How many seeds are tried in each phase before a join goes on to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, suggest

MOST = 10_000


@dataclass(frozen=True, slots=True)
class Retries:
    """Seeds per phase.

    attempts : for a grid, before the ring is widened or cells are replaced
    replace : for each disk around a conflict that is re-solved (`fixed` alone)
    drop : for the grid after each cell that is dropped (`fixed` alone)
    """

    attempts: int = 3
    replace: int = 5
    drop: int = 2

    def __post_init__(self) -> None:
        for field in fields(self):
            value = parse_integer(getattr(self, field.name))
            if value is None or not 1 <= value <= MOST:
                raise ConfigError(
                    f"retries: {field.name} must be a whole number from 1 to {MOST:,}, "
                    f"not {getattr(self, field.name)!r}"
                )

    @classmethod
    def of(cls, given: Any) -> Retries:
        """Retries as people write them: a number for all phases, {"replace": 3}, or the whole thing."""
        if given is None:
            return cls()
        if isinstance(given, cls):
            return given
        if isinstance(given, Mapping):
            names = [field.name for field in fields(cls)]
            for name in given:
                if name not in names:
                    raise ConfigError(f"unknown phase {name!r} in retries; {suggest(name, names)}")
            return cls(**given)
        return cls(given, given, given)
