"""Rules and windows from configurations of DeBroglie: turned tiles, replacements, frequencies, samples."""

import json

import numpy as np
import pytest
from debroglie_files import PIPES, PIXELS, SAND, TILES, WATER, load, pairs, picture, write_pictures
from PIL import Image

import wavefold as wf
from wavefold.formats.debroglie.rotations import SYMMETRIES, PlacedName, Rotations
from wavefold.tiles import Orientation


@pytest.fixture
def folder(tmp_path):
    write_pictures(tmp_path)
    return tmp_path


# --- tiles that are turned ------------------------------------------------------------------------


def test_tiles_are_generated_in_as_many_ways_as_their_symmetry_leaves(folder):
    config = load(folder, PIPES)
    ways = {"blank": 1, "line": 2, "corner": 4, "tee": 4}
    names = config.tiles.rules.names
    assert {tile: sum(name.split("@")[0] == tile for name in names) for tile in ways} == ways
    weights = dict(zip(names, config.tiles.rules.weights.tolist(), strict=True))
    assert weights["blank"] == 1
    assert weights["line@90"] == 0.5
    assert weights["corner@180"] == 0.25
    assert weights["tee"] == pytest.approx(0.025)


def test_edges_that_look_the_same_may_touch(folder):
    tiles = load(folder, PIPES).tiles
    pictures = tiles.pictures()
    for direction, near, far in (("east", np.s_[:, -1], np.s_[:, 0]), ("south", np.s_[-1], np.s_[0])):
        expected = {
            (tiles.rules.names[a], tiles.rules.names[b])
            for a in range(len(tiles))
            for b in range(len(tiles))
            if (pictures[a][near] == pictures[b][far]).all()
        }
        assert pairs(tiles, direction) == expected


def test_listed_pairs_are_repeated_for_every_turn(folder):
    document = PIPES | {"autoAdjacency": False, "adjacencies": [{"left": ["line"], "right": ["corner!270"]}]}
    tiles = load(folder, document).tiles
    # A corner from east to north, turned by 270 degrees, goes from north to west.
    assert pairs(tiles, "east") == {
        ("line", "corner@270"),
        ("line", "corner@180"),
        ("corner", "line"),
        ("corner@90", "line"),
    }
    assert ("line@90", "corner") in pairs(tiles, "south")
    fewer = load(
        folder,
        document
        | {
            "symmetry": 2,
            "tiles": [tile | {"tileSymmetry": "F"} for tile in TILES],
            "adjacencies": [{"up": ["line"], "down": ["corner"]}],
        },
    ).tiles
    assert pairs(fewer, "south") == {("line", "corner"), ("line@m", "corner@m")}
    assert pairs(fewer, "east") == set()


def test_replacements_follow_from_one_turn_and_one_mirror_image(folder):
    related = [
        {"value": 1, "rotateCw": 2, "reflectX": 1},
        {"value": 2, "rotateCw": 3},
        {"value": 3, "rotateCw": 4},
    ]
    rotations = Rotations("square", 4, True, "missing", "here")
    for tile in related:
        rotations.relate(str(tile["value"]), Orientation(1), str(tile["rotateCw"]), "rotateCw")
    rotations.relate("1", Orientation(0, True), "1", "reflectX")
    moved = {
        (name, way): rotations.move(PlacedName(name), way).name for name in "1234" for way in rotations.group
    }
    # Tile k is an arrow: 1 to the north, 2 to the east, 3 to the south, 4 to the west.
    for name in "1234":
        for way in rotations.group:
            side = int(name) - 1
            expected = ((-side if way.mirrored else side) + way.turn) % 4 + 1
            assert moved[name, way] == str(expected)


@pytest.mark.parametrize("letter", SYMMETRIES)
def test_a_letter_leaves_as_many_tiles_as_its_group_has_cosets(letter):
    rotations = Rotations("square", 4, True, "generated", "here")
    rotations.add_symmetry("a", letter)
    ways = rotations.every(PlacedName("a"))
    size = {
        "F": 8,
        "none": 8,
        "X": 1,
        "full": 1,
        "T": 4,
        "L": 4,
        "E": 4,
        "Q": 4,
        "N": 4,
        "I": 2,
        "\\": 2,
        "/": 2,
        "cyclic": 2,
    }
    assert len(ways) == size[letter]
    assert ways[0] == PlacedName("a")
    for way in ways:  # every name leads to the same tiles
        assert set(rotations.every(way)) == set(ways)


