"""Constraints of DeBroglie: maps that are made with them keep them, as this file judges by itself."""

import json
from functools import partial

import numpy as np
import pytest
from debroglie_files import PIPES, PIXELS, load, write_pictures

import wavefold as wf
from wavefold.testing import ConstraintContract

# Three tiles that may all touch.
FREE = {
    "src": "free.csv",
    "dest": "out/free.csv",
    "width": 8,
    "height": 7,
    "adjacencies": [{"left": list("abc"), "right": list("abc")}, {"up": list("abc"), "down": list("abc")}],
}
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
BACK = {"north": "south", "east": "west", "south": "north", "west": "east"}
EXITS = {"line": ["x+", "x-"], "corner": ["x+", "y-"], "tee": ["x-", "x+", "y+"]}
OPEN = {"line": ("east", "west"), "corner": ("east", "north"), "tee": ("west", "east", "south")}


@pytest.fixture
def folder(tmp_path):
    write_pictures(tmp_path)
    (tmp_path / "free.csv").write_text("a,b,c\n")
    return tmp_path


def maps(folder, document, *constraints, seeds=range(3)):
    """Maps with these constraints, as arrays [row, column] of the names of patterns."""
    config = load(folder, document | {"constraints": list(constraints)})
    for seed in seeds:
        solution = wf.generate(config.tiles, config.topology, seed, refine=False, **config.parts())
        assert not wf.check(config.problem(), solution)
        yield np.array(config.tiles.rules.names)[solution.array]


