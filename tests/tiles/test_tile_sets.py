"""Tiles, sockets and tables become rules."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import CASTLE, CHESS, HEX_RIVERS, TOWERS, colouring
from wavefold.common.bitsets import pack_bits, unpack_bits
from wavefold.tiles import Relation

OPPOSITE = {"square": (2, 3, 0, 1), "hex": (3, 4, 5, 0, 1, 2), "cube": (2, 3, 0, 1, 5, 4)}
lattices = st.sampled_from(["square", "hex", "cube"])


@given(lattices.flatmap(socket_tiles))
def test_two_sides_match_if_their_sockets_are_equal(tiles):
    allowed = tiles.rules.allowed
    for side, back in enumerate(OPPOSITE[tiles.topology]):
        for a, b in product(range(len(tiles)), repeat=2):
            fits = tiles.patterns[a].sockets[side] == tiles.patterns[b].sockets[back]
            assert allowed[side, a, b] == fits


@given(lattices.flatmap(table_tiles))
def test_a_table_comes_back_as_it_was_given(tiles):
    assert (tiles.rules.allowed == tiles._table).all()
    for direction in range(len(tiles._table)):
        for pattern in range(len(tiles)):
            assert (tiles.rules.allows(direction, pattern) == tiles._table[direction, pattern]).all()


@given(st.integers(1, 200), st.integers(0, 10**6))
def test_packing_and_unpacking_are_inverse(patterns, salt):
    flags = np.random.default_rng(salt).random((3, patterns)) < 0.4
    words = pack_bits(flags)
    assert words.shape == (3, -(-patterns // 64))
    assert (unpack_bits(words, patterns) == flags).all()
    assert int(words[0, 0]) == sum(1 << i for i in np.flatnonzero(flags[0][:64]).tolist())


@given(st.integers(1, 80), st.integers(0, 10**6))
def test_patterns_of_one_class_allow_the_same(patterns, salt):
    table = np.random.default_rng(salt).random((patterns, patterns)) < 0.5
    table[patterns // 2] = table[0]
    relation = Relation.from_allowed(table)
    assert (relation.table() == table).all()
    assert relation.class_of[patterns // 2] == relation.class_of[0]
    assert len(relation.rows) == len(np.unique(table, axis=0))


def test_turning_goes_clockwise():
    tiles = wf.TileSet([wf.Tile("arrow", ("n", "e", "s", "w"), symmetry=(0, 90, 270))])
    assert [pattern.name for pattern in tiles.patterns] == ["arrow", "arrow@90", "arrow@270"]
    assert tiles.patterns[1].sockets == ("w", "n", "e", "s")
    assert tiles.patterns[2].sockets == ("e", "s", "w", "n")


def test_hexagons_turn_by_sixty_degrees_and_cubes_around_the_vertical():
    assert [pattern.name for pattern in HEX_RIVERS.patterns[7:10]] == ["river", "river@60", "river@120"]
    room = next(pattern for pattern in TOWERS.patterns if pattern.name == "room@90")
    assert room.sockets == (*".-.-##",)


def test_a_name_stands_for_all_turns_and_a_full_name_for_one():
    rules = CASTLE.rules
    assert [rules.names[each] for each in rules.patterns("daac")] == [
        "daac",
        "daac@90",
        "daac@180",
        "daac@270",
    ]
    assert [rules.names[each] for each in rules.patterns("daac@180")] == ["daac@180"]


def test_rules_know_their_sizes():
    assert repr(CASTLE.rules) == "Rules(16 patterns of 4 tiles, 4 relations)"
    assert len(CASTLE.rules) == len(CASTLE) == 16
    assert CASTLE.rules.words == 1
    assert repr(CASTLE) == "TileSet(4 tiles, 16 patterns, square)"


def test_equal_rules_have_equal_digests_and_others_do_not():
    again = wf.TileSet([wf.Tile("white", ("a", "a", "b", "b")), wf.Tile("black", ("b", "b", "a", "a"))])
    heavier = wf.TileSet([wf.Tile("white", ("a", "a", "b", "b"), 2), wf.Tile("black", ("b", "b", "a", "a"))])
    assert again.rules.digest == CHESS.rules.digest
    assert heavier.rules.digest != CHESS.rules.digest


def test_kinds_keep_apart_in_the_public_table():
    everything = Relation.from_allowed(np.ones((3, 3), bool))
    rules = wf.Rules("abc", [everything] * 4, kinds=[0, 0, -1], topology="square")
    assert rules.allowed[0].tolist() == [[False, False, True], [False, False, True], [True, True, True]]
    assert rules.allows(1, 0).tolist() == [False, False, True]


def test_values_stand_for_patterns():
    rules = colouring(3)
    valued = wf.Rules(rules.names, rules.relations, values=[(1, 2), None, (1, 2)])
    assert valued.patterns((1, 2)).tolist() == [0, 2]
    assert valued.patterns(None).tolist() == [1]
    with pytest.raises(wf.TileSetError, match=r"there is no value \(1, 3\)"):
        valued.patterns((1, 3))


def test_bundled_names_are_listed_and_load():
    assert wf.tilesets() == sorted(wf.tilesets()) != []
    assert all(wf.TileSet.load(name).name == name for name in wf.tilesets())


def test_a_pattern_as_it_was_drawn_has_a_name_of_its_own():
    tiles = wf.TileSet([wf.Tile("road", (*"xoxo",), symmetry=(0, 90))])
    assert tiles.rules.patterns("road").tolist() == [0, 1]
    assert tiles.rules.patterns("road@0").tolist() == [0]
    assert tiles.rules.patterns("road@90").tolist() == [1]
