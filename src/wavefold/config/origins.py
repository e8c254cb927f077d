"""Where a value was set, and errors that say so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

from wavefold.errors import ConfigError

KeyPath = tuple[str | int, ...]  # ("generate", "seed"), ("fields", "altitude", "noise", "scale")
Problem = tuple["Origin", str]  # where, and what is wrong there

MOST_PROBLEMS = 10  # told at once


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was set. `rank` tells who wins: 0 nobody, 1 a file, 2 the environment, 3 a flag."""

    rank: int = 0
    name: str = ""  # "wavefold.toml", "WAVEFOLD_GENERATE_SEED", "--seed"
    line: int | None = None

    @property
    def kind(self) -> str:
        """ "default", "file", "environment" or "flag"."""
        return ("default", "file", "environment", "flag")[self.rank]

    def __str__(self) -> str:
        """For tables: `wavefold.toml:12`."""
        return "default" if not self.rank else f"{self.name}:{self.line}" if self.line else self.name

    @property
    def place(self) -> str:
        """For the beginning of a message: `wavefold.toml, line 12: `; nothing for defaults."""
        return f"{self.name}, line {self.line}: " if self.line else f"{self.name}: " if self.rank else ""


DEFAULT = Origin()


def complain(problems: Iterable[Problem]) -> NoReturn:
    """Raise: one sentence for each, with its place."""
    in_order = sorted(problems, key=lambda problem: (problem[0].rank, problem[0].line or 0))
    sentences = [f"{origin.place}{text}" for origin, text in in_order]
    more = len(sentences) - MOST_PROBLEMS
    shown = [*sentences[:MOST_PROBLEMS], *([f"and {more:,} more"] if more > 0 else [])]
    raise ConfigError("\n".join(shown))
