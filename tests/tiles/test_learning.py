"""Patterns and pairs learned from samples."""

import json
import os
import time
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import wavefold as wf
from support import compiled_only
from wavefold.tiles import Relation
from wavefold.tiles.learning import LearnedTileSet, learn, learn_adjacency
from wavefold.tiles.learning.samples import MOST_PIXELS

FOLDER = Path(os.environ.get("WAVEFOLD_DATA", "")) / "mxgmn"
PUBLIC = (
    json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))["samples"]
    if "WAVEFOLD_DATA" in os.environ
    else []
)

RED, BLUE = (255, 0, 0), (0, 0, 255)
ISLAND = np.array(["......", "..##..", ".####.", ".###..", "......"], "U6").view("U1").reshape(5, 6)
samples = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6)).map(
    lambda drawn: np.random.default_rng(drawn[2]).integers(0, 3, drawn[:2])
)


def turned(window):
    return tuple(zip(*window, strict=True))[::-1]


def mirrored(window):
    return tuple(row[::-1] for row in window)


def counted(sample, n, symmetry, periodic):
    """Windows and counts the slow way: one at a time, in a dict."""
    height, width = sample.shape
    found = {}
    rows, columns = (height, width) if periodic else (height - n + 1, width - n + 1)
    for y, x in product(range(rows), range(columns)):
        window = tuple(
            tuple(sample[(y + dy) % height, (x + dx) % width].item() for dx in range(n)) for dy in range(n)
        )
        variants = []
        for _ in range(4):
            variants += [window, mirrored(window)]
            window = turned(window)
        for variant in variants[:symmetry]:
            found[variant] = found.get(variant, 0) + 1
    return found


def relations_of(patterns):
    """The same relations from sockets: the parts that overlap, as they are."""
    upper, lower = [each[:-1] for each in patterns], [each[1:] for each in patterns]
    left = [tuple(row[:-1] for row in each) for each in patterns]
    right = [tuple(row[1:] for row in each) for each in patterns]
    return [
        Relation.from_sockets(*pair)
        for pair in ((upper, lower), (right, left), (lower, upper), (left, right))
    ]


# --- windows ------------------------------------------------------------------------------------


@pytest.mark.skipif(not PUBLIC, reason="WAVEFOLD_DATA does not name the folder of public samples")
@pytest.mark.parametrize("case", PUBLIC, ids=lambda case: case["name"])
def test_public_samples_have_as_many_patterns_as_others_find(case):
    path = FOLDER / "samples" / f"{case['name']}.png"
    tiles = learn(path, case["n"], case["symmetry"], case["periodic_input"], case["ground"])
    assert len(tiles) == case["patterns"]
    assert tiles.rules.weights.sum() == case["weight"]
    assert tiles.name == case["name"]


@given(samples, st.integers(1, 5), st.integers(1, 8), st.booleans())
def test_patterns_counts_and_relations_are_those_found_one_at_a_time(sample, n, symmetry, periodic):
    if not periodic:
        n = min(n, *sample.shape)
    expected = counted(sample, n, symmetry, periodic)
    rules = learn(sample, n, symmetry, periodic).rules
    assert rules.weights.tolist() == list(expected.values())
    assert rules.values == tuple(window[0][0] for window in expected)
    for mine, slow in zip(rules.relations, relations_of(list(expected)), strict=True):
        assert mine.class_of.tolist() == slow.class_of.tolist()
        assert mine.rows.tolist() == slow.rows.tolist()


@pytest.mark.parametrize(("n", "seed"), [(2, 0), (3, 1), (3, 2)])
def test_a_map_only_shows_windows_of_its_sample(n, seed):
    sample = ISLAND if n == 2 else np.array([[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1]])
    known = counted(sample, n, 8, True)
    grid = wf.SquareGrid(8, 8, wraps=True)
    solution = wf.generate(learn(sample, n), grid, seed=seed)
    assert wf.check(solution.problem, solution) == []
    values = solution.values
    for y, x in product(range(8), repeat=2):
        window = tuple(tuple(values[(y + dy) % 8, (x + dx) % 8] for dx in range(n)) for dy in range(n))
        assert window in known


