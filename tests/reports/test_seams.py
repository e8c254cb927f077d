"""How visible the scheme is: the measure sees what is there and nothing else."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.reports.measuring.lines import PatternLabels
from wavefold.reports.seams import choose_lines, measure_bias, measure_features
from wavefold.worlds import World

SIDE = 16
ACROSS = 8


class Noise(World):
    """A world of random cells, with one given pattern at seams."""

    def __init__(self, seams=None):
        super().__init__(PIPES, 0, SIDE)
        self.seams = seams

    def region(self, x0, y0, width, height, progress=None):
        region = np.random.default_rng(1).integers(0, 6, (height, width)).astype(np.int32)
        if self.seams is not None:
            rows, columns = (np.arange(span) + start for span, start in ((height, y0), (width, x0)))
            region[rows % SIDE == 0] = self.seams
            region[:, columns % SIDE == 0] = self.seams
        return region


def test_chance_differs_from_itself_as_much_as_the_floor_says():
    found = measure_bias(Noise(), 8, plain=False)
    for comparison in found.comparisons:
        assert 0.8 < comparison.patterns.ratio < 1.25
        assert 0.9 < comparison.pairs.ratio < 1.1
        assert 0.9 < comparison.words.ratio < 1.1


def test_what_is_only_at_seams_is_found_there():
    found = measure_bias(Noise(seams=7), 8, plain=False)
    assert found["seams", "interiors"].patterns.distance == pytest.approx(1)
    assert found["seams", "interiors"].pairs.ratio > 5
    # A line beside a seam crosses another one at its corner, and has the seam for a neighbour.
    assert found["near seams", "interiors"].patterns.distance < 0.1


class Mirrored(Noise):
    """Random cells, the same on both sides of a seam."""

    def region(self, x0, y0, width, height, progress=None):
        region = super().region(x0, y0, width, height)
        for x in np.flatnonzero((np.arange(width) + x0) % SIDE == 0)[1:]:
            region[:, x + 1] = region[:, x - 1]
        for y in np.flatnonzero((np.arange(height) + y0) % SIDE == 0)[1:]:
            region[y + 1] = region[y - 1]
        return region


def test_what_lies_across_a_seam_is_seen_in_words_alone():
    found = measure_bias(Mirrored(), 8, plain=False)["seams", "interiors"]
    assert found.patterns.ratio < 1.25
    assert found.pairs.ratio < 1.25
    assert found.words.ratio > 1.3


@pytest.mark.parametrize("tiles", [PIPES, HEX_RIVERS], ids=["square", "hex"])
def test_a_world_is_compared_with_itself_and_with_plain_solves(tiles):
    seen = []
    world = World(tiles, 7, SIDE)
    found = measure_bias(world, ACROSS, progress=lambda done, total: seen.append((done, total)))
    assert found.chunks == ACROSS * ACROSS // 2
    assert found.cells == found.chunks * 4 * SIDE // 2
    assert [(each.one, each.other) for each in found.comparisons] == [
        ("seams", "interiors"), ("near seams", "interiors"),
        ("interiors", "plain solves"), ("seams", "plain solves"),
    ]  # fmt: skip
    assert all(0 <= each.pairs.distance <= 1 for each in found.comparisons)
    assert seen == sorted(seen)
    assert seen[-1][0] < seen[-1][1]
    told = found.to_dict()["comparisons"][0]
    assert set(told["pairs"]) == {"distance", "floor", "ratio"}
    assert measure_bias(world, ACROSS, plain=False)["seams", "interiors"].one == "seams"


def test_lines_of_all_kinds_are_of_one_shape():
    kinds = choose_lines(SIDE, np.random.default_rng(0))
    assert all(len(lines) == 4 and sum(line.down for line in lines) == 2 for lines in kinds.values())
    for line in kinds["interiors"]:
        assert min(line.x, line.y) >= SIDE // 4
        assert max(line.x, line.y) < SIDE // 4 + SIDE // 2


def test_too_many_chunks_are_refused():
    with pytest.raises(wf.ConfigError, match="too many"):
        measure_bias(World(PIPES, 0, SIDE), 10_000)
    with pytest.raises(wf.ConfigError, match="across"):
        measure_bias(World(PIPES, 0, SIDE), 1)


# --- lines, edges and areas near borders: what is put there is found there, and chance is within the noise


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