def sides_of(name):
    """The sides on which a pipe is open."""
    tile, _, turn = name.partition("@")
    compass = list(STEPS)
    return {compass[(compass.index(side) + int(turn or 0) // 90) % 4] for side in OPEN.get(tile, ())}


def pieces(cells, joined):
    """The connected pieces of some cells; joined(cell, other, side) for two that touch."""
    left, found = set(cells), []
    while left:
        piece, line = set(), [left.pop()]
        while line:
            x, y = cell = line.pop()
            piece.add(cell)
            for side, (dx, dy) in STEPS.items():
                other = (x + dx, y + dy)
                if other in left and joined(cell, other, side):
                    left.discard(other)
                    line.append(other)
        found.append(piece)
    return found


def cells_with(array, names):
    return {(x, y) for y, x in np.argwhere(np.isin(array, list(names))).tolist()}


def count_edges(cells):
    return sum((x + dx, y + dy) in cells for x, y in cells for dx, dy in ((1, 0), (0, 1)))


def touching(cell, other, side):
    return True


def face_each_other(sides, cell, other, side):
    return side in sides[cell] and BACK[side] in sides[other]


# --- areas ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [None, "xmin", "ymax, XMAX", "all"])
@pytest.mark.parametrize("excluded", [None, "ymin"])
@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("banned", [False, True])
def test_borders_are_the_cells_that_sides_say(folder, sides, excluded, inverted, banned):
    data = {"type": "border", "tile": "a", "invertArea": inverted, "ban": banned}
    data |= {"sides": sides} if sides else {}
    data |= {"excludeSides": excluded} if excluded else {}
    rows, columns = np.indices((7, 8))
    along = {"xmin": columns == 0, "xmax": columns == 7, "ymin": rows == 0, "ymax": rows == 6}
    words = list(along) if sides in (None, "all") else sides.lower().replace(" ", "").split(",")
    area = np.any([along[word] for word in words], axis=0)
    area &= ~(along[excluded] if excluded else np.zeros_like(area))
    area ^= inverted
    (array,) = maps(folder, FREE, data, seeds=[1])
    assert ((array == "a") != banned)[area].all()
    assert len(set(array[~area].tolist())) > 1  # free elsewhere


def test_the_ground_is_at_the_bottom_and_nowhere_else(folder):
    (array,) = maps(folder, FREE | {"ground": "c"}, seeds=[2])
    assert (array[-1] == "c").all()
    assert not (array[:-1] == "c").any()


def test_a_ground_that_the_model_does_not_have_is_refused(folder):
    with pytest.raises(wf.FormatError, match=r"json', ground: unknown tile 'z', which the map must have"):
        load(folder, FREE | {"ground": "z"})


def test_fixed_tiles_are_pins_or_somewhere(folder):
    fixed = {"type": "fixedTile", "tiles": ["b", "c"], "point": {"x": 2, "y": 5}}
    few = {"type": "count", "tiles": ["a"], "comparison": "atMost", "count": 1}
    for array in maps(folder, FREE, fixed, {"type": "fixedTile", "tile": "a"}, few):
        assert array[5, 2] in ("b", "c")
        assert (array == "a").sum() == 1


# --- amounts and distances ------------------------------------------------------------------------


@pytest.mark.parametrize("comparison", ["atLeast", "atMost", "exactly", 2])
def test_counts(folder, comparison):
    data = {"type": "count", "tiles": ["a", "b"], "comparison": comparison, "count": 20}
    for array in maps(folder, FREE, data):
        number = np.isin(array, ["a", "b"]).sum()
        assert number >= 20 or comparison == "atMost"
        assert number <= 20 or comparison == "atLeast"


def test_separations(folder):
    data = {"type": "separation", "tiles": ["a", "b"], "minDistance": 3}
    least = {"type": "count", "tiles": ["a"], "comparison": "atLeast", "count": 3}
    for array in maps(folder, FREE, data, least):
        found = sorted(cells_with(array, "ab"))
        apart = [abs(x - u) + abs(y - v) for x, y in found for u, v in found if (x, y) < (u, v)]
        assert len(found) >= 3
        assert min(apart) >= 3
    pair = {"type": "pairSeparation", "tiles1": ["a"], "tiles2": ["b"], "minDistance": 3}
    for array in maps(folder, FREE, pair, least, least | {"tiles": ["b"]}):
        apart = [
            abs(x - u) + abs(y - v) for x, y in cells_with(array, "a") for u, v in cells_with(array, "b")
        ]
        assert min(apart) >= 3


@pytest.mark.parametrize("axes", [None, ["x"], ["Y"], ["x", "y"]])
def test_runs(folder, axes):
    data = {"type": "maxConsecutive", "tiles": ["a", "b"], "maxCount": 2} | ({"axes": axes} if axes else {})
    wanted = {"type": "count", "tiles": ["a", "b"], "comparison": "atLeast", "count": 30}
    for array in maps(folder, FREE, data, wanted):
        counted = np.isin(array, ["a", "b"])
        for axis, lines in (("x", counted), ("y", counted.T)):
            if axes is None or axis in [each.lower() for each in axes]:
                assert not any("111" in "".join(map(str, line.astype(int))) for line in lines)


def test_mirrors(folder):
    for array in maps(folder, FREE, {"type": "mirrorX"}):
        assert (array == array[:, ::-1]).all()
    for array in maps(folder, FREE, {"type": "mirror"}, {"type": "mirrorY"}):
        assert (array == array[:, ::-1]).all()
        assert (array == array[::-1]).all()


def test_mirrored_maps_look_mirrored(folder):
    windows = PIXELS | {"model": {"type": "overlapping", "n": 2}, "symmetry": 8, "periodicInput": True}
    for document in (PIPES, windows):
        config = load(folder, document | {"constraints": [{"type": "mirrorX"}, {"type": "mirrorY"}]})
        solution = wf.generate(config.tiles, config.topology, 4, refine=False, **config.parts())
        assert not wf.check(config.problem(), solution)
        pixels = np.asarray(solution.image())
        assert (pixels == pixels[:, ::-1]).all()
        assert (pixels == pixels[::-1]).all()


class TestMirrorTiles(ConstraintContract):
    @pytest.fixture(params=[("x", 3), ("x", 4), ("y", 4)])
    def problem(self, request, folder):
        axis, width = request.param
        document = PIPES | {"width": width, "height": 3, "constraints": [{"type": f"mirror{axis.upper()}"}]}
        return load(folder, document).problem()


# --- paths ----------------------------------------------------------------------------------------

SOME = {"type": "count", "tiles": ["a"], "comparison": "atLeast", "count": 12}


@pytest.mark.parametrize(
    "data",
    [
        {"type": "path", "tiles": ["a"]},
        {"type": "path", "pathTiles": ["a"]},
        {"type": "connected", "pathSpec": {"type": "path", "tile": "a"}},
    ],
)
def test_paths_of_tiles_are_in_one_piece(folder, data):
    for array in maps(folder, FREE, data, SOME):
        assert len(pieces(cells_with(array, "a"), touching)) == 1


def test_end_points_are_joined(folder):
    data = {"type": "path", "tiles": ["a"], "endPoints": [{"x": 0, "y": 0}, {"x": 7, "y": 6}]}
    for array in maps(folder, FREE, data):
        found = pieces(cells_with(array, "a"), touching)
        assert any({(0, 0), (7, 6)} <= piece for piece in found)


@pytest.mark.parametrize(
    "data",
    [
        {"type": "edgedPath", "exits": EXITS},
        {"type": "edgedPath", "pathTiles": EXITS},
        {"type": "edgedConnected", "pathSpec": {"type": "edgedPath", "exits": EXITS}},
    ],
)
def test_paths_with_exits_are_in_one_piece(folder, data):
    border = {"type": "border", "tile": "blank"}
    for array in maps(folder, PIPES | {"width": 9, "height": 8}, data, border):
        found = {(x, y): sides_of(array[y, x]) for y in range(8) for x in range(9)}
        cells = {cell for cell, sides in found.items() if sides}
        assert len(pieces(cells, partial(face_each_other, found))) <= 1


def test_loops_have_no_dead_ends_and_trees_no_loops(folder):
    with pytest.warns(wf.TileSetWarning, match="two loops may meet in one cell"):
        arrays = list(maps(folder, FREE, {"type": "loop", "tiles": ["a"]}, SOME))
    for array in arrays:
        cells = cells_with(array, "a")
        assert len(pieces(cells, touching)) == 1
        while True:  # cells on a loop stay when dead ends are removed one after another
            ends = {c for c in cells if count_edges(cells) - count_edges(cells - {c}) < 2}
            if not ends:
                break
            cells -= ends
        assert cells == cells_with(array, "a")
    for array in maps(folder, FREE, {"type": "acyclic", "tiles": ["a"]}, SOME):
        cells = cells_with(array, "a")
        assert count_edges(cells) == len(cells) - len(pieces(cells, touching))


# --- what is reported and refused -----------------------------------------------------------------

NOTES = {
    "parity": ({"type": "parity", "exits": {}}, "parity is left out"),
    "eager": ({"type": "count", "tiles": ["a"], "count": 1, "eager": True}, "eager is left out"),
    "tiles to connect": (
        {"type": "path", "tiles": ["a", "b"], "endPointTiles": ["b"]},
        "all path cells are connected",
    ),
    "a tile that nothing else names": (
        {"type": "border", "tiles": ["a", "d"]},
        r"constraints\[0\]: unknown tile 'd' is ignored; known: a, b, c",
    ),
    "a tile on no path": (
        {"type": "edgedPath", "exits": {"aa": ["x+"], "b": ["x-"]}},
        "unknown tile 'aa' is ignored",
    ),
    "a field": ({"type": "mirrorX", "speed": 3}, r"constraints\[0\].speed is ignored"),
}


@pytest.mark.parametrize(("data", "message"), NOTES.values(), ids=NOTES)
def test_what_means_something_else_is_reported(folder, data, message):
    with pytest.warns(wf.TileSetWarning, match=message):
        config = load(folder, FREE | {"constraints": [data]})
    assert "constraints[0]" in config.notes[0]


def test_notes_begin_with_the_constraint_wherever_the_file_is(folder):
    (place := folder / "one, two").mkdir()
    write_pictures(place)
    with pytest.warns(wf.TileSetWarning, match="parity is left out"):
        config = load(place, PIXELS | {"constraints": [{"type": "parity"}]})
    assert config.notes[0].startswith("constraints[0]: parity")


WITHOUT_TILES = {
    "a ban": {"type": "border", "tile": "d", "ban": True},
    "a bound": {"type": "count", "tile": "d", "comparison": "atMost", "count": 1},
    "none": {"type": "count", "tile": "d", "comparison": "exactly", "count": 0},
    "a distance": {"type": "separation", "tile": "d", "minDistance": 3},
    "no distance": {"type": "separation", "tile": "d"},
    "two kinds": {"type": "pairSeparation", "tiles1": ["a"], "tiles2": ["d"], "minDistance": 3},
    "a run": {"type": "maxConsecutive", "tile": "d", "axes": ["x", "y"]},
    "a path": {"type": "path", "tiles": ["d"]},
    "exits": {"type": "edgedPath", "exits": {"d": ["x+"]}},
    "tiles to connect": {"type": "path", "tiles": ["a"], "relevantTiles": ["d"]},
    "ends of a path": {"type": "edgedPath", "exits": {"a": ["x+"]}, "endPointTiles": ["d"]},
    "no cells": {"type": "border", "tile": "d", "sides": "ymin", "excludeSides": "ymin"},
    "no cells outside": {"type": "border", "tile": "d", "sides": "none"},
    "a loop": {"type": "loop", "tiles": ["d"]},
    "a tree": {"type": "acyclic", "tiles": ["d"]},
}


@pytest.mark.parametrize("data", WITHOUT_TILES.values(), ids=WITHOUT_TILES)
def test_what_holds_without_its_tiles_is_left_out_with_a_warning(folder, data):
    known = pytest.warns(wf.TileSetWarning, match="unknown tile 'd' is ignored")
    with known, pytest.warns(wf.TileSetWarning, match="left out"):
        config = load(folder, FREE | {"constraints": [data]})
    assert config.notes[1] == "constraints[0]: left out, because none of its tiles are in the model"
    assert config.parts() == {"pins": {}, "constraints": []}


def test_unknown_tiles_to_connect_are_left_out_beside_cells_and_others(folder):
    data = {"type": "path", "tiles": ["a"], "relevantTiles": ["d"]}
    unknown = "constraints[0]: unknown tile 'd' is ignored; known: a, b, c"
    with pytest.warns(wf.TileSetWarning, match="unknown tile 'd'"):
        config = load(folder, FREE | {"constraints": [data | {"relevantCells": [{"x": 3, "y": 2}]}]})
    assert config.notes == (unknown,)
    assert config.parts()["constraints"] == [wf.Connected("a", joins=[(3, 2)])]
    joined = pytest.warns(wf.TileSetWarning, match="all path cells are connected")
    with pytest.warns(wf.TileSetWarning, match="unknown tile 'd'"), joined:
        config = load(folder, FREE | {"constraints": [data | {"relevantTiles": ["d", "a"]}]})
    assert config.notes[0] == unknown
    assert config.parts()["constraints"] == [wf.Connected("a")]


ERRORS = {
    "a type": ({"type": "borde"}, "unknown type of constraint 'borde'; did you mean 'border'"),
    "no tiles": ({"type": "border"}, "field 'tiles' is missing"),
    "no tiles to bound": ({"type": "border", "tiles": []}, "field 'tiles' is empty; name a tile"),
    "no tiles to count": ({"type": "count", "tiles": []}, "field 'tiles' is empty"),
    "no tiles in a row": ({"type": "maxConsecutive", "tiles": []}, "field 'tiles' is empty"),
    "no tiles apart": ({"type": "separation", "tiles": []}, "field 'tiles' is empty"),
    "no tiles far apart": ({"type": "separation", "tiles": [], "minDistance": 3}, "field 'tiles' is empty"),
    "no path": ({"type": "path"}, "a path needs 'tiles' or 'exits'"),
    "no tiles on a path": ({"type": "path", "tiles": []}, "field 'tiles' is empty; name a tile"),
    "no exits": (
        {"type": "edgedPath", "exits": {}},
        r"""field 'exits' is empty; name a tile and its sides, such as \{"line": \["x\+", "x-"\]\}""",
    ),
    "no exits of path tiles": (
        {"type": "loop", "pathSpec": {"pathTiles": {}}},
        "field 'pathTiles' is empty; name a tile and its sides",
    ),
    "a tile in all but no cells": (
        {"type": "border", "tile": "d", "sides": "none", "invertArea": True},
        "unknown tile 'd', which the map must have",
    ),
    "a tile": ({"type": "border", "tile": "d"}, "unknown tile 'd', which the map must have"),
    "a fixed tile": ({"type": "fixedTile", "tile": "d"}, "unknown tile 'd', which the map must have"),
    "a number of tiles": ({"type": "count", "tiles": ["d", "e"], "count": 2}, "unknown tile 'd' or 'e'"),
    "the end of a path": (
        {"type": "edgedPath", "exits": {"d": ["x+"]}, "endPoints": [{"x": 0, "y": 0}]},
        "unknown tile 'd'",
    ),
    "a side": ({"type": "border", "tile": "a", "sides": "left"}, "'left' is not a side"),
    "a point": ({"type": "fixedTile", "tile": "a", "point": {"x": 9, "y": 0}}, "is outside the map"),
    "an axis": ({"type": "maxConsecutive", "tile": "a", "axes": ["z"]}, "'z' is not an axis"),
    "a word": ({"type": "count", "tile": "a", "comparison": "some"}, "'some' is not atLeast"),
    "a direction": ({"type": "edgedPath", "exits": {"a": ["left"]}}, "'left' is not a direction"),
    "a side of no tile": (
        {"type": "border", "tile": "d", "sides": "left", "ban": True},
        "'left' is not a side",
    ),
    "no layers": ({"type": "edgedPath", "exits": {"a": ["z+"]}}, "square cells have no side 'up'"),
}


@pytest.mark.parametrize(("data", "message"), ERRORS.values(), ids=ERRORS)
def test_what_is_wrong_is_named_with_its_place(folder, data, message):
    with pytest.raises(wf.FormatError, match=rf"constraints\[0\].*{message}"):
        load(folder, FREE | {"constraints": [data]})


def test_two_fixed_tiles_in_a_cell_are_refused(folder):
    data = {"type": "fixedTile", "tile": "a", "point": {"x": 1, "y": 1}}
    with pytest.raises(wf.FormatError, match=r"constraints\[1\].*two fixed tiles"):
        load(folder, FREE | {"constraints": [data, data | {"tile": "b"}]})


def test_fixed_tiles_may_be_repeated(folder):
    one = {"type": "fixedTile", "tile": "a", "point": {"x": 1, "y": 1}}
    some = {"type": "fixedTile", "tiles": ["b", "c"], "point": {"x": 2, "y": 1}}
    constraints = [one, one, some, some | {"tiles": ["c", "b"]}, one | {"tile": None, "tiles": ["a", "a"]}]
    config = load(folder, FREE | {"constraints": constraints})
    assert config.parts() == {"pins": {(1, 1): "a", (2, 1): ["b", "c"]}, "constraints": []}
    with pytest.raises(wf.FormatError, match=r"constraints\[1\].*\(2, 1\) has two fixed tiles"):
        load(folder, FREE | {"constraints": [some, some | {"tiles": ["b"]}]})


def test_parts_fit_another_grid_of_the_same_kind(folder):
    config = load(folder, FREE | {"constraints": [{"type": "border", "tile": "a"}]})
    grid = wf.SquareGrid(5, 4)
    solution = wf.generate(config.tiles, grid, refine=False, **config.parts(grid))
    assert (solution.array[0] == config.tiles.rules.names.index("a")).all()
    with pytest.raises(wf.ConfigError, match="has square cells"):
        config.parts(wf.HexGrid(2))
    assert json.loads((folder / "config.json").read_text())["width"] == 8
