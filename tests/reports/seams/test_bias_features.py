"""Lines, edges and areas near borders: what is put there is found there, and chance is within the noise."""

import numpy as np
import pytest

import wavefold as wf
from wavefold.reports.measuring.lines import PatternLabels
from wavefold.reports.seams import measure_features

SIDE, CHUNKS = 32, 8
DICE = PatternLabels(wf.TileSet([wf.Tile(name) for name in "abcd"]))


def region_of(seed=1):
    return np.random.default_rng(seed).integers(0, 4, (SIDE * CHUNKS, SIDE * CHUNKS))


def features(region):
    found = measure_features(DICE, region, SIDE)
    return {(each.kind, each.length, each.way, each.distances): each for each in found}


def test_chance_is_the_same_near_borders_and_in_the_middle():
    for each in features(region_of()).values():
        if np.isfinite(each.noise):
            assert abs(each.ratio - 1) < 5 * each.noise + 0.02
        else:
            assert str(each) == "–"
            assert each.to_dict()["ratio"] is None


def test_lines_along_borders_are_told_from_lines_across_them():
    region = region_of()
    for x in range(0, SIDE * CHUNKS, SIDE):
        region[:, x] = 0
        region[:, [x - 1, (x + 1) % (SIDE * CHUNKS)]] = 1
    found = features(region)
    assert found["lines", 4, "along", (0, 1)].ratio > 3
    assert found["lines", 4, "across", (0, 1)].ratio < 1.2
    assert found["edges", 4, "along", (0, 1)].ratio > 3
    away = found["lines", 4, "along", (4, 7)]
    assert abs(away.ratio - 1) < 4 * away.noise


def test_lines_that_end_at_borders_are_fewer_across_them():
    region = region_of()
    for y in range(3, SIDE * CHUNKS - 1, 6):
        for x in range(0, SIDE * CHUNKS, SIDE):
            region[y, x + 6 : x + SIDE - 6] = 0
            region[[y - 1, y + 1], x + 6 : x + SIDE - 6] = 1
    found = features(region)
    assert found["lines", 16, "across", (0, 1)].ratio < 0.6
    assert found["lines", 16, "across", (0, 1)].noise < 0.1


def test_small_areas_are_counted_by_their_distance():
    region = np.arange(SIDE * CHUNKS)[:, None] % 2 * 2 + np.arange(SIDE * CHUNKS)[None] % 2
    for row in range(0, SIDE * CHUNKS, SIDE):
        for column in range(0, SIDE * CHUNKS, SIDE):
            region[row + 12 : row + 15, column + 12 : column + 15] = 0
    found = features(region)
    assert found["areas", 4, "near", (0, 1)].near == 0
    assert found["areas", 4, "near", (0, 1)].middle > 0


@pytest.mark.parametrize("chunk", [8, 16])
def test_worlds_of_small_chunks_have_features_too(chunk):
    found = wf.measure_bias(wf.World(wf.TileSet.load("pipes"), 7, chunk), 3, plain=False)
    assert {each.kind for each in found.features} == {"lines", "edges", "areas"}
    assert found.to_dict()["features"][0]["distances"] == [0, 1]
