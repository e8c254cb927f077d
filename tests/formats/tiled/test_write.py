"""Maps for Tiled and back: what the files say, and what an edit in Tiled may do."""

import json

import numpy as np
import pytest
from map_solutions import ART, HEXES, LATTICES, TILES, anything, on, read
from PIL import Image

import wavefold as wf
from support import draw_patterns
from wavefold.formats import pattern_sheet
from wavefold.formats.tiled.map import make_chart

LEFT_RIGHT, TOP_BOTTOM, DIAGONAL, TURN = 0x80000000, 0x40000000, 0x20000000, 0x10000000


def saved(folder, solution, **options):
    """The map as JSON, and the function that writes it back after a change."""
    path = folder / "map.tmj"
    solution.save(path, **options)
    document = json.loads(path.read_text("utf-8"))
    return document, lambda: path.write_text(json.dumps(document))


# --- what is written --------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["tmx", "tmj"])
def test_three_files_appear_and_none_of_them_is_the_picture_of_the_map(tmp_path, ending):
    solution = on(LATTICES["square"])
    solution.save(tmp_path / "map.png")
    before = (tmp_path / "map.png").read_bytes()
    solution.save(tmp_path / f"map.{ending}")
    tileset = f"map-tiles.ts{ending[-1]}"
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        ["map.png", f"map.{ending}", tileset, "map-tiles.png"]
    )
    assert (tmp_path / "map.png").read_bytes() == before


def test_the_tile_set_names_every_pattern(tmp_path):
    on(LATTICES["square"]).save(tmp_path / "map.tmj")
    found = json.loads((tmp_path / "map-tiles.tsj").read_text("utf-8"))
    rules = TILES["square"].rules
    assert found["tilecount"] == len(found["tiles"]) == len(rules)
    for number, tile in enumerate(found["tiles"]):
        assert tile["id"] == number
        assert tile["type"] == rules.tiles[rules.tile_of[number]]
        assert tile["probability"] == rules.weights[number]
        assert tile["properties"] == [{"name": "pattern", "type": "string", "value": rules.names[number]}]


def test_tiles_are_drawn_as_they_appear(tmp_path):
    solution = on(LATTICES["square"])
    solution.save(tmp_path / "map.tmj")
    found = json.loads((tmp_path / "map-tiles.tsj").read_text("utf-8"))
    assert (found["tilewidth"], found["tileheight"]) == ART.shape[:2]
    sheet = np.asarray(Image.open(tmp_path / "map-tiles.png"))
    picture = np.asarray(solution.image())
    data = json.loads((tmp_path / "map.tmj").read_text("utf-8"))["layers"][0]["data"]
    for cell, tile in enumerate(data):
        row, column = divmod(tile - 1, found["columns"])
        x, y = LATTICES["square"].coordinate(cell)
        drawn = sheet[row * 6 : row * 6 + 6, column * 6 : column * 6 + 6]
        assert (drawn == picture[y * 6 : y * 6 + 6, x * 6 : x * 6 + 6]).all()


def test_the_map_remembers_what_it_was_made_with(tmp_path):
    document, _ = saved(tmp_path, on(LATTICES["wrapped"]))
    notes = {each["name"]: each["value"] for each in document["properties"]}
    assert notes["seed"] == "3"
    assert notes["tileset"] == "made up"
    assert notes["digest"] == TILES["square"].rules.digest
    assert notes["content_version"] == str(wf.CONTENT_VERSION)
    assert json.loads(notes["topology"]) == {
        "kind": "square",
        "width": 4,
        "height": 3,
        "wraps": [True, False],
    }


@pytest.mark.parametrize("place", HEXES.keys())
def test_hexagons_stand_where_their_neighbours_expect_them(place):
    """Stepping to a neighbour in Tiled's shifted rows is stepping in axial coordinates."""
    topology = HEXES[place]
    chart = make_chart(topology)
    flat = topology.layout == "flat"
    cells = chart.cells[0].T if flat else chart.cells[0]  # [line, place]: flat hexagons shift columns
    shifted = chart.stagger == "odd"
    middle = {}
    for line, row in enumerate(cells):
        for place_in_line, cell in enumerate(row):
            if cell >= 0:
                middle[int(cell)] = (2 * place_in_line + (line % 2 == shifted), line)
    assert len(middle) == topology.cell_count
    for cell, (along, line) in middle.items():
        q, r = topology.coordinate(cell)
        expected = (2 * r + q, q) if flat else (2 * q + r, r)
        first_q, first_r = topology.coordinate(0)
        start = (2 * first_r + first_q, first_q) if flat else (2 * first_q + first_r, first_r)
        assert (along - middle[0][0], line - middle[0][1]) == (
            expected[0] - start[0],
            expected[1] - start[1],
        )
    q, r = chart.origin
    corner = cells[0, 0]
    assert corner < 0 or topology.coordinate(int(corner)) == (q, r)


