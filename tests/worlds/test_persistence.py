"""What a store never does: lose what it said it keeps, touch another world, or fail without a sentence."""

import os
import shutil
import sqlite3
import tempfile
import threading
import warnings

import pytest

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.formats.sections import decode_tiles, encode_tiles
from wavefold.worlds import World, persistence

CHUNK, RADIUS, REACH = 24, 5, 16
AROUND = (-CHUNK, -CHUNK, 2 * CHUNK, 2 * CHUNK)


def world_of(seed=7, **options):
    return World(options.pop("tiles", PIPES), seed, CHUNK, radius=RADIUS, **options)


def count(path, table):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
    finally:
        connection.close()


def change(path, statement, *values):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement, values)
    connection.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "my.world"


# --- other worlds, other programs, other threads ------------------------------------------------


def test_another_world_in_the_file_is_never_written_to_not_even_after_looking_at_it(path):
    with world_of(store=path, keep=10) as world:
        other = world_of(8)
        other.edit({(3, 3): "┼"}, reach=REACH)
        other.save(path)
        for use in (world.refresh, lambda: world.edit({(0, 0): "┼"}, reach=REACH)) * 2:
            with pytest.raises(wf.WorldError, match="now contains a different world"):
                use()
        with pytest.raises(wf.WorldError, match="now contains a different world"):
            world.save(path, chunks=[(0, 0)])
        assert world.edits == []
        world.chunk(5, 5)
    with World.open(path) as again:
        assert again.edits == other.edits
        assert (again.region(*AROUND) == other.region(*AROUND)).all()
    assert count(path, "chunks") == 0


def test_an_edit_that_returned_is_kept_whatever_is_read_again_meanwhile(path, monkeypatch):
    looked, go_on, really = threading.Event(), threading.Event(), persistence.load_log

    def slowly(*arguments):
        looked.set()
        go_on.wait(300)
        return really(*arguments)

    with world_of(store=path) as world:
        world.edit({(1, 1): "┼"}, reach=REACH)
        monkeypatch.setattr(persistence, "load_log", slowly)
        reading = threading.Thread(target=world.refresh)
        editing = threading.Thread(target=lambda: world.edit({(9, 9): "┼"}, reach=REACH))
        reading.start()
        looked.wait(300)
        editing.start()
        editing.join(0.2)
        go_on.set()
        for thread in (reading, editing):
            thread.join()
        world.edit({(5, 5): "┼"}, reach=REACH)
        assert len(world.edits) == 3
    with World.open(path) as again:
        assert again.edits == world.edits


def test_what_another_program_wrote_meanwhile_is_not_overwritten_by_recovery(path, monkeypatch):
    world = world_of()
    for cell in [(0, 0), (5, 5)]:
        world.edit({cell: "┼"}, reach=REACH)
    world.save(path)
    change(path, "UPDATE edits SET content = x'00' WHERE number = 1")
    really = persistence.restore_edits

    def while_another_writes(*arguments):
        really(*arguments)
        if not others:
            others.append(None)
            others[0] = World.open(path, recover=True)
            others[0].edit({(9, 9): "┼"}, reach=REACH)

    others = []
    monkeypatch.setattr(persistence, "restore_edits", while_another_writes)
    with pytest.raises(wf.WorldError, match="another program has changed"):
        World.open(path, recover=True)
    others[0].close()
    with World.open(path) as again:
        assert len(again.edits) == 2


def test_a_file_that_was_deleted_or_replaced_is_noticed_and_can_be_made_again(path, tmp_path):
    with world_of(store=path) as world:
        world.edit({(0, 0): "┼"}, reach=REACH)
        shutil.copy(path, tmp_path / "copy")
        os.replace(tmp_path / "copy", path)
        for lose in (lambda: None, path.unlink):
            lose()
            with pytest.raises(wf.WorldError, match="was deleted or replaced"):
                world.edit({(5, 5): "┼"}, reach=REACH)
            with pytest.raises(wf.WorldError, match="was deleted or replaced"):
                world.refresh()
            assert len(world.edits) == 1
        world.save(path)
        world.edit({(5, 5): "┼"}, reach=REACH)
    with World.open(path) as again:
        assert again.edits == world.edits
        assert len(again.edits) == 2


def test_saving_to_its_own_file_puts_chunks_into_it(path):
    with world_of(store=path) as world:
        world.save(path, chunks=[(3, 3), (4, 4)])
    assert count(path, "chunks") == 2


def test_a_closed_world_says_so(path):
    world = world_of(store=path)
    world.close()
    for use in (
        world.refresh,
        lambda: world.edit({(0, 0): "┼"}, reach=REACH),
        lambda: world.save(path, [(0, 0)]),
    ):
        with pytest.raises(wf.WorldError, match="the world was closed"):
            use()
    world.close()


# --- damage -------------------------------------------------------------------------------------


def test_names_in_the_file_that_cannot_be_decoded_are_an_error(path):
    world_of().save(path)
    change(path, "UPDATE sqlite_master SET sql = CAST(x'43fe80ff' AS TEXT) WHERE name = 'edits'")
    for readonly in (False, True):
        with pytest.raises(wf.WorldError, match="is damaged"):
            World.open(path, readonly=readonly)


