"""Arrays that one search leaves to the next: nothing of it may show, and no two have them at once."""

import gc
import itertools
import threading
import weakref
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from support import CASTLE, PIPES, WORLDS, outcome, propagations
from wavefold.kernels.units import COMPILED
from wavefold.solver.engine import root
from wavefold.solver.engine.shared import SpareArrays

GRID = wf.SquareGrid(6, 6)
UNEVEN = np.random.default_rng(1).random((36, len(PIPES.rules)))
PROBLEMS = WORLDS | {
    "weights per cell": lambda: wf.Problem(PIPES, GRID, weights=UNEVEN),
    "pins": lambda: wf.Problem(CASTLE, GRID, pins={(2, 3): "daac"}),
}
ORDERS = {
    "entropy": wf.Heuristics(),
    "scanline": wf.Heuristics(order="scanline"),
    "random": wf.Heuristics(order="random"),
    "shortlist": wf.Heuristics(order="both", most_constraining=True, central=True),
    "tallied": wf.Heuristics(local_share=0.5, ties="spiral"),
}
LIMIT = 150  # decisions


@cache
def solve_alone(world, seed, order, propagation="auto", undo="delta"):
    """The outcome on a problem that nobody has solved before."""
    return outcome(wf.Solver(PROBLEMS[world](), seed, ORDERS[order], propagation, undo=undo), LIMIT)


@pytest.mark.parametrize("undo", ["delta", "snapshot"])
@pytest.mark.parametrize("world", PROBLEMS)
def test_one_problem_solved_again_and_again_gives_the_maps_of_new_problems(world, undo):
    problem = PROBLEMS[world]()
    for seed in range(4 if COMPILED else 1):
        for order in ORDERS if COMPILED else ["entropy"]:
            for propagation in propagations(problem) if seed == 0 else ["auto"]:
                found = outcome(wf.Solver(problem, seed, ORDERS[order], propagation, undo=undo), LIMIT)
                assert found == solve_alone(world, seed, order, propagation, undo)


actions = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from(["new", "new", "step", "run", "drop"]), st.sampled_from([*ORDERS])
    ),
    min_size=4,
    max_size=25,
)


def check_outcome(world, solver, seed, order):
    assert outcome(solver, LIMIT) == solve_alone(world, seed, order)


@pytest.mark.parametrize("world", ["castle", "pipes", "flowers"])
@given(moves=actions)
@settings(max_examples=25 if COMPILED else 2)
def test_solvers_that_live_side_by_side_and_are_dropped_half_way_never_meet(world, moves):
    problem, live, seed = PROBLEMS[world](), {}, 0
    for place, action, order in moves:
        if action == "new":
            seed += 1
            live[place] = wf.Solver(problem, seed % 4, ORDERS[order]), seed % 4, order
        elif action == "drop":
            live.pop(place, None)
        elif place in live and action == "step":
            live[place][0].step()
        elif place in live:
            check_outcome(world, *live.pop(place))
    for each in live.values():
        check_outcome(world, *each)


