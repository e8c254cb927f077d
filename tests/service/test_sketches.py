"""A sample that is being drawn, and the map made of it."""

import numpy as np
import pytest

import wavefold as wf

SAMPLE = {"width": 6, "height": 4, "palette": ["#204080", "#80c040"], "pixels": [0, 0, 0, 1, 1, 0] * 4}


SKETCH = {"sample": SAMPLE, "width": 10, "height": 8, "seed": 3}


def ask(client, **changes):
    return client.post("/api/v1/sketches", json=SKETCH | changes)


def test_a_sketch_is_the_map_that_learning_the_sample_gives(shared_client):
    answer = ask(shared_client).json()
    tiles = wf.learn(np.array(SAMPLE["pixels"]).reshape(4, 6), n=3, symmetry="auto", periodic=True)
    expected = wf.generate(tiles, wf.SquareGrid(10, 8), seed=3, refine=False)
    assert answer["patterns"] == expected.patterns.tolist()
    colours = [answer["colours"][each] for each in answer["patterns"]]
    assert colours == expected.values.reshape(-1).tolist()


def test_every_pattern_is_seen_in_the_sample_where_it_is_said_to_be(shared_client):
    answer = ask(shared_client, symmetry=1).json()
    for colour, (x, y) in zip(answer["colours"], answer["sources"], strict=True):
        assert SAMPLE["pixels"][y * 6 + x] == colour


@pytest.mark.parametrize("symmetry", [1, 2, 8, "auto"])
def test_patterns_have_the_colours_that_overlap_on_the_map(shared_client, symmetry):
    answer = ask(shared_client, symmetry=symmetry).json()
    rows = np.array(answer["patterns"]).reshape(8, 10)
    colours = np.array(answer["colours"])[rows]
    for y, x in np.ndindex(6, 8):
        assert answer["cells"][rows[y, x]] == colours[y : y + 3, x : x + 3].reshape(-1).tolist()


def test_windows_say_where_each_pattern_was_seen(shared_client):
    answer = ask(shared_client, symmetry=8).json()
    for pattern, (x, y) in enumerate(answer["sources"]):
        assert pattern in answer["variants"][answer["windows"][y * 6 + x]]
    seen = [pattern for window in answer["windows"] for pattern in answer["variants"][window]]
    assert [seen.count(pattern) for pattern in range(len(answer["counts"]))] == answer["counts"]


@pytest.mark.parametrize("ground", [False, True])
def test_banned_patterns_are_not_on_the_map(shared_client, ground):
    sample = SAMPLE | {
        "palette": ["#204080", "#80c040", "#ff0000"],
        "pixels": [0, 0, 0, 0, 2, 0] + [0] * 12 + [1] * 6,
    }
    first = ask(shared_client, sample=sample, n=2, ground=ground, periodic=False).json()
    rare = next(number for number in range(len(first["cells"])) if 2 in first["cells"][number])
    banned = [each for each in first["cells"] if 2 in each]
    answer = ask(shared_client, sample=sample, n=2, ground=ground, periodic=False, banned=banned)
    assert answer.status_code == 200, answer.text
    assert rare not in answer.json()["patterns"]
    bottom = answer.json()["patterns"][-10:]
    assert not ground or len(set(bottom)) == 1


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"sample": SAMPLE | {"pixels": [0]}}, "/sample"),
        ({"sample": SAMPLE | {"pixels": [7] * 24}}, "/sample"),
        ({"sample": SAMPLE | {"palette": ["red"]}}, "/sample/palette/0"),
        ({"width": 10_000}, "/width"),
        ({"n": 9}, "/n"),
    ],
)
def test_what_cannot_be_a_sketch_is_refused_with_its_place(shared_client, changes, pointer):
    answer = ask(shared_client, **changes)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
