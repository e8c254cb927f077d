"""Pictures of worlds: stages, seams, and a view that scrolls."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.worlds import World
from wavefold.worlds.picture import Scroll, draw_world, find_stages, find_window_stages
from wavefold.worlds.plan import STAGES

SIDE = 16


def test_stages_are_where_the_plan_says():
    plan = World(PIPES, 0, SIDE).plan
    stages = find_window_stages(plan, -2, 1)
    assert stages.shape == (SIDE, SIDE)
    assert {STAGES[stages[row, column]] for row in (0, -1) for column in (0, -1)} == {"corner"}
    assert STAGES[stages[0, SIDE // 2]] in ("edge", "joint")
    assert STAGES[find_window_stages(World(PIPES, 0, 40, radius=5).plan, 0, 0)[20, 20]] == "interior"


def test_stages_show_what_stayed():
    world = World(PIPES, 3, SIDE)
    whole = find_stages(world, -SIDE, 0, 3 * SIDE, 2 * SIDE)
    part = find_stages(world, -5, 3, SIDE + 9, SIDE)
    assert (part == whole[3 : 3 + SIDE, SIDE - 5 : 2 * SIDE + 4]).all()
    interior = STAGES.index("interior")
    assert (whole[0] != interior).all()  # the border itself
    assert (whole[:, SIDE] != interior).all()
    assert (whole == interior).sum() > 6 * (find_window_stages(world.plan, 0, 0) == interior).sum()


@pytest.mark.parametrize("tiles", [PIPES, HEX_RIVERS], ids=["square", "hex"])
def test_seams_and_stages_are_drawn_over_the_same_map(tiles):
    world = World(tiles, 7, SIDE)
    solution = world.solution(-SIDE, 0, 2 * SIDE, SIDE)
    plain = draw_world(world, solution, -SIDE, 0, tile_size=6)
    seams = draw_world(world, solution, -SIDE, 0, tile_size=6, seams=True)
    both = draw_world(world, solution, -SIDE, 0, tile_size=6, seams=True, stages=True)
    assert plain.size == seams.size == both.size
    changed = [(np.asarray(plain) != np.asarray(other)).any(axis=2).mean() for other in (seams, both)]
    assert 0 < changed[0] < 0.1 < changed[1]


def test_a_view_scrolls_from_one_corner_to_the_other():
    world = World(PIPES, 7, SIDE)
    picture = draw_world(world, world.solution(0, 0, SIDE, SIDE), 0, 0, tile_size=4)
    frames = list(Scroll(picture, 5, (20, 10)))
    assert [frame.size for frame in frames] == [(20, 10)] * 5
    whole = np.asarray(picture.convert("RGB"))
    assert (np.asarray(frames[0]) == whole[:10, :20]).all()
    assert (np.asarray(frames[-1]) == whole[-10:, -20:]).all()
    with pytest.raises(wf.ConfigError, match="at least 2 frames"):
        Scroll(picture, 1)
