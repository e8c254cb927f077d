"""Which patterns a set has, by which names they are found, and which of them match."""

from __future__ import annotations

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
    with pytest.raises(wf.TileSetError, match="at most 4,096 patterns, not 4,800"):
        _ = wf.TileSet(drawn).rules


@given(lattices.flatmap(socket_tiles))
def test_two_sides_match_if_their_sockets_are_equal(tiles):
    allowed = tiles.rules.allowed
    for side, back in enumerate(OPPOSITE[tiles.topology]):
        for a, b in product(range(len(tiles)), repeat=2):
            fits = tiles.patterns[a].sockets[side] == tiles.patterns[b].sockets[back]
            assert allowed[side, a, b] == fits


def test_rules_add_to_sockets_and_take_from_them():
    drawn = [wf.Tile("sand", ("s",) * 4), wf.Tile("sea", ("w",) * 4), wf.Tile("rock", ("s",) * 4)]
    rules = [
        wf.Beside("sand", "sea", "north"),
        wf.Beside("rock", ("sand", "rock"), ("E", "W"), allowed=False),
    ]
    allowed = wf.TileSet(drawn, beside=rules).rules.allowed
    north, east = allowed[0], allowed[1]
    assert north.tolist() == [[True, True, True], [False, True, False], [True, False, True]]
    assert east.tolist() == [[True, False, False], [False, True, False], [False, False, False]]
    assert (allowed[2] == north.T).all()
    assert (allowed[3] == east.T).all()


def test_a_rule_turns_with_what_may_be_turned():
    """A gate stands at the end of a road; neither has sockets."""
    road, gate = wf.Tile("road", symmetry="I"), wf.Tile("gate", symmetry="T")
    tiles = wf.TileSet([road, gate], beside=[wf.Beside("road@0", "gate@0", "north")])
    rules = tiles.rules
    pairs = {
        (direction, rules.names[a], rules.names[b]) for direction, a, b in np.argwhere(rules.allowed).tolist()
    }
    assert pairs == {
        (0, "road", "gate"), (2, "gate", "road"),
        (1, "road@270", "gate@90"), (3, "gate@90", "road@270"),
        (2, "road", "gate@180"), (0, "gate@180", "road"),
        (3, "road@270", "gate@270"), (1, "gate@270", "road@270"),
    }  # fmt: skip


def test_the_sides_of_a_rule_are_those_of_the_tile_as_drawn():
    drawn = [wf.Tile("rock", symmetry="X"), wf.Tile("ice", symmetry="turned")]
    tiles = wf.TileSet(drawn, beside=[wf.Beside("ice", "rock", "north", allowed=False)])
    for turn, name in enumerate(("ice@0", "ice@90", "ice@180", "ice@270")):
        pattern = int(tiles.rules.patterns(name)[0])
        assert tiles.rules.allowed[:, pattern, 0].tolist() == [side != turn for side in range(4)]


def test_what_is_fixed_does_not_turn_with_a_rule():
    tiles = wf.TileSet([wf.Tile("sky"), wf.Tile("ground")], beside=[wf.Beside("ground", "sky", "north")])
    assert np.argwhere(tiles.rules.allowed).tolist() == [[0, 1, 0], [2, 0, 1]]


def test_without_sockets_everything_may_touch_but_what_is_forbidden():
    forbidden = wf.Beside("lava", "ice", allowed=False)
    tiles = wf.TileSet([wf.Tile(name) for name in ("lava", "ice", "rock")], beside=[forbidden])
    assert (~tiles.rules.allowed).sum() == 8
    assert not tiles.rules.allowed[:, 0, 1].any()


@given(st.integers(0, 10**6), st.sampled_from(["square", "hex", "cube"]))
def test_rules_one_by_one_say_what_a_table_says(salt, topology):
    rng = np.random.default_rng(salt)
    names, opposite = ["a", "b", "c"], OPPOSITE[topology]
    table = rng.random((len(opposite), 3, 3)) < 0.4
    table[0, 0, 0] = True
    table = np.stack([table[side] | table[back].T for side, back in enumerate(opposite)])
    compass = wf.TileSet([wf.Tile("a")], topology).directions
    rules = [wf.Beside(names[a], names[b], compass[side]) for side, a, b in np.argwhere(table).tolist()]
    tiles = wf.TileSet([wf.Tile(name) for name in names], topology, beside=rules)
    assert (tiles.rules.allowed == table).all()


def test_a_function_narrows_what_is_allowed_and_both_sides_must_agree():
    drawn = [wf.Tile("low", ("s",) * 4, levels=3), wf.Tile("high", ("s",) * 4, levels=3)]
    flat = wf.TileSet([wf.Tile(f"h{height}", None) for height in range(4)])
    gentle = wf.TileSet(
        flat.tiles, allowed=lambda a, b, direction: abs(int(a.tile.name[1]) - int(b.tile.name[1])) <= 1
    )
    heights = np.arange(4)
    assert (gentle.rules.allowed == (abs(heights[:, None] - heights) <= 1)).all()
    one_way = wf.TileSet(drawn, allowed=lambda a, b, direction: direction != "north" or a.level == 0)
    assert (one_way.rules.allowed[0] == one_way.rules.allowed[2].T).all()
    assert one_way.rules.allowed[0].sum() == 4
    assert one_way.rules.allowed[1].sum() == 12


def test_a_function_that_fails_is_named():
    with pytest.raises(wf.TileSetError, match=r"allowed\('a', 'a', 'north'\) failed: ZeroDivisionError"):
        _ = wf.TileSet([wf.Tile("a")], allowed=lambda a, b, direction: 1 // 0).rules


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (("a", "b"), "written Beside"),
        (wf.Beside("a", "c"), "no tile 'c'"),
        (wf.Beside("a", "b", "nroth"), "no side 'nroth'; did you mean 'north'"),
        (wf.Beside((), "b"), "must name two tiles"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rule, message):
    with pytest.raises(wf.TileSetError, match=message):
        _ = wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[rule]).rules
