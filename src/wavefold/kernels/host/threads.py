"""Work that several threads share, while kernels run without the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Event
from typing import TYPE_CHECKING

from wavefold.errors import ConfigError
from wavefold.kernels.host.checkpoint import checkpoint

if TYPE_CHECKING:  # imported when it is needed
    from concurrent.futures import Future, ThreadPoolExecutor

VARIABLE = "WAVEFOLD_THREADS"
MOST_THREADS = 256

_is_single: ContextVar[bool] = ContextVar("_is_single", default=False)
_pools: list[ThreadPoolExecutor] = []  # one, once it is needed


def count_threads() -> int:
    """How many threads one call may use: WAVEFOLD_THREADS, else as many as there are processors.

    One inside `single_thread`, for example in threads that share the processors already.
    """
    if _is_single.get():
        return 1
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isdecimal() or len(text) > len(str(MOST_THREADS)) or not 1 <= int(text) <= MOST_THREADS:
        raise ConfigError(f"{VARIABLE} must be a number from 1 to {MOST_THREADS}, not {text!r}")
    return int(text)


@contextmanager
def single_thread() -> Iterator[None]:
    """Calls inside use one thread each."""
    token = _is_single.set(True)
    try:
        yield
    finally:
        _is_single.reset(token)


def run_in_threads(step: Callable[[int], bool], threads: int) -> None:
    """Call `step(worker)` in so many threads, this one included, until it returns False.

    A checkpoint follows each step of this thread. If it ends the work, the others end after their step.
    """
    stop = Event()

    def run(worker: int) -> None:
        while not stop.is_set() and step(worker):
            pass

    others = _submit(run, threads - 1) if threads > 1 else []
    try:
        while step(0):
            checkpoint()
    finally:
        stop.set()  # no step may begin any more
        for other in others:
            other.exception()  # waits for its end
    for other in others:
        other.result()


def _submit(run: Callable[[int], None], threads: int) -> list[Future[None]]:
    """Run this in other threads, numbered from 1; in fewer of them, or none, while Python ends."""
    submitted: list[Future[None]] = []
    with suppress(RuntimeError):  # no thread can be started any more
        from concurrent.futures import ThreadPoolExecutor

        if not _pools:
            _pools.append(ThreadPoolExecutor(MOST_THREADS, "wavefold-share"))
        for worker in range(1, threads + 1):
            submitted.append(_pools[0].submit(run, worker))
    return submitted


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)  # a child has only the thread that forked
