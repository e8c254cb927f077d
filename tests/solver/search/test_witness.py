"""The witness rung: a map of tiles that repeat, solved again window by window."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import CASTLE, CHESS, HEX_RIVERS, PIPES, TOWERS, colouring, compiled_only
from wavefold.kernels.units import COMPILED
from wavefold.solver.search.certificate import Certificate
from wavefold.solver.search.witness import build_witness, cut_axis, find_known_certificate
from wavefold.topology import make_box

SIDE = 40 if COMPILED else 9
# A column of this set is one of three, in turn: maps that wrap are multiples of three wide.
THIRDS = wf.TileSet([wf.Tile(f"t{i}", ("-", f"{(i + 1) % 3}", "-", f"{i}")) for i in range(3)])


def solve(problem, seed=0, **options):
    solver = wf.Solver(problem, seed, search="witness", **options)
    solution = solver.run()
    assert wf.check(problem, solution) == []
    return solution


@pytest.mark.parametrize("order", ["scanline", "entropy", "spiral", "random", "domain"])
@pytest.mark.parametrize("wraps", [False, True])
def test_maps_are_valid_in_every_order(order, wraps):
    problem = wf.Problem(PIPES, wf.SquareGrid(SIDE, SIDE + 1, wraps=wraps))
    solution = solve(problem, order=order)
    assert solution.stats.rungs == ("witness",)
    assert len(np.unique(solution.patterns)) > 8


@pytest.mark.parametrize("propagation", ["ac3", "ac4", "naive"])
def test_all_propagations_and_undos_give_the_same_map(propagation):
    problem = wf.Problem(CASTLE, wf.SquareGrid(9, 9))
    expected = solve(problem, 3)
    assert (solve(problem, 3, propagation=propagation).patterns == expected.patterns).all()
    assert (solve(problem, 3, undo="snapshot").patterns == expected.patterns).all()


@pytest.mark.parametrize(
    "problem",
    [
        wf.Problem(HEX_RIVERS, wf.HexGrid.rhombus(9, 7, wraps=True)),
        wf.Problem(HEX_RIVERS, wf.HexGrid(5)),
        wf.Problem(TOWERS, wf.CubeGrid(5, 4, 3)),
        wf.Problem(PIPES, wf.SquareGrid(8, 8, mask=np.tri(8, dtype=bool))),
    ],
)
def test_maps_of_every_kind_of_grid_are_valid(problem):
    assert solve(problem).stats.rungs == ("witness",)


def test_nothing_of_the_period_is_left():
    """No shift of the map agrees with it much more often than shifts do in maps made without the rung."""
    grid = wf.SquareGrid(SIDE, SIDE)
    made = solve(wf.Problem(PIPES, grid)).array
    usual = wf.Solver(wf.Problem(PIPES, grid), 0, "scanline").run().array

    def agreement(array):
        shifts = [(dy, dx) for dy in range(5, 8) for dx in range(5, 8)]
        return [(array == np.roll(array, shift, (0, 1))).mean() for shift in shifts]

    assert max(agreement(made)) < max(agreement(usual)) + 0.1


def test_a_run_that_is_stopped_again_and_again_makes_the_same_map():
    problem = wf.Problem(CASTLE, wf.SquareGrid(12, 12, wraps=True))
    expected = solve(problem, 5)
    solver = wf.Solver(problem, 5, search="witness")
    while solver.status != "solved":
        with suppress(wf.OutOfBudget):
            solver.run(wf.Budget(decisions=17))
    assert (solver.solution().patterns == expected.patterns).all()


def test_steps_make_the_same_map():
    problem = wf.Problem(CASTLE, wf.SquareGrid(9, 9))
    solver = wf.Solver(problem, 5, search="witness")
    while solver.step() != "solved":
        pass
    assert (solver.solution().patterns == solve(problem, 5).patterns).all()


def test_events_tell_the_whole_story():
    """Whoever follows replaced, chosen and removed patterns ends with the map."""
    problem = wf.Problem(CASTLE, wf.SquareGrid(12, 12))
    solver = wf.Solver(problem, 1, search="witness")
    patterns = {}

    def follow(event):
        if event.kind in ("replaced", "chosen"):
            patterns[event.cell] = event.patterns[0] if event.patterns else -1
        elif event.kind == "undone":
            patterns[event.cell] = -1

    solver.listen(follow)
    solution = solver.run()
    decided = {cell: pattern for cell, pattern in patterns.items() if pattern >= 0}
    assert all(solution.patterns[cell] == pattern for cell, pattern in decided.items())
    assert len(decided) > 30


def test_a_strip_changes_the_phase_where_the_period_does_not_divide_the_map():
    base = find_known_certificate(PIPES.rules, None).base
    for size in ((7, 7), (11, 8), (9, 14)):
        grid = wf.SquareGrid(*size, wraps=True)
        assert wf.check(wf.Problem(PIPES, grid), build_witness(PIPES.rules, base, grid, None)) == []


@settings(max_examples=30, deadline=None)
@given(
    st.one_of(socket_tiles(most=4), table_tiles(most=4), table_tiles("hex", 3), table_tiles("cube", 3)),
    st.tuples(st.integers(3, 7), st.integers(3, 7), st.integers(2, 3)),
    st.booleans(),
)
def test_a_repeated_map_is_always_valid(tiles, sizes, wraps):
    certificate = find_known_certificate(tiles.rules, None)
    if certificate.base is not None:
        grid = make_box(tiles.topology, *sizes[: certificate.base.ndim], wraps=wraps)
        patterns = build_witness(tiles.rules, certificate.base, grid, None)
        assert patterns is None or wf.check(wf.Problem(tiles, grid), patterns) == []
        assert wraps or patterns is not None


def test_an_odd_chessboard_that_wraps_has_none():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(7, 7, wraps=True)), search="witness")
    with pytest.raises(wf.Contradiction):
        solver.run()


def test_without_a_certificate_the_error_says_so():
    problem = wf.Problem(CASTLE, wf.SquareGrid(5, 5, wraps=True))
    with pytest.raises(wf.OutOfBudget, match="no strip was found"):
        wf.Solver(problem, search="witness").run()
    with pytest.MonkeyPatch.context() as patch:
        none = Certificate("undecided", tried=5)
        patch.setattr("wavefold.solver.search.witness.find_known_certificate", lambda *_: none)
        with pytest.raises(wf.OutOfBudget, match="the tiles have no certificate"):
            wf.Solver(problem, search="witness").run()
        masked = wf.Problem(CASTLE, problem.topology, masks=np.arange(len(CASTLE)) > 0)
        with pytest.raises(wf.OutOfBudget, match=r"tiles that pins and masks allow .* have no certificate"):
            wf.Solver(masked, search="witness").run()


def test_pins_and_masks_are_met():
    grid = wf.SquareGrid(20, 20)
    masks = np.ones((400, len(PIPES)), bool)
    masks[:40, :4] = False
    pins = {(3, 10): "┼", (4, 17): "─", (17, 17): "└", (18, 2): " "}
    solution = solve(wf.Problem(PIPES, grid, pins=pins, masks=masks))
    assert "witness" in solution.stats.rungs
    assert solution.values[10, 3] == "┼"


def test_pins_the_witness_cannot_meet_are_left_to_the_other_rungs():
    grid = wf.SquareGrid(9, 3)
    pins = {(0, 0): "t0", (4, 0): "t0"}  # in every map they are a multiple of three apart
    with pytest.raises(wf.Contradiction):
        wf.Solver(wf.Problem(THIRDS, grid, pins=pins), search="auto").run()
    assert solve(wf.Problem(THIRDS, grid, pins={(0, 0): "t1"})).values[0, 0] == "t1"


def test_a_mask_of_all_cells_is_part_of_what_repeats():
    masks = np.ones(len(PIPES), bool)
    masks[0] = False  # the blank, which fills the plane alone
    solution = solve(wf.Problem(PIPES, wf.SquareGrid(12, 12), masks=masks))
    assert (solution.patterns != 0).all()


def test_constraints_hold_or_another_rung_goes_on():
    problem = wf.Problem(PIPES, wf.SquareGrid(8, 8), constraints=[wf.Count("┼", at_most=2)])
    solution = wf.Solver(problem, 1, search=wf.Ladder(patience=24, witness=0, restarts=4, exact=True)).run()
    assert wf.check(problem, solution) == []


def test_graphs_have_no_rows_that_repeat():
    problem = wf.Problem(colouring(3), wf.Graph([(0, 1), (1, 2)]))
    assert wf.Solver(problem, search="witness").run().stats.rungs == ("backtrack",)


@pytest.mark.parametrize(
    ("span", "wraps", "offset"), [(40, True, 12), (41, False, 4), (5, True, 8), (3, False, 0)]
)
def test_windows_cut_an_axis_into_pieces_without_a_gap(span, wraps, offset):
    pieces = cut_axis(span, wraps, 16, offset)
    assert sorted(np.concatenate(pieces).tolist()) == list(range(span))
    assert max(map(len, pieces)) <= 24


@compiled_only
def test_auto_solves_hard_wrapped_maps_with_few_decisions():
    problem = wf.Problem(wf.TileSet.load("castle"), wf.SquareGrid(96, 96, wraps=True))
    for seed in range(2):
        solution = wf.Solver(problem, seed).run(wf.Budget(decisions=20 * problem.cell_count))
        assert wf.check(problem, solution) == []
