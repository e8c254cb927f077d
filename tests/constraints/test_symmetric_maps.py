"""Maps that are the same in a mirror, or when they are turned."""

import numpy as np
import pytest

import wavefold as wf
from support import CASTLE, PETERSEN, PIPES, colouring, compiled_only, drawn
from wavefold.constraints.symmetric_maps import find_twins
from wavefold.testing import ConstraintContract
from wavefold.tiles.orientation import Orientation

LINES = wf.TileSet(
    [
        wf.Tile("empty", ("-",) * 4, 2.0, symmetry="X"),
        wf.Tile("line", ("o", "-", "o", "-"), 2.0, symmetry="I"),
        wf.Tile("bend", ("o", "o", "-", "-"), symmetry="L"),
        wf.Tile("fork", ("o", "o", "-", "o"), symmetry="T"),
        wf.Tile("arrow", ("o", "-", "o", ">"), symmetry="F"),
        wf.Tile("stone", ("-",) * 4),  # never turned, but the same on all sides
        wf.Tile("hook", ("o", "o", "-", "-"), symmetry="turned"),  # never mirrored, but then as when turned
    ]
)
FEW = drawn(" ─│┌┼")  # no mirror image of ┌
ARROWS = wf.TileSet([wf.Tile("a", ("-", "x", "-", "y"), 1.0), wf.Tile("b", ("-", "z", "-", "x"), 2.0)])
HEXES = wf.TileSet(
    [
        wf.Tile("land", ("l",) * 6, symmetry="X"),
        wf.Tile("bend", ("w", "l", "w", "l", "l", "l"), symmetry="F"),
        wf.Tile("end", ("w", "l", "l", "l", "l", "l"), symmetry="F"),
    ],
    "hex",
)


class TestMirror(ConstraintContract):
    @pytest.fixture(params=[(5, 4), (4, 3)], ids=str)
    def problem(self, request):
        return wf.Problem(LINES, wf.SquareGrid(*request.param), constraints=[wf.Mirror()])


class TestHorizontalMirror(ConstraintContract):
    @pytest.fixture
    def problem(self):
        return wf.Problem(LINES, wf.SquareGrid(4, 5, wraps=True), constraints=[wf.Mirror("horizontal")])


class TestRotational(ConstraintContract):
    @pytest.fixture(params=[4, 2])
    def problem(self, request):
        return wf.Problem(LINES, wf.SquareGrid(4, 4), constraints=[wf.Rotational(request.param)])


class TestHexRotational(ConstraintContract):
    @pytest.fixture(params=[wf.Rotational(6), wf.Rotational(3), wf.Mirror()], ids=repr)
    def problem(self, request):
        return wf.Problem(HEXES, wf.HexGrid(2), constraints=[request.param])


def test_twins_are_where_arrays_are_flipped_or_turned_to():
    grid = wf.SquareGrid(5, 5)
    numbers = np.arange(25)

    def moved(turn, mirrored):
        twin = find_twins(grid, Orientation(turn, mirrored))
        array = np.empty(25, int)
        array[twin] = numbers
        return array.reshape(5, 5)

    assert (moved(0, True) == np.fliplr(numbers.reshape(5, 5))).all()
    assert (moved(1, False) == np.rot90(numbers.reshape(5, 5), -1)).all()
    assert (moved(2, True) == np.flipud(numbers.reshape(5, 5))).all()


def test_a_mirrored_picture_is_the_same_picture():
    tiles = wf.TileSet.load("pipes")
    for constraint, flip in ((wf.Mirror(), np.fliplr), (wf.Mirror("horizontal"), np.flipud)):
        problem = wf.Problem(tiles, wf.SquareGrid(8, 6), constraints=[constraint])
        pixels = np.asarray(wf.Solver(problem, 3).run().image().convert("RGB")).astype(int)
        assert np.abs(pixels - flip(pixels)).mean() < 4  # drawn by hand: nearly the same


