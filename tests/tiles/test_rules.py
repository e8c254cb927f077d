"""Rules: names, sizes, digests, kinds, values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CASTLE, CHESS, colouring
from wavefold.tiles import Relation


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


def test_a_pattern_as_it_was_drawn_has_a_name_of_its_own():
    tiles = wf.TileSet([wf.Tile("road", (*"xoxo",), symmetry=(0, 90))])
    assert tiles.rules.patterns("road").tolist() == [0, 1]
    assert tiles.rules.patterns("road@0").tolist() == [0]
    assert tiles.rules.patterns("road@90").tolist() == [1]


@given(st.integers(1, 80), st.integers(0, 10**6))
def test_patterns_of_one_class_allow_the_same(patterns, salt):
    table = np.random.default_rng(salt).random((patterns, patterns)) < 0.5
    table[patterns // 2] = table[0]
    relation = Relation.from_allowed(table)
    assert (relation.table() == table).all()
    assert relation.class_of[patterns // 2] == relation.class_of[0]
    assert len(relation.rows) == len(np.unique(table, axis=0))
