"""wavefold's own tile set files: what is saved comes back, to the last pixel and the last digit."""

import os
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import mark_slow
from wavefold.formats import read_mxgmn, read_toml, write_toml
from wavefold.formats.toml.document import format_value
from wavefold.tiles import get_ring

DATA = Path(os.environ["WAVEFOLD_DATA"]) / "mxgmn" if os.environ.get("WAVEFOLD_DATA") else None
SIDES = {"square": 4, "hex": 6, "cube": 6}


def quietly(path):
    """Read a file, whatever looks doubtful in it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_toml(path)


def pictures(tiles):
    """[pattern] its picture as RGBA, and how it has to be turned."""
    found = [tiles.art(number) for number in range(len(tiles))]
    return [None if picture is None else (opaque(picture).tolist(), turn) for picture, turn in found]


def opaque(picture):
    return picture if picture.shape[-1] == 4 else np.insert(picture, 3, 255, axis=-1)


def told(tiles):
    """Everything a tile set says."""
    rules = tiles.rules
    about = (tiles.name, tiles.description, tiles.topology, tiles.beside, tiles.tiles, tiles.groups)
    table = [relation.table().tolist() for relation in rules.relations]
    numbers = (rules.weights.tolist(), rules.kinds.tolist(), rules.tile_of.tolist(), table)
    return about, rules.names, rules.values, rules.digest, numbers, pictures(tiles)


def assert_comes_back(tiles, folder):
    """Save and read; then save what was read, and read that."""
    path, again = folder / "saved.toml", folder / "again" / "saved.toml"
    again.parent.mkdir(exist_ok=True)
    tiles.save(path)
    loaded = quietly(path)
    assert told(loaded) == told(tiles)
    loaded.save(again)
    assert again.read_text("utf-8") == path.read_text("utf-8")
    return loaded


# --- any tile set -------------------------------------------------------------------------------

words = st.sampled_from(["a", "b", "wall>", "wall<", "", 'say "so"', 7])
numbers = st.sampled_from([1.0, 6, 0.1, 1e-9, 3.5e300, 2**60])
spans = st.tuples(st.floats(-1e9, 1e9), st.floats(0, 1e9)).map(lambda pair: (pair[0], pair[0] + pair[1]))
ranges = st.dictionaries(st.text(max_size=3), spans, max_size=2)


@st.composite
def symmetries(draw, topology):
    """A letter, a word, or orientations in any spelling."""
    ring = get_ring(topology)
    if draw(st.booleans()):
        return draw(st.sampled_from(["X", "I", "L", "T", "\\", "F", "fixed", "turned"]))
    listed = draw(st.lists(st.sampled_from(ring.list_orientations()), min_size=1, max_size=4, unique=True))
    return tuple(
        each.turn * ring.degrees if not each.mirrored and draw(st.booleans()) else ring.spell(each)
        for each in listed
    )


@st.composite
def drawings(draw, topology):
    """Nothing, a colour, a picture, one for each pattern, or a function that draws."""
    seed = draw(st.integers(0, 3))
    size = draw(st.sampled_from([(1, 1), (3, 3)]))
    layers = (2,) if topology == "cube" and draw(st.booleans()) else ()
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 256, (*layers, *size, draw(st.sampled_from([3, 4]))), np.uint8)
    kind = draw(st.sampled_from(["none", "one", "each", "function"]))
    if layers and size == (1, 1):  # would be cells of another size in the sheet
        kind = "none"
    return kind, one


@st.composite
def any_tiles(draw):
    """Tiles with everything a tile can have."""
    topology = draw(st.sampled_from(["square", "hex", "cube"]))
    sides = SIDES[topology]
    names = draw(
        st.lists(
            st.text(min_size=1, max_size=5).filter(lambda text: "@" not in text),
            min_size=1,
            max_size=4,
            unique=True,
        )
    )
    tiles = []
    for name in names:
        levels = draw(st.sampled_from([1, 1, 3]))
        rises = tuple(draw(st.lists(st.integers(0, levels - 1), min_size=sides, max_size=sides)))
        tile = wf.Tile(
            name,
            draw(st.none() | st.tuples(*[words] * sides)),
            draw(numbers),
            draw(symmetries(topology)),
            levels=levels,
            rises=draw(st.sampled_from([(), rises])),
            apart=draw(st.booleans()),
            limits=draw(ranges | st.lists(ranges, min_size=1, max_size=2).map(tuple)),
        )
        kind, one = draw(drawings(topology))
        patterns = len(wf.TileSet([tile], topology))
        art = {
            "none": None,
            "one": one,
            "each": tuple(one + np.uint8(number) for number in range(patterns)),
            "function": lambda pattern, one=one: one + np.uint8(pattern.level),
        }
        object.__setattr__(tile, "picture", art[kind])
        tiles.append(tile)
    groups = {"both groups": draw(st.lists(st.sampled_from(names), min_size=1, max_size=2)), "all": ["*"]}
    groups = {group: names for group, names in groups.items() if draw(st.booleans())}
    named = [*names, *groups]
    rules = draw(st.lists(neighbour_rules(named, wf.TileSet(tiles, topology).directions), max_size=3))
    return wf.TileSet(
        tiles,
        topology,
        draw(st.text(max_size=5)),
        beside=rules,
        groups=groups,
        description=draw(st.text(max_size=9)),
    )


def neighbour_rules(names, compass):
    some = st.sampled_from(names) | st.lists(st.sampled_from(names), min_size=1, max_size=2).map(tuple)
    where = st.sampled_from(compass) | st.lists(st.sampled_from(compass), max_size=2).map(tuple)
    weighed = st.builds(wf.Beside, some, some, where, st.just(True), st.sampled_from([0.2, 3, 1e-9, 1e300]))
    return st.builds(wf.Beside, some, some, where, st.booleans()) | weighed


@given(any_tiles())
def test_whatever_tiles_say_comes_back(tmp_path_factory, tiles):
    assert_comes_back(tiles, tmp_path_factory.mktemp("saved"))


@given(
    st.sampled_from(sorted(SIDES)).flatmap(lambda topology: socket_tiles(topology) | table_tiles(topology))
)
def test_sockets_and_tables_come_back(tmp_path_factory, tiles):
    assert_comes_back(tiles, tmp_path_factory.mktemp("saved"))


@given(socket_tiles(), st.integers(0, 5))
def test_what_a_function_decided_comes_back_as_a_list(tmp_path_factory, tiles, salt):
    def allowed(a, b, side):
        pair = [*sorted([a.name, b.name]), side in ("north", "south")]
        return hash_of(pair, salt) % 3 > 0

    narrowed = wf.TileSet(tiles.tiles, beside=[wf.Beside("t0", "t0")], allowed=allowed)
    assert_comes_back(narrowed, tmp_path_factory.mktemp("saved"))


def hash_of(pair, salt):
    return sum(ord(letter) * (place + salt + 1) for place, letter in enumerate(str(pair)))


samples = st.integers(0, 10**6).map(lambda seed: np.random.default_rng(seed).integers(0, 3, (5, 6)))


@given(samples, st.integers(1, 3), st.sampled_from([1, 2, 8]), st.booleans(), st.booleans())
def test_learned_sets_come_back_with_how_they_were_learned(
    tmp_path_factory, sample, n, symmetry, periodic, ground
):
    tiles = wf.learn(sample, n, symmetry, periodic, ground)
    loaded = assert_comes_back(tiles, tmp_path_factory.mktemp("saved"))
    kept = ("n", "symmetry", "periodic", "ground_pattern", "values")
    assert [getattr(loaded, each) for each in kept] == [getattr(tiles, each) for each in kept]


@pytest.mark.parametrize(
    "values", [(1, 2), ("sea", "land"), ("1", 1), (True, 2.0), (1.5, -7), ("", "@"), ("a\nb", '"')]
)
def test_values_come_back_as_what_they_were(tmp_path, values):
    first, second = values
    loaded = assert_comes_back(wf.learn_adjacency([[first, second, second]]), tmp_path)
    assert [type(value) for value in loaded.values] == [type(first), type(second)]


def test_colours_have_names(tmp_path):
    path = tmp_path / "garden.toml"
    path.write_text('format = 1\n[tiles.lawn]\nsockets = "grass"\ncolour = "ForestGreen"\n', "utf-8")
    tiles = quietly(path)
    assert tiles.art(0)[0].tolist() == [[[34, 139, 34, 255]]]
    tiles.save(tmp_path / "saved.toml")
    assert 'colour = "#228b22"' in (tmp_path / "saved.toml").read_text("utf-8")


@pytest.mark.parametrize("channels", [3, 4])
def test_colours_come_back_with_as_many_channels(tmp_path, channels):
    sample = np.arange(4 * 4 * channels, dtype=np.uint8).reshape(4, 4, channels)
    loaded = assert_comes_back(wf.learn(sample, n=2), tmp_path)
    assert {len(value) for value in loaded.values} == {channels}
    assert not (tmp_path / "saved.png").exists()


def test_weights_of_single_patterns_come_back(tmp_path):
    tiles = wf.TileSet([wf.Tile("road", ("a",) * 4, 3.0, (0, 90)), wf.Tile("lawn", ("a",) * 4)])
    tiles.rules.weights = np.array([1.0, 2.0, 1.0])
    loaded = assert_comes_back(tiles, tmp_path)
    assert "weights = [1, 2]" in (tmp_path / "saved.toml").read_text("utf-8")
    assert loaded.tiles == tiles.tiles


@pytest.mark.parametrize("name", mark_slow([name for name in wf.tilesets() if name != "medieval"], 3))
def test_bundled_sets_come_back(tmp_path, name):
    assert_comes_back(wf.TileSet.load(name), tmp_path)


@pytest.mark.skipif(DATA is None or not DATA.is_dir(), reason="WAVEFOLD_DATA names no folder with mxgmn")
@pytest.mark.parametrize("name", ["Castle", "Circuit", "Knots", "Rooms"])
def test_public_sets_come_back(tmp_path, name):
    assert_comes_back(read_mxgmn(DATA / "tilesets" / f"{name}.xml"), tmp_path)


# --- by hand ------------------------------------------------------------------------------------

GARDEN = """
format = 1
name = "garden"
description = "A lawn and a path."
levels = 3

