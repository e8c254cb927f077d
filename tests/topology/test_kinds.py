"""Packages above ask a kind of grid what it can do; what it answers must agree with its grids."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import wavefold as wf
from wavefold import topology
from wavefold.plugins import registry as plugins
from wavefold.render.tile_pictures import find_inside
from wavefold.testing import LatticeContract
from wavefold.tiles.orientation import get_ring
from wavefold.topology.base import CORNERS
from wavefold.topology.lattice import find_lattice_class
from wavefold_triangles.garden import garden
from wavefold_triangles.grid import TriangleGrid

KINDS = ("square", "hex", "cube")


def test_hexagons_of_a_size_make_a_rectangle_unless_they_wrap():
    assert wf.HexGrid.of_size(6, 4) == wf.HexGrid.rectangle(6, 4)
    assert wf.HexGrid.of_size(6, 4, wraps=True) == wf.HexGrid.rhombus(6, 4, wraps=True)
    assert wf.HexGrid.of_width(7) == wf.HexGrid(radius=3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_cell_has_the_sides_of_its_kind(kind):
    cell = topology.make_single_cell(kind)
    assert cell.cell_count == 1
    assert len(cell.directions) == len(cell.steps)
    assert cell.graph().opposite.tolist() == list(cell.opposite_sides())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("corner", CORNERS)
def test_sides_before_a_cell_are_those_scanned_before_it(kind, corner):
    grid = topology.make_box(kind, *(3 for _ in topology.get_lattice_class(kind).axes))
    turn = np.empty(grid.cell_count, np.int64)
    turn[grid.scan(corner)] = np.arange(grid.cell_count)
    middle = grid.cell_at(tuple(1 for _ in grid.axes))
    around = grid.graph().neighbour[middle]
    assert sorted(grid.sides_before(corner)) == np.flatnonzero(turn[around] < turn[middle]).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_every_step_has_length_one(kind):
    grid = topology.get_lattice_class(kind)
    assert (grid.squared_length(*grid.steps.T) == 1).all()


def test_only_hexagons_have_neighbours_that_touch_each_other():
    assert [kind for kind in KINDS if topology.get_lattice_class(kind).neighbours_touch()] == ["hex"]


def test_graphs_and_unknown_kinds_are_no_grids():
    assert [topology.is_lattice(kind) for kind in (*KINDS, "graph", "octagon", 4)] == [True] * 3 + [False] * 3
    assert [topology.is_plane(kind) for kind in (*KINDS, "graph", 4)] == [True, True, False, False, False]
    with pytest.raises(wf.ConfigError, match="a graph is not a grid"):
        topology.make_box("graph", 3, 3)
    with pytest.raises(wf.PluginError, match="octagon"):
        topology.make_box("octagon", 3, 3)


UP, DOWN = TriangleGrid.side_sets


@pytest.fixture
def listed(monkeypatch):
    """The grid of examples/plugin, as if it were ours; its own tests install it."""
    monkeypatch.setitem(plugins.BUILT_IN["topology"], "triangle", "wavefold_triangles.grid:TriangleGrid")
    find_lattice_class.cache_clear()
    yield
    for remembered in (find_lattice_class, topology.make_single_cell, get_ring):
        remembered.cache_clear()


@pytest.fixture
def triangles(listed):
    return garden()  # pytest fails if there is a warning


def test_a_spiral_of_triangles_is_round():
    grid = TriangleGrid(21, 13)
    centres = np.array([grid.centre(cell) for cell in grid.spiral()])
    distances = np.linalg.norm(centres - centres.mean(axis=0), axis=1)
    assert (np.maximum.accumulate(distances) - distances).max() < 1  # of two neighbours, either may be first


def test_tiles_stand_only_in_cells_that_point_their_way(triangles):
    patterns = Counter(each.tile.name for each in triangles.patterns)
    assert patterns == {"lawn": 2, "bend": 6, "pond": 1, "beach": 1}
    solution = wf.generate(triangles, TriangleGrid(12, 9), seed=3)
    assert wf.check(solution.problem, solution) == []
    for cell, number in enumerate(solution.patterns.tolist()):
        sides = tuple(np.flatnonzero(triangles.pattern_table.has_side[number]).tolist())
        assert sides == (UP, DOWN)[sum(solution.problem.topology.coordinate(cell)) % 2]
    assert {"lawn", "bend", "pond", "beach"} == {
        triangles.patterns[each].tile.name for each in solution.patterns
    }


def test_rules_about_neighbours_do_not_put_a_tile_into_a_cell_that_points_another_way(listed):
    tiles = wf.TileSet([wf.Tile("a", symmetry=(0, 60))], "triangle", beside=[wf.Beside("a", "a")])
    solution = wf.generate(tiles, TriangleGrid(4, 4))
    assert solution.array.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]] * 2


def test_triangles_are_saved_and_read_as_a_table_and_as_tiles(triangles, tmp_path):
    solution = wf.generate(triangles, TriangleGrid(6, 4), seed=1)
    solution.save(tmp_path / "map.csv")
    again = wf.read_map(tmp_path / "map.csv", triangles, topology=TriangleGrid(6, 4))
    assert again.patterns.tolist() == solution.patterns.tolist()
    triangles.save(tmp_path / "again.toml")
    assert wf.TileSet.load(tmp_path / "again.toml").rules.digest == triangles.rules.digest


def test_the_colour_of_a_triangle_is_that_inside_of_its_outline(listed):
    picture = np.zeros((30, 34, 3), np.uint8)
    picture[find_inside(np.array(TriangleGrid(1, 1).outline(0)), (30, 34))] = (200, 100, 50)
    tiles = wf.TileSet([wf.Tile("a", ("a",) * 3, symmetry="X", picture=picture)], "triangle")
    image = wf.generate(tiles, TriangleGrid(3, 3)).image()
    assert image.getpixel((image.width // 2, image.height // 2)) == (200, 100, 50, 255)


def test_what_does_not_suit_triangles_is_refused(listed):
    with pytest.raises(wf.TileSetError, match=r"3 sides \(northeast, south, northwest\)"):
        wf.TileSet([wf.Tile("a", ("a",) * 6)], "triangle")
    with pytest.raises(wf.TileSetError, match="half a turn"):
        wf.TileSet([wf.Tile("a", ("a",) * 3, symmetry="I")], "triangle")
    with pytest.raises(wf.ConfigError, match="multiples of 2"):
        TriangleGrid(3, 2, wraps=True)
    wrong = wf.TileSet(
        [wf.Tile("a", ("a", "b", "a"), symmetry="X"), wf.Tile("b", ("b",) * 3, symmetry="X")], "triangle"
    )
    assert wf.lint(wrong)[0].endswith("'T' would fit")


def test_what_needs_cells_with_all_sides_refuses_triangles(triangles):
    assert topology.is_plane("triangle")
    assert not topology.is_uniform_plane("triangle")
    with pytest.raises(wf.WorldError, match="these are triangle tiles"):
        wf.World(triangles)
    with pytest.raises(wf.TileSetError, match="triangle cells do not"):
        wf.audit(triangles)
    with pytest.raises(wf.ConfigError, match="topology must be a SquareGrid"):
        wf.boundaries(triangles, TriangleGrid(3, 3), north=["lawn"] * 3)


def test_a_kind_that_is_not_listed_fails_its_contract():
    class SecretGrid(TriangleGrid):
        kind = "secret"

    with pytest.raises(AssertionError, match="list 'secret' in BUILT_IN"):
        LatticeContract().test_its_kind_is_listed(SecretGrid(2, 2))
