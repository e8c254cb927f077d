"""kill -9 in the middle of everything: whatever was acknowledged is there, whole, when the server is back."""

import os
import random
import shutil
import signal
import sqlite3
import threading
from contextlib import closing
from itertools import count
from time import sleep

import httpx
import pytest

import wavefold as wf
from serving_process import serve
from waiting import wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")

API = "/api/v1"
WORLD = {"tileset": "pipes", "seed": 7, "chunk": 24, "refine": False}
PATCHWORK = {"tileset": "pipes", "seed": 3, "radius": 4, "refine": False}
SOLVE = {"tileset": "pipes", "topology": {"width": 24, "height": 24}, "refine": False}
OPTIONS = ("--workers", "2", "--limit", "tilesets=10000", "--limit", "jobs=10000")
NEAR = 20  # edits are within so many cells
TILES = ("cross", "tee", "bridge")
TILE_SET = 'format = 1\n[tiles.a]\nsockets = "x"\nweight = {weight}\n[tiles.b]\nsockets = "x"\n'


class Ledger:
    """What a server has acknowledged, in all rounds, and the writers that made it do so."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.world = self.patchwork = ""  # their paths
        self.grids = 0  # of the patchwork, in a row
        self.steps = []  # (kind, cells) of the world; step n leads to revision n + 1
        self.pending = None  # a step that was sent, but not answered
        self.maps, self.jobs, self.tilesets, self.worlds, self.deleted = {}, {}, {}, set(), set()
        self.numbers, self.done = count(1), []  # the tasks that were done in this round

    def start(self, client):
        """Create what is changed in all rounds."""
        for kind, body in (("world", WORLD), ("patchwork", PATCHWORK)):
            name = client.post(f"{API}/{kind}s", json=body).json()["id"]
            setattr(self, kind, f"{API}/{kind}s/{name}")

    def step_world(self, client):
        """Edit, undo or redo."""
        kind = self.random.choices(["edit", "undo", "redo"], [5, 2, 1])[0]
        cells = [[self.random.randrange(NEAR), self.random.randrange(NEAR), self.random.choice(TILES)]]
        self.pending = (kind, cells)
        path = "edits" if kind == "edit" else kind
        body = {"cells": cells} if kind == "edit" else {}
        answer = client.post(f"{self.world}/{path}", json=body)
        assert answer.status_code in (200, 409), answer.text  # 409: nothing to undo, or nothing fits
        if answer.status_code == 200:
            self.steps.append(self.pending)
            assert answer.json()["revision"] == len(self.steps)
        self.pending = None

    def populate(self, client):
        """Make one more grid."""
        answer = client.post(f"{self.patchwork}/populate", json={"grids": [[self.grids, 0]]})
        assert answer.status_code == 200, answer.text
        self.grids += 1
        sleep(0.05)

    def upload(self, client):
        """A tile set that no other has the weights of."""
        weight = next(self.numbers)
        answer = client.post(f"{API}/tilesets", content=TILE_SET.format(weight=weight),
                             headers={"Content-Type": "application/toml"})  # fmt: skip
        assert answer.status_code == 201, answer.text
        self.tilesets[answer.json()["id"]] = answer.json()["digest"]

    def make_map(self, client):
        """A map at once."""
        seed = next(self.numbers)
        answer = client.post(f"{API}/solves", json=SOLVE | {"seed": seed})
        assert answer.status_code == 200, answer.text
        self.maps[answer.json()["id"]] = seed

    def queue_map(self, client):
        """A map in the background."""
        seed = next(self.numbers)
        answer = client.post(
            f"{API}/solves", json=SOLVE | {"seed": seed}, headers={"Prefer": "respond-async"}
        )
        assert answer.status_code in (200, 202), answer.text  # 200: it is finished already
        self.jobs[answer.json()["id"]] = seed
        sleep(0.02)

    def change_worlds(self, client):
        """Create a world, and delete an older one."""
        answer = client.post(f"{API}/worlds", json=WORLD)
        assert answer.status_code == 201, answer.text
        self.worlds.add(answer.json()["id"])
        if len(self.worlds) > 3:
            name = self.worlds.pop()  # it may be there or not until this is answered
            assert client.delete(f"{API}/worlds/{name}").status_code == 204
            self.deleted.add(name)

    def read(self, client):
        """What readers do meanwhile."""
        for path in (f"{self.world}/tiles/2/0/0.png", f"{API}/solves", f"{self.world}/edits"):
            assert client.get(path).status_code == 200

    @property
    def tasks(self):
        writers = [self.step_world, self.populate, self.upload, self.make_map, self.queue_map]
        return [*writers, self.change_worlds, self.read]

    def work(self, address, task, failures):
        """Do something again and again until the server is gone."""
        try:
            with httpx.Client(base_url=address, timeout=300) as client:
                while True:
                    task(client)
                    self.done.append(task)
        except httpx.TransportError:
            pass
        except BaseException as error:  # for the thread that checks
            failures.append(error)


def crash_under_load(ledger, process, address, tasks):
    """All writers and readers at once, and SIGKILL when so many tasks are done."""
    failures = []
    ledger.done.clear()
    threads = [threading.Thread(target=process.stderr.read)]  # a full pipe would end the log
    for task in ledger.tasks:
        threads.append(threading.Thread(target=ledger.work, args=(address, task, failures)))
    for thread in threads:
        thread.start()
    wait_until(lambda: len(ledger.done) >= tasks or failures)
    sleep(ledger.random.uniform(0, 0.05))
    process.send_signal(signal.SIGKILL)
    process.wait(300)
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive()
    assert not failures, failures


def check_files(folder, copy):
    """Every database is whole, as the dead server left it."""
    shutil.copytree(folder, copy)
    found = [copy / "wavefold.db", *(copy / "worlds").glob("*.world")]
    for path in found:
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], path
    shutil.rmtree(copy)


def check_acknowledged(ledger, client):
    """Everything that was answered is there; of the rest, all or nothing."""
    for name, digest in ledger.tilesets.items():
        answer = client.get(f"{API}/tilesets/{name}")
        assert (answer.status_code, answer.json().get("digest")) == (200, digest)
    for each in client.get(f"{API}/tilesets").json()["tilesets"]:
        assert client.get(f"{API}/tilesets/{each['id']}").status_code == 200
    for name in ledger.maps:
        assert client.get(f"{API}/solves/{name}").json()["status"] == "solved"
    for name in ledger.jobs:
        assert client.get(f"{API}/solves/{name}").json()["status"] in ("queued", "running", "solved")
    for name in ledger.worlds:
        assert client.get(f"{API}/worlds/{name}").json()["revision"] == 0
    for name in ledger.deleted:
        assert client.get(f"{API}/worlds/{name}").status_code == 404
    check_world(ledger, client)
    found = client.get(ledger.patchwork).json()
    assert found["revision"] - ledger.grids in (0, 1)
    assert found["grids"] == found["revision"]
    ledger.grids = found["revision"]


def check_world(ledger, client):
    """Every step that was acknowledged is there, in order; perhaps also the one that was under way."""
    revision = client.get(ledger.world).json()["revision"]
    if revision == len(ledger.steps) + 1:
        ledger.steps.append(ledger.pending)
    assert revision == len(ledger.steps)
    since = max(0, revision - 100)
    found = client.get(f"{ledger.world}/changes", params={"since": since}).json()["changes"]
    assert [each["kind"] for each in found] == [kind for kind, _ in ledger.steps[since:]]


def check_bytes(ledger, client):
    """What the server made before, during and after its crashes is what the library makes."""
    wait_until(
        lambda: all(client.get(f"{API}/solves/{name}").json()["status"] == "solved" for name in ledger.jobs)
    )
    tiles = wf.TileSet.load("pipes")
    made = list((ledger.maps | ledger.jobs).items())
    for name, seed in made[::-1][:40]:
        expected = wf.generate(tiles, wf.SquareGrid(24, 24), seed=seed, refine=False).patterns
        assert client.get(f"{API}/solves/{name}").json()["patterns"] == expected.tolist()
    world = wf.World(tiles, 7, 24, refine=False)
    for kind, cells in ledger.steps:
        if kind == "edit":
            world.edit({(x, y): tile for x, y, tile in cells})
        else:
            getattr(world, kind)()
    assert client.get(f"{ledger.world}/tiles/2/0/0.png").content == wf.draw_map_tile(world, 2, 0, 0).png


def crash_repeatedly(folder, rounds, seed, at_least=0):
    """Kill a server under load so many times; check it after each, and all bytes at the end."""
    ledger, data = Ledger(seed), folder / "data"
    for _ in range(rounds):
        with serve(data, *OPTIONS) as (process, address):
            with httpx.Client(base_url=address, timeout=300) as client:
                if ledger.world:
                    check_acknowledged(ledger, client)
                else:
                    ledger.start(client)
            crash_under_load(ledger, process, address, ledger.random.randrange(at_least, at_least + 150))
        check_files(data, folder / "copy")
    with serve(data, *OPTIONS) as (process, address), httpx.Client(base_url=address, timeout=300) as client:
        check_acknowledged(ledger, client)
        check_bytes(ledger, client)
    return ledger


def test_what_was_acknowledged_survives_a_kill(tmp_path):
    ledger = crash_repeatedly(tmp_path, rounds=1, seed=1, at_least=20)
    assert all((ledger.steps, ledger.maps, ledger.jobs))


@pytest.mark.slow
def test_what_was_acknowledged_survives_twenty_kills(tmp_path):
    ledger = crash_repeatedly(tmp_path, rounds=20, seed=2)
    assert min(len(ledger.steps), len(ledger.maps), len(ledger.jobs)) > 20
