"""SVG: every picture once, a reference for every cell, and XML that any reader takes."""

import os
import re
from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from wavefold.errors import ConfigError
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.render import draw, svg
from wavefold.render.svg import MOST_CELLS
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics
from wavefold.tiles import Rules, Tile, TileSet
from wavefold.tiles.rules import Relation
from wavefold.topology import CubeGrid, Graph, HexGrid, SquareGrid

SPACE = "{http://www.w3.org/2000/svg}"
RED, BLUE, CLEAR = (255, 0, 0, 255), (0, 0, 255, 255), (0, 0, 0, 0)


def flat(colour, size=4):
    return np.full((size, size, 4), colour, np.uint8)


def pictured(topology="square", sides=4):
    return TileSet(
        [Tile("red", ("a",) * sides, picture=flat(RED)), Tile("blue", ("a",) * sides, picture=flat(BLUE))],
        topology,
    )


def solution(tiles, topology, patterns):
    return Solution(Problem(tiles, topology), np.array(patterns), Statistics())


def parsed(this, **options):
    return ElementTree.fromstring(svg(this, **options))


def tagged(root, tag):
    return list(root.iter(SPACE + tag))


def picture_in(image):
    return Image.open(BytesIO(b64decode(image.get("href").partition(",")[2])))


def pasted(root):
    """What a viewer would show, of cells that are pictures."""
    width, height = (int(root.get(side)) for side in ("width", "height"))
    page = Image.new("RGBA", (width, height))
    stamps = {"#" + image.get("id"): picture_in(image).convert("RGBA") for image in tagged(root, "image")}
    for use in tagged(root, "use"):
        page.alpha_composite(stamps[use.get("href")], (int(use.get("x")), int(use.get("y"))))
    return page


CASES = [
    (SquareGrid(5, 4), "square", 4),
    (HexGrid(radius=2), "hex", 6),
    (HexGrid(radius=2, layout="flat"), "hex", 6),
    (CubeGrid(3, 3, 2), "cube", 6),
]


@pytest.mark.parametrize(("grid", "kind", "sides"), CASES)
def test_put_together_it_is_the_picture(grid, kind, sides):
    this = solution(pictured(kind, sides), grid, np.arange(grid.cell_count) % 2)
    root = parsed(this, tile_size=12)
    assert (np.asarray(pasted(root)) == np.asarray(draw(this, tile_size=12))).all()


def test_every_picture_is_there_once_and_every_cell_refers_to_one():
    root = parsed(solution(pictured(), SquareGrid(5, 4), [0, 1] * 10))
    assert len(tagged(root, "image")) == 2
    uses = tagged(root, "use")
    assert len(uses) == 20
    assert [(int(use.get("x")), int(use.get("y"))) for use in uses[:6]] == [
        (0, 0),
        (4, 0),
        (8, 0),
        (12, 0),
        (16, 0),
        (0, 4),
    ]
    assert root.get("viewBox") == "0 0 20 16"
    assert (root.get("width"), root.get("height")) == ("20", "16")


def test_scale_enlarges_the_page_and_nothing_else():
    one, three = (parsed(solution(pictured(), SquareGrid(2, 1), [0, 1]), scale=scale) for scale in (1, 3))
    assert three.get("width") == "24"
    assert three.get("viewBox") == one.get("viewBox")


def test_buried_blocks_are_left_out_and_air_too():
    tiles = TileSet(
        [Tile("air", ("a",) * 6, picture=flat(CLEAR)), Tile("red", ("a",) * 6, picture=flat(RED))], "cube"
    )
    assert len(tagged(parsed(solution(tiles, CubeGrid(3, 3, 3), [1] * 27)), "use")) == 27 - 8
    root = parsed(solution(tiles, CubeGrid(2, 2, 2), [0] * 8))
    assert tagged(root, "use") == tagged(root, "image") == []


