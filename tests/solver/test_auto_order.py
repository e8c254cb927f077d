"""`order="auto"`: what the search itself finds out, and what is known of bundled sets."""

import pytest

import wavefold as wf
from support import CASTLE, PIPES, compiled_only
from wavefold.solver.search import auto_order as module
from wavefold.solver.search.ladder import SEARCHES


def test_an_easy_set_is_solved_by_entropy_without_any_map_beforehand(monkeypatch):
    monkeypatch.setattr(module, "Race", None)  # a race would fail
    problem = wf.Problem(PIPES, wf.SquareGrid(12, 12))
    solution = wf.Solver(problem, 3).run()
    assert solution.stats.order == "entropy"
    assert solution.patterns.tolist() == wf.Solver(problem, 3, "entropy").run().patterns.tolist()


@compiled_only
def test_too_many_repairs_lead_to_rows(monkeypatch):
    monkeypatch.setattr(module, "BY_ROWS", {})
    problem = wf.Problem(wf.TileSet.load("castle"), wf.SquareGrid(64, 64))
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
def test_bundled_sets_begin_by_entropy_where_it_has_fewest_conflicts_else_in_a_spiral(name, monkeypatch):
    rules = wf.TileSet.load(name).rules
    known, _ = module.first_orders(rules, SEARCHES["auto"])
    if rules.digest in module.IN_SPIRAL:
        assert (name, known.name) == ("dungeon", "spiral")
        return
    monkeypatch.setattr(module, "BY_ROWS", {})
    assert known.name == {"entropy": "entropy", "scanline": "spiral"}[module.auto_order(rules)]


def test_samples_that_look_better_begun_in_a_spiral_begin_so():
    for name in ("farmland", "kilim", "tartan"):
        first, fallback = module.first_orders(wf.learn(name).rules, SEARCHES["auto"])
        assert (first.name, fallback.name) == ("spiral", "scanline")


@pytest.mark.parametrize("search", [name for name, ladder in SEARCHES.items() if not ladder.repairs])
def test_a_search_without_repairs_begins_by_entropy_without_any_map_beforehand(search, monkeypatch):
    monkeypatch.setattr(module, "Race", None)
    first, fallback = module.first_orders(CASTLE.rules, SEARCHES[search])
    assert (first.name, fallback) == ("entropy", None)


def test_the_order_of_a_wide_set_needs_no_digest(monkeypatch):
    monkeypatch.setattr(module, "MOST_BY_ROWS", 10)
    rules = wf.TileSet.load("pipes").rules
    module.first_orders(rules, SEARCHES["auto"])
    assert "digest" not in vars(rules)


def test_a_search_without_repairs_begins_with_the_order_a_bundled_set_comes_with():
    first, _ = module.first_orders(wf.TileSet.load("castle").rules, wf.Ladder())
    assert first.name == "spiral"
