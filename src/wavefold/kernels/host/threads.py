"""Share work between threads; kernels run without the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Event
from typing import TYPE_CHECKING

from wavefold.errors import ConfigError
from wavefold.kernels.host.checkpoint import checkpoint

if TYPE_CHECKING:  # imported on first use
    from concurrent.futures import Future, ThreadPoolExecutor

VARIABLE = "WAVEFOLD_THREADS"
MOST_THREADS = 256

_is_single: ContextVar[bool] = ContextVar("_is_single", default=False)
_pools: list[ThreadPoolExecutor] = []  # empty until first use, then one


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def count_threads() -> int:
    """Return the number of threads that a call may use: WAVEFOLD_THREADS, or the number of processors.

    It is 1 inside `single_thread`.
    """
    if _is_single.get():
        return 1
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return count_processors()
    if not text.isdecimal() or len(text) > len(str(MOST_THREADS)) or not 1 <= int(text) <= MOST_THREADS:
        raise ConfigError(f"{VARIABLE} must be a number from 1 to {MOST_THREADS}, not {text!r}")
    return int(text)


@contextmanager
def single_thread() -> Iterator[None]:
    """Limit calls inside to one thread, for threads that share the processors already."""
    token = _is_single.set(True)
    try:
        yield
    finally:
        _is_single.reset(token)


def run_in_threads(step: Callable[[int], bool], threads: int) -> None:
    """Call `step(worker)` in several threads, including this one, until it returns False.

    A checkpoint follows each step of this thread. If it ends the work, the other threads finish their step.
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
        stop.set()  # no further step begins
        for other in others:
            other.exception()  # waits until it ends
    for other in others:
        other.result()


def _submit(run: Callable[[int], None], threads: int) -> list[Future[None]]:
    """Run a function in other threads, numbered from 1; in fewer or none during interpreter shutdown."""
    submitted: list[Future[None]] = []
    with suppress(RuntimeError):  # threads cannot be started during shutdown
        from concurrent.futures import ThreadPoolExecutor

        if not _pools:
            _pools.append(ThreadPoolExecutor(MOST_THREADS, "wavefold-share"))
        for worker in range(1, threads + 1):
            submitted.append(_pools[0].submit(run, worker))
    return submitted


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)  # threads do not survive a fork
