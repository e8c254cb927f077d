"""What neighbours ask for, alone and together, against counting by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from obvious import fitting

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import CHESS, HEX_RIVERS, PIPES, TOWERS
from wavefold.auditing.corners import corner_pairs, corner_triples, count_corners, count_fits, describe_holes
from wavefold.auditing.side_kinds import SideKinds, list_sides

any_tiles = st.one_of(
    socket_tiles(), table_tiles(), socket_tiles("hex", 4), table_tiles("hex", 4), socket_tiles("cube", 3)
)


@given(any_tiles, st.data())
def test_counts_are_what_counting_patterns_gives(tiles, data):
    demands = SideKinds(tiles)
    corners = [*corner_pairs(tiles.topology), *corner_triples(tiles.topology)]
    sides = data.draw(st.sampled_from(corners))
    counts = count_fits(demands, sides)
    patterns = st.tuples(*[st.integers(0, len(tiles) - 1)] * len(sides))
    for neighbours in data.draw(st.lists(patterns, min_size=1, max_size=12)):
        kinds = tuple(demands.kind_of[side][each] for side, each in zip(sides, neighbours, strict=True))
        assert counts[kinds] == len(fitting(tiles, dict(zip(sides, neighbours, strict=True))))


@given(any_tiles)
def test_neighbours_ask_for_the_same_kind_just_when_the_same_patterns_fit(tiles):
    """But sockets that nothing fits are told apart by their names."""
    demands = SideKinds(tiles)
    for side in range(len(tiles.directions)):
        fits = [fitting(tiles, {side: neighbour}) for neighbour in range(len(tiles))]
        for one, other in product(range(len(tiles)), repeat=2):
            same = demands.kind_of[side][one] == demands.kind_of[side][other]
            assert same == (fits[one] == fits[other]) or fits[one] == fits[other] == []


@given(any_tiles)
def test_corners_add_up(tiles):
    demands = SideKinds(tiles)
    for sides in (*corner_pairs(tiles.topology), *corner_triples(tiles.topology)):
        counts = count_fits(demands, sides)
        corner = count_corners(demands, [sides])[0]
        assert corner.combinations == counts.size
        assert corner.impossible == (counts == 0).sum()
        assert corner.fragile == ((counts == 1) | (counts == 2)).sum()


def test_large_sets_are_counted_in_blocks(monkeypatch):
    demands = SideKinds(PIPES)
    whole = count_corners(demands, corner_triples("square")), count_fits(demands, (0, 1, 2)).tolist()
    monkeypatch.setattr("wavefold.auditing.corners.MOST_AT_ONCE", 1)
    assert (
        count_corners(demands, corner_triples("square")),
        count_fits(demands, (0, 1, 2)).tolist(),
    ) == whole


@pytest.mark.parametrize(("topology", "pairs", "triples"), [("square", 4, 4), ("hex", 6, 6), ("cube", 12, 8)])
def test_every_corner_is_looked_at_once(topology, pairs, triples):
    assert len({frozenset(sides) for sides in corner_pairs(topology)}) == pairs
    assert len({frozenset(sides) for sides in corner_triples(topology)}) == triples


def test_kinds_are_called_after_the_socket_the_cell_must_show():
    labels = SideKinds(wf.TileSet([wf.Tile("ramp", ("x", "up>", "x", "up<"))])).labels
    assert labels == [["x"], ["up>"], ["x"], ["up<"]]


def test_kinds_without_sockets_are_called_after_who_asks():
    tiles = wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[wf.Beside("a", "b", "east")])
    labels = {label for side in SideKinds(tiles).labels for label in side}
    assert all(label.startswith("beside ") for label in labels)


def test_levels_are_part_of_a_kind():
    tiles = wf.TileSet([wf.Tile("grass", ("g",) * 4, levels=3)])
    demands = SideKinds(tiles)
    assert demands.kinds == 3
    assert demands.labels[0] == ["g at level 0", "g at level 1", "g at level 2"]


def test_sides_say_how_many_patterns_fit_and_of_which_tiles():
    tiles = wf.TileSet([wf.Tile("line", ("-", "o", "-", "o")), wf.Tile("end", ("-", "-", "-", "o"))])
    east = {side.kind: side for side in list_sides(SideKinds(tiles)) if side.side == "east"}
    assert (east["o"].patterns, east["o"].tiles, east["o"].verdict) == (1, ("line",), "dead end")
    west = {side.kind: side for side in list_sides(SideKinds(tiles)) if side.side == "west"}
    assert (west["-"].patterns, west["-"].verdict) == (0, "impossible")
    assert (west["o"].patterns, west["o"].tiles, west["o"].verdict) == (2, ("line", "end"), "fragile")


@pytest.mark.parametrize("tiles", [CHESS, PIPES, HEX_RIVERS, TOWERS])
def test_sides_are_counted_as_by_hand(tiles):
    demands = SideKinds(tiles)
    reports = iter(list_sides(demands))
    for side, kinds in enumerate(demands.fits):
        for kind in range(len(kinds)):
            asking = int(np.flatnonzero(demands.kind_of[side] == kind)[0])
            assert next(reports).patterns == len(fitting(tiles, {side: asking}))


def test_its_own_kind_is_left_aside_unless_strictly():
    tiles = wf.TileSet([wf.Tile("house", ("g",) * 4, apart=True), wf.Tile("grass", ("g",) * 4)])
    assert SideKinds(tiles).kinds == 1
    strict = SideKinds(tiles, strict=True)
    assert sorted(row.sum() for row in strict.fits[0]) == [1, 2]


def test_holes_name_what_comes_nearest():
    tiles = wf.TileSet([wf.Tile("line", ("-", "o", "-", "o")), wf.Tile("post", ("o", "-", "o", "-"))])
    demands = SideKinds(tiles)
    failing = count_fits(demands, (3, 0)) == 0
    found = describe_holes(demands, (3, 0), failing, 10)
    assert {hole.kinds for hole in found} == {("o", "o"), ("-", "-")}
    assert all(hole.nearest in ("line", "post") and hole.missing in hole.sides for hole in found)
    assert len(describe_holes(demands, (3, 0), failing, 1)) == 1
    assert describe_holes(demands, (3, 0), failing & False, 5) == []
