"""The tile set "dungeon" can be played: all of it can be reached, from one entrance, to one exit."""

from collections import Counter

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only

OPEN = {"ff", "fr>", "fr<", "fw>", "fw<", "rr+"}  # sides that one can walk across
FURNISHED = ("floor", "exit", "chest", "pillar", "bones", "pots", "crack", "water", "pool")


def parts(near):
    """The connected parts of {place: places beside it}, as sets."""
    left = set(near)
    while left:
        part, line = set(), [left.pop()]
        while line:
            place = line.pop()
            part.add(place)
            line += left.intersection(near[place])
            left.difference_update(near[place])
        yield part


def faults(solution):
    """What is wrong with a map, by other means than those of the constraints."""
    tiles, names = solution.problem.tiles, solution.values
    walk, rooms, chests = {}, {}, []
    for (y, x), pattern in np.ndenumerate(solution.array):
        sockets = tiles.patterns[pattern].sockets
        near = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        if OPEN & set(sockets):
            walk[x, y] = [each for each, socket in zip(near, sockets, strict=True) if socket in OPEN]
        if names[y, x].startswith(FURNISHED):
            rooms[x, y] = near
        if names[y, x] == "chest":
            chests.append((x, y))
    counts = Counter(names.ravel().tolist())
    yield from ["several parts"] * (len(list(parts(walk))) > 1)
    yield from (f"{counts[name]} of {name}" for name in ("entrance", "exit") if counts[name] != 1)
    yield from ["too many chests"] * (len(chests) > 5)
    steps = [abs(a - c) + abs(b - d) for a, b in chests for c, d in chests if (a, b) < (c, d)]
    yield from ["chests side by side"] * (min(steps, default=99) < 10)
    sizes = [len(room) for room in parts(rooms)]
    yield from (f"a room of {size}" for size in sizes if not 4 <= size <= 80)
    rim = {*names[0], *names[-1], *names[:, 0], *names[:, -1]}
    yield from ["cut off by the edge"] * (rim != {"rock"})


@compiled_only
@pytest.mark.parametrize("refine", [False, "auto"])
def test_a_dungeon_can_be_played(refine):
    tiles, grid = wf.TileSet.load("dungeon"), wf.SquareGrid(32, 32)
    for seed in range(5):
        assert list(faults(wf.generate(tiles, grid, seed=seed, refine=refine))) == [], seed


@compiled_only
@pytest.mark.slow
def test_two_hundred_dungeons_can_be_played():
    tiles, grid = wf.TileSet.load("dungeon"), wf.SquareGrid(48, 48)
    for seed in range(200):
        assert list(faults(wf.generate(tiles, grid, seed=seed, refine=False))) == [], seed


@compiled_only
def test_on_a_map_that_wraps_only_the_border_is_left_out():
    problem = wf.Problem(wf.TileSet.load("dungeon"), wf.SquareGrid(16, 16, wraps=True))
    assert not any(isinstance(each, wf.Border) for each in problem.constraints)
    assert len(problem.constraints) == len(problem.tiles.constraints) - 1
    assert wf.check(problem, wf.Solver(problem, 1).run()) == []


def test_a_border_that_is_asked_for_on_a_map_that_wraps_is_an_error():
    tiles = wf.TileSet.load("dungeon")
    with pytest.raises(wf.ConfigError, match="wraps has no border"):
        wf.Problem(tiles, wf.SquareGrid(16, 16, wraps=True), constraints=[wf.Border("rock")])
