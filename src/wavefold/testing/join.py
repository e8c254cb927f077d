"""The contract of joins.

class TestMine(JoinContract):
    @pytest.fixture
    def join(self):
        return Mine()

    @pytest.fixture
    def tiles(self):
        return wf.TileSet.load("pipes")
"""

from __future__ import annotations

from pathlib import Path

from wavefold.patchwork import Join, Patchwork, build_order
from wavefold.patchwork.arguments import Retries
from wavefold.patchwork.join import JoinContext
from wavefold.patchwork.plan import make_plan
from wavefold.reports.checker import check
from wavefold.tiles import TileSet

RADIUS, SEEDS, GRIDS = 2, range(3), 5


class JoinContract:
    """Provide the fixtures `join`, a `Join`, and `tiles`, a hexagonal or square tile set that it can join."""

    def test_it_has_a_name(self, join: Join) -> None:
        assert isinstance(join.name, str)
        assert join.name

    def test_a_map_grows_and_fits(self, join: Join, tiles: TileSet) -> None:
        for seed in SEEDS:
            made = grow(join, tiles, seed)
            assert made.patterns.keys() == {cell for key in made.grids for cell in made.cells_of(key)}
            assert check(made) == []

    def test_grids_that_are_made_together_fit_those_of_the_map(self, join: Join, tiles: TileSet) -> None:
        first, *others = build_order(tiles.topology, GRIDS)
        for seed in SEEDS:
            made = Patchwork(tiles, RADIUS, seed, join)
            made.populate(first)
            before = made.patterns
            report = made.populate_all(others)
            assert made.grids == (first, *others)
            assert check(made) == []
            assert set(made.changed) >= {cell for cell in before if before[cell] != made.patterns[cell]}
            assert report.changed >= len(made.changed)

    def test_the_same_seed_gives_the_same_map(self, join: Join, tiles: TileSet) -> None:
        assert grow(join, tiles, 1).patterns == grow(join, tiles, 1).patterns

    def test_cells_of_other_grids_that_change_are_reported(self, join: Join, tiles: TileSet) -> None:
        made = Patchwork(tiles, RADIUS, 2, join)
        for key in build_order(tiles.topology, GRIDS):
            before = made.patterns
            report = made.populate(key)
            assert report.changed == sum(made.patterns[cell] != before[cell] for cell in before)

    def test_a_join_leaves_the_map_alone_and_returns_a_result(self, join: Join, tiles: TileSet) -> None:
        plan = make_plan(tiles.topology, RADIUS)
        context = JoinContext(tiles, plan, 3, Retries(), None, {})
        for key in build_order(tiles.topology, 2):
            before = dict(context.patterns)
            result = join.populate(context, key)
            assert context.patterns == before
            assert set(plan.cells(key)) <= result.patterns.keys()
            context.patterns |= result.patterns

    def test_a_map_grows_on_after_it_was_saved(self, join: Join, tiles: TileSet, tmp_path: Path) -> None:
        first, *others = build_order(tiles.topology, GRIDS)
        made = Patchwork(tiles, RADIUS, 4, join)
        made.populate(first)
        made.save(tmp_path / "map.patchwork")
        loaded = Patchwork.load(tmp_path / "map.patchwork", tiles, join=join)
        for each in (made, loaded):
            for key in others:
                each.populate(key)
        assert loaded.patterns == made.patterns


def grow(join: Join, tiles: TileSet, seed: int) -> Patchwork:
    """Make a patchwork of a few grids, one after another."""
    made = Patchwork(tiles, RADIUS, seed, join)
    made.populate_all(build_order(tiles.topology, GRIDS))
    return made
