"""Engines for one shape: held cells stay, wishes are granted, and nothing of one solve shows in the next."""

import numpy as np
import pytest

import wavefold as wf
from support import APART, CHESS, HEX_RIVERS, PIPES, TINTED
from wavefold.solver import Ladder
from wavefold.solver.engine.held import HeldEngine, decided
from wavefold.solver.search.heuristics import Heuristics

ENTROPY = Heuristics.of("entropy")
PROBLEMS = {
    "pipes": lambda: wf.Problem(PIPES, wf.SquareGrid(5, 4)),
    "tinted": lambda: wf.Problem(TINTED, wf.SquareGrid(4, 4)),
    "kinds apart": lambda: wf.Problem(APART, wf.SquareGrid(4, 4)),
    "rivers": lambda: wf.Problem(HEX_RIVERS, wf.HexGrid(2)),
}


def words_of(problem, patterns):
    return np.stack([problem.rules.words_for(np.array([pattern])) for pattern in patterns])


def solved(engine, seed=1):
    assert engine.solve(ENTROPY, seed, Ladder(patience=16, repairs=50, radius=3))
    return decided(engine.domains)


@pytest.fixture(params=list(PROBLEMS))
def problem(request):
    return PROBLEMS[request.param]()


def test_held_cells_stay_and_the_rest_fits(problem):
    engine = HeldEngine(problem)
    first = wf.Solver(problem, seed=3).run().patterns
    held = np.arange(0, problem.cell_count, 3)
    assert engine.hold(held, words_of(problem, first[held]))
    found = solved(engine)
    assert (found[held] == first[held]).all()
    assert not wf.check(problem, found)


def test_holding_is_like_pinning(problem):
    first = wf.Solver(problem, seed=3).run().patterns
    held = np.array([0, 2])
    masks = np.ones((problem.cell_count, len(problem.rules)), bool)
    masks[held] = False
    masks[held, first[held]] = True
    root = wf.Solver(wf.Problem(problem.tiles, problem.topology, masks=masks)).partial()
    engine = HeldEngine(problem)
    assert engine.hold(held, words_of(problem, first[held]))
    assert (engine.domains == root.words).all()


def test_cells_have_weights_of_their_own_until_the_next_hold():
    tiles = wf.TileSet([wf.Tile("a", ("x",) * 4), wf.Tile("b", ("x",) * 4, 3.0)])
    engine = HeldEngine(wf.Problem(tiles, wf.SquareGrid(4, 4)))
    cells, none = np.arange(16), np.zeros((0, 1), np.uint64)
    assert engine.hold(cells[:0], none)
    plain = solved(engine)
    assert engine.hold(cells[:0], none)
    engine.weigh(np.where((cells < 8)[:, None], [1.0, 0.0], [0.0, 1.0]))
    assert (solved(engine) == (cells >= 8)).all()
    assert engine.hold(cells[:0], none)
    engine.weigh(np.ones((16, 2)))
    engine.prefer(cells, cells % 2, 1e6)
    assert (solved(engine) == cells % 2).all()
    assert engine.hold(cells[:0], none)
    assert (solved(engine) == plain).all()


def test_what_was_done_before_does_not_show(problem):
    one, other = HeldEngine(problem), HeldEngine(problem)
    first = wf.Solver(problem, seed=3).run().patterns
    held = np.arange(2)
    other.hold(held[::-1] + 1, words_of(problem, first[held[::-1] + 1]))
    other.prefer(held, first[held].astype(np.int64), 10.0)
    solved(other, 5)
    for engine in (one, other):
        engine.hold(held, words_of(problem, first[held]))
    assert (solved(one, 9) == solved(other, 9)).all()


def test_wishes_are_granted_while_nothing_is_emptied():
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 3))
    engine = HeldEngine(problem)
    assert engine.hold(np.array([0]), words_of(problem, [0]))
    white = np.repeat(words_of(problem, [0]), 9, axis=0)
    granted = engine.grant(np.arange(9), white)
    assert granted.tolist() == [number % 2 == 0 for number in range(9)]


def test_what_cannot_be_held_names_a_cell():
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 1))
    engine = HeldEngine(problem)
    assert not engine.hold(np.array([0, 2]), words_of(problem, [0, 1]))
    assert engine.is_proof
    assert engine.conflict in range(3)
    nothing = np.zeros((1, 1), np.uint64)
    assert not engine.hold(np.array([1]), nothing)
    assert engine.conflict == 1
    assert engine.hold(np.array([0, 2]), words_of(problem, [1, 1]))


def test_what_is_preferred_is_taken_more_often(problem):
    engine = HeldEngine(problem)
    first = wf.Solver(problem, seed=3).run().patterns.astype(np.int64)
    every = np.arange(problem.cell_count)
    none = np.zeros(0, np.int64), np.zeros((0, problem.rules.words), np.uint64)
    kept = {}
    for factor in (1.0, 1e4):
        kept[factor] = 0
        for seed in range(5):
            engine.hold(*none)
            engine.prefer(every, first, factor)
            found = solved(engine, seed)
            assert not wf.check(problem, found)
            kept[factor] += (found == first).sum()
    assert kept[1e4] > kept[1.0]