def test_an_older_format_is_called_older(path):
    world_of().save(path)
    change(path, "PRAGMA user_version = 0")
    with pytest.raises(wf.WorldError, match=r"format 0, .* which is older"):
        World.open(path)


@compiled_only
def test_damaged_pictures_cost_only_the_pictures(path):
    tiles = wf.TileSet.load("pipes")
    world = world_of(tiles=tiles)
    world.save(path)
    change(path, "UPDATE entries SET content = zeroblob(50) WHERE name = 'tiles.png'")
    with pytest.warns(wf.TileSetWarning, match="the pictures of its tiles are damaged") as caught:
        again = World.open(path)
    assert caught[0].filename == __file__
    with again:
        assert (again.region(*AROUND) == world.region(*AROUND)).all()
        assert all(tile.picture is None for tile in again.tiles.tiles)
        again.edit({(0, 0): "cross"})
        again.refresh()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with World.open(path, tiles=tiles, recover=True) as again:
            assert len(again.edits) == 1
        with World.open(path) as again:
            assert again.image(0, 0, 4, 4).tobytes() != world.image(9, 9, 4, 4).tobytes()
            assert all(tile.picture is not None for tile in again.tiles.tiles)
    with pytest.raises(wf.TileSetError, match="the tiles given have other rules"):
        World.open(path, tiles=PIPES)


def test_damaged_tiles_can_be_given_again(path):
    world = world_of()
    world.edit({(0, 0): "┼"}, reach=REACH)
    world.save(path)
    change(path, "UPDATE entries SET content = x'00' WHERE name = 'tiles.toml'")
    with pytest.raises(wf.WorldError, match=r"its 'tiles.toml' is not what was written"):
        World.open(path)
    with World.open(path, tiles=PIPES, recover=True) as again:
        assert (again.region(*AROUND) == world.region(*AROUND)).all()
    with World.open(path) as again:
        assert again.edits == world.edits


@compiled_only
@pytest.mark.parametrize("name", [*wf.tilesets()])
def test_rules_survive_without_pictures(name):
    tiles = wf.TileSet.load(name)
    text = encode_tiles(tiles)["tiles.toml"]
    assert decode_tiles({"tiles.toml": text}).rules.digest == tiles.rules.digest


# --- places and values --------------------------------------------------------------------------


def test_paths_that_cannot_be_read_are_refused_with_the_reason(tmp_path, monkeypatch):
    with pytest.raises(wf.WorldError, match=r"cannot use .*name too long"):
        World.open(tmp_path / ("x" * 300))

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.is_file", refused)
    with pytest.raises(wf.WorldError, match="permission denied"):
        World.open(tmp_path / "locked" / "my.world")


@pytest.mark.parametrize("place", [None, 5, b"my.world", ["my.world"]])
def test_a_path_is_a_str_or_a_path(place):
    for use in (World.open, world_of().save, *([] if place is None else [lambda it: world_of(store=it)])):
        with pytest.raises(wf.ConfigError, match="must be a str or a Path"):
            use(place)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("patience", value) for value in (-1, "x", float("nan"), float("inf"), None, 1e30, True)),
        *(("keep", value) for value in (-3, 2.5, 10**30, True, None)),
        *(("readonly", value) for value in ("no", None, 1)),
        ("recover", "yes"),
        ("migrate", 0),
        ("tiles", "pipes"),
    ],
)
def test_options_of_opening_are_checked(path, option, value):
    world_of().save(path)
    with pytest.raises(wf.WavefoldError, match=f"{option} must be"):
        World.open(path, **{option: value})


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ([(10**30, 0)], "too far away"),
        ([(1 << 37, 0)], "too far away"),
        ([5], "must be positions"),
        (5, "must be positions"),
        ([(0.5, 0)], "two whole numbers"),
        ([(0, 0, 0)], "two whole numbers"),
    ],
)
def test_chunks_to_save_are_checked(path, chunks, message):
    with pytest.raises(wf.ConfigError, match=message):
        World(PIPES, 7, CHUNK, radius=RADIUS).save(path, chunks=chunks)
    assert not path.exists()


def test_what_is_not_a_log_is_refused():
    world = world_of()
    for edits in (5, None):
        with pytest.raises(wf.ConfigError, match="edits must be a list"):
            world.replay(edits)
    for x in (float("inf"), float("nan"), 1.7, "1", None, True):
        with pytest.raises(wf.WorldError, match="not an edit, as listed"):
            world.replay([{"wanted": [[x, 0, " "]], "settled": [], "reach": 3}])


def test_saving_and_opening_need_no_folder_for_temporary_files(path, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    world = world_of()
    world.save(path)
    assert (wf.World.open(path).chunk(0, 0) == world.chunk(0, 0)).all()


def test_seeds_that_differ_give_worlds_that_differ():
    seeds = [5, 5 + 2**64, 5 - 2**64, 5 + 2**128, -1, 2**64 - 1, 10**30]
    seen = {world_of(seed).chunk(0, 0).tobytes() for seed in seeds}
    assert len(seen) == len(seeds)
