"""What must be in an area, or at the edge of a map."""

import numpy as np
import pytest

import wavefold as wf
from support import CHESS, HEX_RIVERS, PIPES, TOWERS, colouring, everything_touches
from wavefold.constraints.placement import find_border
from wavefold.testing import ConstraintContract

MASK = np.zeros((3, 4), bool)
MASK[1, 1:3] = True
HOLE = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], bool)


class TestArea(ConstraintContract):
    @pytest.fixture(
        params=[
            wf.Area("┼", (1, 1, 2, 1)),
            wf.Area(["│", "┼"], MASK),
            wf.Area(" ", [(0, 0), (3, 0), (0, 2)], ban=True),
        ],
        ids=["rectangle", "mask", "polygon"],
    )
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 3), constraints=[request.param])


def test_an_area_is_part_of_the_domains():
    tiles = everything_touches([1, 1])
    problem = wf.Problem(tiles, wf.SquareGrid(3, 2), constraints=[wf.Area("t1", (0, 0, 2, 1))])
    solution = wf.Solver(problem, 1).run()
    assert solution.array[0, :2].tolist() == [1, 1]
    assert wf.Solver(problem).domain((0, 0)) == ["t1"]


def test_a_violation_says_where():
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 1))
    assert wf.Area("white", (1, 0, 1, 1)).violations(problem, np.array([0, 1, 0])) == [
        "'white' must be everywhere in the area (1, 0, 1, 1); wrong: column 1, row 0"
    ]
    assert wf.Area("white", (0, 0, 3, 1), ban=True).violations(problem, np.array([0, 1, 0])) == [
        "'white' must not be in the area (0, 0, 3, 1); wrong: column 0, row 0, column 2, row 0"
    ]


@pytest.mark.parametrize(
    ("constraint", "error", "culprit"),
    [
        (wf.Area("white", (2, 0, 5, 1)), wf.ConfigError, "outside of the map"),
        (wf.Area("white", (0, 0, 0, 1)), wf.ConfigError, "at least 1 x 1"),
        (wf.Area("wite", (0, 0, 1, 1)), wf.TileSetError, "did you mean 'white'"),
        (wf.Area("white", [[True]]), wf.ConfigError, "not an area of this map"),
    ],
)
def test_areas_that_are_no_part_of_the_map_are_refused(constraint, error, culprit):
    with pytest.raises(error, match=culprit):
        wf.Problem(CHESS, wf.SquareGrid(3, 1), constraints=[constraint])


def test_ban_is_true_or_false():
    with pytest.raises(wf.ConfigError, match="ban must be True or False"):
        wf.Area("white", (0, 0, 1, 1), ban="yes")


def test_an_area_and_a_pin_that_contradict_each_other_are_named():
    area = wf.Area("┼", (1, 1, 2, 2))
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 4), pins={(1, 1): " ", (3, 3): "│"}, constraints=[area])
    with pytest.raises(wf.Contradiction) as caught:
        wf.Solver(problem).run()
    found = [each.kind for each in caught.value.explanation.requirements]
    assert found == ["pin", "constraint"]
    assert "'┼' must be everywhere in the area (1, 1, 2, 2)" in str(caught.value)


class TestBorder(ConstraintContract):
    @pytest.fixture(
        params=[
            wf.Border(" "),
            wf.Border("┼", "corners"),
            wf.Border(["─", "│"], ["north", "west"]),
            wf.Border(" ", "south", ban=True),
        ],
        ids=repr,
    )
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 3), constraints=[request.param])


class TestHexBorder(ConstraintContract):
    @pytest.fixture(params=[wf.Border("land"), wf.Border("spring", "east")], ids=repr)
    def problem(self, request):
        return wf.Problem(HEX_RIVERS, wf.HexGrid(2), constraints=[request.param])


class TestCubeBorder(ConstraintContract):
    @pytest.fixture
    def problem(self):
        return wf.Problem(TOWERS, wf.CubeGrid(2, 2, 2), constraints=[wf.Border(["air", "roof"], "up")])


@pytest.mark.parametrize(
    ("grid", "side", "expected"),
    [
        (wf.SquareGrid(4, 3), "all", ["1111", "1001", "1111"]),
        (wf.SquareGrid(4, 3), "corners", ["1001", "0000", "1001"]),
        (wf.SquareGrid(4, 3), "east", ["0001", "0001", "0001"]),
        (wf.SquareGrid(4, 3, wraps=(True, False)), "all", ["1111", "0000", "1111"]),
        (wf.SquareGrid(5, 5, mask=np.pad(HOLE, 1, constant_values=True)), "all", None),
        (wf.SquareGrid(3, 1), "corners", ["101"]),
    ],
    ids=str,
)
def test_squares_at_the_border(grid, side, expected):
    found = find_border(grid, side)
    if expected is None:  # the four around the hole as well
        assert int(found.sum()) == 16 + 4
    else:
        assert grid.to_array(found).astype(int).astype(str).tolist() == [list(row) for row in expected]


@pytest.mark.parametrize(
    ("grid", "side", "number"),
    [
        (wf.HexGrid(2), "all", 12),
        (wf.HexGrid(2), "corners", 6),
        (wf.HexGrid(2), "east", 5),
        (wf.HexGrid.rhombus(4, 3), "corners", 4),
        (wf.HexGrid.rectangle(4, 1), "corners", 2),
        (wf.CubeGrid(3, 3, 3), "all", 26),
        (wf.CubeGrid(3, 4, 3), "corners", 8),
        (wf.CubeGrid(3, 3, 3), "up", 9),
    ],
    ids=str,
)
def test_how_many_cells_are_at_the_border(grid, side, number):
    assert int(find_border(grid, side).sum()) == number


@pytest.mark.parametrize(
    ("grid", "side", "culprit"),
    [
        (wf.SquareGrid(3, 3, wraps=True), "all", "a map that wraps has no border"),
        (wf.SquareGrid(3, 3, wraps=(True, False)), "corners", "has no corners"),
        (wf.SquareGrid(3, 3, wraps=(True, False)), "west", "no border to the west"),
        (wf.SquareGrid(3, 3), "nort", "did you mean 'north'"),
    ],
)
def test_borders_that_do_not_exist_are_refused(grid, side, culprit):
    with pytest.raises(wf.ConfigError, match=culprit):
        wf.Problem(CHESS, grid, constraints=[wf.Border("white", side)])


def test_a_graph_has_no_border():
    with pytest.raises(wf.ConfigError, match="a graph has no border"):
        wf.Problem(colouring(3), wf.Graph([(0, 1)]), constraints=[wf.Border("c0")])


def test_a_violation_names_the_sides_and_the_cells():
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(2, 2))
    border = wf.Border("t1", ["north", "corners"])
    assert border.violations(problem, np.array([1, 1, 1, 0])) == [
        "'t1' must be everywhere at the north edge and the corners of the map; wrong: column 1, row 1"
    ]