def test_threads_that_solve_one_problem_find_what_each_would_find_alone():
    problem, wrong = PROBLEMS["castle"](), []
    together = threading.Barrier(4)

    def solve(first):
        together.wait()
        for seed in range(first, first + (12 if COMPILED else 2)):
            found = outcome(wf.Solver(problem, seed % 16, ORDERS["entropy"]), LIMIT)
            if found != solve_alone("castle", seed % 16, "entropy"):
                wrong.append(seed)

    for seed in range(16 if COMPILED else 5):
        solve_alone("castle", seed, "entropy")
    threads = [threading.Thread(target=solve, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_solver_that_is_kept_keeps_its_wave_and_its_counts():
    problem = PROBLEMS["castle"]()
    solver = wf.Solver(problem, 1, "entropy")
    solution = solver.run()
    before = solver.partial().words.tolist(), solution.patterns.tolist(), solver.stats
    for seed in range(5):
        wf.Solver(problem, seed, "entropy").run()
    assert (solver.partial().words.tolist(), solution.patterns.tolist(), solver.stats) == before
    solver.undo()
    wf.Solver(problem, 3, "entropy").run()
    assert solver.run().patterns.tolist() != []
    assert wf.check(problem, solver.solution()) == []


def test_maps_and_partial_maps_outlive_their_solver_unchanged():
    problem = PROBLEMS["castle"]()
    solution = wf.Solver(problem, 1, "entropy").run()
    solver = wf.Solver(problem, 2, "entropy")
    solver.step()
    partial = solver.partial()
    before = solution.patterns.tolist(), partial.words.tolist()
    del solver
    for seed in range(5):
        wf.Solver(problem, seed, "entropy").run()
    assert (solution.patterns.tolist(), partial.words.tolist()) == before


def count_waves(monkeypatch):
    created = []
    create = root.create_wave
    monkeypatch.setattr(root, "create_wave", lambda *given: created.append(given) or create(*given))
    return created


def test_the_next_solver_of_a_problem_takes_the_arrays_of_the_last(monkeypatch):
    problem, created = PROBLEMS["pipes"](), count_waves(monkeypatch)
    wf.Solver(problem, 0).run()
    first = len(created)
    for seed in range(3):
        wf.Solver(problem, seed).run()
    assert len(created) == first
    alive = [wf.Solver(problem, seed) for seed in range(2)]
    assert [solver.run().seed for solver in alive] == [0, 1]
    assert len(created) == first + 1


def test_large_arrays_are_not_kept(monkeypatch):
    monkeypatch.setattr(SpareArrays, "most_bytes", 0)
    problem, created = PROBLEMS["pipes"](), count_waves(monkeypatch)
    for seed in range(3):
        wf.Solver(problem, seed).run()
    assert len(created) == 3


def test_a_view_that_a_constraint_keeps_stays_as_it_was():
    views = []

    class Keeper:
        def prune(self, view):
            views.append(view)

        def violations(self, problem, patterns):
            return []

    problem = wf.Problem(PIPES, GRID, constraints=[Keeper()])
    wf.Solver(problem, 1, "entropy").run()
    before = views[-1].possible.tolist()
    wf.Solver(problem, 2, "entropy").run()
    assert views[0].possible.tolist() == before


def test_a_problem_is_freed_when_only_its_order_refers_to_it():
    problem = PROBLEMS["pipes"]()
    reference = weakref.ref(problem)
    heuristics = wf.Heuristics(order=lambda cell, *_, asked=problem: asked.cell_count - cell)
    wf.Solver(problem, 1, heuristics).run()
    del problem, heuristics
    gc.collect()
    assert reference() is None


def test_factors_that_change_between_two_runs_are_read_again():
    problem, influence = PROBLEMS["castle"](), np.zeros(49)
    heuristics = wf.Heuristics(bias=1.0, influence=influence)
    plain = wf.Solver(problem, 1, heuristics).run().patterns.tolist()
    influence[:] = np.arange(49)
    changed = wf.Solver(problem, 1, heuristics).run().patterns.tolist()
    assert changed != plain
    anew = wf.Heuristics(bias=1.0, influence=np.arange(49.0))
    assert changed == wf.Solver(PROBLEMS["castle"](), 1, anew).run().patterns.tolist()


def test_averages_of_shortlists_are_those_of_one_run():
    problem = PROBLEMS["pipes"]()
    alone = wf.Solver(problem, 1, ORDERS["shortlist"]).run().stats.shortlists
    wf.Solver(problem, 2, ORDERS["shortlist"]).run()
    assert alone
    assert wf.Solver(problem, 1, ORDERS["shortlist"]).run().stats.shortlists == alone


def test_a_set_up_that_time_stopped_leaves_nothing_behind(monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr("wavefold.solver.budget.perf_counter", lambda: next(ticks) / 1000)
    monkeypatch.setattr("wavefold.kernels.constants.WORK_SLICE", 10)
    problem = PROBLEMS["castle"]()
    with pytest.raises(wf.OutOfBudget, match="while setting up"):
        wf.Solver(problem, 1, "entropy").run(wf.Budget(ms=3))
    assert outcome(wf.Solver(problem, 1, ORDERS["entropy"]), LIMIT) == solve_alone("castle", 1, "entropy")
