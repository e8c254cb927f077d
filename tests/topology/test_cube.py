"""Cubic grids: the contract on many of them, then what is special."""

import numpy as np
import pytest

from wavefold.errors import ConfigError
from wavefold.testing import LatticeContract
from wavefold.topology import CubeGrid

HOLLOW = np.ones((3, 3, 3), bool)
HOLLOW[1, 1, 1] = False

GRIDS = [
    CubeGrid(1, 1, 1),
    CubeGrid(1, 1, 1, wraps=True),
    CubeGrid(2, 3, 4),
    CubeGrid(3, 2, 2, wraps=True),
    CubeGrid(4, 3, 2, wraps=(True, False, True)),
    CubeGrid(3, 3, 3, mask=HOLLOW),
    CubeGrid(3, 3, 3, wraps=True, mask=HOLLOW),
]


class TestCubeGrid(LatticeContract):
    @pytest.fixture(params=GRIDS, ids=repr)
    def topology(self, request):
        return request.param


def test_cells_are_numbered_layer_by_layer_then_row_by_row():
    grid = CubeGrid(2, 2, 2)
    assert grid.coordinates[:5].tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert grid.shape == (2, 2, 2)
    assert CubeGrid(4, 3, 2).shape == (2, 3, 4)


def test_six_neighbours_stand_where_their_names_say():
    grid = CubeGrid(3, 3, 3)
    around = [grid.coordinate(cell) for cell in grid.graph().neighbour[grid.cell_at((1, 1, 1))]]
    assert around == [(1, 0, 1), (2, 1, 1), (1, 2, 1), (0, 1, 1), (1, 1, 2), (1, 1, 0)]
    assert grid.directions == ("north", "east", "south", "west", "up", "down")
    assert grid.graph().opposite.tolist() == [2, 3, 0, 1, 5, 4]


def test_each_axis_wraps_on_its_own():
    neighbour = CubeGrid(3, 3, 3, wraps=(False, False, True)).graph().neighbour[0]
    assert neighbour.tolist() == [-1, 1, 3, -1, 9, 18]


def test_a_scan_turns_within_layers_and_climbs():
    assert CubeGrid(2, 2, 2).scan("southeast").tolist() == [3, 2, 1, 0, 7, 6, 5, 4]


def test_the_spiral_starts_in_the_middle_and_ends_in_the_corners():
    order = CubeGrid(3, 3, 3).spiral().tolist()
    assert order[0] == 13
    assert order[1:7] == [4, 10, 14, 16, 12, 22]  # below, then clockwise, then above
    assert set(order[-8:]) == {0, 2, 6, 8, 18, 20, 24, 26}


def test_a_hollow_cube_has_no_cell_inside():
    grid = CubeGrid(3, 3, 3, mask=HOLLOW)
    assert len(grid) == 26
    assert grid.to_array(np.arange(26))[1, 1, 1] == -1
    with pytest.raises(ConfigError, match="column 1, row 1, layer 1: the mask leaves it out"):
        grid.cell_at((1, 1, 1))


def test_a_cell_is_described_by_column_row_and_layer():
    grid = CubeGrid(2, 3, 1)
    assert grid.describe(grid.cell_at((1, 2, 0))) == "column 1, row 2, layer 0"


def test_the_outline_is_the_footprint():
    grid = CubeGrid(2, 2, 2)
    assert grid.outline(0) == grid.outline(4) == ((0, 0), (1, 0), (1, 1), (0, 1))


def test_a_coordinate_outside_says_what_is_inside():
    with pytest.raises(ConfigError) as caught:
        CubeGrid(4, 3, 2).cell_at((0, 0, 2))
    assert str(caught.value) == (
        "there is no cell at column 0, row 0, layer 2: this grid has columns 0–3, rows 0–2 and layers 0–1"
    )


def test_two_coordinates_are_not_enough():
    with pytest.raises(ConfigError, match=r"is written \(column, row, layer\)"):
        CubeGrid(4, 3, 2).cell_at((0, 0))


@pytest.mark.parametrize("depth", [0, -1, 1.0, False])
def test_a_depth_must_be_a_whole_number_from_one(depth):
    with pytest.raises(ConfigError, match="depth must be a whole number: sizes start at 1"):
        CubeGrid(4, 3, depth)


def test_a_flat_mask_is_refused():
    with pytest.raises(ConfigError, match=r"needs \(2, 3, 4\) \(layers, rows, columns\)"):
        CubeGrid(4, 3, 2, mask=np.ones((3, 4), bool))


def test_a_pair_of_wraps_is_refused():
    with pytest.raises(ConfigError, match=r"for each axis \(x, y, z\)"):
        CubeGrid(4, 3, 2, wraps=(True, True))


def test_grids_are_values():
    assert CubeGrid(4, 3, 2) == CubeGrid(4, 3, 2, wraps=(False, False, False))
    assert hash(CubeGrid(4, 3, 2)) == hash(CubeGrid(4, 3, 2, wraps=(False, False, False)))
    assert CubeGrid(4, 3, 2) != CubeGrid(2, 3, 4)
    assert repr(CubeGrid(4, 3, 2, wraps=True)) == "CubeGrid(4, 3, 2, wraps=True)"
