"""Worlds that follow fields: as limits and as weights, sampled once, and counted."""

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from support import HEX_RIVERS, compiled_only, everything_touches
from wavefold.fields.expression import Expression
from wavefold.fields.presets import preset
from wavefold.fields.targets import SAMPLES
from wavefold.worlds import World

CHUNK = 24
LAND = wf.TileSet(
    [
        wf.Tile("sea", ("s", "s", "s", "s"), limits={"altitude": (-1.0, 0.1)}),
        wf.Tile("land", ("l", "l", "l", "l"), limits={"altitude": (-0.1, 1.0)}),
        wf.Tile("coast", ("s", "c", "l", "c"), 0.2, "turned"),
        wf.Tile("bend", ("c", "c", "l", "l"), 0.2, "turned"),
        wf.Tile("bay", ("c", "c", "s", "s"), 0.2, "turned"),
    ]
)
PAINT = everything_touches([1.0, 1.0], ["black", "white"])
NOISE = wf.Noise(0.05, seed=1)


@pytest.fixture(autouse=True)
def nothing_sampled_yet():
    SAMPLES.forget()


def share_of(region, tiles, name):
    return np.isin(region, tiles.rules.patterns(name))


# --- weights ------------------------------------------------------------------------------------


def test_weights_follow_a_field_in_a_world_as_on_a_map():
    fields = wf.Fields(dark=lambda x, y: np.where(x % 8 < 4, 50, 0.02)).with_factors({"black": "dark"})
    grid = wf.SquareGrid(16, 16)
    plain = wf.generate(PAINT, grid, fields=fields).array
    region = World(PAINT, 1, CHUNK, fields=fields).region(0, 0, 16, 16)
    for patterns in (plain, region):
        black = share_of(patterns, PAINT, "black")
        assert black[:, np.arange(16) % 8 < 4].mean() > 0.8
        assert black[:, np.arange(16) % 8 >= 4].mean() < 0.2


def test_factors_of_fields_are_those_of_weights():
    fields = wf.Fields(dark=NOISE.rescaled(0, 1))
    grid, factors = wf.SquareGrid(5, 4), {"black": "dark", "white": lambda f: 1 - f["dark"]}
    weights = fields.weights(PAINT, grid, factors)
    told = wf.Problem(PAINT, grid, fields=fields.with_factors(factors))
    assert (told.weights == weights).all()
    assert (
        wf.Problem(PAINT, grid, weights=[3, 1], fields=fields.with_factors({"black": 2})).weights[0] == [6, 1]
    ).all()
    assert told.masks.all()


@pytest.mark.parametrize("tiles", [LAND, HEX_RIVERS], ids=["squares", "hexagons"])
def test_a_weighted_world_is_valid_and_does_not_depend_on_earlier_chunks(tiles):
    some = tiles.tiles[0].name
    fields = wf.Fields(altitude=NOISE, wet=NOISE.rescaled(0, 9)).with_factors({some: "wet"})
    worlds = [World(tiles, 3, CHUNK, radius=5, fields=fields) for _ in range(2)]
    first = [worlds[0].chunk(*place) for place in ((0, 0), (1, 0), (0, 1))]
    again = [worlds[1].chunk(*place) for place in ((0, 1), (1, 0), (0, 0))]
    assert all((one == other).all() for one, other in zip(first, again[::-1], strict=True))
    assert wf.check(worlds[0], -5, -5, 2 * CHUNK, 2 * CHUNK) == []
    assert (first[0] != World(tiles, 3, CHUNK, radius=5, fields=wf.Fields(altitude=NOISE)).chunk(0, 0)).any()


def test_a_factor_of_zero_everywhere_leaves_what_else_fits():
    fields = wf.Fields(a=1).with_factors({"black": 0})
    assert share_of(World(PAINT, 1, CHUNK, fields=fields).chunk(0, 0), PAINT, "black").mean() < 0.01
    both = wf.Fields(a=1).with_factors({"black": 0, "white": 0})
    assert World(PAINT, 1, CHUNK, fields=both).chunk(0, 0).shape == (CHUNK, CHUNK)


@pytest.mark.parametrize(
    ("factors", "error", "message"),
    [
        ({"black": "drak"}, wf.ConfigError, "there is no field 'drak'; did you mean 'dark'"),
        ({"black": [1, 2]}, wf.ConfigError, "must be the name of a field, noise, a number or a function"),
        ({"black": float("inf")}, wf.ConfigError, "the factor for 'black' must be a finite number"),
        ({"blakc": 1}, wf.TileSetError, "there is no tile 'blakc'; did you mean 'black'"),
        ({"black": "dark"}, wf.ConfigError, "the factor for 'black' is -.* of the world; it must be at"),
        (["black"], wf.ConfigError, "factors must be a dict"),
    ],
)
def test_bad_factors_are_refused_with_the_reason(factors, error, message):
    with pytest.raises(error, match=message):
        World(PAINT, 1, CHUNK, fields=wf.Fields(dark=NOISE).with_factors(factors)).chunk(0, 0)


