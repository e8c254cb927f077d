"""Samples as paths, images, arrays and rows; and what cannot be learned from."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from support import mark_slow
from wavefold.tiles.learning import learn, learn_adjacency
from wavefold.tiles.learning.samples import (
    MOST_PIXELS,
    SAMPLES_FOLDER,
    describe_sample,
    find_sample_path,
    get_sample_options,
    samples,
)

RED, BLUE = (255, 0, 0), (0, 0, 255)
ISLAND = np.array(["......", "..##..", ".####.", ".###..", "......"], "U6").view("U1").reshape(5, 6)


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
        ([np.zeros((2, 2), int), np.zeros((2, 2, 3), np.uint8)], {}, "cannot be learned together"),
        (np.zeros((2, 5), int), {"periodic": False}, "5 x 2, too small for a window of 3 x 3"),
        (ISLAND, {"n": 0}, "n must be"),
        (ISLAND, {"n": 6}, "n must be"),
        (ISLAND, {"n": 2.0}, "n must be"),
        (ISLAND, {"symmetry": 0}, "symmetry must be"),
        (ISLAND, {"symmetry": 9}, "symmetry must be"),
        (ISLAND, {"symmetry": True}, "symmetry must be"),
        (np.arange(300 * 300).reshape(300, 300), {}, "reduce the number of colours"),
        (np.arange(150 * 150).reshape(150, 150), {"n": 2, "symmetry": 8}, "reduce the number of colours"),
    ],
)
def test_samples_that_cannot_be_learned_say_why(source, options, message):
    with pytest.raises(wf.TileSetError, match=message):
        learn(source, **options)


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
    with pytest.raises(wf.TileSetError, match=r"large.png is 5,000 x 4,000"):
        learn(path)


SIDE = 32
SEEDS = range(3)
ORDER = "auto"
PLAIN = {"n": 3, "symmetry": 8, "periodic": True, "ground": False}

every_sample = pytest.mark.parametrize("name", samples())


def make(tiles, seed, wraps=False):
    grid = wf.SquareGrid(SIDE, SIDE, wraps=wraps)
    masks = None if tiles.ground_pattern is None else tiles.ground_masks(grid)
    return wf.generate(tiles, grid, seed, masks=masks, order=ORDER)


def test_names_and_files_are_the_same():
    assert samples() == sorted(path.stem for path in SAMPLES_FOLDER.glob("*.png"))
    assert len(samples()) >= 8


@every_sample
def test_a_sample_is_small_has_few_colours_and_is_described_in_a_line(name):
    path = find_sample_path(name)
    assert path.stat().st_size < 4096
    with Image.open(path) as image:
        assert 16 <= min(image.size) <= max(image.size) <= 48
        assert len(image.getcolors()) <= 16
    description = describe_sample(name)
    assert 20 < len(description) < 100
    assert "\n" not in description


@every_sample
def test_a_sample_has_patterns_enough_but_not_too_many(name):
    assert 100 < len(learn(name)) < 400


@pytest.mark.parametrize("name", mark_slow(samples(), 3))
def test_maps_are_made_in_the_colours_of_a_sample(name):
    tiles = learn(name)
    for seed in SEEDS:
        solution = make(tiles, seed)
        assert wf.check(solution.problem, solution) == []
        assert set(solution.values.ravel().tolist()) <= set(tiles.values)


@pytest.mark.parametrize("name", ["kilim", "lava", "seabed"])
def test_maps_that_wrap_are_made_too(name):
    solution = make(learn(name), 1, wraps=True)
    assert wf.check(solution.problem, solution) == []


@every_sample
def test_a_name_is_the_file_read_as_it_was_drawn_for(name):
    tiles, again = learn(name), learn(find_sample_path(name), **get_sample_options(name))
    assert tiles.rules.digest == again.rules.digest
    assert (tiles.name, tiles.n, tiles.symmetry) == (name, again.n, again.symmetry)
    assert (tiles.periodic, tiles.ground_pattern) == (again.periodic, again.ground_pattern)


def test_the_same_seed_gives_the_same_map():
    first, second = (make(learn("kilim"), 5) for _ in range(2))
    assert (first.array == second.array).all()


def test_options_that_are_given_win():
    tiles = learn("towers", n=2, symmetry=4, periodic=False, ground=False)
    assert (tiles.n, tiles.symmetry, tiles.periodic, tiles.ground_pattern) == (2, 4, False, None)
    assert learn("towers", symmetry=2).ground_pattern is not None


def test_a_list_of_names_is_read_as_any_list_is():
    tiles = learn(["tartan", "kilim"], symmetry=8)
    assert (tiles.n, tiles.symmetry, tiles.periodic) == (3, 8, True)
    assert len(tiles) == len(learn("tartan", **PLAIN)) + len(learn("kilim", **PLAIN))


def test_pairs_are_learned_from_a_name_too():
    assert len(learn_adjacency("islands")) == 6


def test_what_has_an_ending_or_a_folder_is_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    red = Image.fromarray(np.full((4, 4, 3), (255, 0, 0), np.uint8))
    red.save("cave.png")
    shutil.copy("cave.png", "cave")
    for path in ("cave.png", "./cave", tmp_path / "cave"):
        with pytest.warns(wf.TileSetWarning, match="single colour"):
            assert learn(path).values == ((255, 0, 0),)
    assert len(learn("cave")) > 100


@pytest.mark.parametrize("ask", [find_sample_path, get_sample_options, describe_sample])
def test_names_that_are_nearly_right_are_suggested(ask):
    with pytest.raises(wf.TileSetError, match="did you mean 'seabed'"):
        ask("seabeds")
    with pytest.raises(wf.TileSetError, match=f"known: {', '.join(samples())}"):
        ask("")


def test_a_word_that_is_neither_a_file_nor_a_name_gets_a_suggestion():
    with pytest.raises(wf.FormatError, match=r"no such file.*did you mean 'cave'"):
        learn("cavve")
    with pytest.raises(wf.FormatError, match=r"as a PNG$"):
        learn("cavve.png")
