"""Limits: exact where they are counted, and never a change of content."""

import itertools
import subprocess
import sys
import traceback
from contextlib import suppress

import pytest

import wavefold as wf
from support import CASTLE, CHESS, PIPES, WORLDS, compiled_only, counts, pigeons, propagations
from wavefold.kernels.host.checkpoint import checking


def castle(side=10):
    return wf.Problem(CASTLE, wf.SquareGrid(side, side))


@pytest.mark.parametrize("limit", [0, 1, 5, 17])
def test_no_more_decisions_are_made_than_allowed(limit):
    solver = wf.Solver(castle(), 0, "entropy")
    with pytest.raises(
        wf.OutOfBudget, match=f"stopped after {limit} decision{'s' * (limit != 1)},"
    ) as caught:
        solver.run(limit)
    assert caught.value.stats.decisions == limit
    assert solver.stats.decisions == limit


@pytest.mark.parametrize("limit", [1, 5, 17])
def test_no_more_backtracks_are_made_than_allowed(limit):
    solver = wf.Solver(pigeons(8), search="backtrack")
    with pytest.raises(wf.OutOfBudget, match=f"stopped after {limit} backtrack{'s' * (limit != 1)},"):
        solver.run(wf.Budget(backtracks=limit))
    assert solver.stats.backtracks == limit


def test_a_limit_counts_from_where_the_run_begins():
    solver = wf.Solver(castle(), 0, "entropy")
    for part in (1, 2, 3):
        with pytest.raises(wf.OutOfBudget):
            solver.run(5)
        assert solver.stats.decisions == 5 * part


def test_just_enough_decisions_are_enough():
    problem = wf.Problem(CHESS, wf.SquareGrid(6, 6))
    assert wf.Solver(problem).run(1).stats.decisions == 1


def test_just_enough_decisions_are_enough_on_a_map_that_needs_many():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5))
    needed = wf.Solver(problem, 4, "entropy").run().stats.decisions
    assert wf.Solver(problem, 4, "entropy").run(needed).stats.decisions == needed
    with pytest.raises(wf.OutOfBudget):
        wf.Solver(problem, 4, "entropy").run(needed - 1)


def test_a_problem_without_choice_needs_no_decision():
    problem = wf.Problem(CHESS, wf.SquareGrid(4, 4), pins={(1, 1): "white"})
    assert wf.Solver(problem, order="scanline").run(0).stats.decisions == 0


def test_without_any_time_nothing_is_begun_and_nothing_is_lost():
    whole = wf.Solver(castle(), 3, "entropy").run()
    solver = wf.Solver(castle(), 3, "entropy")
    with pytest.raises(wf.OutOfBudget, match="the budget was 0 ms"):
        solver.run(wf.Budget(ms=0))
    solution = solver.run()
    assert solution.patterns.tolist() == whole.patterns.tolist()
    assert solution.stats.decisions == whole.stats.decisions


@pytest.fixture
def ticking(monkeypatch):
    """A clock that goes on by a millisecond whenever it is read, and the shortest slices of work."""
    ticks = itertools.count()
    for name in ("cell_queue.FILLED", "root.SCHEDULED", "root.COPIED"):
        monkeypatch.setattr(f"wavefold.solver.engine.{name}_AT_ONCE", 40)
    monkeypatch.setattr("wavefold.solver.budget.perf_counter", lambda: next(ticks) / 1000)
    monkeypatch.setattr("wavefold.kernels.constants.WORK_SLICE", 40)


def run_in_pieces(solver, between=lambda solver: None):
    """Solve with a budget of a few looks at the clock, again and again."""
    for pieces in range(10**5):
        try:
            return solver.run(wf.Budget(ms=3)), pieces
        except wf.OutOfBudget:
            between(solver)
    raise AssertionError("no end")


