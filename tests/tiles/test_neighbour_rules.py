"""Neighbour rules with a weight: factors on pairs, which change nothing about what may touch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import rich_tiles

BRIDGE = wf.Tile("bridge", ("road", "water", "road", "water"), symmetry="I")
FIELD = wf.Tile("field", ("water",) * 4, symmetry="X")


def factor(tiles, here, there, side):
    rules = tiles.rules
    (a,), (b,) = rules.patterns(here), rules.patterns(there)
    return rules.soft.table(tiles.directions.index(side))[a, b]


@given(rich_tiles(), st.data())
def test_factors_are_the_same_seen_from_either_side(tiles, data):
    names = st.sampled_from([tile.name for tile in tiles.tiles])
    sides = st.lists(st.sampled_from(tiles.directions), max_size=2).map(tuple)
    weights = st.sampled_from([0.2, 1.5, 4.0])
    rules = data.draw(st.lists(st.builds(wf.Beside, names, names, sides, st.just(True), weights), min_size=1))
    soft = wf.TileSet(tiles.tiles, tiles.topology, beside=rules).rules.soft
    for side, back in enumerate(tiles.opposite):
        assert (soft.table(side) == soft.table(back).T).all()


def test_a_weight_changes_only_the_factors():
    plain = wf.TileSet([BRIDGE, FIELD])
    weighed = wf.TileSet([BRIDGE, FIELD], beside=[wf.Beside("bridge", "field", weight=0.2)])
    assert (plain.rules.allowed == weighed.rules.allowed).all()
    assert plain.rules.soft is None
    assert plain.rules.digest == weighed.rules.digest
    assert plain.rules.soft_digest != weighed.rules.soft_digest
    one = wf.TileSet([BRIDGE, FIELD], beside=[wf.Beside("bridge", "field", weight=1)])
    assert one.rules.digest == plain.rules.digest


def test_without_sockets_a_weight_does_not_forbid_what_it_does_not_name():
    tiles = wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[wf.Beside("a", "b", weight=0.2)])
    assert tiles.rules.allowed.all()


def test_a_factor_turns_with_the_tile():
    tiles = wf.TileSet([BRIDGE, FIELD], beside=[wf.Beside("bridge", "field", "east", weight=0.2)])
    assert factor(tiles, "bridge@0", "field", "east") == 0.2
    assert factor(tiles, "bridge@0", "field", "west") == 0.2  # turned by 180 degrees it looks the same
    assert factor(tiles, "bridge@90", "field", "north") == 0.2
    assert factor(tiles, "bridge@90", "field", "east") == 1
    assert factor(tiles, "field", "bridge@0", "west") == 0.2


def test_factors_of_several_rules_multiply_and_one_rule_counts_once():
    rules = [wf.Beside("field", "field", weight=0.5), wf.Beside(("field", "bridge"), "field", weight=3)]
    tiles = wf.TileSet([BRIDGE, FIELD], beside=rules)
    assert factor(tiles, "field", "field", "north") == 1.5
    assert factor(tiles, "field", "bridge@0", "north") == 3


def test_plain_solving_ignores_factors():
    grid = wf.SquareGrid(12, 12)
    maps = [
        wf.Solver(wf.Problem(wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=beside), grid), 3).run().patterns
        for beside in ((), (wf.Beside("a", "b", weight=0.01),))
    ]
    assert (maps[0] == maps[1]).all()


def test_refining_avoids_pairs_with_a_small_factor():
    tiles = wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[wf.Beside("a", "b", weight=0.05)])
    start = wf.Solver(wf.Problem(tiles, wf.SquareGrid(16, 16)), 3).run()
    refined = start.refine(20, calibrate=False)

    def count_changes(solution):
        array = solution.array
        return int((np.diff(array, axis=0) != 0).sum() + (np.diff(array, axis=1) != 0).sum())

    assert count_changes(refined) < count_changes(start) / 3


@pytest.mark.parametrize("weight", [0, -1.0, float("nan"), float("inf"), True, "0.2"])
def test_a_weight_must_be_a_number_above_zero(weight):
    with pytest.raises(wf.TileSetError, match="the weight of a neighbour rule must be a number above 0"):
        wf.TileSet([BRIDGE, FIELD], beside=[wf.Beside("bridge", "field", weight=weight)])


def test_a_rule_forbids_or_weighs():
    with pytest.raises(wf.TileSetError, match="cannot be combined"):
        wf.TileSet([BRIDGE, FIELD], beside=[wf.Beside("bridge", "field", allowed=False, weight=0.2)])
