"""Prefetching: nearest first, what the last view needs and nothing else, in bounded memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_worlds import CHUNK, FakeGenerator, Gate, small_world, with_borders

import wavefold as wf
from wavefold.worlds.plan import INTERIOR
from wavefold.worlds.streaming.budget import BudgetManager
from wavefold.worlds.streaming.prefetch import Viewport, count_chunk_bytes, prefetch
from wavefold.worlds.streaming.scheduler import Scheduler

cells = st.integers(-200, 200)
spans = st.integers(1, 300)


@given(x0=cells, y0=cells, width=spans, height=spans, margin=st.integers(0, 3), most=st.integers(1, 60))
def test_the_nearest_chunks_come_first(x0, y0, width, height, margin, most):
    side = 16
    chosen, skipped = Viewport(x0, y0, width, height, margin).chunks(side, most)
    every = [
        (i, j)
        for j in range(y0 // side - margin, (y0 + height - 1) // side + margin + 1)
        for i in range(x0 // side - margin, (x0 + width - 1) // side + margin + 1)
    ]

    def distance(place):
        i, j = place
        return ((i + 0.5) * side - x0 - width / 2) ** 2 + ((j + 0.5) * side - y0 - height / 2) ** 2, j, i

    assert chosen == sorted(every, key=distance)[:most]
    assert skipped == len(every) - len(chosen)


def test_a_vast_view_is_cut_to_its_middle():
    chosen, skipped = Viewport(-(2**39), 5, 2**40, 2**30).chunks(64, 256)
    assert len(chosen) == 256
    assert chosen[0] == (-1, 2**23)
    assert skipped > 2**30


def test_chunks_are_there_when_they_are_asked_for():
    with small_world() as world:
        ahead = world.prefetch(1, 1, CHUNK, CHUNK - 1, margin=0)
        assert ahead.wait(300)
        made = world.parts.generator.cache.made
        chunks = [world.chunk(*place) for place in ahead.positions]
        assert world.parts.generator.cache.made == made
        assert (ahead.total, ahead.remaining, ahead.skipped, ahead.done) == (2, 0, 0, True)
        assert repr(ahead) == "Prefetch(2 of 2 chunks)"
        again = world.prefetch(1, 1, CHUNK, CHUNK - 1, margin=0)
        assert again.done
    alone = small_world()
    assert all(
        (alone.chunk(*place) == chunk).all() for place, chunk in zip(ahead.positions, chunks, strict=True)
    )


def test_the_interiors_are_generated_nearest_first():
    generator = FakeGenerator()
    scheduler = Scheduler(generator, BudgetManager(), threads=1)
    ahead = prefetch(scheduler, Viewport(0, 0, CHUNK, 2 * CHUNK, margin=0))
    assert ahead.wait(300)
    scheduler.close()
    interiors = [window for window in generator.solved if window.stage == INTERIOR]
    assert [(window.i, window.j) for window in interiors] == ahead.positions


def test_what_is_cancelled_is_not_begun():
    with small_world() as world:
        gate = Gate(world)
        ahead = world.prefetch(0, 0, CHUNK, CHUNK)
        assert gate.arrived.wait(300)
        assert not ahead.done
        assert not ahead.wait(0)
        ahead.cancel()
        assert ahead.done
        assert len(world.parts.delivery.scheduler) == 0
        gate.open.set()
    assert len(gate.passed) <= world.parts.delivery.scheduler.threads


def test_another_view_cancels_what_it_does_not_want():
    with small_world() as world:
        gate = Gate(world)
        first = world.prefetch(0, 0, CHUNK, CHUNK, margin=0)
        assert gate.arrived.wait(300)
        second = world.prefetch(5 * CHUNK, 0, CHUNK, CHUNK, margin=0)
        assert first.done
        assert not second.done
        gate.open.set()
        assert second.wait(300)
    assert second.positions == [(5, 0)]
    assert world.parts.generator.cache.peek((4, 0, 0)) is None


def test_a_requested_chunk_is_not_cancelled_with_the_view():
    with with_borders(small_world(), (0, 0)) as world:
        gate = Gate(world)
        ahead = world.prefetch(0, 0, CHUNK, CHUNK)
        world.chunk(0, 0, budget=wf.Budget(ms=1))
        ahead.cancel()
        assert len(world.parts.delivery.scheduler) == 1
        gate.open.set()
        assert not world.chunk(0, 0, budget=wf.Budget(ms=300_000)).provisional


def test_errors_in_the_background_are_listed():
    with small_world(refine=False) as world:
        solve_again = world.parts.generator.window_solver.solve_again

        def failing(plane, *rest):
            raise MemoryError("no room")

        world.parts.generator.window_solver.solve_again = failing
        ahead = world.prefetch(0, 0, 1, 1, margin=0)
        assert ahead.wait(300)
        assert list(ahead.errors) == [(0, 0)]
        assert str(ahead.errors[0, 0]) == "no room"
        assert repr(ahead) == "Prefetch(1 of 1 chunks, 1 failed)"
        world.parts.generator.window_solver.solve_again = solve_again
        again = world.prefetch(0, 0, 1, 1, margin=0)
        assert again.wait(300)
        assert not again.errors


def test_no_more_is_made_ahead_than_memory_holds():
    with small_world() as world:
        cache = world.parts.generator.cache
        cache.room = 3 * count_chunk_bytes(world.plan)
        ahead = world.prefetch(0, 0, 4 * CHUNK, 4 * CHUNK, margin=0)
        assert (ahead.total, ahead.skipped) == (3, 13)
        assert ahead.wait(300)
        assert 0 < cache.taken <= cache.room


@pytest.mark.parametrize(
    ("view", "message"),
    [((0, 0, 0, 5), "is empty"), ((0, 0, 5, 5, -1), "margin"), ((2**40, 0, 5, 5), "too far away"),
     ((0, 0.5, 5, 5), "y0 must be a whole number")],
)  # fmt: skip
def test_bad_views_are_refused(view, message):
    with pytest.raises(wf.ConfigError, match=message):
        small_world().prefetch(*view)


# --- without threads ----------------------------------------------------------------------------


def test_views_share_chunks_and_the_later_one_decides(scheduler):
    first = prefetch(scheduler, Viewport(0, 0, 2 * CHUNK, 1, margin=0))
    second = prefetch(scheduler, Viewport(2 * CHUNK - 1, 0, CHUNK, 1, margin=0))
    assert (first.positions, second.positions) == ([(0, 0), (1, 0)], [(2, 0), (1, 0)])
    assert (first.remaining, second.remaining) == (1, 2)
    first.cancel()
    assert scheduler.positions == second.positions
    second.cancel()
    assert first.done
    assert scheduler.positions == []


def test_chunks_in_the_cache_are_not_queued(scheduler):
    scheduler.generator.chunk(0, 0)
    ahead = prefetch(scheduler, Viewport(0, 0, 2 * CHUNK, 1, margin=0))
    assert (ahead.total, ahead.remaining) == (2, 1)
    assert scheduler.positions == [(1, 0)]


def test_a_view_cancels_requests_elsewhere(scheduler):
    for position in ((9, 9), (0, 0), (8, 8)):
        scheduler.request_now(*position)
    scheduler.request_now(7, 7).waiting = 1
    prefetch(scheduler, Viewport(0, 0, 2 * CHUNK, 1, margin=0))
    assert scheduler.positions == [(7, 7), (0, 0), (1, 0)]
