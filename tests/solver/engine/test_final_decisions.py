"""Decisions that will hardly be undone become final where undoing them would take much memory."""

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only
from wavefold.kernels import constants as c
from wavefold.solver.engine import arrays, engine

pytestmark = compiled_only
KEPT = 64


@pytest.fixture
def forgetful(monkeypatch):
    """Short trails: two entries for each cell."""
    monkeypatch.setattr(arrays, "MOST_NEW_ENTRIES", 0)
    monkeypatch.setattr(engine, "UNDOABLE_DECISIONS", KEPT)


def make_problem(name="circuit", side=40, **options):
    return wf.Problem(wf.TileSet.load(name), wf.SquareGrid(side, side, wraps=True), **options)


def count_forgotten(solver):
    return int(solver._engine.state[c.COMMITTED])


@pytest.mark.parametrize(
    ("name", "order"),
    [("circuit", "auto"), ("terrain", "entropy"), ("meadow", "both"), ("castle", "entropy")],
)
def test_maps_and_counts_are_the_same(name, order, monkeypatch):
    def solve(seed):
        solution = wf.Solver(make_problem(name), seed, order=order).run()
        return solution.patterns.tolist(), solution.stats.decisions, solution.stats.max_depth

    usual = [solve(seed) for seed in range(4)]
    made = []
    forget = arrays.forget_decisions
    monkeypatch.setattr(engine, "forget_decisions", lambda *given: (made.append(given), forget(*given)))
    monkeypatch.setattr(arrays, "MOST_NEW_ENTRIES", 0)
    monkeypatch.setattr(engine, "UNDOABLE_DECISIONS", 256)
    assert [solve(seed) for seed in range(4)] == usual
    assert made or name == "castle"  # its trails are short


def test_only_the_last_decisions_can_be_undone(forgetful):
    solver = wf.Solver(make_problem(), 1)
    solver.run()
    assert count_forgotten(solver) > KEPT
    kept = solver._engine.depth
    assert KEPT <= kept < solver.stats.max_depth
    for _ in range(kept):
        solver.undo()
    with pytest.raises(wf.WavefoldError, match="no decision to undo: earlier decisions are final"):
        solver.undo()
    assert not wf.check(solver.problem, solver.run())


@pytest.mark.parametrize("bias", [{"perimeter": 0.5}, {"bias": 0.5, "influence": np.linspace(0, 1, 576)}])
def test_biased_orders_forget_nothing(forgetful, bias):
    """Their repairs read the whole trail."""
    order = wf.Heuristics(order="entropy", **bias)
    solver = wf.Solver(make_problem(side=24), 1, order=order)
    solver.run()
    assert count_forgotten(solver) == 0


@pytest.mark.parametrize("restrict", ["ban", "pin"])
def test_restrictions_do_not_change_what_is_known_of_final_decisions(forgetful, restrict):
    solver = wf.Solver(make_problem(), 1)
    solver.run()
    for _ in range(5):
        solver.undo()
    forgotten, deepest = count_forgotten(solver), solver.stats.max_depth
    free = next(
        cell for cell in range(1600) if len(solver.domain(solver.problem.topology.coordinate(cell))) > 1
    )
    where = solver.problem.topology.coordinate(free)
    getattr(solver, restrict)(where, solver.domain(where)[0])
    assert count_forgotten(solver) == forgotten
    assert solver.run().stats.max_depth >= deepest
    while solver._engine.depth:
        solver.undo()
    with pytest.raises(wf.WavefoldError, match="earlier decisions are final"):
        solver.undo()


def test_what_is_forgotten_stays_decided(forgetful):
    solver = wf.Solver(make_problem(), 2)
    before = solver.run().patterns
    for _ in range(solver._engine.depth):
        solver.undo()
    after = solver.run().patterns
    assert (before == after).mean() > 0.3
    assert not wf.check(solver.problem, after)


def test_steps_forget_nothing(forgetful):
    solver = wf.Solver(make_problem(side=16), 1)
    for _ in range(80):
        solver.step()
    with_listener = wf.Solver(make_problem(side=30), 1)
    with_listener.listen(lambda _: None, batches=True)
    with_listener.run()
    assert count_forgotten(solver) == count_forgotten(with_listener) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"search": "exact"},
        {"search": "backtrack"},
        {"search": "backjump"},
        {"undo": "snapshot"},
        {"propagation": "ac4"},
    ],
)
def test_searches_that_may_come_back_forget_nothing(forgetful, options):
    solver = wf.Solver(make_problem(side=24), 1, **options)
    solver.run()
    assert count_forgotten(solver) == 0


def test_constraints_keep_all_decisions(forgetful):
    constraint = wf.Count(wf.TileSet.load("circuit").tiles[0].name, at_least=0, at_most=600)
    solver = wf.Solver(make_problem(side=24, constraints=[constraint]), 1)
    solver.run()
    assert count_forgotten(solver) == 0


def test_nothing_is_proved_impossible_after_decisions_were_forgotten(forgetful):
    solver = wf.Solver(make_problem(), 3)
    solver.run()
    assert count_forgotten(solver) > 0
    assert not solver._engine.from_root
    cell = 0
    pattern = int(solver.run().patterns[cell])
    name = solver.problem.rules.names[pattern]
    with pytest.raises(wf.Contradiction, match="a new solver starts without them"):
        solver.ban(solver.problem.topology.coordinate(cell), name)


def test_memory_of_decisions_moves_as_a_whole():
    """The log after forgetting is what was behind it before."""
    solver = wf.Solver(make_problem(side=12), 1)
    for _ in range(30):
        solver.step()
    under = solver._engine
    wave, state = under.wave, under.state
    mark, used = int(wave.decision_mark[10, 0]), int(state[c.TRAIL])
    log = wave.trail_at[mark:used].copy(), wave.trail_removed[mark:used].copy()
    decisions = under.decisions()[10:]
    arrays.forget_decisions(wave, 10)
    assert under.decisions() == decisions
    assert (wave.trail_at[: state[c.TRAIL]] == log[0]).all()
    assert (wave.trail_removed[: state[c.TRAIL]] == log[1]).all()
    domains = under.domains.copy()
    under.undo()
    assert (np.bitwise_count(under.domains) >= np.bitwise_count(domains)).all()
