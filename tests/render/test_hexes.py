"""Hexagons: pictures that fit together, turned as they should be, and only those that are needed."""

import numpy as np
import pytest

from wavefold.errors import ConfigError
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.render import draw
from wavefold.render.hexes import HexCanvas, HexRaster
from wavefold.render.tile_pictures import get_flat_colours
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics
from wavefold.tiles import Tile, TileSet
from wavefold.topology import HexGrid

RED, GREEN, BLUE = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 255, 255)
LAYOUTS = ("pointy", "flat")


def one_tile(picture, **options):
    return TileSet([Tile("tile", ("a",) * 6, picture=picture, **options)], "hex")


def box(colour, width=38, height=44):
    return np.full((height, width, 4), colour, np.uint8)


def drawn(tiles, grid, patterns=None, **options):
    chosen = np.zeros(grid.cell_count, int) if patterns is None else np.array(patterns)
    return np.asarray(draw(Solution(Problem(tiles, grid), chosen, Statistics()), **options))


def at(image, x, y):
    """The colour this far right and down of the middle."""
    return tuple(image[int(image.shape[0] / 2 + y), int(image.shape[1] / 2 + x)].tolist())


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 9, 13, 20, 37, 38])
def test_hexagons_leave_no_gap_and_no_seam(layout, size):
    grid = HexGrid(radius=4, layout=layout)
    image = drawn(one_tile(box(RED)), grid, tile_size=size)
    assert set(map(tuple, image[image[..., 3] > 0][:, :3].tolist())) == {RED[:3]}
    rows, columns = (slice(length // 4, length * 3 // 4) for length in image.shape[:2])
    assert (image[rows, columns, 3] == 255).all()


def test_soft_corners_of_a_picture_do_not_show_as_seams():
    comb = HexRaster.of(38, "pointy")
    picture = box(RED)
    picture[..., 3] = np.clip(comb.measure_depth(38, 44) * 255, 0, 255)
    picture[picture[..., 3] == 0] = 0
    image = drawn(one_tile(picture), HexGrid(radius=2))
    assert (image[60:-60, 60:-60] == RED).all()


@pytest.mark.parametrize(
    ("layout", "size"), [("pointy", (38 * 5, 33 * 4 + 44)), ("flat", (33 * 4 + 44, 38 * 5))]
)
def test_a_map_is_as_large_as_its_pictures(layout, size):
    image = drawn(one_tile(box(RED)), HexGrid(radius=2, layout=layout))
    assert image.shape[1::-1] == size


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tile_size_is_the_width_of_a_hexagon(layout):
    image = drawn(one_tile(box(RED)), HexGrid(radius=0, layout=layout), tile_size=24)
    assert image.shape[1] == 24


def test_the_natural_width_of_a_turned_picture_is_its_height():
    tiles = one_tile(box(RED))
    assert HexCanvas.find_natural_size(Problem(tiles, HexGrid(radius=1))) == 38
    assert HexCanvas.find_natural_size(Problem(tiles, HexGrid(radius=1, layout="flat"))) == 44


def arrow(height=44, width=38):
    """Red, green towards the east."""
    picture = box(RED, width, height)
    picture[height // 3 : -(height // 3), -(width // 3) :] = GREEN
    return picture


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("turn", range(6))
def test_a_turned_picture_points_to_the_side_it_is_turned_to(layout, turn):
    tiles = one_tile(arrow(), symmetry="turned")
    image = drawn(tiles, HexGrid(radius=0, layout=layout), [turn])
    angle = np.radians(60 * turn + 30 * (layout == "flat"))
    assert at(image, 14 * np.cos(angle), 14 * np.sin(angle))[1] > 200
    assert at(image, -14 * np.cos(angle), -14 * np.sin(angle))[0] > 200


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_mirrored_picture_shows_its_sockets_where_they_went(layout):
    tiles = TileSet([Tile("arrow", ("a", "b", "a", "a", "a", "a"), symmetry="F", picture=arrow())], "hex")
    for number, pattern in enumerate(tiles.patterns):
        image = drawn(tiles, HexGrid(radius=0, layout=layout), [number])
        angle = np.radians(60 * pattern.sockets.index("b") - 60 + 30 * (layout == "flat"))
        assert at(image, 14 * np.cos(angle), 14 * np.sin(angle))[1] > 200


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pictures_wider_than_high_are_taken_to_stand_on_a_side(layout):
    picture = box(RED, 44, 38)
    picture[:12, 15:29] = GREEN  # north
    tiles = TileSet([Tile("up", ("a", "a", "a", "a", "a", "b"), symmetry="F", picture=picture)], "hex")
    for number, pattern in enumerate(tiles.patterns):
        image = drawn(tiles, HexGrid(radius=0, layout=layout), [number])
        angle = np.radians(60 * pattern.sockets.index("b") - 60 + 30 * (layout == "flat"))
        assert at(image, 14 * np.cos(angle), 14 * np.sin(angle))[1] > 200


def test_cells_a_mask_leaves_out_are_transparent():
    mask = np.ones((5, 5), bool)
    mask[2, 2] = False
    image = drawn(one_tile(box(RED)), HexGrid(radius=2, mask=mask))
    assert at(image, 0, 0)[3] == 0
    assert at(image, 38, 0) == RED


class Painter:
    """Counts what it is asked for."""

    def __init__(self, width=38, height=44):
        self.asked = []
        self.shape = (height, width, 4)

    def __call__(self, pattern):
        self.asked.append(pattern.name)
        return np.full(self.shape, RED, np.uint8)


def test_only_patterns_that_occur_are_drawn():
    painter = Painter()
    tiles = one_tile(painter, symmetry="turned", levels=5)
    drawn(tiles, HexGrid(radius=3), [7] * 37)
    assert set(painter.asked) == {tiles.patterns[0].name, tiles.patterns[7].name}  # the first tells the size


def test_mean_colours_take_one_drawing_for_each_level_and_are_kept():
    painter = Painter()
    tiles = one_tile(painter, symmetry="turned", levels=5)
    problem = Problem(tiles, HexGrid(radius=1))
    get_flat_colours(problem)
    get_flat_colours(problem)
    assert len(painter.asked) == 5


def test_flat_top_hexagons_may_have_a_picture_of_their_own():
    def draw_flat(pattern):
        return np.full((38, 44, 4), BLUE, np.uint8)

    tiles = one_tile(Painter(), flat_picture=draw_flat)
    assert at(drawn(tiles, HexGrid(radius=1)), 0, 0) == RED
    assert at(drawn(tiles, HexGrid(radius=1, layout="flat")), 0, 0) == BLUE


def test_undecided_hexagons_show_the_mean_of_what_they_may_be():
    tiles = TileSet(
        [Tile("red", ("a",) * 6, picture=box(RED)), Tile("blue", ("a",) * 6, picture=box(BLUE))], "hex"
    )
    possible = np.array([[True, False]] * 7)
    possible[3] = True
    image = np.asarray(draw(Partial(Problem(tiles, HexGrid(radius=1)), pack_bits(possible))))
    assert at(image, 0, 0) == (128, 0, 128, 255)
    assert at(image, 38, 0) == RED


def test_mean_colours_leave_out_the_corners_around_a_hexagon():
    picture = box(RED)
    picture[HexRaster.of(38, "pointy").measure_depth(38, 44) < -1] = 0
    assert get_flat_colours(Problem(one_tile(picture), HexGrid(radius=0)))[0].tolist() == pytest.approx(
        RED, abs=4
    )


def test_one_picture_for_all_levels_is_lighter_the_higher_it_stands():
    tiles = one_tile(box((200, 200, 200, 255)), levels=3)
    shades = [at(drawn(tiles, HexGrid(radius=0), [level]), 0, 0)[0] for level in range(3)]
    assert shades[0] < shades[1] < shades[2] == 200


def test_a_honeycomb_too_large_to_hold_is_refused_with_a_size_that_fits():
    grid = HexGrid.rectangle(300, 300)
    with pytest.raises(ConfigError, match=r"tile_size=\d+"):
        drawn(one_tile(box(RED)), grid, tile_size=64)
    assert drawn(one_tile(box(RED)), grid).shape[0] > 300  # without a size, one that fits is chosen
