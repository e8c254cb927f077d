"""Paths in one piece."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import PIPES, brute_force, compiled_only, everything_touches
from wavefold.testing import ConstraintContract

ROADS = wf.TileSet(
    [
        wf.Tile("grass", sockets=("g", "g", "g", "g")),
        wf.Tile("road", sockets=("r", "g", "r", "g"), symmetry="I"),
        wf.Tile("bend", sockets=("r", "r", "g", "g"), symmetry="L"),
        wf.Tile("end", sockets=("r", "g", "g", "g"), symmetry="T"),
    ]
)


class TestConnectedTiles(ConstraintContract):
    @pytest.fixture(
        params=[{"tiles": "┼"}, {"tiles": ["┼", "│"]}, {"tiles": " ", "area": (0, 0, 3, 3)}], ids=repr
    )
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[wf.Connected(**request.param)])


class TestConnectedSides(ConstraintContract):
    @pytest.fixture(params=[{"sides": "r"}, {"sides": "r", "joins": [(0, 0), (3, 3)]}], ids=repr)
    def problem(self, request):
        return wf.Problem(ROADS, wf.SquareGrid(4, 4), constraints=[wf.Connected(**request.param)])


@cache
def every_road_map():
    free, connected = wf.Problem(ROADS, wf.SquareGrid(3, 2)), wf.Connected(sides="r")
    maps = np.array(brute_force(free))
    return free, connected, maps, np.array([not connected.violations(free, each) for each in maps])


@given(st.data(), st.sampled_from(["entropy", "scanline"]))
def test_a_search_finds_a_map_just_where_there_is_one(data, order):
    free, connected, maps, holds = every_road_map()
    cells = data.draw(st.lists(st.integers(0, 5), unique=True, max_size=4))
    chosen = maps[data.draw(st.integers(0, len(maps) - 1))]
    masks = np.ones((6, len(free.rules)), bool)
    masks[cells] = np.arange(len(free.rules)) == chosen[cells, None]
    fits = holds & (maps[:, cells] == chosen[cells]).all(axis=1)
    problem = wf.Problem(ROADS, free.topology, masks=masks, constraints=[connected])
    solver = wf.Solver(problem, data.draw(st.integers(0, 99)), order, search="exact")
    if not fits.any():
        with pytest.raises(wf.Contradiction):
            solver.run()
    else:
        assert solver.run().patterns.tolist() in maps[fits].tolist()


def test_cells_that_all_paths_need_are_forced_at_the_root():
    tiles = everything_touches([1, 1])  # t0 and t1
    mask = np.array([[1, 0, 1], [1, 1, 1], [1, 0, 1]], bool)
    grid = wf.SquareGrid(3, 3, mask=mask)
    pins = {(0, 0): "t1", (2, 2): "t1"}
    solver = wf.Solver(wf.Problem(tiles, grid, pins=pins, constraints=[wf.Connected(tiles="t1")]))
    solver.step()
    assert list(solver.domain((1, 1))) == ["t1"]


@compiled_only
def test_sides_listed_tile_by_tile_mean_the_same_as_sockets():
    listed = {}
    for pattern in ROADS.patterns:
        sides = [
            side for side, socket in zip(ROADS.directions, pattern.sockets, strict=True) if socket == "r"
        ]
        listed[pattern.name if "@" in pattern.name else f"{pattern.name}@0"] = sides
    free, connected, maps, holds = every_road_map()
    found = [not wf.Connected(sides=listed).violations(free, each) for each in maps]
    assert found == holds.tolist()
    rules = wf.Problem(ROADS, wf.SquareGrid(6, 6), constraints=[wf.Connected(sides=listed)])
    solution = wf.Solver(rules, seed=3).run()
    assert not connected.violations(rules, solution.patterns)


def test_a_side_that_cells_do_not_have_is_named():
    with pytest.raises(wf.TileSetError, match="there is no side 'up'"):
        wf.Solver(wf.Problem(ROADS, wf.SquareGrid(3, 3), constraints=[wf.Connected(sides={"road": "up"})]))


def test_a_cell_to_join_outside_the_area_is_refused():
    rule = wf.Connected("┼", joins=[(0, 0), (2, 1)], area=(0, 0, 3, 1))
    with pytest.raises(wf.ConfigError, match="joins: column 2, row 1 is outside the area"):
        wf.Problem(PIPES, wf.SquareGrid(3, 2), constraints=[rule])
