"""Packages above ask a kind of grid what it can do; what it answers must agree with its grids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import wavefold as wf
from wavefold import plugins, topology
from wavefold.kernels.constants import NOWHERE
from wavefold.testing import LatticeContract
from wavefold.topology.base import CORNERS
from wavefold.topology.kinds import find_lattice

KINDS = ("square", "hex", "cube")


def test_hexagons_of_a_size_make_a_rectangle_unless_they_wrap():
    assert wf.HexGrid.of_size(6, 4) == wf.HexGrid.rectangle(6, 4)
    assert wf.HexGrid.of_size(6, 4, wraps=True) == wf.HexGrid.rhombus(6, 4, wraps=True)
    assert wf.HexGrid.of_width(7) == wf.HexGrid(radius=3)


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_cell_has_the_sides_of_its_kind(kind):
    cell = topology.single_cell(kind)
    assert cell.cell_count == 1
    assert len(cell.directions) == len(cell.steps)
    assert cell.graph().opposite.tolist() == list(cell.opposite_sides())


@pytest.mark.parametrize("kind", KINDS)
def test_distances_are_the_steps_of_a_shortest_way(kind):
    grid = topology.lattice_class(kind).of_width(7)
    middle = int(grid.spiral()[0])
    steps = np.full(grid.cell_count, -1)
    steps[middle], edge, far = 0, [middle], 0
    while edge:
        far += 1
        around = {int(cell) for cell in grid.graph().neighbour[edge].ravel() if cell >= 0 and steps[cell] < 0}
        steps[list(around)], edge = far, list(around)
    offsets = grid.coordinates - grid.coordinates[middle]
    assert [grid.distance(*offset) for offset in offsets.tolist()] == steps.tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("corner", CORNERS)
def test_sides_before_a_cell_are_those_scanned_before_it(kind, corner):
    grid = topology.box(kind, *(3 for _ in topology.lattice_class(kind).axes))
    turn = np.empty(grid.cell_count, np.int64)
    turn[grid.scan(corner)] = np.arange(grid.cell_count)
    middle = grid.cell_at(tuple(1 for _ in grid.axes))
    around = grid.graph().neighbour[middle]
    assert sorted(grid.sides_before(corner)) == np.flatnonzero(turn[around] < turn[middle]).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_neighbours_lie_one_apart_in_the_plane_or_in_space(kind):
    grid = topology.single_cell(kind)
    ways = np.array(grid.positions(grid.steps.T.astype(np.int64)))
    assert np.allclose((ways**2).sum(axis=0), 1)
    assert (grid.squared_length(*grid.steps.T) == 1).all()


def test_only_hexagons_have_neighbours_that_touch_each_other():
    assert [kind for kind in KINDS if topology.lattice_class(kind).neighbours_touch()] == ["hex"]


def test_graphs_and_unknown_kinds_are_no_grids():
    assert [topology.is_lattice(kind) for kind in (*KINDS, "graph", "octagon", 4)] == [True] * 3 + [False] * 3
    assert [topology.is_plane(kind) for kind in (*KINDS, "graph", 4)] == [True, True, False, False, False]
    with pytest.raises(wf.ConfigError, match="a graph is not a grid"):
        topology.box("graph", 3, 3)
    with pytest.raises(wf.PluginError, match="octagon"):
        topology.box("octagon", 3, 3)


@dataclass(frozen=True, repr=False)
class ZigzagGrid(wf.SquareGrid):
    """Cells in turn without a north and without a south side: triangles, but for their outlines."""

    kind = "zigzag"
    uniform = False

    def _neighbours(self):
        neighbour = super()._neighbours()
        odd = self.coordinates.sum(axis=1) % 2 == 1
        neighbour[odd, self.directions.index("south")] = NOWHERE
        neighbour[~odd, self.directions.index("north")] = NOWHERE
        return neighbour


@pytest.fixture
def listed(monkeypatch):
    """ZigzagGrid as another package would offer it."""
    monkeypatch.setitem(plugins.BUILT_IN["topology"], "zigzag", f"{__name__}:ZigzagGrid")
    find_lattice.cache_clear()
    yield
    find_lattice.cache_clear()


@pytest.mark.usefixtures("listed")
class TestZigzagGrid(LatticeContract):
    @pytest.fixture(params=[ZigzagGrid(1, 1), ZigzagGrid(5, 3), ZigzagGrid(4, 2, wraps=True)], ids=repr)
    def topology(self, request):
        return request.param


@pytest.mark.usefixtures("listed")
def test_what_needs_cells_with_all_sides_refuses_a_kind_that_is_not_uniform():
    tiles = wf.TileSet([wf.Tile("lawn", ("grass",) * 4)], "zigzag")
    assert topology.is_plane("zigzag")
    assert not topology.is_uniform_plane("zigzag")
    with pytest.raises(wf.WorldError, match="these are for zigzags"):
        wf.World(tiles)
    with pytest.raises(wf.TileSetError, match="zigzag cells do not"):
        wf.audit(tiles)
    with pytest.raises(wf.ConfigError, match="chunks with neighbours are SquareGrid"):
        wf.boundaries(tiles, ZigzagGrid(3, 3), north=["lawn"] * 3)


def test_a_kind_that_is_not_listed_fails_its_contract():
    with pytest.raises(AssertionError, match="list 'zigzag' in BUILT_IN"):
        LatticeContract().test_its_kind_is_listed(ZigzagGrid(2, 2))
