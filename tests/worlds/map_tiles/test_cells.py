"""Cells of map tiles are read from chunks; a tile generates few of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import HEX_RIVERS, PIPES, compiled_only
from wavefold.worlds import World
from wavefold.worlds.map_tiles import draw_map_tile
from wavefold.worlds.map_tiles.cells import gather
from wavefold.worlds.map_tiles.zoom import (
    CellWindow,
)

SETS = {"pipes": PIPES, "rivers": HEX_RIVERS}


@settings(max_examples=30)
@given(
    side=st.integers(4, 70),
    first=st.tuples(st.integers(-99, 99), st.integers(-99, 99)),
    shape=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    stride=st.integers(1, 5),
    is_hex=st.booleans(),
)
def test_cells_are_gathered_from_the_chunks_they_lie_in(side, first, shape, stride, is_hex):
    rows = first[1] + np.arange(shape[1]) * stride
    window = CellWindow(rows, first[0], shape[0], stride, is_hex)
    chunks = {}
    for cx, cy in window.chunks(side):
        y, x = np.mgrid[cy * side : (cy + 1) * side, cx * side : (cx + 1) * side]
        chunks[cx, cy] = ((x + 500) * 1000 + y + 500).astype(np.int32)
    cells = window.cells
    expected = (cells[:, 0] + 500) * 1000 + cells[:, 1] + 500
    assert (gather(window, side, chunks).reshape(-1) == expected).all()
    assert set(chunks) == {(x // side, y // side) for x, y in cells.tolist()} or stride > 1
    assert window.count_chunks(side) == len(chunks)


def count_made(world):
    return world.parts.generator.report.windows


@compiled_only
def test_a_tile_that_needs_many_chunks_makes_none_and_says_how_it_was_drawn():
    world = World(PIPES, 7, refine=False)
    tile = draw_map_tile(world, -2, 0, 0)
    assert (tile.how, tile.share, count_made(world)) == ("mean", 0.0, 0)
    assert len(np.unique(tile.pixels.reshape(-1, 4), axis=0)) == 1
    draw_map_tile(world, -1, 0, 0)
    made = count_made(world)
    tile = draw_map_tile(world, -2, 0, 0)
    assert (tile.how, tile.share, count_made(world)) == ("sampled", 0.25, made)
    exact = world.image(0, 0, 128, 128, tile_size=1)
    assert (tile.pixels[:128, :128] == np.asarray(exact)).all()
    for z in (-3, -4, -9, -16):
        tile = draw_map_tile(world, z, 0, 0)
        assert tile.how in ("sampled", "mean")
        assert count_made(world) == made


@compiled_only
@pytest.mark.parametrize(("name", "most"), [("pipes", 4), ("rivers", 6)])
def test_a_tile_makes_few_chunks(name, most):
    for z, x, y in [(-1, 0, 0), (0, -1, 2), (0, 5, 3), (1, 3, 3), (6, -1, -1)]:
        world = World(SETS[name], 7, refine=False)
        draw_map_tile(world, z, x, y)
        assert world.parts.generator.report.interior.windows <= most
