"""Sizes of connected areas."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PETERSEN, PIPES, colouring, everything_touches
from wavefold.testing import ConstraintContract


class TestRoom(ConstraintContract):
    @pytest.fixture(params=[wf.Room("┼", 2), wf.Room(" ", largest=2), wf.Room(["│", "┼"], 2, 4)], ids=repr)
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[request.param])


class TestHexRooms(ConstraintContract):
    @pytest.fixture
    def problem(self):
        return wf.Problem(HEX_RIVERS, wf.HexGrid(2), constraints=[wf.Room("land", 3, 12)])


class TestRoomsInGraphs(ConstraintContract):
    @pytest.fixture
    def problem(self):
        return wf.Problem(colouring(3), PETERSEN, constraints=[wf.Room(["c0", "c1"], 2, 8)])


def measure_areas(inside):
    """How many cells each connected area has, where numbers spread until they are equal within each."""
    numbers = np.where(inside, np.arange(1, inside.size + 1).reshape(inside.shape), 0)
    before = None
    while before is None or (numbers != before).any():
        before, padded = numbers, np.pad(numbers, 1)
        around = [padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]]
        numbers = np.where(inside, np.maximum.reduce([numbers, *around]), 0)
    return np.bincount(numbers[inside])[np.unique(numbers[inside])].tolist()


def test_rooms_of_a_large_map_have_the_sizes_asked_for():
    tiles = everything_touches([1, 1], ["wall", "floor"])
    problem = wf.Problem(tiles, wf.SquareGrid(24, 18), constraints=[wf.Room("floor", 6, 40)])
    for seed in range(3):
        array = wf.Solver(problem, seed, "entropy").run().array
        sizes = measure_areas(array == 1)
        assert len(sizes) > 1
        assert min(sizes) >= 6
        assert max(sizes) <= 40


def test_areas_that_can_only_be_too_small_are_closed_at_the_root():
    tiles = everything_touches([1, 1])
    mask = np.array([[1, 1, 0, 1, 1, 1]], bool)
    problem = wf.Problem(tiles, wf.SquareGrid(6, 1, mask=mask), constraints=[wf.Room("t1", 3)])
    solver = wf.Solver(problem)
    assert solver.domain((0, 0)) == ["t0"]
    assert solver.domain((3, 0)) == ["t0", "t1"]


@pytest.mark.parametrize(
    ("sizes", "culprit"),
    [((0,), "at least 1, not 0"), ((1, 0), "at least 1, not 0"), ((3, 2), "they are 3 and 2")],
)
def test_sizes_that_make_no_sense_are_refused(sizes, culprit):
    with pytest.raises(wf.ConfigError, match=culprit):
        wf.Room("floor", *sizes)


def test_rooms_larger_than_the_map_are_refused():
    with pytest.raises(wf.ConfigError, match=r"rooms of 10 cells are larger than the map; .* has 9"):
        wf.Problem(PIPES, wf.SquareGrid(3, 3), constraints=[wf.Room("┼", 10)])


def test_a_violation_says_which_room():
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(4, 1))
    assert wf.Room("t1", 2).violations(problem, np.array([1, 1, 0, 1])) == [
        "each room of 't1' must have at least 2 cells; the one at column 3, row 0 has 1"
    ]
