"""All errors that wavefold raises deliberately.

WavefoldError
├── TileSetError    the tile set or its rules are invalid: tile, side and remedy
├── Contradiction   proved: no arrangement satisfies the rules; .cell, .explanation
├── OutOfBudget     stopped by a limit; .partial and .stats have the state so far
├── FormatError     a file is invalid: file, line or field, and expected content
├── WorldError      a world has no certificate, another version or a damaged store: cause and remedy
├── NotReady        a chunk was not ready by its deadline; request it again, because finished work is kept
├── ConfigError     an unknown name or a value out of range: its source and the nearest known name
├── InstallationError   the compiled library is missing, damaged or not for this machine: command to run
└── PluginError     a named part is not installed or cannot be used: reason and known names

"Impossible" and "gave up" are different errors: catch `Contradiction` to change the problem,
`OutOfBudget` to try longer or with another seed.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wavefold.solver import Explanation, Partial, Statistics


class WithAdvice(Exception):
    """An error with a separate message for the command line (`in_flags`), where arguments are flags.

    argument : the invalid argument, whose name begins the message
    advice : the remedy, which ends the message
    flag_advice : the remedy for the command line, if it differs
    """

    _in_flags: str | None = None

    def __init__(
        self, message: str = "", *, argument: str = "", advice: str = "", flag_advice: str | None = None
    ) -> None:
        super().__init__(join_message(argument, message, advice))
        if argument or flag_advice is not None:
            flag = f"--{argument.replace('_', '-')}" if argument else ""
            self._in_flags = join_message(flag, message, advice if flag_advice is None else flag_advice)

    @property
    def in_flags(self) -> str:
        """The message for users of the command line."""
        return str(self) if self._in_flags is None else self._in_flags

    def put_behind(self, place: str, error: BaseException) -> Self:
        """Prefix the message of another error with the place where it was raised."""
        self.args = (f"{place}{error}",)
        self._in_flags = f"{place}{error.in_flags if isinstance(error, WithAdvice) else error}"
        return self


def join_message(subject: str, message: str, advice: str) -> str:
    """The subject, the message and the advice as one sentence; any but the message may be empty."""
    message = f"{subject} {message}" if subject else message
    return f"{message}; {advice}" if advice else message


class WavefoldError(WithAdvice):
    """The root of the tree: catches every deliberate error of wavefold."""


class TileSetError(WavefoldError):
    """The tile set or its rules cannot be used."""


class Contradiction(WavefoldError):
    """Proved: no arrangement satisfies the rules, pins, masks and constraints."""

    def __init__(
        self, message: str = "", cell: int | None = None, why: Callable[[], Explanation] | None = None
    ) -> None:
        super().__init__(message)
        self._cell = cell
        self._why = why  # computed on demand, because explaining takes longer than proving

    @cached_property
    def explanation(self) -> Explanation | None:
        """The requirements that contradict each other, computed on first access."""
        return None if self._why is None else self._why()

    @property
    def cell(self) -> int | None:
        """A cell of the contradiction, from the explanation if there is one."""
        return self.explanation.cells[0] if self.explanation and self.explanation.cells else self._cell

    def __str__(self) -> str:
        return super().__str__() if self.explanation is None else str(self.explanation)

    def __reduce__(self) -> tuple[Any, ...]:
        return Contradiction, (str(self), self.cell)


class OutOfBudget(WavefoldError):
    """A limit was reached before an answer was known.

    phase : "setting up", "searching" or "repairing"
    """

    def __init__(
        self,
        message: str,
        partial: Partial | None = None,
        stats: Statistics | None = None,
        phase: str = "",
    ) -> None:
        super().__init__(message)
        self.partial = partial
        self.stats = stats
        self.phase = phase


class FormatError(WavefoldError):
    """A file is invalid."""


class WorldError(WavefoldError):
    """An endless world cannot be generated, opened or saved."""


class NotReady(WavefoldError):
    """A chunk was not ready by its deadline. Request it again: finished work is kept."""


class ConfigError(WavefoldError):
    """An unknown name or a value out of range."""


class InstallationError(WavefoldError):
    """The compiled library is missing, damaged, or not for this machine."""


class PluginError(WavefoldError):
    """A named part is not installed, or cannot be used."""


class TileSetWarning(WithAdvice, UserWarning):
    """A tile set is valid, but probably has a mistake."""


class PluginWarning(UserWarning):
    """A plugin of another package cannot be used and is left out."""


def suggest(name: object, known: Iterable[object]) -> str:
    """The end of a message about an unknown name: the nearest known name, or all known names."""
    names = [str(each) for each in known]
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
    return f"known: {shown or 'none'}"


def describe_error(error: BaseException) -> str:
    """The type and the first line of an error's message."""
    return f"{type(error).__name__}: {error}".partition("\n")[0].rstrip(": ")
