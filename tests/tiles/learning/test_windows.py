"""Where in the samples patterns were seen."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import wavefold as wf
from wavefold.tiles.learning import learn, learn_adjacency
from wavefold.tiles.learning.samples import find_sample_path, read_sample
from wavefold.tiles.learning.windows import Occurrence, choose_symmetry

SAMPLE = st.tuples(st.integers(2, 5), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 2))
)


@given(SAMPLE, st.integers(1, 2), st.sampled_from([1, 2, 8]), st.booleans())
def test_the_window_at_each_source_has_the_value_of_the_pattern(sample, n, symmetry, periodic):
    tiles = learn([sample, sample[::-1]], n, symmetry, periodic)
    wide = [np.pad(each, (0, n - 1), mode="wrap") for each in (sample, sample[::-1])]
    total = 0
    for pattern, value in enumerate(tiles.values):
        found = tiles.sources(pattern)
        assert len(set(found)) == len(found) > 0
        total += len(found)
        for sample_number, x, y, turns, mirrored in found:
            window = np.rot90(wide[sample_number][y : y + n, x : x + n], turns)
            assert (window[:, ::-1] if mirrored else window)[0, 0] == value
    if symmetry == 1:
        assert total == tiles.rules.weights.sum()


def test_sources_by_name_and_of_single_cells():
    tiles = learn_adjacency([["sea", "?"], ["land", "sea"]], holes="?")
    assert tiles.sources("sea") == tiles.sources(0) == [Occurrence(0, 0, 0), Occurrence(0, 1, 1)]
    with pytest.raises(wf.TileSetError, match="no pattern 'sand'; patterns are 0 to 1"):
        tiles.sources("sand")


def test_a_set_from_a_file_has_no_sources(tmp_path):
    learn("kilim", n=2).save(tmp_path / "kilim.toml")
    with pytest.raises(wf.TileSetError, match="learn the set again"):
        wf.TileSet.load(tmp_path / "kilim.toml").sources(0)


# --- the symmetry of a sample, chosen from what it shows ------------------------------------------


BRICKS = np.tile([[1, 1, 1, 1, 1, 1], [1, 0, 0, 1, 0, 0], [1, 1, 1, 1, 1, 1], [0, 0, 1, 0, 0, 1]], (2, 2))
FLOWER = np.array([[0, 0, 0, 0, 0], [0, 2, 2, 2, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [3, 3, 3, 3, 3]])
CHESS = np.indices((4, 4)).sum(axis=0) % 2
ARROWS = np.array([[0, 0, 0, 0], [0, 1, 2, 0], [0, 3, 4, 0], [0, 0, 0, 0]])


@pytest.mark.parametrize(
    ("sample", "expected"),
    [(BRICKS, 2), (FLOWER, 2), (CHESS, 8), (ARROWS, 1)],
    ids=["bricks", "flower", "chess", "arrows"],
)
def test_only_what_occurs_mirrored_or_turned_is_learned_so(sample, expected):
    assert learn(sample).symmetry == learn(sample, symmetry="auto").symmetry == expected
    assert learn(sample, symmetry=4).symmetry == 4


def test_the_choice_for_public_samples_is_that_of_their_authors():
    folder = Path(os.environ.get("WAVEFOLD_DATA", "nowhere")) / "mxgmn"
    if not folder.exists():
        pytest.skip("needs the public samples")
    for case in json.loads((folder / "cases.json").read_text())["samples"]:
        sample = read_sample(folder / "samples" / f"{case['name']}.png")
        assert choose_symmetry([sample], True) == case["symmetry"], case["name"]


@pytest.mark.parametrize(("name", "expected"), [("cave", 2), ("islands", 8), ("towers", 1)])
def test_bundled_samples_as_they_were_meant(name, expected):
    assert learn(find_sample_path(name)).symmetry == expected
