"""Ways from starts to goals: the contract, brute force, and what is special."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import PIPES, brute_force, everything_touches
from wavefold.testing import ConstraintContract
from wavefold.tiles import Relation

BRIDGES = wf.TileSet(
    [
        wf.Tile("grass", ("g",) * 4),
        wf.Tile("road", ("r", "g", "r", "g"), symmetry="I"),
        wf.Tile("bridge", ("r",) * 4, meets=(("north", "south"), ("east", "west"))),
        wf.Tile("gate", ("r", "g", "g", "g"), symmetry="T"),
    ]
)


class TestReach(ConstraintContract):
    @pytest.fixture(
        params=[
            {"start": (0, 0), "goal": (3, 3), "sides": "o"},
            {"start": (0, 0), "goal": [(3, 0), (0, 3)], "sides": "o", "at_most": 7},
            {"start": "┼", "goal": "└", "sides": "o"},
            {"start": "┼", "goal": "┼", "at_most": 4, "tiles": ["─", "│"]},
        ],
        ids=repr,
    )
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[wf.Reach(**request.param)])


def judge(maps, cells, width, most):
    """Of maps of t0, t1, t2 on a grid: whether t1 reaches every t2 over t0, by distances of all pairs."""
    held = []
    for each in maps:
        on = np.flatnonzero(np.array(each) <= 2)
        far = np.full((cells, cells), 99)
        far[on, on] = 0
        for a in on:
            for b in on:
                if abs(a % width - b % width) + abs(a // width - b // width) == 1:
                    far[a, b] = 1
        for k in on:
            far = np.minimum(far, far[:, [k]] + far[[k], :])
        starts, goals = np.flatnonzero(np.array(each) == 1), np.flatnonzero(np.array(each) == 2)
        held.append(bool((far[np.ix_(starts, goals)] <= most).all()))
    return held


@pytest.mark.parametrize("most", [None, 2])
def test_the_maps_that_hold_are_those_of_brute_force(most):
    tiles = everything_touches([1, 1, 1, 1])
    free = wf.Problem(tiles, wf.SquareGrid(3, 2))
    reach = wf.Reach("t1", "t2", at_most=most, tiles="t0")
    maps = brute_force(free)
    expected = judge(maps, 6, 3, 98 if most is None else most)
    # A start is joined with another start only through a goal, so that without one nothing is asked.
    assert [not reach.violations(free, np.array(each)) for each in maps] == expected
    problem = free.replace(constraints=(reach,))
    allowed = {tuple(each) for each, holds in zip(maps, expected, strict=True) if holds}
    for seed in range(30):
        assert tuple(wf.Solver(problem, seed).run().patterns.tolist()) in allowed


@pytest.mark.parametrize("ends", [("t1", (2, 0)), ((2, 0), "t1"), ("t1", [(0, 0), (2, 1)])])
def test_without_a_tile_to_start_from_given_cells_may_be_off_the_path(ends):
    problem = wf.Problem(
        everything_touches([1, 1]),
        wf.SquareGrid(3, 2),
        constraints=[wf.Reach(*ends, tiles="t1"), wf.Count("t1", 0, 0)],
    )
    solution = wf.Solver(problem).run()
    assert (solution.values == "t0").all()
    assert wf.check(problem, solution) == []


def test_a_given_goal_that_cannot_be_on_the_path_leaves_no_start():
    reach = wf.Reach("t1", (5, 5), tiles="t1")
    problem = wf.Problem(
        everything_touches([1, 9]), wf.SquareGrid(9, 9), pins={(5, 5): "t0"}, constraints=[reach]
    )
    solution = wf.Solver(problem, 1, "entropy").run()
    assert (solution.values == "t0").all()
    assert solution.stats.contradictions == 0


@given(st.integers(0, 2**32), st.sampled_from(["ac3", "ac4", "naive"]))
def test_bridges_lead_over_roads_without_joining_them(seed, propagation):
    reach = wf.Reach((0, 1), (2, 1), sides="r")
    apart = wf.Count("bridge", 1)
    pins = {(1, 0): "gate", (1, 2): "gate", (0, 1): "gate", (2, 1): "gate", (1, 1): "bridge"}
    problem = wf.Problem(BRIDGES, wf.SquareGrid(3, 3), pins=pins, constraints=[reach, apart])
    assert wf.check(problem, wf.Solver(problem, seed, propagation=propagation).run()) == []
    crossed = problem.replace(constraints=(wf.Reach((0, 1), (1, 0), sides="r"),))
    with pytest.raises(wf.Contradiction, match=r"\(1, 0\) must be reached from \(0, 1\)"):
        wf.Solver(crossed, seed, propagation=propagation).run()


def test_a_way_that_is_too_long_is_said_with_its_length():
    tiles = everything_touches([1, 1])
    problem = wf.Problem(tiles, wf.SquareGrid(4, 1))
    reach = wf.Reach((0, 0), (3, 0), at_most=2, tiles="t1")
    assert reach.violations(problem, np.array([1, 1, 1, 1])) == [
        "(3, 0) must be reached from (0, 0) along 't1' in at most 2 steps; "
        "the way from column 0, row 0 to column 3, row 0 takes 3 steps"
    ]
    assert "not possible" in reach.violations(problem, np.array([1, 0, 1, 1]))[0]
    assert "not on the path" in reach.violations(problem, np.array([1, 1, 1, 0]))[0]
    with pytest.raises(wf.Contradiction, match="must be reached"):
        wf.Solver(problem.replace(constraints=(reach,))).run()


def test_cells_of_a_graph_may_be_goals():
    graph = wf.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")])
    anything = Relation.from_allowed(np.ones((2, 2), bool))
    rules = wf.Rules(["t0", "t1"], [anything, anything])
    problem = wf.Problem(rules, graph, constraints=[wf.Reach("a", "c", tiles="t1")])
    assert wf.check(problem, wf.Solver(problem, 3).run()) == []


@pytest.mark.parametrize(
    ("reach", "culprit"),
    [
        (wf.Reach("t0", "t9", tiles="t1"), "t9"),
        (wf.Reach((0, 0), (9, 9), tiles="t1"), "9"),
        (wf.Reach((0, 0), (1, 0)), "a path needs tiles= "),
    ],
)
def test_invalid_arguments_are_refused(reach, culprit):
    with pytest.raises(wf.WavefoldError, match=culprit):
        wf.generate(everything_touches([1, 1]), wf.SquareGrid(3, 3), constraints=[reach])


def test_steps_are_a_whole_number():
    with pytest.raises(wf.ConfigError, match="whole number of at least 0, not -1"):
        wf.Reach((0, 0), (1, 0), at_most=-1, tiles="t1")
