"""Tiles that can never appear, and tiles that would help."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from obvious import failing_pairs

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import CASTLE, HEX_RIVERS, PIPES, TOWERS, brute_force
from wavefold.auditing.corners import corner_pairs
from wavefold.auditing.maps import middle_of
from wavefold.auditing.suggestions import suggest_tiles
from wavefold.auditing.unplaceable import find_unplaceable, find_unsupported
from wavefold.topology import lattice_class


def surrounded(tiles, pattern, side=3):
    """Whether a map exists with the pattern in its middle, by trying."""
    grid = lattice_class(tiles.topology).of_width(side)
    masks = np.ones((grid.cell_count, len(tiles)), bool)
    masks[middle_of(grid)] = np.arange(len(tiles)) == pattern
    return bool(brute_force(wf.Problem(tiles, grid, masks=masks), most=1))


@given(st.one_of(socket_tiles(most=3), table_tiles(most=4), table_tiles("hex", 4)))
def test_lonely_patterns_are_those_that_cannot_be_surrounded(tiles):
    with pytest.MonkeyPatch.context() as patch:
        grid = lattice_class(tiles.topology)
        patch.setattr(grid, "sizes", grid.sizes._replace(surroundings=3))
        found = {each.pattern for each in find_unplaceable(tiles, seen=())}
    without_support = set(find_unsupported(tiles))
    for pattern, name in enumerate(tiles.rules.names):
        if pattern in without_support:
            assert name in found
        else:
            assert (name in found) == (not surrounded(tiles, pattern))


@given(st.one_of(socket_tiles(most=4), table_tiles(most=5)))
def test_without_support_is_what_taking_away_one_by_one_leaves(tiles):
    allowed = tiles.rules.allowed
    alive = set(range(len(tiles)))
    while True:
        lost = {a for a in alive if not all(any(allowed[side, a, b] for b in alive) for side in range(4))}
        if not lost:
            break
        alive -= lost
    assert set(find_unsupported(tiles)) == set(range(len(tiles))) - alive


def test_a_tile_that_nothing_fits_is_named_with_the_reason():
    tiles = wf.TileSet([*PIPES.tiles, wf.Tile("plug", ("?", "-", "-", "-"))])
    (found,) = find_unplaceable(tiles, seen=())
    assert (found.pattern, found.tile, found.whole_tile) == ("plug", "plug", True)
    assert found.why == "nothing fits its north side"


def test_what_only_lonely_tiles_fit_is_lonely_too():
    tiles = wf.TileSet(
        [*PIPES.tiles, wf.Tile("cap", ("-", "-", "x", "-")), wf.Tile("plug", ("x", "?", "-", "-"))]
    )
    reasons = {each.pattern: each.why for each in find_unplaceable(tiles, seen=())}
    assert reasons == {
        "cap": "only tiles that cannot stand inside a map fit its south side",
        "plug": "nothing fits its east side",
    }


def test_what_stands_at_a_rim_only_is_told_apart():
    ground = wf.TileSet([wf.Tile("ground", (*"gggga?",)), wf.Tile("air", (*"gggg" + "aa",))], "cube")
    report = wf.audit(ground)
    assert [(each.tile, each.at_rim) for each in report.unplaceable] == [("ground", True)]
    assert find_unplaceable(ground, seen=())[0].at_rim is False


def test_a_tile_may_be_lonely_in_some_turns_only():
    tiles = wf.TileSet([*PIPES.tiles, wf.Tile("flag", ("-", "-", "-", "o"), symmetry=("0", "90"))])
    everything = wf.TileSet(
        [wf.Tile("wind", ("a", "b", "a", "b"), symmetry=("0", "90")), wf.Tile("calm", (*"aaaa",))]
    )
    assert find_unplaceable(tiles, seen=()) == []
    found = find_unplaceable(everything, seen=())
    assert all(not each.whole_tile for each in found if each.tile == "calm")


def test_what_was_seen_inside_a_map_needs_no_proof(monkeypatch):
    monkeypatch.setattr(
        "wavefold.auditing.unplaceable.RegionSolver", lambda _: pytest.fail("nothing was left to prove")
    )
    assert find_unplaceable(PIPES, seen=range(len(PIPES))) == []


@pytest.mark.parametrize("tiles", [CASTLE, HEX_RIVERS, TOWERS])
def test_a_suggested_tile_fills_as_many_corners_as_it_says(tiles):
    pairs = corner_pairs(tiles.topology)
    found = suggest_tiles(tiles)
    assert found
    before = failing_pairs(tiles, pairs)
    for each in found:
        assert 0 < each.fills <= each.failing_before
        assert each.failing_after == each.failing_before - each.fills
        new = wf.Tile("suggested", each.sockets, symmetry="turned")
        better = wf.TileSet([*tiles.tiles, new], tiles.topology)
        after = {
            asked for asked in failing_pairs(better, pairs) if max(asked[0][1], asked[1][1]) < len(tiles)
        }
        assert len(after & before) < len(before)
    fills = [each.fills for each in found]
    assert fills == sorted(fills, reverse=True)


def test_a_set_that_lacks_one_tile_is_told_which():
    """Straight pipes only: where two meet around a corner, nothing fits. A bend or a crossing would."""
    tiles = wf.TileSet([wf.Tile("wall", (*"----",)), wf.Tile("pipe", (*"o-o-",), symmetry=(0, 90))])
    best = suggest_tiles(tiles)[0]
    assert (best.failing_before, best.failing_after) == (4, 0)
    assert "oo" in "".join(best.sockets + best.sockets)


def test_suggestions_respect_levels():
    tiles = wf.TileSet(
        [wf.Tile("low", (*"gggg",), levels=2), wf.Tile("rim", (*"gggg",), levels=2, rises=(1, 1, 0, 0))]
    )
    for each in suggest_tiles(tiles):
        assert min(each.rises) == 0
        assert max(each.rises) <= 1


@pytest.mark.parametrize(
    "tiles",
    [
        wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[wf.Beside("a", "b", "east")]),
        wf.TileSet([wf.Tile("a", (1, "x", None, 2.5)), wf.Tile("b", ("x", 1, 2.5, None))]),
    ],
    ids=["neighbour rules", "sockets that are no words"],
)
def test_what_cannot_be_told_in_words_gets_no_suggestion(tiles):
    assert suggest_tiles(tiles) == []
