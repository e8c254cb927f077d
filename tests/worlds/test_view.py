"""Views: what there is of a rectangle, without waiting for the rest."""

import numpy as np
import pytest
from slow_worlds import CHUNK, Gate, small_world, with_borders

import wavefold as wf

RECTANGLE = (-5, 3, CHUNK + 4, CHUNK - 2)  # in four chunks: (-1, 0), (0, 0), (-1, 1), (0, 1)
CHUNKS = {(-1, 0), (0, 0), (-1, 1), (0, 1)}


def test_nothing_is_there_at_first_and_all_of_it_is_requested():
    with small_world() as world:
        gate = Gate(world)
        view = world.view(*RECTANGLE)
        assert (view.missing.all(), view.provisional.any(), view.is_final) == (True, False, False)
        assert (view.patterns == -1).all()
        assert view.patterns.shape == view.provisional.shape == view.missing.shape == (CHUNK - 2, CHUNK + 4)
        assert set(world.parts.delivery.scheduler.positions) == CHUNKS
        gate.open.set()


def test_views_of_a_finished_region_are_the_region():
    world = small_world()
    region = world.region(*RECTANGLE)
    view = world.view(*RECTANGLE)
    assert view.is_final
    assert np.array_equal(view.patterns, region)
    assert len(world.parts.delivery.scheduler) == 0


def test_a_view_becomes_final_in_the_background():
    with small_world() as world:
        for _ in range(100):
            view = world.view(*RECTANGLE)
            if view.is_final:
                break
            with world.parts.delivery.scheduler.changed:
                world.parts.delivery.scheduler.changed.wait(300)
        assert np.array_equal(view.patterns, small_world().region(*RECTANGLE))


def test_cells_of_chunks_without_their_inside_are_provisional_and_fit_those_that_are_final():
    with small_world() as world:
        world.chunk(0, 0)
        gate = Gate(with_borders(world, (1, 0)))
        view = world.view(0, 0, 3 * CHUNK, CHUNK)
        assert not view.provisional[:, :CHUNK].any()
        assert view.provisional[:, CHUNK : 2 * CHUNK].all()
        assert view.missing[:, 2 * CHUNK :].all()
        gate.open.set()
        shown = view.patterns[:, : 2 * CHUNK]
    assert np.array_equal(shown[:, :CHUNK], small_world().chunk(0, 0))
    assert np.array_equal(shown[:, CHUNK], small_world().chunk(1, 0)[:, 0])  # the seam is final

    class Shown:
        rules, steps = world.rules, world.steps

        def region(self, x0, y0, width, height):
            return shown[y0 : y0 + height, x0 : x0 + width]

    assert not wf.check(Shown(), 0, 0, 2 * CHUNK, CHUNK)


def test_an_edit_is_seen_and_chunks_beside_it_are_missing_until_they_are_final():
    with small_world() as world:
        world.edit({(2, 2): "┼"}, reach=4)
        world.chunk(0, 0)
        gate = Gate(with_borders(world, (1, 0)))
        view = world.view(0, 0, 2 * CHUNK, CHUNK)
        gate.open.set()
    assert world.rules.names[view.patterns[2, 2]] == "┼"
    assert view.missing[:, CHUNK:].all()


def test_more_chunks_than_are_urgent_at_a_time_come_in_turn():
    with small_world() as world:
        gate = Gate(world)
        world.view(0, 0, 40 * CHUNK, 1)
        first = world.parts.delivery.scheduler.positions
        gate.open.set()
    assert len(first) == 32
    assert first[0] in [(19, 0), (20, 0)]  # the middle


def test_an_error_in_the_background_is_raised_by_the_next_view_and_tried_again_after_it():
    with small_world() as world:
        generate = world.parts.generator._generate

        def fail(window):
            raise wf.WorldError("no luck")

        world.parts.generator._generate = fail
        scheduler = world.parts.delivery.scheduler
        world.view(0, 0, 1, 1)
        with scheduler.changed:
            assert scheduler.changed.wait_for(lambda: not len(scheduler), 60)
        with pytest.raises(wf.WorldError, match="no luck"):
            world.view(0, 0, 1, 1)
        world.parts.generator._generate = generate
        assert world.view(0, 0, 1, 1).patterns.shape == (1, 1)


@pytest.mark.parametrize("rectangle", [(0, 0, 0, 5), (0.5, 0, 5, 5), (2**41, 0, 5, 5), (0, 0, 2**20, 2**20)])
def test_views_that_cannot_be_are_refused(rectangle):
    with pytest.raises(wf.ConfigError):
        small_world().view(*rectangle)