# --- limits -------------------------------------------------------------------------------------


def test_limits_of_fields_hold_for_any_tiles():
    fields = wf.Fields(dark=NOISE).with_limits({"black": {"dark": (0, 1)}, "white": {"dark": (-1, 0)}})
    region = World(PAINT, 1, CHUNK, fields=fields).region(-9, 5, 20, 20)
    dark = fields.at(wf.SquareGrid(20, 20), origin=(-9, 5))["dark"].reshape(20, 20)
    assert (share_of(region, PAINT, "black") == (dark > 0)).all()
    with pytest.raises(wf.ConfigError, match=": limits for unknown field 'drak'"):
        fields.with_limits({"black": {"drak": (0, 1)}})
    with pytest.raises(wf.TileSetError, match="there is no tile 'grey'"):
        World(PAINT, fields=fields.with_limits({"grey": {"dark": (0, 1)}}))


def test_the_report_counts_soft_masks_of_finished_chunks():
    fields = wf.Fields(altitude=NOISE)
    world = World(LAND, 1, CHUNK, fields=fields)
    assert (world.report.soft_masks_asked, world.report.soft_masks_met) == (0, 0)
    asked = met = 0
    for x, y in ((0, 0), (-1, 0)):
        for _ in range(2):  # once is enough
            chunk = world.chunk(x, y)
        masks = fields.masks(LAND, wf.SquareGrid(CHUNK, CHUNK), origin=(x * CHUNK, y * CHUNK))
        asked += int((~masks.all(axis=1)).sum())
        met += int((masks[np.arange(chunk.size), chunk.reshape(-1)] & ~masks.all(axis=1)).sum())
    report = world.report
    assert (report.soft_masks_asked, report.soft_masks_met) == (asked, met)
    assert 0.95 * asked < met <= asked < 2 * CHUNK**2  # between the limits either tile will do
    assert report.to_dict()["soft_masks_met"] == met


def test_cells_that_are_fixed_are_exempt():
    fields = wf.Fields(altitude=1)  # land everywhere
    world = World(LAND, 1, CHUNK, fields=fields, pins={(3, 3): "sea"})
    world.region(-CHUNK, -CHUNK, 3 * CHUNK, 3 * CHUNK)
    before = world.report
    world.edit({(9, 9): "sea"})
    assert world.report == before  # neither is an unmet wish
    assert world.tile_at(3, 3) == world.tile_at(9, 9) == "sea"
    assert wf.check(world, 0, 0, CHUNK, CHUNK) == []
    changed = world.edits[0]["settled"]
    assert len(changed) < 30  # and what is around it follows the field again
    world.undo()
    assert world.tile_at(9, 9) != "sea"
    window = world.plan.interior(0, 0)  # what was made before the inside of a chunk stays, too
    around = world.parts.generator.surroundings(window)
    made = world.parts.generator.chunk(0, 0)
    assert (made[0] == around[0, :-1]).all()
    assert (made[:, 0] == around[:-1, 0]).all()


@compiled_only
@pytest.mark.parametrize(
    ("name", "fields", "least"), [("terrain", "terrain", 0.99), ("medieval", "hex", 0.98)]
)
def test_most_soft_masks_are_met(name, fields, least):
    world = World(wf.TileSet.load(name), 5, fields=wf.Fields(**preset(fields, 5)))
    world.region(-40, 10**7, 70, 70)
    report = world.report
    assert report.soft_masks_asked >= 4 * 64**2
    assert report.soft_masks_met >= least * report.soft_masks_asked


def test_sea_shore_land_and_highland_of_the_medieval_set():
    tiles = wf.TileSet.load("medieval")
    fields = wf.Fields(water=[[0.5, 0.3, 0.1, 0.1]], elevation=[[0.9, 0.9, 0.9, 0.1]])
    sea, shore, highland, land = fields.masks(tiles, wf.HexGrid.rhombus(4, 1), origin=(0, 0))

    def names(mask):
        return {pattern.name for pattern, holds in zip(tiles.patterns, mask, strict=True) if holds}

    assert {name.split("@")[0] for name in names(sea)} == {"water"}
    assert {"water", "grass", "coast-a", "river-into-coast"} <= names(shore)
    assert not any("l" in name.partition("@")[2] for name in names(sea) | names(shore))
    assert {"grass@l2", "grass@l4", "grass-slope-high", "grass-slope-low@l1"} <= names(highland)
    assert not {"grass", "grass@l1", "water", "coast-a@l2", "grass-slope-low"} & names(highland)
    assert {"grass", "grass@l1", "grass-slope-high", "grass-slope-low@l1"} <= names(land)
    assert not {"grass@l2", "water", "coast-a"} & names(land)


