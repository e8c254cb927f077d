"""Patterns that cannot appear inside a map, against slow, obvious versions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import PIPES, brute_force
from wavefold.reports.auditing.proofs import find_unplaceable, find_unsupported
from wavefold.topology import get_lattice_class


def surrounded(tiles, pattern, side=3):
    """Whether a map exists with the pattern in its middle, by trying."""
    grid = get_lattice_class(tiles.topology).of_width(side)
    masks = np.ones((grid.cell_count, len(tiles)), bool)
    masks[int(grid.spiral()[0])] = np.arange(len(tiles)) == pattern
    return bool(brute_force(wf.Problem(tiles, grid, masks=masks), most=1))


@given(st.one_of(socket_tiles(most=3), table_tiles(most=4), table_tiles("hex", 4)))
def test_unplaceable_patterns_are_those_that_cannot_be_surrounded(tiles):
    with pytest.MonkeyPatch.context() as patch:
        grid = get_lattice_class(tiles.topology)
        patch.setattr(grid, "sizes", grid.sizes._replace(surroundings=3))
        found = {each.pattern for each in find_unplaceable(tiles, seen=())}
    without_support = set(find_unsupported(tiles))
    for pattern, name in enumerate(tiles.rules.names):
        if pattern in without_support:
            assert name in found
        else:
            assert (name in found) == (not surrounded(tiles, pattern))


@given(st.one_of(socket_tiles(most=4), table_tiles(most=5)))
def test_unsupported_patterns_are_those_removed_one_by_one(tiles):
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


def test_a_tile_that_only_unplaceable_tiles_fit_is_unplaceable_too():
    tiles = wf.TileSet(
        [*PIPES.tiles, wf.Tile("cap", ("-", "-", "x", "-")), wf.Tile("plug", ("x", "?", "-", "-"))]
    )
    reasons = {each.pattern: each.why for each in find_unplaceable(tiles, seen=())}
    assert reasons == {
        "cap": "only tiles that cannot appear inside a map fit its south side",
        "plug": "nothing fits its east side",
    }


def test_a_tile_that_appears_only_at_an_edge_is_marked():
    ground = wf.TileSet([wf.Tile("ground", (*"gggga?",)), wf.Tile("air", (*"gggg" + "aa",))], "cube")
    report = wf.audit(ground)
    assert [(each.tile, each.at_rim) for each in report.unplaceable] == [("ground", True)]
    assert find_unplaceable(ground, seen=())[0].at_rim is False


def test_a_tile_may_be_unplaceable_in_some_orientations_only():
    tiles = wf.TileSet([*PIPES.tiles, wf.Tile("flag", ("-", "-", "-", "o"), symmetry=("0", "90"))])
    everything = wf.TileSet(
        [wf.Tile("wind", ("a", "b", "a", "b"), symmetry=("0", "90")), wf.Tile("calm", (*"aaaa",))]
    )
    assert find_unplaceable(tiles, seen=()) == []
    found = find_unplaceable(everything, seen=())
    assert all(not each.whole_tile for each in found if each.tile == "calm")


def test_what_was_seen_inside_a_map_needs_no_proof(monkeypatch):
    monkeypatch.setattr(
        "wavefold.reports.auditing.proofs.RegionSolver", lambda _: pytest.fail("nothing was left to prove")
    )
    assert find_unplaceable(PIPES, seen=range(len(PIPES))) == []
