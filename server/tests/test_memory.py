"""What requests held is free as soon as they are answered, without waiting for the collection of cycles."""

import gc
import json
import weakref
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from running_server import run_client
from serving_process import serve
from waiting import wait_until
from wavefold_server import Limits, ServiceSettings, memory
from wavefold_server.memory import QuietTimes, release_memory

NOTE = {"note": "a" * 8_000}
PIPES = {"tileset": "pipes", "topology": {"width": 4, "height": 4}}


@contextmanager
def collecting_cycles():
    """A list of all that is found in cycles meanwhile."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    found = []
    try:
        yield found
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    limits = Limits(body_values=2_000, cells=10_000)
    with run_client(
        ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=2, limits=limits)
    ) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("solves", PIPES, 200),
        ("solves", PIPES | NOTE, 422),
        ("solves", PIPES | {"pins": [[0, 0, "no such tile"]] * 400}, 422),
        ("solves", PIPES | {"topology": {"width": 9_000, "height": 9_000}}, 422),
        ("solves", PIPES | {"pins": [[]] * 2_000}, 413),
        ("solves", {"tileset": "unknown"}, 404),
        ("worlds/unknown/edits", {"cells": [[0, 0, "cross"]] * 400}, 404),
        ("worlds", {"tileset": "unknown"}, 404),
        ("drafts", {"tables": NOTE}, 422),
        ("documents/open", NOTE, 422),
        ("tilesets", NOTE, 422),
    ],
)
def test_a_request_leaves_no_cycles(client, path, body, status):
    def post():
        assert client.post(f"/api/v1/{path}", json=body).status_code == status

    post()  # what is made once, and stays
    with collecting_cycles() as found:
        post()
        client.get("/healthz")
    assert [each for each in found if isinstance(each, (Request, BaseException))] == []


# --- back to the system ---------------------------------------------------------------------------


class Cycle:
    """An object that keeps itself."""

    def __init__(self):
        self.itself = self


def test_cycles_are_freed_on_request():
    known = weakref.ref(Cycle())
    release_memory()
    assert known() is None


def test_a_quiet_time_begins_once_after_work(monkeypatch):
    clock, work = [0.0], [0]
    monkeypatch.setattr(memory, "monotonic", lambda: clock[0])
    times, begun = QuietTimes(lambda: work[0]), []
    for now, count in ((1, 0), (9, 0), (10, 1), (12, 2), (14.9, 2), (15.1, 2), (30, 2), (31, 3), (40, 3)):
        clock[0], work[0] = now, count
        if times.has_begun():
            begun.append(now)
    assert begun == [15.1, 40]


def read_memory(process):
    """MiB that a process has in memory."""
    return int(Path(f"/proc/{process.pid}/status").read_text().partition("VmRSS:")[2].split()[0]) / 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_is_given_back_after_large_requests(tmp_path):
    tables = {"tables": {"tiles": [{"name": f"{number}", "note": [[]] * 20} for number in range(6_000)]}}
    maps = PIPES | {"topology": {"width": 128, "height": 128}}
    with serve(tmp_path) as (process, address), httpx.Client(base_url=address, timeout=120) as client:
        client.post("/api/v1/solves", json=maps).raise_for_status()
        before = read_memory(process)
        for seed in range(12):
            client.post("/api/v1/drafts/tileset", content=json.dumps(tables).encode(),
                        headers={"Content-Type": "application/json"})  # fmt: skip
            client.post("/api/v1/solves", json=maps | {"seed": seed}).raise_for_status()
        wait_until(lambda: read_memory(process) < before + 60, 60)
