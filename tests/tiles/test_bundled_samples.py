"""The pictures that come with wavefold: every one can be learned, and maps are made from it."""

import shutil

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.kernels.jit import COMPILED
from wavefold.tiles.learning import learn, learn_adjacency
from wavefold.tiles.learning.bundled_samples import (
    FOLDER,
    sample_description,
    sample_options,
    sample_path,
    samples,
)

SIDE = 32 if COMPILED else 8
SEEDS = range(3) if COMPILED else range(1)
ORDER = "auto" if COMPILED else "entropy"  # the race for an order takes long in plain Python
PLAIN = {"n": 3, "symmetry": 8, "periodic": True, "ground": False}

every_sample = pytest.mark.parametrize("name", samples())


def make(tiles, seed, wraps=False):
    grid = wf.SquareGrid(SIDE, SIDE, wraps=wraps)
    masks = None if tiles.ground_pattern is None else tiles.ground_masks(grid)
    return wf.generate(tiles, grid, seed, masks=masks, order=ORDER)


def test_names_and_files_are_the_same():
    assert samples() == sorted(path.stem for path in FOLDER.glob("*.png"))
    assert len(samples()) >= 8


@every_sample
def test_a_sample_is_small_has_few_colours_and_is_described_in_a_line(name):
    path = sample_path(name)
    assert path.stat().st_size < 4096
    with Image.open(path) as image:
        assert 16 <= min(image.size) <= max(image.size) <= 48
        assert len(image.getcolors()) <= 16
    description = sample_description(name)
    assert 20 < len(description) < 100
    assert "\n" not in description


@every_sample
def test_a_sample_has_patterns_enough_but_not_too_many(name):
    assert 100 < len(learn(name)) < 400


@every_sample
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
    tiles, again = learn(name), learn(sample_path(name), **sample_options(name))
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
    tiles = learn(["tartan", "kilim"])
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
        assert learn(path).values == ((255, 0, 0),)
    assert len(learn("cave")) > 100


@pytest.mark.parametrize("ask", [sample_path, sample_options, sample_description])
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
