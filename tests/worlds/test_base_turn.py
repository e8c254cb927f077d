"""Turned bases: valid, and turned only as far as the tiles tell no direction."""

import numpy as np
import pytest

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.worlds.base import BaseTurn, Rectangle, find_turns

NUMBERS = np.arange(7 * 9, dtype=np.int32).reshape(7, 9)
ROAD = wf.Tile("road", ("r", "g", "r", "g"), symmetry="I")
GRASS = wf.Tile("grass", ("g",) * 4, symmetry="X")
HILLS = wf.TileSet(
    [wf.Tile("low", ("g",) * 4), wf.Tile("high", ("g",) * 4, 2)],
    beside=[wf.Beside("low", "high", "north", weight=0.5)],
)


def ways(tiles):
    found = find_turns(tiles.rules, np.unique(tiles.rules.weights, return_inverse=True)[1].reshape(-1))
    return {tuple(each[:3]): each for each in found}


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("right", [1, -1])
@pytest.mark.parametrize("down", [1, -1])
def test_a_rectangle_is_cut_from_the_turned_plane(exchanged, right, down):
    turn = BaseTurn(exchanged, right, down, np.arange(NUMBERS.size, dtype=np.int32))
    turned = turn.turn(NUMBERS)
    height, width = turned.shape
    whole = Rectangle(0 if right > 0 else 1 - width, 0 if down > 0 else 1 - height, width, height)
    assert turn.find_source(whole) == (0, 0, *NUMBERS.shape[::-1])
    x, y, across, along = turn.find_source(Rectangle(whole.x + 2, whole.y + 1, 3, 4))
    part = turn.turn(NUMBERS[y : y + along, x : x + across])
    assert (part == turned[1:5, 2:5]).all()


@pytest.mark.parametrize(
    ("tiles", "count"),
    [(PIPES, 8), (wf.TileSet([ROAD, GRASS]), 8), (HILLS, 2), (wf.TileSet.load("pipes"), 8)],
)
def test_turned_maps_are_valid(tiles, count):
    found = ways(tiles)
    assert len(found) == count
    plain = wf.generate(tiles, wf.SquareGrid(9, 7), seed=1).array
    for turn in found.values():
        turned = turn.turn(plain)
        problem = wf.Problem(tiles, wf.SquareGrid(*turned.shape[::-1]))
        assert wf.check(problem, turned.reshape(-1)) == []
        assert (tiles.rules.weights[turn.counterparts] == tiles.rules.weights).all()


def test_soft_pairs_tell_directions_apart():
    assert list(ways(HILLS)) == [(False, 1, 1), (False, -1, 1)]


@compiled_only
def test_hexagons_are_turned_by_half_and_mirrored():
    curve = wf.Tile("curve", tuple("aabbbb"), symmetry="F")
    tiles = wf.TileSet([curve, wf.Tile("rest", ("b",) * 6)], topology="hex")
    assert [each[:2] for each in ways(tiles)] == [(False, 1), (False, -1), (True, 1), (True, -1)]
    for seed in range(6):
        assert wf.check(wf.World(tiles, seed, 16, refine=1), -5, -5, 20, 20) == []


@compiled_only
def test_seeds_have_the_base_in_different_orientations():
    worlds = [wf.World(wf.TileSet.load("pipes"), seed, 16, refine=1) for seed in range(12)]
    turns = {world.parts.generator._turn[:3] for world in worlds}
    assert len(turns) > 4
    for world in worlds[:4]:
        assert wf.check(world, -5, -5, 20, 20) == []
