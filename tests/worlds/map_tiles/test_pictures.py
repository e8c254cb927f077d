"""Map tiles show what pictures of the world show, fit each other to the pixel, and make few chunks."""

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from support import HEX_RIVERS, PIPES, compiled_only, mark_slow
from wavefold.plugins.registry import BUILT_IN
from wavefold.tiles.orientation import get_ring
from wavefold.topology import make_single_cell
from wavefold.topology.lattice import find_lattice_class
from wavefold.worlds import World
from wavefold.worlds.map_tiles import draw_map_tile
from wavefold.worlds.map_tiles.draw import draw_honeycomb
from wavefold.worlds.map_tiles.pictures import Painter, compose, locate_points
from wavefold.worlds.map_tiles.zoom import (
    HexSizes,
    TileAddress,
    cell_bounds,
    find_hex_samples,
    find_hex_window,
    find_square_samples,
    find_square_window,
)

SETS = {"pipes": PIPES, "rivers": HEX_RIVERS}
CHUNK, RADIUS = 24, 5
_made = {}


def world_of(name, side=CHUNK, **options):
    world = World(SETS[name], 7, side, radius=RADIUS, **options)
    world.parts.generator.cache = _made.setdefault((name, side), world.parts.generator.cache)
    return world


def stitch(world, z, x, y, across=2, **options):
    """Some tiles side by side, of which (x, y) is the first."""
    rows = [
        np.concatenate([draw_map_tile(world, z, x + i, y + j, **options).pixels for i in range(across)], 1)
        for j in range(across)
    ]
    return np.concatenate(rows)


# --- squares ------------------------------------------------------------------------------------


