"""How visible the scheme is: the measure sees what is there and nothing else."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.kernels.units import COMPILED
from wavefold.reports.seams import lines_of_chunk, measure_bias
from wavefold.worlds import World

SIDE = 16
ACROSS = 8 if COMPILED else 3


class Noise:
    """A world without rules or windows: every cell by chance, and seams as one likes."""

    def __init__(self, seams=None):
        self.rules, self.tiles = PIPES.rules, PIPES
        self.steps = wf.SquareGrid(1, 1).steps
        self.plan = World(PIPES, 0, SIDE).plan
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
    """By chance as well, but on both sides of a seam there is the same."""

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
    kinds = lines_of_chunk(SIDE, np.random.default_rng(0))
    assert all(len(lines) == 4 and sum(line.down for line in lines) == 2 for lines in kinds.values())
    for line in kinds["interiors"]:
        assert min(line.x, line.y) >= SIDE // 4
        assert max(line.x, line.y) < SIDE // 4 + SIDE // 2


def test_too_many_chunks_are_refused():
    with pytest.raises(wf.ConfigError, match="too many"):
        measure_bias(World(PIPES, 0, SIDE), 10_000)
    with pytest.raises(wf.ConfigError, match="across"):
        measure_bias(World(PIPES, 0, SIDE), 1)
