"""Damaged data is refused with the name of the object, never read as data; others can still be read."""

import asyncio
import json
import random
import shutil
import sqlite3
from contextlib import closing, suppress

import httpx
import pytest

import wavefold as wf
from running_server import run_client
from wavefold_server import ServiceSettings
from wavefold_server.app import create_app
from wavefold_server.database import Database
from wavefold_server.keys import ApiKeys, KeyCheck
from wavefold_server.problems import Problem

# A world whose pictures alone are damaged opens, with a warning.
pytestmark = pytest.mark.filterwarnings("ignore::wavefold.errors.TileSetWarning")
API = "/api/v1"
BODIES = {
    "solves": {"tileset": "pipes", "topology": {"width": 6, "height": 5}, "refine": False},
    "worlds": {"tileset": "pipes", "seed": 7, "chunk": 24, "refine": False},
    "patchworks": {"tileset": "pipes", "seed": 1, "radius": 2, "refine": False},
}
TOML = 'format = 1\nname = "{name}"\n[tiles.a]\nsockets = "x"\n[tiles.b]\nsockets = "x"\n'
LISTS = [f"{API}/{kind}" for kind in ("solves", "worlds", "patchworks", "tilesets")]


def create_objects(client):
    """Two of each kind: the paths of what they say."""
    for number in (1, 2):
        for kind, body in BODIES.items():
            path = f"{API}/{kind}/{client.post(f'{API}/{kind}', json=body | {'seed': number}).json()['id']}"
            yield path
            if kind == "worlds":
                client.post(f"{path}/edits", json={"cells": [[3, 3, "cross"]]}).raise_for_status()
                yield f"{path}/edits"
                yield f"{path}/chunks/0/0.json"
            elif kind == "patchworks":
                client.post(f"{path}/populate", json={"grids": [[0, 0], [0, 1]]}).raise_for_status()
                yield f"{path}/grids/0/1"
            else:
                yield f"{path}/result.json"
        answer = client.post(f"{API}/tilesets", content=TOML.format(name=number).encode())
        yield f"{API}/tilesets/{answer.json()['id']}"
        yield f"{API}/tilesets/{answer.json()['id']}/tables"


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A data folder, and what a server says about everything in it."""
    folder = tmp_path_factory.mktemp("data")
    with run_client(ServiceSettings(data=folder, workers=1)) as client:
        paths = list(create_objects(client))
        expected = {path: client.get(path).content for path in paths}
    with closing(sqlite3.connect(folder / "wavefold.db")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder, expected


def list_rows(path):
    """(table, columns, row) of all rows of the database but API keys."""
    with closing(sqlite3.connect(path)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for table in sorted(set(names) - {"sqlite_sequence", "api_keys"}):
            rows = connection.execute(f"SELECT * FROM {table}")
            columns = [each[0] for each in rows.description]
            for row in rows.fetchall():
                yield table, columns, row


def alter(value):
    """Values that differ a little, or are of another type."""
    if isinstance(value, bytes):
        yield bytes([value[0] ^ 1, *value[1:]])
        yield value[:-1]
    elif isinstance(value, str):
        yield value[:-1] + chr(ord(value[-1]) ^ 1)
        yield value.encode() + b"\xff"
    elif isinstance(value, (int, float)):
        yield value + 1
    yield "damaged" if value is None else 5


def list_row_damages(path):
    """(table, row, column, another value), about 250."""
    for table, columns, row in list_rows(path):
        names = dict(zip(columns, row, strict=True))
        key = "id" if "id" in names else "digest" if "digest" in names else "tileset"
        for column, value in names.items():
            if column in ("number", key):  # another name is another object
                continue
            for other in alter(value):
                yield table, key, names[key], column, other


def damage_row(folder, table, key, name, column, value):
    with closing(sqlite3.connect(folder / "wavefold.db", isolation_level=None)) as connection:
        text = isinstance(value, bytes) and value.endswith(b"\xff")
        new = "CAST(? AS TEXT)" if text else "?"
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {new} WHERE {key} = ?", (value, name))


def read_all(folder, paths):
    """{path: (status, content)} from a server on this folder, without sockets."""

    async def read():
        app = create_app(ServiceSettings(data=folder, workers=1))
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                answers = [await client.get(path) for path in paths]
        return {path: (each.status_code, each.content) for path, each in zip(paths, answers, strict=True)}

    return asyncio.run(read())


def read_answer(content):
    """What an answer says, except for how far back the changes of a world are known."""
    answer = json.loads(content)
    answer.pop("oldest_revision", None)
    return answer


def check_answers(found, expected):
    """What is not as it was is a problem document that names a damaged object. The paths of these."""
    damaged = []
    for path, (status, content) in found.items():
        if path in LISTS:
            assert status in (200, 409), content
        elif status != 200:
            assert 400 <= status < 500, (path, content)
            damaged.append(path)
        else:
            assert read_answer(content) == read_answer(expected[path])
    return damaged


def check_row_damage(tmp_path, stored, damages):
    folder, expected = stored
    for damage in damages:
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        damage_row(copy, *damage)
        found = read_all(copy, [*expected, *LISTS])
        table, _, name, *_ = damage
        damaged = check_answers(found, expected)
        for path in damaged:
            status, content = found[path]
            assert status == 409 or b"no such" in content or status in (404, 410), (damage, path, content)
            # A patchwork names the digest of its tiles, and others may share them.
            assert name in path or table == "patchwork_tiles", (damage, path, content)
        assert len(list((copy / "worlds").iterdir())) >= 2, damage
        shutil.rmtree(copy)
        yield damage, damaged


def test_damaged_rows_are_refused_by_name(tmp_path, stored):
    damages = list(list_row_damages(stored[0] / "wavefold.db"))[::25]
    for damage, damaged in check_row_damage(tmp_path, stored, damages):
        assert damaged, damage


@pytest.mark.slow
def test_all_damaged_rows_are_refused_by_name(tmp_path, stored):
    damages = list(list_row_damages(stored[0] / "wavefold.db"))
    assert len(damages) > 150
    for damage, damaged in check_row_damage(tmp_path, stored, damages):
        assert damaged, damage


def check_file_damage(tmp_path, stored, seeds):
    """Bytes of the files are changed: the server does not start and says why, or gives what was stored."""
    folder, expected = stored
    for seed in seeds:
        chance, copy = random.Random(seed), tmp_path / "copy"
        shutil.copytree(folder, copy)
        path = chance.choice(
            [copy / "wavefold.db", copy / "wavefold.db", *sorted((copy / "worlds").iterdir())]
        )
        content = bytearray(path.read_bytes())
        for _ in range(chance.choice((1, 1, 1, 4, 16))):
            at = chance.randrange(len(content))
            content[at] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        with suppress(wf.ConfigError):  # raised before anything listens
            check_answers(read_all(copy, [*expected, *LISTS]), expected)
        shutil.rmtree(copy)


def test_changed_bytes_of_files_are_never_read_as_data(tmp_path, stored):
    check_file_damage(tmp_path, stored, range(6))


@pytest.mark.slow
def test_many_changed_bytes_of_files_are_never_read_as_data(tmp_path, stored):
    check_file_damage(tmp_path, stored, range(6, 300))


# --- what is done about damaged objects ---------------------------------------------------------------


@pytest.fixture
def damaged(tmp_path, stored):
    """A server on a folder in which the first of each kind is damaged, and its paths by kind."""
    folder, expected = stored
    shutil.copytree(folder, tmp_path / "data")
    first = {}
    for path in expected:
        kind, name = path.removeprefix(f"{API}/").split("/")[:2]
        first.setdefault(kind, name)
    for kind, name in first.items():
        column = "summary" if kind == "tilesets" else "request"
        damage_row(tmp_path / "data", kind, "id", name, column, '{"draft": "x')
    with run_client(ServiceSettings(data=tmp_path / "data", workers=1)) as client:
        yield client, {kind: f"{API}/{kind}/{name}" for kind, name in first.items()}


def test_a_damaged_object_is_named_with_what_to_do(damaged):
    client, paths = damaged
    for path in paths.values():
        answer = client.get(path)
        document = answer.json()
        assert (answer.status_code, document["error"]) == (409, "Damaged")
        assert path.rpartition("/")[2] in document["detail"]
        assert "backup" in document["advice"]


def test_lists_have_the_other_objects(damaged):
    client, paths = damaged
    for kind, path in paths.items():
        listed = [each["id"] for each in client.get(f"{API}/{kind}").json()[kind]]
        assert path.rpartition("/")[2] not in listed
        assert listed


def test_a_damaged_object_can_be_deleted(damaged):
    client, paths = damaged
    for kind in ("solves", "worlds", "patchworks", "tilesets"):
        assert client.delete(paths[kind]).status_code == 204
        assert client.get(paths[kind]).status_code == 404


def test_a_copy_of_a_damaged_patchwork_is_refused(damaged):
    client, paths = damaged
    answer = client.post(f"{paths['patchworks']}/copy")
    assert (answer.status_code, answer.json()["error"]) == (409, "Damaged")


def test_a_change_does_not_make_a_damaged_row_look_intact(tmp_path):
    database = Database(tmp_path)
    database.create(
        "CREATE TABLE things (id TEXT PRIMARY KEY, size INTEGER, content BLOB, row_digest BLOB, "
        "content_digest BLOB)"
    )
    for name in ("a", "b", "c"):
        database.write("INSERT INTO things (id, size, content) VALUES (?, 1, ?)", (name, b"content"))
    with closing(sqlite3.connect(tmp_path / "wavefold.db")) as connection, connection:
        connection.execute("UPDATE things SET size = 7 WHERE id = 'a'")
        connection.execute("UPDATE things SET content = x'00' WHERE id = 'b'")
    assert database.write("UPDATE things SET size = size + 1") == 2
    rows = database.read("SELECT id, size, content FROM intact_things ORDER BY id")
    assert [tuple(row) for row in rows] == [("b", 2, None), ("c", 2, b"content")]
    database.write("UPDATE things SET content = ? WHERE id = 'b'", (b"new",))
    assert database.find("thing", "things", "b", "content")["content"] == b"new"
    with pytest.raises(Problem, match="the thing 'a' is damaged"):
        database.find("thing", "things", "a", "size")
    database.close()


def test_a_key_that_is_damaged_counts_no_longer_and_the_server_stays_closed(tmp_path):
    database = Database(tmp_path)
    key = ApiKeys(database).create("one", "read")
    with closing(sqlite3.connect(tmp_path / "wavefold.db")) as connection, connection:
        connection.execute("UPDATE api_keys SET scope = 'write'")
    check = KeyCheck(database)
    assert check.required
    assert not check.allows(key, "write")
    assert not check.allows(key, "read")
    check.close()
    database.close()


def test_the_file_of_a_world_whose_id_is_damaged_is_kept(tmp_path, stored):
    """A start removes files that belong to no world, unless it cannot know that."""
    folder, expected = stored
    shutil.copytree(folder, tmp_path / "data")
    before = {path.name for path in (tmp_path / "data" / "worlds").iterdir()}
    names = [path.rpartition("/")[2] for path in expected if path.startswith(f"{API}/worlds/")]
    damage_row(tmp_path / "data", "worlds", "id", names[0], "id", "another")
    found = read_all(tmp_path / "data", [f"{API}/worlds/{names[0]}", f"{API}/worlds/another"])
    assert [status for status, _ in found.values()] == [404, 409]
    assert {path.name for path in (tmp_path / "data" / "worlds").glob("*.world")} <= before
    assert (tmp_path / "data" / "worlds" / f"{names[0]}.world").exists()
