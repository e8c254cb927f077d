"""A world and the file it lives in: save, open, keep up to date, and what may be wrong with a file."""

from __future__ import annotations

import os
import warnings
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CONTENT_VERSION
from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, TileSetError, TileSetWarning, WorldError
from wavefold.tiles import TileSet
from wavefold.world.codec import (
    TILE_PARTS,
    Description,
    edit_from,
    edit_to,
    identity,
    parts_of,
    patterns_from,
    patterns_to,
    read_parts,
)
from wavefold.world.edits.edit import Edit
from wavefold.world.edits.log import EditLog
from wavefold.world.store.files import parse_path
from wavefold.world.store.schema import Content
from wavefold.world.store.store import PATIENCE, Store

if TYPE_CHECKING:
    from wavefold.world.world import World

MOST_KEPT = 1 << 40  # chunks
LONGEST_PATIENCE = 86_400.0  # seconds


class WorldFile:
    """One world and its store: where the log is kept, and chunks that were made before."""

    def __init__(self, world: World, store: Store, room: int, content: Content) -> None:
        self.store, self.side, self.patterns = store, world.plan.chunk, len(world.rules)
        self.told = identity(content.parts)
        store.room = room

    def write_log(self, edits: tuple[Edit, ...], unchanged: int, standing: int) -> None:
        """Keep the log; on the disk when this returns."""
        added = [edit_to(edit) for edit in edits[unchanged:]]
        self.store.write_log(added, unchanged, len(edits), standing)

    def get(self, i: int, j: int) -> NDArray[np.int32] | None:
        """Chunk (i, j) as it was made, without edits."""
        content = self.store.chunk(i, j)
        return None if content is None else patterns_from(content, self.side, self.patterns)

    def put(self, i: int, j: int, chunk: NDArray[np.int32]) -> None:
        """Have a chunk written when there is time."""
        if self.store.room:
            self.store.keep(i, j, patterns_to(chunk))


# --- saving -------------------------------------------------------------------------------------


def save_world(world: World, path: str | os.PathLike[str], chunks: list[tuple[int, int]]) -> None:
    """Write all of a world into a file, new or in place of the world that is in it."""
    place = parse_path(path)
    own = world._file
    ready = [((i, j), patterns_to(world._generator.chunk(i, j))) for i, j in dict.fromkeys(chunks)]
    is_own = own is not None and is_same_file(place, own.store.path)
    if own is not None and is_own and own.store.is_there:  # all but chunks is there already
        own.store.flush()
        if ready:
            own.store.put(ready)
        return
    with world._log.writing:
        content = write_store(place, encode_world(world), ready)
        if own is not None and is_own and own.store.is_open:  # it was lost, and is there again
            own.store.reopen()
            own.store.follow(content)


def write_store(place: Path, content: Content, chunks: list[tuple[tuple[int, int], bytes]]) -> Content:
    """Put this into a file, whatever world is in it; the content as it is there."""
    if Store.create(place, content, chunks):
        return content._replace(revision=1)
    store = Store(place)
    try:
        return store.replace(content, chunks)
    finally:
        store.close()


