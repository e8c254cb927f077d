"""Other people's programs open what is written: Tiled itself, without a window, and pytiled-parser.

Tiled comes from the system (`apt-get install tiled`). Its tests are slow ones, so that fast tests do the same
whether it is installed or not; where it is missing, they are skipped.
"""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from map_solutions import CUBES, HEXES, LATTICES, SQUARES, TILES, anything, on, read
from PIL import Image

import wavefold as wf

IS_INSTALLED = shutil.which("tmxrasterizer") and shutil.which("tiled")
MISSING = "Tiled is not installed: apt-get install --no-install-recommends tiled"


def needs_tiled(test):
    return pytest.mark.slow(pytest.mark.skipif(not IS_INSTALLED, reason=MISSING)(test))


LEFT_RIGHT, TOP_BOTTOM, DIAGONAL, TURN = 0x80000000, 0x40000000, 0x20000000, 0x10000000


def run(folder, *command):
    """Run a program of Tiled's without a window."""
    settings = {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}
    done = subprocess.run(
        [str(part) for part in command],
        env=os.environ | settings,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def seen_in_tiled(path, *options):
    """What Tiled draws, with colours weighed by their opacity."""
    picture = path.with_name(f"{path.name}.png")
    run(path.parent, "tmxrasterizer", *options, path, picture)
    with Image.open(picture) as image:
        return weighed(image)


def weighed(image):
    pixels = np.asarray(image.convert("RGBA")).astype(float)
    return np.dstack([pixels[..., :3] * pixels[..., 3:] / 255, pixels[..., 3]])


def cropped(pixels):
    """Without rows and columns in which nothing is to be seen."""
    rows, columns = (np.flatnonzero((pixels[..., 3] > 127).any(axis=axis)) for axis in (1, 0))
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


@needs_tiled
@pytest.mark.parametrize("ending", ["tmx", "tmj"])
@pytest.mark.parametrize("place", SQUARES.keys())
def test_tiled_shows_square_maps_pixel_for_pixel(tmp_path, place, ending):
    solution = on(SQUARES[place])
    solution.save(tmp_path / f"map.{ending}")
    assert (seen_in_tiled(tmp_path / f"map.{ending}") == weighed(solution.image())).all()


@needs_tiled
@pytest.mark.parametrize("name", [name for name in wf.tilesets() if name not in ("blocks", "medieval")])
def test_tiled_shows_bundled_sets_pixel_for_pixel(tmp_path, name):
    """All but the objects, which are points to Tiled and pictures to us."""
    solution = anything(wf.TileSet.load(name), wf.SquareGrid(8, 6))
    solution.save(tmp_path / "map.tmx")
    seen = seen_in_tiled(tmp_path / "map.tmx", "--hide-layer", "objects")
    assert (seen == weighed(solution.image(objects=False))).all()


@needs_tiled
@pytest.mark.parametrize("seed", [0, 9, 15])
def test_tiled_shows_points_where_pictures_show_objects(tmp_path, seed):
    """The tip of Tiled's marker is in the middle of our picture, but for its outline."""
    solution = anything(wf.TileSet.load("dungeon"), wf.SquareGrid(8, 6), seed)
    assert len(solution.objects) == 1
    solution.save(tmp_path / "map.tmx")
    bare = weighed(solution.image(objects=False))
    rows, columns = np.nonzero((seen_in_tiled(tmp_path / "map.tmx") != bare).any(axis=2))
    tip = [rows.max(), columns[rows == rows.max()].mean()]
    drawn = np.argwhere((weighed(solution.image()) != bare).any(axis=2))
    assert np.abs(tip - (drawn.min(axis=0) + drawn.max(axis=0)) / 2).max() <= 3


@needs_tiled
@pytest.mark.parametrize("ending", ["tmx", "tmj"])
@pytest.mark.parametrize("place", HEXES.keys())
def test_tiled_shows_hexagons_as_we_do(tmp_path, place, ending):
    """Tiled leaves half a hexagon free at the end of rows; apart from that, rounding is all that differs."""
    solution = on(HEXES[place])
    solution.save(tmp_path / f"map.{ending}", tile_size=30)
    theirs, ours = seen_in_tiled(tmp_path / f"map.{ending}"), weighed(solution.image(tile_size=30))
    theirs, ours = cropped(theirs), cropped(ours)
    assert theirs.shape == ours.shape
    assert np.abs(theirs - ours).max() <= 3


@needs_tiled
def test_tiled_shows_medieval_land_as_we_do(tmp_path):
    solution = anything(wf.TileSet.load("medieval"), wf.HexGrid(4))
    solution.save(tmp_path / "map.tmx", unused=False)
    theirs, ours = seen_in_tiled(tmp_path / "map.tmx"), weighed(solution.image())
    assert np.abs(cropped(theirs) - cropped(ours)).max() <= 3


@needs_tiled
@pytest.mark.parametrize("place", ["square", "holes", "odd disk", "flat disk", "rectangle", "cubes"])
def test_what_tiled_saves_again_is_the_same_map(tmp_path, place):
    solution = on(LATTICES[place])
    for ending, kind in (("tmx", "tmx"), ("tmj", "json")):
        solution.save(tmp_path / f"map.{ending}")
        run(tmp_path, "tiled", "--export-map", kind, tmp_path / f"map.{ending}", tmp_path / f"again.{ending}")
        drawn = read(tmp_path / f"again.{ending}", TILES[LATTICES[place].kind])
        assert drawn.topology == LATTICES[place]
        assert drawn.seed == solution.seed
        assert (drawn.patterns == solution.patterns).all()


PLACES = [
    ("square", (-3, -2)), ("holes", (31, 16)), ("square", (10**8, -(10**8))), ("rhombus", (-3, -5)),
    ("rhombus", (4, 7)), ("flat rhombus", (-5, 3)), ("flat rhombus", (6, -4)), ("disk", (0, 1)),
]  # fmt: skip


@needs_tiled
@pytest.mark.parametrize("ending", ["tmx", "tmj"])
@pytest.mark.parametrize(("place", "origin"), PLACES)
def test_tiled_shows_parts_of_a_world_as_infinite_maps(tmp_path, place, origin, ending):
    """Tiled draws whole chunks, so there is room around the cells."""
    solution = on(LATTICES[place])
    solution.origin = origin
    size = 30 if place in HEXES else 6
    solution.save(tmp_path / f"map.{ending}", tile_size=size)
    theirs, ours = seen_in_tiled(tmp_path / f"map.{ending}"), weighed(solution.image(tile_size=size))
    theirs, ours = cropped(theirs), cropped(ours)
    assert theirs.shape == ours.shape
    assert np.abs(theirs - ours).max() <= (3 if place in HEXES else 0)


@needs_tiled
@pytest.mark.parametrize(("place", "origin"), PLACES)
def test_infinite_maps_that_tiled_saves_again_are_the_same(tmp_path, place, origin):
    solution = on(LATTICES[place])
    solution.origin = origin
    for ending, kind in (("tmx", "tmx"), ("tmj", "json")):
        solution.save(tmp_path / f"map.{ending}")
        run(tmp_path, "tiled", "--export-map", kind, tmp_path / f"map.{ending}", tmp_path / f"again.{ending}")
        drawn = read(tmp_path / f"again.{ending}", TILES[LATTICES[place].kind])
        assert (drawn.topology, drawn.origin) == (LATTICES[place], origin)
        assert (drawn.patterns == solution.patterns).all()


def chunks_in(path):
    layer = json.loads(path.read_text("utf-8"))["layers"][0]
    return {(chunk["x"], chunk["y"]): chunk["data"] for chunk in layer["chunks"]}


@needs_tiled
def test_chunks_are_cut_as_tiled_cuts_them(tmp_path):
    solution = on(wf.SquareGrid(40, 20))
    solution.origin = (-19, 13)
    solution.save(tmp_path / "map.tmj")
    run(tmp_path, "tiled", "--export-map", "json", tmp_path / "map.tmj", tmp_path / "again.tmj")
    assert chunks_in(tmp_path / "map.tmj") == chunks_in(tmp_path / "again.tmj")


def gradient():
    """A picture that looks different however it is turned."""
    down, right = np.mgrid[:48, :48]
    dot = (right - 30) ** 2 + (down - 14) ** 2 < 60
    return np.dstack([right * 5, down * 5, dot * 255, np.full_like(down, 255)]).astype(np.uint8)


SQUARE_FLAGS = [a | b | c for a in (0, LEFT_RIGHT) for b in (0, TOP_BOTTOM) for c in (0, DIAGONAL)]
HEX_FLAGS = [each | turn for each in SQUARE_FLAGS for turn in (0, TURN)]


@needs_tiled
@pytest.mark.parametrize(
    ("grid", "flags"),
    [(wf.SquareGrid(1, 1), SQUARE_FLAGS), (wf.HexGrid(0), HEX_FLAGS), (wf.HexGrid(0, "flat"), HEX_FLAGS)],
    ids=["square", "pointy", "flat"],
)
def test_what_is_flipped_in_tiled_is_the_pattern_it_looks_like(tmp_path, grid, flags):
    sides = 6 if grid.kind == "hex" else 4
    tiles = wf.TileSet([wf.Tile("f", ("a",) * sides, symmetry="F", picture=gradient())], grid.kind)
    problem = wf.Problem(tiles, grid)
    maps = [wf.Solution(problem, np.array([number]), wf.Statistics(), 0) for number in range(len(tiles))]
    looks = [weighed(each.image(tile_size=48)) for each in maps]
    for number in (0, len(tiles) - 1):  # as drawn, and one that is mirrored
        maps[number].save(tmp_path / "map.tmj", tile_size=48)
        document = json.loads((tmp_path / "map.tmj").read_text("utf-8"))
        for flag in flags:
            document["layers"][0]["data"] = [number + 1 | flag]
            (tmp_path / "map.tmj").write_text(json.dumps(document))
            seen = seen_in_tiled(tmp_path / "map.tmj")
            assert read(tmp_path / "map.tmj", tiles).patterns[0] == nearest(seen, looks)


def nearest(seen, looks):
    """Which of these looks most like what is seen, where both are opaque."""
    distance = []
    for look in looks:
        height, width = np.minimum(seen.shape[:2], look.shape[:2])
        here, there = seen[:height, :width], look[:height, :width]
        both = (here[..., 3] > 250) & (there[..., 3] > 250)
        distance.append(np.abs(here - there)[both].mean())
    return int(np.argmin(distance))


# --- pytiled-parser ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["tmx", "tmj"])
@pytest.mark.parametrize("place", ["square", "holes", "disk", "flat disk", "cubes"])
def test_pytiled_parser_opens_the_map_its_tile_set_and_its_picture(tmp_path, place, ending):
    parser = pytest.importorskip("pytiled_parser", reason="pytiled-parser is not installed")
    topology = LATTICES[place]
    solution = on(topology)
    solution.save(tmp_path / f"map.{ending}")
    found = parser.parse_map(tmp_path / f"map.{ending}")
    assert found.properties["seed"] == "3"
    assert len(found.layers) == (topology.depth if topology in CUBES.values() else 1)
    tileset = found.tilesets[1]
    with Image.open(tileset.image) as image:
        assert image.size == (tileset.image_width, tileset.image_height)
    names = solution.problem.rules.names
    assert [tile.properties["pattern"] for _, tile in sorted(tileset.tiles.items())] == list(names)
    tiles = [names[number] for number in solution.patterns]
    shown = [each for layer in found.layers for row in layer.data for each in row if each]
    assert sorted(tileset.tiles[each - 1].properties["pattern"] for each in shown) == sorted(tiles)
    if topology.kind == "hex":
        assert found.orientation == "hexagonal"
        assert found.stagger_axis == ("x" if topology.layout == "flat" else "y")
        assert found.hex_side_length > 0


@pytest.mark.parametrize("ending", ["tmx", "tmj"])
def test_pytiled_parser_opens_infinite_maps(tmp_path, ending):
    parser = pytest.importorskip("pytiled_parser", reason="pytiled-parser is not installed")
    solution = on(LATTICES["square"])
    solution.origin = (-3, 37)
    solution.save(tmp_path / f"map.{ending}")
    found = parser.parse_map(tmp_path / f"map.{ending}")
    assert found.infinite
    shown = {}
    for chunk in found.layers[0].chunks:
        for y, row in enumerate(chunk.data):
            for x, tile in enumerate(row):
                if tile:
                    shown[chunk.coordinates.x + x, chunk.coordinates.y + y] = tile - 1
    assert shown == {(-3 + x, 37 + y): int(solution.array[y, x]) for y in range(4) for x in range(5)}
