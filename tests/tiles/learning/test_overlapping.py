"""Windows of samples as patterns: found, counted and related."""

import json
import os
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image

import wavefold as wf
from wavefold.tiles import Relation
from wavefold.tiles.learning import learn

FOLDER = Path(os.environ.get("WAVEFOLD_DATA", "")) / "mxgmn"
PUBLIC = (
    json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))["samples"]
    if "WAVEFOLD_DATA" in os.environ
    else []
)
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
    assume(sample.size > 1)
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
        rules = learn(source, n=2, symmetry=8).rules
        assert rules.weights.tolist() == list(expected.values())
        assert rules.values == tuple(window[0][0] for window in expected)


def test_a_sample_of_one_value_wraps_onto_itself():
    tiles = learn([["x", "x"]], n=3)
    assert (len(tiles), tiles.rules.values, tiles.rules.weights.tolist()) == (1, ("x",), [16.0])
    assert (wf.generate(tiles, wf.SquareGrid(3, 2)).values == "x").all()


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize(
    ("source", "options"),
    [
        ([["x"]], {}),
        (np.array([[5]]), {"periodic": True}),
        ([[["x"]], [["y"]]], {}),
        (Image.new("RGB", (1, 1), "red"), {}),
        (np.zeros((40, 40, 3), np.uint8), {"scale": 40}),
    ],
)
def test_a_sample_of_one_cell_is_refused(source, options, n):
    with pytest.raises(wf.TileSetError, match="a sample must have at least two cells"):
        learn(source, n, **options)


@pytest.mark.slow
def test_five_hundred_pixels_square_are_learned_in_a_moment():
    sample = (np.indices((512, 512)) ** 2).sum(axis=0) // 700 % 3
    start = process_time()
    learn(sample, n=3)
    assert process_time() - start < 10  # a fraction of a second on a quiet machine


def test_a_thousand_colours_are_learned():
    pixels = np.random.default_rng(0).integers(0, 256, (32, 32, 3)).astype(np.uint8)
    with pytest.warns(wf.TileSetWarning, match="1,024 colours"):
        assert len(learn(pixels, n=3, symmetry=1)) == 1024


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_sample_of_two_pixels_is_told_to_be_too_small_unless_it_repeats(n):
    with pytest.raises(wf.TileSetError, match=f"the sample is 2 x 1, too small for a window of {n} x {n}"):
        learn(np.array([[5, 5]]), n=n, periodic=False)
    assert len(learn(np.array([[5, 5]]), n=n, periodic=True)) == 1


def test_rules_that_do_not_fit_into_memory_are_refused_with_the_number():
    sample = np.arange(60 * 60).reshape(60, 60)
    with (
        wf.limit_memory(1_000_000),
        pytest.raises(wf.ConfigError, match="learning 3,600 patterns needs about 6"),
    ):
        learn(sample, n=2, symmetry=1)
