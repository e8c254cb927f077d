"""Checkpoints: where long work checks budgets and cancellation, and reports progress.

Callers limit work by running it inside `checking(check)`. Long work calls `checkpoint()` every few
milliseconds, at any depth. Checks apply to one thread.

Work that ends at a checkpoint has no effect: caches, stores, worlds and maps contain only finished results,
and the same call returns the same result later.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from time import monotonic
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Steps = Generator[None, None, Result]  # yields where the caller may call `checkpoint`

MOST_UNFINISHED = 4  # interrupted works in memory; their arrays may be large
POLL_SECONDS = 0.02  # seconds between checkpoints while this thread waits for another

Check = Callable[[], None]  # raises `Stopped` to end the work


class Stopped(Exception):
    """Work ended at a checkpoint, for the reason in the text. The caller that set the check handles it."""


class LimitReached(Stopped):
    """A limit of the call itself was reached, such as a budget; see `limiting`."""


class Cancelled(Stopped):
    """The work was cancelled."""


class TimeUp(Stopped):
    """The time limit of the work was reached."""


class CancelToken:
    """Ends work in another thread, which runs inside `checking(token.check)`, by calling `cancel`."""

    def __init__(self) -> None:
        self.is_cancelled = False
        self._deadline: float | None = None  # by the clock `monotonic`

    def start(self, seconds: float) -> None:
        """Start the time limit."""
        self._deadline = monotonic() + seconds

    def cancel(self) -> None:
        """End the work at its next checkpoint."""
        self.is_cancelled = True

    def check(self) -> None:
        """Raise `Cancelled` or `TimeUp` if the work must end."""
        if self.is_cancelled:
            raise Cancelled("cancelled")
        if self._deadline is not None and monotonic() > self._deadline:
            raise TimeUp("out of time")


_local = threading.local()  # active: tuple[Check, ...]
_unfinished: dict[Hashable, Work[Any]] = {}


def checkpoint() -> None:
    """Run all checks that are active in this thread."""
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


@contextmanager
def limiting(check: Check) -> Iterator[None]:
    """Run `check` at every checkpoint inside, and raise `LimitReached` if it ends the work.

    For calls that handle their own limit. Any other `Stopped` passes through: a caller ended the work, so an
    unfinished result must not be returned.
    """
    own: list[Stopped] = []

    def run_check() -> None:
        try:
            check()
        except Stopped as stop:
            own.append(stop)
            raise

    try:
        with checking(run_check):
            yield
    except Stopped as stop:
        if any(stop is each for each in own):
            raise LimitReached(str(stop)) from None
        raise


@contextmanager
def holding(lock: threading.RLock) -> Iterator[None]:
    """Hold a lock, with checkpoints while waiting for it."""
    while not lock.acquire(timeout=POLL_SECONDS):
        checkpoint()
    try:
        yield
    finally:
        lock.release()


def wait_for(future: Future[Any]) -> None:
    """Wait for the result of another thread, with checkpoints while waiting."""
    while wait([future], POLL_SECONDS).not_done:
        checkpoint()


def each_checked(items: Iterable[Item], every: int = 1024) -> Iterator[Item]:
    """Yield the items, with a checkpoint before the first and then after every `every` items."""
    for number, item in enumerate(items):
        if number % every == 0:
            checkpoint()
        yield item


def slices(length: int, step: int) -> Iterator[slice]:
    """Yield slices of at most `step` that cover this length, with a checkpoint before each."""
    for start in range(0, length, max(1, step)):
        checkpoint()
        yield slice(start, min(start + max(1, step), length))


class Work(Generic[Result]):
    """Work in steps, with a checkpoint after each.

    It can continue where a checkpoint ended it. If a step itself raises, for example by Ctrl-C, it starts
    again from the beginning.
    """

    def __init__(self, start: Callable[[], Steps[Result]]) -> None:
        self._start, self._steps = start, start()

    def finish(self) -> Result:
        """Run the remaining steps; returns the result."""
        while True:
            try:
                next(self._steps)
            except StopIteration as end:
                return end.value
            except BaseException:
                self._steps = self._start()
                raise
            checkpoint()


def finish_steps(key: Hashable, start: Callable[[], Steps[Result]]) -> Result:
    """Run work in steps and return its result.

    If a checkpoint ends it, the next call with this key continues there, in any thread.
    """
    known: Work[Result] | None = _unfinished.pop(key, None)
    work = known or Work(start)
    try:
        return work.finish()
    except Stopped:
        while len(_unfinished) >= MOST_UNFINISHED:
            _unfinished.pop(next(iter(_unfinished)), None)
        _unfinished[key] = work
        raise
