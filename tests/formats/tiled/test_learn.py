"""Maps drawn in Tiled: how they are written, which tiles stand on them, what is learned from them."""

import copy
import pickle
import sys
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from tiled_files import SIDE, a_layer, a_map, a_set, coded, picture, sheet, write

import wavefold as wf
from support import draw_patterns
from wavefold.formats import read_tiled_map, read_tiled_never, read_tiled_sample

CODES = ("csv", "", "zlib", "gzip")
LEFT_RIGHT, TOP_BOTTOM, DIAGONAL, HEX = 0x80000000, 0x40000000, 0x20000000, 0x10000000
CELLS = np.array([[1, 2, 0], [3, 1, 2]])
ROWS = [["tile 0", "tile 1", None], ["tile 2", "tile 0", "tile 1"]]


@pytest.fixture(params=[".tmx", ".tmj"])
def written(request, tmp_path):
    """Write a map and a sheet of six tiles; the path of the file."""
    sheet(tmp_path / "sheet.png", 6)
    return lambda document, name="map": write(tmp_path / f"{name}{request.param}", document)


# --- how cells are written ----------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_cells_are_read_however_they_are_written(written, code):
    assert read_tiled_sample(written(a_map(a_layer(CELLS, code=code)))) == ROWS


def test_cells_may_be_elements(tmp_path):
    sheet(tmp_path / "sheet.png", 6)
    path = write(tmp_path / "map.tmx", a_map(a_layer(CELLS, code="elements")))
    assert read_tiled_sample(path) == ROWS


@pytest.mark.parametrize("code", CODES)
def test_chunks_of_an_endless_map_are_put_where_they_belong(written, code):
    chunks = [
        {"x": x, "y": y, "width": 2, "height": 3} | coded(np.full((3, 2), value, np.uint32), code)
        for x, y, value in ((-2, -3, 1), (2, -3, 2), (0, 3, 3), (30, 30, 0))
    ]
    layer = a_layer([[0]], code=code, chunks=chunks)
    del layer["data"]
    read = read_tiled_sample(written(a_map(layer, infinite=True)))
    expected = np.full((9, 6), None)
    expected[:3, :2], expected[:3, 4:], expected[6:, 2:4] = "tile 0", "tile 1", "tile 2"
    assert read == expected.tolist()


def test_zstd_is_refused_with_a_way_out_unless_python_has_it(written, monkeypatch):
    path = written(a_map(a_layer(CELLS, code="") | {"compression": "zstd"}))
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    with pytest.raises(wf.FormatError, match=r"zstd, which needs Python 3\.14; choose another"):
        read_tiled_map(path)
    as_it_is = SimpleNamespace(decompress=lambda octets, most: octets[:most], eof=True)
    reader = SimpleNamespace(ZstdDecompressor=lambda: as_it_is, ZstdError=ValueError)
    monkeypatch.setitem(sys.modules, "compression.zstd", reader)
    assert read_tiled_sample(path) == ROWS


# --- which tile stands there --------------------------------------------------------------------


def flipped(pixels, flags):
    """As Tiled tells it: swap x and y, then flip left to right, then top to bottom."""
    if flags & DIAGONAL:
        pixels = pixels.swapaxes(0, 1)
    if flags & LEFT_RIGHT:
        pixels = pixels[:, ::-1]
    return pixels[::-1] if flags & TOP_BOTTOM else pixels


def test_flipped_tiles_are_patterns_of_their_own_and_drawn_as_they_stood(written):
    flags = [sum(each) for each in product((0, LEFT_RIGHT), (0, TOP_BOTTOM), (0, DIAGONAL))]
    path = written(a_map(a_layer([[2 + each for each in flags]])))
    names = ["tile 1", "m270", "m180", "270", "m", "90", "180", "m90"]
    read = read_tiled_sample(path)[0]
    assert read == names[:1] + [f"tile 1@{each}" for each in names[1:]]
    tiles = read_tiled_map(path)
    assert tiles.rules.tiles == ("tile 1",)
    pictures = draw_patterns(tiles, SIDE)
    for name, each in zip(read, flags, strict=True):
        assert (name.picture == flipped(picture(1), each)).all()
        assert (pictures[tiles.rules.names.index(name)] == flipped(picture(1), each)).all()