@pytest.mark.parametrize("size", [7, 8, 11, 30, 31])
@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_hexagons_have_sizes_that_tiled_does_not_round(tmp_path, layout, size):
    document, _ = saved(tmp_path, on(wf.HexGrid(1, layout)), tile_size=size)
    width, height, side = (document[name] for name in ("tilewidth", "tileheight", "hexsidelength"))
    assert document["staggeraxis"] == ("x" if layout == "flat" else "y")
    assert width % 2 == height % 2 == 0
    assert ((width if layout == "flat" else height) - side) % 2 == 0
    assert 0 <= side < max(width, height)


def test_layers_of_cubes_are_layers(tmp_path):
    document, _ = saved(tmp_path, on(wf.CubeGrid(3, 4, 2)))
    assert [layer["name"] for layer in document["layers"]] == ["map 0", "map 1"]
    assert [layer["properties"][0]["value"] for layer in document["layers"]] == ["0", "1"]


def test_only_tiles_that_stand_in_the_map_if_asked_for(tmp_path):
    problem = wf.Problem(TILES["square"], wf.SquareGrid(2, 1))
    solution = wf.Solution(problem, np.array([9, 3]), wf.Statistics(), 0)
    for unused, count in ((True, 11), (False, 2), (None, 11)):
        solution.save(tmp_path / "map.tmj", unused=unused)
        assert json.loads((tmp_path / "map-tiles.tsj").read_text())["tilecount"] == count
        assert read(tmp_path / "map.tmj", TILES["square"]).patterns.tolist() == [9, 3]
    with pytest.raises(wf.ConfigError, match="unused must be True or False"):
        solution.save(tmp_path / "map.tmj", unused="yes")


def test_large_sets_show_only_tiles_that_stand_in_the_map(tmp_path, monkeypatch):
    monkeypatch.setattr(pattern_sheet, "MOST_DRAWN_BY_DEFAULT", 5)
    solution = anything(TILES["square"], wf.SquareGrid(1, 1))
    solution.save(tmp_path / "map.tmj")
    assert json.loads((tmp_path / "map-tiles.tsj").read_text())["tilecount"] == 1


def test_sizes_that_make_no_sense_are_refused(tmp_path):
    for size in (0, 2.5, 5000):
        with pytest.raises(wf.ConfigError, match=r"tile_size|too large a sheet"):
            on(LATTICES["square"]).save(tmp_path / "map.tmx", tile_size=size)
    with pytest.raises(wf.ConfigError, match="must not contain ':'"):
        on(LATTICES["square"]).save(tmp_path / "c:map.tmx")
    assert list(tmp_path.iterdir()) == []


def test_names_that_xml_cannot_hold_are_refused(tmp_path):
    solution = anything(wf.TileSet([wf.Tile("bell \a")]), wf.SquareGrid(2, 2))
    with pytest.raises(wf.ConfigError, match=r"XML cannot hold the name 'bell \\x07'; save the map as \.tmj"):
        solution.save(tmp_path / "map.tmx")
    solution.save(tmp_path / "map.tmj")
    assert (read(tmp_path / "map.tmj", solution.problem.tiles).patterns == 0).all()


def test_a_tile_set_can_be_learned_from_the_map(tmp_path):
    on(LATTICES["square"]).save(tmp_path / "map.tmx")
    assert wf.TileSet.load(tmp_path / "map.tmx").topology == "square"


