"""The overlay: what edits changed and asked for, found by chunk, and read whole or not at all."""

import threading

import numpy as np
import pytest

from support import PIPES
from wavefold.storage.cache import OVERHEAD
from wavefold.worlds import World
from wavefold.worlds.edits.edit import Edit
from wavefold.worlds.edits.log import EditLog
from wavefold.worlds.edits.overlay import Overlay
from wavefold.worlds.edits.revisions import EDIT, build_change

CHUNK, RADIUS, REACH = 24, 5, 16
AROUND = (-CHUNK, -CHUNK, 2 * CHUNK, 2 * CHUNK)


def world_of():
    return World(PIPES, 7, CHUNK, radius=RADIUS)


def test_readers_see_an_edit_whole_or_not_at_all():
    world = world_of()
    place = (-CHUNK, -CHUNK, 2 * CHUNK, 2 * CHUNK)
    before = world.region(*place).tobytes()
    world.edit({(0, 0): "┼", (-1, -1): "┼"}, reach=REACH)
    after = world.region(*place).tobytes()
    world.undo()
    seen, over = [], threading.Event()

    def read():
        while not over.is_set():
            seen.append(world.region(*place).tobytes())

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(20):
        world.redo()
        world.undo()
    over.set()
    for reader in readers:
        reader.join()
    assert set(seen) <= {before, after}


def test_edited_chunks_are_read_only():
    world = world_of()
    world.edit({(0, 0): "┼"}, reach=REACH)
    with pytest.raises(ValueError, match="read-only"):
        world.chunk(0, 0)[0, 0] = 3


def test_edited_chunks_take_bounded_memory(monkeypatch):
    monkeypatch.setattr("wavefold.worlds.edits.overlay.CHUNK_BYTES", 10_000)
    overlay = Overlay(24)
    for i in range(9):
        overlay.push(Edit({}, {(24 * i, 0): 1}, 0))
        overlay.over(np.zeros((24, 24), np.int32), (i, 0), overlay.on([(i, 0)])[0])
    assert 0 < overlay._chunks.taken <= 10_000
    assert len(overlay._chunks._values) == 10_000 // (24 * 24 * 4 + OVERHEAD)


def test_edits_name_the_chunks_to_draw_again():
    world = world_of()
    before = {(i, j): world.chunk(i, j).copy() for i in range(-2, 2) for j in range(-2, 2)}
    edit = world.edit({(0, 0): "┼", (CHUNK + 3, -3): "┼"}, reach=REACH)
    places = edit.chunks(CHUNK)
    assert {(0, 0), (1, -1)} <= set(places)
    for place, chunk in before.items():
        assert place in places or (world.chunk(*place) == chunk).all()


def test_requests_found_by_position_are_those_found_by_walking_the_log():
    log, random = EditLog(8), np.random.default_rng(1)

    def walked():
        found = {}
        for edit in log.edits[: log.applied]:
            found |= edit.wanted
        return found

    for number in range(200):
        change = build_change(number + 1, EDIT, [])
        cells = [tuple(cell) for cell in random.integers(-20, 20, (3, 2)).tolist()]
        if number % 7 == 6:
            log.replace(log.edits, log.applied - 1, change)
        elif number % 31 == 30 and log.applied < len(log.edits):
            log.replace(log.edits, log.applied + 1, change)
        else:
            log.add(Edit(dict.fromkeys(cells, f"tile {number}"), {}, 3), change)
        x, y, width, height = *random.integers(-25, 10, 2).tolist(), *random.integers(1, 30, 2).tolist()
        inside = {
            (a, b): name for (a, b), name in walked().items() if x <= a < x + width and y <= b < y + height
        }
        assert log.overlay.find_wanted(x, y, width, height) == inside
    assert log.copy().overlay.find_wanted(-99, -99, 200, 200) == walked()


def test_a_chunk_with_many_edits_is_the_same_put_together_at_once_or_one_by_one():
    one, other = world_of(), world_of()
    for x in range(0, CHUNK, 3):
        one.edit({(x, 1): "┼" if x % 2 else " "}, reach=REACH)
        one.chunk(0, 0)
    other.replay(one.edits)
    assert (one.region(*AROUND) == other.region(*AROUND)).all()