def test_the_flag_of_hexagonal_maps_means_nothing_on_squares(written):
    assert read_tiled_sample(written(a_map(a_layer([[1 + HEX, 2]])))) == [["tile 0", "tile 1"]]


@pytest.mark.parametrize("ending", [".tsx", ".tsj"])
def test_tile_sets_may_be_files_of_their_own_in_another_folder(written, tmp_path, ending):
    (tmp_path / "sets").mkdir()
    sheet(tmp_path / "sheet.png", 6)
    write(
        tmp_path / "sets" / f"one{ending}",
        a_set(name="one", image="../sheet.png", tiles=[{"id": 1, "type": "road"}, {"id": 2, "type": "rock"}]),
    )
    Image.fromarray(picture(8)).save(tmp_path / "rock.png")
    rocks = {"firstgid": 7, "name": "two", "tiles": [{"id": 3, "image": "rock.png", "type": "rock"}]}
    sets = [rocks, {"firstgid": 1, "source": f"sets/one{ending}"}]
    read = read_tiled_sample(written(a_map(a_layer([[1, 2, 3, 10]]), tilesets=sets)))
    assert read == [["one/tile 0", "road", "one/rock", "two/rock"]]
    assert [(name.picture == picture(n)).all() for name, n in zip(read[0], (0, 1, 2, 8), strict=True)] == [
        True
    ] * 4


# --- which layer --------------------------------------------------------------------------------


def test_the_lowest_visible_layer_is_read_or_the_one_that_is_named(written):
    hidden = {"type": "group", "name": "old", "visible": False, "layers": [a_layer([[6]], "sketch")]}
    shapes = {"type": "objectgroup", "name": "people"}
    group = {
        "type": "group",
        "name": "g",
        "layers": [a_layer([[5]], "off", visible=False), a_layer([[1]], "low")],
    }
    path = written(a_map(hidden, shapes, group, a_layer([[2]], "high")))
    assert read_tiled_sample(path) == [["tile 0"]]
    assert read_tiled_sample(path, layer="sketch") == [["tile 5"]]
    assert read_tiled_map(path, layer="off").rules.names == ("tile 4",)
    assert read_tiled_map(path, layer=["low", "high"]).rules.names == ("tile 0", "tile 1")
    with pytest.raises(wf.FormatError, match="no tile layers 'hihg'; did you mean 'high'"):
        read_tiled_map(path, layer="hihg")
    with pytest.raises(wf.FormatError, match="the list of layers is empty"):
        read_tiled_map(path, layer=[])


def test_a_map_that_shows_nothing_is_refused(written):
    with pytest.raises(wf.FormatError, match=r"no visible tile layer; .* known: ground"):
        read_tiled_map(written(a_map(a_layer([[1]], visible=False))))
    with pytest.raises(wf.FormatError, match="has no tiles"):
        read_tiled_map(written(a_map(a_layer([[0, 0]]))))
    with pytest.raises(wf.FormatError, match="2 tile layers 'ground'"):
        read_tiled_map(written(a_map(a_layer([[1]]), a_layer([[2]]))), layer="ground")


# --- what is learned ----------------------------------------------------------------------------

MEADOW = np.array(
    [
        [1, 1, 2, 1, 1, 1],
        [1, 2 + LEFT_RIGHT, 3, 3, 1, 0],
        [4, 4, 3 + DIAGONAL + LEFT_RIGHT, 3, 1, 1],
        [1, 1, 1, 4, 1, 2],
    ]
)


