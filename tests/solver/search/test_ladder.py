"""Every rung of the search, alone and one after another."""

from contextlib import suppress

import pytest

import wavefold as wf
from support import CASTLE, CHESS, COUNTS, PIPES, colouring, compiled_only, counts, pigeons
from wavefold.kernels.units import COMPILED

PATIENT = 2000 if COMPILED else 300


def castle(side=12):
    return wf.Problem(CASTLE, wf.SquareGrid(side, side))


def thrashing_seed():
    """A seed on which plain backtracking gets nowhere."""
    for seed in range(30):
        try:
            wf.Solver(castle(), seed, "entropy", search="backtrack").run(wf.Budget(backtracks=PATIENT))
        except wf.OutOfBudget:
            return seed
    raise AssertionError("backtracking solved the castle every time")


def test_local_repair_solves_what_backtracking_cannot():
    problem, seed = castle(), thrashing_seed()
    for search in ("repair", "auto"):
        solution = wf.Solver(problem, seed, "entropy", search=search).run(wf.Budget(backtracks=PATIENT))
        assert wf.check(problem, solution) == []
        assert solution.stats.backtracks < PATIENT
    assert solution.stats.rungs[0] == "backtrack"
    assert "repair" in solution.stats.rungs or "backjump" in solution.stats.rungs


@compiled_only
@pytest.mark.parametrize(
    ("search", "rungs"),
    [
        ("backtrack", {"backtrack"}),
        ("backjump", {"backtrack", "backjump"}),
        ("repair", {"backtrack", "repair"}),
        ("restart", {"backtrack", "restart"}),
        ("exact", {"exact"}),
    ],
)
def test_statistics_name_the_rungs_that_were_used(search, rungs):
    solver = wf.Solver(pigeons(8 if COMPILED else 7), search=search)
    with pytest.raises((wf.OutOfBudget, wf.Contradiction)):
        solver.run(wf.Budget(decisions=6000, backtracks=6000))
    assert set(solver.stats.rungs) == rungs
    assert (solver.stats.jumps > 0) == ("backjump" in rungs)
    assert (solver.stats.repairs > 0) == ("repair" in rungs)
    assert (solver.stats.restarts > 0) == ("restart" in rungs)


@compiled_only
def test_auto_climbs_the_whole_ladder_before_it_proves_anything():
    solver = wf.Solver(pigeons(7))
    with pytest.raises(wf.Contradiction):
        solver.run()
    assert solver.stats.rungs == ("backtrack", "backjump", "repair", "restart", "exact")


def test_endless_jumping_never_overflows():
    """Jumps double in length while there is no progress, so hundreds of them must not run out of numbers."""
    solver = wf.Solver(pigeons(8), search=wf.Ladder(patience=1, jumps=1 << 40))
    with pytest.raises(wf.OutOfBudget):
        solver.run(wf.Budget(backtracks=500))
    assert solver.stats.jumps > 64


def test_an_easy_map_needs_only_the_first_rung():
    stats = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(8, 8))).run().stats
    assert stats.decisions == 1
    assert stats.rungs == ("backtrack",)
    assert stats.contradictions == stats.backtracks == 0


def test_jumps_come_before_repairs_and_repairs_before_restarts():
    ladder = wf.Ladder(patience=2, jumps=1, repairs=1, restarts=1, exact=True)
    solver = wf.Solver(pigeons(7), search=ladder)
    kinds = []
    solver.listen(lambda event: kinds.append(event.kind))
    with pytest.raises(wf.Contradiction):
        solver.run()
    assert solver.stats.rungs == ("backtrack", "backjump", "repair", "restart", "exact")
    assert (solver.stats.jumps, solver.stats.repairs, solver.stats.restarts) == (2, 2, 1)
    assert [kind for kind in kinds if kind in ("repaired", "restarted")] == [
        "repaired",
        "restarted",
        "repaired",
        "restarted",
    ]


def test_a_ladder_that_is_used_up_says_so_and_proves_nothing():
    solver = wf.Solver(pigeons(7), search=wf.Ladder(patience=3))
    with pytest.raises(wf.OutOfBudget, match="all search strategies were tried"):
        solver.run()
    with pytest.raises(wf.OutOfBudget, match="all search strategies were tried"):
        solver.run()


