"""The symmetry of a sample, chosen from what it shows."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from wavefold.tiles.learning import learn
from wavefold.tiles.learning.samples import find_sample_path, read_sample
from wavefold.tiles.learning.windows import choose_symmetry

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