[tiles.lawn]
sockets = "grass"
weight = 6
symmetry = "X"
colour = "#70ac52"

[tiles.path]
sockets = { N = "path", south = "path", others = "grass" }
symmetry = ["0", 90]
rises = { south = 1 }
limits.altitude = [0.25, 1]
colour = ["#aa8855", "#aa885580", "#000000", "#FFFFFF"]

[tiles.pond]
levels = 1
rises = 0
apart = true

[[beside]]
here = "pond"
there = ["lawn", "pond"]

[[beside]]
here = "pond"
there = "path"
sides = ["north"]
allowed = false
"""


def written(folder, text, name="garden.toml"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_file_written_by_hand_says_what_it_means(tmp_path):
    tiles = wf.TileSet.load(written(tmp_path, GARDEN))
    lawn, path, pond = tiles.tiles
    assert (tiles.name, tiles.topology, tiles.description) == ("garden", "square", "A lawn and a path.")
    assert lawn == wf.Tile("lawn", ("grass",) * 4, 6.0, "X", levels=3)
    assert path.sockets == ("path", "grass", "path", "grass")
    assert (path.symmetry, path.rises, path.levels) == (("0", 90), (0, 0, 1, 0), 3)
    assert path.limits == {"altitude": (0.25, 1.0)}
    assert pond == wf.Tile("pond", rises=(0, 0, 0, 0), apart=True)
    assert tiles.beside == (
        wf.Beside("pond", ("lawn", "pond")),
        wf.Beside("pond", "path", ("north",), allowed=False),
    )
    assert lawn.picture.tolist() == [[[0x70, 0xAC, 0x52, 255]]]
    assert [each[0, 0].tolist() for each in path.picture[:2]] == [[170, 136, 85, 255], [170, 136, 85, 128]]


def test_what_was_written_by_hand_is_saved_in_one_form(tmp_path):
    loaded = assert_comes_back(wf.TileSet.load(written(tmp_path, GARDEN)), tmp_path)
    text = (tmp_path / "saved.toml").read_text("utf-8")
    assert 'sockets = ["path", "grass", "path", "grass"]' in text
    assert "rises = { south = 1 }" in text
    assert "limits.altitude = [0.25, 1]" in text
    assert loaded.tiles == wf.TileSet.load(tmp_path / "garden.toml").tiles


def test_groups_may_be_written_in_one_line_and_used_in_lists(tmp_path):
    text = """
    format = 1
    groups = { water = ["water", "coast-*"] }
    [tiles.water]
    [tiles.coast-a]
    [tiles.coast-b]
    [touching]
    east = [{ here = "water", there = "water" }]
    north = [{ here = "water@0", there = "water" }, { here = "coast-a", there = "water" }]
    """
    tiles = assert_comes_back(wf.TileSet.load(written(tmp_path, text)), tmp_path)
    assert tiles.groups == {"water": ("water", "coast-*")}
    assert tiles.rules.allowed[1].all()
    assert tiles.rules.allowed[0].tolist() == [[True] * 3, [True] * 3, [False] * 3]


def test_windows_line_ends_and_byte_order_marks_are_read(tmp_path):
    path = tmp_path / "garden.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GARDEN.encode().replace(b"\n", b"\r\n"))
    assert wf.TileSet.load(path).name == "garden"


def test_pairs_may_be_listed_by_hand(tmp_path):
    text = """
    format = 1
    [tiles.sea]
    [tiles.land]
    symmetry = [0, 90]
    [touching]
    east = [
      { here = "sea", there = ["sea", "land@90"] },
      { here = "land", there = "land" },
    ]
    south = [{ here = ["sea", "land"], there = ["sea", "land"] }]
    """
    tiles = wf.TileSet.load(written(tmp_path, text))
    assert tiles.rules.names == ("sea", "land", "land@90")
    assert tiles.rules.allowed[1].astype(int).tolist() == [[1, 0, 1], [0, 1, 1], [0, 1, 1]]
    assert (tiles.rules.allowed[3] == tiles.rules.allowed[1].T).all()
    assert tiles.rules.allowed[0].all()
    assert_comes_back(tiles, tmp_path)


def test_a_list_takes_from_what_sockets_allow_and_adds_nothing(tmp_path):
    text = """
    format = 1
    tiles.a.sockets = "x"
    tiles.b.sockets = "x"
    tiles.c.sockets = "y"
    [touching]
    north = [{ here = ["a", "b", "c"], there = ["a", "c"] }]
    west = [{ here = ["a", "b", "c"], there = ["a", "b", "c"] }]
    """
    tiles = quietly(written(tmp_path, text))
    assert tiles.rules.allowed[0].astype(int).tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert tiles.rules.allowed[1].astype(int).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


# --- pictures -----------------------------------------------------------------------------------


def noise(seed, side=4):
    return np.random.default_rng(seed).integers(0, 256, (side, side, 4), np.uint8)


def test_a_sheet_is_cut_into_cells(tmp_path):
    sheet = noise(0, 11)
    Image.fromarray(sheet).save(tmp_path / "art.png")
    text = """
    format = 1
    [sheet]
    file = "art.png"
    size = [4, 4]
    margin = 1
    spacing = 1
    [tiles.a]
    at = [1, 0]
    [tiles.b]
    symmetry = [0, 90]
    at = [[0, 1], [1, 1]]
    """
    tiles = wf.TileSet.load(written(tmp_path, text))
    assert (tiles.tiles[0].picture == sheet[1:5, 6:10]).all()
    assert (tiles.tiles[1].picture[0] == sheet[6:10, 1:5]).all()
    assert (tiles.tiles[1].picture[1] == sheet[6:10, 6:10]).all()


def test_pictures_may_be_files_of_their_own(tmp_path):
    (tmp_path / "art").mkdir()
    Image.fromarray(noise(1)).save(tmp_path / "art" / "lawn.png")
    Image.new("P", (4, 4)).save(tmp_path / "pond.png")
    text = 'format = 1\ntiles.lawn.picture = "art/lawn.png"\ntiles.pond.picture = ["pond.png"]\n'
    tiles = wf.TileSet.load(written(tmp_path, text))
    assert (tiles.tiles[0].picture == noise(1)).all()
    assert tiles.tiles[1].picture[0].shape == (4, 4, 4)


def test_equal_pictures_share_a_cell_of_the_sheet(tmp_path):
    rows = [wf.Tile(name, picture=noise(name == "c")) for name in "abc"]
    wf.TileSet(rows).save(tmp_path / "saved.toml")
    data = tomllib.loads((tmp_path / "saved.toml").read_text("utf-8"))
    assert [data["tiles"][name]["at"] for name in "abc"] == [[0, 0], [0, 0], [1, 0]]
    with Image.open(tmp_path / "saved.png") as sheet:
        assert sheet.size == (8, 4)


def test_models_of_cubes_come_back_layer_by_layer(tmp_path):
    tower = np.stack([noise(seed) for seed in range(3)])
    tiles = wf.TileSet([wf.Tile("tower", picture=tower), wf.Tile("roof", picture=noise(1))], "cube")
    loaded = assert_comes_back(tiles, tmp_path)
    assert (loaded.tiles[0].picture == tower).all()


def test_pictures_for_flat_top_hexagons_come_from_a_sheet_of_their_own(tmp_path):
    sheet, flat = noise(0, 12)[:6, :4], noise(1, 12)[:4]
    Image.fromarray(sheet).save(tmp_path / "art.png")
    Image.fromarray(flat).save(tmp_path / "flat.png")
    text = """
    format = 1
    topology = "hex"
    [sheet]
    file = "art.png"
    size = [4, 6]
    [flat_sheet]
    file = "flat.png"
    size = [6, 4]
    [tiles.a]
    at = [0, 0]
    flat_at = [1, 0]
    [tiles.b]
    symmetry = ["0", "60"]
    flat_at = [[0, 0], [1, 0]]
    [tiles.c]
    at = [0, 0]
    """
    tiles = wf.TileSet.load(written(tmp_path, text))
    assert (tiles.tiles[0].picture == sheet).all()
    assert (tiles.tiles[0].flat_picture == flat[:, 6:]).all()
    assert (tiles.tiles[1].flat_picture[0] == flat[:, :6]).all()
    assert (tiles.art(2, flat=True)[0] == flat[:, 6:]).all()
    assert tiles.tiles[2].flat_picture is None


def test_pictures_for_flat_top_hexagons_are_saved_beside_the_others(tmp_path):
    tall, wide = noise(0, 6)[:, :4], noise(1, 6)[:4]
    tiles = wf.TileSet(
        [
            wf.Tile("one", picture=tall, flat_picture=wide),
            wf.Tile("each", symmetry="I", picture=tall, flat_picture=lambda p: wide + np.uint8(len(p.name))),
            wf.Tile("none"),
        ],
        "hex",
    )
    loaded = assert_comes_back(tiles, tmp_path)
    for number in range(len(tiles)):
        ours, theirs = tiles.art(number, flat=True), loaded.art(number, flat=True)
        assert np.array_equal(ours[0], theirs[0])
        assert ours[1] == theirs[1]
    assert loaded.tiles[2].flat_picture is None


def test_what_a_function_draws_on_flat_top_hexagons_is_saved_too(tmp_path):
    class Painter:
        def __call__(self, pattern):
            return noise(0, 6)[:, :4]

        def flat(self, pattern):
            return noise(1, 6)[:4]

    loaded = assert_comes_back(wf.TileSet([wf.Tile("a", picture=Painter())], "hex"), tmp_path)
    assert (loaded.art(0, flat=True)[0] == noise(1, 6)[:4]).all()


def test_squares_are_saved_without_pictures_for_flat_top_hexagons(tmp_path):
    wf.TileSet([wf.Tile("a", picture=noise(0), flat_picture=noise(1))]).save(tmp_path / "a.toml")
    assert wf.TileSet.load(tmp_path / "a.toml").tiles[0].flat_picture is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "a.toml"]


def test_flat_top_hexagons_are_drawn_from_their_own_pictures(tmp_path):
    tall, wide = np.zeros((6, 4, 3), np.uint8), np.full((4, 6, 3), 255, np.uint8)
    tiles = wf.TileSet([wf.Tile("a", picture=tall, flat_picture=wide)], "hex")
    shades = {}
    for layout in ("pointy", "flat"):
        image = wf.generate(tiles, wf.HexGrid(1, layout=layout)).image(tile_size=12)
        shades[layout] = image.convert("RGB").getpixel((image.width // 2, image.height // 2))
    assert shades == {"pointy": (0, 0, 0), "flat": (255, 255, 255)}


def test_maps_look_the_same_after_a_round_trip(tmp_path):
    tiles = wf.TileSet.load("pipes")
    tiles.save(tmp_path / "pipes.toml")
    loaded = wf.TileSet.load(tmp_path / "pipes.toml")
    maps = [wf.generate(each, wf.SquareGrid(9, 7), seed=3).image() for each in (tiles, loaded)]
    assert maps[0].tobytes() == maps[1].tobytes()


# --- what cannot be saved -------------------------------------------------------------------------


def refused(tiles, path, message, error=wf.TileSetError):
    before = sorted(path.parent.glob("*"))
    with pytest.raises(error, match=message):
        tiles.save(path)
    assert sorted(path.parent.glob("*")) == before


LAWN = wf.Tile("lawn", ("grass",) * 4)
UNSAVABLE = {
    "a function of fields": (
        wf.TileSet([LAWN], allowed_at=lambda *_: True),
        "allowed_at cannot be saved, because files contain no Python code; use limits",
    ),
    "a socket that is no word": (
        wf.TileSet([wf.Tile("lawn", ((1, 2),) * 4)]),
        r"tile 'lawn' has a socket \(1, 2\); only words",
    ),
    "values that are no words": (wf.learn_adjacency([[(1, 2), None]]), r"the value \(1, 2\) cannot be saved"),
    "pictures of two sizes": (
        wf.TileSet([wf.Tile("a", picture=noise(0)), wf.Tile("b", picture=noise(0, 5))]),
        "picture of tile 'b' has 5 x 5 pixels, that of 'a' 4 x 4",
    ),
    "a picture and a colour": (
        wf.TileSet([wf.Tile("a", symmetry=(0, 90), picture=(noise(0), noise(0, 1)))]),
        "cannot save the tile 'a': its pictures differ in size",
    ),
    "no picture": (
        wf.TileSet([wf.Tile("a", picture=np.zeros((2, 2)))]),
        r"picture of tile 'a' is float64 \(2, 2\)",
    ),
    "a picture of a thousand pixels and more": (
        wf.TileSet([wf.Tile("a", picture=np.zeros((1025, 1, 4), np.uint8))]),
        "1 pictures of 1 x 1025 pixels do not fit",
    ),
    "letters no file can hold": (wf.TileSet([wf.Tile("\ud800")]), r"'\\ud800' in a name cannot be saved"),
    "too many patterns": (
        wf.TileSet([wf.Tile(f"t{number}", ("",) * 4, levels=64) for number in range(257)]),
        "at most 16,384 patterns; the tile set has 16,448",
    ),
}


@pytest.mark.parametrize(("tiles", "message"), UNSAVABLE.values(), ids=UNSAVABLE.keys())
def test_what_cannot_be_saved_is_refused_with_the_reason(tmp_path, tiles, message):
    refused(tiles, tmp_path / "saved.toml", message)


def test_a_table_too_large_for_a_file_is_refused(tmp_path):
    pairs = np.random.default_rng(0).random((2000, 2000)) < 0.5
    tiles = wf.TileSet.from_allowed([f"p{n}" for n in range(2000)], [pairs, pairs, pairs.T, pairs.T])
    refused(tiles, tmp_path / "saved.toml", "the file would have .* bytes")


def test_places_that_cannot_be_written_are_refused(tmp_path):
    drawn = wf.TileSet([wf.Tile("a", picture=noise(0))])
    refused(drawn, tmp_path / "saved.txt", r"unknown ending; known: \.toml", wf.ConfigError)
    refused(drawn, tmp_path / "nowhere" / "saved.toml", "there is no folder", wf.ConfigError)
    refused(drawn, tmp_path / "a:b.toml", "must not contain ':'")
    (tmp_path / "saved.png").mkdir()
    refused(drawn, tmp_path / "saved.toml", "is a folder", wf.ConfigError)


@pytest.mark.parametrize("failing", ["write_bytes", "replace"])
def test_a_disk_that_fails_leaves_the_old_files_as_they_were(tmp_path, monkeypatch, failing):
    wf.TileSet([wf.Tile("a", picture=noise(0))]).save(tmp_path / "saved.toml")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    module = Path if failing == "write_bytes" else os
    action = getattr(module, failing)

    def fail_on_text(path, *arguments):
        if "saved.toml" in str(path) and str(path).endswith(".part"):  # the sheet comes first
            raise OSError(28, "No space left on device")
        return action(path, *arguments)

    monkeypatch.setattr(module, failing, fail_on_text)
    with pytest.raises(wf.ConfigError, match="no space left"):
        wf.TileSet([wf.Tile("b", picture=noise(1))]).save(tmp_path / "saved.toml")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_subclass_with_rules_of_its_own_is_refused(tmp_path):
    tiles = wf.TileSet([LAWN])
    tiles.rules.names = ("meadow",)
    refused(tiles, tmp_path / "saved.toml", "its rules do not follow from its tiles")


# --- small things ---------------------------------------------------------------------------------


@given(st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans())
def test_values_are_written_as_toml_reads_them(value):
    again = tomllib.loads(f"key = {format_value(value)}")["key"]
    assert again == value
    assert isinstance(again, bool) == isinstance(value, bool)


def test_pydantic_and_the_kernels_are_not_imported_until_they_are_needed():
    code = (
        "import sys, wavefold, wavefold.formats; wavefold.TileSet\n"
        "print([name for name in ('pydantic', 'wavefold.kernels.units') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


def test_the_writer_is_the_one_plugins_find(tmp_path):
    from wavefold.plugins.map_formats import find_writer, list_endings

    assert find_writer("set.toml", "write_tiles") is write_toml
    assert ".toml" in list_endings("read_tiles")


@pytest.mark.parametrize(
    ("kind", "size"), [("square", (20, 10)), ("hex", (5, 6)), ("cube", (3, 4, 5)), ("square", None)]
)
def test_the_recommended_size_comes_back(tmp_path, kind, size):
    wf.TileSet([wf.Tile("a"), wf.Tile("b")], kind, size=size).save(tmp_path / "set.toml")
    assert wf.TileSet.load(tmp_path / "set.toml").size == size


def test_learned_sets_and_listed_pairs_keep_their_recommended_size(tmp_path):
    learned = wf.learn_adjacency([["a", "b"], ["b", "a"]])
    learned.size = (7, 8)
    weighed = wf.TileSet([wf.Tile("a"), wf.Tile("b")], allowed=lambda a, b, side: a is not b, size=[7, 8])
    for tiles in (learned, weighed):
        tiles.save(tmp_path / "set.toml")
        assert wf.TileSet.load(tmp_path / "set.toml").size == (7, 8)
