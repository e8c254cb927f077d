"""Rivers that run downhill: the contract, brute force, and the bundled set with heights."""

import numpy as np
import pytest

import wavefold as wf
from support import brute_force, compiled_only
from wavefold.testing import ConstraintContract

FORKS = [
    wf.Tile("grass", ("g",) * 4, levels=2),
    wf.Tile("river", ("g", "r", "g", "r"), levels=2, symmetry="I"),
    wf.Tile("river-slope", ("g", "r", "g", "r"), levels=2, rises=(0, 1, 0, 0), symmetry="turned"),
    wf.Tile("river-end", ("g", "r", "g", "g"), levels=2, symmetry="turned"),
    wf.Tile("river-fork", ("r", "r", "g", "r"), levels=2, symmetry="turned"),
]
HILLS = wf.TileSet(FORKS)
RIVER = ["river", "river-slope", "river-end", "river-fork"]


class TestDownhill(ConstraintContract):
    @pytest.fixture(params=[wf.SquareGrid(4, 3), wf.SquareGrid(4, 2, wraps=True)], ids=str)
    def problem(self, request):
        return wf.Problem(HILLS, request.param, constraints=[wf.Downhill(RIVER)])


def runs_off(problem, patterns, cell, height, before):
    """Whether water in a cell, not above a height, has a way that never rises: by trying all of them."""
    pattern = problem.tiles.patterns[patterns[cell]]
    sides = [side for side, socket in enumerate(pattern.sockets) if socket == "r"]
    if len(sides) == 1:
        return True
    for side in sides:
        other = int(problem.graph.neighbour[cell, side])
        if pattern.heights[side] > height:
            continue
        if other < 0:
            return True
        if other not in before and runs_off(
            problem, patterns, other, pattern.heights[side], {*before, other}
        ):
            return True
    return False


@pytest.mark.parametrize(
    "grid", [wf.SquareGrid(5, 1), wf.SquareGrid(3, 1, wraps=True), wf.SquareGrid(2, 2)], ids=str
)
def test_violations_are_those_that_trying_finds(grid):
    free, rule = wf.Problem(HILLS, grid), wf.Downhill(RIVER)
    maps = brute_force(free, 4000)
    holds = []
    for each in maps:
        rivers = [cell for cell, pattern in enumerate(each) if "r" in HILLS.patterns[pattern].sockets]
        lowest = {
            cell: min(h for h, socket in zip(shape.heights, shape.sockets, strict=True) if socket == "r")
            for cell in rivers
            for shape in [HILLS.patterns[each[cell]]]
        }
        holds.append(all(runs_off(free, each, cell, lowest[cell], {cell}) for cell in rivers))
    assert 0 < sum(holds) < len(maps)
    assert [not rule.violations(free, np.array(each)) for each in maps] == holds
    problem = free.replace(constraints=(rule,))
    for seed in range(20):
        assert wf.check(problem, wf.Solver(problem, seed).run()) == []


def test_a_valley_without_an_end_is_refused_and_named():
    down, up = "river-slope@180", "river-slope"
    pins = {(0, 0): down, (1, 0): "river", (2, 0): up}
    grid = wf.SquareGrid(3, 1)
    solution = wf.Solver(wf.Problem(HILLS, grid, pins=pins), 0).run()
    (text,) = wf.Downhill(RIVER).violations(solution.problem, solution.patterns)
    assert text.endswith("downhill, or level, to an end; from column 0, row 0 every way rises again")
    with pytest.raises(wf.Contradiction, match="downhill"):
        wf.Solver(wf.Problem(HILLS, grid, pins=pins, constraints=[wf.Downhill(RIVER)])).run()


@compiled_only
def test_rivers_of_the_bundled_set_run_downhill():
    tiles = wf.TileSet.load("medieval")
    rivers = [tile.name for tile in tiles.tiles if "river" in (tile.sockets or ())]
    problem = wf.Problem(tiles, wf.HexGrid(7), constraints=[wf.Downhill(rivers)])
    assert wf.check(problem, wf.Solver(problem, 4).run()) == []


def test_sides_that_other_tiles_show_are_asked_for():
    with pytest.raises(wf.ConfigError, match="name all tiles of the river, or its sockets with sides="):
        wf.Problem(HILLS, wf.SquareGrid(2, 2), constraints=[wf.Downhill("river")])
