"""Tiles in a row, and lines side by side."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PETERSEN, PIPES, TOWERS, colouring, everything_touches
from wavefold.constraints.line_limits import name_axes
from wavefold.testing import ConstraintContract


class TestMaxRun(ConstraintContract):
    @pytest.fixture(
        params=[wf.MaxRun("─", 1), wf.MaxRun(" ", 2, "vertical"), wf.MaxRun(["┼", "│"], 1, "y")], ids=repr
    )
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[request.param])


class TestParallel(ConstraintContract):
    @pytest.fixture(params=[wf.Parallel(["│", "┼"], 1), wf.Parallel(" ", 2)], ids=repr)
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[request.param])


class TestHexLines(ConstraintContract):
    @pytest.fixture(
        params=[wf.MaxRun("land", 2), wf.MaxRun("land", 1, "northeast"), wf.Parallel("land", 1)], ids=repr
    )
    def problem(self, request):
        return wf.Problem(HEX_RIVERS, wf.HexGrid(1), constraints=[request.param])


class TestLinesOfCubes(ConstraintContract):
    @pytest.fixture(params=[wf.MaxRun("air", 1, "z"), wf.Parallel("air", 1)], ids=repr)
    def problem(self, request):
        return wf.Problem(TOWERS, wf.CubeGrid(2, 2, 2), constraints=[request.param])


def longest_run(rows):
    return max((len(run) for row in rows for run in "".join(map(str, row)).split("0")), default=0)


def test_no_run_is_longer_in_rows_or_columns():
    problem = wf.Problem(everything_touches([1, 9]), wf.SquareGrid(12, 9), constraints=[wf.MaxRun("t1", 3)])
    for seed in range(5):
        array = wf.Solver(problem, seed, "entropy").run().array
        assert longest_run(array.tolist()) <= 3
        assert longest_run(array.T.tolist()) <= 3


def test_an_axis_leaves_the_other_free():
    rows_only = wf.MaxRun("t1", 2, "horizontal")
    problem = wf.Problem(everything_touches([1, 99]), wf.SquareGrid(9, 9), constraints=[rows_only])
    array = wf.Solver(problem, 1, "entropy").run().array
    assert longest_run(array.tolist()) == 2
    assert longest_run(array.T.tolist()) > 2


def test_no_two_lines_are_side_by_side_for_longer():
    problem = wf.Problem(everything_touches([1, 9]), wf.SquareGrid(12, 9), constraints=[wf.Parallel("t1", 2)])
    for seed in range(5):
        array = wf.Solver(problem, seed, "entropy").run().array
        for lines in (array, array.T):
            assert longest_run((lines[:-1] & lines[1:]).tolist()) <= 2


def test_a_run_around_a_torus_has_as_many_cells_as_the_torus():
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(4, 1, wraps=True))
    ring = np.array([1, 1, 1, 1])
    assert wf.MaxRun("t1", 4, "x").violations(problem, ring) == []
    assert wf.MaxRun("t1", 3, "x").violations(problem, ring) != []
    across = np.array([1, 0, 1, 1])
    assert wf.MaxRun("t1", 2, "x").violations(problem, across) == [
        "at most 2 of 't1' may be in a row (x); there are more from column 2, row 0 to the east"
    ]


def test_axes_have_several_names():
    assert set(name_axes(wf.SquareGrid(2, 2))) == {
        "north", "east", "south", "west", "horizontal", "vertical", "x", "y",
    }  # fmt: skip
    assert "vertical" not in name_axes(wf.HexGrid(1))
    assert "vertical" in name_axes(wf.HexGrid(1, "flat"))


@pytest.mark.parametrize("make", [wf.MaxRun, wf.Parallel])
@pytest.mark.parametrize("at_most", [-1, 0.5, None, True])
def test_limits_are_whole_numbers(make, at_most):
    with pytest.raises(wf.ConfigError, match="at_most must be a whole number of at least 0"):
        make("road", at_most)


def test_unknown_axes_and_cells_without_rows_are_refused():
    with pytest.raises(wf.ConfigError, match="did you mean 'vertical'"):
        wf.Problem(PIPES, wf.SquareGrid(3, 3), constraints=[wf.MaxRun("┼", 1, "vertcal")])
    with pytest.raises(wf.ConfigError, match="has no rows of cells"):
        wf.Problem(colouring(3), PETERSEN, constraints=[wf.MaxRun("c0", 1)])
