"""The tile sets that come along: complete, good-looking, easy."""

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from wavefold.errors import TileSetError
from wavefold.plugins import available, find
from wavefold.tiles import TileSet

NAMES = ("meadow", "pipes")


@pytest.fixture(params=NAMES)
def tiles(request):
    return TileSet.load(request.param)


def test_the_bundled_sets_are_found_by_name():
    assert set(NAMES) <= set(available("tileset"))


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(TileSetError, match="did you mean 'pipes'"):
        TileSet.load("pips")


@pytest.mark.parametrize("name", NAMES)
def test_every_set_says_in_one_line_what_it_is(name):
    assert find("tileset", name).__doc__.strip().endswith(".")
    assert TileSet.load(name).name == name


def test_every_tile_has_a_picture_of_one_size(tiles):
    shapes = {tile.picture.shape for tile in tiles.tiles}
    assert len(shapes) == 1
    assert all(tile.picture.dtype == np.uint8 for tile in tiles.tiles)


def test_every_pattern_has_a_neighbour_on_every_side(tiles):
    assert tiles.rules.allowed.any(axis=2).all()


def test_a_map_can_always_be_continued_row_by_row(tiles):
    """Whatever stands to the north and west, if those two can stand there at all, something fits."""
    allowed = tiles.rules.allowed.astype(np.int64)
    _, east, south, _ = allowed
    # above and left meet at a corner: both touch the cell to the northwest.
    can_meet = (
        east.T @ south
    ) > 0  # [above, left]: some northwest cell has one to its east, one to its south
    common = south @ east.T  # [above, left] -> how many patterns fit below the one and right of the other
    assert (common[can_meet] > 0).all()


def test_pipes_have_a_tile_for_every_way_to_open_four_sides():
    patterns = TileSet.load("pipes").patterns
    assert {pattern.sockets for pattern in patterns} == set(product(("pipe", "wall"), repeat=4))


def test_meadow_has_a_tile_for_every_mixture_of_corners():
    plain = {
        pattern.sockets for pattern in TileSet.load("meadow").patterns if "+" not in "".join(pattern.sockets)
    }
    assert len(plain) == 3**4


def test_pictures_of_matching_sides_meet_without_a_seam():
    """Pipes open where their sockets say, and end at the middle of the side."""
    for tile in TileSet.load("pipes").tiles:
        sides = (tile.picture[0], tile.picture[:, -1], tile.picture[-1], tile.picture[:, 0])
        for socket, edge in zip(tile.sockets, sides, strict=True):
            is_bright = edge[11:13, :3].max() > 150
            assert is_bright == (socket == "pipe"), tile.name


def test_a_set_is_the_same_every_time(tiles):
    again = TileSet.load(tiles.name)
    assert again.rules.digest == tiles.rules.digest
    for one, other in zip(tiles.tiles, again.tiles, strict=True):
        assert (one.picture == other.picture).all()


def test_loading_a_set_does_not_wait_for_numba():
    code = "import sys, wavefold.tiles as t; t.TileSet.load('meadow'); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
