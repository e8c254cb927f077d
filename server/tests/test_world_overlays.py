"""What maps of worlds show besides their tiles: states of chunks, fields, drafts, tiles within a budget."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from running_server import run_client
from wavefold_server import Limits, ServiceSettings

WORLDS = "/api/v1/worlds"
PIPES = {"tileset": "pipes", "seed": 7, "chunk": 24, "refine": False}


def create(client, **more):
    answer = client.post(WORLDS, json=PIPES | more)
    assert answer.status_code == 201, answer.text
    return f"{WORLDS}/{answer.json()['id']}"


def states(client, world, **box):
    answer = client.get(f"{world}/chunks", params={"x0": 0, "y0": 0, "width": 2, "height": 1} | box)
    assert answer.status_code == 200, answer.text
    return {(each["x"], each["y"]): (each["state"], each["edits"]) for each in answer.json()["chunks"]}


def test_states_say_what_there_is_of_each_chunk(shared_client):
    world = create(shared_client)
    assert states(shared_client, world) == {(0, 0): ("absent", 0), (1, 0): ("absent", 0)}
    shared_client.get(f"{world}/chunks/0/0.json")
    assert states(shared_client, world)[0, 0] == ("final", 0)
    shared_client.post(f"{world}/edits", json={"cells": [[5, 5, "cross"]]})
    assert states(shared_client, world)[0, 0] == ("final", 1)
    shared_client.post(f"{world}/undo")
    assert states(shared_client, world)[0, 0] == ("final", 0)


def test_chunks_of_a_closed_world_are_in_its_file(tmp_path):
    with run_client(ServiceSettings(data=tmp_path, workers=2)) as client:
        world = create(client)
        client.get(f"{world}/chunks/0/0.json")
    with run_client(ServiceSettings(data=tmp_path, workers=2)) as client:
        assert states(client, world) == {(0, 0): ("stored", 0), (1, 0): ("absent", 0)}


@pytest.mark.parametrize("box", [{"width": 0}, {"width": 33, "height": 32}, {"x0": 1 << 50}, {"x0": "a"}])
def test_boxes_that_are_empty_too_large_or_too_far_are_refused(shared_client, box):
    world = create(shared_client)
    answer = shared_client.get(f"{world}/chunks", params={"x0": 0, "y0": 0, "width": 2, "height": 1} | box)
    assert answer.status_code == 422, answer.text


def test_a_world_says_its_settings_its_plan_and_its_fields(shared_client):
    fields = {"hill": {"noise": {"scale": 0.05}}}
    terrain = {"weights": {"wall": "rescaled(hill, 0, 4)"}}
    body = shared_client.get(create(shared_client, fields=fields, terrain=terrain)).json()
    assert body["fields"] == [
        {"name": "hill", "low": -1.0, "high": 1.0},
        {"name": "weight of wall", "low": 0.0, "high": 4.0},
    ]
    assert body["settings"]["terrain"]["weights"] == terrain["weights"]
    assert body["settings"]["refine"] is False
    assert "shares" not in body["settings"]
    assert (body["radius"], body["half_width"]) == (11, 10)


def test_a_field_tile_is_dark_where_the_field_is_low(shared_client):
    fields = {"hill": {"noise": {"scale": 0.05}}}
    world = create(shared_client, fields=fields)
    answer = shared_client.get(f"{world}/fields/hill/0/-1/2.png")
    assert "max-age" in answer.headers["cache-control"]
    picture = np.asarray(Image.open(BytesIO(answer.content)).convert("L"), np.float64)
    assert picture.shape == (64, 64)
    values = wf.Noise(0.05).sample(
        x=np.arange(-64, 0)[None] + np.zeros((64, 1)), y=np.arange(128, 192)[:, None]
    )
    assert np.corrcoef(values.reshape(-1), picture.reshape(-1))[0, 1] > 0.98


@pytest.mark.parametrize("more", [{}, {"fields": {"hill": {"noise": {"scale": 0.05}}}}])
def test_a_field_that_is_not_there_is_not_found(shared_client, more):
    world = create(shared_client, **more)
    assert shared_client.get(f"{world}/fields/nowhere/0/0/0.png").status_code == 404


def test_old_drafts_make_room_for_new_ones_unless_edited(tmp_path):
    limits = Limits(world_drafts=2)
    with run_client(ServiceSettings(data=tmp_path, workers=2, limits=limits)) as client:
        kept = create(client)
        edited = create(client, draft=True)
        client.post(f"{edited}/edits", json={"cells": [[5, 5, "cross"]]})
        drafts = [create(client, draft=True, seed=seed) for seed in range(4)]
        listed = {each["id"]: each["draft"] for each in client.get(WORLDS).json()["worlds"]}
        assert {f"{WORLDS}/{name}": draft for name, draft in listed.items()} == {
            kept: False, edited: False, drafts[2]: True, drafts[3]: True
        }  # fmt: skip
        assert client.get(drafts[0]).status_code == 404


def test_an_edit_with_null_restores_what_was_generated(shared_client):
    world = create(shared_client)
    before = shared_client.get(f"{world}/chunks/0/0.json").json()["patterns"]
    shared_client.post(f"{world}/edits", json={"cells": [[5, 5, "cross"]]})
    cells = [[x, y, None] for x in range(12) for y in range(12)]
    answer = shared_client.post(f"{world}/edits", json={"cells": cells})
    assert answer.status_code == 200, answer.text
    changed = shared_client.get(f"{world}/changes?since=1").json()["changes"][0]["changed"]
    assert answer.json()["cells"] == sum(old != new for *_, old, new in changed) < len(cells)
    assert shared_client.get(f"{world}/chunks/0/0.json").json()["patterns"] == before


def test_where_nothing_was_edited_there_is_nothing_to_restore(shared_client):
    world = create(shared_client)
    for revision in (0, 1):
        answer = shared_client.post(f"{world}/edits", json={"cells": [[40, 5, None], [41, 5, None]]})
        assert answer.json() == {"revision": revision, "kind": "edit", "box": None, "cells": 0}
        assert len(shared_client.get(f"{world}/edits").json()["edits"]) == revision
        shared_client.post(f"{world}/edits", json={"cells": [[5, 5, "cross"]]})


@pytest.mark.parametrize("tileset", ["pipes", "medieval"])
def test_a_tile_within_a_budget_becomes_exact_when_its_chunks_are_there(shared_client, tileset):
    world = create(shared_client, tileset=tileset, seed=11)
    tile = f"{world}/tiles/0/0/0.png"
    first = shared_client.get(tile, params={"budget": 0})
    assert first.headers["x-wavefold-tile"] in ("provisional", "sampled", "mean")
    assert first.headers["cache-control"] == "no-cache"
    exact = shared_client.get(tile)
    assert exact.headers["x-wavefold-tile"] == "exact"
    again = shared_client.get(tile, params={"budget": 0})
    assert again.headers["x-wavefold-tile"] == "exact"
    assert again.content == exact.content
    budgets = shared_client.get(f"{world}/report").json()["budgets"]
    assert budgets["calls"] > 0
    assert 0 <= budgets["share_first_in_time"] <= 1


def test_a_draft_that_somebody_looks_at_stays(tmp_path):
    limits = Limits(world_drafts=1)
    with run_client(ServiceSettings(data=tmp_path, workers=2, limits=limits)) as client:
        first = create(client, draft=True)
        with client.stream("GET", f"{first}/events") as stream:
            lines = stream.iter_lines()
            next(lines)  # it is being read
            second, third = (create(client, draft=True, seed=seed) for seed in (1, 2))
        assert [client.get(world).status_code for world in (first, second, third)] == [200, 404, 200]
