"""Objects in pictures: drawn over tiles where they stand, in PNG, SVG and the last frame of an animation."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.patchwork.picture import draw_patchwork
from wavefold.worlds.picture import draw_world

GREEN, RED = (60, 160, 60, 255), (250, 10, 20, 255)


def tiles_with(*objects: wf.MapObject, topology: str = "square", size: int = 10) -> wf.TileSet:
    lawn = np.full((size, size, 4), GREEN, np.uint8)
    return wf.TileSet([wf.Tile("lawn", picture=lawn)], topology, objects=objects)


def red_dot(width: int = 2, height: int = 2) -> np.ndarray:
    return np.full((height, width, 4), RED, np.uint8)


def red_pixels(image: Image.Image) -> set[tuple[int, int]]:
    rows, columns = np.nonzero((np.asarray(image) == RED).all(axis=2))
    return set(zip(columns.tolist(), rows.tolist(), strict=True))


def test_a_picture_lies_with_its_anchor_where_the_object_stands() -> None:
    for anchor, left, top in (((0.5, 0.5), 4, 4), ((0, 0), 5, 5), ((0.5, 1), 4, 3)):
        tiles = tiles_with(wf.MapObject("dot", "lawn", 1, picture=red_dot(), anchor=anchor))
        image = wf.generate(tiles, wf.SquareGrid(1, 1)).image()
        assert red_pixels(image) == {(left + x, top + y) for x in (0, 1) for y in (0, 1)}


def test_size_is_in_cells_and_by_default_in_pixels_of_the_tiles() -> None:
    for size, tile_size, across in ((None, 10, 2), (None, 20, 4), (0.5, 10, 5), (1, 30, 30)):
        tiles = tiles_with(wf.MapObject("dot", "lawn", 1, picture=red_dot(), size=size))
        image = wf.generate(tiles, wf.SquareGrid(1, 1)).image(tile_size=tile_size)
        assert len(red_pixels(image)) == across**2


def test_what_lies_beyond_the_picture_is_cut_off() -> None:
    tiles = tiles_with(wf.MapObject("dot", "lawn", 1, picture=red_dot(), size=3))
    image = wf.generate(tiles, wf.SquareGrid(2, 1)).image()
    assert image.size == (20, 10)
    assert len(red_pixels(image)) == 200


def test_nearer_objects_are_drawn_over_those_behind() -> None:
    far, near = np.full((20, 4, 4), RED, np.uint8), np.full((20, 4, 4), (1, 2, 3, 255), np.uint8)
    lawn = np.full((10, 10, 4), GREEN, np.uint8)
    tiles = wf.TileSet(
        [wf.Tile("a", picture=lawn), wf.Tile("b", picture=lawn)],
        objects=[
            wf.MapObject("near", "b", 1, picture=near, anchor=(0.5, 1)),
            wf.MapObject("far", "a", 1, picture=far, anchor=(0.5, 1)),
        ],
    )
    problem = wf.Problem(tiles, wf.SquareGrid(1, 3))
    solution = wf.Solution(problem, np.array([0, 0, 1]), wf.Statistics())
    pixels = np.asarray(solution.image())[:, 5]
    assert tuple(pixels[24]) == (1, 2, 3, 255)
    assert tuple(pixels[6]) == (1, 2, 3, 255) or tuple(pixels[4]) == RED


def test_objects_can_be_left_out() -> None:
    tiles = tiles_with(wf.MapObject("dot", "lawn", 1, picture=red_dot()))
    solution = wf.generate(tiles, wf.SquareGrid(3, 3))
    assert not red_pixels(solution.image(objects=False))
    plain = wf.generate(tiles.with_objects(()), wf.SquareGrid(3, 3))
    assert solution.image(objects=False).tobytes() == plain.image().tobytes()
    with pytest.raises(wf.ConfigError, match="objects must be True or False"):
        solution.image(objects="no")


def test_a_mark_is_drawn_without_a_picture() -> None:
    for topology, grid in (("square", wf.SquareGrid(2, 2)), ("hex", wf.HexGrid(2))):
        tiles = tiles_with(wf.MapObject("dot", "lawn", 1, colour="#fa0a14"), topology=topology)
        solution = wf.generate(tiles, grid)
        assert len(red_pixels(solution.image(tile_size=20))) > 20 * grid.cell_count


def test_layers_of_cubes_show_objects() -> None:
    tiles = tiles_with(wf.MapObject("dot", "lawn", 1, picture=red_dot()), topology="cube")
    solution = wf.generate(tiles, wf.CubeGrid(2, 2, 2))
    assert len(red_pixels(solution.image(layers=True))) == 8 * 4
    assert not red_pixels(solution.image())


def test_an_svg_refers_to_each_picture_once(tmp_path: Path) -> None:
    tiles = tiles_with(wf.MapObject("dot & co", "lawn", 1, picture=red_dot()))
    solution = wf.generate(tiles, wf.SquareGrid(3, 2))
    solution.save(tmp_path / "map.svg")
    text = (tmp_path / "map.svg").read_text()
    assert text.count('<image id="o0"') == 1
    assert len(re.findall('<use class="object" href="#o0"', text)) == 6
    assert text.count("<title>dot &amp; co</title>") == 6
    assert 'href="#o0" x="14" y="4"' in text
    solution.save(tmp_path / "bare.svg", objects=False)
    assert "object" not in (tmp_path / "bare.svg").read_text()


def test_the_last_frame_of_an_animation_has_them() -> None:
    tiles = tiles_with(wf.MapObject("dot", "lawn", 1, picture=red_dot()))
    animation = wf.animate(wf.Problem(tiles, wf.SquareGrid(4, 4)))
    shown = [red_pixels(frame.convert("RGBA")) for frame in animation.frames(tile_size=10)]
    assert len(shown[-1]) == 16 * 4
    assert not any(shown[:-1])
    assert not any(red_pixels(each.convert("RGBA")) for each in animation.frames(tile_size=10, objects=False))


def test_worlds_and_patchworks_are_drawn_with_their_objects() -> None:
    tiles = tiles_with(wf.MapObject("dot", "lawn", 0.3, 2, picture=red_dot(), jitter=0.3))
    with wf.World(tiles, seed=2, chunk=16) as world:
        solution = world.solution(-5, 3, 24, 20)
        expected = len(world.objects(-5, 3, 24, 20)) * 4
        assert len(red_pixels(draw_world(world, solution, -5, 3))) == expected
        assert not red_pixels(draw_world(world, solution, -5, 3, objects=False))
        whole, part = world.image(0, 0, 20, 10), world.image(7, 2, 9, 8)
        assert red_pixels(part) == red_pixels(whole.crop((70, 20, 160, 100)))
    map = wf.Patchwork(tiles, radius=3, seed=2)
    map.populate((0, 0))
    assert len(red_pixels(draw_patchwork(map, marks=False, tile_size=10))) == len(map.objects) * 4
    assert red_pixels(map.image(marks=False, outlines=False)) == red_pixels(map.solution().image())
    assert not red_pixels(draw_patchwork(map, objects=False, marks=False))
