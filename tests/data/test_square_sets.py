"""The tile sets that come along: good-looking, and finished by default settings every time."""

import re
import subprocess
import sys
from collections import Counter
from itertools import product

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only
from wavefold.errors import TileSetError
from wavefold.plugins.registry import available
from wavefold.tiles import TileSet

NAMES = ("castle", "circuit", "dungeon", "knots", "meadow", "pipes", "terrain")
COMPLETE = ("knots", "pipes", "terrain")  # every mixture of what sides may show has a tile
MOST_OF_ONE_TILE = 0.85  # of a map; more would be dull


@pytest.fixture(params=NAMES)
def tiles(request):
    return TileSet.load(request.param)


def pictures(tiles):
    """Of every pattern, as drawn."""
    return [tiles.art(number)[0] for number in range(len(tiles))]


def share_of_the_commonest(solution):
    """How much of a map is one tile; those that differ only in looks (`ocean`, `ocean-2`) are one."""
    names = [re.sub(r"-\d+$", "", str(name)) for name in solution.values.ravel()]
    return max(Counter(names).values()) / len(names)


def test_the_bundled_sets_are_found_by_name():
    assert set(NAMES) <= set(available("tileset"))


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(TileSetError, match="did you mean 'pipes'"):
        TileSet.load("pips")


@pytest.mark.parametrize("name", NAMES)
def test_every_set_says_in_one_line_what_it_is(name):
    tiles = TileSet.load(name)
    assert tiles.name == name
    assert tiles.description.endswith(".")
    assert "\n" not in tiles.description


def test_every_pattern_has_a_picture_of_one_size(tiles):
    found = pictures(tiles)
    assert len({picture.shape for picture in found}) == 1
    height, width, channels = found[0].shape
    assert height == width
    assert 16 <= width <= 24
    assert channels == 4
    assert all(picture.dtype == np.uint8 and (picture[..., 3] == 255).all() for picture in found)


def test_every_pattern_has_a_neighbour_on_every_side(tiles):
    assert tiles.rules.allowed.any(axis=2).all()


def test_every_pattern_can_appear(tiles):
    """Pinned to the middle of a small map, which is then finished around it."""
    for number, pattern in list(enumerate(tiles.patterns)):
        name = pattern.name if "@" in pattern.name else f"{pattern.name}@0"
        grid, pins = wf.SquareGrid(5, 5), {(2, 2): name}
        solution = wf.generate(tiles, grid, pins=pins, order="scanline", own_constraints=False)
        assert solution.array[2, 2] == number


def test_roads_of_meadows_end_only_at_houses():
    patterns = TileSet.load("meadow").patterns
    ends = [each.tile.name for each in patterns if sum("+" in side for side in each.sockets) == 1]
    assert ends == ["house"] * 4


@pytest.mark.parametrize("name", ["meadow", "pipes"])
def test_a_map_can_always_be_continued_row_by_row(name):
    """Whatever stands to the north and west, if those two can stand there at all, something fits."""
    _, east, south, _ = TileSet.load(name).rules.allowed.astype(np.int64)
    # above and left meet at a corner: some cell to the northwest has one to its east, one to its south.
    can_meet = (east.T @ south) > 0  # [above, left]
    common = south @ east.T  # [above, left] -> how many patterns fit below the one and right of the other
    assert (common[can_meet] > 0).all()


@compiled_only
@pytest.mark.parametrize("order", ["entropy", "scanline", "random"])
@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_set_knows_no_contradiction_in_any_order(name, order):
    for seed, wraps in product(range(5), (False, True)):
        grid = wf.SquareGrid(32, 32, wraps=wraps)
        assert wf.generate(TileSet.load(name), grid, seed=seed, order=order).stats.contradictions == 0


def test_a_set_is_the_same_every_time(tiles):
    again = TileSet.load(tiles.name)
    assert again.rules.digest == tiles.rules.digest
    for one, other in zip(pictures(tiles), pictures(again), strict=True):
        assert (one == other).all()


