"""Laws that hold for every tile set, every topology and every seed."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems, seeds
from support import (
    WORLDS,
    compiled_only,
    counts,
    domains_of,
    outcome,
    propagate_slowly,
    propagations,
    start_domains,
)
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.units import COMPILED
from wavefold.solver.engine.engine import Engine
from wavefold.solver.heuristics import Heuristics

ORDERS = ("entropy", "domain", "scanline", "spiral", "random", "scanline:southeast")[: 6 if COMPILED else 3]
SEARCHES = ("auto", "backtrack", "backjump", "repair", "restart", "exact")

orders = st.sampled_from(["entropy", "domain", "scanline", "random"])
searches = st.sampled_from(SEARCHES)


def solver_of(problem, seed, order="entropy", **options):
    return wf.Solver(problem, seed, order, **options)


@given(problems(), seeds, orders, searches)
def test_every_solution_is_valid(problem, seed, order, search):
    with suppress(wf.Contradiction, wf.OutOfBudget):
        solution = solver_of(problem, seed, order, search=search).run(400)
        assert wf.check(problem, solution) == []


@given(problems(), seeds, orders, searches)
def test_the_same_seed_gives_the_same_map(problem, seed, order, search):
    first = outcome(solver_of(problem, seed, order, search=search))
    assert outcome(solver_of(problem, seed, order, search=search)) == first


@given(problems(), seeds, orders, searches, st.sampled_from(["delta", "snapshot"]))
def test_every_propagation_and_every_undo_does_the_same(problem, seed, order, search, undo):
    first = outcome(solver_of(problem, seed, order, search=search))
    for propagation in propagations(problem):
        options = {"propagation": propagation, "undo": undo, "search": search}
        assert outcome(solver_of(problem, seed, order, **options)) == first, options


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("search", ["auto", "repair"])
def test_every_propagation_and_every_undo_does_the_same_on_random_worlds(world, search):
    problem = WORLDS[world]()
    for seed, order in enumerate(ORDERS[:5] if world == "petersen" else ORDERS):
        first = outcome(solver_of(problem, seed, order, search=search))
        assert first[0] == "solved"
        for number, propagation in enumerate(propagations(problem)):
            undo = "snapshot" if (number + seed) % 2 else "delta"
            options = {"propagation": propagation, "undo": undo, "search": search}
            assert outcome(solver_of(problem, seed, order, **options)) == first, (order, options)


@given(problems())
def test_before_any_decision_the_domains_are_those_of_the_slow_propagation(problem):
    expected = propagate_slowly(problem, start_domains(problem))
    for propagation in propagations(problem):
        root = Engine(problem, Heuristics.of("scanline"), propagation).root
        assert (root.empty_cell >= 0) == (expected is None), propagation
        if expected is not None:
            words = root.words[: problem.domains.size].reshape(problem.domains.shape)
            found = [set(np.flatnonzero(row).tolist()) for row in unpack_bits(words, len(problem.rules))]
            assert found == expected, propagation


@pytest.mark.parametrize("world", WORLDS)
def test_after_every_decision_the_domains_are_those_of_the_slow_propagation(world):
    problem = WORLDS[world]()
    for propagation in propagations(problem):
        solver = solver_of(problem, 3, propagation=propagation)
        chosen = []
        solver.listen(lambda event, chosen=chosen: chosen.append(event) if event.kind == "chosen" else None)
        for _ in range(6):
            before = domains_of(solver)
            solver.step()
            if not chosen or solver.status not in ("open", "solved"):
                break
            event = chosen.pop()
            before[event.cell] = set(event.patterns)
            assert domains_of(solver) == propagate_slowly(problem, before)


@given(problems(), seeds, st.integers(1, 7), searches)
def test_a_run_stopped_again_and_again_ends_in_the_same_map(problem, seed, slice_length, search):
    whole = outcome(solver_of(problem, seed, search=search))
    if whole[0] == "budget":
        return
    solver = solver_of(problem, seed, search=search)
    for _ in range(500):
        stopped = outcome(solver, slice_length)
        if stopped[0] != "budget":
            break
    assert stopped == whole


@given(problems(), seeds, st.integers(1, 3))
def test_a_run_stopped_by_backtracks_ends_in_the_same_map(problem, seed, slice_length):
    whole = outcome(solver_of(problem, seed))
    if whole[0] == "budget":
        return
    solver = solver_of(problem, seed)
    for _ in range(500):
        stopped = outcome(solver, wf.Budget(backtracks=slice_length))
        if stopped[0] != "budget":
            break
    assert stopped == whole


@given(problems(), seeds, orders, searches)
def test_stepping_to_the_end_gives_the_same_map_as_running(problem, seed, order, search):
    whole = outcome(solver_of(problem, seed, order, search=search))
    if whole[0] == "budget":
        return
    solver = solver_of(problem, seed, order, search=search)
    for _ in range(2000):
        if solver.step() in ("solved", "impossible"):
            break
    assert outcome(solver) == whole


@given(problems(), seeds, orders, searches)
def test_listening_changes_nothing(problem, seed, order, search):
    quiet = outcome(solver_of(problem, seed, order, search=search))
    watched = solver_of(problem, seed, order, search=search)
    watched.listen(lambda event: None)
    assert outcome(watched) == quiet


@compiled_only
@given(problems(), seeds)
def test_progress_changes_nothing_and_never_claims_too_much(problem, seed):
    reports = []
    watched = solver_of(problem, seed)
    quiet = outcome(solver_of(problem, seed))
    with suppress(wf.Contradiction, wf.OutOfBudget):
        watched.run(400, lambda decided, cells: reports.append((decided, cells)))
    assert counts(watched.stats) == quiet[-1]
    assert all(0 <= decided <= cells == problem.cell_count for decided, cells in reports)


@pytest.mark.parametrize("world", WORLDS)
def test_another_seed_gives_another_map(world):
    problem = WORLDS[world]()
    maps = {tuple(solver_of(problem, seed).run(2000).patterns.tolist()) for seed in range(12)}
    assert len(maps) > 1
