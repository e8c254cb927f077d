"""Maps for LDtk: what other readers find in them, and what comes back, edited or not."""

import json

import numpy as np
import pytest
from ldtk_schema import find_violations
from map_solutions import CUBES, GRAPH, HEXES, SQUARES, TILES, anything, on, read, undecide_half
from PIL import Image

import wavefold as wf
from wavefold.formats.ldtk.definitions import make_identifiers
from wavefold.formats.ldtk.read import describe_extras
from wavefold.plugins.map_formats import check_writing


@pytest.fixture
def path(tmp_path):
    return tmp_path / "map.ldtk"


def grouped():
    """Tiles in groups two of which overlap."""
    tiles = [wf.Tile(name, ("a",) * 4, symmetry="X") for name in ("sea", "coast", "grass", "1st hill")]
    groups = {"water": ["sea", "coast"], "land": ["grass", "1st*"], "to shore": ["coast", "grass"]}
    return wf.TileSet(tiles, name="a land", groups=groups)


def edit(path, change):
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document))


def layers_of(document):
    return document["levels"][0]["layerInstances"]


# --- what others read -----------------------------------------------------------------------------


@pytest.mark.parametrize("grid", SQUARES.values(), ids=SQUARES)
def test_every_file_follows_the_schema(grid, path):
    for solution in (on(grid), anything(grouped(), grid)):
        solution.save(path)
        assert list(find_violations(json.loads(path.read_text("utf-8")))) == []


