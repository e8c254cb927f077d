"""The contract of constraints."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import PluginError
from wavefold.kernels.host.bitsets import has_bit, pack_bits, unpack_bits
from wavefold.reports.checker import check
from wavefold.solver import Constraint, Problem, Solver, WaveView
from wavefold.solver.constraint import has_clauses
from wavefold.solver.explanation import explain
from wavefold.solver.sat.sat_encoding import SatFormula
from wavefold.solver.sat.sat_search import load_solver_class

SEEDS = range(4)
FREE_SEEDS = range(40)
Patterns = NDArray[np.int64]  # [cell]


class ConstraintContract:
    """Provide a `problem` fixture: a small solvable problem with only your constraint.

    class TestMirrored(ConstraintContract):
        @pytest.fixture
        def problem(self):
            return wf.Problem(tiles, wf.SquareGrid(4, 3), constraints=[Mirrored()])
    """

    def test_solved_maps_satisfy_the_constraint(self, problem: Problem) -> None:
        for seed in SEEDS:
            assert check(problem, Solver(problem, seed).run()) == []

    def test_pruning_a_solution_removes_nothing(self, problem: Problem) -> None:
        for patterns in solve_maps(problem):
            assert prune(problem, flag_patterns(problem, patterns)) == []

    def test_pruning_never_removes_a_pattern_of_a_solution(self, problem: Problem) -> None:
        (constraint,) = list_constraints(problem)
        random = np.random.default_rng(0)
        # Maps found with the constraint lack patterns that prune removes wrongly, so test others, too.
        by_chance = [each for each in solve_freely(problem) if not constraint.violations(problem, each)]
        for patterns in [*solve_maps(problem), *by_chance]:
            solution = flag_patterns(problem, patterns)
            for share in (0.1, 0.5, 0.9):
                possible = solution | (random.random(solution.shape) < share)
                for cell, removed in prune(problem, possible):
                    assert patterns[cell] not in removed

    def test_a_finished_map_violates_the_constraint_if_pruning_it_removes_something(
        self, problem: Problem
    ) -> None:
        (constraint,) = list_constraints(problem)
        for patterns in [*solve_maps(problem), *solve_freely(problem)]:
            violations = constraint.violations(problem, patterns)
            assert bool(violations) == bool(prune(problem, flag_patterns(problem, patterns)))

    def test_violations_are_sentences(self, problem: Problem) -> None:
        (constraint,) = list_constraints(problem)
        for patterns in solve_freely(problem):
            violations = constraint.violations(problem, patterns)
            assert isinstance(violations, list)
            assert all(isinstance(text, str) and text for text in violations)

    def test_pruning_depends_on_nothing_but_the_view(self, problem: Problem) -> None:
        everything = np.ones((problem.cell_count, len(problem.rules)), bool)
        first = prune(problem, everything)
        for patterns in solve_maps(problem):
            prune(problem, flag_patterns(problem, patterns))
        assert prune(problem, everything) == first

    def test_every_propagation_and_undo_gives_the_same_map(self, problem: Problem) -> None:
        maps = {
            tuple(Solver(problem, 1, "entropy", propagation, undo=undo).run().patterns.tolist())
            for propagation in ("ac3", "ac4", "naive")
            for undo in ("delta", "snapshot")
        }
        assert len(maps) == 1

    def test_explanations_quote_the_message(self, problem: Problem) -> None:
        (constraint,) = problem.constraints
        message = getattr(constraint, "message", constraint.__repr__)()
        assert isinstance(message, str)
        assert message.strip()
        alone = problem.replace(pins=(), masks=None)
        assert message in str(explain(alone, proved=True))  # as if a search had proved it

    def test_clauses_allow_just_the_maps_that_satisfy_the_constraint(self, problem: Problem) -> None:
        (constraint,) = list_constraints(problem)
        if not has_clauses(constraint):
            return
        with suppress(PluginError):  # python-sat is not installed
            assert check(problem, Solver(problem, 0, search="sat").run()) == []
            for patterns in [*solve_maps(problem), *solve_freely(problem)]:
                satisfied = not constraint.violations(problem, patterns)
                assert do_clauses_allow(problem, patterns) == satisfied

    def test_cuts_rule_out_a_wrong_map_and_no_right_one(self, problem: Problem) -> None:
        (constraint,) = list_constraints(problem)
        if not has_clauses(constraint, "cuts"):
            return
        cells = np.arange(problem.cell_count)
        maps = [each for each in solve_freely(problem) if has_bit(problem.domains, cells, each).all()]
        right = [*solve_maps(problem), *(each for each in maps if not constraint.violations(problem, each))]
        with suppress(PluginError):  # python-sat is not installed
            assert check(problem, Solver(problem, 0, search="sat").run()) == []
            for patterns in maps[:8]:
                is_wrong = bool(constraint.violations(problem, patterns))
                assert is_allowed_by_cuts(problem, patterns, patterns) != is_wrong
                assert all(is_allowed_by_cuts(problem, patterns, each) for each in right[:8])


def list_constraints(problem: Problem) -> tuple[Constraint, ...]:
    """The constraints of a problem; asserts that they have the methods for the checker."""
    found = tuple(each for each in problem.constraints if isinstance(each, Constraint))
    assert len(found) == len(problem.constraints), (
        "a constraint needs prune(view) and violations(problem, patterns)"
    )
    return found


def solve_maps(problem: Problem) -> list[Patterns]:
    """Solve the problem with a few seeds."""
    return [Solver(problem, seed).run().patterns for seed in SEEDS]


def solve_freely(problem: Problem) -> list[Patterns]:
    """Solve the problem without the constraint."""
    free = Problem(problem.rules, problem.topology)
    return [Solver(free, seed).run().patterns for seed in FREE_SEEDS]


def do_clauses_allow(problem: Problem, patterns: Patterns) -> bool:
    """Whether a finished map satisfies the clauses of the constraint, according to a SAT solver."""
    with load_solver_class()() as sat:
        formula = SatFormula(problem, flag_patterns(problem, patterns))
        for cell in range(problem.cell_count):
            sat.append_formula(list(formula.cell_clauses(cell)))
        sat.add_clause([-formula.never])
        (constraint,) = list_constraints(problem)
        sat.append_formula(list(constraint.clauses(problem, formula)))
        return bool(sat.solve())


def is_allowed_by_cuts(problem: Problem, found: Patterns, patterns: Patterns) -> bool:
    """Whether a map satisfies the cuts derived from another map, according to a SAT solver."""
    with load_solver_class()() as sat:
        (constraint,) = list_constraints(problem)
        formula = SatFormula(problem, np.ones((problem.cell_count, len(problem.rules)), bool))
        sat.append_formula(list(constraint.cuts(problem, found, formula)))
        sat.add_clause([-formula.never])
        chosen = flag_patterns(problem, patterns)
        for cell, pattern in np.argwhere(chosen).tolist():
            sat.add_clause([formula(cell, pattern)])
        for cell, pattern in np.argwhere(~chosen).tolist():
            sat.add_clause([-formula(cell, pattern)])
        return bool(sat.solve())


def flag_patterns(problem: Problem, patterns: Patterns) -> NDArray[np.bool_]:
    """A finished map as bool [cell, pattern]."""
    return np.asarray(patterns[:, None] == np.arange(len(problem.rules)))


def prune(problem: Problem, possible: NDArray[np.bool_]) -> list[tuple[int, list[int]]]:
    """Prune `possible` [cell, pattern], and return the removals as (cell, patterns)."""
    words = pack_bits(possible)
    view = WaveView(problem, words)
    problem.constraints[0].prune(view)
    assert (unpack_bits(words, len(problem.rules)) == possible).all(), "prune wrote into the wave itself"
    return [(cell, patterns.tolist()) for cell, patterns in view.removals]