def test_a_flat_hexagon_is_mirrored_left_to_right_as_well():
    problem = wf.Problem(HEXES, wf.HexGrid(2, "flat"), constraints=[wf.Mirror()])
    solution = wf.Solver(problem, 5).run()
    names = problem.topology.directions
    moved = [names.index(n.replace("east", "?").replace("west", "east").replace("?", "west")) for n in names]
    sockets = [HEXES.patterns[each].sockets for each in solution.patterns]
    place = {
        (round(x, 6), round(y, 6)): cell for cell in range(19) for x, y in [problem.topology.centre(cell)]
    }
    for (x, y), cell in place.items():
        twin = place[-x + 0.0, y]
        assert [sockets[cell][side] for side in range(6)] == [sockets[twin][side] for side in moved]


def test_tiles_that_are_not_placed_in_all_ways_become_what_shows_the_same_sockets():
    names = LINES.rules.names
    turned = LINES.pattern_table.find_images(Orientation(1))
    mirrored = LINES.pattern_table.find_images(Orientation(0, True))
    assert names[turned[names.index("stone")]] == "stone"
    assert names[turned[names.index("hook")]] == "hook@90"
    assert names[mirrored[names.index("hook")]] == "hook@270"
    for images in (turned, mirrored):
        assert sorted(images.tolist()) == list(range(len(names)))


@pytest.mark.parametrize(
    ("tiles", "grid", "constraint", "error", "culprit"),
    [
        (
            LINES,
            wf.SquareGrid(5, 4),
            wf.Rotational(),
            wf.ConfigError,
            "5 x 4 cells turned .* as rows",
        ),
        (LINES, wf.SquareGrid(4, 4), wf.Rotational(3), wf.ConfigError, "order must be 2 or 4"),
        (HEXES, wf.HexGrid.rectangle(4, 4), wf.Mirror(), wf.ConfigError, "has different cells; .* radius"),
        (
            ARROWS,
            wf.SquareGrid(4, 4),
            wf.Mirror(),
            wf.TileSetError,
            "no image of 'a', 'b' when .*; add it with a symmetry",
        ),
        (colouring(3), PETERSEN, wf.Mirror(), wf.ConfigError, "a graph cannot be mirrored"),
        (LINES.rules, wf.SquareGrid(4, 4), wf.Mirror(), wf.TileSetError, "needs tiles with orientations"),
        (wf.learn(np.eye(4, dtype=int), n=2), wf.SquareGrid(4, 4), wf.Mirror(), wf.TileSetError, "learned"),
    ],
    ids=repr,
)
def test_maps_and_tiles_that_cannot_be_symmetric_are_refused(tiles, grid, constraint, error, culprit):
    with pytest.raises(error, match=culprit):
        wf.Problem(tiles, grid, constraints=[constraint])


def test_tiles_of_other_names_are_images_if_they_touch_alike():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 4), constraints=[wf.Mirror()])
    mirrored = str.maketrans("┌┐└┘├┤", "┐┌┘└┤├")
    for row in wf.Solver(problem, 2).run().values:
        assert "".join(row[::-1]).translate(mirrored) == "".join(row)


@pytest.mark.parametrize("tiles", [FEW, CASTLE], ids=["few", "castle"])
def test_maps_are_made_without_patterns_that_have_no_image(tiles):
    with pytest.warns(wf.TileSetWarning, match="no image of '.* when mirrored at its vertical axis"):
        problem = wf.Problem(tiles, wf.SquareGrid(6, 4), constraints=[wf.Mirror()])
    solution = wf.Solver(problem, 1).run()
    assert wf.check(problem, solution) == []


def test_what_is_left_out_is_said_once_not_again_by_an_explanation():
    with pytest.warns(wf.TileSetWarning) as said:
        problem = wf.Problem(FEW, wf.SquareGrid(4, 4), pins={(1, 1): "┌"}, constraints=[wf.Mirror()])
    assert len(said) == 1
    with pytest.raises(wf.Contradiction) as caught:
        wf.Solver(problem).run()
    assert "mirrored at its vertical axis" in str(caught.value)


