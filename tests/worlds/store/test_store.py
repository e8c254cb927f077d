"""Worlds in files: the same again, whatever happens in between."""

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES, compiled_only
from wavefold._version import CHUNK_VERSION
from wavefold.formats.sections import decode_fields, encode_fields
from wavefold.storage.archive import HEADER
from wavefold.worlds import World, codec, persistence
from wavefold.worlds.edits.edit import Edit
from wavefold.worlds.store import database, store
from wavefold.worlds.store.database import Content
from wavefold.worlds.store.store import Store

CHUNK, RADIUS, REACH = 24, 5, 16
AROUND = (-CHUNK, -CHUNK, 2 * CHUNK, 2 * CHUNK)
SETS = {"pipes": PIPES, "rivers": HEX_RIVERS}


def world_of(tiles=PIPES, **options):
    return World(tiles, 7, CHUNK, radius=RADIUS, **options)


def same(one, other):
    return (one.region(*AROUND) == other.region(*AROUND)).all() and one.edits == other.edits


def change(path, statement, *values):
    """What another program, or the disk, may do to a file."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement, values)
    connection.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "my.world"


@pytest.fixture
def edited(path):
    """A file with a world that has two edits, the second taken back."""
    world = world_of()
    world.edit({(0, 0): "┼"}, reach=REACH)
    world.edit({(1, 1): "┼"}, reach=REACH)
    world.undo()
    world.save(path)
    return world


# --- the same again -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(SETS))
def test_a_saved_world_opens_as_the_same(name, path):
    world = world_of(SETS[name], pins={(2, 2): SETS[name].rules.tiles[-1]})
    world.edit({(0, 0): SETS[name].rules.tiles[-1]}, reach=REACH)
    world.save(path, chunks=[(0, 0)])
    with World.open(path) as again:
        assert same(again, world)
        assert again.store_report.read == 1
        assert (again.seed, again.plan, again.tiles.topology) == (7, world.plan, world.tiles.topology)
        again.undo()
        with pytest.raises(wf.WorldError, match="pins given at creation cannot be undone"):
            again.undo()
    assert list(path.parent.iterdir()) == [path]


def test_undone_edits_can_be_redone_after_opening(edited, path):
    with World.open(path) as again:
        assert same(again, edited)
        again.redo()
        edited.redo()
        assert same(again, edited)
    with World.open(path) as again:
        assert same(again, edited)


def test_edits_of_an_open_world_are_in_the_file_at_once(edited, path):
    world = World.open(path)
    world.edit({(3, 3): "┼"}, reach=REACH)
    shutil.copy(path, copy := path.with_name("copy.world"))
    shutil.copy(f"{path}-wal", f"{copy}-wal")  # as after a power cut
    with World.open(copy) as again:
        assert same(again, world)
    world.close()


def test_saving_again_replaces_what_was_there(edited, path):
    other = World(PIPES, 8, CHUNK, radius=RADIUS)
    other.save(path)
    with World.open(path) as again:
        assert same(again, other)
        again.save(path)


@compiled_only
@pytest.mark.parametrize("name", ["knots", pytest.param("medieval", marks=pytest.mark.slow)])
def test_bundled_sets_keep_their_pictures(path, name):
    tiles = wf.TileSet.load(name)
    world = World(tiles, 3, CHUNK, radius=RADIUS)
    world.save(path)
    with World.open(path) as again:
        assert again.rules.digest == tiles.rules.digest
        assert again.image(0, 0, 8, 8).tobytes() == world.image(0, 0, 8, 8).tobytes()


@compiled_only
def test_learned_sets_are_kept(path):
    rows = ["sssss", "sccss", "scccs", "ssccs", "sssss"]
    tiles = wf.learn([list(row) for row in rows], n=2, periodic=True)
    world = World(tiles, 1, CHUNK, radius=RADIUS, pins={(0, 0): "c"})
    world.save(path)
    with World.open(path) as again:
        assert (again.chunk(0, 0) == world.chunk(0, 0)).all()


FIELDS = [
    wf.Fields(altitude=wf.Noise(0.05, octaves=3, seed=2**70, offset=(1.5, -2.25))),
    wf.Fields(a=(1 - abs(wf.Noise(0.1))).clamp(0, 0.3), b=0.1 + 2 * wf.Noise(0.2).rescaled(3, 4), c=5),
    wf.Fields(table=np.arange(12.0).reshape(3, 4) / 7, wet=wf.Noise(1 / 3)),
]


@pytest.mark.parametrize("fields", FIELDS)
def test_fields_survive(fields):
    again = decode_fields(encode_fields(fields))
    assert again == fields
    assert again.digest == fields.digest
    assert decode_fields({}) is None


@compiled_only
def test_a_world_with_fields_opens_as_the_same(path):
    tiles = wf.TileSet(
        [
            wf.Tile("sea", (*"ssss",), limits={"altitude": (-1.0, 0.1)}),
            wf.Tile("land", (*"llll",), limits={"altitude": (-0.1, 1.0)}),
            wf.Tile("coast", (*"scll",), symmetry="turned"),
            wf.Tile("cliff", (*"sclc",), symmetry="turned"),
        ]
    )
    world = World(tiles, 1, CHUNK, radius=RADIUS, fields=FIELDS[0])
    world.save(path)
    with World.open(path) as again:
        assert (again.chunk(0, 0) == world.chunk(0, 0)).all()


def test_what_holds_python_cannot_be_saved(path):
    world = world_of(fields=wf.Fields(slope=lambda x, y: x / 64))
    with pytest.raises(wf.WavefoldError, match=r"field 'slope' is <function .* cannot be saved"):
        world.save(path)
    tiles = wf.TileSet(PIPES.tiles, allowed_at=lambda pattern, fields: True)
    with pytest.raises(wf.TileSetError, match="allowed_at cannot be saved"):
        world_of(tiles).save(path)
    assert not path.exists()


# --- a store that is written along --------------------------------------------------------------


def test_a_store_keeps_chunks_and_edits_while_the_world_is_used(path):
    with world_of(store=path, keep=100) as world:
        world.region(*AROUND)
        world.save(path)  # waits for the chunks: those written at the same moment as an edit may be dropped
        world.edit({(0, 0): "┼"}, reach=REACH)
        expected = world.region(*AROUND)
    assert (world.store_report.written, world.store_report.dropped) == (4, 0)
    with world_of(store=path, keep=100) as again:
        assert (again.region(*AROUND) == expected).all()
        assert again.store_report.read == 4
        assert again.report.windows == 0
    assert (again.chunk(3, 3) == world_of().chunk(3, 3)).all()  # a closed world can be read
    with pytest.raises(wf.WorldError, match="closed"):
        again.edit({(0, 0): " "}, reach=REACH)


def test_a_store_keeps_no_more_chunks_than_it_may(path):
    with world_of(store=path, keep=2) as world:
        world.region(*AROUND)
    kept = sqlite3.connect(path)
    assert kept.execute("SELECT COUNT(*) FROM chunks").fetchone() == (2,)
    kept.close()


def test_a_store_holds_one_world(path):
    world_of(store=path).close()
    with pytest.raises(wf.WorldError, match=r"a different world \(it differs in seed"):
        World(PIPES, 8, CHUNK, radius=RADIUS, store=path)
    with pytest.raises(wf.WorldError, match="it differs in pins"):
        world_of(pins={(0, 0): world_of().tile_at(0, 0)}, store=path)


# --- several programs ---------------------------------------------------------------------------


def test_readers_do_not_wait_for_a_writer_and_see_its_edits_when_they_ask(edited, path):
    with World.open(path) as writer, World.open(path, readonly=True) as reader:
        writer.edit({(3, 3): "┼"}, reach=REACH)
        assert len(reader.edits) == 1
        reader.refresh()
        assert same(reader, writer)
        with pytest.raises(wf.WorldError, match="for reading only"):
            reader.edit({(0, 0): " "}, reach=REACH)
        assert same(reader, writer)


def test_a_second_writer_waits_and_then_gets_a_clear_error(edited, path):
    with World.open(path, patience=0.1) as world:
        before = world.region(*AROUND)
        busy = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        busy.execute("BEGIN IMMEDIATE")
        with pytest.raises(wf.WorldError, match=r"another program is writing to .*waited 0.1 s"):
            world.edit({(3, 3): "┼"}, reach=REACH)
        assert (world.region(*AROUND) == before).all()
        timer = threading.Timer(0.02, lambda: busy.execute("COMMIT"))
        timer.start()
        world.parts.file.store._connection.execute("PRAGMA busy_timeout = 300000")
        world.edit({(3, 3): "┼"}, reach=REACH)
        timer.join()
        busy.close()


def test_two_writers_do_not_overwrite_each_other(edited, path):
    with World.open(path) as one, World.open(path) as other:
        one.edit({(3, 3): "┼"}, reach=REACH)
        with pytest.raises(wf.WorldError, match=r"another program has changed .*refresh"):
            other.edit({(4, 4): "┼"}, reach=REACH)
        assert len(other.edits) == 1
        other.refresh()
        other.edit({(4, 4): "┼"}, reach=REACH)
        one.refresh()
        assert same(one, other)
        assert len(one.edits) == 3
        World(PIPES, 8, CHUNK, radius=RADIUS).save(path)
        with pytest.raises(wf.WorldError, match="now contains a different world"):
            one.refresh()


# --- damage -------------------------------------------------------------------------------------


def test_a_damaged_chunk_is_noticed_and_generated_again(path):
    world = world_of()
    world.save(path, chunks=[(0, 0), (1, 0)])
    change(path, "UPDATE chunks SET content = (SELECT content FROM chunks WHERE x = 1) WHERE x = 0")
    change(path, "UPDATE chunks SET content = zeroblob(9) WHERE x = 1")
    with World.open(path) as again:
        for place in [(0, 0), (1, 0)]:
            assert (again.chunk(*place) == world.chunk(*place)).all()
        assert again.store_report.damaged == 2


def test_damaged_edits_are_noticed_and_those_before_can_be_kept(path):
    world = world_of(pins={(5, 5): "┼"})
    first = world.edit({(0, 0): "┼"}, reach=REACH).to_dict()
    world.edit({(1, 1): "┼"}, reach=REACH)
    world.save(path)
    change(path, "UPDATE edits SET content = replace(content, '1', '2') WHERE number = 2")
    with pytest.raises(wf.WorldError, match=r"edit number 3 is not .* The 2 before it are intact"):
        World.open(path)
    with World.open(path, recover=True) as again:
        assert again.edits == [first]
    change(path, "DELETE FROM edits")
    with pytest.raises(wf.WorldError, match="edit number 1 is not"):
        World.open(path)
    with World.open(path, recover=True) as again:
        assert again.tile_at(5, 5) == "┼"
    World.open(path).close()


@pytest.mark.parametrize("name", ["header", "tiles.toml", "log"])
def test_a_damaged_part_is_named(edited, path, name):
    change(path, "UPDATE entries SET content = x'7b7d' WHERE name = ?", name)
    with pytest.raises(wf.WorldError, match=f"is damaged: its '{name}' is not what was written"):
        World.open(path)


def test_flipped_bytes_anywhere_never_give_another_world(edited, path):
    data = path.read_bytes()
    chance = random.Random(1)
    for _ in range(60):
        place = chance.randrange(len(data))
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])
        try:
            with World.open(path, readonly=True) as again:
                assert again.edits == edited.edits
                assert (again.seed, again.rules.digest) == (edited.seed, edited.rules.digest)
        except wf.WorldError:
            pass


def store_with_version(path, version):
    """A file as another version would have written it."""
    world = world_of(pins={(2, 2): "┼"})
    world.edit({(0, 0): "┼"}, reach=REACH)
    content = persistence.encode_world(world)
    header, entries = dict(content.archive.header), dict(content.archive.entries)
    del entries[HEADER]
    told = database.WORLD.create(header | {"content_version": version}, entries)
    settled = [Edit(edit.wanted, {}, edit.reach) for edit in world.parts.log.edits]  # as if settled otherwise
    edits = [codec.encode_edit(edit) for edit in settled]
    assert Store.create(path, Content(told, edits, 2))
    return world


def test_a_world_of_an_older_version_is_refused_or_replaced(path):
    world = store_with_version(path, CHUNK_VERSION - 1)
    with pytest.raises(wf.WorldError, match=r"made by an older wavefold: .* version \d+, .*migrate=True"):
        World.open(path)
    with World.open(path, migrate=True) as again:
        assert same(again, world)
    with World.open(path) as again:
        assert same(again, world)


def test_a_world_of_a_newer_version_is_refused(path):
    store_with_version(path, CHUNK_VERSION + 1)
    for migrate in (False, True):
        with pytest.raises(wf.WorldError, match=r"made by a newer wavefold: its content has version \d+"):
            World.open(path, migrate=migrate)


# --- files that are none ------------------------------------------------------------------------


def test_files_of_others_are_neither_opened_nor_overwritten(path, tmp_path):
    world = world_of()
    for name, content in {"text": b"hello, world", "empty": b"", "zeros": bytes(5000)}.items():
        strange = tmp_path / name
        strange.write_bytes(content)
        for use in (World.open, world.save):
            with pytest.raises(wf.WorldError, match="is not a wavefold world"):
                use(strange)
        assert strange.read_bytes() == content
    change(path, "CREATE TABLE entries (name)")
    for use in (World.open, world.save):
        with pytest.raises(wf.WorldError, match="another program made it"):
            use(path)
    change(path, f"PRAGMA application_id = {database.FORMAT.application}")
    change(path, "PRAGMA user_version = 9")
    with pytest.raises(wf.WorldError, match="format 9, and this wavefold reads format 1"):
        World.open(path)
    with pytest.raises(wf.WorldError, match=r"there is no store .*check the path; world\.save"):
        World.open(tmp_path / "nowhere")
    with pytest.raises(wf.WorldError, match=r"there is no store .*it is not a file"):
        World.open(tmp_path)


def test_paths_that_cannot_be_written_are_refused_with_the_reason(tmp_path, path, edited, monkeypatch):
    world = world_of()
    for place, message in [
        (tmp_path, "it is a folder"),
        (tmp_path / "no" / "x.world", "there is no folder"),
        (tmp_path / ("x" * 300), "name too long"),
        ("a\0b", "null byte"),
    ]:
        with pytest.raises(wf.WorldError, match=message):
            world.save(place)
    really = store.connect_store

    def on_a_read_only_disk(path, mode, patience):
        if mode == "rw":
            raise sqlite3.OperationalError("attempt to write a readonly database")
        if mode == "ro":
            raise sqlite3.OperationalError("unable to open database file")
        return really(path, mode, patience)

    monkeypatch.setattr(store, "connect_store", on_a_read_only_disk)
    with pytest.raises(wf.WorldError, match="readonly database"):
        World.open(path)
    with World.open(path, readonly=True) as again:
        assert same(again, edited)


def test_a_folder_that_may_not_be_written_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda folder, _: Path(folder) != tmp_path)
    for use in (world_of().save, lambda path: world_of(store=path)):
        with pytest.raises(wf.WorldError, match=r"no permission in the folder .*choose another"):
            use(tmp_path / "my.world")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (sqlite3.SQLITE_BUSY, r"another program is writing to my\.world; waited 2 s: try again"),
        (sqlite3.SQLITE_FULL, r"make room on the disk; what was in it is unharmed"),
        (sqlite3.SQLITE_READONLY, r"my\.world is read-only here .*World\.open\(path, readonly=True\)"),
        (sqlite3.SQLITE_CANTOPEN, r"it, or its folder, may not be read or written"),
        (sqlite3.SQLITE_CORRUPT, r"my\.world is damaged .*use a backup"),
        (sqlite3.SQLITE_ERROR, r"cannot use my\.world: what SQLite says"),
    ],
)
def test_errors_of_sqlite_say_what_to_do(code, message):
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorcode = code
    with (
        pytest.raises(wf.WorldError, match=message),
        database.translate_errors(Path("my.world"), patience=2.0),
    ):
        raise error


def test_a_full_disk_loses_nothing(edited, path, tmp_path):
    with World.open(path, keep=10) as world:
        before = world.region(*AROUND)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        try:
            with pytest.raises(wf.WorldError, match=r"could not be written .* unharmed"):
                world.edit({(3, 3): "┼"}, reach=REACH)
            with pytest.raises(wf.WorldError, match=r"could not be written|cannot"):
                world.save(tmp_path / "other.world")
            world.chunk(5, 5)
            world.parts.file.store.writer.flush()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert (world.region(*AROUND) == before).all()
        assert world.store_report.dropped >= 1
        world.edit({(3, 3): "┼"}, reach=REACH)
    assert list(tmp_path.iterdir()) == [path]
    with World.open(path) as again:
        assert len(again.edits) == 2


# --- kill -9 ------------------------------------------------------------------------------------

SAVING = """
import sys
from pathlib import Path
from wavefold.worlds.store.store import Store
contents = [Store(Path(each)).content() for each in sys.argv[2:]]
chunks = [((i, 0), bytes(i % 7 for i in range(40_000))) for i in range(20)]
Store.create(Path(sys.argv[1]), contents[0], chunks)
print("ready", flush=True)
while True:
    for content in contents:
        if not Store.create(Path(sys.argv[1]), content, chunks):
            store = Store(Path(sys.argv[1]))
            store.replace(content, chunks)
            store.close()