def test_a_reader_made_from_the_schema_finds_the_same_tiles(path):
    api = pytest.importorskip("ldtkpy.api")
    solution = anything(grouped(), wf.SquareGrid(5, 4))
    solution.save(path)
    project = api.ldtk_json_from_dict(json.loads(path.read_text("utf-8")))
    tileset, layer = project.defs.tilesets[0], project.levels[0].layer_instances[0]
    assert layer.type == "Tiles"
    names = {each.tile_id: each.data for each in tileset.custom_data}
    size = layer.grid_size
    found = {(tile.px[0] // size, tile.px[1] // size): names[tile.t] for tile in layer.grid_tiles}
    rules = solution.problem.rules
    assert found == {(x, y): rules.names[solution.array[y, x]] for y in range(4) for x in range(5)}


def test_every_tile_of_the_level_shows_the_picture_of_its_pattern(path):
    solution = on(wf.SquareGrid(4, 3))
    solution.save(path, tile_size=6)
    document = json.loads(path.read_text("utf-8"))
    tileset = document["defs"]["tilesets"][0]
    sheet = np.asarray(Image.open(path.with_name(tileset["relPath"])).convert("RGBA"))
    assert (tileset["pxWid"], tileset["pxHei"]) == sheet.shape[1::-1]
    shown = np.zeros((18, 24, 4), np.uint8)
    for tile in layers_of(document)[0]["gridTiles"]:
        (x, y), (left, top) = tile["px"], tile["src"]
        assert tile["t"] == top // 6 * tileset["__cWid"] + left // 6
        assert tile["d"] == [y // 6 * 4 + x // 6]
        shown[y : y + 6, x : x + 6] = sheet[top : top + 6, left : left + 6]
    assert (shown == np.asarray(solution.image(tile_size=6).convert("RGBA"))).all()


def test_groups_are_values_of_as_many_layers_as_they_need(path):
    solution = anything(grouped(), wf.SquareGrid(5, 4))
    solution.save(path)
    document = json.loads(path.read_text("utf-8"))
    found = {}
    for layer, shown in zip(document["defs"]["layers"][1:], layers_of(document)[1:], strict=True):
        assert layer["type"] == "IntGrid"
        for value in layer["intGridValues"]:
            found[value["identifier"]] = (np.array(shown["intGridCsv"]) == value["value"]).reshape(4, 5)
    rules = solution.problem.rules
    for group, identifier in (("water", "water"), ("land", "land"), ("to shore", "to_shore")):
        assert (found.pop(identifier) == np.isin(solution.array, rules.groups[group])).all()
    assert not found
    assert [layer["identifier"] for layer in document["defs"]["layers"]] == ["Tiles", "Groups", "Groups_2"]


def test_identifiers_are_unique_and_as_ldtk_allows_them():
    found = make_identifiers(["to shore", "to-shore", "1st", "", "ä"])
    assert found == ["to_shore", "to_shore_2", "_1st", "_", "__2"]


# --- what comes back ------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", SQUARES.values(), ids=SQUARES)
def test_a_map_comes_back_as_it_was(grid, path):
    solution = on(grid)
    solution.save(path)
    back = read(path, TILES["square"])
    assert (back.patterns == solution.patterns).all()
    assert (back.topology, back.seed, back.origin) == (grid, 3, None)


def test_undecided_cells_stay_undecided(path):
    partial = undecide_half(wf.SquareGrid(5, 4))
    partial.save(path)
    assert (read(path, TILES["square"]).patterns == partial.patterns).all()


def test_a_part_of_a_world_lies_at_its_position(path):
    solution = on(wf.SquareGrid(5, 4))
    solution.origin = (-7, 12)
    solution.save(path, tile_size=10)
    level = json.loads(path.read_text("utf-8"))["levels"][0]
    assert (level["worldX"], level["worldY"]) == (-70, 120)
    assert read(path, TILES["square"]).origin == (-7, 12)


def test_mirrored_tiles_become_the_pattern_that_looks_so(path):
    rules = TILES["square"].rules
    solution = on(wf.SquareGrid(1, 1))
    turned = rules.names.index('"quoted", näme@90')
    solution.patterns[0] = turned
    for flip, name in ((0, "@90"), (1, "@m270"), (2, "@m90"), (3, "@270")):
        solution.save(path)
        edit(path, lambda document, flip=flip: layers_of(document)[0]["gridTiles"][0].update(f=flip))
        back = read(path, TILES["square"])
        assert back.names == [f'"quoted", näme{name}']
        pictures = TILES["square"].pictures()
        before = pictures[turned]
        flipped = before[:, ::-1] if flip & 1 else before
        flipped = flipped[::-1] if flip & 2 else flipped
        assert (pictures[back.patterns[0]] == flipped).all()


def test_of_stacked_tiles_the_uppermost_is_read(path):
    solution = on(wf.SquareGrid(2, 1))
    solution.save(path)

    def stack(document):
        tiles = layers_of(document)[0]["gridTiles"]
        tiles.append(tiles[0] | {"px": tiles[1]["px"], "d": tiles[1]["d"]})

    edit(path, stack)
    assert read(path, TILES["square"]).patterns.tolist() == [solution.patterns[0]] * 2


def test_a_level_that_was_enlarged_is_read_in_its_new_size(path):
    solution = on(wf.SquareGrid(3, 2, wraps=True))
    solution.save(path)
    edit(path, lambda document: [layer.update(__cWid=4) for layer in layers_of(document)])
    back = read(path, TILES["square"])
    assert back.topology == wf.SquareGrid(4, 2, wraps=True)
    assert back.array[:, 3].tolist() == [-1, -1]
    assert (back.array[:, :3] == solution.array).all()


def test_a_level_without_our_field_is_a_plain_grid(path):
    solution = on(wf.SquareGrid(3, 2))
    solution.save(path)
    edit(path, lambda document: document["levels"][0].update(fieldInstances=[]))
    back = read(path, TILES["square"])
    assert (back.patterns == solution.patterns).all()
    assert (back.topology, back.seed) == (wf.SquareGrid(3, 2), None)


def test_what_reading_leaves_out_is_described(path):
    on(wf.SquareGrid(3, 2)).save(path)
    assert describe_extras(path) == ""
    anything(grouped(), wf.SquareGrid(3, 2)).save(path)
    assert describe_extras(path) == ""

    def add(document):
        document["levels"] += [document["levels"][0] | {"fieldInstances": []}] * 2
        document["defs"]["entities"].append({"identifier": "Tree"})
        layers_of(document).append({"__identifier": "Roofs", "__type": "Tiles"})

    edit(path, add)
    assert describe_extras(path) == "2 other levels, 1 other layer, 1 kind of entities"


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", [HEXES["disk"], CUBES["cubes"], GRAPH], ids=["hex", "cube", "graph"])
def test_other_cells_than_squares_are_refused_before_and_when_saving(grid, path, tmp_path):
    solution = on(grid)
    for save in (lambda: solution.save(path), lambda: check_writing(solution.problem, path)):
        with pytest.raises(wf.ConfigError, match=f"LDtk supports square cells, not {grid.kind} cells"):
            save()
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_a_world_that_is_too_far_away_is_refused(path):
    solution = on(wf.SquareGrid(3, 2))
    solution.origin = (1 << 31, 0)
    with pytest.raises(wf.ConfigError, match="out of LDtk's range"):
        solution.save(path)


def test_a_map_that_could_not_be_read_again_is_refused_before_it_is_made(path):
    with pytest.raises(wf.ConfigError, match="too large to be read back from LDtk"):
        check_writing(wf.Problem(TILES["square"], wf.SquareGrid(800, 800)), path)


DAMAGES = {
    "another file": (lambda document: document.pop("jsonVersion"), "is not an LDtk project"),
    "levels elsewhere": (
        lambda document: document.update(externalLevels=True),
        "has levels in separate files",
    ),
    "no level": (lambda document: document.update(levels=[]), "has 0 levels"),
    "two levels": (
        lambda document: document.update(levels=[document["levels"][0] | {"fieldInstances": []}] * 2),
        "has 2 levels, none of them with a field 'Wavefold'",
    ),
    "no layer": (lambda document: document["levels"][0].update(layerInstances=[]), "has no tile layer"),
    "no tile set": (lambda document: document["defs"].update(tilesets=[]), "names a tile set 1"),
    "nameless tile": (
        lambda document: document["defs"]["tilesets"][0].update(customData=[]),
        r"gridTiles\[0\].* without a name .*; enter the name of a pattern as its custom data",
    ),
    "outside": (
        lambda document: layers_of(document)[0]["gridTiles"][0].update(px=[-8, 0]),
        "has a tile at column -",
    ),
    "no position": (
        lambda document: layers_of(document)[0]["gridTiles"][0].update(px=None),
        "is not a tile; expected",
    ),
    "odd flip": (
        lambda document: layers_of(document)[0]["gridTiles"][0].update(f=4),
        "is not a tile; expected",
    ),
    "no grid": (lambda document: layers_of(document)[0].update(__gridSize=0), "is not a whole number from 1"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_damaged_projects_are_refused_with_the_place(damage, message, path):
    on(wf.SquareGrid(3, 2)).save(path)
    edit(path, damage)
    with pytest.raises(wf.FormatError, match=message):
        read(path, TILES["square"])


def test_another_layer_is_read_by_its_name(path):
    solution = on(wf.SquareGrid(3, 2))
    solution.save(path)
    edit(path, lambda document: layers_of(document)[0].update(__identifier="Ground"))
    assert (read(path, TILES["square"], layer="Ground").patterns == solution.patterns).all()
    with pytest.raises(wf.FormatError, match="has no tile layer 'Grund'; did you mean 'Ground'"):
        read(path, TILES["square"], layer="Grund")
