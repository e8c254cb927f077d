"""Corners: counted by the audit as by hand."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from obvious import fitting

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import PIPES
from wavefold.auditing.corners import corner_pairs, corner_triples, count_corners, count_fits, describe_holes
from wavefold.auditing.side_kinds import SideKinds

any_tiles = st.one_of(
    socket_tiles(), table_tiles(), socket_tiles("hex", 4), table_tiles("hex", 4), socket_tiles("cube", 3)
)


@given(any_tiles, st.data())
def test_counts_are_what_counting_patterns_gives(tiles, data):
    kinds = SideKinds(tiles)
    corners = [*corner_pairs(tiles.topology), *corner_triples(tiles.topology)]
    sides = data.draw(st.sampled_from(corners))
    counts = count_fits(kinds, sides)
    patterns = st.tuples(*[st.integers(0, len(tiles) - 1)] * len(sides))
    for neighbours in data.draw(st.lists(patterns, min_size=1, max_size=12)):
        combination = tuple(kinds.kind_of[side][each] for side, each in zip(sides, neighbours, strict=True))
        assert counts[combination] == len(fitting(tiles, dict(zip(sides, neighbours, strict=True))))


@given(any_tiles)
def test_neighbours_ask_for_the_same_kind_just_when_the_same_patterns_fit(tiles):
    """But sockets that nothing fits are told apart by their names."""
    kinds = SideKinds(tiles)
    for side in range(len(tiles.directions)):
        fits = [fitting(tiles, {side: neighbour}) for neighbour in range(len(tiles))]
        for one, other in product(range(len(tiles)), repeat=2):
            same = kinds.kind_of[side][one] == kinds.kind_of[side][other]
            assert same == (fits[one] == fits[other]) or fits[one] == fits[other] == []


@given(any_tiles)
def test_corners_add_up(tiles):
    kinds = SideKinds(tiles)
    for sides in (*corner_pairs(tiles.topology), *corner_triples(tiles.topology)):
        counts = count_fits(kinds, sides)
        corner = count_corners(kinds, [sides])[0]
        assert corner.combinations == counts.size
        assert corner.impossible == (counts == 0).sum()
        assert corner.fragile == ((counts == 1) | (counts == 2)).sum()


def test_large_sets_are_counted_in_blocks(monkeypatch):
    kinds = SideKinds(PIPES)
    whole = count_corners(kinds, corner_triples("square")), count_fits(kinds, (0, 1, 2)).tolist()
    monkeypatch.setattr("wavefold.auditing.corners.MOST_AT_ONCE", 1)
    assert (
        count_corners(kinds, corner_triples("square")),
        count_fits(kinds, (0, 1, 2)).tolist(),
    ) == whole


@pytest.mark.parametrize(("topology", "pairs", "triples"), [("square", 4, 4), ("hex", 6, 6), ("cube", 12, 8)])
def test_every_corner_is_looked_at_once(topology, pairs, triples):
    assert len({frozenset(sides) for sides in corner_pairs(topology)}) == pairs
    assert len({frozenset(sides) for sides in corner_triples(topology)}) == triples


def test_holes_name_what_comes_nearest():
    tiles = wf.TileSet([wf.Tile("line", ("-", "o", "-", "o")), wf.Tile("post", ("o", "-", "o", "-"))])
    kinds = SideKinds(tiles)
    failing = count_fits(kinds, (3, 0)) == 0
    found = describe_holes(kinds, (3, 0), failing, 10)
    assert {hole.kinds for hole in found} == {("o", "o"), ("-", "-")}
    assert all(hole.nearest in ("line", "post") and hole.missing in hole.sides for hole in found)
    assert len(describe_holes(kinds, (3, 0), failing, 1)) == 1
    assert describe_holes(kinds, (3, 0), failing & False, 5) == []
