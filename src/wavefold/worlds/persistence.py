"""A world and its file: save, open, keep up to date, and check for errors."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CHUNK_VERSION
from wavefold.errors import ConfigError, WavefoldError, WorldError
from wavefold.formats.sections import choose_tiles, expendable_tiles
from wavefold.kernels.host.checkpoint import holding
from wavefold.options.values import parse_integer
from wavefold.storage.archive import TILES
from wavefold.tiles import TileSet
from wavefold.worlds.codec import (
    check_same,
    check_version,
    decode_chunk,
    decode_description,
    decode_edit,
    decode_identity,
    decode_world_refining,
    encode_chunk,
    encode_description,
    encode_edit,
)
from wavefold.worlds.edits.edit import Edit, Wanted
from wavefold.worlds.edits.log import EditLog, Editor
from wavefold.worlds.edits.revisions import Revisions, decode_changes, encode_change
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.store.database import Content
from wavefold.worlds.store.store import PATIENCE, Store
from wavefold.worlds.streaming.delivery import ChunkDelivery
from wavefold.worlds.window_solver import Refining

if TYPE_CHECKING:
    from wavefold.worlds.world import World

MOST_STORED = 1 << 40  # chunks
LONGEST_PATIENCE = 86_400.0  # seconds


class WorldFile:
    """The store that one world is saved in: sink of its log, and cache of its chunks."""

    def __init__(self, world: World, store: Store, capacity: int, content: Content) -> None:
        self.store, self.side, self.patterns = store, world.plan.chunk, len(world.rules)
        self.identity = decode_identity(content.archive)
        store.writer.capacity = 0 if store.readonly else capacity

    def write_log(self, edits: tuple[Edit, ...], unchanged: int, applied: int, revisions: Revisions) -> None:
        """Store the log and its last change; they are on the disk when this returns."""
        added = [encode_edit(edit) for edit in edits[unchanged:]]
        change = encode_change(revisions.changes[-1])
        self.store.write_log(added, unchanged, len(edits), applied, change, len(revisions.changes))

    def get(self, cx: int, cy: int) -> NDArray[np.int32] | None:
        """Return chunk (cx, cy) as generated, without edits; None if it is not stored."""
        content = self.store.chunk(cx, cy)
        return None if content is None else decode_chunk(content, self.side, self.patterns)

    def put(self, cx: int, cy: int, chunk: NDArray[np.int32]) -> None:
        """Queue a chunk to be written in the background."""
        if self.store.writer.capacity:
            self.store.writer.queue_chunk((cx, cy), encode_chunk(chunk))


# --- saving -------------------------------------------------------------------------------------


def save_world(world: World, path: str | os.PathLike[str], chunks: list[tuple[int, int]]) -> None:
    """Write all of a world into a file, new or in place of the world that is in it."""
    target = parse_path(path)
    own = world.parts.file
    ready = [
        ((cx, cy), encode_chunk(world.parts.generator.chunk(cx, cy))) for cx, cy in dict.fromkeys(chunks)
    ]
    is_own = own is not None and is_same_file(target, own.store.path)
    if own is not None and is_own and own.store.is_current:  # everything except chunks is stored already
        own.store.writer.flush()
        if ready:
            own.store.write_chunks(ready)
        return
    with holding(world.parts.log.writing):
        content = write_store(target, encode_world(world), ready)
        if own is not None and is_own and own.store.is_open:  # the file was deleted and written again
            own.store.reopen()
            follow_store(world, own.store, content)


def write_store(path: Path, content: Content, chunks: list[tuple[tuple[int, int], bytes]]) -> Content:
    """Write content into a file, replacing any world in it; returns the content with its revision there."""
    if Store.create(path, content, chunks):
        return content
    with closing(Store(path)) as store:
        return store.replace(content, chunks)


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether both paths lead to one file, which need not exist."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def encode_world(world: World) -> Content:
    """Return everything that defines a world."""
    log = world.parts.log
    with holding(log.writing):
        pins = log.edits[0].wanted if log.pinned else None
        return Content(
            encode_description(world, pins),
            [encode_edit(edit) for edit in log.edits],
            log.applied,
            revision=log.revisions.current + 1,
            changes=tuple(encode_change(each) for each in log.revisions.changes),
        )


# --- a store that follows its world -------------------------------------------------------------


def attach_store(world: World, store: Store, capacity: int, content: Content) -> None:
    """Write edits and chunks of a world to a store that holds it, and read chunks from there."""
    follow_store(world, store, content)
    world.parts.file = WorldFile(world, store, capacity, content)
    world.parts.log.sink = world.parts.generator.chunk_store = world.parts.file


def follow_store(world: World, store: Store, content: Content) -> None:
    """Continue from this content, which has the world's edits, and from its revision."""
    store.follow(content)
    log = world.parts.log
    log.load(log.edits, log.applied, decode_changes(content.changes, content.revision - 1, len(world.rules)))


def find_stored_refining(path: str | os.PathLike[str], tiles: TileSet) -> Refining | bool | None:
    """Return the refining of the world in a file, False without; None without a world of these tiles."""
    target = parse_path(path)
    try:
        if not target.exists():
            return None
        with closing(Store(target, readonly=True)) as store:
            return decode_world_refining(store.content(TILES.entries).archive, len(tiles)) or False
    except (WavefoldError, OSError, KeyError, TypeError, ValueError):
        return None  # opening the file later reports the error


