"""Shares that cannot be reached: the map says what limits them, and no map is beyond a limit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import PIPES, WORLDS, everything_touches
from wavefold.solver.refine.activities import ShareLimits

TOWERS = wf.TileSet(
    [wf.Tile("sky", ("s", "-", "s", "-"), 5), wf.Tile("roof", ("s", "-", "w", "-")),
     wf.Tile("wall", ("w", "-", "w", "-")), wf.Tile("door", ("w", "-", "g", "-")),
     wf.Tile("soil", ("g", "-", "g", "-"), 5)]
)  # fmt: skip
GRID = wf.SquareGrid(10, 10)


def share_of(name, share, tiles=TOWERS, grid=GRID, **options):
    solution = wf.Solver(wf.Problem(tiles, grid, **options), 1).run()
    return solution.refine(2, shares=wf.Shares({name: share})).stats


@pytest.mark.parametrize(
    ("name", "share", "options", "why"),
    [
        ("roof", 0.9, {}, "at most 55.0%: it cannot have itself to the north"),
        (("roof", "wall", "door"), 0.6, {"pins": {(x, 5): "sky" for x in range(10)}},
         "nearest share in 2 sweeps"),
        ("roof", 0.5, {"masks": np.arange(5) != 1}, "at most 0.0%: pins and masks exclude it"),
        ("sky", 0.0, {"pins": {(0, 0): "sky", (1, 0): "sky"}, "grid": wf.SquareGrid(10, 1)},
         "at least 20.0%: pins and masks allow nothing else"),
        ("roof", 0.5, {"constraints": [wf.Count("roof", at_most=3)]}, "at most 3.0%: a constraint allows"),
        ("roof", 0.0, {"constraints": [wf.Count("roof", at_least=8)]}, "at least 8.0%: a constraint req"),
    ],
)  # fmt: skip
def test_what_is_missed_says_why(name, share, options, why):
    stats = share_of(name, share, **options)
    assert stats.refinement.missed == (str(name),)
    assert why in stats.shares[str(name)].why


def test_tiles_that_need_each_other_limit_each_other():
    pair = wf.TileSet([wf.Tile("left", "gxgg", 1), wf.Tile("right", "gggx", 1), wf.Tile("any", "gggg", 8)])
    solution = wf.Solver(wf.Problem(pair, wf.SquareGrid(20, 20, wraps=True)), 1).run()
    shares = solution.refine(3, shares=wf.Shares({"left": 0.4, "right": 0.1}, 0.0)).stats.shares
    assert shares["left"].why == ("at most 10.0%: each needs right to the east, of which 10.0% was requested")
    assert shares["right"].why == (
        "at least 40.0%: left must have it to the east, and 40.0% of that was requested"
    )


def test_a_tile_that_stands_apart_has_half_of_the_cells_at_most():
    tiles = wf.TileSet([wf.Tile("tree", "oooo", apart=True), wf.Tile("lawn", "oooo")])
    stats = share_of("tree", 0.9, tiles, wf.SquareGrid(8, 8, wraps=True))
    assert stats.shares["tree"].why == "at most 50.0%: it cannot have itself to the north"


def test_what_is_met_needs_no_reason_and_the_nearest_is_at_least_as_near():
    solution = wf.Solver(wf.Problem(everything_touches([1, 1]), wf.SquareGrid(12, 12)), 1).run()
    stats = solution.refine(12, shares=wf.Shares({"t0": 0.8}, tolerance=0.2)).stats
    assert stats.refinement.missed == ()
    for share in stats.shares.values():
        assert share.why == ""
        assert abs(share.reachable - share.asked) <= abs(share.seen - share.asked)


@given(seed=st.integers(0, 2**32), name=st.sampled_from(sorted(WORLDS)))
def test_no_map_is_beyond_a_limit(seed, name):
    problem = WORLDS[name]()
    patterns = wf.Solver(problem, seed).run().patterns
    tile_of = problem.rules.tile_of
    seen = np.bincount(tile_of[patterns], minlength=len(problem.rules.tiles)) / patterns.size
    limits = ShareLimits(problem, problem.propagators, tile_of, seen, problem.rules.tiles, seen.size)
    for tile in range(seen.size):
        for far in (-1.0, 2.0):  # as if the map had less, or more
            assert limits.explain(tile, far) == ""


def test_pipes_have_no_limit_that_is_known():
    solution = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(6, 6)), 1).run()
    why = solution.refine(0, shares=wf.Shares({"┼": 0.9}, 0.0)).stats.shares["┼"].why
    assert why.startswith("the nearest share in 0 sweeps was")