def test_letters_of_symmetries_may_be_small(folder):
    tiles = [tile | {"tileSymmetry": tile["tileSymmetry"].lower()} for tile in TILES]
    assert load(folder, PIPES | {"tiles": tiles}).tiles.rules.digest == load(folder, PIPES).tiles.rules.digest


def test_treatments_say_what_becomes_of_other_tiles():
    for treatment, expected in (
        ("unchanged", PlacedName("a")),
        ("missing", None),
        ("generated", PlacedName("a", Orientation(1))),
    ):
        rotations = Rotations("square", 4, False, treatment, "here")
        assert rotations.move(PlacedName("a"), Orientation(1)) == expected


# --- samples --------------------------------------------------------------------------------------


def test_pixels_that_touch_in_the_sample_may_touch_as_in_wavefold(folder):
    sample = np.asarray(Image.open(folder / "sample.png"))
    for symmetry, periodic in ((1, False), (1, True)):
        tiles = load(folder, PIXELS | {"symmetry": symmetry, "periodicInput": periodic}).tiles
        learned = wf.learn_adjacency(sample, periodic)
        order = [tiles.rules.names.index(f"#{bytes(value).hex()}") for value in learned.values]
        assert (tiles.rules.allowed[:, order][:, :, order] == learned.rules.allowed).all()
        assert tiles.rules.weights[order].tolist() == learned.rules.weights.tolist()


def test_a_sample_that_wraps_in_one_direction_only(folder):
    rows = [["#c8b478", "#0d2572"]]
    Image.fromarray(np.array([[SAND, WATER]], np.uint8)).save(folder / "sample.png")
    across = load(folder, PIXELS | {"periodicInputX": True}).tiles
    assert pairs(across, "east") == {(rows[0][0], rows[0][1]), (rows[0][1], rows[0][0])}
    assert pairs(across, "south") == set()
    turned = load(folder, PIXELS | {"periodicInputX": True, "rotationalSymmetry": 4}).tiles
    assert pairs(turned, "south") == pairs(turned, "east") == pairs(across, "east")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (1, {}),
        (2, {"symmetry": 2}),
        (8, {"symmetry": 8}),
        (8, {"rotationalSymmetry": 4, "reflectionalSymmetry": True}),
    ],
)
@pytest.mark.parametrize("periodic", [False, True])
def test_windows_are_those_that_wavefold_learns(folder, ours, theirs, periodic):
    document = PIXELS | {"model": {"type": "overlapping", "n": 3}, "periodicInput": periodic} | theirs
    tiles = load(folder, document).tiles
    learned = wf.learn(folder / "sample.png", 3, ours, periodic)

    def windows(found):  # each as the set of what it may have around it, by values
        values = [tuple(value[:3]) for value in found.rules.values]
        return sorted(
            (
                values[a],
                weight,
                tuple(
                    sorted(
                        (side, values[b])
                        for side in range(4)
                        for b in np.flatnonzero(found.rules.allowed[side, a]).tolist()
                    )
                ),
            )
            for a, weight in enumerate(found.rules.weights.tolist())
        )

    assert windows(tiles) == windows(learned)


def test_half_turns_alone_are_counted(folder):
    document = PIXELS | {"model": {"type": "overlapping", "n": 2}, "rotationalSymmetry": 2}
    sample = np.asarray(Image.open(folder / "sample.png"))
    tiles = load(folder, document).tiles
    learned = wf.learn([sample, np.rot90(sample, 2)], 2, 1, False)
    assert sorted(tiles.rules.weights.tolist()) == sorted(learned.rules.weights.tolist())


