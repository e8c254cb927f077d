"""The tile sets of a server: found by name, stored once, deleted only when nothing needs them."""

from types import SimpleNamespace

import numpy as np
import pytest

import wavefold as wf
from wavefold.formats.sections import encode_tiles
from wavefold.storage.png import encode_png
from wavefold_server.database import Database
from wavefold_server.problems import Problem
from wavefold_server.settings import Limits
from wavefold_server.tilesets.library import TileSetLibrary, digest_files, estimate_bytes


@pytest.fixture
def database(tmp_path):
    found = Database(tmp_path)
    found.create("CREATE TABLE solves (id TEXT, tileset TEXT, status TEXT)")  # as far as it is read here
    yield found
    found.close()


@pytest.fixture
def tilesets(database):
    return TileSetLibrary(SimpleNamespace(database=database, limits=Limits(tilesets=2)))


def plain(name="plain"):
    picture = np.full((4, 4, 3), 7, np.uint8)
    return wf.TileSet([wf.Tile("a", ("x",) * 4, picture=picture), wf.Tile("b", ("x",) * 4)], name=name)


def test_a_stored_set_is_loaded_again_and_only_once(tilesets):
    summary, is_new = tilesets.store(plain(), "uploaded")
    assert is_new
    assert summary.id in tilesets.names()
    assert tilesets.load(summary.id).rules.digest == plain().rules.digest == summary.digest
    assert tilesets.load(summary.id) is tilesets.load(summary.id)
    assert tilesets.store(plain(), "uploaded") == (summary, False)
    assert tilesets.describe_all()[-1] == summary


def test_only_so_many_are_stored_but_known_ones_are_still_accepted(tilesets):
    for name in ("one", "two"):
        tilesets.store(plain(name), "uploaded")
    with pytest.raises(Problem, match="there are 2 uploaded tile sets already") as caught:
        tilesets.store(plain("three"), "uploaded")
    assert caught.value.more == {"limit": "tilesets", "maximum": 2}
    assert tilesets.store(plain("two"), "uploaded")[1] is False


def test_the_id_depends_on_pixels_and_not_on_their_compression():
    files = encode_tiles(plain())
    repacked = {**files, "tiles.png": files["tiles.png"] + b"ignored"}
    redrawn = {**files, "tiles.png": encode_png(np.zeros((4, 4, 4), np.uint8))}
    assert digest_files(repacked) == digest_files(files) != digest_files(redrawn)


def test_what_is_needed_is_not_deleted(tilesets, database):
    summary, _ = tilesets.store(plain(), "uploaded")
    database.write("INSERT INTO solves VALUES ('1f', ?, 'queued')", (summary.id,))
    with pytest.raises(Problem, match="is needed by the solve '1f'") as caught:
        tilesets.delete(summary.id)
    assert caught.value.status == 409
    database.write("UPDATE solves SET status = 'solved'")
    database.write("INSERT INTO solves VALUES ('2e', ?, 'solved')", (summary.id,))
    with pytest.raises(Problem, match="is needed by the solve '1f' and 1 more"):
        tilesets.delete(summary.id)
    database.write("UPDATE solves SET status = 'cancelled'")
    tilesets.uses.append(lambda id: "the world 'a'" if id == summary.id else None)
    with pytest.raises(Problem, match="is needed by the world 'a'"):
        tilesets.delete(summary.id)
    tilesets.uses.pop()
    tilesets.delete(summary.id)
    assert database.read("SELECT * FROM tileset_files") == []
    with pytest.raises(Problem, match="there is no tile set"):
        tilesets.load(summary.id)


def test_a_set_takes_as_much_memory_as_its_pictures(tilesets):
    shared = np.zeros((100, 100, 4), np.uint8)
    tiles = wf.TileSet([wf.Tile(name, ("x",) * 4, picture=shared) for name in "abc"])
    assert 40_000 < estimate_bytes(tiles) < 60_000
