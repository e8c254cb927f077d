"""The set of cubes: towns that stand on the ground."""

import numpy as np
import pytest

import wavefold as wf

SIDE = 12
GRID = wf.CubeGrid(SIDE, SIDE, SIDE)
NORTH, EAST, SOUTH, WEST, UP, DOWN = range(6)


@pytest.fixture(scope="module")
def tiles():
    return wf.TileSet.load("blocks")


def check_seed(tiles, seed):
    solution = wf.generate(tiles, GRID, seed=seed)
    assert wf.check(wf.Problem(tiles, GRID), solution) == []
    is_ground = np.array([pattern.sockets[DOWN] == "nothing" for pattern in tiles.patterns])
    is_air = np.array([pattern.tile.name == "air" for pattern in tiles.patterns])
    lowest, above = solution.array[0], solution.array[1:]
    assert is_ground[lowest].all()
    assert not is_ground[above].any()
    stands, carries = ~is_air[above], ~is_air[solution.array[:-1]]
    assert (carries | ~stands).all(), "something floats"
    return solution


def test_without_a_size_a_town_has_as_many_layers_as_its_file_recommends(tiles):
    assert tiles.size == (12, 12, 12)
    tiles.size = (SIDE, SIDE, SIDE)
    try:
        assert wf.generate(tiles).array.tolist() == wf.generate(tiles, GRID).array.tolist()
    finally:
        tiles.size = (12, 12, 12)


@pytest.mark.parametrize("seed", range(4))
def test_a_town_stands_on_the_ground_and_nothing_floats(tiles, seed):
    check_seed(tiles, seed)


@pytest.mark.slow
def test_a_hundred_towns_are_built_without_a_failure(tiles):
    for seed in range(100):
        check_seed(tiles, seed)


@pytest.mark.parametrize("size", [(1, 1, 1), (3, 2, 1), (4, 4, 3), (2, 2, 20)])
def test_towns_of_other_sizes_are_built_too(tiles, size):
    grid = wf.CubeGrid(*size)
    assert wf.check(wf.Problem(tiles, grid), wf.generate(tiles, grid, seed=1)) == []


def test_every_pattern_has_a_neighbour_on_every_side_but_below_the_ground(tiles):
    alone = ~tiles.rules.allowed.any(axis=2)
    assert not alone[:DOWN].any()
    assert [tiles.patterns[number].sockets[DOWN] for number in np.flatnonzero(alone[DOWN])] == [
        "nothing"
    ] * int(alone[DOWN].sum())


def test_nothing_but_air_stands_above_air(tiles):
    air = tiles.rules.patterns("air")
    (above,) = np.nonzero(tiles.rules.allowed[UP, air[0]])
    assert above.tolist() == air.tolist()


def test_every_tile_has_a_model_of_one_size(tiles):
    assert {tile.picture.shape for tile in tiles.tiles} == {(8, 8, 8, 4)}


def test_a_town_is_drawn_in_three_dimensions_and_in_layers(tiles):
    solution = wf.generate(tiles, wf.CubeGrid(3, 4, 5), seed=2)
    assert solution.image().size == ((3 + 4) * 16, (3 + 4) * 8 + 5 * 16)
    assert solution.image(layers=True).size == ((3 * 5 + 4) * 8, 4 * 8)


def test_it_says_in_one_line_what_it_is(tiles):
    assert tiles.description.endswith(".")
    assert "\n" not in tiles.description