def test_frequencies_of_windows_are_multiplied_for_every_cell(folder):
    document = PIXELS | {"model": {"type": "overlapping", "n": 2}}
    before = load(folder, document).tiles
    after = load(folder, document | {"tiles": [{"value": "#0D2572", "multiplyFrequency": 0.5}]}).tiles
    sample = np.asarray(Image.open(folder / "sample.png"))
    for pattern, name in enumerate(before.rules.names):
        at = before.sources(pattern)[0]
        water = (sample[at.y : at.y + 2, at.x : at.x + 2] == WATER).all(axis=2).sum()
        assert after.rules.names[pattern] == name
        assert after.rules.weights[pattern] == before.rules.weights[pattern] * 0.5**water


def test_maps_of_tiled_are_read_with_numbers_names_and_turns(folder):
    tiles = [{"id": 1, "properties": [{"name": "name", "type": "string", "value": "pipe"}]}]
    sheet = np.concatenate([picture("blank"), picture("line"), picture("corner")], axis=1)
    Image.fromarray(sheet).save(folder / "sheet.png")
    tileset = {
        "type": "tileset",
        "name": "pipes",
        "image": "sheet.png",
        "tilewidth": 8,
        "tileheight": 8,
        "columns": 3,
        "tilecount": 3,
        "tiles": tiles,
    }
    turned = 2 | 0x20000000 | 0x80000000  # a quarter turn
    layer = {
        "type": "tilelayer",
        "name": "map",
        "width": 3,
        "height": 1,
        "data": [0, 2, turned],
        "visible": True,
    }
    (folder / "map.tmj").write_text(
        json.dumps(
            {
                "type": "map",
                "orientation": "orthogonal",
                "width": 3,
                "height": 1,
                "tilewidth": 8,
                "tileheight": 8,
                "layers": [layer],
                "tilesets": [{"firstgid": 1} | tileset],
            }
        )
    )
    found = load(folder, {"src": "map.tmj", "dest": "x.tmj", "width": 4, "height": 1}).tiles
    assert pairs(found) == {("0", "pipe"), ("pipe", "pipe@90")}
    assert (found.pictures()[found.rules.names.index("pipe@90")] == np.rot90(picture("line"))).all()
    windows = load(
        folder, {"src": "map.tmj", "dest": "x.tmj", "model": {"type": "overlapping", "n": 1}}
    ).tiles
    assert [str(value) for value in windows.rules.values] == ["0", "2", "2@90"]
    (folder / "pipes.tsj").write_text(json.dumps(tileset))
    document = {"src": "pipes.tsj", "dest": "x.tmj", "adjacencies": [{"left": [0, "pipe"], "right": [2, 3]}]}
    assert pairs(load(folder, document).tiles) == {("0", "pipe"), ("0", "3"), ("pipe", "pipe"), ("pipe", "3")}


def test_tables_are_read_as_names(folder):
    (folder / "sample.csv").write_text("sea,beach\nsea,land\n")
    assert pairs(load(folder, PIXELS | {"src": "sample.csv"}).tiles) == {("sea", "beach"), ("sea", "land")}
    (folder / "sample.csv").write_text("sea,beach\n\nsea,land\n")
    with pytest.raises(wf.FormatError, match="several layers"):
        load(folder, PIXELS | {"src": "sample.csv"})


def test_cubes_have_tiles_above_and_below_without_models(folder):
    document = {
        "srcType": "voxSet",
        "dest": "x.vox",
        "width": 3,
        "height": 4,
        "depth": 2,
        "tiles": [{"src": "a.vox", "value": "earth"}, {"src": "b.vox", "value": "air"}],
        "adjacencies": [{"left": ["earth"], "right": ["earth"]}, {"above": ["air"], "below": ["earth"]}],
    }
    with pytest.warns(wf.TileSetWarning, match="models of tiles"):
        config = load(folder, document)
    assert config.topology == wf.CubeGrid(3, 4, 2)
    assert pairs(config.tiles, "up") == {("earth", "air")}
    assert pairs(config.tiles, "east") == {("earth", "earth")}


def test_the_tile_set_alone_is_loaded_by_its_path_and_saved_as_ours(folder):
    load(folder, PIPES)
    tiles = wf.TileSet.load(folder / "config.json")
    assert (tiles.name, tiles.size) == ("pipes", (7, 6))
    tiles.save(folder / "pipes.toml")
    again = wf.TileSet.load(folder / "pipes.toml")
    assert again.rules.digest == tiles.rules.digest