@pytest.mark.parametrize("z", [-2, -1, 0, 1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize(("x", "y"), [(0, 0), (-1, 3), (2, -2)])
def test_a_tile_of_squares_is_a_part_of_the_picture_of_the_world(z, x, y):
    world = world_of("pipes", 64 if z < 0 else CHUNK)
    size = 4 * 2**z
    across = int(256 // size)
    if z == -2:  # more than four chunks, so that they are not made for the tile
        world.region(x * across, y * across, across, across)
    tile = draw_map_tile(world, z, x, y)
    picture = world.image(x * across, y * across, across, across, tile_size=int(size))
    assert (tile.pixels == np.asarray(picture)).all()
    assert (tile.how, tile.share, tile.revision) == ("exact", 1.0, 0)


@compiled_only
@pytest.mark.parametrize(("name", "z"), [("meadow", 2), ("terrain", 3)])
def test_a_tile_of_the_next_zoom_has_the_same_pixels_twice_as_large(name, z):
    tiles = wf.TileSet(wf.TileSet.load(name).tiles)  # pictures of 16 pixels, without objects
    world = World(tiles, 3, refine=False)
    small, large = draw_map_tile(world, z, -1, 2).pixels, stitch(world, z + 1, -2, 4)
    assert (large == small.repeat(2, axis=0).repeat(2, axis=1)).all()


# --- hexagons -----------------------------------------------------------------------------------


def picture_of_hexagons(world, z, x, y, pixels=256, objects=False):
    """The same part of a picture of the world, with cells all around it."""
    across, step = HexSizes.at(z)
    left, top = x * pixels, y * pixels
    rows = range(top // step - 2, (top + pixels) // step + 3)
    first = left // across - rows[-1] // 2 - 3
    columns = (left + pixels) // across - rows[0] // 2 + 4 - first
    image = world.image(first, rows[0], columns, len(rows), tile_size=across, objects=objects)
    right = left - (across * first + across * rows[0] // 2)
    below = top - step * rows[0]
    return np.asarray(image.crop((right, below, right + pixels, below + pixels)))


@pytest.mark.parametrize("z", [1, 2, 3])
@pytest.mark.parametrize(("x", "y"), [(0, 0), (-1, 1), (3, -2)])
def test_a_tile_of_hexagons_is_a_part_of_the_picture_of_the_world(z, x, y):
    world = world_of("rivers")
    tile = draw_map_tile(world, z, x, y)
    assert (tile.pixels == picture_of_hexagons(world, z, x, y)).all()
    assert tile.how == "exact"


@pytest.mark.parametrize("z", mark_slow([1, 2, 3, 4, 5, 6], 2))
def test_tiles_of_hexagons_fit_to_the_pixel(z):
    world = world_of("rivers")
    for x, y in [(0, 0), (-2, -2), (4, -6)]:
        whole = draw_honeycomb(world, Painter(world.tiles), TileAddress(z, x // 2, y // 2), None, 512, None)
        assert (stitch(world, z, x, y) == whole.pixels).all()


@compiled_only
def test_small_hexagons_are_those_of_the_next_zoom_averaged():
    world = world_of("rivers")
    large = Image.fromarray(stitch(world, 1, -2, 4))
    assert (draw_map_tile(world, 0, -1, 2).pixels == np.asarray(large.reduce(2))).all()


@pytest.mark.parametrize("z", [-1, -3, -4, -9])
@pytest.mark.parametrize(("x", "y"), [(0, 0), (-2, 1)])
def test_far_away_every_point_shows_the_hexagon_it_lies_in(z, x, y):
    window, row, column = find_hex_samples(TileAddress(z, x, y))
    random = np.random.default_rng(1)
    apart = 16 / (8 * 2**z)  # units from point to point
    for j, i in random.integers(0, 512, (60, 2)).tolist():
        r = int(window.rows[row[j]])
        c = window.column + int(column[r % 2, i]) * window.stride
        right = (x * 512 + i + 0.5) * apart - (16 * c + 8 * (r % 2))
        below = (y * 512 + j + 0.5) * apart - 14 * r
        assert 3 <= below <= 17 + apart
        assert -apart / 2 - 8 <= right <= 16 + apart


def test_hexagons_laid_over_each_other_are_rounded_like_pillow():
    random = np.random.default_rng(0)
    under, over = random.integers(0, 256, (2, 64, 64, 4)).astype(np.uint8)
    under[:16, :, 3], under[16:24, :, 3], over[:8, :, 3], over[8:32, :, 3] = 255, 0, 0, 255
    image = Image.fromarray(under)
    image.alpha_composite(Image.fromarray(over))
    assert (compose(under, over) == np.asarray(image)).all()


# --- windows of cells ---------------------------------------------------------------------------


def test_windows_of_tiles_never_need_more_chunks_than_promised():
    for x in range(-40, 40, 3):
        for y in range(-40, 40, 7):
            assert len(find_hex_window(TileAddress(1, x, y), 512)[0].chunks(64)) <= 6
            assert len(find_square_samples(TileAddress(-3, x, y)).chunks(64)) == 64


@pytest.mark.parametrize("z", [-16, -9, -4, -3, -1, 0, 1, 2, 6])
@pytest.mark.parametrize(("x", "y"), [(0, 0), (-3, 2), (5, -7)])
def test_the_bounds_of_a_tile_have_all_its_cells(z, x, y):
    tile = TileAddress(z, x, y)
    near = {False: find_square_window(tile, 3) if z > -3 else find_square_samples(tile)}
    near[True] = find_hex_window(tile, margin=3)[0] if z > 0 else None
    if z == 0:
        near[True] = find_hex_window(tile._replace(z=1), 512)[0]
    elif z < 0:
        near[True] = find_hex_samples(tile).window
    for is_hex, window in near.items():
        left, top, width, height = cell_bounds(tile, is_hex)
        columns, rows = window.cells.T
        assert left <= columns.min() <= columns.max() < left + width
        assert top <= rows.min() <= rows.max() < top + height
        assert height < 3 * (max(64 * 2**-z, 1) + 16)


# --- revisions, fields, objects -----------------------------------------------------------------


@pytest.mark.parametrize(("name", "z"), [("pipes", 3), ("rivers", 3), ("pipes", -2)])
def test_a_tile_of_a_revision_is_the_one_that_was_drawn_then(name, z):
    world = world_of(name)
    world.region(-2, -2, 16, 16)
    tile, seen = SETS[name].rules.tiles[-1], [draw_map_tile(world, z, 0, 0).pixels]
    for x in (0, 3, 5):
        world.edit({(x, 1): tile}, reach=4)
        seen.append(draw_map_tile(world, z, 0, 0).pixels)
    world.undo()
    assert (draw_map_tile(world, z, 0, 0).pixels == seen[2]).all()
    assert any((one != other).any() for one, other in pairwise(seen))
    for revision, then in enumerate(seen):
        tile = draw_map_tile(world, z, 0, 0, revision)
        assert (tile.pixels == then).all()
        assert tile.revision == revision
    with pytest.raises(wf.ConfigError, match="there is no revision 5"):
        draw_map_tile(world, z, 0, 0, 5)


def test_mean_colours_follow_the_fields_and_fit_across_tiles():
    land, sea = (
        np.full((2, 2, 4), (90, 200, 60, 255), np.uint8),
        np.full((2, 2, 4), (20, 60, 200, 255), np.uint8),
    )
    tiles = wf.TileSet(
        [
            wf.Tile("land", ("a",) * 4, picture=land, limits={"height": (0, 9)}),
            wf.Tile("sea", ("a",) * 4, picture=sea, limits={"height": (-9, 0)}),
        ]
    )
    world = World(tiles, 1, 24, fields=wf.Fields(height=lambda x, y: np.sign(x + y + 1)), refine=False)
    picture = stitch(world, -8, -1, -1)
    assert (picture[0, 0] == sea[0, 0]).all()
    assert (picture[-1, -1] == land[0, 0]).all()
    green = picture[..., 1].astype(int)
    assert (np.diff(green[256]) >= 0).all()  # no step back where two tiles meet
    assert (np.diff(green[:, 255]) >= 0).all()


@pytest.mark.parametrize("kind", ["square", "hex"])
@pytest.mark.parametrize("z", [-16, -5, 0, 6])
def test_neighbouring_tiles_evaluate_fields_at_the_same_cells(kind, z):
    def points(x, y):
        return locate_points(kind, TileAddress(z, x, y)).reshape(2, 66, 66)

    assert (points(3, -2)[:, :, -2:] == points(4, -2)[:, :, :2]).all()
    assert (points(3, -2)[:, -2:] == points(3, -1)[:, :2]).all()
    if kind == "square":
        assert points(1, 0)[:, 1, 1].tolist() == [64 * 2.0**-z + 2.0**-z // 2, 2.0**-z // 2]


@compiled_only
@pytest.mark.parametrize("name", list(SETS))
def test_objects_are_whole_where_tiles_meet(name):
    tree = np.zeros((28, 20, 4), np.uint8)
    tree[2:, 4:16] = 40, 90, 30, 255
    oak = wf.MapObject("oak", SETS[name].rules.tiles[0], density=0.5, picture=tree, size=1.25)
    tiles = wf.TileSet(SETS[name].tiles, SETS[name].topology, objects=[oak])
    world = World(tiles, 7, 64, refine=False)
    picture = stitch(world, 2, 0, 0)
    if name == "pipes":
        whole = np.asarray(world.image(-4, -4, 40, 40, tile_size=16))[64:576, 64:576]
        bare = np.asarray(world.image(0, 0, 32, 32, tile_size=16, objects=False))
    else:
        whole = picture_of_hexagons(world, 2, 0, 0, 512, objects=True)
        bare = picture_of_hexagons(world, 2, 0, 0, 512)
    assert (picture != bare).any(axis=2).mean() > 0.05
    assert (picture == whole).all()


def test_objects_are_left_out_where_too_many_chunks_would_be_needed():
    oak = wf.MapObject("oak", " ", density=1)
    tiles = wf.TileSet(PIPES.tiles, objects=[oak])
    world = World(tiles, 7, CHUNK, radius=RADIUS, refine=False)
    across = 256 // 16
    bare = world.image(0, 0, across, across, tile_size=16, objects=False)
    has_objects = (draw_map_tile(world, 2, 0, 0).pixels != np.asarray(bare)).any()
    assert has_objects == (CHUNK == 24)


# --- files and refusals -------------------------------------------------------------------------


class SkewGrid(wf.SquareGrid):
    """A grid of another kind, whose cells all point the same way; worlds accept it."""

    kind = "skew"


def test_worlds_of_other_kinds_have_no_map_tiles(monkeypatch):
    monkeypatch.setitem(BUILT_IN["topology"], "skew", f"{__name__}:SkewGrid")
    find_lattice_class.cache_clear()
    try:
        world = World(wf.TileSet([wf.Tile("a", ("s",) * 4)], "skew"), chunk=CHUNK, radius=RADIUS)
        assert (world.chunk(0, 0) == 0).all()
        with pytest.raises(wf.WorldError, match="map tiles need square or hex tiles; these are skew tiles"):
            draw_map_tile(world, 0, 0, 0)
    finally:
        for remembered in (find_lattice_class, make_single_cell, get_ring):
            remembered.cache_clear()


def test_tiles_that_do_not_exist_are_refused():
    world = world_of("pipes")
    for z in (7, -17):
        with pytest.raises(wf.ConfigError, match="z must be a whole number from -16 to 6"):
            draw_map_tile(world, z, 0, 0)
    for far in (1 << 40, -(1 << 90)):
        with pytest.raises(wf.ConfigError, match="too far away"):
            draw_map_tile(world, 0, far, 0)
        with pytest.raises(wf.ConfigError, match="too far away"):
            draw_map_tile(world, 6, 0, far)
    with pytest.raises(wf.ConfigError, match="x must be a whole number"):
        draw_map_tile(world, 0, 0.5, 0)
    assert draw_map_tile(world, -16, (1 << 18) - 1, -(1 << 18)).how == "mean"
