"""Cubes: blocks seen from above and aside."""

import numpy as np
import pytest

from wavefold.errors import ConfigError, TileSetError
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.render import draw
from wavefold.render.cell_looks import IMPOSSIBLE
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics
from wavefold.tiles import Tile, TileSet
from wavefold.topology import CubeGrid

RED, GREEN, BLUE, CLEAR = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)
SOCKETS = ("a",) * 6


def flat(colour, side=8):
    return np.full((side, side, 4), colour, np.uint8)


BLOCKS = TileSet(
    [
        Tile("air", SOCKETS, picture=flat(CLEAR)),
        Tile("red", SOCKETS, picture=flat(RED)),
        Tile("blue", SOCKETS, picture=flat(BLUE)),
    ],
    "cube",
)
AIR, HARD, SOFT = range(3)


def drawn(tiles, grid, patterns, **options):
    return np.asarray(draw(Solution(Problem(tiles, grid), np.array(patterns), Statistics()), **options))


def test_a_block_is_lightest_above_and_darkest_in_the_east():
    image = drawn(BLOCKS, CubeGrid(1, 1, 1), [HARD])
    assert image.shape == (16, 16, 4)
    top, south, east = image[4, 8], image[11, 3], image[11, 12]
    assert (top == RED).all()
    assert top[0] > south[0] > east[0] > 0
    assert (image[0, 0] == CLEAR).all()


def test_air_is_not_seen():
    assert not drawn(BLOCKS, CubeGrid(2, 2, 2), [AIR] * 8).any()


def test_what_is_in_front_hides_what_is_behind():
    grid = CubeGrid(2, 2, 1)
    image = drawn(BLOCKS, grid, [SOFT, AIR, AIR, HARD])
    assert (image[12, 16] == RED).all()
    assert image[4, 16, 2] > 200


def test_what_is_above_hides_what_is_below():
    image = drawn(BLOCKS, CubeGrid(1, 1, 2), [SOFT, HARD])
    assert (image[4, 8] == RED).all()
    assert image[20, 4, 2] > 0
    assert not (image[..., 2] == 255).any()  # no top of the blue one


def test_directions_are_where_they_should_be():
    image = drawn(BLOCKS, CubeGrid(3, 3, 1), [AIR, AIR, AIR, AIR, AIR, HARD, AIR, SOFT, AIR])
    height, width = image.shape[:2]
    reds, blues = (np.nonzero(image[..., channel]) for channel in (0, 2))
    assert reds[1].min() >= width / 2  # east goes to the right
    assert blues[1].max() < width / 2  # south to the left
    assert min(reds[0].min(), blues[0].min()) >= height / 4


def test_tiles_without_pictures_are_blocks_of_a_colour():
    tiles = TileSet([Tile("a", SOCKETS), Tile("b", SOCKETS)], "cube")
    image = drawn(tiles, CubeGrid(2, 1, 1), [0, 1])
    assert len({tuple(colour) for colour in image[image[..., 3] == 255].tolist()}) == 5  # one face is hidden


def test_tile_size_is_the_width_of_a_block():
    assert drawn(BLOCKS, CubeGrid(3, 2, 4), [HARD] * 24, tile_size=20).shape == (25 + 40, 50, 4)
    assert drawn(BLOCKS, CubeGrid(3, 2, 4), [HARD] * 24, tile_size=1).shape == (3 + 4, 5, 4)


def test_undecided_blocks_show_the_mean_of_what_they_may_be():
    problem = Problem(BLOCKS, CubeGrid(2, 1, 1))
    image = np.asarray(draw(Partial(problem, pack_bits(np.array([[False, True, True], [False] * 3])))))
    assert (image[4, 8] == (128, 0, 128, 255)).all()
    assert (image[8, 16] == IMPOSSIBLE).all()


def post():
    """A model: nothing but a red column in the northeast and a green floor."""
    model = np.zeros((4, 4, 4, 4), np.uint8)
    model[0] = GREEN
    model[1:, 0, 3] = RED
    return model


MODELS = TileSet([Tile("post", SOCKETS, symmetry="turned", picture=post())], "cube")


@pytest.mark.parametrize(("turn", "row", "column"), [(0, 0, 3), (1, 3, 3), (2, 3, 0), (3, 0, 0)])
def test_a_model_is_turned_and_seen_from_above_in_layers(turn, row, column):
    image = drawn(MODELS, CubeGrid(1, 1, 1), [turn], layers=True)
    assert image.shape == (4, 4, 4)
    assert (image[row, column] == RED).all()
    assert (image[..., 1] == 255).sum() == 15


def test_a_model_is_seen_from_aside_voxel_by_voxel():
    image = drawn(MODELS, CubeGrid(1, 1, 1), [0])
    assert image.shape == (16, 16, 4)
    assert (image[4, 13] == RED).all() or (image[3, 13] == RED).all()  # the top of the post, in the east
    assert (image[1, 8] == CLEAR).all()  # air in the north
    assert image[12, 8].tolist() == list(GREEN)  # the floor


def test_a_model_that_is_translucent_lets_what_is_behind_shine_through():
    glass = np.full((2, 2, 2, 4), (255, 0, 0, 96), np.uint8)
    tiles = TileSet(
        [Tile("glass", SOCKETS, picture=glass), Tile("blue", SOCKETS, picture=flat(BLUE))], "cube"
    )
    image = drawn(tiles, CubeGrid(1, 1, 2), [1, 0])
    assert image[14, 8, 0] > 0
    assert image[14, 8, 2] > 0


def test_layers_stand_side_by_side_when_asked_for():
    image = drawn(BLOCKS, CubeGrid(2, 1, 2), [HARD] * 4, tile_size=1, layers=True)
    assert image.tolist() == [[list(RED), list(RED), list(CLEAR), list(RED), list(RED)]]


def test_a_model_of_the_wrong_shape_names_its_tile():
    tiles = TileSet([Tile("odd", SOCKETS, picture=np.zeros((2, 2, 2, 2, 4), np.uint8))], "cube")
    with pytest.raises(TileSetError, match=r"'odd'.*model"):
        drawn(tiles, CubeGrid(1, 1, 1), [0])


def test_layers_is_true_or_false():
    with pytest.raises(ConfigError, match="layers"):
        drawn(BLOCKS, CubeGrid(1, 1, 1), [0], layers=2)


def test_a_picture_too_large_to_hold_is_refused():
    with pytest.raises(ConfigError, match="tile_size="):
        drawn(BLOCKS, CubeGrid(100, 100, 100), np.zeros(100**3, int), tile_size=200)
