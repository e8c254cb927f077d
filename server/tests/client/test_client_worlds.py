"""Worlds of a server are those of the library, and change as others watch."""

from io import BytesIO
from itertools import islice
from threading import Thread

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.client import Client, ServiceError

OPTIONS = {"chunk": 16, "refine": False}


@pytest.fixture(scope="module")
def expected():
    """The same world in the library."""
    return wf.World(wf.TileSet.load("pipes"), seed=7, **OPTIONS)


@pytest.fixture
def world(client):
    world = client.worlds.create("pipes", 7, **OPTIONS)
    yield world
    world.delete()


def test_chunks_and_regions_have_the_cells_of_the_library(world, expected):
    assert np.array_equal(world.chunk(2, -3), expected.chunk(2, -3))
    assert np.array_equal(world.region(-5, 3, 7, 4), expected.region(-5, 3, 7, 4))


def test_map_tiles_and_exported_files_are_those_of_the_library(world, expected, tmp_path):
    assert world.tile(1, -1, 0) == wf.draw_map_tile(expected, 1, -1, 0).png
    with Image.open(BytesIO(world.read("png", -8, 0, 16, 8, tile_size=4))) as picture:
        assert np.array_equal(np.asarray(picture), np.asarray(expected.image(-8, 0, 16, 8, tile_size=4)))
    world.export(tmp_path / "part.tmj", -8, 0, 16, 8)
    found = wf.read_map(tmp_path / "part.tmj", expected.tiles)
    assert np.array_equal(found.array, expected.region(-8, 0, 16, 8))
    assert found.origin == (-8, 0)


def test_a_world_is_edited_undone_and_made_again(world):
    before = world.chunk(0, 0)
    change = world.edit({(5, 6): "cross"})
    assert (change.revision, change.kind, world.revision) == (1, "edit", 1)
    x0, y0, width, height = change.box
    assert x0 <= 5 < x0 + width
    assert y0 <= 6 < y0 + height
    after = world.chunk(0, 0)
    assert not np.array_equal(after, before)
    assert world.undo().kind == "undo"
    assert np.array_equal(world.chunk(0, 0), before)
    assert world.redo().revision == 3
    assert np.array_equal(world.chunk(0, 0), after)
    assert np.array_equal(world.chunk(0, 0, revision=0), before)


def test_an_edit_for_another_revision_is_refused(world):
    world.edit({(5, 6): "cross"}, revision=0)
    with pytest.raises(ServiceError) as caught:
        world.edit({(9, 9): "cross"}, revision=0)
    assert (caught.value.status, caught.value.name) == (409, "RevisionConflict")


def test_an_impossible_edit_says_why_as_in_the_library(world):
    with pytest.raises(wf.Contradiction):
        world.edit({(5, 6): "wall", (6, 6): "cross"})
    assert world.revision == 0


def test_changes_of_others_arrive_in_order_the_known_ones_first(address, world):
    with Client(address, timeout=300) as other:
        seen = other.worlds.open(world.id)
        world.edit({(5, 6): "cross"})
        later = Thread(target=world.undo)
        later.start()
        changes = list(islice(seen.changes(since=0), 2))
        later.join()
    assert [(each.revision, each.kind) for each in changes] == [(1, "edit"), (2, "undo")]
    assert seen.revision == 2


def test_the_changes_of_a_deleted_world_end_with_an_error(client):
    world = client.worlds.create("pipes", **OPTIONS)
    changes = world.changes()
    world.edit({(5, 6): "cross"})
    next(changes)
    world.delete()
    with pytest.raises(ServiceError, match="no world"):
        next(changes)


def test_worlds_are_listed_newest_first_and_pins_hold(client):
    worlds = [client.worlds.create("pipes", seed, pins={(0, 0): "cross"}, **OPTIONS) for seed in (1, 2)]
    listed = [each["id"] for each in client.worlds.list()]
    assert listed[:2] == [each.id for each in reversed(worlds)]
    names = client.tilesets.get("pipes").patterns
    assert names[worlds[0].region(0, 0, 1, 1)[0, 0]].startswith("cross")
    for each in worlds:
        each.delete()
