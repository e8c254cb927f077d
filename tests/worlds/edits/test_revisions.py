"""Every revision of a world can be read as it was, also from a file, as long as it is known."""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.worlds import World
from wavefold.worlds.edits import revisions
from wavefold.worlds.edits.revisions import Revisions, build_change

CHUNK, RADIUS, REACH = 24, 5, 8
AROUND = (-CHUNK, -CHUNK, 2 * CHUNK, 2 * CHUNK)
SETS = {"pipes": PIPES, "rivers": HEX_RIVERS}
_made = {}

cells = st.tuples(st.integers(-CHUNK, CHUNK - 1), st.integers(-CHUNK, CHUNK - 1))


def world_of(name="pipes", **options):
    world = World(SETS[name], 7, CHUNK, radius=RADIUS, **options)
    world.parts.generator.cache = _made.setdefault(name, world.parts.generator.cache)
    return world


def do_anything(data, world):
    """One edit, undo, redo or replay, whatever is possible."""
    tile = st.sampled_from(world.rules.tiles)
    what = data.draw(st.sampled_from(["edit", "edit", "undo", "redo", "replay"]))
    try:
        if what == "edit":
            world.edit(data.draw(st.dictionaries(cells, tile, min_size=1, max_size=3)), reach=REACH)
        elif what == "replay":
            world.replay(world.edits[-2:])
        else:
            getattr(world, what)()
    except (wf.Contradiction, wf.WorldError):
        return


def same_as_seen(world, seen):
    return all((world.region(*AROUND, revision=number) == then).all() for number, then in seen.items())


@settings(max_examples=25)
@given(data=st.data(), name=st.sampled_from(list(SETS)))
def test_every_revision_is_read_as_it_was_seen_then(data, name):
    world = world_of(name)
    seen = {0: world.region(*AROUND)}
    for _ in range(data.draw(st.integers(1, 8))):
        before = world.revision
        do_anything(data, world)
        assert world.revision in (before, before + 1)
        now = world.region(*AROUND)
        assert world.revision > before or (now == seen[before]).all()
        seen[world.revision] = now
    assert sorted(seen) == list(range(world.revision + 1))
    assert same_as_seen(world, seen)
    for change in world.changes(0):
        earlier, later = seen[change.revision - 1], seen[change.revision]
        rows, columns = np.nonzero(earlier != later)
        touched = {(int(x) + AROUND[0], int(y) + AROUND[1]) for y, x in zip(rows, columns, strict=True)}
        assert touched <= set(map(tuple, change.cells.tolist()))


@settings(max_examples=4)
@given(data=st.data())
def test_a_file_has_the_same_revisions_when_it_is_opened_again(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("worlds") / "my.world"
    seen = {}
    for _ in range(3):
        with World.open(path) if path.exists() else world_of(store=path) as world:
            assert same_as_seen(world, seen)
            seen[world.revision] = world.region(*AROUND)
            for _ in range(2):
                do_anything(data, world)
                seen[world.revision] = world.region(*AROUND)
            changes = [each.to_dict() for each in world.changes(0)]
    with World.open(path, readonly=True) as world:
        assert same_as_seen(world, seen)
        assert [each.to_dict() for each in world.changes(0)] == json.loads(json.dumps(changes))


def test_a_change_has_its_kind_its_cells_and_the_rectangle_around_them():
    world = world_of()
    world.edit({(-3, 2): "┼"}, reach=REACH)
    world.undo()
    world.redo()
    changes = world.changes(0)
    assert [(each.revision, each.kind) for each in changes] == [(1, "edit"), (2, "undo"), (3, "redo")]
    assert (changes[0].before == changes[1].after).all()
    assert (changes[0].after == changes[1].before).all()
    x0, y0, width, height = changes[0].box
    columns, rows = changes[0].cells.T
    assert (x0, y0, x0 + width, y0 + height) == (
        columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    )  # fmt: skip
    assert world.changes(2)[0].kind == "redo"
    assert world.changes(3) == []


def test_pins_belong_to_revision_0_and_edits_replayed_together_are_one_change():
    world = world_of(pins={(0, 0): "┼"})
    assert (world.revision, world.changes(0)) == (0, [])
    one = world_of()
    one.edit({(5, 5): "┼"}, reach=REACH)
    one.edit({(5, 6): "┼"}, reach=REACH)
    other = world_of()
    before = other.region(*AROUND)
    other.replay(one.edits)
    other.replay([])
    assert other.revision == 1
    assert (other.region(*AROUND, revision=0) == before).all()


def test_a_revision_that_is_not_known_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(revisions, "MOST_CHANGES", 2)
    world = world_of()
    for x in range(3):
        world.edit({(x * 4, 0): "┼"}, reach=REACH)
    assert (world.revision, world.oldest_revision) == (3, 1)
    with pytest.raises(wf.WorldError, match=r"revision 0 is no longer available: .* the oldest one is 1"):
        world.region(*AROUND, revision=0)
    with pytest.raises(wf.ConfigError, match="there is no revision 4: the world is at revision 3"):
        world.changes(4)
    with pytest.raises(wf.ConfigError, match="there is no revision -1"):
        world.changes(-1)
    with pytest.raises(wf.ConfigError, match="revision must be a whole number"):
        world.changes("now")


def test_only_so_many_cells_are_kept(monkeypatch):
    monkeypatch.setattr(revisions, "MOST_CELLS", 5)
    kept = Revisions()
    for number, size in enumerate([2, 2, 2, 9, 3, 2], start=1):
        kept = kept.add(build_change(number, "edit", [(x, 0, 0, 1) for x in range(size)]))
        expected = {1: 1, 2: 2, 3: 2, 4: 1, 5: 1, 6: 2}
        assert len(kept.changes) == expected[number]


def test_the_store_forgets_the_same_changes(monkeypatch, tmp_path):
    monkeypatch.setattr(revisions, "MOST_CHANGES", 2)
    with world_of(store=tmp_path / "my.world") as world:
        for x in range(4):
            world.edit({(x * 4, 0): "┼"}, reach=REACH)
    with World.open(tmp_path / "my.world") as world:
        assert (world.revision, world.oldest_revision) == (4, 2)


def test_a_world_in_memory_is_saved_with_its_revisions(tmp_path):
    world = world_of()
    world.edit({(0, 0): "┼"}, reach=REACH)
    world.undo()
    world.save(tmp_path / "my.world")
    with World.open(tmp_path / "my.world") as again:
        assert (again.revision, again.oldest_revision) == (2, 0)
    world.save(tmp_path / "my.world")  # in place of what is there: other worlds have been in this file
    with World.open(tmp_path / "my.world") as again:
        assert again.revision == again.oldest_revision > 2


def test_a_change_that_is_damaged_ends_what_is_known(tmp_path):
    path = tmp_path / "my.world"
    with world_of(store=path) as world:
        for x in range(3):
            world.edit({(x * 4, 0): "┼"}, reach=REACH)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE changes SET content = '[]' WHERE revision = 3")
        connection.commit()
    with World.open(path) as world:
        assert (world.revision, world.oldest_revision) == (3, 2)


def test_an_edit_that_is_not_written_leaves_no_revision(tmp_path):
    path = tmp_path / "my.world"
    with world_of(store=path) as world, world_of(store=path) as other:
        world.edit({(0, 0): "┼"}, reach=REACH)
        with pytest.raises(wf.WorldError, match="another program has changed"):
            other.edit({(4, 4): "┼"}, reach=REACH)
        assert other.revision == 0
        other.refresh()
        assert [each.kind for each in other.changes(0)] == ["edit"]