@pytest.mark.parametrize("world", ["castle", "tinted", "flowers", "kinds apart", "petersen"])
def test_a_run_that_time_stops_in_the_middle_of_a_propagation_loses_nothing(world, ticking):
    problem = WORLDS[world]()
    whole = wf.Solver(problem, 3, "entropy").run()
    for propagation in propagations(problem):
        solution, pieces = run_in_pieces(wf.Solver(problem, 3, "entropy", propagation))
        assert pieces > 2
        assert solution.patterns.tolist() == whole.patterns.tolist()
        assert counts(solution.stats) == counts(whole.stats)


def test_listeners_miss_nothing_when_time_stops_a_run_again_and_again(ticking):
    runs = []
    for run in (lambda solver: solver.run(), run_in_pieces):
        solver, rows = wf.Solver(castle(), 3, "entropy"), []
        solver.listen(lambda batch, rows=rows: rows.extend(batch.tolist()), batches=True)
        run(solver)
        runs.append(rows)
    assert runs[0] == runs[1]


def test_pins_and_undos_are_possible_whenever_time_stops_a_run(ticking):
    pinned = []

    def pin_one(solver):
        cell = len(pinned)
        if cell < 10:
            name = solver.domain((cell, cell))[0]
            try:
                solver.pin((cell, cell), name)
            except wf.Contradiction:
                name = None
            pinned.append(name)
        elif cell < 20 and solver.stats.decisions:
            pinned.append(None)
            with suppress(wf.WavefoldError):
                solver.undo()

    solver = wf.Solver(castle(), 3, "entropy")
    solution, _ = run_in_pieces(solver, pin_one)
    assert wf.check(solver.problem, solution) == []
    for cell, name in enumerate(pinned[:10]):
        assert name is None or solution.patterns[11 * cell] in solver.problem.patterns_named(name)
    assert any(pinned)


def test_set_up_is_inside_the_budget(ticking):
    solver, phases = wf.Solver(castle(), 1, "entropy"), []
    for checks in range(2, 100):
        try:
            solver.run(wf.Budget(ms=checks))
            break
        except wf.OutOfBudget as error:
            phases.append(error.phase)
    assert [phase for phase, _ in itertools.groupby(phases)] == ["setting up", "searching"]


def test_no_step_of_set_up_is_long(monkeypatch):
    """Counted: with steps of so many cells, a map of sixteen times as many is looked after that often."""
    for name in ("cell_queue.FILLED", "root.SCHEDULED", "root.COPIED"):
        monkeypatch.setattr(f"wavefold.solver.engine.{name}_AT_ONCE", 25)
    looks = {}

    def look():
        names = [frame.name for frame in traceback.extract_stack()]
        for name in ("_propagate", "queue", "compute_root"):
            looks[name] = looks.get(name, 0) + (name in names)

    with checking(look):
        wf.Solver(castle(20), 1, "entropy").run()
    assert looks["_propagate"] >= 16
    assert looks["queue"] >= 15 * 3  # new memory, the shuffled order, the keys
    assert looks["compute_root"] >= looks["_propagate"] + 16 * 2  # domains in, domains out


def test_what_was_decided_comes_with_the_error():
    solver = wf.Solver(castle(), 0, "entropy")
    with pytest.raises(wf.OutOfBudget) as caught:
        solver.run(4)
    partial = caught.value.partial
    decided = int((partial.patterns >= 0).sum())
    assert f"{decided} of 100 cells decided" in str(caught.value)
    assert repr(partial) == f"Partial({decided} of 100 cells decided)"
    assert partial.possible.shape == (100, len(CASTLE))
    assert partial.domain((0, 0)) == solver.domain((0, 0))
    assert (partial.possible.sum(axis=1) >= 1).all()


def test_the_partial_does_not_change_when_the_run_goes_on():
    solver = wf.Solver(castle(), 0, "entropy")
    with pytest.raises(wf.OutOfBudget) as caught:
        solver.run(4)
    before = caught.value.partial.words.copy()
    solver.run()
    assert (caught.value.partial.words == before).all()


@pytest.mark.parametrize("name", ["ms", "decisions", "backtracks"])
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "many", True])
def test_limits_that_make_no_sense_are_refused_by_name(name, value):
    with pytest.raises(wf.ConfigError, match=f"budget {name} must be"):
        wf.Budget(**{name: value})


