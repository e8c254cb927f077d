"""Steps that are too steep."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PETERSEN, PIPES, everything_touches
from wavefold.testing import ConstraintContract
from wavefold.tiles import Relation

HILL = np.array([[0, 1, 2, 3], [1, 1, 3, 3], [0, 0, 0, 5]]) / 10


class TestSlope(ConstraintContract):
    @pytest.fixture(params=[wf.Slope("height", "┼", 0.1), wf.Slope("height", [" ", "│"], 0.2)], ids=repr)
    def problem(self, request):
        fields = wf.Fields(height=HILL)
        return wf.Problem(PIPES, wf.SquareGrid(4, 3), fields=fields, constraints=[request.param])


class TestSlopeOfAnArray(ConstraintContract):
    @pytest.fixture
    def problem(self):
        slope = wf.Slope(wf.Noise(0.3, seed=2), "bend", 0.2)
        return wf.Problem(HEX_RIVERS, wf.HexGrid(1), constraints=[slope])


class TestSlopeInGraphs(ConstraintContract):
    @pytest.fixture
    def problem(self):
        anything = Relation.from_allowed(np.ones((2, 2), bool))
        rules = wf.Rules(["low", "high"], [anything, anything])
        return wf.Problem(rules, PETERSEN, constraints=[wf.Slope(np.arange(10), "high", 4)])


def test_steps_of_just_the_limit_are_allowed_in_decimals():
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(3, 1))
    heights = np.array([0.1, 0.3, 0.6])  # 0.3 - 0.1 and 0.6 - 0.3 are not 0.2 and 0.3 in binary
    slope = wf.Slope(heights, "t1", 0.2)
    assert slope.violations(problem, np.array([1, 1, 0])) == []
    assert slope.violations(problem, np.array([0, 1, 1])) == [
        "the field may differ by at most 0.2 between touching cells of 't1'; "
        "it differs more between column 1, row 0 and column 2, row 0"
    ]
    assert wf.Slope(heights, "t1", 0.3).violations(problem, np.array([1, 1, 1])) == []


def test_steps_across_a_seam_count():
    slope = wf.Slope(np.array([0, 1, 2, 3]), "t1", 1)
    problem = wf.Problem(everything_touches([0.01, 1]), wf.SquareGrid(4, 1, wraps=True), constraints=[slope])
    for seed in range(5):
        patterns = wf.Solver(problem, seed).run().patterns
        assert not (patterns[0] and patterns[3])


def test_without_such_a_field_it_is_refused():
    grid = wf.SquareGrid(4, 3)
    with pytest.raises(wf.ConfigError, match="did you mean 'height'"):
        wf.Problem(PIPES, grid, fields=wf.Fields(height=HILL), constraints=[wf.Slope("hight", "┼", 1)])
    with pytest.raises(wf.ConfigError, match="define it with fields="):
        wf.Problem(PIPES, grid, constraints=[wf.Slope("height", "┼", 1)])


@pytest.mark.parametrize("at_most", [-0.1, "steep", float("nan"), None])
def test_limits_are_numbers_of_at_least_0(at_most):
    with pytest.raises(wf.ConfigError, match="at_most must be a number of at least 0"):
        wf.Slope("height", "road", at_most)
