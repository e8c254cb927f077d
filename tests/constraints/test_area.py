"""What must be in an area."""

import numpy as np
import pytest

import wavefold as wf
from support import CHESS, PIPES, everything_touches
from wavefold.testing import ConstraintContract

MASK = np.zeros((3, 4), bool)
MASK[1, 1:3] = True


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
        (wf.Area("white", (2, 0, 5, 1)), wf.ConfigError, "outside the map"),
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
