"""Infinite maps of Tiled: parts of a world at their places in it, and one tile set for many maps."""

import base64
import gzip
import json
import zlib
from itertools import pairwise

import numpy as np
import pytest
from map_solutions import HEXES, LATTICES, TILES, on, read

import wavefold as wf
from support import PIPES
from wavefold.formats import read_tiled_sample, write_tiled_tiles
from wavefold.formats.tiled.map import make_chart
from wavefold.formats.tiled.read import describe_extras
from wavefold.plugins.map_formats import check_writing

ORIGINS = {
    "square": (-3, 37),
    "wrapped": (15, -16),
    "holes": (-1000, 5),
    "rhombus": (-3, -5),
    "flat rhombus": (4, 7),
    "disk": (2, 3),
    "flat disk": (-7, 1),
    "rectangle": (0, 1),
    "cubes": (-1, 2, 0),
}
SIDE = 16


def part(place, origin=None):
    solution = on(LATTICES[place])
    solution.origin = origin or ORIGINS[place]
    return solution


def saved(folder, solution, **options):
    """The map as JSON, and the function that writes it back after a change."""
    path = folder / "map.tmj"
    solution.save(path, **options)
    document = json.loads(path.read_text("utf-8"))
    return document, lambda: path.write_text(json.dumps(document))


# --- what is written --------------------------------------------------------------------------------


