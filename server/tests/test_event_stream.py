"""What goes on for long ends when its key is revoked."""

import pytest
from websockets.exceptions import ConnectionClosed

from live_client import run_live
from running_server import run_client
from test_connection import OPEN
from test_jobs import PIPES, SOLVES, Doorkeeper
from wavefold_server import ServiceSettings
from wavefold_server.database import Database
from wavefold_server.event_stream import encode_event
from wavefold_server.keys import ApiKeys
from wavefold_server.solves import events
from wavefold_server.worlds import feed

WORLDS = "/api/v1/worlds"


@pytest.fixture
def keys(tmp_path):
    """Those of the data folder, as another process sees them."""
    database = Database(tmp_path)
    yield ApiKeys(database)
    database.close()


@pytest.fixture
def guest(keys):
    """The headers of a key that will be revoked."""
    return {"Authorization": f"Bearer {keys.create('guest', 'write')}"}


@pytest.fixture
def owner(keys, guest, tmp_path):
    """A client with a key of its own."""
    headers = {"Authorization": f"Bearer {keys.create('owner', 'write')}"}
    with run_client(ServiceSettings(data=tmp_path, workers=2), headers=headers) as client:
        yield client


@pytest.fixture
def door(monkeypatch):
    keeper = Doorkeeper()
    monkeypatch.setattr("wavefold_server.solves.jobs.run_plan", keeper)
    monkeypatch.setattr(events, "EVERY", 0.01)
    yield keeper
    keeper.open.set()


def queue(client):
    """The address of a new job."""
    answer = client.post(SOLVES, json=PIPES, headers={"Prefer": "respond-async"})
    return f"{SOLVES}/{answer.json()['id']}"


def create_world(client):
    """The address of a new world."""
    return f"{WORLDS}/{client.post(WORLDS, json={'tileset': 'pipes', 'seed': 7}).json()['id']}"


def read_rest(lines):
    """What else a stream sends until it ends."""
    return [line for line in lines if line]


def test_a_revoked_key_is_not_told_how_a_job_ends(owner, keys, guest, door):
    with owner.stream("GET", f"{queue(owner)}/events", headers=guest) as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry")
        keys.revoke("guest")
        door.open.set()
        assert not any("solved" in line for line in read_rest(lines))


def test_a_revoked_key_is_told_of_no_more_changes(owner, keys, guest):
    world = create_world(owner)
    with owner.stream("GET", f"{world}/events", headers=guest) as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry")
        keys.revoke("guest")
        edit = {"cells": [[5, 5, "cross"]]}
        assert owner.post(f"{world}/edits", json=edit).status_code == 200
        assert read_rest(lines) == []
    assert owner.get(f"{world}/events", headers=guest).status_code == 401


@pytest.mark.parametrize("create", [queue, create_world])
def test_a_silent_stream_ends_with_the_next_heartbeat(owner, keys, guest, door, monkeypatch, create):
    for module in (events, feed):
        monkeypatch.setattr(module, "HEARTBEAT", 0.02)
    with owner.stream("GET", f"{create(owner)}/events", headers=guest) as stream:
        lines = stream.iter_lines()
        assert any(line.startswith(":") for line in lines)
        keys.revoke("guest")
        read_rest(lines)


def test_a_revoked_key_ends_a_live_session_with_its_next_command(owner, keys, guest):
    with run_live(str(owner.base_url), additional_headers=guest) as live:
        live.ask(**OPEN)
        keys.revoke("guest")
        with pytest.raises(ConnectionClosed) as caught:
            live.ask("step")
    assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (1008, "the API key is no longer valid")


def test_a_revoked_key_sees_no_more_of_a_run(owner, keys, guest):
    with run_live(str(owner.base_url), additional_headers=guest) as live:
        live.ask(**OPEN)
        live.send("run", speed=20)
        live.socket.recv(timeout=300)
        keys.revoke("guest")
        with pytest.raises(ConnectionClosed):
            live.receive()


def test_an_event_has_an_id_or_none():
    assert encode_event("end", {}) == "event: end\ndata: {}\n\n"
    assert encode_event("change", [1], 7) == "event: change\nid: 7\ndata: [1]\n\n"
