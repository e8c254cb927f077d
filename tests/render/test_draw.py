"""Pictures of maps."""

import numpy as np
import pytest

from wavefold.errors import ConfigError, TileSetError
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.render import draw
from wavefold.render.canvas import MOST_PIXELS
from wavefold.render.cell_looks import IMPOSSIBLE
from wavefold.render.draw import make_canvas
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics
from wavefold.tiles import Rules, Tile, TileSet
from wavefold.tiles.rules import Relation
from wavefold.topology import Graph, HexGrid, SquareGrid, make_single_cell

RED, GREEN, BLUE, CLEAR = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)


def flat(colour, size=2):
    return np.full((size, size, 4), colour, np.uint8)


def arrow():
    """Red with a green top row."""
    picture = flat(RED, 3)
    picture[0] = GREEN
    return picture


PLAIN = TileSet([Tile("red", ("a",) * 4, picture=flat(RED)), Tile("blue", ("a",) * 4, picture=flat(BLUE))])
ARROWS = TileSet([Tile("arrow", ("a",) * 4, symmetry="turned", picture=arrow())])


def solution(tiles, topology, patterns):
    return Solution(Problem(tiles, topology), np.array(patterns), Statistics())


def pixels(image):
    return np.asarray(image)


def test_tiles_stand_where_their_cells_are():
    image = pixels(draw(solution(PLAIN, SquareGrid(3, 2), [0, 1, 0, 1, 1, 0])))
    assert image.shape == (4, 6, 4)
    assert (image[0, 0] == RED).all()
    assert (image[1, 3] == BLUE).all()
    assert (image[2, 0] == BLUE).all()
    assert (image[3, 5] == RED).all()


@pytest.mark.parametrize(("turn", "place"), [(0, (0, 1)), (1, (1, 2)), (2, (2, 1)), (3, (1, 0))])
def test_a_turned_tile_is_drawn_turned_clockwise(turn, place):
    image = pixels(draw(solution(ARROWS, SquareGrid(1, 1), [turn])))
    assert (image[place] == GREEN).all()
    assert (image[1, 1] == RED).all()


def test_missing_cells_are_transparent():
    grid = SquareGrid(2, 1, mask=np.array([[False, True]]))
    image = pixels(draw(solution(PLAIN, grid, [1])))
    assert (image[:, :2] == CLEAR).all()
    assert (image[:, 2:] == BLUE).all()


def test_scale_repeats_pixels():
    assert draw(solution(ARROWS, SquareGrid(2, 1), [0, 0]), scale=4).size == (24, 12)


def test_a_smaller_tile_size_shows_mean_colours():
    image = pixels(draw(solution(ARROWS, SquareGrid(1, 1), [2]), tile_size=1))
    assert image.shape == (1, 1, 4)
    assert image[0, 0].tolist() == [170, 85, 0, 255]


def test_tiles_without_pictures_get_colours_of_their_own():
    names = [f"t{number}" for number in range(40)]
    tiles = TileSet([Tile(name, ("a",) * 4) for name in names])
    first = pixels(draw(solution(tiles, SquareGrid(40, 1), range(40)), tile_size=1))[0]
    again = pixels(draw(solution(tiles, SquareGrid(40, 1), range(40)), tile_size=1))[0]
    assert len({tuple(colour) for colour in first.tolist()}) == 40
    assert (first == again).all()


def test_pictures_of_different_sizes_are_brought_to_one():
    tiles = TileSet(
        [Tile("small", ("a",) * 4, picture=flat(RED, 2)), Tile("large", ("a",) * 4, picture=flat(BLUE, 6))]
    )
    assert draw(solution(tiles, SquareGrid(2, 1), [0, 1])).size == (12, 6)


def test_a_picture_too_large_to_hold_is_drawn_smaller_and_refused_with_a_size_that_fits_if_one_is_given():
    tiles = TileSet([Tile("big", ("a",) * 4, picture=flat(RED, 16))])
    large = solution(tiles, SquareGrid(1024, 1024), np.zeros(1024 * 1024, int))
    with pytest.raises(ConfigError, match="tile_size=8"):
        draw(large, tile_size=16)
    assert make_canvas(large.problem).size == 8
    assert make_canvas(large.problem, scale=4).size == 2
    assert MOST_PIXELS >= (1024 * 8) ** 2


@pytest.mark.parametrize("options", [{"scale": 0}, {"scale": 1.5}, {"tile_size": 0}, {"tile_size": "x"}])
def test_senseless_sizes_are_refused(options):
    with pytest.raises(ConfigError, match="must be a whole number"):
        draw(solution(PLAIN, SquareGrid(1, 1), [0]), **options)