def test_repairs_grow_with_the_map():
    ladder = wf.Ladder(repairs=10, repairs_per_cell=0.5)
    assert ladder.repairs_on(100) == 60


def test_the_chain_of_restart_seeds_is_deterministic():
    """A restart goes on from the seed before, so equal seeds walk the same chain."""
    problem = castle(9)
    ladder = wf.Ladder(patience=0, restarts=1000)
    first = [wf.Solver(problem, seed, "entropy", search=ladder).run() for seed in range(8)]
    again = [wf.Solver(problem, seed, "entropy", search=ladder).run() for seed in range(8)]
    assert [each.patterns.tolist() for each in first] == [each.patterns.tolist() for each in again]
    assert [counts(each.stats) for each in first] == [counts(each.stats) for each in again]
    assert sum(each.stats.restarts for each in first) > 0


def test_restarts_differ_from_each_other():
    """If every try were the same, none would ever succeed where the first failed."""
    chosen = []

    def hear(event):
        if event.kind == "restarted":
            chosen.append([])
        elif event.kind == "chosen" and chosen:
            chosen[-1].append(event[:3])

    for seed in range(8):
        solver = wf.Solver(castle(), seed, "entropy", search=wf.Ladder(patience=0, restarts=1000))
        solver.listen(hear)
        with suppress(wf.OutOfBudget):
            solver.run(300)
    tries = [tuple(each) for each in chosen if each]
    assert len(tries) > 4
    assert len(set(tries)) == len(tries)


def test_after_repairs_a_solvable_map_is_never_called_impossible():
    problem = castle(8)
    ladder = wf.Ladder(patience=1, repairs=10**6, radius=1)
    for seed in range(12 if COMPILED else 3):
        solver = wf.Solver(problem, seed, "entropy", search=ladder)
        solution = solver.run(20_000)
        assert wf.check(problem, solution) == []


def test_pins_and_masks_survive_repairs_and_restarts():
    pins = {(3, 3): "abca", (8, 2): "daac@90", (0, 11): "bccc"}
    masks = [name != "bcaa@180" for name in CASTLE.rules.names]
    problem = wf.Problem(CASTLE, wf.SquareGrid(12, 12), pins=pins, masks=masks)
    ladder = wf.Ladder(patience=0, repairs=4, restarts=10**6)
    repairs = restarts = 0
    for seed in range(12 if COMPILED else 4):
        solution = wf.Solver(problem, seed, "entropy", search=ladder).run(200_000)
        assert wf.check(problem, solution) == []
        repairs += solution.stats.repairs
        restarts += solution.stats.restarts
    assert repairs > 0
    assert restarts > 0


def test_exact_finds_a_colouring_that_exists():
    wheel = [("hub", i) for i in range(8)] + [(i, (i + 1) % 8) for i in range(8)]
    problem = wf.Problem(colouring(3), wf.Graph(wheel))
    assert wf.check(problem, wf.Solver(problem, search="exact").run()) == []


def test_exact_proves_that_an_odd_wheel_needs_four_colours():
    wheel = [("hub", i) for i in range(9)] + [(i, (i + 1) % 9) for i in range(9)]
    with pytest.raises(wf.Contradiction):
        wf.Solver(wf.Problem(colouring(3), wf.Graph(wheel)), search="exact").run()


def test_every_search_gives_a_valid_map():
    problem = wf.Problem(PIPES, wf.SquareGrid(6, 6, wraps=True))
    for search in ("auto", "backtrack", "backjump", "repair", "restart", "exact"):
        assert wf.check(problem, wf.Solver(problem, 2, "entropy", search=search).run(50_000)) == []


def test_statistics_are_plain_data():
    stats = wf.Solver(castle(6), 0, "entropy").run().stats
    data = stats.to_dict()
    assert set(COUNTS) <= set(data)
    assert data["seconds"]["search"] >= 0
    assert data["propagation"] == "ac3 (sliced tables)"
