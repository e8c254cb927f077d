"""The scheduler alone: which window comes next, with a generator that solves nothing."""

import pytest
from slow_worlds import CHUNK, FakeClock, FakeGenerator, generate_borders

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.storage.memory import check_memory, limit_memory
from wavefold.worlds.plan import STAGE_NAMES
from wavefold.worlds.streaming.budget import BudgetManager
from wavefold.worlds.streaming.jobs import MOST_JOBS, MOST_URGENT
from wavefold.worlds.streaming.prefetch import Viewport, prefetch
from wavefold.worlds.streaming.scheduler import Scheduler


def take_next(scheduler):
    """What the next free thread would begin: its stage, and of which chunk."""
    window = scheduler.take_next()
    return window and (STAGE_NAMES[window.stage], window.i, window.j)


def test_borders_come_before_interiors_as_a_chunk_without_borders_cannot_be_shown(scheduler):
    generate_borders(scheduler.generator, (0, 0), (9, 9))
    assert prefetch(scheduler, Viewport(0, 0, 2 * CHUNK, 1, margin=0)).positions == [(0, 0), (1, 0)]
    scheduler.request_now(9, 9)
    assert take_next(scheduler) == ("interior", 9, 9)  # that is urgent
    assert take_next(scheduler) == ("corner", 2, 0)  # the first of chunk (1, 0) that is not there
    generate_borders(scheduler.generator, (1, 0))
    scheduler.in_progress.clear()
    assert [take_next(scheduler) for _ in range(3)] == [
        ("interior", *position) for position in ((9, 9), (0, 0), (1, 0))
    ]


def test_while_a_call_waits_for_borders_the_last_thread_begins_no_interior(scheduler):
    generate_borders(scheduler.generator, (0, 0), (1, 0))
    job = scheduler.request_now(9, 9)
    job.waiting = 1
    scheduler.request_soon([(0, 0), (1, 0)])
    assert {take_next(scheduler)[0] for _ in range(4)} == {"corner"}
    scheduler.threads = 2  # of which one may, and not the other
    assert take_next(scheduler) == ("interior", 0, 0)
    assert take_next(scheduler) is None
    job.waiting = 0
    assert take_next(scheduler) == ("interior", 1, 0)


def test_the_latest_request_comes_first_and_prefetched_chunks_after_it(scheduler):
    prefetch(scheduler, Viewport(0, 0, CHUNK, CHUNK))
    for position in ((9, 9), (8, 8)):
        scheduler.request_now(*position)
    assert scheduler.positions[:3] == [(8, 8), (9, 9), (0, 0)]


def test_a_request_of_long_ago_comes_after_prefetched_chunks_unless_a_call_waits(scheduler):
    prefetch(scheduler, Viewport(0, 0, 1, 1, margin=0))
    requested = [(9 + number, 9) for number in range(MOST_URGENT + 2)]
    for number, position in enumerate(requested):
        scheduler.request_now(*position).waiting = number == 1
    assert scheduler.positions == [*requested[:0:-1], (0, 0), requested[0]]
    scheduler.request_now(*requested[0])
    assert scheduler.positions[0] == requested[0]
    assert len(scheduler) == MOST_URGENT + 3


def test_the_queue_is_bounded_and_drops_its_end(scheduler):
    oldest = scheduler.request_now(-5, -5)
    for cx in range(MOST_JOBS):
        scheduler.request_now(cx, 0)
    assert len(scheduler) == MOST_JOBS
    assert oldest.is_over
    assert oldest.is_dropped


def test_every_window_is_taken_once_after_those_it_needs(scheduler):
    (job,) = scheduler.request_soon([(0, 0)])
    while (window := scheduler.take_next()) is not None:
        needs = scheduler.generator.plan.needs(window)
        assert all(scheduler.generator.cache.peek(need.key) is not None for need in needs)
        scheduler.run(window)
    assert job.is_over
    assert not job.is_dropped
    assert len(scheduler.generator.solved) == len(scheduler.generator.plan.for_chunk(0, 0))


def test_windows_take_the_time_of_the_clock_that_is_given():
    clock, generator = FakeClock(), FakeGenerator()
    scheduler = Scheduler(generator, BudgetManager(), threads=0, clock=clock)
    scheduler.request_soon([(0, 0)])
    solve = generator.window

    def take_seven_ms(window):
        clock.now += 0.007
        return solve(window)

    generator.window = take_seven_ms
    scheduler.run(scheduler.take_next())
    assert scheduler.manager.report.stages["corner"].p50 == pytest.approx(7)


def test_a_window_that_takes_too_long_is_stopped_and_free_for_the_next_thread():
    clock, generator = FakeClock(), FakeGenerator()
    scheduler = Scheduler(generator, BudgetManager(), threads=0, clock=clock)
    (job,) = scheduler.request_soon([(0, 0)])
    solve, looks = generator.window, []

    def take_long(window):
        for _ in range(1_000):
            looks.append(clock.now)
            checkpoint()
            clock.pass_by(0.004)
        return solve(window)

    generator.window = take_long
    window = scheduler.take_next()
    scheduler.run(window, end=0.020)
    assert len(looks) == 6
    assert job.error is None
    assert window.key in job.missing
    assert scheduler.manager.typical("corner", 0.5) == pytest.approx(20)
    generator.window = solve
    assert scheduler.take_next() == window
    scheduler.run(window)
    assert window.key not in job.missing


def test_an_interrupt_reaches_the_caller_and_no_job(scheduler):
    (job,) = scheduler.request_soon([(0, 0)])
    solve = scheduler.generator.window

    def interrupt(window):
        raise KeyboardInterrupt

    scheduler.generator.window = interrupt
    window = scheduler.take_next()
    with pytest.raises(KeyboardInterrupt):
        scheduler.run(window)
    scheduler.generator.window = solve
    assert job.error is None
    assert scheduler.take_next() == window


def test_an_error_goes_to_the_jobs_that_need_the_window(scheduler):
    near, far = scheduler.request_soon([(0, 0), (50, 50)])

    def fail(window):
        raise MemoryError("no memory")

    scheduler.generator.window = fail
    scheduler.run(scheduler.take_next())
    assert str(near.error) == "no memory"
    assert far.error is None
    assert scheduler.positions == [(50, 50)]


def test_a_limit_of_memory_reaches_the_threads_with_each_request():
    scheduler = Scheduler(FakeGenerator(), BudgetManager(), threads=1)
    scheduler.generator.window = lambda window: check_memory(2_000, "a window")
    for limit in (1_000, 1_500):
        with limit_memory(limit):
            job = scheduler.request_now(limit, 0)
        with scheduler.changed:
            assert scheduler.changed.wait_for(lambda: job.error is not None, 15)  # noqa: B023 called here
        assert "a window needs" in str(job.error)
    scheduler.close()


def test_only_urgent_borders_are_for_the_reserved_thread(scheduler):
    scheduler.request_soon([(0, 0)])
    assert scheduler.take_urgent_border() is None
    generate_borders(scheduler.generator, (3, 3))
    scheduler.request_now(3, 3)
    assert scheduler.take_urgent_border() is None
    scheduler.request_now(9, 9)
    assert scheduler.take_urgent_border().stage == 1


def test_a_chunk_in_the_store_needs_no_windows(scheduler):
    class Store:
        def get(self, cx, cy):
            return scheduler.generator.surroundings(scheduler.generator.plan.interior(cx, cy))[:-1, :-1]

    scheduler.generator.chunk_store = Store()
    assert scheduler.request_now(4, 4).is_over
    assert len(scheduler) == 0
