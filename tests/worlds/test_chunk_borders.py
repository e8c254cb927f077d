"""Borders that suit their neighbours, whoever made them, on any sides and in any order."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_worlds import small_world

import wavefold as wf
from support import APART, CHESS, HEX_RIVERS, PIPES
from wavefold.kernels.units import COMPILED
from wavefold.worlds.chunk_borders import boundaries, seams

SIDE = 5
GRIDS = {"pipes": (PIPES, wf.SquareGrid(SIDE, SIDE)), "rivers": (HEX_RIVERS, wf.HexGrid.rhombus(SIDE, SIDE))}


def neighbours_of(place, made, grid):
    """The chunks made before that touch this place, by side."""
    around = dict(zip(grid.directions, grid.steps.tolist(), strict=True))
    places = {side: (place[0] + right, place[1] + down) for side, (right, down) in around.items()}
    return {side: made[at] for side, at in places.items() if at in made}


@pytest.mark.parametrize("name", list(GRIDS))
@given(order=st.permutations([(x, y) for y in range(3) for x in range(3)]), seed=st.integers(0, 99))
def test_chunks_join_in_any_order(name, order, seed):
    tiles, grid = GRIDS[name]
    made = {}
    for place in order[:4]:
        beside = neighbours_of(place, made, grid)
        try:
            masks = boundaries(tiles, grid, **beside)
            solution = wf.generate(tiles, grid, seed, masks=masks, refine="auto" if COMPILED else False)
        except wf.Contradiction:
            continue  # what the neighbours leave may be impossible; then it is proved
        for side, other in beside.items():
            assert seams(tiles, solution, other, side) == []
        made[place] = solution.array


@pytest.mark.parametrize("name", list(GRIDS))
def test_a_border_takes_what_fits_and_only_that(name):
    tiles, grid = GRIDS[name]
    rules = tiles.rules
    other = np.zeros((SIDE, SIDE), int)  # as drawn by hand: not all of it is valid
    other[0, 2] = other[-1, 2] = other[2, 0] = other[2, -1] = other[0, 0] = other[0, -1] = other[-1, 0] = 5
    for side, step in zip(grid.directions, grid.steps.tolist(), strict=True):
        masks = boundaries(tiles, grid, **{side: other}).reshape(SIDE, SIDE, -1)
        for y in range(SIDE):
            for x in range(SIDE):
                expected = np.ones(len(rules), bool)
                for direction, (right, down) in enumerate(grid.steps.tolist()):
                    there = (x + right - step[0] * SIDE, y + down - step[1] * SIDE)
                    if 0 <= there[0] < SIDE and 0 <= there[1] < SIDE:
                        expected &= rules.allowed[direction][:, other[there[1], there[0]]]
                assert (masks[y, x] == expected).all()


def test_names_borders_and_unknown_cells_do_as_well_as_patterns():
    grid = wf.SquareGrid(3, 3)
    road = [[None, None, None], ["┼", " ", "│"]]
    masks = boundaries(PIPES, grid, north=road)
    assert (masks == boundaries(PIPES, grid, north=["┼", " ", "│"])).all()
    assert (masks == boundaries(PIPES, grid, north=np.array([["┼", " ", "│"]]))).all()
    assert masks[3:].all()
    free = boundaries(PIPES, grid, west=np.array([[-1], [-1], [-1]]), east=[None, None, None], south=None)
    assert free.all()
    top = wf.generate(PIPES, grid, masks=masks).values[0]
    assert [tile in "│└┘├┤┴┼" for tile in top] == [True, False, True]


def test_a_tile_in_any_rotation_allows_what_any_of_them_does():
    lamp = wf.TileSet.load("pipes")
    grid = wf.SquareGrid(1, 1)
    masks = boundaries(lamp, grid, north=["lamp"])
    rules = lamp.rules
    expected = rules.allowed[2][rules.patterns("lamp")].any(axis=0)
    assert (masks[0] == expected).all()


def test_kinds_that_may_not_touch_are_kept_apart():
    pattern = int(np.flatnonzero(APART.kinds == 1)[0])
    masks = boundaries(APART, wf.SquareGrid(1, 1), west=[pattern])
    assert not masks[0, APART.kinds == 1].any()
    assert masks[0, APART.kinds == 2].any()
    clash = int(np.flatnonzero(APART.kinds == 1)[1])
    assert [each.kind for each in seams(APART, [clash], [pattern], "west")] == ["seam"]


def test_hex_chunks_touch_at_corners_too():
    tiles, grid = GRIDS["rivers"]
    spring = tiles.rules.names.index("spring@180")  # its water flows to the southwest
    masks = boundaries(tiles, grid, northeast=[spring]).reshape(SIDE, SIDE, -1)
    assert not masks[0, -1].all()
    assert masks.all(axis=2).sum() == SIDE * SIDE - 1


def test_where_nothing_fits_the_cell_and_its_neighbours_are_named():
    grid = wf.SquareGrid(4, 4)
    no_end = wf.TileSet([wf.Tile("│", (*"oxoy",)), wf.Tile("corner", (*"abcd",))])
    north, west = ["│", None, None, None], ["corner", None, None, None]
    words = r"column 0, row 0 .* '│' to the north, 'corner' to the west"
    with pytest.raises(wf.Contradiction, match=words) as raised:
        boundaries(no_end, grid, north=north, west=west)
    assert raised.value.cell == 0


def test_what_only_propagation_sees_is_proved_before_the_search():
    grid = wf.SquareGrid(3, 1)
    masks = boundaries(CHESS, grid, west=["white"], east=["black"])
    with pytest.raises(wf.Contradiction):
        wf.generate(CHESS, grid, masks=masks)
    solver = wf.Solver(wf.Problem(CHESS, grid, masks=masks))
    assert solver.status == "contradiction"
    assert solver.stats.decisions == 0


def test_every_mismatch_of_a_seam_is_listed():
    one = [["│", "│"], [" ", "│"]]
    other = [["─", "│"], ["│", "│"]]
    found = seams(PIPES, one, other, "east")
    assert [each.cells for each in found] == [(1, 0)]
    assert found[0].text == "'│' at (1, 0) may not have '─', at (0, 0) of the other chunk, to the east"
    assert len(seams(PIPES, ["│", "│"], [" ", "─"], "south")) == 2
    assert seams(PIPES, ["│", None], [" ", "─"], "south")[0].cells == (0, 0)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), up=[1, 2, 3]), wf.ConfigError, "no side 'up'"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), north=[1, 2]), wf.ConfigError, "2 columns; .* has 3"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), west=[[1], [2]]), wf.ConfigError, "has 2 rows"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), west=[[1, 2], [2], [3]]), wf.ConfigError, "differ"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), north=[1, 2, 99]), wf.ConfigError, "not a pattern"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), north=[1, 2, {}]), wf.ConfigError, "neither"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), north=["x"] * 3), wf.TileSetError, "no tile 'x'"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3), north="│││"), wf.ConfigError, "must be a chunk"),
        (lambda: boundaries(PIPES, wf.SquareGrid(3, 3, wraps=True)), wf.ConfigError, "its own neighbour"),
        (lambda: boundaries(HEX_RIVERS, wf.HexGrid(3)), wf.ConfigError, "no straight borders"),
        (lambda: boundaries("pipes", wf.SquareGrid(3, 3)), wf.TileSetError, "must be a TileSet"),
        (lambda: seams(PIPES, [[1]], [[1]], "northeast"), wf.ConfigError, "no side 'northeast'"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_world_has_no_mismatch_at_any_seam():
    world = small_world()
    for (x, y), side in zip(
        ((1, 0), (0, 1), (-1, 0), (0, -1)), ("east", "south", "west", "north"), strict=True
    ):
        assert seams(PIPES, world.chunk(0, 0), world.chunk(x, y), side) == []


def test_sides_may_be_given_in_any_order():
    grid = wf.SquareGrid(SIDE, SIDE)
    sides = {side: wf.generate(PIPES, grid, seed).array for seed, side in enumerate(grid.directions)}
    seen = {
        boundaries(PIPES, grid, **{side: sides[side] for side in order}).tobytes()
        for order in permutations(sides)
    }
    assert len(seen) == 1
