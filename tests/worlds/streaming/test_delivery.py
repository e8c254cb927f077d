"""Chunks by a deadline: final, provisional or not ready, and the same in the end."""

import pickle
import threading

import numpy as np
import pytest
from slow_worlds import CHUNK, FakeClock, FakeGenerator, Gate, generate_borders, small_world, with_borders

import wavefold as wf
from support import CHESS, HEX_RIVERS, PIPES
from wavefold.worlds.edits.overlay import Overlay
from wavefold.worlds.streaming.budget import FAILED, FINAL, MOST_CHUNKS, NOT_READY, PROVISIONAL, BudgetManager
from wavefold.worlds.streaming.delivery import ChunkArray, ChunkDelivery
from wavefold.worlds.streaming.scheduler import Scheduler

AMPLE, SHORT = wf.Budget(ms=300_000), wf.Budget(ms=20)
WORLDS = {"pipes": PIPES, "chess": CHESS, "rivers": HEX_RIVERS}


def deliver(clock=None):
    """A delivery without threads: nothing is solved, and no time passes unless the clock says so."""
    return ChunkDelivery(FakeGenerator(), Overlay(CHUNK), 0, clock or FakeClock())


class Pasted:
    """A world with one chunk exchanged."""

    def __init__(self, world, place, chunk):
        self.rules, self.steps, self._world = world.rules, world.steps, world
        self._place, self._chunk = place, chunk

    def region(self, x0, y0, width, height):
        region = self._world.region(x0, y0, width, height).copy()
        x, y = self._place[0] * CHUNK - x0, self._place[1] * CHUNK - y0
        region[y : y + CHUNK, x : x + CHUNK] = self._chunk
        return region


def assert_valid(world, place, chunk):
    """The chunk is valid, also against its final neighbours on all sides."""
    around = (place[0] * CHUNK - 3, place[1] * CHUNK - 3, CHUNK + 6, CHUNK + 6)
    assert not wf.check(Pasted(world, place, chunk), *around)


def test_with_time_enough_the_chunk_is_the_one_without_a_budget():
    with small_world() as world:
        chunk = world.chunk(2, -1, budget=AMPLE)
    assert chunk.provisional is False
    assert (chunk == small_world().chunk(2, -1)).all()
    assert world.chunk(2, -1, budget=wf.Budget()).provisional is False
    assert world.chunk(2, -1).provisional is False


def test_a_cached_chunk_needs_no_thread_and_no_place_in_the_queue():
    world = small_world()
    final = world.chunk(0, 0)
    assert (world.chunk(0, 0, budget=wf.Budget(ms=0)) == final).all()
    assert (len(world.parts.delivery.scheduler), len(world.parts.delivery.scheduler.workers)) == (0, 0)
    assert world.budgets.report.final == 1


def test_a_chunk_without_borders_is_not_ready_and_comes_later():
    with small_world() as world:
        gate = Gate(world)
        with pytest.raises(wf.NotReady, match=r"chunk \(1, 0\) was not ready .* call again"):
            world.chunk(1, 0, budget=SHORT)
        gate.open.set()
        assert (world.chunk(1, 0, budget=AMPLE) == small_world().chunk(1, 0)).all()
        report = world.budgets.report
    assert (report.calls, report.final, report.not_ready) == (2, 1, 1)


@pytest.mark.parametrize("name", list(WORLDS))
def test_a_provisional_chunk_is_valid_against_its_final_neighbours(name):
    final = small_world(WORLDS[name])
    with small_world(WORLDS[name]) as world:
        gate = Gate(with_borders(world, (0, 1)), only_interiors=True)
        chunk = world.chunk(0, 1, budget=SHORT)
        assert chunk.provisional
        assert_valid(final, (0, 1), chunk)
        assert (chunk[0] == final.chunk(0, 1)[0]).all()
        assert (chunk[:, 0] == final.chunk(0, 1)[:, 0]).all()
        gate.open.set()
        again = world.chunk(0, 1, budget=AMPLE)
    assert not again.provisional
    assert (again == final.chunk(0, 1)).all()


