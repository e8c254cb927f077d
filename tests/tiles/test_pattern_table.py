"""Which patterns a set has, by which names they are found, and which of them match."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import rich_tiles, socket_tiles
from wavefold.tiles.tile import flip_socket

OPPOSITE = {"square": (2, 3, 0, 1), "hex": (3, 4, 5, 0, 1, 2), "cube": (2, 3, 0, 1, 5, 4)}
SIDES = {"square": 4, "hex": 6, "cube": 6}
lattices = st.sampled_from(["square", "hex", "cube"])


@given(rich_tiles())
def test_sides_match_in_socket_and_height_and_own_kinds_stay_apart(tiles):
    allowed = tiles.rules.allowed
    for side, back in enumerate(OPPOSITE[tiles.topology]):
        for a, b in product(range(len(tiles)), repeat=2):
            here, there = tiles.patterns[a], tiles.patterns[b]
            fits = here.sockets[side] == flip_socket(there.sockets[back])
            fits &= here.heights[side] == there.heights[back]
            fits &= not (here.tile is there.tile and here.tile.apart)
            assert allowed[side, a, b] == fits


@given(rich_tiles())
def test_every_pattern_is_named_once_and_found_by_its_name(tiles):
    names = [pattern.name for pattern in tiles.patterns]
    assert len(set(names)) == len(names)
    for number, pattern in enumerate(tiles.patterns):
        exact = pattern.name if "@" in pattern.name else f"{pattern.name}@0"
        assert tiles.rules.patterns(exact).tolist() == [number]
        mirror = "m" if pattern.orientation.mirrored else ""
        spelled = f"{pattern.tile.name}@{mirror}r{pattern.orientation.turn}l{pattern.level}"
        assert tiles.rules.patterns(spelled).tolist() == [number]


@given(rich_tiles())
def test_a_set_is_the_same_seen_in_a_mirror(tiles):
    """Where every tile may be turned and mirrored, so may what is allowed: the table keeps its symmetry."""
    free = wf.TileSet(
        [
            wf.Tile(tile.name, tile.sockets, symmetry="F", levels=tile.levels, rises=tile.rises)
            for tile in tiles.tiles
        ],
        tiles.topology,
    )
    number = {(each.tile.name, each.orientation, each.level): i for i, each in enumerate(free.patterns)}
    ring = 6 if free.topology == "hex" else 4
    axis = 5 if free.topology == "hex" else 0
    mirror = wf.tiles.Orientation(0, True)
    image = [
        number[each.tile.name, mirror.after(each.orientation, ring), each.level] for each in free.patterns
    ]
    allowed = free.rules.allowed
    for side in range(SIDES[free.topology]):
        mirrored = (axis - side) % ring if side < ring else side
        assert (allowed[mirrored][np.ix_(image, image)] == allowed[side]).all()


def test_heights_count_without_sockets_too():
    tiles = wf.TileSet([wf.Tile("step", levels=3), wf.Tile("slope", levels=3, rises=(1, 0, 0, 0))])
    heights = np.array([pattern.heights for pattern in tiles.patterns])
    for side, back in enumerate((2, 3, 0, 1)):
        assert (tiles.rules.allowed[side] == (heights[:, side, None] == heights[None, :, back])).all()


def test_too_many_patterns_for_a_table_are_refused_before_it_is_made():
    drawn = [wf.Tile(f"t{number}", symmetry="F") for number in range(600)]
    with pytest.raises(wf.TileSetError, match="4,800 patterns are too many for neighbour rules"):
        _ = wf.TileSet(drawn).rules


@given(lattices.flatmap(socket_tiles))
def test_two_sides_match_if_their_sockets_are_equal(tiles):
    allowed = tiles.rules.allowed
    for side, back in enumerate(OPPOSITE[tiles.topology]):
        for a, b in product(range(len(tiles)), repeat=2):
            fits = tiles.patterns[a].sockets[side] == tiles.patterns[b].sockets[back]
            assert allowed[side, a, b] == fits