"""

EDITING = """
import sys
from wavefold.worlds import World
world = World.open(sys.argv[1])
print("ready", flush=True)
for number in range(10_000):
    world.edit({(number % 7 * 5, number // 7 * 5): world.rules.tiles[number % 12]})
    if number % 5 == 4:
        world.undo()
"""


def killed(script, wait, *arguments):
    """Run Python and kill it in the middle of its work."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(wait)
        os.kill(child.pid, signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL


def kill_while_saving(path, tmp_path, times):
    old, new = world_of(), world_of()
    new.edit({(0, 0): "┼"}, reach=REACH)
    for name, world in (("old", old), ("new", new)):
        world.save(tmp_path / name)
    chance = random.Random(times)
    for _ in range(times):
        killed(SAVING, chance.uniform(0.02, 0.1), path, tmp_path / "old", tmp_path / "new")
        with World.open(path) as found:
            assert found.edits in (old.edits, new.edits)
            assert same(found, old if found.edits == old.edits else new)


def kill_while_editing(path, times):
    chance = random.Random(times)
    for _ in range(times):
        world_of().save(path)
        killed(EDITING, chance.uniform(0.1, 0.4), path)
        with World.open(path) as found:
            assert not wf.check(found, *AROUND)
            again = world_of()
            again.replay(found.edits)
            assert again.edits == found.edits


@compiled_only
def test_killing_a_program_that_saves_leaves_the_old_world_or_the_new(path, tmp_path):
    kill_while_saving(path, tmp_path, 2)


@compiled_only
def test_killing_a_program_that_edits_leaves_a_world_with_whole_edits(path):
    kill_while_editing(path, 1)


@pytest.mark.slow
@compiled_only
def test_killing_many_times(path, tmp_path):
    kill_while_saving(path, tmp_path, 20)
    kill_while_editing(tmp_path / "edited.world", 20)
