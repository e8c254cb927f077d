"""Keeping worlds: saving them, opening them again, and writing along while they are used."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CONTENT_VERSION
from wavefold.errors import WorldError
from wavefold.world.edits import Edit
from wavefold.world.log import Log
from wavefold.world.parts import (
    edit_from,
    edit_to,
    identity,
    parts_of,
    patterns_from,
    patterns_to,
    read_parts,
)
from wavefold.world.store import Content, Store

if TYPE_CHECKING:
    from wavefold.world.world import World

__all__ = ["Keeper", "create_or_join", "open_world", "refresh_log", "save_world"]


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


def save_world(world: World, path: str | os.PathLike[str], chunks: list[tuple[int, int]]) -> None:
    """Write all of a world into a file, new or in place of the world that is in it."""
    place = Path(path)
    own = world._keeper
    if own is not None and place.exists() and os.path.samefile(place, own.store.path):
        own.store.flush()  # all else is there already
        return
    content = content_of(world)
    ready = [((i, j), patterns_to(world._maker.chunk(i, j))) for i, j in dict.fromkeys(chunks)]
    if not Store.create(place, content, ready):
        store = Store(place)
        try:
            store.replace(content, ready)
        finally:
            store.close()


def open_world(
    kind: type[World],
    path: str | os.PathLike[str],
    readonly: bool,
    recover: bool,
    migrate: bool,
    patience: float,
    keep: int,
) -> World:
    """The world in a file, which it goes on writing to."""
    store = Store(Path(path), readonly, patience)
    try:
        content = store.content()
        told = read_parts(content.parts, store.path)
        check_version(told.content_version, store.path, migrate)
        check_edits(content, store.path, recover)
        world = kind(
            told.tiles,
            told.seed,
            told.chunk,
            fields=told.fields,
            radius=told.radius,
            half_width=told.half_width,
        )
        if told.content_version == CONTENT_VERSION:
            join_log(world, content, told.pins is not None)
        if told.pins is not None and not world._log.edits:
            world._pin(told.pins)
        if told.content_version != CONTENT_VERSION:
            asked = [edit_from(each) for each in content.edits[: content.standing]]
            world.replay(asked[1:] if told.pins is not None else asked)
        if told.content_version != CONTENT_VERSION or (content.damaged is not None and not readonly):
            content = content_of(world)
            store.replace(content)
        world._keeper = Keeper(world, store, keep, content)
        world._attach()
    except BaseException:
        store.close()
        raise
    return world


def create_or_join(world: World, path: str | os.PathLike[str], keep: int) -> None:
    """Keep a world in a file from now on; if it is there already, with the edits it has there."""
    place = Path(path)
    content = content_of(world)
    made = Store.create(place, content)
    store = Store(place)
    try:
        found = store.content()
        if not made:
            check_version(identity(found.parts).get("content_version"), place, False)
            check_edits(found, place, False)
            here, there = identity(content.parts), identity(found.parts)
            other = [name for name in here if here[name] != there.get(name)]
            if other:
                raise WorldError(
                    f"{place} holds another world: its {', '.join(other)} differ; choose another file, "
                    "or World.open to go on with the one there"
                )
            join_log(world, found, world._log.pinned > 0)
        world._keeper = Keeper(world, store, keep, found)
        world._attach()
    except BaseException:
        store.close()
        raise


def refresh_log(world: World, keeper: Keeper) -> None:
    """Read the log again, which another program may have changed."""
    content = keeper.store.content()
    if identity(content.parts) != keeper.told:
        raise WorldError(f"{keeper.store.path} holds another world by now; World.open opens that one")
    check_edits(content, keeper.store.path, False)
    join_log(world, content, world._log.pinned > 0)


def join_log(world: World, content: Content, pinned: bool) -> None:
    """Have a world follow the log in a store."""
    edits = tuple(edit_from(each) for each in content.edits)
    count = len(world.rules)
    for number, edit in enumerate(edits):
        if any(not 0 <= pattern < count for pattern in edit.settled.values()):
            raise WorldError(f"edit number {number} speaks of patterns the tiles do not have")
    log: Log = world._log
    with log.writing:
        log.book, book = None, log.book  # it is there already
        log.pinned = int(pinned and bool(edits))
        log.become(edits, content.standing)
        log.book = book


def content_of(world: World) -> Content:
    """Everything a world is a function of."""
    log = world._log
    with log.writing:
        pins = log.edits[0].wanted if log.pinned else None
        return Content(parts_of(world, pins), [edit_to(edit) for edit in log.edits], log.standing)


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


def check_edits(content: Content, path: Path, recover: bool) -> None:
    """Later edits rest on earlier ones, so none after a damaged one can be used."""
    if content.damaged is not None and not recover:
        raise WorldError(
            f"{path} is damaged: edit number {content.damaged + 1} is not what was written. The "
            f"{content.damaged} before it are whole: World.open(path, recover=True) keeps those, for good"
        )
