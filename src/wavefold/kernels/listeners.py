"""Who wants to know that a kernel is compiled. Imports no Numba, so that the command line can ask early."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

CompilerListener = Callable[[str | None], None]

_listeners: list[CompilerListener] = []


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
