"""Trials: maps that are solved, how far a choice has an effect, and where solving fails."""

import numpy as np
import pytest

import wavefold as wf
from support import CASTLE, CHESS, HEX_RIVERS, PIPES, TOWERS, everything_touches
from wavefold.reports.auditing.side_kinds import SideKinds
from wavefold.reports.auditing.trials import (
    UNKNOWN,
    any_pattern_fits,
    collect_failures,
    find_reach,
    measure_correlation,
    run_trials,
)
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
    monkeypatch.setattr("wavefold.reports.auditing.trials.try_solve", lambda *_: UNKNOWN)
    found, maps = run_trials(CASTLE, sizes=1, seeds=9, patience=patience)
    assert maps == []
    assert [trial.runs for trial in found] == [runs, runs]


def test_failures_name_what_neighbours_required():
    kinds = SideKinds(CASTLE)
    found = collect_failures(kinds, 12, 3, 60_000)
    assert found.maps == 3
    assert found.contradictions > 0
    assert sum(each.times for each in found.common) <= found.contradictions
    assert found.at_impossible_corners <= found.contradictions
    for failure in found.common:
        numbers = tuple(
            (CASTLE.directions.index(side), kinds.labels[CASTLE.directions.index(side)].index(kind))
            for side, kind in failure.asked
        )
        assert failure.known == (not any_pattern_fits(kinds, numbers))


def test_a_set_that_cannot_fail_has_no_failures():
    found = collect_failures(SideKinds(CHESS), 6, 2, 60_000)
    assert (found.maps, found.contradictions, found.common) == (2, 0, ())


def test_patience_ends_the_search_for_failures():
    found = collect_failures(SideKinds(CASTLE), 12, 3, patience=0)
    assert found.maps == 0
