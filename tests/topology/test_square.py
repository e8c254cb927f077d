"""Square grids: the contract on many of them, then what is special."""

from __future__ import annotations

import numpy as np
import pytest

from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.testing import LatticeContract
from wavefold.topology import CubeGrid, SquareGrid

RING = np.array([[True, True, True], [True, False, True], [True, True, True]])

GRIDS = [
    SquareGrid(1, 1),
    SquareGrid(1, 1, wraps=True),
    SquareGrid(2, 1, wraps=True),
    SquareGrid(5, 1),
    SquareGrid(4, 3),
    SquareGrid(4, 4, wraps=True),
    SquareGrid(5, 3, wraps=(True, False)),
    SquareGrid(3, 3, mask=RING),
    SquareGrid(3, 3, wraps=True, mask=RING),
    SquareGrid(3, 2, mask=[[False, False, True], [False, True, True]]),
]


class TestSquareGrid(LatticeContract):
    @pytest.fixture(params=GRIDS, ids=repr)
    def topology(self, request):
        return request.param


def neighbours(grid, coordinate):
    """Direction name -> coordinate, for the sides that lead somewhere."""
    row = grid.graph().neighbour[grid.cell_at(coordinate)]
    return {
        name: grid.coordinate(cell)
        for name, cell in zip(grid.directions, row.tolist(), strict=True)
        if cell != NOWHERE
    }


def test_cells_are_numbered_row_by_row():
    assert SquareGrid(3, 2).coordinates.tolist() == [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]


def test_rows_grow_southwards():
    around = {"north": (1, 0), "east": (2, 1), "south": (1, 2), "west": (0, 1)}
    assert neighbours(SquareGrid(3, 3), (1, 1)) == around


def test_the_arrays_are_the_documented_ones():
    graph = SquareGrid(2, 2).graph()
    assert graph.neighbour.tolist() == [[-1, 1, 2, -1], [-1, -1, 3, 0], [0, 3, -1, -1], [1, -1, -1, 2]]
    assert graph.opposite.tolist() == [2, 3, 0, 1]
    assert graph.rule.tolist() == [0, 1, 2, 3]


def test_a_grid_with_edges_has_nothing_beyond_them():
    assert neighbours(SquareGrid(3, 3), (0, 0)) == {"east": (1, 0), "south": (0, 1)}


def test_wrapping_joins_opposite_edges():
    around = {"north": (0, 1), "east": (1, 0), "south": (0, 1), "west": (2, 0)}
    assert neighbours(SquareGrid(3, 2, wraps=True), (0, 0)) == around


def test_one_axis_can_wrap_alone():
    assert neighbours(SquareGrid(3, 2, wraps=(True, False)), (0, 0)).keys() == {"east", "south", "west"}
    assert neighbours(SquareGrid(3, 2, wraps=(False, True)), (0, 0)).keys() == {"north", "east", "south"}


def test_a_wrapped_axis_of_length_one_makes_a_cell_its_own_neighbour():
    assert set(neighbours(SquareGrid(1, 1, wraps=True), (0, 0)).values()) == {(0, 0)}


def test_masked_cells_have_no_number_and_no_neighbours():
    grid = SquareGrid(3, 3, mask=RING)
    assert len(grid) == 8
    assert neighbours(grid, (1, 0)) == {"east": (2, 0), "west": (0, 0)}


def test_places_without_a_cell_hold_the_missing_value():
    grid = SquareGrid(3, 3, mask=RING)
    assert grid.to_array(np.arange(8, dtype=np.int32)).tolist() == [[0, 1, 2], [3, -1, 4], [5, 6, 7]]
    assert grid.to_array(np.arange(8), missing=99)[1, 1] == 99
    assert grid.to_array(list("abcdefgh"))[1, 1] == ""
    assert grid.to_array(np.full(8, "tile", object))[1, 1] is None
    assert grid.to_array([True] * 8).dtype == np.bool_


def test_an_array_keeps_its_type_when_the_type_can_hold_the_missing_value():
    full, ring = SquareGrid(3, 3), SquareGrid(3, 3, mask=RING)
    assert full.to_array(np.zeros(9, np.uint8)).dtype == np.uint8
    assert ring.to_array(np.zeros(8, np.int32)).dtype == np.int32
    assert ring.to_array(np.zeros(8, np.uint8), missing=0).dtype == np.uint8
    assert ring.to_array(np.zeros(8, np.uint8))[1, 1] == -1