def test_loading_a_set_does_not_load_the_kernels():
    code = (
        "import sys, wavefold.tiles as t; t.TileSet.load('meadow'), t.TileSet.load('dungeon'); "
        "print('wavefold.kernels.units' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# --- maps ---------------------------------------------------------------------------------------


def test_a_small_map_is_valid(tiles):
    problem = wf.Problem(tiles, wf.SquareGrid(8, 8))
    assert wf.check(problem, wf.Solver(problem, 1, order="scanline").run()) == []


@compiled_only
@pytest.mark.parametrize("seed", range(3))
def test_defaults_give_a_valid_map_of_many_tiles(tiles, seed):
    grid = wf.SquareGrid(24, 24)
    solution = wf.generate(tiles, grid, seed=seed)
    assert wf.check(wf.Problem(tiles, grid), solution) == []
    assert share_of_the_commonest(solution) < MOST_OF_ONE_TILE


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("wraps", [False, True])
def test_defaults_never_fail(tiles, wraps):
    """100 seeds, and on a torus 20: 64 x 64, nothing set."""
    grid = wf.SquareGrid(64, 64, wraps=wraps)
    problem = wf.Problem(tiles, grid)
    for seed in range(20 if wraps else 100):
        solution = wf.generate(tiles, grid, seed=seed)
        assert wf.check(problem, solution) == [], seed
        assert share_of_the_commonest(solution) < MOST_OF_ONE_TILE, seed


# --- what is special about each -----------------------------------------------------------------


def test_pipes_have_a_tile_for_every_way_to_open_four_sides():
    patterns = TileSet.load("pipes").patterns
    assert {pattern.sockets for pattern in patterns} == set(product(("pipe", "wall"), repeat=4))


def test_pictures_of_matching_sides_meet_without_a_seam():
    """Pipes open where their sockets say, and end at the middle of the side."""
    for tile in TileSet.load("pipes").tiles:
        sides = (tile.picture[0], tile.picture[:, -1], tile.picture[-1], tile.picture[:, 0])
        for socket, edge in zip(tile.sockets, sides, strict=True):
            is_bright = edge[11:13, :3].max() > 150
            assert is_bright == (socket == "pipe"), tile.name


def test_meadow_has_a_tile_for_every_mixture_of_corners():
    plain = {
        pattern.sockets for pattern in TileSet.load("meadow").patterns if "+" not in "".join(pattern.sockets)
    }
    assert len(plain) == 3**4


def test_knots_have_a_tile_for_every_mixture_of_sides_in_each_metal():
    found = {pattern.sockets for pattern in TileSet.load("knots").patterns}
    for metal in ("gold", "silver", "copper"):
        sides = ("closed", f"{metal} crossed", f"{metal} parallel")
        assert set(product(sides, repeat=4)) <= found


def test_terrain_has_a_tile_for_every_gentle_mixture_of_corners():
    grounds = ("ocean", "beach", "plains", "forest", "mountain", "snow")
    gentle = {
        corners
        for corners in product(range(6), repeat=4)
        if all(abs(corners[side] - corners[side - 1]) <= 1 for side in range(4))
    }
    expected = {
        tuple(f"{grounds[c[a]]}-{grounds[c[b]]}" for a, b in ((0, 1), (1, 2), (3, 2), (0, 3))) for c in gentle
    }
    found = {
        tuple("beach-beach" if socket in ("beach<", "beach>") else socket for socket in pattern.sockets)
        for pattern in TileSet.load("terrain").patterns
    }
    assert found == expected


@compiled_only
@pytest.mark.parametrize("order", ["entropy", "scanline", "random"])
def test_terrain_follows_a_smooth_altitude_without_a_conflict_worth_the_name(order):
    tiles, grid = TileSet.load("terrain"), wf.SquareGrid(48, 48)
    y, x = np.mgrid[:48, :48] / 48
    altitude = (0.5 + 0.3 * np.sin(6 * x + 1) * np.cos(5 * y) + 0.2 * (x - y)).ravel()
    low, high = np.array([pattern.tile.limits["altitude"] for pattern in tiles.patterns]).T
    masks = (low <= altitude[:, None]) & (altitude[:, None] <= high)
    solution = wf.generate(tiles, grid, masks=masks, order=order)
    assert solution.stats.backtracks < 50


@compiled_only
def test_parts_of_a_circuit_are_whole():
    """On a torus nothing is cut off, so every piece of a part is there as often as the others."""
    solution = wf.generate(TileSet.load("circuit"), wf.SquareGrid(40, 40, wraps=True), seed=2)
    pieces = Counter(solution.values.ravel().tolist())
    for part, count in {"processor": 9, "controller": 4, "memory": 3, "coil": 4}.items():
        found = [number for name, number in pieces.items() if name.startswith(part)]
        assert len(found) in (0, count)
        assert len(set(found)) <= 1


@compiled_only
def test_a_castle_is_too_hard_for_plain_backtracking():
    tiles, grid = TileSet.load("castle"), wf.SquareGrid(64, 64)
    with pytest.raises(wf.OutOfBudget):
        wf.generate(tiles, grid, order="entropy", search="backtrack", budget=20_000)
    assert wf.check(wf.Problem(tiles, grid), wf.generate(tiles, grid)) == []
