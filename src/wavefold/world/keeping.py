"""Keeping worlds: saving them, and writing along while they are used."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CONTENT_VERSION
from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, WorldError
from wavefold.world.codec import (
    TILE_PARTS,
    edit_from,
    edit_to,
    identity,
    parts_of,
    patterns_from,
    patterns_to,
)
from wavefold.world.edits.edit import Edit
from wavefold.world.edits.log import Log
from wavefold.world.store.files import place_of
from wavefold.world.store.schema import Content
from wavefold.world.store.store import Store

if TYPE_CHECKING:
    from wavefold.world.world import World


MOST_KEPT = 1 << 40  # chunks


class Keeper:
    """One world and its store: where the log is kept, and chunks that were made before."""

    def __init__(self, world: World, store: Store, room: int, content: Content) -> None:
        self.store, self.side, self.patterns = store, world.plan.chunk, len(world.rules)
        self.told = identity(content.parts)
        store.room = room

    def write_log(self, edits: tuple[Edit, ...], unchanged: int, standing: int) -> None:
        """Keep the log; on the disk when this returns."""
        added = [edit_to(edit) for edit in edits[unchanged:]]
        self.store.write_log(added, unchanged, len(edits), standing)

    def find(self, i: int, j: int) -> NDArray[np.int32] | None:
        """Chunk (i, j) as it was made, without edits."""
        content = self.store.chunk(i, j)
        return None if content is None else patterns_from(content, self.side, self.patterns)

    def keep(self, i: int, j: int, chunk: NDArray[np.int32]) -> None:
        """Have a chunk written when there is time."""
        if self.store.room:
            self.store.keep(i, j, patterns_to(chunk))


# --- saving -------------------------------------------------------------------------------------


def save_world(world: World, path: str | os.PathLike[str], chunks: list[tuple[int, int]]) -> None:
    """Write all of a world into a file, new or in place of the world that is in it."""
    place = place_of(path)
    own = world._keeper
    ready = [((i, j), patterns_to(world._maker.chunk(i, j))) for i, j in dict.fromkeys(chunks)]
    is_own = own is not None and names_same(place, own.store.path)
    if own is not None and is_own and own.store.is_there:  # all but chunks is there already
        own.store.flush()
        if ready:
            own.store.put(ready)
        return
    with world._log.writing:
        content = written(place, content_of(world), ready)
        if own is not None and is_own and own.store.is_open:  # it was lost, and is there again
            own.store.reopen()
            own.store.follow(content)


def written(place: Path, content: Content, chunks: list[tuple[tuple[int, int], bytes]]) -> Content:
    """Put this into a file, whatever world is in it; the content as it is there."""
    if Store.create(place, content, chunks):
        return content._replace(revision=1)
    store = Store(place)
    try:
        return store.replace(content, chunks)
    finally:
        store.close()


def names_same(one: Path, other: Path) -> bool:
    """Whether both are names of one file, be it there or not."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def content_of(world: World) -> Content:
    """Everything a world is a function of."""
    log = world._log
    with log.writing:
        pins = log.edits[0].wanted if log.pinned else None
        return Content(parts_of(world, pins), [edit_to(edit) for edit in log.edits], log.standing)


# --- writing along ------------------------------------------------------------------------------


def attach(world: World, store: Store, keep: int, content: Content) -> None:
    """Keep a world in a store that holds it."""
    store.follow(content)
    world._keeper = Keeper(world, store, keep, content)
    world._attach()


def create_or_join(world: World, path: str | os.PathLike[str], keep: int) -> None:
    """Keep a world in a file from now on; if it is there already, with the edits it has there."""
    place = place_of(path)
    content = content_of(world)
    made = Store.create(place, content)
    store = Store(place)
    try:
        found = store.content(spare=TILE_PARTS)
        if not made:
            check_version(identity(found.parts).get("content_version"), place, False)
            check_edits(found, place, False)
            check_same(content, found, place)
            join_log(world, found, world._log.pinned > 0)
        attach(world, store, keep, found)
    except BaseException:
        store.close()
        raise


def refresh_log(world: World, keeper: Keeper) -> None:
    """Read the log again, which another program may have changed."""
    store = keeper.store
    with world._log.writing:  # from looking to the end: no edit may be written in between
        content = store.content(spare=TILE_PARTS)
        if identity(content.parts) != keeper.told:
            raise WorldError(f"{store.path} holds another world by now; World.open opens that one")
        check_edits(content, store.path, False)
        join_log(world, content, world._log.pinned > 0)
        store.follow(content)


def join_log(world: World, content: Content, pinned: bool) -> None:
    """Have a world follow the log in a store."""
    edits = tuple(edit_from(each) for each in content.edits)
    count = len(world.rules)
    for number, edit in enumerate(edits):
        if any(not 0 <= pattern < count for pattern in edit.settled.values()):
            raise WorldError(f"edit number {number + 1} speaks of patterns the tiles do not have")
    log: Log = world._log
    with log.writing:
        log.pinned = int(pinned and bool(edits))
        log.show(edits, content.standing)  # it is kept already


# --- what may be wrong --------------------------------------------------------------------------


def checked_keep(keep: Any) -> int:
    """How many chunks a store may keep."""
    number = parse_integer(keep)
    if number is None or not 0 <= number <= MOST_KEPT:
        raise ConfigError(f"keep must be a whole number of chunks, 0 or more, not {keep!r:.80}")
    return number


def check_version(version: object, path: Path, migrate: bool) -> None:
    """The same seed gives the same chunks only within one version of the content."""
    if not isinstance(version, int) or version > CONTENT_VERSION:
        raise WorldError(
            f"{path} was made by a newer wavefold: its content has version {version}, and this one makes "
            f"version {CONTENT_VERSION}, in which the same seed gives other chunks. Install the newer one"
        )
    if version < CONTENT_VERSION and not migrate:
        raise WorldError(
            f"{path} was made by an older wavefold: its content has version {version}, and this one makes "
            f"version {CONTENT_VERSION}, in which the same seed gives other chunks. World.open(path, "
            "migrate=True) keeps seed, tiles and all that was asked for, and makes every chunk anew"
        )


def check_same(here: Content, there: Content, path: Path) -> None:
    """Whether a file holds the world that is to be kept in it."""
    one, other = identity(here.parts), identity(there.parts)
    differ = [name for name in one if one[name] != other.get(name)]
    if differ:
        raise WorldError(
            f"{path} holds another world: its {', '.join(differ)} differ; choose another file, "
            "or World.open to go on with the one there"
        )


def check_edits(content: Content, path: Path, recover: bool) -> None:
    """Later edits rest on earlier ones, so none after a damaged one can be used."""
    if content.damaged is not None and not recover:
        raise WorldError(
            f"{path} is damaged: edit number {content.damaged + 1} is not what was written. The "
            f"{content.damaged} before it are whole: World.open(path, recover=True) keeps those, for good"
        )