@pytest.mark.parametrize(("grid", "kind", "sides"), CASES)
def test_tiles_without_pictures_are_shapes(grid, kind, sides):
    tiles = TileSet([Tile(name) for name in "xyz"], kind)
    this = solution(tiles, grid, np.zeros(grid.cell_count, int))
    root = parsed(this)
    assert tagged(root, "image") == []
    colour = "#{:02x}{:02x}{:02x}".format(*np.asarray(draw(this)).reshape(-1, 4).max(axis=0)[:3])
    assert {use.get("color") for use in tagged(root, "use")} == {colour}
    assert len(tagged(root, "path")) == (5 if kind == "cube" else 1)  # three faces, two in the shade


def test_names_of_any_kind_are_told_as_titles():
    odd = '<&"\x00\x0b\ud800> ]]>'
    tiles = TileSet([Tile(odd, ("a",) * 4)])
    text = svg(solution(tiles, SquareGrid(2, 1), [0, 0]))
    text.encode()
    titles = [title.text for title in tagged(ElementTree.fromstring(text), "title")]
    assert titles == [
        '<&"\ufffd\ufffd\ufffd> ]]>: column 0, row 0',
        '<&"\ufffd\ufffd\ufffd> ]]>: column 1, row 0',
    ]
    assert "<title>" not in svg(solution(tiles, SquareGrid(2, 1), [0, 0]), titles=False)


def test_undecided_cells_are_colours_and_may_show_how_many_are_left():
    problem = Problem(pictured(), SquareGrid(3, 1))
    wave = Partial(problem, pack_bits(np.array([[True, False], [True, True], [False, False]])))
    root = parsed(wave, tile_size=20)
    assert [use.get("color") for use in tagged(root, "use")] == [None, "#800080", "#ff0060"]
    assert [title.text.partition(":")[0] for title in tagged(root, "title")] == [
        "red",
        "2 patterns left",
        "nothing fits",
    ]
    assert tagged(root, "text") == []
    assert [text.text for text in tagged(parsed(wave, tile_size=20, show="entropy"), "text")] == ["2"]
    assert tagged(parsed(wave, tile_size=4, show="entropy"), "text") == []


def test_conflicts_are_marked():
    root = parsed(solution(pictured(), SquareGrid(3, 1), [0, 1, 0]), tile_size=20, conflicts=[(1, 0), 2])
    marks = [path for path in tagged(root, "path") if path.get("class") == "conflict"]
    assert len(marks) == 2
    numbers = np.array(re.findall(r"([\d.]+) ([\d.]+)", marks[0].get("d")), float)
    assert (numbers[:, 0] > 20).all()
    assert (numbers[:, 0] < 40).all()


def test_a_graph_is_drawn_cell_by_cell():
    graph = Graph([("a", "b"), ("b", "c")])
    rules = Rules(["x", "y"], [Relation.from_allowed(np.ones((2, 2), bool))] * 2)
    root = parsed(solution(rules, graph, [0, 1, 0]))
    fills = [path.get("fill") for path in tagged(root, "path")]
    assert len(fills) == 3
    assert fills[0] == fills[2] != fills[1]


def test_saving_goes_by_the_ending_and_takes_options(tmp_path):
    this = solution(pictured(), SquareGrid(3, 1), [0, 1, 0])
    this.save(tmp_path / "map.svg", titles=False, tile_size=9)
    text = (tmp_path / "map.svg").read_text("utf-8")
    assert "<title>" not in text
    assert ElementTree.fromstring(text).get("width") == "27"
    assert os.listdir(tmp_path) == ["map.svg"]
    assert text == svg(this, titles=False, tile_size=9)


def test_too_many_cells_are_refused():
    side = int(MOST_CELLS**0.5) + 1
    with pytest.raises(ConfigError, match=r"save the map as \.png"):
        svg(solution(pictured(), SquareGrid(side, side), np.zeros(side * side, int)))


@pytest.mark.parametrize("options", [{"scale": 0}, {"show": "x"}, {"tile_size": -1}, {"layers": 1}])
def test_senseless_options_are_refused(options):
    with pytest.raises(ConfigError):
        svg(solution(pictured(), SquareGrid(1, 1), [0]), **options)


def test_a_missing_folder_is_named_before_the_work(tmp_path):
    with pytest.raises(ConfigError, match="there is no folder"):
        solution(pictured(), SquareGrid(1, 1), [0]).save(tmp_path / "no" / "map.svg")
