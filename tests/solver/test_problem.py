"""Problems are frozen; `replace` and `part` make others."""

import copy
import pickle

import numpy as np
import pytest

import wavefold as wf
from support import CHESS, PIPES
from wavefold.solver.problem import Pin


def test_a_problem_is_frozen():
    masks = np.ones(2, bool)
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), masks=masks, weights=[1.0, 2.0])
    with pytest.raises(AttributeError, match=r"use problem.replace\(masks=...\)"):
        problem.masks = None
    for array in (problem.masks, problem.weights, problem.domains):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    masks[:] = False  # the caller's own array stays writable, and is not looked at again
    assert problem.masks.all()


def test_replace_changes_what_is_named_and_nothing_else():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), {(0, 0): "white"})
    assert problem.domains.tolist() == [[1], [3]]
    other = problem.replace(pins=(Pin(1, "white", np.array([0])),))
    assert other.domains.tolist() == [[3], [1]]
    assert problem.domains.tolist() == [[1], [3]]
    assert other.tiles is problem.tiles
    assert other.replace(pins=()).domains.tolist() == [[3], [3]]
    with pytest.raises(TypeError, match="cannot replace topology"):
        problem.replace(topology=wf.SquareGrid(1, 1))


def test_a_part_has_the_domains_and_neighbours_of_the_whole():
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 4), {(1, 1): "┼"})
    part = problem.part(np.array([5, 6, 9]))
    assert (part.domains == problem.domains[[5, 6, 9]]).all()
    assert part.graph.neighbour.max() == 2
    solution = wf.Solver(part, 1).run()
    assert problem.rules.names[solution.patterns[0]] == "┼"


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))]
)
def test_copies_solve_alike(duplicate):
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 4), {(1, 1): "┼"})
    expected = wf.Solver(problem, 3).run().patterns
    assert (wf.Solver(duplicate(problem), 3).run().patterns == expected).all()
