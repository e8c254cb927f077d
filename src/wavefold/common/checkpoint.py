"""Checkpoints: places in long work where a budget, a cancellation or a progress line is looked after.

Whoever limits some work runs it inside `checking(check)`; whatever takes long calls `checkpoint()` every few
milliseconds, however deep below. Work under way in one thread is no business of another's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Check = Callable[[], None]  # raises `Stopped` to end the work


class Stopped(Exception):
    """Work was ended at a checkpoint; the text says why. Whoever set the check turns it into an error."""


_local = threading.local()  # active: tuple[Check, ...]


def checkpoint() -> None:
    """Run the checks of all work under way in this thread."""
    for check in getattr(_local, "active", ()):
        check()


@contextmanager
def checking(check: Check) -> Iterator[None]:
    """Run `check` at every checkpoint inside."""
    before: tuple[Check, ...] = getattr(_local, "active", ())
    _local.active = (*before, check)
    try:
        yield
    finally:
        _local.active = before
