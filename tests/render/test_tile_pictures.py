"""Tiles without pictures, drawn by their sockets."""

import numpy as np
import pytest

from wavefold.render import svg
from wavefold.render.tile_pictures import DOT_RADIUS, choose_socket_colour
from wavefold.solver import Problem, Solver
from wavefold.tiles import Tile, TileSet
from wavefold.topology import SquareGrid


def test_a_side_is_a_triangle_in_the_colour_of_its_socket():
    picture = TileSet([Tile("tile", ("a", "b", "c", "d"))]).pictures(16)[0]
    sides = [picture[1, 8], picture[8, 14], picture[14, 8], picture[8, 1]]
    assert [tuple(side.tolist()) for side in sides] == [choose_socket_colour(name) for name in "abcd"]


def test_turned_patterns_show_turned_sockets():
    pictures = TileSet([Tile("tile", ("a", "b", "c", "d"), symmetry="turned")]).pictures(9)
    for turn in range(4):
        assert (pictures[turn] == np.rot90(pictures[0], -turn)).all()


@pytest.mark.parametrize("size", [1, 2, 13, 40])
def test_one_socket_all_around_is_one_colour(size):
    for kind, sides in (("square", 4), ("hex", 6)):
        picture = TileSet([Tile("tile", ("a",) * sides)], kind).pictures(size)[0]
        assert (picture[..., :3] == choose_socket_colour("a")[:3]).all()


def test_sides_of_hexagons_are_where_their_neighbours_are():
    picture = TileSet([Tile("tile", tuple("abcdef"))], "hex").pictures(40)[0]
    middle = np.array(picture.shape[:2]) / 2
    for side, name in enumerate("abcdef"):
        angle = np.radians(60 * side - 60)  # the first is northeast
        row, column = (middle + 14 * np.array([np.sin(angle), np.cos(angle)])).astype(int)
        assert tuple(picture[row, column].tolist()) == choose_socket_colour(name)


def test_a_dot_tells_tiles_with_the_same_sockets_apart():
    tiles = TileSet([Tile("x", ("a",) * 4), Tile("y", ("a",) * 4), Tile("z", ("b",) * 4)])
    x, y, z = tiles.pictures(20)
    assert (x[10, 10] != y[10, 10]).any()
    assert (x[10, 12 + int(20 * DOT_RADIUS)] == choose_socket_colour("a")).all()
    assert (z == choose_socket_colour("b")).all()


def test_colours_depend_on_names_alone_and_mirrored_sockets_match():
    assert choose_socket_colour("wall>") == choose_socket_colour("wall<") != choose_socket_colour("wall")
    assert choose_socket_colour("grass") == (235, 152, 173, 255)
    assert len({choose_socket_colour(name) for name in range(50)}) > 45


def test_tiles_without_sockets_have_one_colour():
    picture = TileSet([Tile("x"), Tile("y")]).pictures(8)[0]
    assert (picture == picture[0, 0]).all()


def test_an_svg_shows_the_sockets_too():
    problem = Problem(TileSet([Tile("x", ("a", "b", "c", "d"))]), SquareGrid(1, 1))
    text = svg(Solver(problem).run())
    assert text.count("<image") == 1
    assert "currentColor" not in text