def is_same_file(one: Path, other: Path) -> bool:
    """Whether both are names of one file, be it there or not."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def encode_world(world: World) -> Content:
    """Everything a world is a function of."""
    log = world._log
    with log.writing:
        pins = log.edits[0].wanted if log.pinned else None
        return Content(parts_of(world, pins), [edit_to(edit) for edit in log.edits], log.standing)


# --- writing along ------------------------------------------------------------------------------


def attach_store(world: World, store: Store, keep: int, content: Content) -> None:
    """Keep a world in a store that holds it."""
    store.follow(content)
    world._file = WorldFile(world, store, keep, content)
    world._attach()


def create_or_join(world: World, path: str | os.PathLike[str], keep: int) -> None:
    """Keep a world in a file from now on; if it is there already, with the edits it has there."""
    place = parse_path(path)
    content = encode_world(world)
    made = Store.create(place, content)
    store = Store(place)
    try:
        found = store.content(spare=TILE_PARTS)
        if not made:
            check_version(identity(found.parts).get("content_version"), place, False)
            check_edits(found, place, False)
            check_same(content, found, place)
            join_log(world, found, world._log.pinned > 0)
        attach_store(world, store, keep, found)
    except BaseException:
        store.close()
        raise


def refresh_log(world: World, keeper: WorldFile) -> None:
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
    log: EditLog = world._log
    with log.writing:
        log.pinned = int(pinned and bool(edits))
        log.show(edits, content.standing)  # it is kept already


# --- opening -------------------------------------------------------------------------------------


class OpenOptions(NamedTuple):
    """How to open a file; see `World.open`."""

    readonly: bool = False
    recover: bool = False
    migrate: bool = False
    patience: float = PATIENCE
    keep: int = 0
    tiles: TileSet | None = None

    def checked(self) -> OpenOptions:
        """The same, or an error that says what cannot be."""
        for name in ("readonly", "recover", "migrate"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise ConfigError(f"{name} must be True or False, not {getattr(self, name)!r:.80}")
        if not is_seconds(self.patience):
            raise ConfigError(
                f"patience must be a number of seconds from 0 to {LONGEST_PATIENCE:,.0f}, "
                f"not {self.patience!r:.80}"
            )
        if self.tiles is not None and not isinstance(self.tiles, TileSet):
            raise TileSetError(
                f"tiles must be a TileSet, as from TileSet.load('pipes'), not {self.tiles!r:.80}"
            )
        return self._replace(patience=float(self.patience), keep=parse_keep(self.keep))


def is_seconds(value: Any) -> bool:
    """A time that one may wait."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        return False
    return bool(0 <= value <= LONGEST_PATIENCE and isfinite(value))


def open_world(kind: type[World], path: str | os.PathLike[str], how: OpenOptions) -> World:
    """The world in a file, which it goes on writing to."""
    store = Store(parse_path(path), how.readonly, how.patience)
    try:
        content, told = read_store(store, how)
        world = kind(
            told.tiles,
            told.seed,
            told.chunk,
            fields=told.fields,
            radius=told.radius,
            half_width=told.half_width,
        )
        restore_edits(world, content, told)
        attach_store(world, store, how.keep, repair_store(world, store, content, told, how))
    except BaseException:
        store.close()
        raise
    return world


def read_store(store: Store, how: OpenOptions) -> tuple[Content, Description]:
    """What is in a file, if it can be used as it is, or somebody allowed for what is wrong with it."""
    content = store.content(spare=TILE_PARTS[1:] if how.tiles is None else TILE_PARTS)
    check_version(identity(content.parts).get("content_version"), store.path, how.migrate)
    told = read_parts(content.parts, store.path, how.tiles)
    check_edits(content, store.path, how.recover)
    if content.lost and how.tiles is None:
        warnings.warn(
            f"{store.path}: the pictures of its tiles are damaged, and the world opens without them; nothing "
            "else is lost. World.open(path, tiles=...) takes those of a tile set with the same rules, and "
            "recover=True keeps that for good",
            TileSetWarning,
            stacklevel=4,
        )
    return content, told


def restore_edits(world: World, content: Content, told: Description) -> None:
    """Have a new world follow the log; one of another version makes the edits anew."""
    pinned = told.pins is not None
    is_same = told.content_version == CONTENT_VERSION
    if is_same:
        join_log(world, content, pinned)
    if told.pins is not None and not world._log.edits:
        world._pin(told.pins)
    if not is_same:
        asked = [edit_from(each) for each in content.edits[: content.standing]]
        world.replay(asked[1:] if pinned else asked)


def repair_store(
    world: World, store: Store, content: Content, told: Description, how: OpenOptions
) -> Content:
    """What the file holds from now on: the same, or what was made or left of it."""
    store.follow(content)
    is_damaged = content.damaged is not None or bool(content.lost)
    if told.content_version != CONTENT_VERSION or (is_damaged and how.recover and not how.readonly):
        return store.replace(encode_world(world), read=content)
    return content


# --- what may be wrong --------------------------------------------------------------------------


def parse_keep(keep: Any) -> int:
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
