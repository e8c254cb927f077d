"""Rules of single cells, learned from drawn maps."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from wavefold.tiles.learning import learn_adjacency

samples = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(0, 10**6)).map(
    lambda drawn: np.random.default_rng(drawn[2]).integers(0, 3, drawn[:2])
)


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
    with pytest.raises(wf.TileSetError, match="is not a value of the sample"):
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


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        ([[None]], {}, "the sample has only holes"),
        ([], {}, "empty"),
        (np.arange(70 * 70).reshape(70, 70), {}, "4,900 different values"),
        ([[1, 2]], {"negative": [[[{}]]]}, "hashable"),
    ],
)
def test_maps_that_hold_no_pairs_to_learn_say_why(array, options, message):
    with pytest.raises(wf.TileSetError, match=message):
        learn_adjacency(array, **options)
