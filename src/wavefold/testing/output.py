"""The contracts of diagnostics, renderers and registered tile sets."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from wavefold.errors import Contradiction, OutOfBudget, PluginWarning
from wavefold.reports.checker import check
from wavefold.reports.diagnostics import Diagnostic, DiagnosticGroup
from wavefold.solver import Budget, Partial, Problem, Solution, Solver
from wavefold.testing.heuristic import TILES
from wavefold.testing.map_format import undecide_half
from wavefold.tiles import LearnedTileSet, Tile, TileSet
from wavefold.topology import SquareGrid, get_lattice_class

IMPOSSIBLE = TileSet([Tile("a", ("x", "y", "z", "w"))])  # no side matches another
MAP_COUNT = 3
RENDERER_OPTIONS: tuple[dict[str, Any], ...] = ({}, {"tile_size": 4}, {"scale": 2}, {"layers": False})
SEEDS = range(3)
SIDE = 6  # cells

Renderer = Callable[..., Any]


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
        for seed in range(MAP_COUNT):
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
    """Solve and refine a map; return the map or its error. Errors of the diagnostic are raised."""
    solver = Solver(problem, seed)
    group = DiagnosticGroup([] if diagnostic is None else [diagnostic])
    with warnings.catch_warnings():
        warnings.simplefilter("error", PluginWarning)
        try:
            return group.run(solver, lambda listener: solver.run(budget).refine(2, listener=listener))
        except (Contradiction, OutOfBudget) as error:
            return error


class RendererContract:
    """Provide the fixtures `renderer` and `solution`, a small map that the renderer can draw.

    class TestInk(RendererContract):
        @pytest.fixture
        def renderer(self):
            return my_package.draw_ink

        @pytest.fixture
        def solution(self):
            return wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(5, 4))
    """

    def test_a_map_becomes_a_picture(self, renderer: Renderer, solution: Solution) -> None:
        image = renderer(solution)
        assert isinstance(image, Image.Image)
        assert image.mode in ("RGB", "RGBA")
        assert min(image.size) > 0

    def test_the_same_map_gives_the_same_picture(self, renderer: Renderer, solution: Solution) -> None:
        assert renderer(solution).tobytes() == renderer(solution).tobytes()

    def test_options_of_other_renderers_are_accepted(self, renderer: Renderer, solution: Solution) -> None:
        for options in RENDERER_OPTIONS:
            assert isinstance(renderer(solution, **options), Image.Image), "take **options, and ignore some"

    def test_an_unfinished_map_is_drawn_too(self, renderer: Renderer, solution: Solution) -> None:
        partial: Partial = undecide_half(solution)
        assert isinstance(renderer(partial), Image.Image)
        assert isinstance(renderer(partial, show="entropy", conflicts=[0]), Image.Image)

    def test_the_map_stays_as_it_was(self, renderer: Renderer, solution: Solution) -> None:
        before = solution.patterns.copy()
        renderer(solution)
        assert np.array_equal(solution.patterns, before)


class TileSetContract:
    """Provide a `load` fixture: the registered function, which returns the tile set.

    class TestHarbour(TileSetContract):
        @pytest.fixture
        def load(self):
            return my_package.harbour
    """

    def test_it_is_the_same_every_time(self, load: Callable[[], TileSet]) -> None:
        first, second = load(), load()
        assert isinstance(first, TileSet)
        assert first.rules.digest == second.rules.digest
        assert first.rules.names == second.rules.names

    def test_small_maps_can_be_made_and_are_valid(self, load: Callable[[], TileSet]) -> None:
        tiles = load()
        kind = get_lattice_class(tiles.topology)
        problem = Problem(tiles, kind.of_size(*(SIDE for _ in kind.axes)), own_constraints=False)
        for seed in SEEDS:
            assert check(problem, Solver(problem, seed).run()) == []

    def test_every_pattern_can_be_drawn(self, load: Callable[[], TileSet]) -> None:
        tiles = load()
        pictures = tiles.pictures(8)
        assert len(pictures) == len(tiles)
        assert pictures.any(), "all pictures are invisible"

    def test_it_has_a_size_that_suits_it(self, load: Callable[[], TileSet]) -> None:
        tiles = load()
        assert tiles.size is None or len(tiles.size) == len(get_lattice_class(tiles.topology).axes)
        assert isinstance(tiles.description, str)

    def test_it_can_be_saved_and_is_the_same_again(self, load: Callable[[], TileSet], tmp_path: Path) -> None:
        tiles = load()
        if not isinstance(tiles, LearnedTileSet):  # those are saved as their samples
            tiles.save(tmp_path / "tiles.toml")
            assert TileSet.load(tmp_path / "tiles.toml").rules.digest == tiles.rules.digest
