"""The contract of diagnostics."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from wavefold.errors import Contradiction, OutOfBudget, PluginWarning
from wavefold.reports.diagnostics import Diagnostic, DiagnosticGroup
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.testing.heuristic import TILES
from wavefold.tiles import Tile, TileSet
from wavefold.topology import SquareGrid

IMPOSSIBLE = TileSet([Tile("a", ("x", "y", "z", "w"))])  # no side matches another
MAPS = 3


class DiagnosticContract:
    """Provide a `make` fixture: a function without arguments that returns a new diagnostic each time.

    class TestMine(DiagnosticContract):
        @pytest.fixture
        def make(self, tmp_path):
            return lambda: Mine(str(tmp_path / "log.txt"))
    """

    def test_it_is_a_diagnostic_that_takes_a_text(self, make: Callable[[], Diagnostic]) -> None:
        diagnostic = make()
        assert isinstance(diagnostic, Diagnostic)
        assert isinstance(diagnostic.target, str), "call super().__init__(target)"
        diagnostic.close()

    def test_the_map_is_the_same_with_and_without_it(self, make: Callable[[], Diagnostic]) -> None:
        diagnostic = make()
        for seed in range(MAPS):
            watched = solve(diagnostic, Problem(TILES, SquareGrid(6, 5)), seed)
            alone = solve(None, Problem(TILES, SquareGrid(6, 5)), seed)
            assert isinstance(watched, Solution)
            assert isinstance(alone, Solution)
            assert np.array_equal(watched.patterns, alone.patterns)
        diagnostic.close()

    def test_maps_that_fail_are_received_without_an_error(self, make: Callable[[], Diagnostic]) -> None:
        diagnostic = make()
        open_problem, impossible = Problem(TILES, SquareGrid(6, 5)), Problem(IMPOSSIBLE, SquareGrid(2, 2))
        assert isinstance(solve(diagnostic, impossible), Contradiction)
        assert isinstance(solve(diagnostic, open_problem, budget=Budget(decisions=3)), OutOfBudget)
        assert isinstance(solve(diagnostic, open_problem), Solution)
        diagnostic.close()

    def test_it_can_be_closed_before_it_starts_and_twice(self, make: Callable[[], Diagnostic]) -> None:
        diagnostic = make()
        diagnostic.close()
        diagnostic.close()
        assert all(path.is_file() for path in diagnostic.paths if path.exists())

    def test_the_files_it_names_exist_afterwards(self, make: Callable[[], Diagnostic]) -> None:
        diagnostic = make()
        solve(diagnostic, Problem(TILES, SquareGrid(3, 3)))
        diagnostic.close()
        assert all(path.is_file() for path in diagnostic.paths)


def solve(
    diagnostic: Diagnostic | None, problem: Problem, seed: int = 0, budget: Budget | None = None
) -> Solution | Contradiction | OutOfBudget:
    """A refined map, or its error; an error of the diagnostic is raised."""
    solver = Solver(problem, seed)
    group = DiagnosticGroup([] if diagnostic is None else [diagnostic])
    with warnings.catch_warnings():
        warnings.simplefilter("error", PluginWarning)
        try:
            return group.run(solver, lambda listener: solver.run(budget).refine(2, listener=listener))
        except (Contradiction, OutOfBudget) as error:
            return error