def test_values_may_have_axes_of_their_own():
    assert SquareGrid(4, 3).to_array(np.zeros((12, 3))).shape == (3, 4, 3)


def test_a_wrong_number_of_values_is_refused():
    with pytest.raises(ConfigError, match=r"expected 12 values, one per cell, not shape \(11,\)"):
        SquareGrid(4, 3).to_array(np.zeros(11))


@pytest.mark.parametrize(
    ("corner", "order"),
    [
        ("northwest", [0, 1, 2, 3, 4, 5]),
        ("northeast", [2, 1, 0, 5, 4, 3]),
        ("southwest", [3, 4, 5, 0, 1, 2]),
        ("southeast", [5, 4, 3, 2, 1, 0]),
    ],
)
def test_a_scan_starts_at_its_corner_and_follows_rows(corner, order):
    assert SquareGrid(3, 2).scan(corner).tolist() == order


def test_an_unknown_corner_gets_a_suggestion():
    with pytest.raises(ConfigError, match=r"unknown corner 'nortwest'; did you mean 'northwest'\?"):
        SquareGrid(3, 2).scan("nortwest")


def test_the_spiral_starts_in_the_middle_and_goes_clockwise_from_north():
    assert SquareGrid(3, 3).spiral().tolist() == [4, 1, 5, 7, 3, 2, 8, 6, 0]


def test_centrality_is_exact_on_even_sizes():
    assert SquareGrid(2, 2).centrality.tolist() == [2, 2, 2, 2]
    assert SquareGrid(3, 2).centrality.tolist() == [5, 1, 5, 5, 1, 5]


def test_side_i_of_the_outline_faces_direction_i():
    grid = SquareGrid(3, 3)
    cell = grid.cell_at((1, 1))
    corners = np.array(grid.outline(cell))
    for side, neighbour in enumerate(grid.graph().neighbour[cell].tolist()):
        between = (np.array(grid.centre(cell)) + grid.centre(neighbour)) / 2
        assert np.allclose((corners[side] + corners[(side + 1) % 4]) / 2, between)


def test_grids_are_values():
    assert SquareGrid(4, 3) == SquareGrid(np.int64(4), 3, wraps=(False, False))
    assert SquareGrid(4, 3) != SquareGrid(4, 3, wraps=True)
    assert SquareGrid(3, 3, mask=RING) == SquareGrid(3, 3, mask=RING.tolist())
    assert SquareGrid(3, 3, mask=RING) != SquareGrid(3, 3)
    assert len({SquareGrid(3, 3, mask=RING), SquareGrid(3, 3, mask=RING.copy())}) == 1


def test_a_mask_can_be_handed_on_and_does_not_follow_later_changes():
    mask = RING.copy()
    grid = SquareGrid(3, 3, mask=mask)
    mask[:] = False
    assert SquareGrid(3, 3, wraps=True, mask=grid.mask).cell_count == 8


def test_a_grid_reads_as_it_was_written():
    assert repr(SquareGrid(64, 48)) == "SquareGrid(64, 48)"
    assert repr(SquareGrid(64, 48, wraps=True)) == "SquareGrid(64, 48, wraps=True)"
    assert repr(SquareGrid(3, 3, (True, False), RING)) == (
        "SquareGrid(3, 3, wraps=(True, False), mask=<8 of 9 cells>)"
    )


def test_a_cell_is_described_by_column_and_row():
    assert SquareGrid(4, 3).describe(7) == "column 3, row 1"


def test_coordinates_may_be_any_kind_of_whole_number():
    assert SquareGrid(4, 3).cell_at(np.array([3, 1])) == 7
    assert SquareGrid(4, 3).cell_at([np.int8(3), 1]) == 7


@pytest.mark.parametrize("coordinate", [5, (1,), (1, 2, 3), (1.0, 2), (True, 1), "12", None, ((1, 2), 3)])
def test_what_is_not_a_coordinate_is_refused(coordinate):
    with pytest.raises(ConfigError, match=r"must be \(column, row\) in whole numbers, not "):
        SquareGrid(4, 3).cell_at(coordinate)