@pytest.mark.parametrize("name", ["decisions", "backtracks"])
def test_what_is_counted_is_limited_by_whole_numbers(name):
    with pytest.raises(wf.ConfigError, match=f"budget {name} must be a whole number from 0, not 1.5"):
        wf.Budget(**{name: 1.5})
    assert wf.Budget(ms=1.5).ms == 1.5


def test_a_budget_of_another_type_is_refused():
    with pytest.raises(wf.ConfigError, match="budget decisions must be a whole number"):
        wf.Solver(castle(4), order="entropy").run("plenty")


def test_the_default_budget_grows_with_the_map():
    assert wf.default_budget(100) == wf.Budget(decisions=120_000)


def test_running_a_finished_solver_gives_the_same_solution_again():
    solver = wf.Solver(castle(5), 0, "entropy")
    first = solver.run()
    assert solver.run(0).patterns.tolist() == first.patterns.tolist()


def test_there_is_no_solution_before_the_end():
    solver = wf.Solver(castle(5), 0, "entropy")
    with pytest.raises(wf.WavefoldError, match="there is no solution yet: the status is 'open'"):
        solver.solution()


def test_progress_ends_with_all_cells_decided():
    reports = []
    wf.Solver(castle(6), 0, "entropy").run(progress=lambda *report: reports.append(report))
    assert reports[-1] == (36, 36)


def test_a_limit_of_decisions_holds_beyond_restarts():
    solver = wf.Solver(pigeons(8), order="entropy", search=wf.Ladder(patience=0, restarts=10**6))
    with pytest.raises(wf.OutOfBudget, match="stopped after 500 decisions"):
        solver.run(500)
    assert solver.stats.decisions == 500
    assert solver.stats.restarts > 1


@pytest.mark.parametrize("search", ["auto", "backjump"])
def test_set_up_goes_on_where_a_budget_ended_it_even_in_another_solver(search, ticking):
    problem = castle()
    for _ in range(3_000):
        solver = wf.Solver(problem, 3, search=search)
        try:
            solver.run(wf.Budget(ms=12))
        except wf.OutOfBudget as stop:
            if stop.phase == "searching":
                break
        else:
            break
    else:
        raise AssertionError("it starts over each time")
    assert wf.check(problem, solver.run()) == []


def test_counting_supports_stops_in_time_and_goes_on_where_it_was(ticking, monkeypatch):
    whole = wf.Solver(castle(), 3, "entropy").run()
    monkeypatch.setattr("wavefold.solver.engine.root.COUNTED_AT_ONCE", 1)
    solution, pieces = run_in_pieces(wf.Solver(castle(), 3, "entropy", "ac4"))
    assert pieces > whole.patterns.size // 3
    assert solution.patterns.tolist() == whole.patterns.tolist()


FRESH_CALL = """
import sys, time
import wavefold as wf
name, side, search = sys.argv[1], int(sys.argv[2]), sys.argv[3]
tiles, grid, generate = wf.TileSet.load(name), wf.SquareGrid(side, side), wf.generate
budget, started = wf.Budget(ms=50), time.process_time()
try:
    generate(tiles, grid, search=search, budget=budget)
except wf.OutOfBudget:
    pass
print(time.process_time() - started)
"""


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "side", "search"),
    [
        ("castle", 400, "auto"),
        ("circuit", 400, "auto"),
        ("dungeon", 200, "auto"),
        ("terrain", 64, "auto"),
        ("castle", 400, "sat"),
        ("circuit", 400, "sat"),
        ("terrain", 64, "sat"),
    ],
)
def test_fifty_milliseconds_are_fifty_milliseconds_in_a_new_process(name, side, search):
    if search == "sat":
        pytest.importorskip("pysat.solvers")
    arguments = [sys.executable, "-c", FRESH_CALL, name, str(side), search]
    times = [
        float(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout) for _ in range(5)
    ]
    assert min(times) < 0.1
