"""Hexagonal grids: the contract on every form and layout, then what is special."""

import numpy as np
import pytest

from wavefold.errors import ConfigError
from wavefold.kernels.constants import NOWHERE
from wavefold.testing import LatticeContract
from wavefold.topology import HexGrid

NO_MIDDLE = np.ones((5, 5), bool)
NO_MIDDLE[2, 2] = False

GRIDS = [
    *(
        form
        for layout in ("pointy", "flat")
        for form in (
            HexGrid(1, layout),
            HexGrid(2, layout, NO_MIDDLE),
            HexGrid.rectangle(6, 5, layout),
            HexGrid.rhombus(5, 4, wraps=(False, True), layout=layout),
        )
    ),
    # What is special about these is the same in both layouts.
    HexGrid(0),
    HexGrid(4),
    HexGrid.rectangle(1, 1),
    HexGrid.rectangle(3, 8),
    HexGrid.rhombus(4, 3),
    HexGrid.rhombus(1, 1, wraps=True),
    HexGrid.rhombus(2, 2, wraps=True),
    HexGrid.rhombus(5, 5, wraps=True, mask=NO_MIDDLE),
]


class TestHexGrid(LatticeContract):
    @pytest.fixture(params=GRIDS, ids=repr)
    def topology(self, request):
        return request.param


@pytest.mark.parametrize(("radius", "cells"), [(0, 1), (1, 7), (2, 19), (8, 217)])
def test_a_disk_has_all_the_cells_of_its_rings(radius, cells):
    assert len(HexGrid(radius)) == cells
    distance = np.abs(np.column_stack([HexGrid(radius).coordinates, HexGrid(radius).coordinates.sum(axis=1)]))
    assert distance.max() == radius


def test_cells_are_numbered_by_r_then_q():
    around = [[0, -1], [1, -1], [-1, 0], [0, 0], [1, 0], [-1, 1], [0, 1]]
    assert HexGrid(1).coordinates.tolist() == around


def test_directions_are_clockwise_and_named_after_the_layout():
    assert HexGrid(1).directions == ("northeast", "east", "southeast", "southwest", "west", "northwest")
    flat = ("northeast", "southeast", "south", "southwest", "northwest", "north")
    assert HexGrid(1, "flat").directions == flat
    assert HexGrid(1).graph().opposite.tolist() == [3, 4, 5, 0, 1, 2]


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_the_middle_of_a_disk_sees_six_steps(layout):
    grid = HexGrid(1, layout)
    around = grid.graph().neighbour[grid.cell_at((0, 0))]
    assert grid.coordinates[around].tolist() == grid.steps.tolist()


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_side_i_of_the_outline_faces_direction_i(layout):
    grid = HexGrid(1, layout)
    cell = grid.cell_at((0, 0))
    corners = np.array(grid.outline(cell))
    for side, neighbour in enumerate(grid.graph().neighbour[cell].tolist()):
        between = (np.array(grid.centre(cell)) + grid.centre(neighbour)) / 2
        assert np.allclose((corners[side] + corners[(side + 1) % 6]) / 2, between)


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_neighbours_stand_where_their_names_say(layout):
    grid = HexGrid(1, layout)
    for name, cell in zip(grid.directions, grid.graph().neighbour[grid.cell_at((0, 0))], strict=True):
        x, y = grid.centre(cell)
        assert ("north" in name, "south" in name) == (y < -0.1, y > 0.1)
        assert ("east" in name, "west" in name) == (x > 0.1, x < -0.1)


def test_a_pointy_rectangle_has_a_straight_left_edge():
    grid = HexGrid.rectangle(6, 5)
    assert len(grid) == 30
    lefts = [min(grid.centre(c)[0] for c in range(30) if grid.coordinate(c)[1] == r) for r in range(5)]
    assert np.allclose(lefts, np.sqrt(3) * np.array([0, 0.5, 0, 0.5, 0]))
    assert grid.shape == (5, 8)


def test_a_flat_rectangle_has_a_straight_top_edge():
    grid = HexGrid.rectangle(5, 6, layout="flat")
    assert len(grid) == 30
    tops = [min(grid.centre(c)[1] for c in range(30) if grid.coordinate(c)[0] == q) for q in range(5)]
    assert np.allclose(tops, np.sqrt(3) * np.array([0, 0.5, 0, 0.5, 0]))
    assert grid.shape == (8, 5)


def test_a_wrapped_rhombus_has_no_edge():
    grid = HexGrid.rhombus(4, 3, wraps=True)
    assert (grid.graph().neighbour != NOWHERE).all()
    assert (np.bincount(grid.graph().neighbour.ravel()) == 6).all()
    corner = [grid.coordinate(cell) for cell in grid.graph().neighbour[grid.cell_at((0, 0))]]
    assert corner == [(1, 2), (1, 0), (0, 1), (3, 1), (3, 0), (0, 2)]


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_the_spiral_goes_ring_by_ring_clockwise(layout):
    grid = HexGrid(3, layout)
    order = grid.spiral()
    assert grid.coordinate(order[0]) == (0, 0)
    ring = [grid.centre(cell) for cell in order[1:7]]
    angles = [np.degrees(np.arctan2(x, -y)) % 360 for x, y in ring]
    assert angles == sorted(angles)


