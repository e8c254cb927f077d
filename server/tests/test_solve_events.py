"""A job can be followed by many readers, who get its latest state and its end."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Timer

import httpx
import pytest

from running_server import run_client, run_server
from test_jobs import PIPES, SOLVES, Doorkeeper, queue
from wavefold_server import Limits, ServiceSettings
from wavefold_server.solves import events


@pytest.fixture
def door(monkeypatch):
    keeper = Doorkeeper()
    monkeypatch.setattr("wavefold_server.solves.jobs.run_plan", keeper)
    monkeypatch.setattr(events, "EVERY", 0.01)
    yield keeper
    keeper.open.set()


@pytest.fixture
def server(tmp_path):
    return ServiceSettings(data=tmp_path, workers=2, limits=Limits(grace_seconds=5.0))


def follow(client, name, seen=None, on_event=lambda event: None):
    """[(event, id, data)] until the stream ends."""
    found, headers = [], {} if seen is None else {"Last-Event-ID": seen}
    with client.stream("GET", f"{SOLVES}/{name}/events", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        event = {}
        for line in answer.iter_lines():
            key, _, value = line.partition(": ")
            if not line and "data" in event:
                found.append((event["event"], event["id"], json.loads(event["data"])))
                on_event(event["event"])
                event = {}
            elif key:
                event[key] = value
    return found


def test_a_reader_sees_a_job_wait_run_and_end(server, door):
    with run_client(server) as client:
        first, second = queue(client, seed=1), queue(client, seed=2)
        door.wait_for(1)
        seen = follow(client, second, on_event=lambda event: door.open.set())
        assert (seen[0][0], seen[-1][0]) == ("queued", "solved")
        assert all(data["id"] == second and "patterns" not in data for _, _, data in seen)
        assert seen[-1][2]["stats"]["decisions"] > 0
        assert follow(client, first)[-1][0] == "solved"


def test_a_running_job_says_how_far_it_is(server, door):
    with run_client(server) as client:
        name = queue(client)
        door.wait_for(1)
        seen = follow(client, name, on_event=lambda event: door.open.set())
        assert (seen[0][0], seen[0][2]["progress"]) == ("running", {"done": 0, "all": 63, "decisions": 0})


def test_a_failed_job_ends_with_its_problem(server):
    with run_client(server) as client:
        name = queue(client, pins=[[0, 0, "cross"], [1, 0, "wall"]])
        event, _, data = follow(client, name)[-1]
        assert (event, data["error"]["error"]) == ("failed", "Contradiction")


def test_many_readers_get_the_same_end(server, door):
    with run_client(server) as client, ThreadPoolExecutor(8) as threads:
        name = queue(client)
        door.wait_for(1)
        readers = [threads.submit(follow, client, name) for _ in range(8)]
        door.open.set()
        ends = [reader.result(300)[-1] for reader in readers]
    assert ends == [ends[0]] * 8
    assert ends[0][0] == "solved"


def test_a_reader_that_comes_back_hears_only_what_is_new(server, door):
    with run_client(server) as client:
        name = queue(client)
        door.wait_for(1)
        Timer(0.1, door.open.set).start()
        seen = follow(client, name, seen="running-0-0")
        assert seen[0][1] != "running-0-0"
        assert seen[-1][0] == "solved"
        headers = {"Last-Event-ID": seen[-1][1]}
        assert client.get(f"{SOLVES}/{name}/events", headers=headers).status_code == 204


def test_silence_is_filled_with_comments(server, door, monkeypatch):
    monkeypatch.setattr(events, "HEARTBEAT", 0.02)
    with run_client(server) as client:
        name = queue(client)
        with client.stream("GET", f"{SOLVES}/{name}/events") as answer:
            for line in answer.iter_lines():
                if line.startswith(":"):
                    door.open.set()
        assert door.open.is_set()


def test_events_of_an_unknown_job_do_not_exist(shared_client):
    assert shared_client.get(f"{SOLVES}/nothing/events").status_code == 404


def test_streams_end_when_the_server_does(tmp_path, door):
    settings, reading = ServiceSettings(data=tmp_path, workers=2, limits=Limits(grace_seconds=0.2)), Event()
    with ThreadPoolExecutor(1) as threads, httpx.Client(timeout=300) as client:
        with run_server(settings) as address:
            client.base_url = address
            name = queue(client)
            reader = threads.submit(follow, client, name, on_event=lambda event: reading.set())
            assert reading.wait(300)
        assert reader.result(300)[-1][0] in ("queued", "running")


def test_a_reader_that_reads_nothing_disturbs_nobody(server, door):
    with run_client(server) as client:
        name = queue(client)
        host, port = client.base_url.host, client.base_url.port
        with socket.create_connection((host, port)) as lazy:
            lazy.sendall(f"GET {SOLVES}/{name}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            door.wait_for(1)
            door.open.set()
            assert follow(client, name)[-1][0] == "solved"
            assert client.post(SOLVES, json=PIPES).status_code == 200
