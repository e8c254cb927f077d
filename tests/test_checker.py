"""The independent checker finds whatever is wrong."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems
from support import APART, CHESS, PIPES, WORLDS, touching
from wavefold import checker


def kinds(problem, solution):
    return {violation.kind for violation in wf.check(problem, solution)}


@pytest.mark.parametrize("world", WORLDS)
def test_a_valid_map_has_no_violations(world):
    problem = WORLDS[world]()
    assert wf.check(problem, wf.Solver(problem, 0, "entropy").run()) == []


def test_a_broken_rule_is_reported_from_both_sides_in_words():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1))
    violations = wf.check(problem, np.array([0, 0]))
    assert [violation.cells for violation in violations] == [(0, 1), (1, 0)]
    assert violations[0].text == "'white' at column 0, row 0 may not have 'white' to the east"


@given(problems(), st.integers(0, 10**6))
def test_every_broken_rule_is_found_and_nothing_else(problem, salt):
    rng = np.random.default_rng(salt)
    patterns = rng.integers(0, len(problem.rules), problem.cell_count)
    allowed = problem.rules.allowed if problem.rules.relations else None
    expected = {
        (cell, other)
        for cell, other, relation in touching(problem)
        if not allowed[relation, patterns[cell], patterns[other]]
    }
    found = [violation for violation in wf.check(problem, patterns) if violation.kind == "rule"]
    assert {violation.cells for violation in found} == expected


def test_kinds_that_touch_themselves_are_found():
    problem = wf.Problem(APART, wf.SquareGrid(2, 1))
    same = int(np.flatnonzero(APART.kinds == 0)[0])
    assert kinds(problem, np.array([same, same])) == {"rule"}


def test_a_violated_pin_is_found():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), pins={(0, 0): "white"})
    (violation,) = wf.check(problem, np.array([1, 0]))
    assert violation == ("pin", (0,), "column 0, row 0 is pinned to 'white' but holds 'black'")


def test_a_violated_mask_is_found():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), masks=[[True, False], [True, True]])
    (violation,) = wf.check(problem, np.array([1, 0]))
    assert violation == ("mask", (0,), "the mask forbids 'black' at column 0, row 0")


def test_a_mask_for_all_cells_is_checked_too():
    problem = wf.Problem(CHESS, wf.SquareGrid(1, 1), masks=[False, True])
    assert kinds(problem, np.array([0])) == {"mask"}


def test_a_constraint_that_does_not_hold_is_found():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), constraints=[wf.Count("white", 2)])
    (violation,) = wf.check(problem, np.array([1, 0]))
    assert violation.kind == "constraint"
    assert "it appears 1 time" in violation.text


@pytest.mark.parametrize("pattern", [-1, 2, 99])
def test_a_pattern_that_does_not_exist_is_found(pattern):
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1))
    (violation,) = wf.check(problem, np.array([0, pattern]))
    assert violation == ("pattern", (1,), f"column 1, row 0 does not hold a pattern of the rules: {pattern}")


@pytest.mark.parametrize(
    "patterns", [np.array([0]), np.zeros((2, 1), int), np.array([0.0, 1.0]), np.array(["white", "black"]), []]
)
def test_a_map_of_the_wrong_size_or_type_is_found(patterns):
    assert kinds(wf.Problem(CHESS, wf.SquareGrid(2, 1)), patterns) == {"size"}


def test_a_solution_of_another_problem_is_found():
    solution = wf.generate(CHESS, wf.SquareGrid(3, 3))
    assert kinds(wf.Problem(CHESS, wf.SquareGrid(2, 2)), solution) == {"size"}


@pytest.mark.parametrize("world", WORLDS)
def test_one_changed_cell_is_found_unless_it_really_fits(world):
    problem = WORLDS[world]()
    solution = wf.Solver(problem, 0, "entropy").run()
    rng = np.random.default_rng(3)
    allowed = problem.rules.allowed
    for _ in range(20):
        patterns = solution.patterns.copy()
        changed = int(rng.integers(patterns.size))
        patterns[changed] = rng.integers(len(problem.rules))
        fits = all(
            allowed[relation, patterns[cell], patterns[other]] for cell, other, relation in touching(problem)
        )
        assert (wf.check(problem, patterns) == []) == fits


def test_at_most_a_thousand_violations_are_listed():
    problem = wf.Problem(CHESS, wf.SquareGrid(40, 40))
    assert len(wf.check(problem, np.zeros(1600, int))) == 1000


def test_several_kinds_of_violation_are_reported_together():
    problem = wf.Problem(
        PIPES,
        wf.SquareGrid(2, 1),
        pins={(0, 0): "┼"},
        masks=[name != "─" for name in PIPES.rules.names],
        constraints=[wf.Count("┼", 2)],
    )
    assert kinds(problem, np.array([1, 0])) == {"rule", "pin", "mask", "constraint"}


def test_a_constraint_that_cannot_be_checked_is_refused():
    class Silent:
        def prune(self, view):
            pass

    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), constraints=[Silent()])
    with pytest.raises(wf.ConfigError, match="cannot be checked"):
        wf.check(problem, np.array([0, 1]))


def test_the_checker_shares_no_code_with_the_solver():
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert not [name for name in imported if name.startswith(("wavefold.solver", "wavefold.kernels"))]
    assert "numpy" in imported
