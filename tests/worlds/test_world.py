"""Endless worlds: pure, seamless, valid."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from support import CHESS, HEX_RIVERS, PIPES, compiled_only
from wavefold.kernels.units import COMPILED
from wavefold.worlds import World
from wavefold.worlds.report import StageReport, WorldReport

CHUNK = 24 if COMPILED else 16
chunks = st.tuples(st.integers(-3, 3), st.integers(-3, 3))
WORLDS = {
    "pipes": lambda: World(PIPES, 7, CHUNK, radius=5),
    "chess": lambda: World(CHESS, 7, CHUNK),
    "rivers": lambda: World(HEX_RIVERS, 7, CHUNK, radius=5),
}


@pytest.fixture(scope="module", params=list(WORLDS))
def pair(request):
    """Two worlds made alike."""
    return WORLDS[request.param](), WORLDS[request.param]()


@settings(deadline=None, max_examples=15 if COMPILED else 2)
@given(places=st.lists(chunks, min_size=1, max_size=4))
def test_a_chunk_does_not_depend_on_earlier_chunks(pair, places):
    one, other = pair
    for place in places:
        assert (one.chunk(*place) == other.chunk(*place)).all()
    fresh = World(one.tiles, 7, CHUNK, radius=one.plan.radius)
    assert (fresh.chunk(*places[-1]) == one.chunk(*places[-1])).all()


@settings(deadline=None, max_examples=10 if COMPILED else 2)
@given(x=st.integers(-50, 50), y=st.integers(-50, 50), width=st.integers(1, 50), height=st.integers(1, 50))
def test_any_region_is_valid_and_agrees_with_its_chunks(pair, x, y, width, height):
    world = pair[0]
    region = world.region(x, y, width, height)
    assert region.shape == (height, width)
    assert not wf.check(world, x, y, width, height)
    side = world.plan.chunk
    assert region[0, 0] == world.chunk(x // side, y // side)[y % side, x % side]
    assert world.tile_at(x, y) == world.rules.names[region[0, 0]]


def test_another_seed_is_another_world():
    assert (World(PIPES, 1, CHUNK).chunk(0, 0) != World(PIPES, 2, CHUNK).chunk(0, 0)).any()


def test_far_away_is_like_anywhere_else():
    world = World(PIPES, 3, CHUNK)
    far = 2**40 // CHUNK - 2
    solution = world.solution(far * CHUNK - 5, -far * CHUNK - 5, 12, 12)
    assert not wf.check(solution.problem, solution)
    assert world.chunk(2**40 // CHUNK - 1, 0).shape == (CHUNK, CHUNK)
    for cx, cy in ((2**40, 0), (2**40 // CHUNK, 0), (0, -(2**40) // CHUNK - 1)):
        with pytest.raises(wf.ConfigError, match="too far away"):
            world.chunk(cx, cy)


def test_many_threads_read_the_same_world():
    world, alone = World(PIPES, 5, CHUNK), World(PIPES, 5, CHUNK)
    seen = {}

    def read(number):
        for step in range(6):
            place = ((number + step) % 3, number % 2)
            seen[number, step] = (place, world.chunk(*place))

    threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 24
    assert all((alone.chunk(*place) == chunk).all() for place, chunk in seen.values())


def test_the_report_counts_every_window_once():
    world = World(PIPES, 5, CHUNK, radius=5, refine=False)
    world.chunk(0, 0)
    report = world.report
    stages = (report.corner, report.edge, report.joint, report.interior)
    assert [stage.solved for stage in stages] == [4, 4, 8, 1]
    world.chunk(1, 0)
    assert world.report.windows == 17 + 2 + 3 + 6 + 1
    assert world.report.unchanged == 0
    assert world.report.to_dict()["unchanged"] == 0


def test_chunks_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        World(PIPES, 5, CHUNK).chunk(0, 0)[0, 0] = 3


def test_a_set_without_a_certificate_is_refused_with_the_reason():
    lonely = wf.TileSet([wf.Tile("post", (*"abcd",))])
    with pytest.raises(wf.WorldError, match=r"no map of \d x \d cells exists"):
        World(lonely)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: World(PIPES, chunk=3), "chunk must be a whole number from 4 to 4,096, not 3"),
        (lambda: World(PIPES, chunk=-5), "chunk must be a whole number from 4 to 4,096, not -5"),
        (lambda: World(PIPES, chunk=10**6), "chunk must be a whole number from 4 to 4,096, not 1000000"),
        (lambda: World(PIPES, fields=5), "fields must be Fields"),
        (lambda: World(PIPES, fields={}), "fields must be Fields"),
        (lambda: World(PIPES, keep="x"), "keep must be"),
        (lambda: World(PIPES, chunk=20, radius=12), "too small for corner windows"),
        (lambda: World(PIPES, chunk=40, radius=8, half_width=8), "must be narrower"),
        (lambda: World(PIPES, seed="x"), "seed must be a whole number"),
        (lambda: World(PIPES).chunk(0.5, 0), "x must be a whole number"),
        (lambda: World(PIPES).region(0, 0, 0, 5), "is empty"),
        (lambda: World(PIPES).region(0, 0, 10**6, 10**6), "too large"),
    ],
)
def test_bad_input_is_refused(make, message):
    with pytest.raises(wf.ConfigError, match=message):
        make()


class Torn:
    """A world with one wrong cell."""

    def __init__(self, world):
        self.rules, self.steps, self._world = world.rules, world.steps, world

    def region(self, *place):
        region = self._world.region(*place).copy()
        region[2, 3] = (region[2, 3] + 1) % len(self.rules)
        return region


@pytest.mark.parametrize("name", ["chess", "rivers"])
def test_the_checker_sees_a_wrong_cell_of_a_world(name):
    world = WORLDS[name]()
    found = wf.check(Torn(world), -4, 5, 6, 6)
    assert found
    assert all("(-1, 7)" in violation.text for violation in found)


HILLS = wf.TileSet(
    [
        wf.Tile("sea", ("s", "s", "s", "s"), limits={"altitude": (-1.0, 0.1)}),
        wf.Tile("land", ("l", "l", "l", "l"), limits={"altitude": (-0.1, 1.0)}),
        wf.Tile("coast", ("s", "c", "l", "c"), 0.2, "turned"),
        wf.Tile("bend", ("c", "c", "l", "l"), 0.2, "turned"),
        wf.Tile("bay", ("c", "c", "s", "s"), 0.2, "turned"),
    ]
)


@compiled_only
def test_fields_are_followed_as_far_as_the_rules_allow():
    fields = wf.Fields(altitude=wf.Noise(0.05, seed=1))
    world = World(HILLS, 1, CHUNK, fields=fields)
    side = 3 * CHUNK
    region = world.region(-7, -9, side, side)
    assert not wf.check(world, -7, -9, side, side)
    masks = fields.masks(HILLS, wf.SquareGrid(side, side), origin=(-7, -9))
    met = masks[np.arange(region.size), region.reshape(-1)].mean()
    blind = World(HILLS, 1, CHUNK).region(-7, -9, side, side)
    assert met > 0.9
    assert 1 - met < (1 - masks[np.arange(region.size), blind.reshape(-1)].mean()) / 5
    again = World(HILLS, 1, CHUNK, fields=wf.Fields(altitude=wf.Noise(0.05, seed=1)))
    assert (again.chunk(1, 1) == world.chunk(1, 1)).all()


@compiled_only
def test_a_ground_has_no_place_in_a_plane():
    tiles = wf.learn("seabed")
    world = World(tiles, 1, CHUNK, radius=5, refine=False)
    region = world.region(-5, -5, 2 * CHUNK, 2 * CHUNK)
    assert (region != tiles.ground_pattern).all()
    assert not wf.check(world, -5, -5, 2 * CHUNK, 2 * CHUNK)


# --- reports of worlds as plain data --------------------------------------------------------------


STAGE = StageReport(1, 2, 3, 4, 5)


def test_a_document_has_the_counts_of_each_stage_and_their_sums():
    data = WorldReport(STAGE, STAGE, STAGE, STAGE, 7, 6).to_dict()
    assert (data["soft_masks_asked"], data["soft_masks_met"]) == (7, 6)
    assert data["windows"] == 24
    assert data["unchanged"] == 32
    assert data["corner"]["solved"] == 1
