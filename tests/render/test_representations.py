"""Objects as the result of a notebook's cell: a picture and a line of facts, never an error."""

import re
from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

import wavefold as wf
from wavefold.errors import ConfigError


def pictures(html):
    return [Image.open(BytesIO(b64decode(each))) for each in re.findall(r"base64,([^\"]+)", html)]


@pytest.mark.parametrize("name", ["pipes", "medieval", "blocks"])
def test_a_tile_set_is_a_sheet_of_tiles_with_names_and_weights(name):
    tiles = wf.TileSet.load(name)
    html = tiles._repr_html_()
    assert len(pictures(html)) == min(60, len(tiles.tiles))
    assert f"{tiles.tiles[1].name}<br>" in html
    assert f"{len(tiles)} patterns" in html
    assert len(html) < 200_000


def test_names_of_tiles_are_escaped():
    tiles = wf.TileSet([wf.Tile("<b>", ["a"] * 4)])
    assert "&lt;b&gt;" in tiles._repr_html_()


def test_a_solver_shows_how_far_it_is():
    solver = wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(8, 6)), seed=3)
    for _ in range(5):
        solver.step()
    html = solver._repr_html_()
    assert "of 48 cells decided" in html
    assert "seed 3" in html
    assert len(pictures(html)) == 1


def test_a_solver_without_pictures_shows_its_facts():
    html = wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(2, 2)))._repr_html_()
    assert html.startswith("<div")


def test_a_world_shows_the_cells_around_its_origin():
    html = wf.World(wf.TileSet.load("pipes"), seed=7)._repr_html_()
    assert "endless world" in html
    assert pictures(html)[0].size == (256, 256)


def test_what_cannot_be_drawn_is_left_to_the_repr(monkeypatch):
    def fail(*_):
        raise ConfigError("no picture")

    monkeypatch.setattr("wavefold.render.representations.preview", fail)
    assert wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(2, 2)))._repr_html_() is None


def test_a_patchwork_is_its_map_with_what_it_is_made_of():
    patchwork = wf.Patchwork(wf.TileSet.load("medieval"), radius=3, seed=3)
    assert "0 grids" in patchwork._repr_html_()
    patchwork.populate_all([(0, 0), (1, 0)])
    html = patchwork._repr_html_()
    assert "2 grids of radius 3" in html
    assert pictures(html)[0].width > 200
    assert wf.show(patchwork)._repr_html_() == html


def test_what_a_terminal_shows_is_a_line():
    solver = wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(4, 4)))
    for shown in (solver, wf.show(wf.TileSet.load("pipes"))):
        assert len(repr(shown)) < 200
        assert " object at " not in repr(shown)