# --- all or nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize("failing", [0, 1, 2, 3, 4, 5])
def test_when_writing_fails_everything_is_as_before(tmp_path, monkeypatch, failing):
    """Three files are written and three are renamed; whichever step fails, nothing of it remains."""
    from wavefold.storage import files

    calls = []
    write, replace = files.Path.write_bytes, files.os.replace

    def count(action):
        def counted(*arguments):
            name = str(arguments[0])
            if name.endswith(".part"):
                calls.append(name)
                if len(calls) == failing + 1:
                    raise OSError(28, "No space left on device")
            return action(*arguments)

        return counted

    (tmp_path / "map-tiles.tsx").write_text("mine")
    (tmp_path / "map.tmx").write_text("also mine")
    monkeypatch.setattr(files.Path, "write_bytes", count(write))
    monkeypatch.setattr(files.os, "replace", count(replace))
    with pytest.raises(wf.ConfigError, match="no space left on device"):
        on(LATTICES["square"]).save(tmp_path / "map.tmx")
    found = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert found == {"map-tiles.tsx": "mine", "map.tmx": "also mine"}


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_written(tmp_path):
    (tmp_path / "map-tiles.png").mkdir()
    with pytest.raises(wf.ConfigError, match=r"map-tiles\.png': it is a folder"):
        on(LATTICES["square"]).save(tmp_path / "map.tmx")
    assert [file.name for file in tmp_path.iterdir()] == ["map-tiles.png"]


def test_long_names_do_not_get_in_each_others_way(tmp_path):
    solution = on(LATTICES["square"])
    solution.save(tmp_path / f"{'long' * 40}.tmx")
    assert len(list(tmp_path.iterdir())) == 3
    assert (read(tmp_path / f"{'long' * 40}.tmx", TILES["square"]).patterns == solution.patterns).all()


# --- what comes back --------------------------------------------------------------------------------


def test_erased_cells_are_unknown(tmp_path):
    solution = on(LATTICES["square"])
    document, write = saved(tmp_path, solution)
    document["layers"][0]["data"][7] = 0
    write()
    drawn = read(tmp_path / "map.tmj", TILES["square"])
    assert drawn.patterns[7] == -1
    assert drawn.differences(solution) == [(2, 1)]


def expected_turn(pattern, flags, topology):
    """Which name a flipped tile has, worked out from pictures: turn the pixels, and look who looks so."""
    tiles = TILES[topology]
    pictures = dict(zip(tiles.rules.names, draw_patterns(tiles, 6), strict=True))
    picture = pictures[pattern]
    if flags & DIAGONAL:
        picture = picture.swapaxes(0, 1)
    if flags & LEFT_RIGHT:
        picture = picture[:, ::-1]
    if flags & TOP_BOTTOM:
        picture = picture[::-1]
    return {name for name, each in pictures.items() if (each == picture).all()}


@pytest.mark.parametrize("flags", range(8))
def test_flips_by_hand_mean_the_pattern_that_looks_so(tmp_path, flags):
    flags = sum(flag for bit, flag in enumerate((LEFT_RIGHT, TOP_BOTTOM, DIAGONAL)) if flags >> bit & 1)
    document, write = saved(tmp_path, on(wf.SquareGrid(8, 1)))
    document["layers"][0]["data"] = [(number + 1) | flags for number in range(8)]
    write()
    names = read(tmp_path / "map.tmj", TILES["square"]).names
    for number, name in enumerate(names):
        assert {name} == expected_turn(TILES["square"].rules.names[number], flags, "square")


@pytest.mark.parametrize(
    ("layout", "flags", "name"),
    [
        ("pointy", LEFT_RIGHT, "f@m"),
        ("pointy", TOP_BOTTOM, "f@m180"),
        ("pointy", DIAGONAL, "f@60"),
        ("pointy", TURN, "f@120"),
        ("pointy", DIAGONAL | TURN, "f@180"),
        ("pointy", LEFT_RIGHT | TOP_BOTTOM, "f@180"),
        ("pointy", LEFT_RIGHT | DIAGONAL, "f@m60"),
        ("flat", LEFT_RIGHT, "f@m300"),
        ("flat", TOP_BOTTOM, "f@m120"),
        ("flat", LEFT_RIGHT | TOP_BOTTOM, "f@180"),
        ("flat", TURN, "f@120"),
    ],
)
def test_flips_of_hexagons(tmp_path, layout, flags, name):
    """Tiled itself shows these patterns so: see test_map_in_tiled.py."""
    tiles = wf.TileSet([wf.Tile("f", ("a",) * 6, symmetry="F")], "hex")
    problem = wf.Problem(tiles, wf.HexGrid(0, layout))
    document, write = saved(tmp_path, wf.Solution(problem, np.array([0]), wf.Statistics(), 0))
    document["layers"][0]["data"][0] |= flags
    write()
    assert read(tmp_path / "map.tmj", tiles).names == [name]


