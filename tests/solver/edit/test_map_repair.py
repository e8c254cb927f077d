"""Repairing a map that somebody edited."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from strategies import socket_tiles
from support import CASTLE, CHESS, PIPES
from wavefold.kernels.units import COMPILED
from wavefold.solver.edit.map_repair import iterate_radii
from wavefold.topology.base import TopologyPart


def solved(tiles, grid, seed=0, **options):
    problem = wf.Problem(tiles, grid, **options)
    return problem, wf.Solver(problem, seed).run()


def test_a_valid_map_is_not_changed():
    problem, solution = solved(PIPES, wf.SquareGrid(9, 7))
    mended = wf.repair(problem, solution.array)
    assert mended.changed == mended.broken == ()
    assert (mended.solution.patterns == solution.patterns).all()


@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_cell_costs_few_changes(seed):
    problem, solution = solved(PIPES, wf.SquareGrid(12, 12), seed)
    wanted = solution.array.copy()
    wanted[5, 6] = (wanted[5, 6] + 1 + seed) % len(PIPES)
    mended = wf.repair(problem, wanted)
    assert not wf.check(problem, mended.solution)
    assert len(mended.changed) <= 1
    kept = wf.repair(problem, wanted, keep=[(6, 5)])
    assert kept.solution.array[5, 6] == wanted[5, 6]
    assert not wf.check(problem, kept.solution)


def test_unknown_cells_are_filled():
    problem, solution = solved(CASTLE, wf.SquareGrid(8, 8))
    wanted = solution.patterns.copy()
    wanted[20:30] = -1
    mended = wf.repair(problem, wanted)
    assert not wf.check(problem, mended.solution)
    assert set(mended.changed) <= set(range(64))
    assert set(range(20, 30)) <= set(mended.changed)


@settings(deadline=None, max_examples=40 if COMPILED else 10)
@given(socket_tiles(), st.integers(0, 10**6), st.integers(1, 6))
def test_what_comes_out_is_valid_or_proved_impossible(tiles, salt, edits):
    rng = np.random.default_rng(salt)
    grid = wf.SquareGrid(5, 4)
    wanted = rng.integers(0, len(tiles), 20)
    keep = rng.choice(20, edits, replace=False).tolist()
    problem = wf.Problem(tiles, grid)
    try:
        mended = wf.repair(problem, wanted, keep=keep, seed=salt)
    except wf.Contradiction:
        names = [tiles.patterns[wanted[cell]].name for cell in keep]
        pins = {cell: name if "@" in name else f"{name}@0" for cell, name in zip(keep, names, strict=True)}
        with pytest.raises(wf.Contradiction):
            wf.generate(tiles, grid, pins=pins, search="exact")
        return
    assert not wf.check(problem, mended.solution)
    assert (mended.solution.patterns[keep] == wanted[keep]).all()
    assert list(mended.changed) == np.flatnonzero(mended.solution.patterns != wanted).tolist()


def test_pins_masks_and_constraints_of_the_problem_hold():
    problem, solution = solved(CHESS, wf.SquareGrid(4, 4), pins={(0, 0): "white"})
    mended = wf.repair(problem, 1 - solution.patterns)
    assert mended.solution.values[0, 0] == "white"
    assert len(mended.changed) == 16
    counted, first = solved(PIPES, wf.SquareGrid(5, 5), constraints=[wf.Count("┼", 0, 0)])
    wanted = first.patterns.copy()
    wanted[12] = int(PIPES.rules.patterns("┼")[0])
    again = wf.repair(counted, wanted)
    assert not wf.check(counted, again.solution)
    assert (again.solution.values != "┼").all()


def test_what_must_be_kept_may_be_impossible():
    problem, _ = solved(CHESS, wf.SquareGrid(3, 3))
    with pytest.raises(wf.Contradiction, match="the kept cell 'white' at column 0, row 0") as found:
        wf.repair(problem, np.zeros(9, int), keep=[(0, 0), (1, 0)])
    assert "mask" not in str(found.value)
    assert set(found.value.explanation.cells) == {0, 1}


def test_pins_and_kept_cells_are_told_apart():
    problem, _ = solved(CHESS, wf.SquareGrid(3, 3), pins={(2, 2): "white"})
    with pytest.raises(wf.Contradiction) as found:
        wf.repair(problem, np.full(9, CHESS.rules.patterns("black")[0]), keep=[(0, 0)])
    assert "the kept cell 'black' at column 0, row 0" in str(found.value)
    assert "the pin 'white' at column 2, row 2" in str(found.value)


def test_the_last_try_has_a_budget_and_every_try_is_told(monkeypatch):
    problem, _ = solved(CHESS, wf.SquareGrid(3, 3))
    told = []
    wf.repair(problem, np.zeros(9, int), progress=lambda *each: told.append(each))
    assert told
    assert all(0 < opened <= 9 and cells == 9 for opened, cells in told)
    assert told == sorted(told)
    monkeypatch.setattr("wavefold.solver.edit.map_repair.solve_cells", lambda *_, **__: (None, False))
    with pytest.raises(wf.OutOfBudget):
        wf.repair(problem, np.zeros(9, int), budget=0)
    assert not wf.check(problem, wf.repair(problem, np.zeros(9, int), budget=100).solution)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (np.zeros(5, int), r"shape \(5,\)"),
        (np.zeros(9), "pattern numbers"),
        (np.full(9, 7), "outside -1 to 1"),
        (np.full(9, -2), "outside -1 to 1"),
    ],
)
def test_what_is_no_map_is_refused(wanted, message):
    with pytest.raises(wf.ConfigError, match=message):
        wf.repair(wf.Problem(CHESS, wf.SquareGrid(3, 3)), wanted)


def test_a_cell_to_keep_must_have_a_pattern():
    with pytest.raises(wf.ConfigError, match="keep: the cell column 0, row 0 has no pattern; leave it out"):
        wf.repair(wf.Problem(CHESS, wf.SquareGrid(3, 3)), np.full(9, -1), keep=[(0, 0)])


def test_a_part_has_the_cells_and_sides_of_the_whole():
    grid = wf.SquareGrid(4, 3, wraps=True)
    part = TopologyPart(grid, [0, 3, 5])
    assert part.cell_count == 3
    assert part.coordinate(2) == (1, 1)
    assert part.cell_at((3, 0)) == 1
    assert part.graph().neighbour.tolist() == [[-1, -1, -1, 1], [-1, 0, -1, -1], [-1, -1, -1, -1]]
    with pytest.raises(wf.ConfigError, match="column 1, row 0 is not in this part"):
        part.cell_at((1, 0))
    with pytest.raises(wf.ConfigError, match="numbers from 0 to 11"):
        TopologyPart(grid, [12])


def test_a_solution_can_be_repaired_for_another_problem():
    problem, solution = solved(CHESS, wf.SquareGrid(3, 3))
    other = {"white": "black", "black": "white"}[solution.values.flat[0]]
    pinned = wf.Problem(CHESS, wf.SquareGrid(3, 3), {(0, 0): other})
    assert wf.repair(problem, solution).changed == ()
    assert len(wf.repair(pinned, solution).changed) == 9


def free_up_to(last, freed):
    """A function that frees a ring if it is not beyond the last one."""

    def free_ring(ring):
        freed.append(ring)
        return ring <= last

    return free_ring


def test_every_ring_up_to_a_radius_is_freed_before_it():
    freed = []
    steps = iterate_radii((0, 1, 3), free_up_to(9, freed))
    assert [(radius, list(freed)) for radius in steps] == [(0, []), (1, [1]), (3, [1, 2, 3])]


def test_a_step_that_frees_nothing_is_the_last():
    freed = []
    assert list(iterate_radii((1, 2, 4, 8), free_up_to(2, freed))) == [1, 2]
    assert freed == [1, 2, 3, 4]


def test_the_first_radius_is_tried_even_if_there_is_nothing_around():
    assert list(iterate_radii((1, 2), free_up_to(0, []))) == [1]


def test_time_limits_the_whole_repair(monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr("wavefold.solver.budget.perf_counter", lambda: next(ticks) / 1000)
    monkeypatch.setattr("wavefold.kernels.constants.WORK_SLICE", 40)
    problem, solution = solved(CASTLE, wf.SquareGrid(10, 10))
    wanted = solution.patterns.copy()
    wanted[[22, 25, 71]] = (wanted[[22, 25, 71]] + 1) % len(CASTLE)
    whole = wf.repair(problem, wanted)
    stops = []
    for ms in range(0, 3_000, 7):
        before = next(ticks)
        try:
            mended = wf.repair(problem, wanted, budget=wf.Budget(ms=ms))
            break
        except wf.OutOfBudget as stop:
            stops.append((stop, next(ticks) - before - ms))
    assert mended.solution.patterns.tolist() == whole.solution.patterns.tolist()
    assert all(stop.phase == "repairing" and late <= 5 for stop, late in stops)
    were_restoring = ["undoing" in str(stop) for stop, _ in stops]
    assert were_restoring == sorted(were_restoring)
    assert set(were_restoring) == {False, True}
    valid = wf.Solution(problem, stops[-1][0].partial.patterns, whole.solution.stats, 0)
    assert wf.check(problem, valid) == []