def create_or_join(world: World, path: str | os.PathLike[str], capacity: int) -> None:
    """Save a world in a file from now on; if the file has this world already, load its edits."""
    target = parse_path(path)
    content = encode_world(world)
    is_new = Store.create(target, content)
    store = Store(target)
    try:
        found = store.content(TILES.entries)
        if not is_new:
            check_version(found.archive)
            check_same(content.archive, found.archive)
            load_checked(world, found, target)
        attach_store(world, store, capacity, found)
    except BaseException:
        store.close()
        raise


def refresh_log(world: World, file: WorldFile) -> None:
    """Read the log again, which another program may have changed."""
    store = file.store
    with holding(world.parts.log.writing):  # to the end: no edit may be written in between
        content = store.content(TILES.entries)
        if decode_identity(content.archive) != file.identity:
            raise WorldError(f"{store.path} now contains a different world; World.open opens that one")
        load_checked(world, content, store.path)
        follow_store(world, store, content)


def load_checked(world: World, content: Content, path: Path) -> None:
    """Load the edits of a store that holds this world. Raises WorldError for damaged edits."""
    check_edits(content, path, recover=False)
    load_log(world, content, world.parts.log.pinned > 0)


def load_log(world: World, content: Content, pinned: bool) -> None:
    """Load the edits of a store into a world."""
    edits = tuple(decode_edit(each) for each in content.edits)
    count = len(world.rules)
    for number, edit in enumerate(edits):
        if any(not 0 <= pattern < count for pattern in edit.settled.values()):
            raise WorldError(f"edit number {number + 1} has patterns that the tiles do not have")
    log = world.parts.log
    with holding(log.writing):
        log.pinned = int(pinned and bool(edits))
        log.load(edits, content.applied)


# --- opening -------------------------------------------------------------------------------------


class OpenOptions(NamedTuple):
    """How to open a file; see `World.open`."""

    readonly: bool = False
    recover: bool = False
    migrate: bool = False
    patience: float = PATIENCE
    keep: int = 0
    tiles: TileSet | None = None

    def validate(self) -> OpenOptions:
        """Return the options with plain numbers. Raises ConfigError for an invalid option."""
        for name in ("readonly", "recover", "migrate"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise ConfigError(f"{name} must be True or False, not {getattr(self, name)!r:.80}")
        is_number = isinstance(self.patience, int | float | np.integer | np.floating)
        if not is_number or isinstance(self.patience, bool) or not 0 <= self.patience <= LONGEST_PATIENCE:
            raise ConfigError(
                f"patience must be a number of seconds from 0 to {LONGEST_PATIENCE:,.0f}, "
                f"not {self.patience!r:.80}"
            )
        return self._replace(patience=float(self.patience), keep=parse_keep(self.keep))


def open_world(kind: type[World], path: str | os.PathLike[str], how: OpenOptions) -> World:
    """Open the world in a file. It writes its edits to that file."""
    store = Store(parse_path(path), how.readonly, how.patience)
    try:
        content = store.content(expendable_tiles(how.tiles))
        check_version(content.archive, how.migrate)
        arguments, pins = decode_description(content.archive, choose_tiles(content.archive, how.tiles))
        check_edits(content, store.path, how.recover)
        world = kind(**arguments)
        restore_edits(world, content, pins)
        attach_store(world, store, how.keep, repair_store(world, store, content, how))
    except BaseException:
        store.close()
        raise
    return world


def is_current(content: Content) -> bool:
    """Return whether this version generates the same chunks as the version that wrote the file."""
    return bool(content.archive.header["content_version"] == CHUNK_VERSION)


def restore_edits(world: World, content: Content, pins: Wanted | None) -> None:
    """Load pins and edits into a new world; those of another content version are solved again."""
    if is_current(content):
        load_log(world, content, pins is not None)
    if pins is not None and not world.parts.log.edits:
        world.parts.editor.pin(pins)
    if not is_current(content):
        edits = [decode_edit(each) for each in content.edits[: content.applied]]
        world.replay(edits if pins is None else edits[1:])


def repair_store(world: World, store: Store, content: Content, how: OpenOptions) -> Content:
    """Return the content of the file, which is written again after migration or recovery."""
    store.follow(content)
    is_damaged = content.damaged is not None or bool(content.archive.lost)
    if not is_current(content) or (is_damaged and how.recover and not how.readonly):
        return store.replace(encode_world(world), read=content)
    return content


# --- what may be wrong --------------------------------------------------------------------------


def parse_path(path: Any) -> Path:
    """Return the path of a store from user input."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(name, str):
        raise ConfigError(f"the path of a world must be a str or a Path, not {path!r:.80}")
    return Path(name)


def parse_keep(keep: Any) -> int:
    """Return the number of chunks that a store may hold."""
    number = parse_integer(keep)
    if number is None or not 0 <= number <= MOST_STORED:
        raise ConfigError(f"keep must be a whole number of chunks, 0 or more, not {keep!r:.80}")
    return number


def check_edits(content: Content, path: Path, recover: bool) -> None:
    """Raise WorldError if an edit is damaged: later ones build on it, so none of them can be used."""
    if content.damaged is not None and not recover:
        raise WorldError(
            f"{path} is damaged: edit number {content.damaged + 1} is not what was written. The "
            f"{content.damaged} before it are intact: World.open(path, recover=True) keeps those "
            "and permanently removes the rest"
        )


@dataclass(slots=True)
class WorldParts:
    """The parts of a world; `world.parts` is for code that stores or shows worlds, not for edits.

    file : the store that the world is saved in; None without one
    """

    generator: ChunkGenerator
    refining: Refining | None
    log: EditLog
    editor: Editor
    delivery: ChunkDelivery
    file: WorldFile | None = None
