"""The hexagonal set: the public table, exactly, and pictures that meet at every side."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import wavefold as wf
from draw_tilesets.medieval_fields import wet_corners

TABLE = Path(os.environ.get("WAVEFOLD_DATA") or "nowhere") / "hex" / "hex_tiles.json"
needs_table = pytest.mark.skipif(
    not TABLE.is_file(),
    reason="WAVEFOLD_DATA names no folder with hex/hex_tiles.json: the public table is NOT compared",
)
RADIUS = 8
EAST, WEST = 1, 4


@pytest.fixture(scope="module")
def tiles():
    return wf.TileSet.load("medieval")


def test_there_are_34_tiles_and_924_patterns(tiles):
    assert (len(tiles.tiles), len(tiles)) == (34, 924)
    assert tiles.topology == "hex"
    assert sum(tile.apart for tile in tiles.tiles) == 13


def test_in_each_direction_63640_pairs_may_touch(tiles):
    assert tiles.rules.allowed.sum(axis=(1, 2)).tolist() == [63_640] * 6


def test_sides_are_of_25_kinds(tiles):
    kinds = {
        kind for pattern in tiles.patterns for kind in zip(pattern.sockets, pattern.heights, strict=True)
    }
    assert len(kinds) == 25


@needs_table
def test_every_tile_is_as_in_the_public_table(tiles):
    public = json.loads(TABLE.read_text(encoding="utf-8"))["tiles"]
    for ours, theirs in zip(tiles.tiles, public, strict=True):
        assert ours.name == theirs["name"].lower().replace("_", "-")
        assert list(ours.sockets) == theirs["edges"]
        assert ours.weight == theirs["weight"]
        assert list(ours.rises or (0,) * 6) == theirs["edge_level_offset"]
        assert ours.apart == theirs["prevent_chaining"]
        assert sum(pattern.tile is ours for pattern in tiles.patterns) == theirs["state_count"]


def test_it_says_in_one_line_what_it_is(tiles):
    assert tiles.description.endswith(".")
    assert "\n" not in tiles.description


def check_seed(tiles, seed):
    grid = wf.HexGrid(radius=RADIUS)
    solution = wf.generate(tiles, grid, seed=seed)
    assert wf.check(wf.Problem(tiles, grid), solution) == []
    return solution


@pytest.mark.parametrize("seed", range(3))
def test_a_map_is_made_without_being_told_anything(tiles, seed):
    check_seed(tiles, seed)


@pytest.mark.slow
def test_a_hundred_maps_are_made_without_a_failure(tiles):
    for seed in range(100):
        check_seed(tiles, seed)


def test_the_three_cells_around_a_corner_agree_whether_it_is_wet(tiles):
    """Shores are drawn from corner to corner; sockets alone do not say which end of a coast is wet."""
    grid = wf.HexGrid(radius=RADIUS)
    neighbour = grid.graph().neighbour
    for seed in range(20):
        patterns = wf.generate(tiles, grid, seed=seed).patterns
        wet = np.array([wet_corners(tiles.patterns[pattern]) for pattern in patterns])
        for side in range(
            6
        ):  # corner `side` of a cell is a corner of its neighbours at sides `side` and the next
            for turn, corner in ((0, (side + 2) % 6), (1, (side + 4) % 6)):
                beside = neighbour[:, (side + turn) % 6]
                there = beside >= 0
                assert (wet[there, side] == wet[beside[there], corner]).all()


def test_every_pattern_has_a_picture_for_both_layouts(tiles):
    for number in range(len(tiles)):
        (pointy, turn), (flat, flat_turn) = tiles.art(number), tiles.art(number, flat=True)
        assert pointy.shape == (44, 38, 4)
        assert flat.shape == (38, 44, 4)
        assert turn == flat_turn == (0, False)
        assert (pointy[..., 3] == 255).all()


def test_pictures_of_matching_sides_meet_without_a_seam(tiles):
    """Eastern and western sides that show the same look the same, apart from a blade of grass or a rock."""
    shown = {}
    for number, pattern in enumerate(tiles.patterns):
        for side, column, north in ((EAST, -1, 0), (WEST, 0, 4)):
            edge = tiles.art(number)[0][12:32, column, :3].astype(float)
            if pattern.sockets[side] == "coast" and not wet_corners(pattern)[north]:
                edge = edge[::-1]  # from wet to dry, like the others
            shown.setdefault((pattern.sockets[side], pattern.heights[side]), []).append(edge)
    for (socket, _), edges in shown.items():
        assert np.abs(np.array(edges) - np.median(edges, axis=0)).mean(axis=(1, 2)).max() < 18, socket


def test_higher_land_is_lighter(tiles):
    means = [tiles.art(int(number))[0][..., :3].mean() for number in tiles.rules.patterns("grass")[:5]]
    assert means == sorted(means)


def test_loading_it_does_not_load_the_kernels():
    code = (
        "import sys, wavefold.tiles as t; t.TileSet.load('medieval').rules; "
        "print('wavefold.kernels.units' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