def test_flips_keep_the_level(tmp_path):
    tiles = wf.TileSet([wf.Tile("hill", ("a",) * 4, symmetry="turned", levels=3)])
    problem = wf.Problem(tiles, wf.SquareGrid(1, 1))
    raised = tiles.rules.names.index("hill@l2")
    document, write = saved(tmp_path, wf.Solution(problem, np.array([raised]), wf.Statistics(), 0))
    document["layers"][0]["data"][0] |= DIAGONAL | LEFT_RIGHT  # a quarter turn clockwise
    write()
    assert read(tmp_path / "map.tmj", tiles).names == ["hill@r1l2"]


def test_flips_that_no_pattern_shows_are_refused_with_the_cell(tmp_path):
    tiles = wf.TileSet([wf.Tile("f", ("a",) * 4, symmetry="turned")])
    document, write = saved(tmp_path, anything(tiles, wf.SquareGrid(3, 2)))
    document["layers"][0]["data"][4] |= LEFT_RIGHT
    write()
    with pytest.raises(
        wf.FormatError, match=r"column 1, row 1: 'f.*' was flipped or turned \(m\).*4 orientations"
    ):
        read(tmp_path / "map.tmj", tiles)
    with pytest.raises(wf.FormatError, match="bare rules have no orientations"):
        read(tmp_path / "map.tmj", tiles.rules)


def test_a_square_map_may_be_resized_and_moved(tmp_path):
    solution = on(LATTICES["wrapped"])
    document, write = saved(tmp_path, solution)
    layer = document["layers"][0]
    old = np.array(layer["data"]).reshape(3, 4)
    new = np.zeros((5, 6), int)
    new[2:, 1:5] = old
    layer |= {"width": 6, "height": 5, "data": new.ravel().tolist()}
    document |= {"width": 6, "height": 5}
    write()
    drawn = read(tmp_path / "map.tmj", TILES["square"])
    assert drawn.topology == wf.SquareGrid(6, 5, wraps=(True, False))
    assert (drawn.array[2:, 1:5] == solution.array).all()
    assert (drawn.array >= 0).sum() == 12
    with pytest.raises(wf.ConfigError, match="only maps with the same cells can be compared"):
        drawn.differences(solution)


@pytest.mark.parametrize("place", ["rectangle", "flat rectangle", "cubes"])
def test_full_grids_may_be_cut(tmp_path, place):
    topology = LATTICES[place]
    solution = on(topology)
    document, write = saved(tmp_path, solution)
    width, height = document["width"], document["height"]
    document["height"] = 2
    for layer in document["layers"]:
        layer |= {"height": 2, "data": layer["data"][: 2 * width]}
    write()
    drawn = read(tmp_path / "map.tmj", TILES[topology.kind])
    assert drawn.topology.height == 2 < height
    for cell, number in enumerate(drawn.patterns.tolist()):
        assert number == solution.patterns[topology.cell_at(drawn.topology.coordinate(cell))]


@pytest.mark.parametrize("place", ["disk", "rhombus", "holes", "hex holes", "cube holes"])
def test_other_forms_must_keep_their_size(tmp_path, place):
    document, write = saved(tmp_path, on(LATTICES[place]))
    document["height"] += 1
    for layer in document["layers"]:
        layer["height"] += 1
        layer["data"] += [0] * document["width"]
    write()
    with pytest.raises(
        wf.FormatError, match=r"but its property 'topology' is .*; restore the size, or remove the prop"
    ):
        read(tmp_path / "map.tmj", TILES[LATTICES[place].kind])


def test_nothing_may_stand_outside_of_the_map(tmp_path):
    document, write = saved(tmp_path, on(LATTICES["holes"]))
    document["layers"][0]["data"][4] = 1
    write()
    with pytest.raises(
        wf.FormatError, match="has a tile at column 1, row 1, where the map has no cell; erase"
    ):
        read(tmp_path / "map.tmj", TILES["square"])