def test_the_windows_of_several_samples_are_counted_together():
    first, second = np.array([[0, 0], [0, 1]]), np.array([[1, 2, 0], [2, 2, 2]])
    expected = counted(first, 2, 8, True)
    for window, count in counted(second, 2, 8, True).items():
        expected[window] = expected.get(window, 0) + count
    for source in ([first, second], (first.tolist(), second.tolist())):
        rules = learn(source, n=2).rules
        assert rules.weights.tolist() == list(expected.values())
        assert rules.values == tuple(window[0][0] for window in expected)


def test_a_sample_of_one_cell_wraps_onto_itself():
    tiles = learn([["x"]], n=3)
    assert (len(tiles), tiles.rules.values, tiles.rules.weights.tolist()) == (1, ("x",), [8.0])
    assert (wf.generate(tiles, wf.SquareGrid(3, 2)).values == "x").all()


def test_how_a_set_was_learned_is_kept():
    tiles = learn(ISLAND, n=2, symmetry=3, periodic=False)
    assert isinstance(tiles, LearnedTileSet)
    assert (tiles.n, tiles.symmetry, tiles.periodic, tiles.ground_pattern) == (2, 3, False, None)
    assert tiles.topology == "square"
    assert tiles.rules.names == tuple(f"p{number}" for number in range(len(tiles)))


def test_five_hundred_pixels_square_are_learned_in_a_moment():
    sample = (np.indices((512, 512)) ** 2).sum(axis=0) // 700 % 3
    start = time.perf_counter()
    learn(sample, n=3)
    assert time.perf_counter() - start < 10  # a fraction of a second on a quiet machine


# --- values -------------------------------------------------------------------------------------


def test_values_are_plain_python_objects():
    assert {type(value) for value in learn(np.array([[1, 2]], np.int8)).rules.values} == {int}
    assert {type(value) for value in learn(ISLAND).rules.values} == {str}
    assert set(learn([[1, "1"], [None, (2, 3)]], n=2).rules.values) == {1, "1", None, (2, 3)}
    assert set(learn([[np.int64(1)], [np.int64(2)]], n=2).rules.values) == {1, 2}
    assert set(learn([np.array([1, 2]), np.array([2, 2])], n=2).rules.values) == {1, 2}


@pytest.mark.parametrize("channels", [3, 4])
def test_colours_are_tuples_and_can_be_drawn_and_pinned(channels):
    colours = np.array([(*RED, 255), (*BLUE, 9)], np.uint8)[:, :channels]
    tiles = learn(colours[np.indices((4, 4)).sum(axis=0) % 2], n=2)
    red, blue = (tuple(colour) for colour in colours.tolist())
    assert set(tiles.rules.values) == {red, blue}
    assert tiles.tiles[0].picture.shape == (1, 1, 4)
    solution = wf.generate(tiles, wf.SquareGrid(4, 2), pins={(0, 0): blue})
    assert solution.values[0].tolist() == [blue, red, blue, red]
    drawn = np.asarray(solution.image())
    assert drawn.shape == (2, 4, 4)
    assert drawn[0, :2].tolist() == [list((*blue, 255)[:4]), list((*red, 255)[:4])]


