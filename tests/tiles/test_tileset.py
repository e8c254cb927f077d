"""Tile sets: fields, pictures, bundled sets, and what makes no sense."""

from __future__ import annotations

from re import escape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import table_tiles

LAND = wf.TileSet(
    [
        wf.Tile("sea", ("s",) * 4, limits={"altitude": (0.0, 0.4)}),
        wf.Tile("land", ("s",) * 4, limits={"altitude": (0.35, 1.0)}),
    ]
)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: wf.TileSet(5), "needs a list of tiles"),
        (lambda: wf.TileSet([wf.Tile("a")], []), "square, hex or cube"),
        (lambda: wf.TileSet([wf.Tile("a")], name=5), "name of a tile set must be text"),
        (lambda: wf.TileSet([wf.Tile("a")], description=5), "description of a tile set must be text"),
        (lambda: wf.TileSet([wf.Tile("a")], allowed=5), "allowed must be a function"),
        (lambda: wf.TileSet([wf.Tile("a")], allowed_at=5), "allowed_at must be a function"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside(1, "a")]), "must consist of names"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside("a", "a", ([],))]), "must consist of names"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside("a", "a", allowed="no")]), "True or False"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside("a", "a")] * 10_001), "more than 10,000"),
        (lambda: wf.TileSet([wf.Tile("a", apart="no")]), "apart='no'; it must be True or False"),
        (lambda: wf.TileSet([wf.Tile("a", limits={"z": (0, 10**400)})]), "two numbers"),
        (lambda: wf.TileSet([wf.Tile("a", weight="9")]), "tile 'a' has weight '9'; it must be a number"),
        (lambda: wf.TileSet([wf.Tile("a", weight=True)]), "tile 'a' has weight True; it must be a number"),
        (lambda: wf.TileSet([wf.Tile("a", weight=[1])]), r"tile 'a' has weight \[1\]; it must be a number"),
        (lambda: wf.TileSet([wf.Tile("a", weight=None)]), "tile 'a' has weight None; it must be a number"),
        (lambda: wf.TileSet([wf.Tile("a", symmetry=3)]), "tile 'a': unknown symmetry 3; one of X, I,"),
        (lambda: wf.TileSet([wf.Tile("a", weight=10**400)]).rules, "weights must be numbers"),
        (lambda: wf.TileSet([wf.Tile("a", picture=())]), "0 pictures for 1 patterns"),
        (lambda: wf.TileSet.load(None), "by its name or path"),
        (lambda: wf.TileSet.load("castle", subset="x"), "no option|there are none"),
        (lambda: wf.TileSet.load("set.xml", subst="x"), "did you mean 'subset'"),
    ],
)
def test_what_makes_no_sense_is_a_tile_set_error(make, message):
    with pytest.raises(wf.TileSetError, match=message):
        make()


def test_a_picture_that_cannot_be_drawn_is_named():
    tiles = wf.TileSet([wf.Tile("a", ("s",) * 4, picture=lambda pattern: 1 // 0)])
    with pytest.raises(wf.TileSetError, match="picture of 'a' cannot be drawn: ZeroDivisionError"):
        wf.generate(tiles, wf.SquareGrid(2, 2)).image()


def test_limits_hold_where_there_are_fields():
    grid = wf.SquareGrid(12, 8)
    fields = wf.Fields(altitude=lambda x, y: x / 11)
    problem = wf.Problem(LAND, grid, fields=fields)
    solution = wf.Solver(problem, seed=3).run()
    altitude = np.broadcast_to(np.arange(12) / 11, (8, 12))
    assert (solution.values[altitude > 0.4] == "land").all()
    assert (solution.values[altitude < 0.35] == "sea").all()
    assert not wf.check(problem, solution)
    generated = wf.generate(LAND, grid, seed=3, fields=fields, refine=False)
    assert generated.values.tolist() == solution.values.tolist()
    assert "sea" in wf.generate(LAND, grid, seed=3).values[altitude > 0.4]


def test_a_mask_and_fields_hold_together():
    masks = np.ones((96, 2), bool)
    masks[:, 0] = False
    fields = wf.Fields(altitude=lambda x, y: x / 11)
    with pytest.raises(wf.Contradiction):
        wf.generate(LAND, wf.SquareGrid(12, 8), masks=masks, fields=fields)


def test_a_function_of_fields_is_asked_for_every_cell():
    def dry(pattern, fields):
        if pattern.tile.name == "land":
            return fields["wet"] < 0.5
        return True

    tiles = wf.TileSet([wf.Tile("sea", ("s",) * 4), wf.Tile("land", ("s",) * 4, 1e6)], allowed_at=dry)
    wet = np.array([[0.0, 1.0, 0.2], [1.0, 0.0, 0.9]])
    solution = wf.generate(tiles, wf.SquareGrid(3, 2), fields=wf.Fields(wet=wet))
    assert ((solution.values == "land") == (wet < 0.5)).all()


def test_bundled_names_are_listed_and_load():
    assert wf.tilesets() == sorted(wf.tilesets()) != []
    assert all(wf.TileSet.load(name).name == name for name in wf.tilesets())


def test_a_list_of_pictures_needs_one_for_each_pattern():
    pixel = np.zeros((1, 1, 3), np.uint8)
    for key in ("picture", "flat_picture"):
        tile = wf.Tile("a", symmetry="turned", **{key: (pixel,)})
        with pytest.raises(wf.TileSetError, match="tile 'a' has 1 pictures for 6 patterns"):
            wf.TileSet([tile], "hex")


lattices = st.sampled_from(["square", "hex", "cube"])


@given(lattices.flatmap(table_tiles))
def test_a_table_comes_back_as_it_was_given(tiles):
    assert (tiles.rules.allowed == tiles.table).all()
    for direction in range(len(tiles.table)):
        for pattern in range(len(tiles)):
            assert (tiles.rules.allows(direction, pattern) == tiles.table[direction, pattern]).all()


@pytest.mark.parametrize("size", [(4,), (4, 4, 4), (4, 0), (4, 2.5), (True, 4), "4x4", 4, ()])
def test_a_recommended_size_must_fit_the_cells(size):
    with pytest.raises(wf.TileSetError, match=r"must be \[columns, rows\], each at least 1"):
        wf.TileSet([wf.Tile("a")], size=size)


def test_a_map_without_a_topology_has_the_recommended_size():
    assert wf.generate(wf.TileSet([wf.Tile("a")], size=[4, 3])).array.shape == (3, 4)


@pytest.mark.parametrize(
    ("topology", "grid"),
    [("square", "SquareGrid(64, 48)"), ("hex", "HexGrid(radius=8)"), ("cube", "CubeGrid(16, 16, 4)")],
)
def test_without_a_recommended_size_a_grid_for_the_tiles_is_named(topology, grid):
    with pytest.raises(wf.ConfigError, match=f"recommend no size; pass a topology, such as {escape(grid)}"):
        wf.generate(wf.TileSet([wf.Tile("a")], topology=topology))
