"""Who wants to know that a kernel is compiled. Imports no Numba, so that the command line can ask early."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CompilerListener = Callable[[str | None], None]

_listeners: list[CompilerListener] = []
_local = threading.local()  # check: Callable[[], None]


@contextmanager
def listen_to_compiler(listener: CompilerListener) -> Iterator[None]:
    """Call `listener` with a kernel's name before it is compiled and with None after, in a thread."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def announce(name: str | None) -> None:
    """Call all listeners."""
    for listener in _listeners:
        listener(name)


@contextmanager
def check_while_waiting(check: Callable[[], None]) -> Iterator[None]:
    """Call `check` before this thread loads a kernel, and now and then while it waits for a compilation.

    `check` may raise, where nothing is left half done by that: the kernel is then not called, and a
    compilation goes on without us.
    """
    before = getattr(_local, "check", None)
    _local.check = check
    try:
        yield
    finally:
        _local.check = before


def keep_waiting() -> None:
    """Run the check of this thread, if it has one."""
    if (check := getattr(_local, "check", None)) is not None:
        check()
