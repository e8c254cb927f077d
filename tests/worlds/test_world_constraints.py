"""Constraints in worlds: they hold everywhere, or the world says why they cannot."""

from itertools import combinations

import numpy as np
import pytest

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.worlds import World
from wavefold.worlds.plan import INTERIOR, Plan
from wavefold.worlds.world_constraints import find_reach, find_violations

FREE = wf.TileSet([wf.Tile("grass", tuple("xxxx"), 4.0), wf.Tile("tree", tuple("xxxx"))])
SIZE = 96
STAGES = {1: 0, 2: 1, 3: 1, 5: 2, 6: 2, 7: 2, 8: 2, 4: 3}  # windows of equal numbers are solved independently


def make_world(*constraints, seed=5, chunk=32, **options):
    options = {"refine": 2} | options
    return World(FREE, seed, chunk, constraints=constraints, **options)


def trees(world):
    return world.region(-7, -9, SIZE, SIZE) == 1


def pairs_within(marks, distance):
    """Pairs of marked cells at most so many steps apart, the slow way."""
    cells = np.argwhere(marks)
    steps = np.abs(cells[:, None] - cells[None]).sum(axis=-1)
    return int(((steps <= distance) & (steps > 0)).sum()) // 2


def longest_run(marks):
    longest = 0
    for rows in (marks, marks.T):
        for row in rows:
            longest = max(longest, *map(len, "".join("x" if each else " " for each in row).split(" ")))
    return longest


def areas(marks):
    """The sizes of connected areas that do not touch the border."""
    left, sizes = {tuple(cell) for cell in np.argwhere(marks).tolist()}, []
    while left:
        line, area = [left.pop()], set()
        while line:
            row, column = line.pop()
            area.add((row, column))
            for other in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if other in left:
                    left.remove(other)
                    line.append(other)
        if all(0 < each < len(marks) - 1 for cell in area for each in cell):
            sizes.append(len(area))
    return sizes


@compiled_only
@pytest.mark.parametrize("refine", [False, 2])
def test_trees_are_apart_everywhere(refine):
    world = make_world(wf.Separation("tree", 5), refine=refine)
    assert pairs_within(trees(world), 4) == 0
    assert trees(world).sum() > SIZE * SIZE / 60
    assert not wf.check(world, -7, -9, SIZE, SIZE)


@compiled_only
def test_runs_are_short_everywhere():
    world = make_world(wf.MaxRun("tree", 2), wf.MaxRun("grass", 5))
    region = world.region(-7, -9, SIZE, SIZE)
    assert longest_run(region == 1) == 2
    assert longest_run(region == 0) == 5


@compiled_only
def test_rooms_have_their_sizes_everywhere():
    world = make_world(wf.Room("tree", 3, 5), chunk=64)
    sizes = areas(trees(world))
    assert set(sizes) == {3, 4, 5}
    assert not wf.check(world, -7, -9, SIZE, SIZE)


@compiled_only
def test_a_chunk_does_not_depend_on_earlier_chunks():
    one, other = (make_world(wf.Separation("tree", 4), refine=False) for _ in range(2))
    positions = [(0, 0), (1, 0), (0, 1), (-1, -1)]
    chunks = [one.chunk(*each).tobytes() for each in positions]
    assert [other.chunk(*each).tobytes() for each in positions[::-1]] == chunks[::-1]


