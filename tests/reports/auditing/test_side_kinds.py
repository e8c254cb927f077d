"""Kinds of sides: what they are called, and how many patterns fit them."""

import numpy as np
import pytest
from obvious import fitting

import wavefold as wf
from support import CHESS, HEX_RIVERS, PIPES, TOWERS
from wavefold.reports.auditing.side_kinds import SideKinds, list_sides


def test_kinds_are_called_after_the_socket_the_cell_must_show():
    labels = SideKinds(wf.TileSet([wf.Tile("ramp", ("x", "up>", "x", "up<"))])).labels
    assert labels == [["x"], ["up>"], ["x"], ["up<"]]


def test_kinds_without_sockets_are_called_after_neighbours():
    tiles = wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[wf.Beside("a", "b", "east")])
    labels = {label for side in SideKinds(tiles).labels for label in side}
    assert all(label.startswith("beside ") for label in labels)


def test_levels_are_part_of_a_kind():
    tiles = wf.TileSet([wf.Tile("grass", ("g",) * 4, levels=3)])
    kinds = SideKinds(tiles)
    assert kinds.count == 3
    assert kinds.labels[0] == ["g at level 0", "g at level 1", "g at level 2"]


def test_sides_say_how_many_patterns_fit_and_of_which_tiles():
    tiles = wf.TileSet([wf.Tile("line", ("-", "o", "-", "o")), wf.Tile("end", ("-", "-", "-", "o"))])
    east = {side.kind: side for side in list_sides(SideKinds(tiles)) if side.side == "east"}
    assert (east["o"].patterns, east["o"].tiles, east["o"].verdict) == (1, ("line",), "dead end")
    west = {side.kind: side for side in list_sides(SideKinds(tiles)) if side.side == "west"}
    assert (west["-"].patterns, west["-"].verdict) == (0, "impossible")
    assert (west["o"].patterns, west["o"].tiles, west["o"].verdict) == (2, ("line", "end"), "fragile")


@pytest.mark.parametrize("tiles", [CHESS, PIPES, HEX_RIVERS, TOWERS])
def test_sides_are_counted_as_by_hand(tiles):
    kinds = SideKinds(tiles)
    reports = iter(list_sides(kinds))
    for side, fits in enumerate(kinds.fits):
        for kind in range(len(fits)):
            asking = int(np.flatnonzero(kinds.kind_of[side] == kind)[0])
            assert next(reports).patterns == len(fitting(tiles, {side: asking}))


def test_the_rule_about_its_own_kind_counts_only_if_strict():
    tiles = wf.TileSet([wf.Tile("house", ("g",) * 4, apart=True), wf.Tile("grass", ("g",) * 4)])
    assert SideKinds(tiles).count == 1
    strict = SideKinds(tiles, strict=True)
    assert sorted(row.sum() for row in strict.fits[0]) == [1, 2]