def test_a_provisional_chunk_shows_the_small_windows_that_are_done(monkeypatch):
    final, world = small_world(refine=False), small_world(refine=False)
    monkeypatch.setattr("wavefold.worlds.window_solver.BLOCK_SIDE", CHUNK // 3)
    solve = world.parts.generator.window_solver._solve
    gate, half_way = threading.Event(), threading.Event()

    def only_small(plane, *rest):
        return max(plane.shape) < CHUNK and solve(plane, *rest)

    def keep(window, plane, keep_it=world.parts.generator.on_draft):
        keep_it(window, plane)
        if plane is not None and (plane[:-1, :-1] != before).any():
            half_way.set()
            assert gate.wait(300)

    with with_borders(world, (0, 0)):
        before = world.parts.generator.surroundings(world.plan.interior(0, 0))[:-1, :-1]
        monkeypatch.setattr(world.parts.generator.window_solver, "_solve", only_small)
        world.parts.generator.on_draft = keep
        world.prefetch(0, 0, 1, 1, margin=0)
        assert half_way.wait(300)
        chunk = world.chunk(0, 0, budget=SHORT)
        gate.set()
        assert chunk.provisional
        assert (chunk != before).any()
        assert_valid(final, (0, 0), chunk)
        assert not world.chunk(0, 0, budget=AMPLE).provisional
    assert not world.parts.delivery.drafts


def test_no_time_at_all_still_gives_what_is_there():
    delivery = deliver()
    generate_borders(delivery.generator, (0, 0))
    assert delivery.chunk(0, 0, ms=0).provisional
    with pytest.raises(wf.NotReady):
        delivery.chunk(5, 5, ms=0)
    delivery.final(0, 0)
    assert not delivery.chunk(0, 0, ms=0).provisional


def test_no_call_waits_for_an_interior_that_takes_too_long():
    with with_borders(small_world(), (0, 0)) as world:
        gate = Gate(world, only_interiors=True)
        for _ in range(3):
            world.budgets.note("interior", 1e9)
        assert world.chunk(0, 0, budget=AMPLE).provisional  # minutes later, if it waited
        gate.open.set()


def test_borders_do_not_wait_for_an_interior_made_in_the_background():
    with with_borders(small_world(), (0, 0)) as world:
        world.parts.delivery.scheduler.threads = 1
        gate = Gate(world, only_interiors=True)
        for _ in range(3):
            world.budgets.note("interior", 1e9)
        world.prefetch(0, 0, 1, 1, margin=0)
        assert gate.arrived.wait(300)  # the only thread is stuck there
        assert world.chunk(5, 5, budget=AMPLE).provisional
        gate.open.set()


def test_the_calling_thread_makes_what_surely_fits():
    delivery = deliver()
    for stage in ("corner", "edge", "joint", "interior"):
        delivery.manager.note(stage, 0.01)
    assert not delivery.chunk(0, 0, ms=60_000).provisional
    assert len(delivery.generator.solved) == len(delivery.generator.plan.for_chunk(0, 0))


def test_without_history_the_calling_thread_begins_nothing():
    delivery = deliver()
    delivery.scheduler.changed.wait = lambda seconds: setattr(
        delivery.clock, "now", delivery.clock.now + seconds
    )
    with pytest.raises(wf.NotReady):
        delivery.chunk(0, 0, ms=1)
    assert delivery.generator.solved == []
    assert delivery.manager.report.late == 0


def test_time_is_read_from_one_clock():
    """An hour passes at each look at the clock: the budget is used up before anything is begun."""
    hours = iter(range(1000))
    delivery = deliver(lambda: 3600.0 * next(hours))
    with pytest.raises(wf.NotReady):
        delivery.chunk(0, 0, ms=50)
    assert delivery.manager.report.late == 1
    assert delivery.generator.solved == []


def test_an_error_in_a_window_reaches_the_calls_that_need_it_and_no_other():
    with small_world(refine=False) as world:
        solve_again = world.parts.generator.window_solver.solve_again

        def failing(plane, *rest):
            raise MemoryError("no room")

        world.parts.generator.window_solver.solve_again = failing
        with pytest.raises(MemoryError, match="no room"):
            world.chunk(0, 0, budget=AMPLE)
        scheduler = world.parts.delivery.scheduler
        with scheduler.changed:  # a window begun by another thread fails too, for whoever asks meanwhile
            assert scheduler.changed.wait_for(lambda: not scheduler.in_progress, 300)
        world.parts.generator.window_solver.solve_again = solve_again
        assert (world.chunk(0, 0, budget=AMPLE) == small_world(refine=False).chunk(0, 0)).all()
        report = world.budgets.report
    assert (report.calls, report.failed, report.final, report.in_time) == (2, 1, 1, 1)


def test_many_threads_ask_in_time():
    alone, seen = small_world(), {}
    places = [(0, 0), (1, 0), (0, 1)]

    def ask(number):
        for step in range(3):
            place = places[(number + step) % 3]
            seen[number, step] = place, world.chunk(*place, budget=AMPLE)

    with small_world() as world:
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(seen) == 12
    assert all((alone.chunk(*place) == chunk).all() for place, chunk in seen.values())


def test_a_closed_world_has_no_threads_and_can_be_read():
    with small_world() as world:
        Gate(world).open.set()
        world.prefetch(0, 0, 1, 1, margin=0).wait(300)
        assert world.parts.delivery.scheduler.workers
    assert not world.parts.delivery.scheduler.workers
    assert world.chunk(0, 0).shape == (CHUNK, CHUNK)
    world.close()


def test_threads_without_work_end():
    scheduler = Scheduler(FakeGenerator(), BudgetManager(), threads=1, linger=0.0)
    (job,) = scheduler.request_soon([(0, 0)])
    for thread in scheduler.workers:
        thread.join(300)
    assert job.is_over
    assert not scheduler.workers


def test_work_that_comes_as_a_thread_ends_is_done():
    scheduler = Scheduler(FakeGenerator(), BudgetManager(), threads=0)
    scheduler.changed.wait = lambda timeout: bool(scheduler.request_soon([(0, 0)])) and False
    assert scheduler.wait_for_window(scheduler.take_next) is not None
    assert scheduler.positions == [(0, 0)]


@pytest.mark.parametrize(
    ("budget", "message"),
    [(50, r"such as wf.Budget\(ms=50\), not 50"), (wf.Budget(decisions=9), "can only limit time")],
)
def test_a_budget_for_chunks_is_a_time(budget, message):
    with pytest.raises(wf.ConfigError, match=message):
        small_world().chunk(0, 0, budget=budget)


# --- the mark --------------------------------------------------------------------------------------


def test_what_is_computed_from_a_marked_chunk_is_plain():
    chunk = ChunkArray.of(np.arange(12, dtype=np.int32).reshape(3, 4), provisional=True)
    assert chunk.provisional
    for plain in (chunk + 1, chunk == 3, chunk[1:], chunk[0], np.where(chunk > 3, 1, 0), np.asarray(chunk)):
        assert type(plain) is np.ndarray
    assert chunk.sum() == 66
    assert chunk[2, 3] == 11
    assert chunk.copy().provisional
    assert pickle.loads(pickle.dumps(chunk)).provisional
    with pytest.raises(ValueError, match="read-only"):
        chunk[0, 0] = 1


# --- what is learned -------------------------------------------------------------------------------


def test_history_decides_what_fits():
    manager = BudgetManager()
    assert manager.may_fit("interior", 1)
    assert not manager.surely_fits("interior", 1e9)
    for ms in (5_000, *range(1, 41)):  # the first one is an exception
        manager.note("interior", ms)
    times = manager.report.stages["interior"]
    assert (times.count, times.p50, times.p95) == (41, 21, 39)
    assert manager.may_fit("interior", 21)
    assert not manager.may_fit("interior", 20)
    assert manager.surely_fits("interior", 39)
    assert not manager.surely_fits("interior", 38)


def test_old_history_is_forgotten():
    manager = BudgetManager()
    for ms in [100] * 100 + [1] * 64:
        manager.note("edge", ms)
    assert manager.typical("edge", 0.99) == 1


def answered(manager, kind, place=(0, 0), *, after=0.010, at=0.0, ms=50):
    """A call that began at a second and ended so much later."""
    manager.calls.record(place, kind, at, at + after, ms)


def test_a_call_is_in_time_if_it_returns_a_chunk_within_its_budget():
    manager = BudgetManager()
    assert manager.report.share_in_time == manager.report.share_first_in_time == 1
    answered(manager, FINAL)
    answered(manager, PROVISIONAL, after=0.050)
    answered(manager, FINAL, after=0.051)
    answered(manager, NOT_READY)
    answered(manager, FAILED)
    report = manager.report
    assert (report.calls, report.in_time, report.late, report.share_in_time) == (5, 2, 1, 0.4)
    assert report.to_dict()["share_in_time"] == 0.4


def test_many_calls_for_one_chunk_count_once_by_chunk():
    manager = BudgetManager()
    answered(manager, NOT_READY, (1, 1))
    for frame in range(1, 9):
        answered(manager, PROVISIONAL, (1, 1), at=float(frame))
    answered(manager, FINAL, (2, 1))
    report = manager.report
    assert (report.share_in_time, report.share_first_in_time) == (0.9, 0.5)
    assert (report.chunks, report.first_in_time, report.finished) == (2, 1, 1)
    answered(manager, FINAL, (1, 1), at=9.0)
    answered(manager, FINAL, (1, 1), at=10.0)
    report = manager.report
    assert (report.finished, report.calls_until_final) == (2, 5.5)
    assert report.until_final.count == 2
    assert report.until_final.p95 == pytest.approx(9010)


def test_calls_for_chunks_of_long_ago_are_forgotten():
    manager = BudgetManager()
    for number in range(MOST_CHUNKS + 5):
        answered(manager, FINAL, (number, 0))
    assert manager.calls.remembered_chunks == MOST_CHUNKS
    assert manager.report.chunks == MOST_CHUNKS + 5
