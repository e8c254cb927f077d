"""The data folder: what is refused at the start, in one line, before anything listens."""

import asyncio
import os
import subprocess
import sys

import pytest

import wavefold as wf
from running_server import run_server
from wavefold_server import ServiceSettings
from wavefold_server.app import create_app
from wavefold_server.database import Database, FolderLock


@pytest.fixture
def folder(tmp_path):
    """A data folder that a server has used."""
    with run_server(ServiceSettings(data=tmp_path / "data", workers=1)):
        pass
    return tmp_path / "data"


def refuse(folder, words):
    """A server does not start on this folder, and says why."""

    async def start_and_stop():
        app = create_app(ServiceSettings(data=folder, workers=1))
        async with app.router.lifespan_context(app):
            pass

    with pytest.raises(wf.ConfigError, match=words) as caught:
        asyncio.run(start_and_stop())
    assert "\n" not in str(caught.value)


def test_one_server_for_each_folder(tmp_path):
    with run_server(ServiceSettings(data=tmp_path, workers=1)):
        refuse(tmp_path, "another wavefold server is using")
    FolderLock(tmp_path).close()


def test_a_second_process_ends_with_one_line(tmp_path):
    Database(tmp_path).close()
    lock = FolderLock(tmp_path)
    command = [sys.executable, "-m", "wavefold", "serve", "--data", str(tmp_path), "--port", "0"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    lock.close()
    assert found.returncode == 2
    assert found.stderr.startswith("wavefold: another wavefold server is using the data folder")
    assert found.stderr.count("\n") == 1


def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    (tmp_path / "wavefold.db").write_bytes(bytes(range(256)) * 64)
    refuse(tmp_path, "is damaged")


@pytest.mark.parametrize("first", [100, 4096])  # in the table of tables, or in the tables
def test_a_damaged_database_is_refused(folder, first):
    path = folder / "wavefold.db"
    content = bytearray(path.read_bytes())
    for start in range(first, len(content), 4096):
        content[start : start + 600] = b"\xff" * len(content[start : start + 600])
    path.write_bytes(content)
    refuse(folder, "is damaged")


def test_half_a_database_is_refused(folder):
    os.truncate(folder / "wavefold.db", 5_000)
    refuse(folder, "is damaged")


def test_a_lock_that_is_something_else_is_refused(tmp_path):
    (tmp_path / "server.lock").write_bytes(b"something else" * 500)
    refuse(tmp_path, "is damaged")


@pytest.mark.parametrize("name", ["data", "data/worlds"])
def test_a_file_instead_of_a_folder_is_refused(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    refuse(tmp_path / "data", "cannot use the data folder")
