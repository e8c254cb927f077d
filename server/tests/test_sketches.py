"""A sample that is being drawn, and the map made of it."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

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


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("symmetry", [1, 2, 8, "auto"])
def test_patterns_have_the_colours_that_overlap_on_the_map(shared_client, symmetry, periodic):
    drawn = np.random.default_rng(5).integers(0, 2, (11, 9)).cumsum(axis=1) // 4 % 2
    sample = SAMPLE | {"width": 9, "height": 11, "pixels": drawn.ravel().tolist()}
    answer = ask(shared_client, sample=sample, n=2, symmetry=symmetry, periodic=periodic).json()
    rows = np.array(answer["patterns"]).reshape(8, 10)
    colours = np.array(answer["colours"])[rows]
    for y, x in np.ndindex(7, 9):
        assert answer["cells"][rows[y, x]] == colours[y : y + 2, x : x + 2].reshape(-1).tolist()


@pytest.mark.parametrize("periodic", [False, True])
def test_windows_say_where_each_pattern_was_seen(shared_client, periodic):
    answer = ask(shared_client, symmetry=8, periodic=periodic).json()
    for pattern, (x, y) in enumerate(answer["sources"]):
        assert pattern in answer["variants"][answer["windows"][y * 6 + x]]
    found = [window for window in answer["windows"] if window >= 0]
    seen = [pattern for window in found for pattern in answer["variants"][window]]
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


@pytest.mark.parametrize("refine", [False, True])
def test_the_map_of_a_sketch_is_that_of_the_uploaded_sample_without_its_banned_patterns(
    shared_client, refine
):
    drawn = np.random.default_rng(5).integers(0, 2, (9, 9))
    colours = np.array([[32, 64, 128], [128, 192, 64]], np.uint8)
    sample = {"width": 9, "height": 9, "palette": SAMPLE["palette"], "pixels": drawn.ravel().tolist()}
    numbers, asked = [2, 7], {"sample": sample, "n": 2, "symmetry": 1}
    first = ask(shared_client, **asked).json()
    banned = [first["cells"][each] for each in numbers]
    sketch = ask(shared_client, **asked, banned=banned, refine=refine).json()
    assert not set(sketch["patterns"]) & set(numbers)
    content = BytesIO()
    Image.fromarray(colours[drawn]).save(content, "PNG")
    uploaded = shared_client.post(
        "/api/v1/tilesets?n=2&symmetry=1&periodic=true&without=2,7",
        content=content.getvalue(),
        headers={"Content-Type": "image/png"},
    ).json()
    body = {"tileset": uploaded["id"], "topology": {"width": 10, "height": 8}, "seed": 3}
    made = shared_client.post("/api/v1/solves", json=body | ({} if refine else {"refine": False})).json()
    kept = [each for each in range(len(first["counts"])) if each not in numbers]
    assert [kept[each] for each in made["patterns"]] == sketch["patterns"]


def test_a_pattern_that_does_not_exist_cannot_be_left_out(shared_client):
    content = BytesIO()
    Image.new("RGB", (4, 4)).save(content, "PNG")
    headers = {"Content-Type": "image/png"}
    for without in ("9", "p1", "1" * 5_000):
        answer = shared_client.post(
            f"/api/v1/tilesets?without={without}", content=content.getvalue(), headers=headers
        )
        assert answer.status_code == 422, answer.text


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"sample": SAMPLE | {"pixels": [0]}}, "/sample"),
        ({"sample": SAMPLE | {"pixels": [7] * 24}}, "/sample"),
        ({"sample": SAMPLE | {"palette": ["red"]}}, "/sample/palette/0"),
        ({"sample": SAMPLE | {"palette": ["#204080", "#204080"]}}, "/sample"),
        ({"width": 10_000}, "/width"),
        ({"n": 9}, "/n"),
    ],
)
def test_what_cannot_be_a_sketch_is_refused_with_its_place(shared_client, changes, pointer):
    answer = ask(shared_client, **changes)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
