"""The pool does equal work once, refuses what does not fit, and ends what nobody waits for."""

import asyncio
import gc
import threading
import weakref
from contextlib import suppress
from functools import partial

import pytest

from wavefold.kernels.host.checkpoint import Cancelled, checkpoint
from wavefold_server.pool import WorkPool, while_connected
from wavefold_server.problems import Problem


class Held:
    """Work that goes on until it is released or ended at a checkpoint."""

    def __init__(self):
        self.begun, self.released, self.ended, self.calls = threading.Event(), threading.Event(), None, 0

    def __call__(self):
        self.calls += 1
        self.begun.set()
        try:
            while not self.released.wait(0.002):
                checkpoint()
        except Exception as error:
            self.ended = error
            raise
        return "done"

    async def wait_until_begun(self):
        assert await asyncio.to_thread(self.begun.wait, 300)


def run(test, workers=1, queue=1, seconds=300):
    pool = WorkPool("quick", workers, queue, seconds)
    try:
        return asyncio.run(test(pool))
    finally:
        pool.close()


def test_equal_work_is_done_once_for_all_who_wait():
    work = Held()

    async def test(pool):
        both = [asyncio.ensure_future(pool.run(work, "same")) for _ in range(2)]
        await work.wait_until_begun()
        work.released.set()
        return await asyncio.gather(*both)

    assert run(test) == ["done", "done"]
    assert work.calls == 1


def test_work_goes_on_until_the_last_who_waits_has_left():
    work = Held()

    async def test(pool):
        first, second = (asyncio.ensure_future(pool.run(work, "same")) for _ in range(2))
        await work.wait_until_begun()
        first.cancel()
        await asyncio.wait({first})
        assert work.ended is None
        second.cancel()
        await asyncio.wait({second})
        while pool.length:
            await asyncio.sleep(0.002)

    run(test)
    assert isinstance(work.ended, Cancelled)


def test_work_that_was_cancelled_is_begun_anew_for_whoever_asks_next():
    work = Held()

    async def test(pool):
        first = asyncio.ensure_future(pool.run(work, "same"))
        await work.wait_until_begun()
        first.cancel()
        await asyncio.wait({first})
        work.released.set()
        return await pool.run(work, "same")

    assert run(test) == "done"


def test_a_full_queue_is_refused_with_the_time_to_wait():
    work = Held()

    async def test(pool):
        waiting = [asyncio.ensure_future(pool.run(work, number)) for number in range(2)]
        await work.wait_until_begun()
        with pytest.raises(Problem) as refused:
            await pool.run(work, "one more")
        work.released.set()
        await asyncio.gather(*waiting)
        return refused.value

    problem = run(test)
    assert problem.status == 503
    assert int(problem.headers["Retry-After"]) >= 1


def test_work_that_nobody_waits_for_leaves_the_queue_at_once():
    first, never = Held(), Held()

    async def test(pool):
        running = asyncio.ensure_future(pool.run(first))
        await first.wait_until_begun()
        leaving = [asyncio.ensure_future(pool.run(never, number)) for number in range(3)]
        await asyncio.sleep(0)
        tasks = [pool._tasks[number] for number in range(3)]
        for each in leaving:
            each.cancel()
        await asyncio.wait(leaving)
        assert pool.length == 1
        assert all(isinstance(each.future.exception(0), Cancelled) for each in tasks)
        new = [asyncio.ensure_future(pool.run(lambda: "new", number)) for number in range(3)]
        await asyncio.sleep(0)
        first.released.set()
        return await asyncio.gather(running, *new)

    assert run(test, queue=3) == ["done", "new", "new", "new"]
    assert never.calls == 0


def test_work_that_takes_too_long_is_ended_and_the_limit_named():
    work = Held()
    with pytest.raises(Problem) as ended:
        run(lambda pool: pool.run(work), seconds=0.02)
    assert ended.value.to_dict()["limit"] == "quick_seconds"


def test_errors_of_the_work_reach_whoever_waits():
    def fail():
        raise ValueError("of the work")

    with pytest.raises(ValueError, match="of the work"):
        run(lambda pool: pool.run(fail))


def test_closing_ends_running_and_waiting_work():
    work = Held()

    async def test(pool):
        waiting = [asyncio.ensure_future(pool.run(work, number)) for number in range(2)]
        await work.wait_until_begun()
        await asyncio.to_thread(pool.close)
        return await asyncio.gather(*waiting, return_exceptions=True)

    assert [type(each) for each in run(test)] == [Cancelled, Cancelled]


class Payload:
    """What work is about, which may be large."""


def raise_error(payload):
    raise ValueError("on purpose")


def test_work_that_failed_is_forgotten_at_once():
    """Without waiting for the collection of cycles, of which errors with tracebacks easily are a part."""

    async def fail(pool):
        payload = Payload()
        known = weakref.ref(payload)
        with suppress(ValueError):
            await while_connected(Connected(), pool.run(partial(raise_error, payload)))
        return known

    gc.disable()
    try:
        assert run(fail)() is None
    finally:
        gc.enable()


class Connected:
    """A request whose client waits."""

    async def receive(self):
        await asyncio.Event().wait()
