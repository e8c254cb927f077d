"""Constraints of the user: what they see, what they may do, and what has a default."""

import numpy as np
import pytest

import wavefold as wf
from support import CHESS, everything_touches
from wavefold.solver.constraint import has_clauses
from wavefold.testing import ConstraintContract

TILES = everything_touches([1, 2, 3])


class Mirror:
    """The map is the same from left and right. Any object with these methods is a constraint."""

    def prune(self, view):
        rows = view.topology.to_array(np.arange(view.topology.cell_count))
        for cell, other in zip(rows.reshape(-1), rows[:, ::-1].reshape(-1), strict=True):
            view.remove(int(cell), np.flatnonzero(view.possible[cell] & ~view.possible[other]))

    def violations(self, problem, patterns):
        array = problem.topology.to_array(patterns)
        return [] if (array == array[:, ::-1]).all() else ["the map is not the same from left and right"]


def test_maps_satisfy_a_constraint_of_the_user():
    problem = wf.Problem(TILES, wf.SquareGrid(6, 4), constraints=[Mirror()])
    for search in ("auto", "repair", "exact"):
        solution = wf.Solver(problem, 2, "entropy", search=search).run(5000)
        assert wf.check(problem, solution) == []
        assert (solution.array == solution.array[:, ::-1]).all()


def test_a_view_cannot_be_used_to_add_removed_patterns():
    seen = []

    class Nosy:
        """Looks, and removes what is gone already."""

        def prune(self, view):
            seen.append((view.remaining.tolist(), view.graph.neighbour.shape, view.rules.names))
            view.remove(0, np.flatnonzero(~view.possible[0]))
            assert view.removals == []

        def violations(self, problem, patterns):
            return []

    wf.generate(CHESS, wf.SquareGrid(2, 2), constraints=[Nosy()])
    assert seen[0] == ([2, 2, 2, 2], (4, 4), ("white", "black"))
    assert seen[-1][0] == [1, 1, 1, 1]


def test_an_error_in_a_constraint_reaches_the_caller():
    class Broken:
        def prune(self, view):
            raise LookupError("on purpose")

    with pytest.raises(LookupError, match="on purpose"):
        wf.generate(CHESS, wf.SquareGrid(2, 2), constraints=[Broken()])


class Same(wf.Constraint):
    """Two cells have the same pattern. Everything but `prune` is the default."""

    def __init__(self, one, other):
        self.one, self.other = one, other

    def __repr__(self):
        return f"Same({self.one}, {self.other})"

    def prune(self, view):
        for cell, other in ((self.one, self.other), (self.other, self.one)):
            view.remove(cell, np.flatnonzero(view.possible[cell] & ~view.possible[other]))


class SameInClauses(Same):
    """The same for SAT solvers, too."""

    def clauses(self, problem, variable):
        for pattern in range(len(problem.rules)):
            yield [-variable(self.one, pattern), variable(self.other, pattern)]


class TestMirror(ConstraintContract):
    @pytest.fixture
    def problem(self):
        return wf.Problem(TILES, wf.SquareGrid(4, 3), constraints=[Mirror()])


class TestSame(ConstraintContract):
    @pytest.fixture(params=[Same(0, 7), SameInClauses(3, 4)], ids=lambda each: type(each).__name__)
    def problem(self, request):
        return wf.Problem(TILES, wf.SquareGrid(4, 2), constraints=[request.param])


def test_a_map_satisfies_a_constraint_if_pruning_it_removes_nothing():
    problem = wf.Problem(TILES, wf.SquareGrid(2, 1), constraints=[Same(0, 1)])
    assert wf.check(problem, np.array([2, 2])) == []
    (violation,) = wf.check(problem, np.array([0, 2]))
    assert violation.text == "Same(0, 1) must hold"


def test_a_constraint_without_clauses_is_refused_by_sat_alone():
    problem = wf.Problem(TILES, wf.SquareGrid(2, 1), constraints=[Same(0, 1)])
    with pytest.raises(wf.ConfigError, match=r"Same\(0, 1\): it has no method clauses"):
        wf.Solver(problem, search="sat").run()
    assert wf.check(problem, wf.Solver(problem).run()) == []


@pytest.mark.parametrize(
    ("constraint", "expected"), [(Same(0, 1), False), (SameInClauses(0, 1), True), (Mirror(), False)]
)
def test_clauses_are_found_where_a_constraint_has_its_own(constraint, expected):
    assert has_clauses(constraint) is expected


def test_objects_with_prune_and_violations_are_constraints():
    assert isinstance(Mirror(), wf.Constraint)
    assert isinstance(Same(0, 1), wf.Constraint)
    assert not isinstance(CHESS, wf.Constraint)


def test_a_constraint_needs_prune():
    with pytest.raises(TypeError, match="prune"):
        wf.Constraint()


class Wrong(ConstraintContract):
    """Constraints that break the contract; not collected."""

    def fails(self, name, constraint):
        problem = wf.Problem(TILES, wf.SquareGrid(3, 2), constraints=[constraint])
        with pytest.raises(AssertionError):
            getattr(self, name)(problem)
        return True


class Greedy(Same):
    """Removes what a solution may need."""

    def prune(self, view):
        super().prune(view)
        view.remove(2, np.flatnonzero(view.possible[2])[1:])


class Blind(Same):
    """Finds nothing wrong with a finished map."""

    def violations(self, problem, patterns):
        return []


class Lax(SameInClauses):
    """Has clauses that allow more than pruning does."""

    def clauses(self, problem, variable):
        return list(super().clauses(problem, variable))[1:]


class Mute(Same):
    """Says nothing of what it requires."""

    def message(self):
        return ""


class Forgetful(Same):
    """Behaves differently the second time."""

    def prune(self, view):
        if self.one >= 0:
            view.remove(0, 0)
        self.one = -1


@pytest.mark.parametrize(
    ("name", "constraint"),
    [
        ("test_pruning_never_removes_a_pattern_of_a_solution", Greedy(0, 1)),
        ("test_a_finished_map_violates_the_constraint_if_pruning_it_removes_something", Blind(0, 1)),
        ("test_pruning_depends_on_nothing_but_the_view", Forgetful(0, 1)),
        ("test_clauses_allow_just_the_maps_that_satisfy_the_constraint", Lax(0, 1)),
        ("test_explanations_quote_the_message", Mute(0, 1)),
    ],
)
def test_the_contract_finds_constraints_that_break_it(name, constraint):
    assert Wrong().fails(name, constraint)
