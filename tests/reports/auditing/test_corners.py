"""Corners and rows without dead ends, against slow, obvious versions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from obvious import fitting, placements

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import CASTLE, CHESS, HEX_RIVERS, LOOPS, PIPES, TINTED, TOWERS
from wavefold.reports.auditing.corners import (
    STARTS,
    check_sub_complete,
    count_corner,
    count_corners,
    count_fits,
    describe_holes,
    find_possible_combinations,
    list_corner_pairs,
    list_corner_triples,
)
from wavefold.reports.auditing.side_kinds import SideKinds
from wavefold.topology import get_lattice_class

any_tiles = st.one_of(
    socket_tiles(), table_tiles(), socket_tiles("hex", 4), table_tiles("hex", 4), socket_tiles("cube", 3)
)


@given(any_tiles, st.data())
def test_counts_are_what_counting_patterns_gives(tiles, data):
    kinds = SideKinds(tiles)
    corners = [*list_corner_pairs(tiles.topology), *list_corner_triples(tiles.topology)]
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
    for sides in (*list_corner_pairs(tiles.topology), *list_corner_triples(tiles.topology)):
        counts = count_fits(kinds, sides)
        corner = count_corners(kinds, [sides])[0]
        assert corner.combinations == counts.size
        assert corner.impossible == (counts == 0).sum()
        assert corner.fragile == ((counts == 1) | (counts == 2)).sum()


def test_large_sets_are_counted_in_blocks(monkeypatch):
    kinds = SideKinds(PIPES)
    whole = count_corners(kinds, list_corner_triples("square")), count_fits(kinds, (0, 1, 2)).tolist()
    monkeypatch.setattr("wavefold.reports.auditing.corners.NUMBERS_AT_ONCE", 1)
    assert (
        count_corners(kinds, list_corner_triples("square")),
        count_fits(kinds, (0, 1, 2)).tolist(),
    ) == whole


@pytest.mark.parametrize(("topology", "pairs", "triples"), [("square", 4, 4), ("hex", 6, 6), ("cube", 12, 8)])
def test_every_corner_is_looked_at_once(topology, pairs, triples):
    assert len({frozenset(sides) for sides in list_corner_pairs(topology)}) == pairs
    assert len({frozenset(sides) for sides in list_corner_triples(topology)}) == triples


def test_holes_name_what_comes_nearest():
    tiles = wf.TileSet([wf.Tile("line", ("-", "o", "-", "o")), wf.Tile("post", ("o", "-", "o", "-"))])
    kinds = SideKinds(tiles)
    failing = count_fits(kinds, (3, 0)) == 0
    found = describe_holes(kinds, (3, 0), failing, 10)
    assert {hole.kinds for hole in found} == {("o", "o"), ("-", "-")}
    assert all(hole.nearest in ("line", "post") and hole.missing in hole.sides for hole in found)
    assert len(describe_holes(kinds, (3, 0), failing, 1)) == 1
    assert describe_holes(kinds, (3, 0), failing & False, 5) == []


SEEDS = range(5)


def scan_corners(topology):
    return [get_lattice_class(topology).sides_before(start) for start in STARTS]


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
    assert (find_possible_combinations(kinds, sides) == asked_kinds(kinds, sides)).all()


@given(
    st.one_of(socket_tiles("hex", 3), table_tiles("hex", 4)),
    st.sampled_from(scan_corners("hex")),
)
def test_on_hexagons_what_arises_is_what_can_be_placed(tiles, sides):
    kinds = SideKinds(tiles, strict=True)
    for chosen in (sides[:2], sides[1:], sides):
        assert (find_possible_combinations(kinds, chosen) == asked_kinds(kinds, chosen)).all()


@given(table_tiles("cube", 3), st.sampled_from(scan_corners("cube")))
def test_on_cubes_nothing_that_can_be_placed_is_missed(tiles, sides):
    kinds = SideKinds(tiles, strict=True)
    assert not (asked_kinds(kinds, sides) & ~find_possible_combinations(kinds, sides)).any()


@given(st.one_of(socket_tiles(most=4), table_tiles(most=4)))
def test_a_verdict_fails_just_when_some_placement_leaves_nothing(tiles):
    fails = any(
        not fitting(tiles, asked) for chosen in ((3, 0), (3,), (0,)) for asked in placements(tiles, chosen)
    )
    assert count_corner(SideKinds(tiles, strict=True), (3, 0)).holds == (not fails)


def decided_before(topology):
    """The sides of a cell on which a scan by rows has been already, as the audit calls that corner."""
    grid = get_lattice_class(topology).of_width(5)
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
    verdict = count_corner(SideKinds(tiles, strict=True), sides)
    event(f"{tiles.topology}: {verdict.holds}")
    if verdict.holds:
        width = {"square": 6, "hex": 5, "cube": 3}[tiles.topology]
        assert not any(count_contradictions(tiles, get_lattice_class(tiles.topology).of_width(width)))


@pytest.mark.parametrize("tiles", [CHESS, PIPES, LOOPS, TINTED])
def test_sets_known_not_to_fail(tiles):
    verdict = check_sub_complete(tiles)
    assert verdict is not None
    assert verdict.holds
    assert verdict.corner == ("west", "north")
    assert verdict.failing == 0
    assert verdict.holes == ()
    assert not any(count_contradictions(tiles, wf.SquareGrid(6, 6)))


@pytest.mark.parametrize("tiles", [CASTLE, HEX_RIVERS, TOWERS])
def test_sets_known_to_fail_say_where(tiles):
    verdict = check_sub_complete(tiles)
    assert verdict is not None
    assert not verdict.holds
    assert 0 < verdict.failing <= verdict.arising
    assert 0 < len(verdict.holes) <= verdict.failing
    labels = {label for side in SideKinds(tiles).labels for label in side}
    assert {kind for hole in verdict.holes for kind in hole.kinds} <= labels


def test_what_may_not_touch_its_own_kind_counts():
    """Alone, houses could fill every row; but they may not touch."""
    houses = wf.TileSet([wf.Tile("house", ("g",) * 4, apart=True)])
    assert count_corner(SideKinds(houses), (3, 0)).holds
    assert not count_corner(SideKinds(houses, strict=True), (3, 0)).holds


def test_a_set_too_large_to_tell_says_so(monkeypatch):
    monkeypatch.setattr("wavefold.reports.auditing.corners.MOST_PATTERNS", 1)
    assert check_sub_complete(CHESS) is None


def test_the_best_corner_is_found():
    """What the west asks for, nothing shows, whatever stands in the east; so rows must start there."""
    colours = ("a", "b")
    tiles = wf.TileSet(
        [wf.Tile(f"{n}{e}{s}", (n, e, s, "a")) for n, e, s in product(colours, colours, colours)]
    )
    assert not count_corner(SideKinds(tiles), (3, 0)).holds
    verdict = check_sub_complete(tiles)
    assert verdict is not None
    assert verdict.holds
    assert "west" not in verdict.corner
