"""Which tile: weights, and every knob that bends them."""

from collections import Counter

import numpy as np
import pytest

import wavefold as wf
from support import PIPES, everything_touches
from wavefold.kernels import constants as c
from wavefold.kernels.units import COMPILED
from wavefold.solver.engine.engine import Engine

SIDE = 30 if COMPILED else 12
CELLS = SIDE * SIDE


def tally(solution):
    """How many cells each tile took, in the order of the tiles."""
    return np.bincount(solution.patterns, minlength=len(solution.problem.rules))


def fill(drawn, seed=0, order="scanline", side=SIDE, **options):
    """A map on which everything fits everywhere."""
    tiles = everything_touches(drawn)
    return wf.generate(tiles, wf.SquareGrid(side, side), seed, order=order, **options)


def shares(weights, **knobs):
    """The share of each tile over a few seeds."""
    order = wf.Heuristics(order="scanline", **knobs)
    total = sum(tally(fill(weights, seed, order)) for seed in range(4))
    return total / total.sum()


def close(expected):
    """Within five standard deviations of a fair draw."""
    return pytest.approx(expected, abs=5 * 0.5 / (4 * CELLS) ** 0.5)


def test_tiles_are_drawn_by_weight():
    assert shares([1, 2, 5]) == close([1 / 8, 2 / 8, 5 / 8])


def test_weights_of_a_problem_replace_those_of_the_tiles():
    solution = fill([1, 1, 1], weights=[0, 3, 1])
    counts = tally(solution)
    assert counts[0] == pytest.approx(0, abs=2)
    assert counts[1] > 2 * counts[2] > 0


def test_weights_may_differ_from_cell_to_cell():
    weights = np.zeros((CELLS, 3))
    weights[np.arange(CELLS), np.arange(CELLS) % 3] = 1
    solution = fill([1, 1, 1], weights=weights)
    assert (solution.patterns == np.arange(CELLS) % 3).mean() > 0.99


def test_a_weight_of_zero_is_used_when_nothing_else_fits():
    solution = fill([1, 1], weights=[0, 1], side=3, masks=[True, False])
    assert solution.patterns.tolist() == [0] * 9


def test_a_large_uniform_fraction_draws_evenly():
    assert shares([1, 2, 50], uniform_pick_fraction=1.0) == close([1 / 3] * 3)


def test_a_uniform_fraction_between_blends():
    expected = 0.5 * np.array([0.1, 0.9]) + 0.5 * np.array([0.5, 0.5])
    assert shares([1, 9], uniform_pick_fraction=0.5) == close(expected)


def test_heaviest_takes_the_heaviest_and_of_equals_the_first():
    order = wf.Heuristics(order="scanline", pick="heaviest")
    assert set(fill([1, 7, 3, 7], order=order, side=3).patterns.tolist()) == {1}


def test_heaviest_goes_on_in_order_of_weight_when_patterns_are_ruled_out():
    weights = [2, 9, 9, 4, 1]
    order = wf.Heuristics(order="scanline", pick="heaviest")
    expected = sorted(range(5), key=lambda pattern: (-weights[pattern], pattern))
    gone: list[int] = []
    for pattern in expected:
        masks = [each not in gone for each in range(5)]
        assert set(fill(weights, order=order, side=2, masks=masks).patterns.tolist()) == {pattern}
        gone.append(pattern)


def test_heaviest_does_not_depend_on_the_seed():
    order = wf.Heuristics(order="scanline", pick="heaviest")
    problem = wf.Problem(PIPES, wf.SquareGrid(6, 6))
    maps = {tuple(wf.Solver(problem, seed, order).run().patterns.tolist()) for seed in range(5)}
    assert len(maps) == 1


def alike(solution):
    """The share of touching pairs that hold the same tile."""
    array = solution.array
    return np.concatenate([(array[:, 1:] == array[:, :-1]).ravel(), (array[1:] == array[:-1]).ravel()]).mean()


def test_matching_neighbours_makes_equal_tiles_flock():
    plain = fill([1] * 6)
    matched = fill([1] * 6, order=wf.Heuristics(order="scanline", match_neighbours=True, match_boost=50))
    assert alike(plain) < 0.3
    assert alike(matched) > 0.6


def test_the_match_boost_is_base_plus_boost_times_matches():
    """One neighbour is decided as t0: its weight becomes 1 + 3 against 1."""
    problem = wf.Problem(everything_touches([1, 1]), wf.SquareGrid(2, 1), pins={(0, 0): "t0"})
    order = wf.Heuristics(order="scanline", match_neighbours=True)
    draws = 600 if COMPILED else 200
    same = sum(int(wf.Solver(problem, seed, order).run().patterns[1] == 0) for seed in range(draws))
    assert same / draws == pytest.approx(4 / 5, abs=5 * (0.16 / draws) ** 0.5)


def test_a_small_local_share_keeps_tiles_near_their_promised_numbers():
    def spread(local):
        order = wf.Heuristics(order="scanline", local_share=local)
        counts = [tally(fill([1, 1, 1, 1], seed, order, side=10)) for seed in range(12)]
        return np.array(counts).std()

    assert spread(0.0) < 0.8 * spread(1.0)


def test_a_cap_in_cells_is_kept_where_something_else_fits():
    order = wf.Heuristics(order="random", caps={"t1": 7})
    assert tally(fill([1, 1000], order=order, side=9))[1] == 7


def test_a_cap_below_one_is_a_share_of_all_cells():
    order = wf.Heuristics(order="random", caps={"t1": 0.25})
    assert tally(fill([1, 1000], order=order, side=10))[1] == 25


def test_a_cap_is_exceeded_where_nothing_else_fits():
    masks = np.ones((9, 2), bool)
    masks[:5, 0] = False
    order = wf.Heuristics(order="scanline", caps={"t1": 2})
    assert tally(fill([1, 1], order=order, side=3, masks=masks)).tolist() == [4, 5]


def test_caps_do_not_count_what_was_undone():
    order = wf.Heuristics(order="entropy", caps={"┼": 2, " ": 0.2})
    for seed in range(6):
        engine = Engine(wf.Problem(PIPES, wf.SquareGrid(6, 6)), order)
        engine.begin(seed)
        assert engine.advance() == c.SOLVED
        tiles = engine.problem.rules.tile_of[engine.read_patterns()]
        assert engine.queue.used.tolist() == np.bincount(tiles, minlength=engine.queue.used.size).tolist()


def test_the_weight_of_a_tile_counts_for_each_of_its_turns():
    tiles = wf.TileSet([wf.Tile("one", ("s",) * 4), wf.Tile("turned", ("s",) * 4, symmetry=(0, 90, 180))])
    solution = wf.generate(tiles, wf.SquareGrid(SIDE, SIDE), order="scanline")
    found = Counter(solution.values.reshape(-1).tolist())
    assert found["turned"] / CELLS == pytest.approx(3 / 4, abs=5 * 0.5 / CELLS**0.5)