def test_layers_may_be_added_hidden_and_chosen(tmp_path):
    solution = on(LATTICES["square"])
    document, write = saved(tmp_path, solution)
    ground = document["layers"][0]
    other = ground | {"name": "sketch", "id": 2, "data": [1] * 20}
    objects = {"type": "objectgroup", "name": "notes", "objects": []}
    document["layers"] = [objects, {"type": "group", "name": "all", "layers": [ground, other]}]
    write()
    assert (read(tmp_path / "map.tmj", TILES["square"]).patterns == solution.patterns).all()
    assert (read(tmp_path / "map.tmj", TILES["square"], layer="sketch").patterns == 0).all()
    with pytest.raises(wf.FormatError, match="has no tile layers 'skech'; did you mean 'sketch'"):
        read(tmp_path / "map.tmj", TILES["square"], layer="skech")
    ground["visible"] = other["visible"] = False
    write()
    with pytest.raises(wf.FormatError, match="has no visible tile layer"):
        read(tmp_path / "map.tmj", TILES["square"])


def test_layers_of_cubes_are_known_by_their_number(tmp_path):
    solution = on(LATTICES["cubes"])
    document, write = saved(tmp_path, solution)
    document["layers"].reverse()
    document["layers"].insert(0, document["layers"][0] | {"name": "sketch", "properties": []})
    write()
    assert (read(tmp_path / "map.tmj", TILES["cube"]).patterns == solution.patterns).all()
    with pytest.raises(wf.FormatError, match="whose layers are all read; leave out layer='map 1'"):
        read(tmp_path / "map.tmj", TILES["cube"], layer="map 1")
    document["layers"][0]["properties"] = [{"name": "z", "type": "string", "value": "0"}]
    write()
    with pytest.raises(wf.FormatError, match="has the property z = '0' of another layer"):
        read(tmp_path / "map.tmj", TILES["cube"])
    del document["layers"][0], document["layers"][0]
    write()
    with pytest.raises(wf.FormatError, match="needs 2 tile layers with the property z from 0 to 1; found 0"):
        read(tmp_path / "map.tmj", TILES["cube"])


def foreign(folder, **fields):
    """A map that somebody drew in Tiled, with tiles called by their class."""
    tiles = [{"id": 0, "type": "grass"}, {"id": 1, "type": "road"}, {"id": 2}]
    tileset = {"firstgid": 1, "name": "land", "tilewidth": 8, "tileheight": 8, "tilecount": 3, "tiles": tiles}
    layer = {"type": "tilelayer", "name": "a", "width": 3, "height": 2, "data": [1, 0, 2, 1, 1, 2 | DIAGONAL]}
    document = {"type": "map", "orientation": "orthogonal", "width": 3, "height": 2, "infinite": False}
    document |= {"tilesets": [tileset], "layers": [layer]} | fields
    (folder / "drawn.tmj").write_text(json.dumps(document))
    return folder / "drawn.tmj"


LAND = wf.TileSet([wf.Tile("grass", ("g",) * 4), wf.Tile("road", ("r", "g", "r", "g"), symmetry="I")])
HEX_LAND = wf.TileSet([wf.Tile(name, ("g",) * 6, symmetry="turned") for name in ("grass", "road")], "hex")


def test_a_map_drawn_in_tiled_from_the_start(tmp_path):
    drawn = read(foreign(tmp_path), LAND)
    assert drawn.topology == wf.SquareGrid(3, 2)
    assert drawn.names == ["grass", None, "road", "grass", "grass", "road@270"]
    assert drawn.pins[2, 0] == "road@0"
    assert drawn.seed is None
    with pytest.raises(wf.TileSetError, match=r"names no tile set; pass the tiles"):
        read(foreign(tmp_path))


def test_hexagons_drawn_in_tiled_from_the_start(tmp_path):
    for axis, layout in (("x", "flat"), ("y", "pointy")):
        path = foreign(tmp_path, orientation="hexagonal", staggeraxis=axis, staggerindex="odd")
        drawn = read(path, HEX_LAND)
        assert drawn.topology == wf.HexGrid.rectangle(3, 2, layout)
        assert drawn.names.count("road@60") == 1
    with pytest.raises(wf.FormatError, match="set Stagger Index to odd"):
        read(foreign(tmp_path, orientation="hexagonal", staggeraxis="y", staggerindex="even"), HEX_LAND)


