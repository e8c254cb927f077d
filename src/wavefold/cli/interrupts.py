"""Ctrl-C and SIGTERM: one line, the exit code 130 or 143, and no lost signal.

While the command runs, a signal is raised as an `Interrupt`, so that half-written files are removed. Before
and after, when nothing needs to be cleaned up, it ends the process at once.

Python raises it wherever the main thread is, and drops it if that is a function whose errors are only
printed: `__del__`, a callback of C or of a weak reference (each import of a module has one). Libraries may
catch it, too. So an `Interrupt` that is dropped is raised again.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from _thread import interrupt_main
from contextlib import suppress
from time import monotonic
from weakref import ref

TYPE_CHECKING = False  # `typing` takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

MOST_FILES = 12  # named in the line
PATIENCE = 1.0  # seconds for cleaning up; the next Ctrl-C after them ends the process at once

complete_files: list[str] = []  # that the command has written so far, in order

# Phases of the process: what a signal does.
ENDING, RAISING, IGNORING = "end the process", "raise", "ignore: the command is already ending"


class Interrupt(KeyboardInterrupt):
    """A signal, raised in the main thread; it comes again when it was dropped."""

    def __init__(self) -> None:
        super().__init__()
        watcher.raised = ref(self)

    # This is C. In a function of ours, it would be raised at once, and dropped again.
    __del__ = staticmethod(interrupt_main)


class SignalWatcher:
    """The state of signal handling.

    Attributes
    ----------
    number : of the first signal
    arrived : when it arrived
    raised : the last `Interrupt`, while it exists
    exit_code : of the command, once it has ended
    """

    def __init__(self) -> None:
        self.phase = ENDING
        self.number: int | None = None
        self.arrived = 0.0
        self.raised: Callable[[], Interrupt | None] = lambda: None
        self.exit_code: int | None = None

    def handle(self, number: int, _: FrameType | None) -> None:
        """A signal arrived, or an `Interrupt` was dropped."""
        if self.number is None:
            self.number, self.arrived = number, monotonic()
        if self.phase == IGNORING or self.raised() is not None:  # it is being handled
            if monotonic() - self.arrived > PATIENCE:
                os._exit(128 + self.number)
        elif self.phase == RAISING:
            raise Interrupt
        else:
            self.end()

    def end(self) -> None:
        """End the process at once, with one line on stderr."""
        assert self.number is not None
        try:
            write_line()
        finally:
            os._exit(128 + self.number)

    def exit(self) -> None:
        """End the process without the interpreter's shutdown, which is slow and ignores signals."""
        if self.exit_code is not None:
            for stream in (sys.stdout, sys.stderr):
                with suppress(
                    AttributeError, OSError, ValueError
                ):  # the stream is missing, or its reader is gone
                    stream.flush()
            os._exit(self.exit_code)


watcher = SignalWatcher()


def watch_signals() -> None:
    """Let signals end this process. Signals that it ignored at the start stay ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, watcher.handle)
    print_unraisable = sys.unraisablehook

    def print_others(error: sys.UnraisableHookArgs) -> None:
        if not issubclass(error.exc_type, Interrupt):
            print_unraisable(error)

    sys.unraisablehook = print_others
    atexit.register(watcher.exit)  # registered first, called last


def run_interruptibly(work: Callable[[], int]) -> int:
    """The exit code of `work`, in which signals are raised."""
    code = 128 + signal.SIGINT
    try:
        try:
            watcher.phase = RAISING
            code = work()
        finally:
            if watcher.phase == RAISING:
                watcher.phase = ENDING
    except KeyboardInterrupt:  # while modules were imported
        ignore_signals()
        write_line()
    if watcher.number is not None:
        if watcher.phase != IGNORING:  # it was dropped for good
            ignore_signals()
            write_line()
        code = 128 + watcher.number
    watcher.exit_code = code
    return code


def write_line() -> None:
    """Print which files are complete."""
    with suppress(OSError):
        os.write(2, f"wavefold: {describe_interruption()}\n".encode(errors="replace"))


def ignore_signals() -> None:
    """Ignore further signals: the command is ending because of one."""
    watcher.phase = IGNORING


def has_arrived() -> bool:
    """Whether a signal is ending the command."""
    return watcher.number is not None


def describe_interruption() -> str:
    """The files that were finished before the signal, in words."""
    if not complete_files:
        return "interrupted; nothing was written"
    more = f" and {len(complete_files) - MOST_FILES:,} more" if len(complete_files) > MOST_FILES else ""
    return f"interrupted; these files are complete: {', '.join(complete_files[:MOST_FILES])}{more}"
