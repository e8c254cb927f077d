"""The contract of registered tile sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wavefold.reports.checker import check
from wavefold.solver import Problem, Solver
from wavefold.tiles import LearnedTileSet, TileSet
from wavefold.topology import lattice_class

SEEDS = range(3)
SIDE = 6  # cells


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
        kind = lattice_class(tiles.topology)
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
        assert tiles.size is None or len(tiles.size) == len(lattice_class(tiles.topology).axes)
        assert isinstance(tiles.description, str)

    def test_it_can_be_saved_and_is_the_same_again(self, load: Callable[[], TileSet], tmp_path: Path) -> None:
        tiles = load()
        if not isinstance(tiles, LearnedTileSet):  # those are saved as their samples
            tiles.save(tmp_path / "tiles.toml")
            assert TileSet.load(tmp_path / "tiles.toml").rules.digest == tiles.rules.digest
