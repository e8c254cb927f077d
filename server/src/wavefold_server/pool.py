"""The threads that solve. The event loop only waits for them; kernels release the GIL.

Equal work is done once however many clients ask for it. Work that nobody waits for any more is cancelled, and
so is work that takes too long. If too much is waiting, new work is refused.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from starlette.requests import Request

from wavefold.solver import Cancelled, CancelToken, TimeUp, checking, single_thread
from wavefold_server.problems import busy_problem, limit_problem

Result = TypeVar("Result")
Watch = Callable[[str, float], AbstractContextManager[None]]


class ClientLeft(Exception):
    """The connection was closed before the answer was ready; there is nobody to answer."""


@dataclass
class Task:
    """Work in the pool, and how many wait for it."""

    token: CancelToken
    work: Callable[[], Any] | None  # None once nobody waits for it, though no thread had begun it
    future: Future[Any] | None = field(default_factory=Future)  # None once the work has ended
    waiting: int = 0
    created: float = field(default_factory=perf_counter)
    place: Future[Any] = field(default_factory=Future)  # in the queue of the threads


class TimeLimit(NamedTuple):
    """How long one piece of work may take, and the name of that limit."""

    name: str
    seconds: float


class WorkPool:
    """A fixed number of threads, and a queue of bounded length.

    name : of the threads, and of the limit that a full queue is about
    seconds : the most that one piece of work may take, counted from its start
    watch : entered around each piece of work, in its thread, with this name and the seconds it has waited
    """

    def __init__(self, name: str, workers: int, queue: int, seconds: float) -> None:
        self.name, self.workers, self.queue = name, workers, queue
        self.limit = TimeLimit(f"{name}_seconds", seconds)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix=f"wavefold-{name}")
        self._tasks: dict[Hashable, Task] = {}
        self._lock = threading.Lock()
        self._closing = False
        self.begun = 0  # tasks so far
        self.watch: Watch = lambda name, waited: nullcontext()

    @property
    def length(self) -> int:
        """How many tasks wait or run."""
        return len(self._tasks)

    async def run(
        self, work: Callable[[], Result], key: Hashable | None = None, limit: TimeLimit | None = None
    ) -> Result:
        """Do this in a thread. Work with the same key that is under way is not begun again.

        If the caller is cancelled and nobody else waits for the same work, the work is cancelled, too.

        limit : on its time, instead of that of the pool
        """
        key = object() if key is None else key
        task, future = self._join(key, work, limit or self.limit)
        result = asyncio.wrap_future(future)
        result.add_done_callback(take_error)
        try:
            return await asyncio.shield(result)
        finally:
            self._leave(key, task)
            del task, future, result  # see `_finish`

    async def run_for(
        self,
        request: Request,
        work: Callable[[], Result],
        key: Hashable | None = None,
        limit: TimeLimit | None = None,
    ) -> Result:
        """As `run`, for a client: if it leaves, it no longer waits. Raises `ClientLeft` then."""
        return await while_connected(request, self.run(work, key, limit))

    def close(self) -> None:
        """Accept no more work, cancel what is under way, and wait for the threads."""
        with self._lock:
            self._closing = True
            for task in self._tasks.values():
                task.token.cancel()
        self._threads.shutdown(wait=True, cancel_futures=True)
        with self._lock:
            for task in self._tasks.values():  # those that no thread had begun
                if task.future is not None and not task.future.done():
                    task.future.set_exception(Cancelled("the server is shutting down"))

    def _join(self, key: Hashable, work: Callable[[], Any], limit: TimeLimit) -> tuple[Task, Future[Any]]:
        with self._lock:
            task = self._tasks.get(key)
            if task is None or task.future is None or task.token.is_cancelled:
                if self._closing or len(self._tasks) >= self.workers + self.queue:
                    raise busy_problem(
                        "the server is shutting down" if self._closing else "too many requests are waiting", 2
                    )
                task = self._tasks[key] = Task(CancelToken(), work)
                self.begun += 1
                # The thread inherits the request's id for the log, and its span.
                task.place = self._threads.submit(copy_context().run, self._work, key, task, limit)
            task.waiting += 1
            assert task.future is not None  # no thread can have ended it
            return task, task.future

    def _leave(self, key: Hashable, task: Task) -> None:
        with self._lock:
            task.waiting -= 1
            if not task.waiting and task.future is not None and not task.future.done():
                task.token.cancel()
                if task.place.cancel():
                    self._drop(key, task)

    def _drop(self, key: Hashable, task: Task) -> None:
        """Make room for others: no thread has begun this, and none will. For whoever holds the lock."""
        if self._tasks.get(key) is task:
            del self._tasks[key]
        task.work = None  # the threads keep the place for a while, but not what it was for
        assert task.future is not None
        task.future.set_exception(Cancelled("nobody waits for this any more"))

    def _work(self, key: Hashable, task: Task, limit: TimeLimit) -> None:
        task.token.start(limit.seconds)
        try:
            waited = perf_counter() - task.created
            with checking(task.token.check), single_thread(), self.watch(self.name, waited):
                task.token.check()
                assert task.work is not None  # else its place was cancelled
                result = task.work()
        except TimeUp:
            detail = f"this took longer than {limit.seconds:g} s, so it was stopped"
            self._finish(key, task, error=limit_problem(limit.name, limit.seconds, detail))
        except BaseException as error:
            self._finish(key, task, error=error)
        else:
            self._finish(key, task, result=result)

    def _finish(
        self, key: Hashable, task: Task, *, result: Any = None, error: BaseException | None = None
    ) -> None:
        """Say how the work ended.

        The traceback of an error has the variables of all functions that it went through. If one of these led
        to the error, it would be kept with all that it is about, until Python looks for such cycles.
        """
        with self._lock:
            if self._tasks.get(key) is task:
                del self._tasks[key]
            future, task.future, task.work = task.future, None, None
        assert future is not None
        if error is None:
            future.set_result(result)
        else:
            future.set_exception(error)
            del error, future


def take_error(future: asyncio.Future[Any]) -> None:
    """Read the error of work that nobody may be waiting for any more, or asyncio would log it."""
    if not future.cancelled():
        future.exception()


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """What `work` returns. If the client leaves before, it is cancelled, and `ClientLeft` is raised."""
    running = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(wait_until_closed(request))
    try:
        await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise ClientLeft
        return running.result()
    finally:
        running.cancel()
        leaving.cancel()
        await asyncio.gather(running, leaving, return_exceptions=True)
        del running, leaving  # see `WorkPool._finish`


async def wait_until_closed(request: Request) -> None:
    """Return when the client has closed its connection; the request must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