def test_what_stood_beside_what_may_stand_there_again(written):
    path = written(a_map(a_layer(MEADOW)))
    tiles = wf.TileSet.load(path)
    learned = wf.learn_adjacency(read_tiled_sample(path))
    assert sorted(tiles.rules.names) == sorted(learned.values)
    order = [learned.values.index(name) for name in tiles.rules.names]
    assert (tiles.rules.allowed == learned.rules.allowed[:, order][:, :, order]).all()
    assert (tiles.rules.weights == learned.rules.weights[order]).all()
    assert tiles.rules.weights[tiles.rules.names.index("tile 1@m")] == 1
    assert tiles.rules.patterns("tile 1").size == 2
    assert tiles.name == "map"


def test_the_map_itself_is_a_solution_and_new_ones_are_drawn_with_its_tiles(written):
    tiles = read_tiled_map(written(a_map(a_layer(MEADOW[:3, :5]))))
    names = read_tiled_sample(written(a_map(a_layer(MEADOW[:3, :5]))))
    pins = {
        (x, y): name if "@" in name else f"{name}@0"
        for y, row in enumerate(names)
        for x, name in enumerate(row)
    }
    solution = wf.generate(tiles, wf.SquareGrid(5, 3), pins=pins)
    assert wf.check(solution.problem, solution) == []
    assert (np.asarray(solution.image())[:SIDE, :SIDE] == picture(0)).all()
    assert solution.values[0].tolist() == ["tile 0", "tile 0", "tile 1", "tile 0", "tile 0"]


def test_edges_touch_if_the_map_repeats(written):
    path = written(a_map(a_layer([[1, 2, 3]])))
    assert not read_tiled_map(path).rules.allowed[1, 2, 0]
    assert read_tiled_map(path, periodic=True).rules.allowed[1, 2, 0]


NEVER = [{"name": "wavefold", "type": "string", "value": "never"}]


def test_a_layer_can_show_what_must_not_be(written):
    bad = a_layer([[2, 1], [6, 0]], "bad", properties=NEVER, visible=False)
    path = written(a_map(bad, a_layer([[1, 2], [1, 2]])))
    assert read_tiled_map(path).rules.names == ("tile 0", "tile 1")
    assert read_tiled_never(path) == [[["tile 1", "tile 0"], ["tile 5", None]]]
    assert len(wf.learn_adjacency(read_tiled_sample(path), negative=read_tiled_never(path))) == 2
    clash = written(a_map(a_layer([[1, 2]], "bad", properties=NEVER), a_layer([[1, 2], [1, 2]])))
    assert not wf.TileSet.load(clash).rules.allowed[1].any()
    sample, never = read_tiled_sample(clash), read_tiled_never(clash)
    assert not wf.learn_adjacency(sample, negative=never).rules.allowed[1].any()


def test_an_unknown_mark_on_a_layer_is_refused(written):
    marked = a_layer([[1]], properties=[{"name": "wavefold", "type": "string", "value": "nver"}])
    with pytest.raises(wf.FormatError, match="wavefold = 'nver'; the only known value is 'never'"):
        read_tiled_map(written(a_map(marked)))


def test_names_keep_their_pictures_when_they_are_copied(written):
    name = read_tiled_sample(written(a_map(a_layer([[3]]))))[0][0]
    for copied in (pickle.loads(pickle.dumps(name)), copy.deepcopy(name)):
        assert copied == "tile 2"
        assert (copied.picture == picture(2)).all()


def test_windows_can_be_learned_from_a_map_as_well(written):
    learned = wf.learn(read_tiled_sample(written(a_map(a_layer(MEADOW[:3, :5])))), n=2, symmetry=1)
    solution = wf.generate(learned, wf.SquareGrid(8, 8), seed=1)
    assert set(solution.values.ravel().tolist()) <= {
        "tile 0",
        "tile 1",
        "tile 1@m",
        "tile 2",
        "tile 2@90",
        "tile 3",
    }


@pytest.mark.parametrize("orientation", ["hexagonal", "isometric", "staggered"])
def test_only_maps_of_squares_are_read(written, orientation):
    with pytest.raises(wf.FormatError, match=f"is {orientation}; only orthogonal maps"):
        read_tiled_map(written(a_map(a_layer([[1]]), orientation=orientation)))
