"""How visible the scheme is: the measure sees what is there and nothing else."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.kernels.jit import COMPILED
from wavefold.world import World
from wavefold.world.base import rich_base
from wavefold.world.bias import lines_of_chunk, measure_bias
from wavefold.world.picture import STAGES, Scroll, draw_world, stages_of, windows_over

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


def test_what_stands_only_at_seams_is_seen_there():
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


@pytest.mark.parametrize("tiles", [PIPES, HEX_RIVERS], ids=["square", "hex"])
def test_a_rich_base_repeats_and_is_found_once(tiles, monkeypatch):
    monkeypatch.setattr("wavefold.world.base.SIDES", (11,))
    monkeypatch.setattr("wavefold.world.base._known", {})
    base = rich_base(tiles, World(tiles, 0, SIDE).certificate)
    assert base.shape == (11, 11)
    torus = (wf.HexGrid.rhombus if tiles.topology == "hex" else wf.SquareGrid)(11, 11, wraps=True)
    assert not wf.check(wf.Problem(tiles, torus), base.reshape(-1))
    assert rich_base(tiles, None) is base


def test_without_a_large_one_the_base_is_that_of_the_certificate(monkeypatch):
    chess = wf.TileSet([wf.Tile("white", (*"aabb",)), wf.Tile("black", (*"bbaa",))])
    monkeypatch.setattr("wavefold.world.base.SIDES", (5,))  # odd: there is none
    monkeypatch.setattr("wavefold.world.base._known", {})
    certificate = World(chess, 0, SIDE).certificate
    assert rich_base(chess, certificate) is certificate.base


def test_stages_are_where_the_plan_says():
    plan = World(PIPES, 0, SIDE).plan
    stages = windows_over(plan, -2 * SIDE, -SIDE, 3 * SIDE, 2 * SIDE)
    assert stages.shape == (2 * SIDE, 3 * SIDE)
    assert STAGES[stages[SIDE, SIDE]] == "corner"
    assert STAGES[stages[SIDE, SIDE + SIDE // 2]] in ("edge", "joint")
    assert STAGES[windows_over(World(PIPES, 0, 40, radius=5).plan, 0, 0, 40, 40)[20, 20]] == "interior"


def test_stages_show_what_stayed():
    world = World(PIPES, 3, SIDE)
    whole = stages_of(world, -SIDE, 0, 3 * SIDE, 2 * SIDE)
    part = stages_of(world, -5, 3, SIDE + 9, SIDE)
    assert (part == whole[3 : 3 + SIDE, SIDE - 5 : 2 * SIDE + 4]).all()
    interior = STAGES.index("interior")
    assert (whole[0] != interior).all()  # the border itself
    assert (whole[:, SIDE] != interior).all()
    assert (whole == interior).sum() > (
        windows_over(world.plan, -SIDE, 0, 3 * SIDE, 2 * SIDE) == interior
    ).sum()


@pytest.mark.parametrize("tiles", [PIPES, HEX_RIVERS], ids=["square", "hex"])
def test_seams_and_stages_are_drawn_over_the_same_map(tiles):
    world = World(tiles, 7, SIDE)
    solution = world.solution(-SIDE, 0, 2 * SIDE, SIDE)
    plain = draw_world(world, solution, -SIDE, 0, tile_size=6)
    seams = draw_world(world, solution, -SIDE, 0, tile_size=6, seams=True)
    both = draw_world(world, solution, -SIDE, 0, tile_size=6, seams=True, stages=True)
    assert plain.size == seams.size == both.size
    changed = [(np.asarray(plain) != np.asarray(other)).any(axis=2).mean() for other in (seams, both)]
    assert 0 < changed[0] < 0.1 < changed[1]


def test_a_view_scrolls_from_one_corner_to_the_other():
    world = World(PIPES, 7, SIDE)
    picture = draw_world(world, world.solution(0, 0, SIDE, SIDE), 0, 0, tile_size=4)
    frames = list(Scroll(picture, 5, (20, 10)))
    assert [frame.size for frame in frames] == [(20, 10)] * 5
    whole = np.asarray(picture.convert("RGB"))
    assert (np.asarray(frames[0]) == whole[:10, :20]).all()
    assert (np.asarray(frames[-1]) == whole[-10:, -20:]).all()
    with pytest.raises(wf.ConfigError, match="at least 2 frames"):
        Scroll(picture, 1)
