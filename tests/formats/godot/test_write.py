"""Maps for Godot: what the engine would draw from the files, worked out from its documented rules."""

import re
import struct
from base64 import b64decode

import numpy as np
import pytest
from map_solutions import ART, CUBES, GRAPH, HEXES, SQUARES, TILES, anything, on, undecide_half
from PIL import Image

import wavefold as wf
from wavefold.plugins.map_formats import check_writing
from wavefold.render.hexes import HexRaster
from wavefold.storage import files

FLIP_H, FLIP_V, TRANSPOSE = 4096, 8192, 16384


@pytest.fixture
def path(tmp_path):
    return tmp_path / "map.tscn"


def text_of(path):
    return path.read_text("utf-8")


def tileset_of(path):
    return text_of(path.with_name(f"{path.stem}-tileset.tres"))


def cells_of(path):
    """{(x, y): (source, column, row, alternative)}, decoded record by record."""
    (text,) = re.findall(r'^tile_map_data = PackedByteArray\("([A-Za-z0-9+/=]*)"\)$', text_of(path), re.M)
    data = b64decode(text, validate=True)
    if not data:
        return {}
    assert struct.unpack_from("<H", data) == (0,)  # the format
    assert (len(data) - 2) % 12 == 0
    found = {}
    for start in range(2, len(data), 12):
        x, y, *rest = struct.unpack_from("<hhHHHH", data, start)
        assert (x, y) not in found
        found[x, y] = tuple(rest)
    return found


def custom_data(path, layer):
    """{(column, row): text}: the custom data of each tile."""
    lines = re.findall(rf'^(\d+):(\d+)/0/custom_data_{layer} = "((?:[^"\\]|\\.)*)"$', tileset_of(path), re.M)
    return {(int(x), int(y)): re.sub(r"\\(.)", r"\1", text) for x, y, text in lines}


def field(path, name):
    found = re.findall(rf"^{name} = (.*)$", tileset_of(path), re.M)
    return found[0] if found else None


def size_of(path):
    return tuple(map(int, re.findall(r"\d+", field(path, "tile_size").removeprefix("Vector2i"))))


def drawn_tile(path, cell):
    """The pixels the engine shows in a cell: swapped first, then flipped."""
    source, column, row, alternative = cell
    assert (source, alternative & 0x8FFF) == (0, 0)
    width, height = size_of(path)
    sheet = np.asarray(Image.open(path.with_name(f"{path.stem}-atlas.png")).convert("RGBA"))
    pixels = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
    if alternative & TRANSPOSE:
        pixels = pixels.transpose(1, 0, 2)
    if alternative & FLIP_H:
        pixels = pixels[:, ::-1]
    return pixels[::-1] if alternative & FLIP_V else pixels


def middle_of(path, x, y):
    """Where the engine draws the middle of a cell, in pixels: its rule for each layout."""
    width, height = size_of(path)
    if field(path, "tile_shape") is None:
        return (x + 0.5) * width, (y + 0.5) * height
    assert field(path, "tile_shape") == "3"
    layout, axis = field(path, "tile_layout"), field(path, "tile_offset_axis")
    if (layout, axis) == ("2", "0"):  # stairs right, shifted horizontally
        return (x + y / 2 + 0.5) * width, (y * 0.75 + 0.5) * height
    assert (layout, axis) == ("3", "1")  # stairs down, shifted vertically
    return (x * 0.75 + 0.5) * width, (y + x / 2 + 0.5) * height


# --- what the engine shows ------------------------------------------------------------------------


@pytest.mark.parametrize("grid", SQUARES.values(), ids=SQUARES)
def test_the_scene_looks_like_the_picture_of_the_map(grid, path):
    solution = on(grid)
    solution.save(path, tile_size=6)
    shown = np.zeros((grid.height * 6, grid.width * 6, 4), np.uint8)
    for (x, y), cell in cells_of(path).items():
        shown[y * 6 : y * 6 + 6, x * 6 : x * 6 + 6] = drawn_tile(path, cell)
    assert (shown == np.asarray(solution.image(tile_size=6).convert("RGBA"))).all()


