"""The contracts of cell orders and tile choices: a name, a `Heuristics`, or a function."""

from __future__ import annotations

from itertools import product
from typing import Any

from wavefold.reports.checker import check
from wavefold.solver import Problem, Solver
from wavefold.solver.engine.events import CELL, CHOSEN, KIND, Batch
from wavefold.tiles import Tile, TileSet
from wavefold.topology import SquareGrid

SEEDS = range(3)

# Twelve of the sixteen tiles with two side colours, so that every cell depends on its neighbours.
TILES = TileSet(
    [
        Tile("".join(sides), sides, weight=1 + index % 3)
        for index, sides in enumerate(product("ab", repeat=4))
        if index % 5
    ]
)


class HeuristicContract:
    """Provide an `order` fixture: the order to pass to `Solver`.

    class TestByColumn(HeuristicContract):
        @pytest.fixture
        def order(self):
            return lambda cell, remaining, entropy, undecided: cell % 8
    """

    def test_maps_are_valid(self, order: Any) -> None:
        for grid in (SquareGrid(8, 6), SquareGrid(6, 6, wraps=True), SquareGrid(1, 1)):
            problem = Problem(TILES, grid)
            for seed in SEEDS:
                assert check(problem, Solver(problem, seed, order).run()) == []

    def test_the_same_seed_gives_the_same_map(self, order: Any) -> None:
        assert solve(order) == solve(order)

    def test_every_propagation_and_undo_gives_the_same_map(self, order: Any) -> None:
        ways = product(("ac3", "ac4", "naive"), ("delta", "snapshot"))
        maps = [solve(order, propagation=propagation, undo=undo) for propagation, undo in ways]
        assert all(each == maps[0] for each in maps)

    def test_stepping_gives_the_same_map_as_running(self, order: Any) -> None:
        solver = Solver(Problem(TILES, SquareGrid(8, 6)), 1, order)
        while solver.step() != "solved":
            assert solver.status in ("open", "contradiction")
        assert solver.solution().patterns.tolist() == solve(order)

    def test_two_solvers_do_not_disturb_each_other(self, order: Any) -> None:
        problem = Problem(TILES, SquareGrid(8, 6))
        solvers = [Solver(problem, 1, order), Solver(problem, 2, order)]
        while any([solver.step() != "solved" for solver in solvers]):  # noqa: C419 - each steps every time
            pass
        assert solvers[0].solution().patterns.tolist() == solve(order)

    def test_only_undecided_cells_are_chosen(self, order: Any) -> None:
        solver = Solver(Problem(TILES, SquareGrid(8, 6)), 1, order)
        possible = solver.partial().possible.copy()
        chosen: list[int] = []

        def look(batch: Batch) -> None:
            cells = batch[batch[:, KIND] == CHOSEN, CELL].tolist()
            assert all(possible[cell].sum() > 1 for cell in cells)
            chosen.extend(cells)
            possible[:] = solver.partial().possible

        solver.listen(look, batches=True)
        solver.run()
        assert len(chosen) == solver.stats.decisions


class ChoiceContract:
    """Provide a `choice` fixture: the choice to pass to `Solver`.

    class TestRarest(ChoiceContract):
        @pytest.fixture
        def choice(self):
            return lambda cell, pattern, weight: max(1, (1 << 24) - weight)
    """

    def test_maps_are_valid(self, choice: Any) -> None:
        for order in ("auto", "scanline"):
            problem = Problem(TILES, SquareGrid(8, 6))
            for seed in SEEDS:
                assert check(problem, Solver(problem, seed, order, choice=choice).run()) == []

    def test_the_same_seed_gives_the_same_map(self, choice: Any) -> None:
        assert solve("entropy", choice=choice) == solve("entropy", choice=choice)

    def test_every_propagation_and_undo_gives_the_same_map(self, choice: Any) -> None:
        ways = product(("ac3", "ac4", "naive"), ("delta", "snapshot"))
        maps = [solve("entropy", choice=choice, propagation=method, undo=undo) for method, undo in ways]
        assert all(each == maps[0] for each in maps)


def solve(order: Any, seed: int = 1, **options: Any) -> list[int]:
    """Solve a map and return its patterns."""
    solution = Solver(Problem(TILES, SquareGrid(8, 6)), seed, order, **options).run()
    return [int(pattern) for pattern in solution.patterns]