BOTH = [wf.Mirror(), wf.Mirror("horizontal")]


@pytest.mark.parametrize(
    ("name", "grid", "left_out"),
    [
        ("meadow", wf.SquareGrid(12, 9), []),
        ("castle", wf.SquareGrid(12, 9), ["farm", "keep"]),
        pytest.param("medieval", wf.HexGrid(3), [], marks=compiled_only),
    ],
)
def test_bundled_sets_are_symmetric_on_both_axes(name, grid, left_out, recwarn):
    problem = wf.Problem(wf.TileSet.load(name), grid, constraints=BOTH)
    assert [each for each in left_out if repr(each) in str(recwarn[0].message)] == left_out
    assert len(recwarn) == bool(left_out)
    pictures = wf.Solver(problem, 1).run()
    assert wf.check(problem, pictures) == []


@pytest.mark.parametrize("search", ["auto", "exact"])
@pytest.mark.parametrize(
    ("constraints", "count", "side", "exists"),
    [
        ([wf.Mirror()], 1, 6, False),
        ([wf.Mirror()], 2, 6, True),
        ([wf.Mirror()], 1, 5, True),
        (BOTH, 2, 6, False),
        (BOTH, 4, 6, True),
        (BOTH, 2, 5, True),
        ([wf.Rotational(4)], 6, 6, False),
        ([wf.Rotational(4)], 5, 5, True),
        ([wf.Rotational(2)], 3, 6, False),
    ],
)
def test_counts_that_symmetry_excludes_are_impossible_at_once(constraints, count, side, exists, search):
    tiles = wf.TileSet(
        [wf.Tile("floor", ("f",) * 4, symmetry="X"), wf.Tile("gate", ("f",) * 4, symmetry="X")]
    )
    exactly = wf.Count("gate", count, count)
    problem = wf.Problem(tiles, wf.SquareGrid(side, side), constraints=[*constraints, exactly])
    solver = wf.Solver(problem, 1, search=search)
    if exists:
        assert wf.check(problem, solver.run(2_000)) == []
        return
    with pytest.raises(wf.Contradiction) as caught:
        solver.run(0)
    assert "must appear exactly" in str(caught.value)


@pytest.mark.parametrize("count", [1, 3, 4])
def test_the_middle_of_two_mirrors_counts_only_for_what_both_leave(count):
    lamp = wf.Tile(
        "lamp", ("-", "-", "o", "-"), symmetry="T"
    )  # mirrored at one axis it stays, at the other it turns
    plain = wf.Tile("plain", ("-",) * 4, symmetry="X")
    tiles = wf.TileSet([lamp, plain, wf.Tile("end", ("o", "o", "o", "o"), symmetry="X")])
    exactly = wf.Count("lamp", count, count)
    problem = wf.Problem(tiles, wf.SquareGrid(5, 5), constraints=[*BOTH, exactly])
    solver = wf.Solver(problem, 1)
    if count == 4:
        assert wf.check(problem, solver.run(2_000)) == []
        return
    with pytest.raises(wf.Contradiction):
        solver.run(0)


def test_what_masks_forbid_needs_no_image():
    only = np.array([name in (" ", "─", "│", "┼") for name in FEW.rules.names])
    problem = wf.Problem(FEW, wf.SquareGrid(4, 4), masks=only, constraints=[wf.Mirror()])
    assert wf.check(problem, wf.Solver(problem).run()) == []


@pytest.mark.parametrize(
    ("make", "culprit"), [(lambda: wf.Mirror("x"), "no axis"), (lambda: wf.Rotational(1), "2")]
)
def test_symmetries_that_do_not_exist_are_refused(make, culprit):
    with pytest.raises(wf.ConfigError, match=culprit):
        make()
