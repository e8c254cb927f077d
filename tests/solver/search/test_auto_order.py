"""`order="auto"`: what the search itself finds out, and what is known of bundled sets."""

import pytest

import wavefold as wf
from support import CASTLE, PIPES, compiled_only
from wavefold.solver.search import auto_order as module
from wavefold.solver.search.ladder import SEARCHES
from wavefold.worlds.base import plane_cache_key


def load_without_order(name):
    """A bundled set that recommends no order."""
    tiles = wf.TileSet.load(name)
    tiles.order = tiles.rules.order = None
    return tiles


def test_an_easy_set_is_solved_by_entropy_without_any_map_beforehand(monkeypatch):
    monkeypatch.setattr(module, "OrderComparison", None)  # a race would fail
    problem = wf.Problem(PIPES, wf.SquareGrid(12, 12))
    solution = wf.Solver(problem, 3).run()
    assert solution.stats.order == "entropy"
    assert solution.patterns.tolist() == wf.Solver(problem, 3, "entropy").run().patterns.tolist()


@compiled_only
def test_too_many_repairs_lead_to_rows():
    problem = wf.Problem(load_without_order("castle"), wf.SquareGrid(64, 64))
    solver, events = wf.Solver(problem, 1), []
    solver.listen(lambda event: events.append(event.kind))
    solution = solver.run()
    assert solution.stats.order == "scanline"
    assert "order" in solution.stats.rungs
    assert "restarted" in events
    assert wf.check(problem, solution) == []
    assert wf.Solver(problem, 1).run().patterns.tolist() == solution.patterns.tolist()


@compiled_only
@pytest.mark.parametrize("name", wf.tilesets())
def test_bundled_sets_recommend_rows_where_least_entropy_has_more_conflicts(name):
    recommended = wf.TileSet.load(name).order
    fewest = module.find_auto_order(load_without_order(name).rules)
    assert (recommended == "scanline") == (fewest == "scanline")


@pytest.mark.parametrize(
    ("order", "first", "fallback"),
    [(None, "entropy", "scanline"), ("spiral", "spiral", "scanline"), ("scanline", "spiral", None)],
)
def test_a_search_begins_with_the_order_that_the_rules_recommend(order, first, fallback):
    tiles = wf.TileSet(PIPES.tiles, order=order)
    begins, other = module.choose_first_orders(tiles.rules, SEARCHES["auto"])
    assert (begins.name, other and other.name) == (first, fallback)
    for each in (tiles, tiles.rules):
        assert wf.Solver(wf.Problem(each, wf.SquareGrid(6, 6)), 1).run().stats.order == first
    assert tiles.rules.digest == wf.TileSet(PIPES.tiles).rules.digest


def test_an_order_that_cannot_be_recommended_is_refused():
    with pytest.raises(wf.TileSetError, match="must be 'scanline' or 'spiral', not 'entropy'"):
        wf.TileSet(PIPES.tiles, order="entropy")


@pytest.mark.parametrize("name", ["castle", "dungeon", "kilim"])
def test_a_saved_set_keeps_the_order(name, tmp_path):
    tiles = wf.learn(name) if name == "kilim" else wf.TileSet.load(name)
    tiles.save(tmp_path / "tiles.toml")
    assert wf.TileSet.load(tmp_path / "tiles.toml").rules.order == tiles.order is not None


def test_worlds_of_equal_rules_with_another_order_have_another_base():
    castle, other = wf.TileSet.load("castle"), load_without_order("castle")
    assert castle.rules.digest == other.rules.digest
    assert plane_cache_key(castle) != plane_cache_key(other)


def test_samples_that_look_better_begun_in_a_spiral_begin_so():
    for name in ("farmland", "kilim", "tartan"):
        assert wf.learn(name).rules.order == "spiral"
        assert wf.learn(name, n=2).rules.order is None


@pytest.mark.parametrize("search", [name for name, ladder in SEARCHES.items() if not ladder.repairs])
def test_a_search_without_repairs_begins_by_entropy_without_any_map_beforehand(search, monkeypatch):
    monkeypatch.setattr(module, "OrderComparison", None)
    first, fallback = module.choose_first_orders(CASTLE.rules, SEARCHES[search])
    assert (first.name, fallback) == ("entropy", None)


def test_a_search_without_repairs_begins_with_the_order_a_bundled_set_comes_with():
    first, _ = module.choose_first_orders(wf.TileSet.load("castle").rules, wf.Ladder())
    assert first.name == "spiral"