@pytest.mark.parametrize("grid", GRIDS, ids=repr)
def test_centrality_orders_cells_as_the_drawing_does(grid):
    low, high = grid.coordinates.min(axis=0), grid.coordinates.max(axis=0)
    q, r = (grid.coordinates - (low + high) / 2).T
    assert np.allclose(grid.centrality, 4 * (q * q + q * r + r * r))


def test_a_scan_follows_rows_of_q():
    scan = HexGrid(1).scan("southeast")
    assert HexGrid(1).coordinates[scan].tolist() == HexGrid(1).coordinates[::-1].tolist()
    assert HexGrid(1).scan("northeast").tolist() == [1, 0, 4, 3, 2, 6, 5]


def test_the_corners_of_the_box_around_a_disk_are_empty():
    assert HexGrid(1).to_array(np.arange(7)).tolist() == [[-1, 0, 1], [2, 3, 4], [5, 6, -1]]


def test_a_cell_is_described_by_q_and_r():
    grid = HexGrid(2)
    assert grid.describe(grid.cell_at((2, -1))) == "hex q=2, r=-1"


@pytest.mark.parametrize(
    ("grid", "outside", "reason"),
    [
        (HexGrid(8), (9, 0), "this disk has q, r and q + r from -8 to 8"),
        (HexGrid(8), (8, 8), "this disk has q, r and q + r from -8 to 8"),
        (HexGrid.rectangle(6, 5), (5, 4), "this rectangle has r from 0 to 4 and q + r // 2 from 0 to 5"),
        (
            HexGrid.rectangle(6, 5, "flat"),
            (0, -1),
            "this rectangle has q from 0 to 5 and r + q // 2 from 0 to 4",
        ),
        (HexGrid.rhombus(4, 3, wraps=True), (4, 0), "this rhombus has q from 0 to 3 and r from 0 to 2"),
        (HexGrid(2, mask=NO_MIDDLE), (0, 0), "the mask excludes it"),
    ],
)
def test_a_coordinate_outside_says_what_is_inside(grid, outside, reason):
    with pytest.raises(ConfigError) as caught:
        grid.cell_at(outside)
    q, r = outside
    assert str(caught.value) == f"there is no cell at hex q={q}, r={r}: {reason}"


def test_what_is_not_a_coordinate_is_refused():
    with pytest.raises(ConfigError, match=r"a cell of a hex grid must be \(q, r\).*not \(1, 0, -1\)"):
        HexGrid(2).cell_at((1, 0, -1))


@pytest.mark.parametrize("radius", [-1, 2.0, True, "8", None])
def test_a_radius_must_be_a_whole_number_from_zero(radius):
    with pytest.raises(ConfigError) as caught:
        HexGrid(radius)
    assert str(caught.value) == f"radius must be a whole number: a radius starts at 0; got {radius!r}"


@pytest.mark.parametrize("make", [HexGrid.rectangle, HexGrid.rhombus])
def test_a_rectangle_or_rhombus_has_sizes_from_one(make):
    with pytest.raises(ConfigError, match="width must be a whole number: sizes start at 1; got 0"):
        make(0, 3)
    with pytest.raises(ConfigError, match=r"height must be a whole number: sizes start at 1; got 2\.5"):
        make(3, 2.5)


def test_an_unknown_layout_gets_a_suggestion():
    with pytest.raises(ConfigError, match=r"unknown hex layout 'ponty'; did you mean 'pointy'\?"):
        HexGrid(2, "ponty")


def test_an_unknown_form_lists_the_known_ones():
    with pytest.raises(ConfigError, match="known: disk, rectangle, rhombus"):
        HexGrid(2, form="blob")


def test_only_a_rhombus_wraps():
    with pytest.raises(ConfigError, match=r"a hex disk cannot wrap; only HexGrid\.rhombus"):
        HexGrid(2, wraps=True)


def test_a_mask_of_the_wrong_shape_is_refused():
    with pytest.raises(ConfigError, match=r"mask has shape \(4, 4\) but this grid needs \(5, 5\)"):
        HexGrid(2, mask=np.ones((4, 4), bool))


def test_a_mask_that_only_keeps_places_outside_the_disk_leaves_no_cell():
    mask = np.zeros((5, 5), bool)
    mask[0, 0] = True
    with pytest.raises(ConfigError, match="the mask excludes all cells"):
        HexGrid(2, mask=mask)


def test_grids_are_values_and_read_as_they_were_written():
    assert HexGrid() == HexGrid(radius=8)
    assert HexGrid.rectangle(3, 2) != HexGrid.rhombus(3, 2)
    assert len({HexGrid.rhombus(3, 2), HexGrid.rhombus(3, 2, wraps=(False, False))}) == 1
    assert repr(HexGrid()) == "HexGrid(8)"
    assert repr(HexGrid(2, "flat", NO_MIDDLE)) == "HexGrid(2, layout='flat', mask=<24 of 25 cells>)"
    assert repr(HexGrid.rhombus(4, 3, wraps=True)) == "HexGrid.rhombus(4, 3, wraps=True)"