def test_a_path_an_image_and_an_array_are_the_same_sample(tmp_path):
    pixels = np.array([RED, BLUE], np.uint8)[(np.indices((5, 5)) ** 2).sum(axis=0) % 3 // 2]
    image = Image.fromarray(pixels)
    path = tmp_path / "dots.png"
    image.save(path)
    paletted = image.convert("P")
    every = [learn(source).rules for source in (path, str(path), image, pixels, paletted, [path])]
    assert len({rules.digest for rules in every}) == 1
    assert len({rules.values for rules in every}) == 1


def test_opaque_colours_gain_a_channel_beside_others():
    opaque = np.array([[RED]], np.uint8)
    clear = np.array([[(*RED, 255), (*BLUE, 0)]], np.uint8)
    assert set(learn([opaque, clear], n=1).rules.values) == {(*RED, 255), (*BLUE, 0)}


# --- ground -------------------------------------------------------------------------------------


def test_the_ground_is_the_pattern_found_last_in_the_bottom_row_and_nowhere_else():
    sample = np.array([[0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [2, 2, 2, 2]])
    tiles = learn(sample, n=2, symmetry=2, ground=True)
    assert tiles.ground_pattern == len(tiles) - 1
    grid = wf.SquareGrid(5, 6, wraps=True)
    solution = wf.generate(tiles, grid, masks=tiles.ground_masks(grid))
    assert ((solution.array == tiles.ground_pattern) == (np.arange(6) == 5)[:, None]).all()


def test_a_ground_needs_a_bottom_row_and_to_be_asked_for():
    with pytest.raises(wf.TileSetError, match="ground=True"):
        learn(ISLAND).ground_masks(wf.SquareGrid(3, 3))
    with pytest.raises(wf.TileSetError, match="SquareGrid"):
        learn(ISLAND, ground=True).ground_masks(wf.HexGrid(radius=1))


# --- pairs --------------------------------------------------------------------------------------


@given(samples, st.booleans(), st.sampled_from([None, 0]))
def test_what_stood_side_by_side_may_and_nothing_else(sample, periodic, holes):
    if (sample == holes).all():
        return
    rules = learn_adjacency(sample, periodic, holes).rules
    height, width = sample.shape
    seen = set()
    for (y, x), (direction, dx, dy) in product(
        np.ndindex(height, width), [(0, 0, -1), (1, 1, 0), (2, 0, 1), (3, -1, 0)]
    ):
        if periodic or (0 <= y + dy < height and 0 <= x + dx < width):
            pair = sample[y, x].item(), sample[(y + dy) % height, (x + dx) % width].item()
            if holes not in pair:
                seen.add((direction, *pair))
    values = rules.values
    assert {
        (direction, values[a], values[b]) for direction, a, b in np.argwhere(rules.allowed).tolist()
    } == seen
    assert dict(zip(values, rules.weights, strict=True)) == {
        value: (sample == value).sum() for value in set(sample.ravel().tolist()) - {holes}
    }


def test_a_map_is_made_of_pairs_that_were_drawn():
    tiles = learn_adjacency([["sea", "sea", "beach", "land", "land"]] * 2)
    assert tiles.rules.names == ("sea", "beach", "land")
    solution = wf.generate(tiles, wf.SquareGrid(9, 3), pins={(0, 0): "sea", (8, 2): "land"})
    for row in solution.values.tolist():
        assert set(pairwise(row)) <= {
            ("sea", "sea"), ("sea", "beach"), ("beach", "land"), ("land", "land")
        }  # fmt: skip


def test_holes_may_be_none_or_a_value():
    for hole in (None, -1):
        rules = learn_adjacency([[1, hole, 2]], holes=hole).rules
        assert rules.values == (1, 2)
        assert not rules.allowed.any()


def test_holes_are_found_however_they_are_written():
    picture = np.zeros((2, 3, 4), np.uint8)
    picture[..., 3] = 255
    picture[0, 1, :3] = (255, 0, 255)
    for hole in ((255, 0, 255), [255, 0, 255, 255], np.array([255, 0, 255, 255])):
        assert learn_adjacency(picture, holes=hole).rules.values == ((0, 0, 0, 255),)
    with pytest.raises(wf.TileSetError, match="not the kind of value this map holds"):
        learn_adjacency(picture, holes="magenta")


def test_negative_examples_take_away_what_was_drawn():
    rules = learn_adjacency([["land", "sea", "sea"]], negative=[[["land", "sea"]]]).rules
    assert np.argwhere(rules.allowed).tolist() == [[1, 1, 1], [3, 1, 1]]
    rules = learn_adjacency([["land", "sea"]], negative=[np.array([["sea", "land", "lava"]])]).rules
    assert rules.values == ("land", "sea")
    assert np.argwhere(rules.allowed).tolist() == [[1, 0, 1], [3, 1, 0]]


def test_values_that_are_spelt_alike_or_are_no_names_still_get_names():
    rules = learn_adjacency([[1, "1", "@", ""]]).rules
    assert rules.values == (1, "1", "@", "")
    assert len(set(rules.names)) == 4


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (5, {}, "a path, a Pillow image or an array"),
        ([], {}, "empty"),
        ([[]], {}, "empty"),
        (np.zeros((0, 3), int), {}, "empty"),
        (np.zeros(4, int), {}, "row, column"),
        (np.zeros((2, 2, 2), np.uint8), {}, "RGB or RGBA"),
        (np.zeros((2, 2, 3)), {}, "RGB or RGBA"),
        ([[1, 2], [3]], {}, "same length"),
        ([[1, 2], 3], {}, "a path, a Pillow image or an array|same length|row"),
        ([[{}]], {}, "hashable"),
        (np.array([[0.0, np.nan]]), {}, "NaN"),
        (np.zeros((1, MOST_PIXELS + 1), np.bool_), {}, "more than"),
        ([np.zeros((2, 2), int), np.zeros((2, 2, 3), np.uint8)], {}, "one kind"),
        (np.zeros((2, 5), int), {"periodic": False}, "5 x 2, too small for a window of 3 x 3"),
        (ISLAND, {"n": 0}, "n must be"),
        (ISLAND, {"n": 6}, "n must be"),
        (ISLAND, {"n": 2.0}, "n must be"),
        (ISLAND, {"symmetry": 0}, "symmetry must be"),
        (ISLAND, {"symmetry": 9}, "symmetry must be"),
        (ISLAND, {"symmetry": True}, "symmetry must be"),
        (np.arange(300 * 300).reshape(300, 300), {}, "reduce the number of colours"),
        (np.arange(150 * 150).reshape(150, 150), {"n": 2}, "reduce the number of colours"),
    ],
)
def test_samples_that_cannot_be_learned_say_why(source, options, message):
    with pytest.raises(wf.TileSetError, match=message):
        learn(source, **options)