# --- samples ------------------------------------------------------------------------------------


class Counting:
    """A field that counts the cells it is asked for."""

    def __init__(self):
        self.cells = 0

    def __call__(self, x, y):
        self.cells += np.size(x)
        return NOISE.sample(x, y)


def test_scrolling_asks_for_every_cell_once():
    count = Counting()
    world = World(LAND, 1, CHUNK, radius=5, fields=wf.Fields(altitude=count))
    width, height, frames = 2 * CHUNK, 2 * CHUNK, 3 * CHUNK
    for frame in range(frames):
        world.region(frame, 0, width, height)
    naive = frames * width * height  # one evaluation per cell of every frame that is drawn
    blocks = {(x // CHUNK, y // CHUNK) for x in range(-6, frames + width + 6) for y in range(-6, height + 6)}
    assert count.cells <= len(blocks) * CHUNK**2
    assert count.cells < 0.2 * naive


@compiled_only
def test_samples_that_were_pushed_out_are_taken_again(monkeypatch):
    count = Counting()
    world = World(LAND, 1, CHUNK, radius=5, fields=wf.Fields(altitude=count))
    monkeypatch.setattr(SAMPLES, "room", 3 * 8 * CHUNK**2)
    for cache in (world.parts.generator.targets._words, world.parts.generator.cache):
        cache.room = 1
    first = world.chunk(0, 0).copy()
    asked = count.cells
    world.chunk(5, 5)
    assert (world.chunk(0, 0) == first).all()
    assert count.cells > 2 * asked


class Slope(Expression):
    """An expression that counts how often it is sampled."""

    def __init__(self, rise):
        self.rise, self.calls = rise, 0

    @property
    def bounds(self):
        return -1.0, 1.0

    def values(self, axes):
        self.calls += 1
        return np.clip(self.rise * axes[0], -1, 1)

    def __repr__(self):
        return f"Slope({self.rise})"


def test_only_the_field_that_changes_is_sampled_again():
    limits = {"black": {"a": (0, 1)}, "white": {"b": (-1, 1)}}

    def chunk_of(a, b):
        fields = wf.Fields(a=a, b=b).with_limits(limits)
        return World(PAINT, 1, CHUNK, fields=fields).chunk(0, 0)

    a, b = Slope(0.1), Slope(0.2)
    first = chunk_of(a, b)
    calls = (a.calls, b.calls)
    assert min(calls) > 0
    other = Slope(-0.1)
    second = chunk_of(other, b)
    assert (a.calls, b.calls) == calls
    assert other.calls == calls[0]
    assert (first != second).any()
    assert (chunk_of(Slope(0.1), Slope(0.2)) == first).all()  # equal fields have the same samples


def test_worlds_never_share_samples_of_functions():
    rise = [1]

    def slope(x, y):
        return np.clip(rise[0] * (x + 0.5), -1, 1)

    limits = {"black": {"slope": (0, 1)}, "white": {"slope": (-1, 0)}}
    worlds = [World(PAINT, 1, CHUNK, fields=wf.Fields(slope=slope).with_limits(limits)) for _ in range(2)]
    before = worlds[0].region(-8, 0, 16, 4)
    rise[0] = -1
    assert (worlds[1].region(-8, 0, 16, 4) == 1 - before).all()


# --- what users bring along ---------------------------------------------------------------------


def pictured(tmp_path, bits):
    high = 255 if bits == 8 else 65535
    pixels = np.zeros((2 * CHUNK, 2 * CHUNK), np.uint8 if bits == 8 else np.uint16)
    pixels[:, CHUNK:] = high
    path = tmp_path / f"height-{bits}.png"
    Image.fromarray(pixels).save(path)
    return path


LEFT, RIGHT = {"black": {"height": (0, 0.5)}}, {"white": {"height": (0.5, 1)}}


@pytest.mark.parametrize("kind", ["array", "8 bits", "16 bits", "function"])
def test_own_values_drive_a_world(tmp_path, kind):
    array = np.zeros((2 * CHUNK, 2 * CHUNK))
    array[:, CHUNK:] = 1
    height = {
        "array": lambda: array,
        "8 bits": lambda: pictured(tmp_path, 8),
        "16 bits": lambda: Image.open(pictured(tmp_path, 16)),
        "function": lambda: lambda x, y: 1.0 if x >= CHUNK else 0.0,
    }[kind]()
    fields = wf.Fields(height=height).with_limits(LEFT | RIGHT)
    if kind != "function":
        fields = fields.beyond(height="edge")
    black = share_of(World(PAINT, 1, CHUNK, fields=fields).region(-8, -8, CHUNK + 16, 20), PAINT, "black")
    assert black[:, : CHUNK + 8].all()
    assert not black[:, CHUNK + 8 :].any()


def test_an_array_ends_somewhere_and_the_error_tells_what_to_do():
    fields = wf.Fields(height=np.zeros((4 * CHUNK, 4 * CHUNK))).with_limits(LEFT | RIGHT)
    world = World(PAINT, 1, CHUNK, radius=5, fields=fields)
    assert share_of(world.chunk(1, 1), PAINT, "black").all()  # all that it needs lies in the array
    with pytest.raises(wf.ConfigError, match=r"field 'height' has no value at x=-.*with Fields.beyond"):
        world.chunk(0, 0)


@pytest.mark.parametrize(
    ("way", "expected"), [("edge", "aaabccc"), ("repeat", "bcabcab"), ("mirror", "baabccb")]
)
def test_arrays_go_on_beyond_their_edge(way, expected):
    fields = wf.Fields(row=[[1.0, 2.0, 3.0]]).beyond(row=way)
    values = fields.at(wf.SquareGrid(7, 2), origin=(-2, -1))["row"].reshape(2, 7)
    assert ["".join(" abc"[int(value)] for value in row) for row in values] == [expected] * 2
    assert fields != wf.Fields(row=[[1.0, 2.0, 3.0]])
    assert fields.digest != wf.Fields(row=[[1.0, 2.0, 3.0]]).digest
    assert fields.at(wf.SquareGrid(3, 1))["row"].tolist() == [1, 2, 3]


def test_a_bad_value_of_beyond_is_refused():
    with pytest.raises(wf.ConfigError, match="unknown way 'edges' for field 'row'; did you mean 'edge'"):
        wf.Fields(row=[[1.0]]).beyond(row="edges")
    with pytest.raises(wf.ConfigError, match="which already has values everywhere"):
        wf.Fields(row=NOISE).beyond(row="edge")
    with pytest.raises(wf.ConfigError, match="there is no field 'raw'; did you mean 'row'"):
        wf.Fields(row=[[1.0]]).beyond(raw="edge")


# --- kept in a file -----------------------------------------------------------------------------


def test_limits_and_factors_of_fields_are_saved(tmp_path):
    fields = wf.Fields(height=np.linspace(0, 1, CHUNK**2).reshape(CHUNK, CHUNK), noise=NOISE)
    fields = fields.beyond(height="mirror").with_limits({"black": [{"height": (0, 0.4)}, {"noise": (0, 1)}]})
    fields = fields.with_factors({"white": "height", "black": NOISE.rescaled(0, 2) * 3})
    world = World(PAINT, 1, CHUNK, fields=fields)
    world.save(tmp_path / "my.world")
    again = World.open(tmp_path / "my.world")
    assert again.fields == fields
    assert again.fields.digest == fields.digest
    assert repr(again.fields) == repr(fields)
    assert (again.chunk(0, 0) == world.chunk(0, 0)).all()


def test_a_function_as_a_factor_cannot_be_saved(tmp_path):
    fields = wf.Fields(noise=NOISE).with_factors({"white": lambda f: abs(f["noise"])})
    with pytest.raises(wf.WorldError, match="the factor for 'white' is a function, which cannot be saved"):
        World(PAINT, 1, CHUNK, fields=fields).save(tmp_path / "my.world")
    with pytest.raises(wf.ConfigError, match="the factor for 'white' is a function, which has no digest"):
        _ = fields.digest


def test_worlds_whose_tiles_have_other_limits_are_different(tmp_path):
    fields = wf.Fields(altitude=NOISE)
    path = tmp_path / "my.world"
    with World(LAND, 1, CHUNK, fields=fields, store=path):
        pass
    with World(LAND, 1, CHUNK, fields=fields, store=path):
        pass
    wider = [wf.Tile("sea", ("s",) * 4, limits={"altitude": (-1.0, 0.2)}), *LAND.tiles[1:]]
    with pytest.raises(wf.WorldError, match=r"contains a different world \(it differs in tiles\)"):
        World(wf.TileSet(wider), 1, CHUNK, fields=fields, store=path)
