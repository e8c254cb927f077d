"""Tiles that are some steps apart."""

from itertools import combinations

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PETERSEN, PIPES, colouring, everything_touches
from wavefold.constraints.separation import check_distance, find_nearby, measure_steps
from wavefold.testing import ConstraintContract


class TestSeparation(ConstraintContract):
    @pytest.fixture(
        params=[wf.Separation("┼", 3), wf.Separation(["│", "─"], 2), wf.PairSeparation("┼", " ", 2)], ids=repr
    )
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 3), constraints=[request.param])


class TestHexSeparation(ConstraintContract):
    @pytest.fixture(params=[wf.Separation("spring", 3), wf.PairSeparation("spring", "bend", 2)], ids=repr)
    def problem(self, request):
        return wf.Problem(HEX_RIVERS, wf.HexGrid(2), constraints=[request.param])


class TestSeparationInGraphs(ConstraintContract):
    @pytest.fixture
    def problem(self):
        return wf.Problem(colouring(4), PETERSEN, constraints=[wf.Separation("c0", 3)])


def test_chests_on_a_torus_are_apart_across_its_seams_too():
    tiles = everything_touches([9, 1], ["floor", "chest"])
    constraints = [wf.Separation("chest", 4), wf.Count("chest", 4)]
    grid = wf.SquareGrid(9, 8, wraps=True)
    for seed in range(5):
        solution = wf.generate(tiles, grid, seed=seed, constraints=constraints, refine=False)
        places = np.argwhere(solution.array == 1)
        for one, other in combinations(places.tolist(), 2):
            down, right = abs(one[0] - other[0]), abs(one[1] - other[1])
            assert min(down, 8 - down) + min(right, 9 - right) > 3


def test_distances_are_steps_around_walls():
    mask = np.array([[1, 1, 1], [1, 0, 1], [1, 0, 1]], bool)
    grid = wf.SquareGrid(3, 3, mask=mask)
    steps = measure_steps(grid, grid.cell_at((0, 2)))
    assert steps[grid.cell_at((2, 2))] == 6
    assert find_nearby(grid.graph().neighbour, grid.cell_at((0, 2)), 6)[grid.cell_at((2, 2))] == 6


@pytest.mark.parametrize(
    ("grid", "farthest"),
    [
        (wf.SquareGrid(5, 4), 7),
        (wf.SquareGrid(5, 4, wraps=True), 4),
        (wf.SquareGrid(6, 1, wraps=(True, False)), 3),
        (wf.HexGrid(2), 4),
        (wf.HexGrid.rhombus(4, 4), 6),
        (wf.CubeGrid(2, 3, 4), 6),
        (wf.Graph([(0, 1), (1, 2)]), 2),
    ],
    ids=str,
)
def test_a_distance_larger_than_the_map_is_refused(grid, farthest):
    check_distance(grid, farthest + 1)
    with pytest.raises(wf.ConfigError, match=rf"larger than the map.*at most {farthest} steps apart"):
        check_distance(grid, farthest + 2)


@pytest.mark.parametrize("distance", [0, -1, 1.5, True, "far"])
def test_distances_are_whole_numbers_above_0(distance):
    with pytest.raises(wf.ConfigError, match="distance must be a whole number of at least 1"):
        wf.Separation("chest", distance)
    with pytest.raises(wf.ConfigError, match="distance must be a whole number of at least 1"):
        wf.PairSeparation("chest", "exit", distance)


def test_a_violation_says_which_two():
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(4, 1))
    assert wf.Separation("t1", 3).violations(problem, np.array([0, 1, 0, 1])) == [
        "any two of 't1' must be at least 3 steps apart; at column 1, row 0 and column 3, row 0 they are 2"
    ]
    assert wf.PairSeparation("t0", "t1", 2).violations(problem, np.array([0, 0, 1, 1])) == [
        "'t0' and 't1' must be at least 2 steps apart; at column 1, row 0 and column 2, row 0 they are 1"
    ]


def test_a_separation_and_a_count_that_contradict_each_other_are_both_named():
    constraints = [wf.Separation("t1", 3), wf.Count("t1", 3), wf.Count("t0", 1)]
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(5, 1), constraints=constraints)
    with pytest.raises(wf.Contradiction) as caught:
        wf.Solver(problem).run()
    assert [each.item for each in caught.value.explanation.requirements] == constraints[:2]
    assert "'t1' must appear at least 3 times" in str(caught.value)
