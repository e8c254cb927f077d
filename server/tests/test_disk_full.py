"""A full disk: what cannot be stored is refused, what is there can be read, and nothing is damaged."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from errno import EACCES, ENOSPC

import httpx
import pytest

import wavefold as wf
from running_server import run_client
from serving_process import serve
from wavefold_server import ServiceSettings
from wavefold_server.database import describe_folder_error

API = "/api/v1"
WORLD = {"tileset": "pipes", "seed": 7, "chunk": 24, "refine": False}
SOLVE = {"tileset": "pipes", "topology": {"width": 24, "height": 24}, "refine": False}
TOML = b'format = 1\n[tiles.a]\nsockets = "x"\n[tiles.b]\nsockets = "x"\n'
PATCHWORK = {"tileset": "pipes", "seed": 1, "radius": 6, "refine": False}
SIZE = 3 << 20


@pytest.fixture
def disk(tmp_path):
    """A folder that is a small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    is_possible = shutil.which("mount") is not None
    if not is_possible or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("small disks cannot be made here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def client(disk):
    with run_client(ServiceSettings(data=disk / "data", workers=2)) as client:
        yield client


def fill(disk):
    """Leave no room; the file that takes it."""
    path = disk / "filler"
    with path.open("wb", buffering=0) as file, suppress(OSError):
        for size in (1 << 16, 1 << 12, 1):
            with suppress(OSError):
                while True:
                    file.write(b"x" * size)
    return path


def write_everything(client, world, patchwork, solve):
    """Everything that stores something, or needs a file for a moment: {what: answer}."""
    send = client.post
    return {
        "map": send(f"{API}/solves", json=SOLVE),
        "job": send(f"{API}/solves", json=SOLVE, headers={"Prefer": "respond-async"}),
        "file": client.get(f"{solve}/result.tmj"),
        "upload": send(f"{API}/tilesets", content=TOML, headers={"Content-Type": "application/toml"}),
        "world": send(f"{API}/worlds", json=WORLD),
        "edit": send(f"{world}/edits", json={"cells": [[3, 3, "cross"]]}),
        "undo": send(f"{world}/undo", json={}),
        "patchwork": send(f"{API}/patchworks", json=PATCHWORK),
        "populate": send(f"{patchwork}/populate", json={"grids": [[0, 0]]}),
    }


def read_everything(client, world, patchwork, solve):
    """What must look the same before, during and after."""
    paths = (solve, world, f"{world}/edits", patchwork)
    return [client.get(path).json() for path in paths] + [client.get(f"{world}/tiles/2/0/0.png").content]


def create(client, kind, body):
    """The path of something new."""
    answer = client.post(f"{API}/{kind}", json=body)
    assert answer.status_code in (200, 201)
    return f"{API}/{kind}/{answer.json()['id']}"


def test_nothing_is_stored_and_nothing_is_lost_while_the_disk_is_full(disk, client):
    bodies = {"worlds": WORLD, "patchworks": PATCHWORK, "solves": SOLVE}
    paths = [create(client, kind, body) for kind, body in bodies.items()]
    assert client.post(f"{paths[0]}/edits", json={"cells": [[5, 5, "cross"]]}).status_code == 200
    before = read_everything(client, *paths)
    filler = fill(disk)
    for what, answer in write_everything(client, *paths).items():
        assert answer.status_code == 507, (what, answer.text)
        assert answer.json()["error"] == "DiskFull"
        assert str(disk) not in answer.text
    assert client.get(f"{paths[0]}/tiles/0/5/5.png").status_code == 200  # chunks that cannot be stored
    assert read_everything(client, *paths) == before
    filler.unlink()
    for what, answer in write_everything(client, *paths).items():
        assert answer.status_code < 300, (what, answer.text)
    world = wf.World(wf.TileSet.load("pipes"), 7, 24, refine=False)
    world.edit({(5, 5): "cross"})
    assert client.get(f"{paths[0]}/tiles/2/0/0.png").content == wf.draw_map_tile(world, 2, 0, 0).png


def test_a_server_on_a_full_disk_starts_when_there_is_room_again(disk):
    settings = ServiceSettings(data=disk / "data", workers=1)
    with run_client(settings) as client:
        path = create(client, "solves", SOLVE)
        expected = client.get(path).json()
        filler = fill(disk)
        assert client.post(f"{API}/solves", json=SOLVE).status_code == 507
    filler.unlink()
    with run_client(settings) as client:
        assert client.get(path).json() == expected
    with closing(sqlite3.connect(disk / "data" / "wavefold.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_server_that_was_killed_on_a_full_disk_says_so_and_loses_nothing(disk):
    data = disk / "data"
    with serve(data) as (process, address), httpx.Client(base_url=address) as client:
        paths = [create(client, kind, body) for kind, body in (("solves", SOLVE), ("worlds", WORLD))]
        filler = fill(disk)
        assert client.post(f"{API}/solves", json=SOLVE).status_code == 507
        expected = [client.get(path).json() for path in paths]
        process.kill()
    fill(disk)  # the log that the server left may have had room of its own
    refused = start_and_fail(data)
    assert "there is no room on the disk" in refused
    assert "--data" not in refused
    filler.unlink()
    with run_client(ServiceSettings(data=data, workers=1)) as client:
        assert [client.get(path).json() for path in paths] == expected
        assert create(client, "solves", SOLVE)


def start_and_fail(data):
    """What a server says that cannot start."""
    command = [sys.executable, "-m", "wavefold", "serve", "--data", str(data), "--port", "0"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 2, found.stderr
    assert found.stderr.count("\n") == 1
    return found.stderr


def sqlite_error(code):
    """An error of SQLite's with this code."""
    error = sqlite3.OperationalError("something went wrong")
    error.sqlite_errorcode = code
    return error


# --- without a disk of its own ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "room", "says_full"),
    [
        (sqlite_error(sqlite3.SQLITE_FULL), 1 << 30, True),
        (sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE), 0, True),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), 0, True),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), 1 << 30, False),
        (OSError(ENOSPC, "No space left on device"), 0, True),
        (OSError(EACCES, "Permission denied"), 0, False),
    ],
)
def test_a_start_without_room_names_the_disk(tmp_path, monkeypatch, error, room, says_full):
    monkeypatch.setattr("wavefold_server.database.measure_room", lambda folder: room)
    found = describe_folder_error(tmp_path, error)
    assert ("there is no room on the disk" in found) == says_full
    assert ("--data" in found) != says_full