@pytest.mark.parametrize("reach", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("more", [0, 1, 2, 9, 40])
def test_windows_see_all_that_they_could_contradict(reach, more):
    plan = Plan.parse(max(4, 4 * reach + 3) + more, reach=reach)
    windows = [plan.interior(i, j) for j in range(-1, 3) for i in range(-1, 3)]
    windows = list(dict.fromkeys(each for window in windows for each in (*plan.needs(window), window)))
    for one, other in combinations(windows, 2):
        if gap(one, other) <= reach:
            early, late = sorted((one, other), key=lambda window: STAGES[window.stage])
            assert STAGES[early.stage] < STAGES[late.stage], (early, late)
            assert early in plan.needs(late), (early, late)
    assert all(window.width > 0 and window.height > 0 for window in windows)
    assert sum(window.stage == INTERIOR for window in windows) == 16


def gap(one, other):
    """How far two windows are apart, in steps that may be diagonal, as some are between hexagons."""
    across = max(one.x - other.x - other.width, other.x - one.x - one.width) + 1
    down = max(one.y - other.y - other.height, other.y - one.y - one.height) + 1
    return max(across, down)


@pytest.mark.parametrize(
    ("constraint", "reach"),
    [
        (wf.Separation("tree", 8), 7),
        (wf.PairSeparation("tree", "grass", 3), 2),
        (wf.MaxRun("tree", 4), 5),
        (wf.Parallel("tree", 3), 4),
        (wf.Room("tree", 3), 4),
        (wf.Room("tree", 3, 9), 10),
    ],
)
def test_constraints_reach_as_far_as_cells_that_break_them(constraint, reach):
    assert find_reach(FREE, (constraint,)) == reach


@pytest.mark.parametrize(
    "constraint",
    [
        wf.Count("tree", at_most=3),
        wf.Connected(tiles="tree"),
        wf.Border("tree"),
        wf.Area("tree", area=(0, 0, 2, 2)),
        wf.Mirror("vertical"),
        wf.Rotational(4),
    ],
)
def test_constraints_about_a_whole_map_are_refused(constraint):
    with pytest.raises(wf.ConfigError, match=r"whole map.*RoadNetwork"):
        make_world(constraint)


def test_what_does_not_fit_is_refused_with_numbers():
    with pytest.raises(wf.ConfigError, match=r"up to 9 apart.*chunks of at least 38 cells"):
        make_world(wf.Separation("tree", 10))
    with pytest.raises(wf.ConfigError, match="at most 256"):
        make_world(wf.Separation("tree", 301))
    with pytest.raises(wf.ConfigError, match="half width"):
        make_world(wf.Separation("tree", 5), radius=6, half_width=2)
    with pytest.raises(wf.ConfigError, match="cannot be combined"):
        World(PIPES, constraints=[wf.MaxRun("─", 3)], network=wf.RoadNetwork(sides="o"))
    with pytest.raises(wf.ConfigError, match="not a constraint"):
        World(PIPES, constraints=["far apart"])


def test_a_world_that_cannot_be_says_why():
    with pytest.raises(wf.WorldError, match=r"not even 1 x 2|not even 2 x 2 cells"):
        make_world(wf.MaxRun("tree", 1), wf.MaxRun("grass", 1), wf.Room("tree", 2))


def test_edits_keep_the_constraints():
    world = make_world(wf.Separation("tree", 4), refine=False)
    marks = world.region(0, 0, 32, 32)
    row, column = np.argwhere(marks == 1)[4].tolist()
    with pytest.raises(wf.WorldError, match=r"must be at least 4 steps apart"):
        world.edit({(column + 1, row): "tree"})
    assert (world.region(0, 0, 32, 32) == marks).all()
    world.edit({(column, row): "grass"})
    assert world.tile_at(column, row) == "grass"
    assert not wf.check(world, 0, 0, 32, 32)


@compiled_only
def test_a_saved_world_has_its_constraints(tmp_path):
    world = make_world(wf.Separation("tree", 4), wf.MaxRun("tree", 2), refine=False)
    world.save(tmp_path / "orchard.world")
    again = World.open(tmp_path / "orchard.world")
    assert again.constraints == world.constraints
    assert (again.chunk(0, 1) == world.chunk(0, 1)).all()
    with pytest.raises(wf.WorldError, match="constraints"):
        make_world(refine=False, store=tmp_path / "orchard.world")


def test_checking_finds_what_breaks_constraints():
    problem = wf.Problem(FREE, wf.SquareGrid(5, 5))
    patterns = np.zeros(25, int)
    patterns[[0, 12]] = 1
    assert find_violations(wf.Separation("tree", 5), problem, patterns)
    room = find_violations(wf.Room("tree", 2), problem, patterns)
    assert len(room) == 1  # the one in the corner may go on outside
    assert "column 2, row 2" in room[0]
    patterns[11] = 1
    assert not find_violations(wf.Room("tree", 2), problem, patterns)
    assert find_violations(wf.Room("tree", 1, 1), problem, patterns)