def test_chunks_hold_the_cells_at_their_places_in_the_world(tmp_path):
    solution = part("square")
    document, _ = saved(tmp_path, solution)
    (layer,) = document["layers"]
    assert document["infinite"] is True
    assert "data" not in layer
    assert (layer["startx"], layer["starty"], layer["width"], layer["height"]) == (-16, 32, 32, 16)
    found = {}
    for chunk in layer["chunks"]:
        assert chunk["x"] % SIDE == chunk["y"] % SIDE == 0
        assert (chunk["width"], chunk["height"]) == (SIDE, SIDE)
        for number, tile in enumerate(chunk["data"]):
            if tile:
                found[chunk["x"] + number % SIDE, chunk["y"] + number // SIDE] = tile - 1
    expected = {(-3 + x, 37 + y): int(solution.array[y, x]) for y in range(4) for x in range(5)}
    assert found == expected


def test_chunks_without_a_tile_are_left_out(tmp_path):
    hexes = wf.HexGrid.rhombus(4, 200)
    solution = wf.Solution(
        wf.Problem(TILES["hex"], hexes), np.zeros(800, np.int64), wf.Statistics(), 0, (0, 0)
    )
    document, _ = saved(tmp_path, solution)
    layer = document["layers"][0]
    assert len(layer["chunks"]) < layer["width"] // SIDE * (layer["height"] // SIDE) // 2
    assert (read(tmp_path / "map.tmj", TILES["hex"]).patterns == 0).all()


@pytest.mark.parametrize("origin", [(0, 0), (3, 1), (-4, -3), (5, -8), (-1, 2)])
@pytest.mark.parametrize("place", HEXES.keys())
def test_hexagons_keep_their_stagger_wherever_the_map_begins(place, origin):
    """Odd rows (columns, if flat) are shifted by half: two hexagons that touch are one such step apart."""
    topology = HEXES[place]
    chart = make_chart(topology, origin)
    assert chart.stagger == "odd"
    middle = {}
    for row, line in enumerate(chart.cells[0]):
        for column, cell in enumerate(line):
            if cell >= 0:
                x, y = column + chart.corner[0], row + chart.corner[1]
                middle[int(cell)] = (x, 2 * y + x % 2) if topology.layout == "flat" else (2 * x + y % 2, y)
    for cell, (x, y) in middle.items():
        q, r = np.add(topology.coordinate(cell), origin).tolist()
        assert (x, y) == ((q, 2 * r + q) if topology.layout == "flat" else (2 * q + r, r))


def test_maps_are_infinite_or_not_as_requested(tmp_path):
    document, _ = saved(tmp_path, part("square"), infinite=False)
    assert document["infinite"] is False
    assert len(document["layers"][0]["data"]) == 20
    assert read(tmp_path / "map.tmj", TILES["square"]).origin == (-3, 37)
    document, _ = saved(tmp_path, on(LATTICES["square"]), infinite=True)
    assert document["infinite"] is True
    assert read(tmp_path / "map.tmj", TILES["square"]).origin == (0, 0)
    with pytest.raises(wf.ConfigError, match="infinite must be True or False"):
        on(LATTICES["square"]).save(tmp_path / "map.tmj", infinite="yes")


def test_what_is_too_far_away_for_tiled_is_refused_before_and_after(tmp_path):
    solution = part("square", (1 << 40, 0))
    with pytest.raises(wf.ConfigError, match="out of Tiled's range, which counts pixels with 32 bits"):
        solution.save(tmp_path / "map.tmx")
    with pytest.raises(wf.ConfigError, match="out of Tiled's range"):
        check_writing(solution.problem, tmp_path / "map.tmx", origin=solution.origin)
    assert list(tmp_path.iterdir()) == []
    solution.save(tmp_path / "map.tmx", infinite=False)
    assert read(tmp_path / "map.tmx", TILES["square"]).origin == (1 << 40, 0)


# --- what is read -----------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["tmx", "tmj"])
@pytest.mark.parametrize("place", ORIGINS)
def test_infinite_maps_come_back(tmp_path, place, ending):
    solution = part(place)
    solution.save(tmp_path / f"map.{ending}")
    drawn = read(tmp_path / f"map.{ending}", TILES[LATTICES[place].kind])
    assert drawn.topology == LATTICES[place]
    assert drawn.origin == ORIGINS[place]
    assert drawn.seed == solution.seed
    assert (drawn.patterns == solution.patterns).all()
    assert describe_extras(tmp_path / f"map.{ending}") == ""


def packed(numbers, compression):
    octets = np.array(numbers, "<u4").tobytes()
    press = {"zlib": zlib.compress, "gzip": gzip.compress, "": bytes}[compression]
    return base64.b64encode(press(octets)).decode()


@pytest.mark.parametrize("compression", ["", "zlib", "gzip"])
def test_chunks_may_be_packed(tmp_path, compression):
    solution = part("rhombus")
    document, write = saved(tmp_path, solution)
    layer = document["layers"][0]
    layer |= {"encoding": "base64", "compression": compression}
    for chunk in layer["chunks"]:
        chunk["data"] = packed(chunk["data"], compression)
    write()
    assert (read(tmp_path / "map.tmj", TILES["hex"]).patterns == solution.patterns).all()


def test_chunks_may_be_cut_otherwise(tmp_path):
    """Tiled lets people choose the size of chunks; theirs begin anywhere."""
    solution = part("square")
    document, write = saved(tmp_path, solution)
    tiles = solution.array + 1
    cuts = [0, 2, 5]
    document["layers"][0]["chunks"] = [
        {
            "x": -3 + left,
            "y": 37,
            "width": right - left,
            "height": 4,
            "data": tiles[:, left:right].ravel().tolist(),
        }
        for left, right in pairwise(cuts)
    ]
    write()
    drawn = read(tmp_path / "map.tmj", TILES["square"])
    assert (drawn.patterns == solution.patterns).all()


def test_painting_beyond_the_edge_makes_the_part_larger(tmp_path):
    solution = part("square")
    document, write = saved(tmp_path, solution)
    chunk = {"x": -64, "y": 48, "width": 1, "height": 1, "data": [3]}
    document["layers"][0]["chunks"].append(chunk)
    write()
    drawn = read(tmp_path / "map.tmj", TILES["square"])
    assert drawn.origin == (-64, 37)
    assert drawn.topology == wf.SquareGrid(66, 12)
    assert drawn.array[11, 0] == 2
    assert (drawn.array[:4, 61:] == solution.array).all()
    assert (drawn.patterns >= 0).sum() == 21


def test_erased_cells_tell_nothing_even_at_the_edge(tmp_path):
    document, write = saved(tmp_path, part("square"))
    for chunk in document["layers"][0]["chunks"]:
        if chunk["x"] == -16:
            chunk["data"] = [0] * 256
    write()
    drawn = read(tmp_path / "map.tmj", TILES["square"])
    assert drawn.topology == LATTICES["square"]
    assert (drawn.array[:, :3] == -1).all()
    assert (drawn.array[:, 3:] >= 0).all()
    document["layers"][0]["chunks"] = []
    write()
    assert (read(tmp_path / "map.tmj", TILES["square"]).patterns == -1).all()


@pytest.mark.parametrize("place", ["rhombus", "holes"])
def test_other_forms_have_no_cells_beyond_their_edge(tmp_path, place):
    document, write = saved(tmp_path, part(place))
    chunk = {"x": 500, "y": -7, "width": 1, "height": 1, "data": [1]}
    document["layers"][0]["chunks"].append(chunk)
    write()
    with pytest.raises(wf.FormatError, match=r"has a tile at column 500, row -7, where the map has no cell"):
        read(tmp_path / "map.tmj", TILES[LATTICES[place].kind])


def foreign(folder, **fields):
    """An infinite map that somebody drew in Tiled, with tiles called by their class."""
    tileset = {
        "firstgid": 1,
        "tilewidth": 8,
        "tileheight": 8,
        "tilecount": 1,
        "tiles": [{"id": 0, "type": "a"}],
    }
    chunks = [
        {"x": -4, "y": -3, "width": 2, "height": 2, "data": [0, 1, 1, 1]},
        {"x": 0, "y": 0, "width": 1, "height": 1, "data": [1]},
    ]
    layer = {"type": "tilelayer", "name": "a", "chunks": chunks}
    document = {"type": "map", "orientation": "orthogonal", "width": 30, "height": 20, "infinite": True}
    document |= {"tilesets": [tileset], "layers": [layer]} | fields
    (folder / "drawn.tmj").write_text(json.dumps(document))
    return folder / "drawn.tmj"


def test_a_map_drawn_from_the_start_is_the_box_around_what_is_drawn(tmp_path):
    drawn = read(foreign(tmp_path), wf.TileSet([wf.Tile("a")]))
    assert drawn.topology == wf.SquareGrid(5, 4)
    assert drawn.origin == (-4, -3)
    assert drawn.array.tolist() == [[-1, 0, -1, -1, -1], [0, 0, -1, -1, -1], [-1] * 5, [-1, -1, -1, -1, 0]]


@pytest.mark.parametrize("axis", ["x", "y"])
def test_hexagons_drawn_from_the_start_are_where_tiled_shows_them(tmp_path, axis):
    path = foreign(tmp_path, orientation="hexagonal", staggeraxis=axis, staggerindex="odd")
    drawn = read(path, wf.TileSet([wf.Tile("a")], "hex"))
    assert drawn.topology.layout == ("flat" if axis == "x" else "pointy")
    there = {tuple(np.add(place, drawn.origin).tolist()) for place in drawn.pins}
    places = [(-3, -3), (-4, -2), (-3, -2), (0, 0)]  # column, row
    axial = {(x, y - x // 2) if axis == "x" else (x - y // 2, y) for x, y in places}
    assert there == axial


def test_an_empty_layer_of_an_infinite_map_has_no_chunks(tmp_path):
    part("square").save(tmp_path / "map.tmx")
    text = (tmp_path / "map.tmx").read_text()
    start, end = text.index("<chunk"), text.rindex("</chunk>") + len("</chunk>")
    (tmp_path / "map.tmx").write_text(text[:start] + text[end:])
    assert (read(tmp_path / "map.tmx", TILES["square"]).patterns == -1).all()


def test_a_world_is_a_sample_as_well(tmp_path):
    solution = part("square")
    solution.save(tmp_path / "map.tmx")
    rows = read_tiled_sample(tmp_path / "map.tmx")
    assert (len(rows), len(rows[0])) == (4, 5)


@pytest.mark.parametrize("origin", ["[1]", "here", "[1, x]", "[1, 2, 3]", "[1, 2", "[9999999999999999, 0]"])
def test_origins_that_are_none_are_refused(tmp_path, origin):
    for infinite in (True, False):
        document, write = saved(tmp_path, part("square"), infinite=infinite)
        for each in document["properties"]:
            if each["name"] == "origin":
                each["value"] = origin
        write()
        with pytest.raises(wf.FormatError, match="origin"):
            read(tmp_path / "map.tmj", TILES["square"])


# --- one tile set for many maps ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["j", "x"])
def test_maps_share_one_tile_set(tmp_path, kind):
    (tmp_path / "maps").mkdir()
    world = on(wf.SquareGrid(8, 4))
    tiles = write_tiled_tiles(world, tmp_path / f"land.ts{kind}")
    for x in range(2):
        half = wf.Solution(
            wf.Problem(TILES["square"], wf.SquareGrid(4, 4)),
            world.array[:, 4 * x : 4 * x + 4].ravel(),
            wf.Statistics(),
            0,
            (4 * x, 0),
        )
        path = tmp_path / "maps" / f"{x}.tm{kind}"
        half.save(path, tiles=tiles)
        assert f"../land.ts{kind}" in path.read_text()
        assert (read(path, TILES["square"]).patterns == half.patterns).all()
    assert sorted(file.name for file in (tmp_path / "maps").iterdir()) == [f"0.tm{kind}", f"1.tm{kind}"]
    assert {file.name for file in tmp_path.iterdir()} == {"maps", f"land.ts{kind}", "land.png"}


def test_shared_tiles_must_be_those_of_the_map(tmp_path):
    problem = wf.Problem(TILES["square"], wf.SquareGrid(1, 1))
    one, other = (wf.Solution(problem, np.array([each]), wf.Statistics()) for each in (0, 1))
    tiles = write_tiled_tiles(one, tmp_path / "land.tsj", unused=False)
    with pytest.raises(wf.ConfigError, match=r"lacks .*; write it with unused=True"):
        other.save(tmp_path / "map.tmj", tiles=tiles)
    with pytest.raises(wf.ConfigError, match="written for other rules"):
        on(LATTICES["disk"]).save(tmp_path / "map.tmj", tiles=tiles)


# --- what a map of Tiled has besides its cells ----------------------------------------------------


@pytest.fixture(
    params=[(PIPES, wf.SquareGrid(3, 3)), ("blocks", wf.CubeGrid(2, 2, 2))], ids=["flat", "stacked"]
)
def level(request, tmp_path):
    """A map for Tiled, as JSON."""
    tiles, grid = request.param
    tiles = wf.TileSet.load(tiles) if isinstance(tiles, str) else tiles
    wf.generate(tiles, grid).save(tmp_path / "map.tmj")
    return tmp_path / "map.tmj"


def changed(path, change):
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    return describe_extras(path)


def test_a_map_of_ours_is_nothing_but_a_map(level):
    assert describe_extras(level) == ""
    level.rename(level.with_name("other.tmj"))
    assert describe_extras(level.with_name("other.tmj")) == ""


def test_layers_properties_and_tile_sets_are_counted(level):
    def change(data):
        people = {"type": "objectgroup", "id": 8, "name": "people", "objects": []}
        sky = {"type": "imagelayer", "id": 9, "name": "sky", "image": ""}
        data["layers"] += [people, {"type": "group", "id": 7, "name": "all", "layers": [sky, people]}]
        data["properties"] += [{"name": "music", "type": "string", "value": "x"}]
        data["layers"][0].setdefault("properties", []).append({"name": "fog", "type": "bool", "value": True})
        data["tilesets"].append({"firstgid": 5000, "source": "lost.tsj"})

    found = changed(level, change)
    assert found == "2 object layers, 1 group of layers, 1 image layer, 2 properties, 1 tile set of its own"


def test_another_tile_layer_is_counted(level):
    def change(data):
        roof = {**data["layers"][0], "id": 9, "name": "roof"}
        roof.pop("properties", None)
        data["layers"].append(roof)

    assert changed(level, change) == "1 other tile layer"
