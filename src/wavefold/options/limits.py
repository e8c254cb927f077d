"""Errors about limits: each names its limit, so that it can be raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from wavefold.errors import FormatError, TileSetError


class LimitError(FormatError, TileSetError):
    """There is more than a limit allows.

    limit : the name of the limit
    most : its value
    """

    def __init__(self, message: str, limit: str, most: int) -> None:
        super().__init__(message)
        self.limit, self.most = limit, most

    def __reduce__(self) -> tuple[type, tuple[str, str, int]]:
        return type(self), (str(self), self.limit, self.most)


def fail_limit(fail: Callable[[str], NoReturn], problem: str, limit: str, most: int) -> NoReturn:
    """Raise what `fail(problem)` raises, which says where in the file it is, as a `LimitError`."""
    try:
        fail(problem)
    except FormatError as error:
        raise LimitError(str(error), limit, most) from None