def test_a_turned_or_mirrored_tile_is_in_the_atlas_once(path):
    tiles = wf.TileSet([wf.Tile("arrow", ("a",) * 4, symmetry="F", picture=ART)])
    solution = anything(tiles, wf.SquareGrid(8, 8))
    solution.save(path)
    cells = cells_of(path)
    assert {cell[:3] for cell in cells.values()} == {(0, 0, 0)}
    assert {cell[3] for cell in cells.values()} == set(range(0, 0x8000, 0x1000))
    assert custom_data(path, 0) == {(0, 0): "arrow"}


def test_a_quarter_turn_clockwise_is_swapped_and_flipped_left_to_right(path):
    tiles = wf.TileSet([wf.Tile("arrow", ("a",) * 4, symmetry="turned", picture=ART)])
    solution = anything(tiles, wf.SquareGrid(4, 1))
    solution.patterns[:] = range(4)
    solution.save(path)
    turns = [alternative for _, _, _, alternative in cells_of(path).values()]
    assert turns == [0, TRANSPOSE | FLIP_H, FLIP_H | FLIP_V, TRANSPOSE | FLIP_V]


def test_patterns_with_pictures_of_their_own_get_tiles_of_their_own(path):
    pictures = tuple(np.full((4, 4, 3), shade, np.uint8) for shade in (10, 20, 30, 40))
    tiles = wf.TileSet([wf.Tile("lamp", ("a",) * 4, symmetry="turned", picture=pictures)])
    solution = anything(tiles, wf.SquareGrid(4, 4))
    solution.save(path)
    assert len(custom_data(path, 1)) == 4
    for (x, y), cell in cells_of(path).items():
        assert drawn_tile(path, cell)[0, 0, 0] == pictures[solution.array[y, x]][0, 0, 0]


def test_patterns_in_other_groups_get_tiles_of_their_own(path):
    tiles = wf.TileSet(
        [wf.Tile("road", ("a",) * 4, symmetry="turned", picture=ART)], groups={"south": ["road@180"]}
    )
    solution = anything(tiles, wf.SquareGrid(4, 1))
    solution.patterns[:] = range(4)
    solution.save(path)
    assert set(custom_data(path, 1).values()) == {"road", "road@180"}
    groups = re.findall(r"custom_data_2 = PackedStringArray\((.*)\)", tileset_of(path))
    assert groups == ["", '"south"']
    assert 'custom_data_layer_2/name = "groups"\ncustom_data_layer_2/type = 34\n' in tileset_of(path)


@pytest.mark.parametrize("grid", HEXES.values(), ids=HEXES)
def test_hexagons_have_our_coordinates_and_lie_without_gaps(grid, path):
    solution = on(grid)
    solution.save(path, tile_size=13)
    cells = cells_of(path)
    assert set(cells) == set(map(tuple, grid.coordinates.tolist()))
    width, height = size_of(path)
    across = height if grid.layout == "flat" else width
    for q, r in cells:
        x, y = middle_of(path, q, r)
        assert (x % 1, y % 1) in ((0, 0), (0, 0.5), (0.5, 0))  # odd sizes would be blurred
        for dq, dr in grid.steps:
            right, down = np.subtract(middle_of(path, q + dq, r + dr), (x, y))
            assert abs(np.hypot(right, down) - across) < 0.08 * across + 1
    assert width % 4 == 0 if grid.layout == "flat" else height % 4 == 0
    assert across % 2 == 0


