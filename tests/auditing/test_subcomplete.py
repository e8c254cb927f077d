"""Sets whose rows can be filled without a dead end: what can arise, against placing tiles by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from obvious import fitting, placements

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import CASTLE, CHESS, HEX_RIVERS, LOOPS, PIPES, TINTED, TOWERS
from wavefold.auditing.side_kinds import SideKinds
from wavefold.auditing.subcomplete import (
    STARTS,
    check_corner,
    check_sub_complete,
    possible_combinations,
)
from wavefold.kernels.jit import COMPILED
from wavefold.topology import lattice_class

SEEDS = range(5 if COMPILED else 2)


def scan_corners(topology):
    return [lattice_class(topology).sides_before(start) for start in STARTS]


def asked_kinds(kinds, sides):
    """Flags [kind, …] of what placing tiles by hand can ask for on these sides."""
    found = np.zeros([len(kinds.fits[side]) for side in sides], bool)
    for asked in placements(kinds.tiles, sides):
        found[tuple(kinds.kind_of[side][asked[side]] for side in sides)] = True
    return found


@given(
    st.one_of(socket_tiles(most=4), table_tiles(most=4)),
    st.sampled_from(scan_corners("square")),
)
def test_on_squares_pairs_arise_just_when_three_cells_can_be_placed(tiles, sides):
    kinds = SideKinds(tiles, strict=True)
    assert (possible_combinations(kinds, sides) == asked_kinds(kinds, sides)).all()


@given(
    st.one_of(socket_tiles("hex", 3), table_tiles("hex", 4)),
    st.sampled_from(scan_corners("hex")),
)
def test_on_hexagons_what_arises_is_what_can_be_placed(tiles, sides):
    kinds = SideKinds(tiles, strict=True)
    for chosen in (sides[:2], sides[1:], sides):
        assert (possible_combinations(kinds, chosen) == asked_kinds(kinds, chosen)).all()


@given(table_tiles("cube", 3), st.sampled_from(scan_corners("cube")))
def test_on_cubes_nothing_that_can_be_placed_is_missed(tiles, sides):
    kinds = SideKinds(tiles, strict=True)
    assert not (asked_kinds(kinds, sides) & ~possible_combinations(kinds, sides)).any()


@given(st.one_of(socket_tiles(most=4), table_tiles(most=4)))
def test_a_verdict_fails_just_when_some_placement_leaves_nothing(tiles):
    fails = any(
        not fitting(tiles, asked) for chosen in ((3, 0), (3,), (0,)) for asked in placements(tiles, chosen)
    )
    assert check_corner(SideKinds(tiles, strict=True), (3, 0)).holds == (not fails)


def decided_before(topology):
    """The sides of a cell on which a scan by rows has been already, as the audit calls that corner."""
    grid = lattice_class(topology).of_width(5)
    cell = int(grid.spiral()[0])
    earlier = {side for side, other in enumerate(grid.graph().neighbour[cell].tolist()) if 0 <= other < cell}
    return next(sides for sides in scan_corners(topology) if set(sides) == earlier)


def count_contradictions(tiles, grid):
    """Contradictions of scanline order, by seed."""
    problem = wf.Problem(tiles, grid)
    return [
        wf.Solver(problem, seed, "scanline", search="backtrack").run().stats.contradictions for seed in SEEDS
    ]


@given(
    st.one_of(socket_tiles(), table_tiles(), socket_tiles("hex", 5), table_tiles("hex"), table_tiles("cube"))
)
def test_a_set_that_cannot_fail_never_does(tiles):
    sides = decided_before(tiles.topology)
    verdict = check_corner(SideKinds(tiles, strict=True), sides)
    event(f"{tiles.topology}: {verdict.holds}")
    if verdict.holds:
        width = {"square": 6, "hex": 5, "cube": 3}[tiles.topology]
        assert not any(count_contradictions(tiles, lattice_class(tiles.topology).of_width(width)))


@pytest.mark.parametrize("tiles", [CHESS, PIPES, LOOPS, TINTED])
def test_sets_known_not_to_fail(tiles):
    verdict = check_sub_complete(SideKinds(tiles, strict=True))
    assert verdict is not None
    assert verdict.holds
    assert verdict.corner == ("west", "north")
    assert verdict.failing == 0
    assert verdict.holes == ()
    assert not any(count_contradictions(tiles, wf.SquareGrid(6, 6)))


@pytest.mark.parametrize("tiles", [CASTLE, HEX_RIVERS, TOWERS])
def test_sets_known_to_fail_say_where(tiles):
    verdict = check_sub_complete(SideKinds(tiles, strict=True))
    assert verdict is not None
    assert not verdict.holds
    assert 0 < verdict.failing <= verdict.arising
    assert 0 < len(verdict.holes) <= verdict.failing
    labels = {label for side in SideKinds(tiles).labels for label in side}
    assert {kind for hole in verdict.holes for kind in hole.kinds} <= labels


def test_what_may_not_touch_its_own_kind_counts():
    """Alone, houses could fill every row; but they may not touch."""
    houses = wf.TileSet([wf.Tile("house", ("g",) * 4, apart=True)])
    assert check_corner(SideKinds(houses), (3, 0)).holds
    assert not check_corner(SideKinds(houses, strict=True), (3, 0)).holds


def test_a_set_too_large_to_tell_says_so(monkeypatch):
    monkeypatch.setattr("wavefold.auditing.subcomplete.MOST_FOR_PROOF", 1)
    assert check_sub_complete(SideKinds(CHESS)) is None


def test_the_best_corner_is_found():
    """What the west asks for, nothing shows, whatever stands in the east; so rows must start there."""
    colours = ("a", "b")
    tiles = wf.TileSet(
        [wf.Tile(f"{n}{e}{s}", (n, e, s, "a")) for n, e, s in product(colours, colours, colours)]
    )
    assert not check_corner(SideKinds(tiles), (3, 0)).holds
    verdict = check_sub_complete(SideKinds(tiles))
    assert verdict is not None
    assert verdict.holds
    assert "west" not in verdict.corner
