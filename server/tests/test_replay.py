"""A map asked for with the log of a live session is the very map that the session shows."""

import json
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageSequence

import wavefold as wf
from wavefold_server.live import models
from wavefold_server.live.session import LiveSession
from wavefold_server.settings import Limits

CASTLE = wf.TileSet.load("castle")
REQUEST = {"tileset": "castle", "topology": {"width": 12, "height": 12}, "seed": 4}
PIN = {"command": "pin", "cell": [1, 1], "tile": "meadow"}
DONE = [{"command": "run", "show": "end"}, {"command": "refine"}]
PAINT = {"command": "paint", "cells": [40, [5, 5]], "tile": "river"}
REGROW = {"command": "regrow", "cells": [60, 61, 62, 73], "seed": 3}
LOGS = {
    "pinned": [PIN],
    "stepped": [{"command": "step", "count": 9}, PIN, {"command": "undo", "count": 2}],
    "painted": [PIN, *DONE, PAINT],
    "regrown": [*DONE, PAINT, REGROW],
    "refined again": [*DONE, PAINT, REGROW, {"command": "refine", "sweeps": 3}],
    "unpinned": [PIN, *DONE, PAINT, REGROW, {"command": "unpin", "cells": [40]}],
    "partly impossible": [*DONE, {"command": "paint", "cells": [3], "tile": "nothing"}, PAINT],
}


def show(request):
    """[cell] what a session shows at the end of a log, run to its end if it is not there."""
    session = LiveSession(models.Open.model_validate_json(json.dumps(request)), CASTLE, Limits())
    if session.solver.status != "solved":
        for command in DONE:
            session.repeat(models.COMMANDS.validate_python(command))
    return session.solution.patterns.tolist()


@pytest.mark.parametrize("name", LOGS)
def test_the_map_of_a_log_is_the_one_that_its_session_shows(shared_client, name):
    request = REQUEST | {"commands": LOGS[name]}
    found = shared_client.post("/api/v1/solves", json=request)
    assert found.status_code == 200, found.text
    assert found.json()["patterns"] == show(request)


def test_locked_cells_stay_with_another_seed(shared_client):
    before = show(REQUEST)
    locks = [[cell, before[cell]] for cell in (10, 11, 12, 30)]
    request = REQUEST | {"seed": 5, "locks": locks}
    found = shared_client.post("/api/v1/solves", json=request).json()["patterns"]
    assert [[cell, found[cell]] for cell, _ in locks] == locks
    assert found == show(request) != before


def test_a_request_without_a_log_gives_the_map_that_it_always_gave(shared_client):
    plain = shared_client.post("/api/v1/solves", json=REQUEST).json()
    empty = shared_client.post("/api/v1/solves", json=REQUEST | {"locks": [], "commands": []}).json()
    assert plain["patterns"] == empty["patterns"] == show(REQUEST)


def test_files_of_a_log_have_its_map(shared_client, tmp_path):
    request = REQUEST | {"commands": LOGS["regrown"]}
    id = shared_client.post("/api/v1/solves", json=request).json()["id"]
    path = tmp_path / "map.json"
    path.write_bytes(shared_client.get(f"/api/v1/solves/{id}/result.json").content)
    assert wf.read_map(path, CASTLE).patterns.tolist() == show(request)


@pytest.mark.parametrize("name", ["pinned", "regrown"])
def test_an_animation_of_a_log_ends_with_its_map(shared_client, name):
    request = REQUEST | {"commands": LOGS[name]}
    id = shared_client.post("/api/v1/solves", json=request).json()["id"]
    address = f"/api/v1/solves/{id}/result"
    moving = shared_client.get(f"{address}.webp?frames=9&tile_size=8&milliseconds=100")
    still = shared_client.get(f"{address}.png?tile_size=8")
    frames = [each.convert("RGB") for each in ImageSequence.Iterator(Image.open(BytesIO(moving.content)))]
    picture = Image.open(BytesIO(still.content)).convert("RGB")
    assert 3 <= len(frames) <= 9
    assert frames[-1].size == picture.size
    first, last = (
        np.abs(np.asarray(frames[each], int) - np.asarray(picture, int)).mean() for each in (0, -1)
    )
    assert last < 3 < first


def test_a_log_that_is_no_log_is_refused_with_its_place(shared_client):
    wrong = REQUEST | {"commands": [PIN, {"command": "dance"}]}
    found = shared_client.post("/api/v1/solves", json=wrong)
    assert found.status_code == 422
    assert "/commands/1" in found.text


def test_a_log_that_cannot_be_finished_says_why(shared_client):
    pins = [{"command": "pin", "cell": cell, "tile": "wall"} for cell in range(2)]
    request = {"tileset": "castle", "topology": {"width": 12, "height": 12}, "budget": {"decisions": 1}}
    found = shared_client.post("/api/v1/solves", json=request | {"commands": pins})
    assert found.status_code == 422
    assert found.json()["error"] == "OutOfBudget"
