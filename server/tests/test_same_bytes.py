"""Whatever is asked of a world over HTTP has the bytes that the library gives: chunks, regions, map tiles."""

from io import BytesIO

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import wavefold as wf

WORLDS = "/api/v1/worlds"
NAMES = ("cross", "tee")


@st.composite
def requests_for_worlds(draw):
    """The body of a request, and the same as arguments of `wf.World`."""
    seed = draw(st.integers(-(1 << 63), (1 << 64) - 1))
    tile = NAMES[0]
    body = {"tileset": "pipes", "seed": seed, "chunk": 24, "refine": draw(st.sampled_from([False, 1]))}
    arguments = {"seed": seed, "chunk": 24, "refine": body["refine"]}
    if draw(st.booleans()):
        body["shares"] = {tile: 0.25}
        arguments["shares"] = wf.Shares({tile: 0.25})
    if draw(st.booleans()):
        body["constraints"] = [{"kind": "separation", "tile": tile, "distance": 2}]
        arguments["constraints"] = (wf.Separation(tile, 2),)
    elif draw(st.booleans()):
        body["pins"] = [[3, -4, tile]]
        arguments["pins"] = {(3, -4): tile}
    return body, arguments


STEPS = st.lists(
    st.one_of(
        st.sampled_from(["undo", "redo"]),
        st.tuples(st.integers(-30, 30), st.integers(-30, 30), st.integers(0, 1)),
    ),
    max_size=3,
)
PLACES = st.tuples(st.integers(1, 3), st.integers(-4, 4), st.integers(-4, 4))


def take_step(client, path, world, step):
    """The same change on both sides, which both make or both refuse."""
    try:
        if isinstance(step, str):
            getattr(world, step)()
        else:
            world.edit({step[:2]: NAMES[step[2]]})
    except wf.WavefoldError:
        is_possible = False
    else:
        is_possible = True
    if isinstance(step, str):
        answer = client.post(f"{path}/{step}", json={})
    else:
        answer = client.post(f"{path}/edits", json={"cells": [[*step[:2], NAMES[step[2]]]]})
    assert answer.is_success == is_possible, answer.text


@settings(max_examples=5, phases=[Phase.generate])
@given(drawn=requests_for_worlds(), steps=STEPS, place=PLACES)
def test_worlds_are_those_of_the_library(shared_client, drawn, steps, place):
    body, arguments = drawn
    answer = shared_client.post(WORLDS, json=body)
    try:
        world = wf.World(wf.TileSet.load("pipes"), **arguments)
    except wf.WavefoldError as error:
        return check_refusal(answer, error)
    path = answer.headers["location"]
    for step in steps:
        take_step(shared_client, path, world, step)
    z, x, y = place
    assert shared_client.get(f"{path}/chunks/{x}/{y}.json").json()["patterns"] == world.chunk(x, y).tolist()
    found = shared_client.get(f"{path}/region.npz", params={"x0": x, "y0": y, "width": 30, "height": 9})
    assert found.status_code == 200
    assert read_patterns(found.content) == world.region(x, y, 30, 9).tolist()
    tile = shared_client.get(f"{path}/tiles/{z}/{x}/{y}.png")
    assert tile.content == wf.draw_map_tile(world, z, x, y).png
    assert tile.headers["x-wavefold-tile"] == "exact"


def check_refusal(answer, error):
    """A world that cannot be is refused in the words of the library."""
    assert answer.status_code in (409, 422)
    assert str(error) in answer.json()["detail"]


def read_patterns(content):
    """Rows of patterns in an NPZ file."""
    with np.load(BytesIO(content)) as file:
        return file["patterns"].reshape(9, 30).tolist()
