"""The contract of every join."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, Contradiction, OutOfBudget, WavefoldError
from wavefold.patchwork.join_context import JoinContext, JoinResult
from wavefold.patchwork.plan import Cell, Key

SHOWN = 8  # presets in a message


@dataclass(frozen=True)
class Join(ABC):
    """A way to join a grid to those before it. A frozen value without a state of its own.

    To add one, inherit this class and name it as an entry point of "wavefold.join", or give an instance as
    `Patchwork(join=...)`. Everything a join may look at is in the `JoinContext`, which it must not change.
    """

    name: ClassVar[str]
    islands: ClassVar[bool] = False  # whether a grid may lie where it touches none
    grows_from_seed: ClassVar[bool] = False  # whether a grid depends on the seed alone, on no neighbour

    @abstractmethod
    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        """Make one grid. Raises `WavefoldError` if that cannot be done."""

    def populate_together(self, context: JoinContext, keys: Sequence[Key]) -> JoinResult | None:
        """Make several grids at once, on an empty map; None if they are to be made one by one."""
        return None

    def beyond(self, context: JoinContext, cells: Iterable[Cell]) -> dict[Cell, int]:
        """{cell: pattern} for those of these unpopulated cells whose pattern is already certain."""
        return {}


def check_number(what: str, value: object, low: int, high: int) -> None:
    """Raise unless an option of a join is a whole number in this range."""
    number = parse_integer(value)
    if number is None or not low <= number <= high:
        raise ConfigError(f"{what} of a join must be a whole number from {low} to {high}, not {value!r}")


def failed_join_error(key: Key, why: str, is_proof: bool, presets: Mapping[Cell, Any]) -> WavefoldError:
    """The error of a grid that could not be joined; only what needs no neighbour is proved."""
    text = f"grid {key} could not be made to fit: {why}; the map is as it was"
    if is_proof:
        if not presets:
            return Contradiction(f"{text}. With these tiles there is no such grid")
        shown = ", ".join(f"{cell}: {tile!r}" for cell, tile in list(presets.items())[:SHOWN])
        more = f" and {len(presets) - SHOWN} more" if len(presets) > SHOWN else ""
        return Contradiction(f"{text}. These tiles do not allow the presets {{{shown}}}{more}")
    return OutOfBudget(f"{text}. Try another seed, more retries, or another join")
