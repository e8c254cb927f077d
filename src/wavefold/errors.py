"""Every error wavefold raises on purpose.

WavefoldError
├── TileSetError    the tile set or rules cannot be used: which tile, which side, what would fix it
├── Contradiction   proved: no arrangement satisfies the rules; .cell, .explanation
├── OutOfBudget     stopped by a limit; .partial, .stats: nothing learned is lost
├── FormatError     a file is not what it claims: file, line or field, what was expected
├── WorldError      no certificate, wrong version, store damaged: what was found, what is safe
├── NotReady        a chunk was not ready by its deadline; ask again: work done so far is not lost
├── ConfigError     an unknown name or a value out of range: where it was set, the nearest known name
├── InstallationError   the compiled library is missing, damaged or not for this machine: what to run
└── PluginError     a named part is not installed, or cannot be used: which, why, and which there are

"Impossible" and "gave up" are different errors: catch `Contradiction` to change the problem,
`OutOfBudget` to try longer or with another seed.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class WavefoldError(Exception):
    """The root of the tree: catch this to catch everything wavefold raises on purpose."""


class TileSetError(WavefoldError):
    """The tile set or its rules cannot be used."""


class Contradiction(WavefoldError):
    """Proved: no arrangement satisfies the rules, pins, masks and constraints."""

    def __init__(
        self, message: str = "", cell: int | None = None, why: Callable[[], Any] | None = None
    ) -> None:
        super().__init__(message)
        self._cell = cell
        self._why = why  # explaining takes longer than proving, and is not always needed

    @cached_property
    def explanation(self) -> Any:
        """Which requirements cannot hold together, worked out on first access."""
        return None if self._why is None else self._why()

    @property
    def cell(self) -> int | None:
        """A cell that takes part: of the explanation, if there is one."""
        return self.explanation.cells[0] if self.explanation and self.explanation.cells else self._cell

    def __str__(self) -> str:
        return super().__str__() if self.explanation is None else str(self.explanation)

    def __reduce__(self) -> tuple[Any, ...]:
        return Contradiction, (str(self), self.cell)


class OutOfBudget(WavefoldError):
    """Stopped by a limit before an answer was known.

    phase : what was being done: "setting up", "searching" or "repairing"
    """

    def __init__(self, message: str, partial: Any = None, stats: Any = None, phase: str = "") -> None:
        super().__init__(message)
        self.partial = partial
        self.stats = stats
        self.phase = phase


class FormatError(WavefoldError):
    """A file is not what it claims to be."""


class WorldError(WavefoldError):
    """An endless world cannot be generated, opened or saved."""


class NotReady(WavefoldError):
    """A chunk was not ready by its deadline. Ask again: work done so far is not lost."""


class ConfigError(WavefoldError):
    """An unknown name or a value out of range."""


class InstallationError(WavefoldError):
    """The compiled library is missing, damaged, or not for this machine."""


class PluginError(WavefoldError):
    """A named part is not installed, or cannot be used."""


class TileSetWarning(UserWarning):
    """Something in a tile set is allowed, but looks like a mistake."""


class PluginWarning(UserWarning):
    """A part of another package cannot be used, and is left out."""


def suggest(name: object, known: Iterable[object]) -> str:
    """The end of an error message about an unknown name: the nearest known one, or all of them."""
    names = [str(each) for each in known]
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return f"known: {shown or 'none'}"


def describe_error(error: BaseException) -> str:
    """The type and the first line of an error's message."""
    return f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ")