@pytest.mark.parametrize("wraps", [False, True])
def test_a_coordinate_outside_says_what_is_inside(wraps):
    grid = SquareGrid(64, 48, wraps=wraps)
    with pytest.raises(ConfigError) as caught:
        grid.cell_at((70, 2))
    assert str(caught.value) == (
        "there is no cell at column 70, row 2: this grid has columns 0–63 and rows 0–47"
    )
    with pytest.raises(ConfigError, match="column 0, row -1"):
        grid.cell_at((0, -1))


def test_a_single_row_is_spoken_of_in_the_singular():
    with pytest.raises(ConfigError, match="this grid has columns 0–4 and only row 0"):
        SquareGrid(5, 1).cell_at((0, 1))


def test_a_masked_coordinate_says_so():
    with pytest.raises(ConfigError, match="no cell at column 1, row 1: the mask excludes it"):
        SquareGrid(3, 3, mask=RING).cell_at((1, 1))


@pytest.mark.parametrize("size", [0, -3, 2.0, True, "4", None])
@pytest.mark.parametrize("name", ["width", "height"])
def test_a_size_must_be_a_whole_number_from_one(name, size):
    sizes = {"width": 4, "height": 3} | {name: size}
    with pytest.raises(ConfigError) as caught:
        SquareGrid(**sizes)
    assert str(caught.value) == f"{name} must be a whole number: sizes start at 1; got {size!r}"


def test_a_grid_beyond_32_bit_numbers_is_refused():
    with pytest.raises(ConfigError, match="4,294,967,296 cells is too large"):
        SquareGrid(2**16, 2**16)


@pytest.mark.parametrize("wraps", ["xy", 1, (True,), (True, 1), None])
def test_wraps_must_be_truth_values(wraps):
    with pytest.raises(ConfigError, match=r"one of them for each axis \(x, y\); got "):
        SquareGrid(4, 3, wraps=wraps)


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (np.ones((4, 3), bool), r"mask has shape \(4, 3\) but this grid needs \(3, 4\) \(rows, columns\)"),
        (np.zeros((3, 4), bool), "the mask excludes all cells"),
        (np.ones((3, 4)), "got values of type float64"),
        ([[True], [True, False]], "all its rows must have the same length"),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(mask, message):
    with pytest.raises(ConfigError, match=message):
        SquareGrid(4, 3, mask=mask)


HOLLOW = np.ones((3, 3, 3), bool)
HOLLOW[1, 1, 1] = False

CUBES = [
    CubeGrid(1, 1, 1),
    CubeGrid(1, 1, 1, wraps=True),
    CubeGrid(2, 3, 4),
    CubeGrid(3, 2, 2, wraps=True),
    CubeGrid(4, 3, 2, wraps=(True, False, True)),
    CubeGrid(3, 3, 3, mask=HOLLOW),
    CubeGrid(3, 3, 3, wraps=True, mask=HOLLOW),
]


class TestCubeGrid(LatticeContract):
    @pytest.fixture(params=CUBES, ids=repr)
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
    with pytest.raises(ConfigError, match="column 1, row 1, layer 1: the mask excludes it"):
        grid.cell_at((1, 1, 1))


def test_a_cell_is_described_by_column_row_and_layer():
    grid = CubeGrid(2, 3, 1)
    assert grid.describe(grid.cell_at((1, 2, 0))) == "column 1, row 2, layer 0"


def test_the_outline_is_the_footprint():
    grid = CubeGrid(2, 2, 2)
    assert grid.outline(0) == grid.outline(4) == ((0, 0), (1, 0), (1, 1), (0, 1))


def test_a_coordinate_outside_a_cube_says_what_is_inside():
    with pytest.raises(ConfigError) as caught:
        CubeGrid(4, 3, 2).cell_at((0, 0, 2))
    assert str(caught.value) == (
        "there is no cell at column 0, row 0, layer 2: this grid has columns 0–3, rows 0–2 and layers 0–1"
    )


def test_two_coordinates_are_not_enough():
    with pytest.raises(ConfigError, match=r"must be \(column, row, layer\)"):
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


def test_cubes_are_values():
    assert CubeGrid(4, 3, 2) == CubeGrid(4, 3, 2, wraps=(False, False, False))
    assert hash(CubeGrid(4, 3, 2)) == hash(CubeGrid(4, 3, 2, wraps=(False, False, False)))
    assert CubeGrid(4, 3, 2) != CubeGrid(2, 3, 4)
    assert repr(CubeGrid(4, 3, 2, wraps=True)) == "CubeGrid(4, 3, 2, wraps=True)"