FOREIGN = {
    "isometric": ({"orientation": "isometric"}, "is isometric; only orthogonal and hexagonal"),
    "infinite": (
        {"infinite": True, "layers": [{"type": "tilelayer", "name": "a", "chunks": []}]},
        "has no tiles",
    ),
    "even": (
        {"infinite": True, "orientation": "hexagonal", "staggeraxis": "y", "staggerindex": "even"},
        "set Stagger Index to odd",
    ),
    "endless hexes": (
        {
            "infinite": True,
            "properties": [
                {
                    "name": "topology",
                    "value": '{"kind": "hex", "form": "disk", "radius": 2, "layout": "flat"}',
                }
            ],
        },
        "is orthogonal, but its property 'topology' is HexGrid",
    ),
    "endless graph": (
        {
            "infinite": True,
            "properties": [{"name": "topology", "value": '{"kind": "graph", "cells": [1], "edges": []}'}],
        },
        "does not fit: Tiled supports square",
    ),
    "axis": ({"orientation": "hexagonal", "staggeraxis": "z"}, "'z' is not x or y"),
    "huge": ({"width": 1 << 20, "height": 1 << 20}, "cells; at most"),
    "sizes": ({"width": 2}, "has 3 x 2 cells, but the map 2 x 2"),
    "no set": ({"tilesets": []}, "has a tile 1 at column 0, row 0, which is in no tile set of the map"),
    "nameless": (
        {"layers": [{"type": "tilelayer", "name": "a", "width": 3, "height": 2, "data": [3] * 6}]},
        "a tile 3 without a name at column 0, row 0; in its tile set, set its class",
    ),
    "unknown": (
        {"layers": [{"type": "tilelayer", "name": "a", "width": 3, "height": 2, "data": [9] * 6}]},
        "a tile 9 without a name at column 0, row 0",
    ),
    "sets": ({"tilesets": [{"firstgid": 1}, {"firstgid": 1}]}, "is one too many"),
    "outside": (
        {"tilesets": [{"firstgid": 1, "source": "/etc/passwd"}]},
        "a path of a tile set relative to",
    ),
    "gone": ({"tilesets": [{"firstgid": 1, "source": "gone.tsx"}]}, "which does not exist"),
    "no layer": ({"layers": []}, "has no visible tile layer"),
    "seed": ({"properties": [{"name": "seed", "value": "x"}]}, "seed = 'x', which is not a whole number"),
    "note": (
        {"properties": [{"name": "topology", "value": "{}"}]},
        "property 'topology': topology needs a key 'kind'",
    ),
    "no note": ({"properties": [{"name": "topology", "value": "!"}]}, "not valid JSON"),
    "graph": (
        {"properties": [{"name": "topology", "value": '{"kind": "graph", "cells": [1], "edges": []}'}]},
        "does not fit: Tiled supports square",
    ),
    "huge note": (
        {"properties": [{"name": "topology", "value": '{"kind": "square", "width": 4000, "height": 4000}'}]},
        "property 'topology': it has room for 16,000,000",
    ),
    "deep cubes": (
        {
            "properties": [
                {"name": "topology", "value": '{"kind": "cube", "width": 1, "height": 1, "depth": 4000000}'}
            ]
        },
        "cells; at most",
    ),
}


@pytest.mark.parametrize(("fields", "message"), FOREIGN.values(), ids=FOREIGN.keys())
def test_maps_that_cannot_be_read_are_refused(tmp_path, fields, message):
    with pytest.raises(wf.FormatError, match=message) as caught:
        read(foreign(tmp_path, **fields), LAND)
    assert "drawn.tmj" in str(caught.value)


def test_a_name_that_means_several_patterns_is_refused(tmp_path):
    tiles = wf.TileSet([wf.Tile("grass", symmetry=("90", "180")), wf.Tile("road", symmetry="turned")])
    with pytest.raises(wf.FormatError, match="'grass' may be any of grass@90, grass@180"):
        read(foreign(tmp_path), tiles)
