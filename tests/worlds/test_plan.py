"""Borders: what was made along them fixed, up to a ragged line."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from support import HEX_RIVERS, PIPES
from wavefold.worlds import Plan, World
from wavefold.worlds.plan import dilate, find_fixed_cells, walk_depths

seeds = st.integers(0, 2**64 - 1)


@given(seed=seeds, length=st.integers(1, 100), least=st.integers(0, 3), more=st.integers(0, 9))
def test_depths_walk_between_their_bounds(seed, length, least, more):
    found = walk_depths(seed, length, least, least + more)
    assert found.shape == (length,)
    assert least <= found.min()
    assert found.max() <= least + more
    assert np.abs(np.diff(found)).max(initial=0) <= 1
    assert (found == walk_depths(seed, length, least, least + more)).all()


def test_every_depth_is_there_somewhere():
    found = np.concatenate([walk_depths(seed, 64, 1, 9) for seed in range(50)])
    counts = np.bincount(found, minlength=10)[1:10]
    assert counts.min() > counts.sum() / 9 / 3  # no line at which much more would end


@given(seed=seeds, radius=st.integers(1, 11), more=st.integers(0, 40))
def test_there_is_always_something_left_to_make(seed, radius, more):
    plan = Plan(2 * radius + 2 + more, radius, radius - 1).validate()
    fixed = find_fixed_cells(plan, plan.interior(3, -4), seed)
    assert fixed[[0, -1]].all()
    assert fixed[:, [0, -1]].all()
    assert not fixed.all()


def test_what_stays_is_what_the_edges_made():
    for tiles in (PIPES, HEX_RIVERS):
        world = World(tiles, 7, 16, radius=5, refine=False)
        window = world.plan.interior(2, -1)
        before = world.parts.generator.surroundings(window)[:-1, :-1]
        fixed = find_fixed_cells(world.plan, window, world.seed)[:-1, :-1]
        made = world.parts.generator.chunk(2, -1)
        assert (made == before)[fixed].all()
        assert fixed[1:, 1:].any()


def test_where_a_soft_mask_is_not_met_the_border_is_not_fixed():
    plan = Plan(16, 5, 4)
    unmet = np.zeros((17, 17), bool)
    unmet[1, 8] = True
    held, freed = (find_fixed_cells(plan, plan.interior(0, 0), 1, each) for each in (None, unmet))
    assert held[1, 8]
    assert not freed[1, 8]
    assert freed[0, 8]
    assert (freed <= held).all()
    assert (freed == held)[:, 14:].all()


@given(at=st.tuples(st.integers(0, 8), st.integers(0, 6)), reach=st.integers(1, 4))
def test_spreading_reaches_a_square_around_each_mark(at, reach):
    marks = np.zeros((9, 7), bool)
    marks[at] = True
    rows, columns = np.indices(marks.shape)
    near = (abs(rows - at[0]) <= reach) & (abs(columns - at[1]) <= reach)
    assert (dilate(marks, reach) == near).all()


def test_windows_of_one_stage_never_touch():
    plan = Plan(24, 6, 5)
    windows = [window for j in range(3) for i in range(3) for window in plan.for_chunk(i, j)]
    for stage in ((1,), (2, 3), (5, 6, 7, 8)):
        taken = np.zeros((120, 120), int)
        for window in dict.fromkeys(each for each in windows if each.stage in stage):
            reach = np.s_[
                window.y + 20 - 1 : window.y + 20 + window.height + 1,
                window.x + 20 - 1 : window.x + 20 + window.width + 1,
            ]
            inside = np.s_[
                window.y + 20 : window.y + 20 + window.height, window.x + 20 : window.x + 20 + window.width
            ]
            assert not taken[reach].any()
            taken[inside] = 1