def test_a_picture_of_the_wrong_shape_names_its_tile():
    tiles = TileSet([Tile("odd", ("a",) * 4, picture=np.zeros((4, 4), np.uint8))])
    with pytest.raises(TileSetError, match="'odd'"):
        draw(solution(tiles, SquareGrid(1, 1), [0]))


def test_pictures_without_an_alpha_channel_are_opaque():
    tiles = TileSet([Tile("rgb", ("a",) * 4, picture=flat(RED)[:, :, :3])])
    assert (pixels(draw(solution(tiles, SquareGrid(1, 1), [0]))) == RED).all()


def test_undecided_cells_show_the_mean_of_what_they_may_be():
    problem = Problem(PLAIN, SquareGrid(3, 1))
    possible = np.array([[True, False], [True, True], [False, False]])
    image = pixels(draw(Partial(problem, pack_bits(possible))))
    assert (image[:, :2] == RED).all()
    assert (image[:, 2:4] == (128, 0, 128, 255)).all()
    assert (image[:, 4:] == IMPOSSIBLE).all()


def test_one_picture_for_all_levels_is_lighter_the_higher_it_stands():
    tiles = TileSet([Tile("step", ("a",) * 4, picture=flat(RED), levels=3)])
    image = pixels(draw(solution(tiles, SquareGrid(3, 1), [0, 1, 2]), tile_size=1))
    assert image[0, 0, 0] < image[0, 1, 0] < image[0, 2, 0] == 255


def test_only_patterns_that_occur_are_drawn():
    asked = []

    def paint(pattern):
        asked.append(pattern.name)
        return flat(RED)

    tiles = TileSet([Tile("tile", ("a",) * 4, symmetry="turned", picture=paint)])
    draw(solution(tiles, SquareGrid(3, 3), [2] * 9))
    assert set(asked) == {"tile", "tile@180"}  # the first tells the size


def test_hexagons_are_filled_with_the_colour_of_their_tile():
    tiles = TileSet(
        [Tile("red", ("a",) * 6, picture=flat(RED)), Tile("blue", ("a",) * 6, picture=flat(BLUE))], "hex"
    )
    grid = HexGrid(radius=1)
    patterns = np.zeros(7, int)
    patterns[grid.cell_at((0, 0))] = 1
    image = pixels(draw(solution(tiles, grid, patterns), tile_size=20))
    middle = image[image.shape[0] // 2, image.shape[1] // 2]
    assert (middle == BLUE).all()
    assert (image[0, 0] == CLEAR).all()
    assert (image[image.shape[0] // 2, 5] == RED).all()


def test_a_graph_can_be_drawn_too():
    graph = Graph([("a", "b"), ("b", "c")])
    every = np.ones((2, 2), bool)
    rules = Rules(["x", "y"], [Relation.from_allowed(every)] * 2)
    image = draw(solution(rules, graph, [0, 1, 0]))
    assert pixels(image)[..., 3].any()


@pytest.mark.parametrize(("name", "size"), [("pipes", None), ("pipes", 7), ("medieval", 20), ("blocks", 16)])
def test_pictures_of_patterns_are_what_a_map_of_one_cell_shows(name, size):
    tiles = TileSet.load(name)
    pictures = tiles.pictures(size)
    assert pictures.dtype == np.uint8
    assert len(pictures) == len(tiles)
    cell = make_single_cell(tiles.topology)
    for pattern in range(0, len(tiles), max(1, len(tiles) // 5)):
        image = pixels(draw(solution(tiles, cell, [pattern]), tile_size=size))
        shown = image[..., 3] > 0
        assert ((pictures[pattern, ..., 3] > 0) == shown).all()
        assert (pictures[pattern][shown] == image[shown]).all()


def test_pictures_of_patterns_make_the_map():
    made = solution(ARROWS, SquareGrid(2, 2), [0, 1, 2, 3])
    parts = ARROWS.pictures(6)[made.array]  # [map row, map column, row, column, RGBA]
    assert (parts.swapaxes(1, 2).reshape(12, 12, 4) == pixels(draw(made, tile_size=6))).all()


@pytest.mark.parametrize("size", [0, -1, 2.5, "8", 1 << 20])
def test_pictures_of_patterns_need_a_size_that_can_be_drawn(size):
    with pytest.raises(ConfigError, match=r"tile_size|pixels"):
        ARROWS.pictures(size)
