"""Counting tiles: the contract of constraints, then what is special."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CASTLE, CHESS, PIPES, brute_force, everything_touches
from wavefold.testing import ConstraintContract
from wavefold.testing.constraint import do_clauses_allow


class TestCount(ConstraintContract):
    @pytest.fixture(
        params=[wf.Count("┼", 2, 3), wf.Count(" ", at_most=2), wf.Count(["│", "─"], 6), wf.Count("┼", 0, 0)],
        ids=repr,
    )
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[request.param])


def number(solution, tile):
    return int((solution.values == tile).sum())


@pytest.mark.parametrize(("low", "high"), [(0, 0), (3, 3), (0, 2), (5, None), (36, 36)])
def test_a_tile_appears_as_often_as_asked(low, high):
    problem = wf.Problem(PIPES, wf.SquareGrid(6, 6), constraints=[wf.Count("┼", low, high)])
    for seed in range(4):
        solution = wf.Solver(problem, seed, "entropy").run(5000)
        assert low <= number(solution, "┼") <= (36 if high is None else high)
        assert wf.check(problem, solution) == []


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2**32))
def test_two_counts_hold_together(first, second, seed):
    counts = [wf.Count("t0", first, first), wf.Count("t1", second, second)]
    problem = wf.Problem(everything_touches([1, 1, 1]), wf.SquareGrid(5, 1), constraints=counts)
    solver = wf.Solver(problem, seed, "entropy")
    if first + second > 5:
        with pytest.raises(wf.Contradiction):
            solver.run()
    else:
        assert np.bincount(solver.run().patterns, minlength=3).tolist() == [first, second, 5 - first - second]


def test_a_tile_name_counts_all_its_turns():
    problem = wf.Problem(CASTLE, wf.SquareGrid(5, 5), constraints=[wf.Count("bccc", at_most=2)])
    solution = wf.Solver(problem, 0, "entropy").run(20_000)
    assert number(solution, "bccc") <= 2


def test_a_list_counts_several_tiles_together():
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[wf.Count(["┼", " "], 10)])
    solution = wf.Solver(problem, 0, "entropy").run(5000)
    assert number(solution, "┼") + number(solution, " ") >= 10


@pytest.mark.parametrize(("low", "high"), [(5, 5), (0, 3), (6, None)])
def test_counts_a_chessboard_cannot_have_are_proved_impossible(low, high):
    problem = wf.Problem(CHESS, wf.SquareGrid(4, 2), constraints=[wf.Count("white", low, high)])
    with pytest.raises(wf.Contradiction, match="'white' must appear"):
        wf.Solver(problem).run()


def test_counts_change_nothing_between_propagations():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5), constraints=[wf.Count("┼", 2, 5), wf.Count(" ", 4)])
    maps = {
        tuple(wf.Solver(problem, 3, "entropy", propagation, undo=undo).run().patterns.tolist())
        for propagation in ("ac3", "ac4", "naive")
        for undo in ("delta", "snapshot")
    }
    assert len(maps) == 1


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        ((-1,), "at least 0, not -1"),
        ((0, 1.5), "not 1.5"),
        ((True,), "not True"),
        ((3, 2), "they are 3 and 2"),
    ],
)
def test_counts_that_make_no_sense_are_refused(arguments, culprit):
    with pytest.raises(wf.ConfigError, match=culprit):
        wf.Count("white", *arguments)


def test_a_count_of_an_unknown_tile_is_refused_by_name():
    with pytest.raises(wf.TileSetError, match="did you mean 'white'"):
        wf.generate(CHESS, wf.SquareGrid(2, 2), constraints=[wf.Count("wite", 1)])


def test_a_violated_count_is_a_sentence():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), constraints=[wf.Count("white", 2)])
    assert wf.Count("white", 2).violations(problem, np.array([0, 1])) == [
        "'white' must appear at least 2 times; it appears 1 time"
    ]


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (wf.Count("white", 1), "'white' must appear at least 1 time"),
        (wf.Count("white", 0, 4), "'white' must appear at most 4 times"),
        (wf.Count("white", 3, 3), "'white' must appear exactly 3 times"),
        (wf.Count(["white", "black"], 3, 5), "['white', 'black'] must appear 3 to 5 times"),
    ],
)
def test_the_message_says_how_often_the_tile_must_appear(count, message):
    assert count.message() == message


@pytest.mark.parametrize(
    ("low", "high"), [(0, 0), (0, 2), (1, 1), (1, 3), (2, None), (4, 4), (5, None), (0, 9)]
)
@pytest.mark.parametrize("tile", ["t1", ["t0", "t2"]], ids=str)
def test_clauses_allow_just_the_maps_that_brute_force_finds(tile, low, high):
    pytest.importorskip("pysat.solvers")
    free = wf.Problem(everything_touches([1, 1, 1]), wf.SquareGrid(4, 1))
    problem = free.replace(constraints=(wf.Count(tile, low, high),))
    every = brute_force(free)
    assert len(every) == 3**4
    found = [each for each in every if do_clauses_allow(problem, np.array(each))]
    assert found == brute_force(problem)


@pytest.mark.parametrize("count", [wf.Count("┼", 5, 5), wf.Count(" ", at_most=2), wf.Count(["│", "─"], 9)])
def test_a_sat_solver_respects_counts(count):
    pytest.importorskip("pysat.solvers")
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5), constraints=[count, wf.Count("┌", 1, 3)])
    for seed in range(3):
        assert wf.check(problem, wf.Solver(problem, seed, search="sat").run()) == []


@pytest.mark.parametrize("count", [wf.Count("white", 9), wf.Count("white", 0, 3), wf.Count("white", 5, 5)])
def test_a_sat_solver_proves_counts_impossible(count):
    pytest.importorskip("pysat.solvers")
    problem = wf.Problem(CHESS, wf.SquareGrid(4, 2), constraints=[count])
    with pytest.raises(wf.Contradiction, match="'white' must appear"):
        wf.Solver(problem, search="sat").run()


def test_counts_that_exclude_each_other_are_named_at_once():
    counts = [wf.Count("┼", at_least=5), wf.Count(["┼", " "], at_most=4)]
    problem = wf.Problem(PIPES, wf.SquareGrid(12, 12), constraints=counts)
    with pytest.raises(wf.Contradiction, match=r"(?s)'┼' must appear at least 5 times.*at most 4 times"):
        wf.Solver(problem).run(2000)
    halves = [wf.Count("┼", at_least=5, area=(0, 0, 6, 12)), wf.Count("┼", at_most=4, area=(6, 0, 6, 12))]
    solution = wf.generate(PIPES, wf.SquareGrid(12, 12), constraints=halves)
    assert wf.check(wf.Problem(PIPES, wf.SquareGrid(12, 12), constraints=halves), solution) == []