@pytest.mark.parametrize("layout", ["pointy", "flat"])
def test_hexagons_show_the_picture_of_their_pattern(layout, path):
    tiles = wf.TileSet([wf.Tile("arrow", ("a",) * 6, symmetry="F", picture=ART)], "hex")
    solution = anything(tiles, wf.HexGrid(5, layout))
    solution.save(path, tile_size=24)
    size = size_of(path)
    raster = HexRaster(size[layout == "flat"], size[layout == "pointy"] * 3 // 4, layout == "flat")
    grid, shown = solution.problem.topology, set()
    for (q, r), cell in cells_of(path).items():
        pattern = int(solution.patterns[grid.cell_at((q, r))])
        expected = np.asarray(raster.stamp(raster.draw_pattern_picture(solution.problem, pattern)))
        assert (drawn_tile(path, cell) == expected).all()
        shown.add((pattern, *cell))
    assert len(shown) == 12
    assert {alternative for *_, alternative in shown} <= {0, FLIP_H, FLIP_V, FLIP_H | FLIP_V}


def test_a_part_of_a_world_has_the_coordinates_of_the_world(path):
    solution = on(wf.SquareGrid(3, 2))
    solution.origin = (-7, 30_000)
    solution.save(path)
    assert set(cells_of(path)) == {(x, y) for x in (-7, -6, -5) for y in (30_000, 30_001)}


def test_undecided_cells_are_left_out(path):
    partial = undecide_half(wf.SquareGrid(5, 4))
    partial.save(path)
    assert set(cells_of(path)) == {(cell % 5, cell // 5) for cell in range(1, 20, 2)}


def test_names_in_files_are_quoted_as_godot_reads_them(path):
    on(wf.SquareGrid(2, 2)).save(path)
    assert '"quoted", näme' in custom_data(path, 0).values()
    assert re.search(r'^metadata/wavefold = "\{\\"format\\": ', text_of(path), re.M)


# --- what another reader finds --------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # its own
@pytest.mark.parametrize("grid", [SQUARES["square"], HEXES["flat disk"]], ids=["square", "hex"])
def test_a_parser_of_godot_files_finds_the_nodes_and_tiles(grid, path):
    parser = pytest.importorskip("godot_parser")
    solution = on(grid)
    solution.save(path)
    scene = parser.load(str(path))
    with scene.use_tree() as tree:
        assert (tree.root.name, tree.root.type) == ("Map", "Node2D")
        layer = tree.get_node("Tiles")
        assert layer.type == "TileMapLayer"
        (data,) = layer["tile_map_data"].args
        reference = layer["tile_set"]
    assert len(b64decode(data)) == 2 + 12 * grid.cell_count
    resource = scene.find_ext_resource(id=reference.id)
    assert (resource.type, resource.path) == ("TileSet", "map-tileset.tres")
    tileset = parser.load(str(path.with_name(resource.path)))
    (texture,) = tileset.get_ext_resources()
    assert (texture.type, texture.path) == ("Texture2D", "map-atlas.png")
    (atlas,) = tileset.get_sub_resources()
    assert atlas.type == "TileSetAtlasSource"
    (root,) = tileset.get_sections("resource")
    assert root["sources/0"].id == atlas.id
    assert list(root["tile_size"].args) == list(atlas["texture_region_size"].args) == list(size_of(path))
    placed = {f"{column}:{row}/0" for _, column, row, _ in cells_of(path).values()}
    assert placed <= set(atlas.properties.keys())


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", [CUBES["cubes"], GRAPH], ids=["cube", "graph"])
def test_cubes_and_graphs_are_refused_before_and_when_saving(grid, path, tmp_path):
    solution = on(grid)
    for save in (lambda: solution.save(path), lambda: check_writing(solution.problem, path)):
        with pytest.raises(wf.ConfigError, match=f"supports square and hex cells, not {grid.kind} cells"):
            save()
    assert list(tmp_path.iterdir()) == []


def test_cells_beyond_sixteen_bits_are_refused(path):
    solution = on(wf.SquareGrid(3, 2))
    solution.origin = (32_766, 0)
    with pytest.raises(wf.ConfigError, match=r"32,768 is out of Godot's range, -32,768"):
        solution.save(path)
    with pytest.raises(wf.ConfigError, match="out of Godot's range"):
        check_writing(solution.problem, path, (0, -32_769))
    solution.origin = (32_765, -32_768)
    solution.save(path)
    assert max(cells_of(path)) == (32_767, -32_767)


def test_if_one_file_cannot_be_written_the_others_stay_as_they_were(path, tmp_path, monkeypatch):
    on(wf.SquareGrid(3, 2)).save(path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert set(before) == {"map.tscn", "map-tileset.tres", "map-atlas.png"}
    replace = files.os.replace

    def fail_at_the_scene(source, target):
        if str(target).endswith(".tscn") and ".before" not in str(source):
            raise OSError("the disk is full")
        replace(source, target)

    monkeypatch.setattr(files.os, "replace", fail_at_the_scene)
    with pytest.raises(wf.ConfigError, match="disk is full"):
        anything(TILES["square"], wf.SquareGrid(5, 5), seed=9).save(path, tile_size=9)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