def test_a_thousand_colours_are_learned():
    pixels = np.random.default_rng(0).integers(0, 256, (32, 32, 3)).astype(np.uint8)
    assert len(learn(pixels, n=3, symmetry=1)) == 1024


@pytest.mark.parametrize(
    "damage", ["missing", "folder", "empty", "words", "truncated", "flipped", "bomb", "deep"]
)
def test_files_that_are_no_pictures_are_named(tmp_path, damage):
    path = tmp_path / "sample.png"
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    Image.fromarray(noise).save(path)
    good = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "folder":
        path = tmp_path
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "words":
        path.write_text("not a picture")
    elif damage == "truncated":
        path.write_bytes(good[: len(good) // 2])
    elif damage == "flipped":
        path.write_bytes(good[:200] + bytes(255 - byte for byte in good[200:400]) + good[400:])
    elif damage == "bomb":
        Image.new("1", (20_000, 10_000)).save(path)
    else:
        Image.fromarray(np.zeros((4, 4), np.uint16)).save(path)
    with pytest.raises(wf.FormatError, match=path.name):
        learn(path)


def test_a_large_picture_is_refused_before_it_is_decoded(tmp_path):
    path = tmp_path / "large.png"
    Image.new("1", (5000, 4000)).save(path)
    with pytest.raises(wf.TileSetError, match=r"large.png has 5,000 x 4,000 pixels"):
        learn(path)


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        ([[None]], {}, "every cell is a hole"),
        ([], {}, "empty"),
        (np.arange(70 * 70).reshape(70, 70), {}, "4,900 different values"),
        ([[1, 2]], {"negative": [[[{}]]]}, "hashable"),
    ],
)
def test_maps_that_hold_no_pairs_to_learn_say_why(array, options, message):
    with pytest.raises(wf.TileSetError, match=message):
        learn_adjacency(array, **options)


@compiled_only
def test_a_ground_is_in_the_bottom_row_without_being_asked_for():
    tiles = wf.learn("seabed")
    problem = wf.Problem(tiles, wf.SquareGrid(9, 7))
    solution = wf.Solver(problem, seed=1).run()
    assert (solution.array[-1] == tiles.ground_pattern).all()
    assert (solution.array[:-1] != tiles.ground_pattern).all()
    assert not wf.check(problem, solution)
    wishes = np.ones((63, len(tiles)), bool)
    assert (
        wf.Problem(tiles, wf.SquareGrid(9, 7), masks=wishes).masks == tiles.ground_masks(problem.topology)
    ).all()


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_sample_of_one_pixel_is_told_to_be_too_small_unless_it_repeats(n):
    with pytest.raises(wf.TileSetError, match=f"the sample is 1 x 1, too small for a window of {n} x {n}"):
        learn(np.array([[5]]), n=n, periodic=False)
    assert len(learn(np.array([[5]]), n=n, periodic=True)) == 1
