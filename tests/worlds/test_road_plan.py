"""Where roads run: the same wherever one looks from, and in one piece."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavefold.worlds.plan import EAST, NORTH, SOUTH, WEST
from wavefold.worlds.road_plan import STEPS, RoadPlan

seeds = st.integers(-(1 << 63), (1 << 63) - 1)
places = st.integers(-(1 << 35), 1 << 35)


def reachable(roads, start):
    """All (column, row) that one can walk to along roads."""
    height, width = roads.shape
    found, line = {start}, [start]
    while line:
        x, y = line.pop()
        for side, (right, down) in STEPS.items():
            there = x + right, y + down
            inside = 0 <= there[0] < width and 0 <= there[1] < height
            if roads[y, x] >> side & 1 and inside and there not in found:
                found.add(there)
                line.append(there)
    return found


@settings(max_examples=15, deadline=None)
@given(seed=seeds, x=places, y=places, winding=st.sampled_from((0.0, 0.5, 1.0)))
def test_what_goes_out_of_a_tile_comes_into_the_next_and_no_road_ends(seed, x, y, winding):
    roads = RoadPlan(seed, 16, winding).roads(x, y, 70, 50)
    assert ((roads[:, :-1] >> EAST & 1) == (roads[:, 1:] >> WEST & 1)).all()
    assert ((roads[:-1] >> SOUTH & 1) == (roads[1:] >> NORTH & 1)).all()
    assert set(np.bitwise_count(roads).reshape(-1).tolist()) <= {0, 2, 3}


@settings(max_examples=15, deadline=None)
@given(seed=seeds, x=places, y=places, right=st.integers(0, 40), down=st.integers(0, 40))
def test_a_rectangle_has_the_roads_of_any_larger_one(seed, x, y, right, down):
    large = RoadPlan(seed, 20, 0.5).roads(x, y, 90, 80)
    part = RoadPlan(seed, 20, 0.5).roads(x + right, y + down, 50, 40)
    assert (part == large[down : down + 40, right : right + 50]).all()


@settings(max_examples=10, deadline=None)
@given(seed=seeds, i=st.integers(-1000, 1000), j=st.integers(-1000, 1000))
@pytest.mark.parametrize(("across", "down"), [(1, 1), (3, 2)])
def test_the_towns_of_adjacent_squares_are_joined_within_them(seed, i, j, across, down):
    spacing = 18
    rectangle = 2 * i * spacing, 2 * j * spacing, 2 * across * spacing, 2 * down * spacing
    plan = RoadPlan(seed, spacing, 0.5)
    roads = plan.roads(*rectangle)
    towns = [(x - rectangle[0], y - rectangle[1]) for x, y in plan.towns(*rectangle)]
    assert len(towns) == 4 * across * down
    assert set(towns) <= reachable(roads, towns[0])


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_between_two_bends_or_forks_are_two_straight_tiles(seed):
    roads = RoadPlan(seed, 24, 1.0).roads(0, 0, 96, 96)
    straight = (roads == (1 << NORTH | 1 << SOUTH)) | (roads == (1 << EAST | 1 << WEST))
    turns = np.argwhere((roads > 0) & ~straight)
    assert len(turns) > 20
    apart = np.abs(turns[:, None] - turns[None]).max(axis=-1) + 9 * np.eye(len(turns), dtype=int)
    assert apart.min() >= 3
