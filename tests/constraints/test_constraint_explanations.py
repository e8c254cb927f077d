"""Constraints that contradict each other, pins or masks: named, and no more than it takes."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, LOOPS, PIPES, everything_touches

TWO = everything_touches([1, 1])


@pytest.mark.parametrize(
    ("constraints", "pins", "culprits"),
    [
        ([wf.Border("t1"), wf.MaxRun("t1", 2), wf.Room("t0", 2)], {}, [0, 1]),
        ([wf.Mirror(), wf.Count("t1", 2, 3), wf.Area("t1", (0, 0, 2, 2))], {}, [1, 2]),
        ([wf.Separation("t1", 3), wf.Room("t1", 2), wf.Count("t1", 1)], {}, [0, 1, 2]),
        ([wf.Parallel("t1", 0), wf.Count("t0", 0, 3), wf.Mirror()], {}, [0, 1]),
        ([wf.Room("t1", 3), wf.Separation("t0", 2)], {(0, 0): "t1", (1, 0): "t0", (0, 1): "t0"}, [0]),
        ([wf.Rotational(2), wf.Count("t1", 9)], {(0, 0): "t1", (3, 3): "t0"}, [0]),
        ([wf.Slope(np.arange(16), "t1", 1), wf.Count("t0", 2)], {(0, 0): "t1", (0, 1): "t1"}, [0]),
        ([wf.PairSeparation("t0", "t1", 2), wf.Count("t1", 2)], {(2, 2): "t1", (3, 3): "t0"}, [0]),
    ],
)
def test_a_smallest_set_that_cannot_hold_is_named(constraints, pins, culprits):
    problem = wf.Problem(TWO, wf.SquareGrid(4, 4), pins=pins, constraints=constraints)
    with pytest.raises(wf.Contradiction) as caught:
        wf.Solver(problem, search="exact").run()
    explanation = caught.value.explanation
    named = [each.item for each in explanation.requirements if each.kind == "constraint"]
    assert [constraints.index(each) for each in named] == culprits
    for each in named:
        assert each.message() in str(caught.value)
    for left_out in explanation.requirements:  # the rest can hold
        rest = [each for each in explanation.requirements if each is not left_out]
        kept = {problem.topology.coordinate(each.cell): each.item.name for each in rest if each.kind == "pin"}
        others = [each.item for each in rest if each.kind == "constraint"]
        fewer = wf.Problem(TWO, problem.topology, pins=kept, constraints=others)
        assert wf.check(fewer, wf.Solver(fewer, search="exact").run()) == []


def test_a_constraint_alone_may_contradict_the_rules():
    problem = wf.Problem(LOOPS, wf.SquareGrid(3, 3), constraints=[wf.Border("┌", "west")])
    with pytest.raises(wf.Contradiction, match=r"the constraint \".*at the west edge of the map\" alone"):
        wf.Solver(problem).run()


def test_a_checked_map_says_which_constraint_fails_and_where():
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 3), constraints=[wf.Border(" ", "north"), wf.MaxRun("─", 1)])
    free = wf.Solver(problem.replace(constraints=()), 5).run()
    texts = [each.text for each in wf.check(problem, free) if each.kind == "constraint"]
    assert any("' ' must be everywhere at the north edge of the map; wrong: column" in text for text in texts)


@pytest.mark.parametrize(
    "constraints",
    [
        [wf.Border(" ")],
        [wf.Separation("┼", 3), wf.Count("┼", 1, 4)],
        [wf.Room(" ", 2), wf.MaxRun("│", 2)],
    ],
    ids=repr,
)
def test_repaired_maps_satisfy_constraints(constraints):
    problem = wf.Problem(PIPES, wf.SquareGrid(7, 6), constraints=constraints)
    for seed in range(3):
        broken = wf.Solver(problem, seed).run().patterns.copy()
        broken[np.random.default_rng(seed).integers(0, 42, 5)] = PIPES.rules.names.index("┼")
        repaired = wf.repair(problem, broken, seed=seed)
        assert wf.check(problem, repaired.solution) == []


def test_every_search_respects_constraints():
    constraints = [wf.Separation("spring", 3), wf.Border("land", "east"), wf.Room("land", 2)]
    problem = wf.Problem(HEX_RIVERS, wf.HexGrid(3), constraints=constraints)
    for search in ("auto", "backtrack", "backjump", "repair", "restart", "exact"):
        assert wf.check(problem, wf.Solver(problem, 2, search=search).run(20_000)) == []
