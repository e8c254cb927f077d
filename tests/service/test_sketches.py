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
