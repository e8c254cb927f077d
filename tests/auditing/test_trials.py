"""Trials, correlation and advice."""

import numpy as np
import pytest

import wavefold as wf
from support import CASTLE, HEX_RIVERS, PIPES, TOWERS, everything_touches
from wavefold.auditing.subcomplete import SubComplete
from wavefold.auditing.trials import UNKNOWN, Trial, advise, find_reach, measure_correlation, run_trials
from wavefold.solver import Solution, Statistics


def map_of(tiles, rows):
    grid = wf.SquareGrid(len(rows[0]), len(rows))
    return Solution(wf.Problem(tiles, grid), np.array(rows, np.int64).ravel(), Statistics())


TWO = everything_touches([1, 1])


def test_stripes_are_correlated_along_themselves_for_ever():
    curve = measure_correlation(TWO, [map_of(TWO, [[0] * 8, [1] * 8] * 4)])
    assert curve == pytest.approx([1.0] * 8)
    assert find_reach(curve, 0.1) is None


def test_noise_is_hardly_correlated():
    rows = np.random.default_rng(1).integers(0, 2, (40, 40))
    curve = measure_correlation(TWO, [map_of(TWO, rows.tolist())])
    assert curve[0] == 1
    assert max(curve[1:]) < 0.1
    assert find_reach(curve, 0.1) == 1


def test_correlation_is_what_counting_pairs_gives():
    rows = np.random.default_rng(3).integers(0, 2, (9, 7))
    rows[3:6] = 1
    curve = measure_correlation(TWO, [map_of(TWO, rows.tolist())])
    chance = sum(float((rows == tile).mean()) ** 2 for tile in (0, 1))
    for distance in range(1, 7):
        along = (rows[:, :-distance] == rows[:, distance:]).mean()
        down = (rows[:-distance] == rows[distance:]).mean()
        assert curve[distance] == pytest.approx(max(0.0, (max(along, down) - chance) / (1 - chance)))


def test_one_tile_is_always_alike():
    tiles = everything_touches([1])
    assert measure_correlation(tiles, [map_of(tiles, [[0, 0], [0, 0]])]) == [1.0]
    assert measure_correlation(tiles, []) == []


@pytest.mark.parametrize(
    ("curve", "expected"),
    [([1, 0.5, 0.05, 0.01], 2), ([1, 0.05, 0.5, 0.01], 3), ([1, 0.5, 0.5], None), ([1], None), ([], None)],
)
def test_reach_is_where_a_choice_stops_being_felt_for_good(curve, expected):
    assert find_reach(curve, 0.1) == expected


@pytest.mark.parametrize("tiles", [PIPES, HEX_RIVERS, TOWERS])
def test_trials_count_what_was_made(tiles):
    found, maps = run_trials(tiles, sizes=2, seeds=2, patience=60_000)
    assert [trial.order for trial in found] == ["entropy", "scanline"] * 2
    for trial in found:
        assert 0 <= trial.plain <= trial.runs == 2
        assert 0 <= trial.full <= trial.runs
        assert trial.milliseconds > 0
    assert len(maps) == sum(trial.full for trial in found[2:])
    assert all(wf.check(each.problem, each) == [] for each in maps)


def test_a_set_without_maps_is_not_tried_on_larger_ones():
    found, maps = run_trials(wf.TileSet([wf.Tile("odd", (*"abcd",))]), sizes=2, seeds=2, patience=60_000)
    assert maps == []
    assert len(found) == 2
    assert all(trial.full == trial.plain == 0 for trial in found)


@pytest.mark.parametrize(("patience", "runs"), [(-1, 1), (60_000, 2)])
def test_hopeless_sizes_are_given_up_soon(monkeypatch, patience, runs):
    monkeypatch.setattr("wavefold.auditing.trials.try_solve", lambda *_: UNKNOWN)
    found, maps = run_trials(CASTLE, sizes=1, seeds=9, patience=patience)
    assert maps == []
    assert [trial.runs for trial in found] == [runs, runs]


def trial(order, plain, contradictions=0.0):
    return Trial(16, order, 4, plain, 4, contradictions, 1.0)


def test_the_order_with_fewest_failures_is_advised():
    chosen = advise([trial("entropy", 4, 3.0), trial("scanline", 4, 1.0)], 3, None, "square")
    assert (chosen.order, chosen.search, chosen.window, chosen.chunk) == ("scanline", "backtrack", 16, 32)
    chosen = advise([trial("entropy", 3), trial("scanline", 1)], 12, None, "square")
    assert (chosen.order, chosen.search, chosen.window, chosen.chunk) == ("entropy", "auto", 8, 64)
    chosen = advise(
        [trial("entropy", 4), trial("scanline", 0)], None, SubComplete(True, (), "southeast", 0, 4, ()), "hex"
    )
    assert (chosen.order, chosen.search) == ("scanline:southeast", "backtrack")
