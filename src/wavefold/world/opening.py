"""Opening worlds: the one in a file as it was; what is damaged or of another version, as far as asked."""

from __future__ import annotations

import os
import warnings
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from wavefold._version import CONTENT_VERSION
from wavefold.errors import ConfigError, TileSetError, TileSetWarning
from wavefold.tiles import TileSet
from wavefold.world.codec import TILE_PARTS, Description, edit_from, identity, read_parts
from wavefold.world.keeping import attach, check_edits, check_version, checked_keep, content_of, join_log
from wavefold.world.store.files import place_of
from wavefold.world.store.schema import Content
from wavefold.world.store.store import PATIENCE, Store

if TYPE_CHECKING:
    from wavefold.world.world import World


LONGEST_PATIENCE = 86_400.0  # seconds


class Opening(NamedTuple):
    """How to open a file; see `World.open`."""

    readonly: bool = False
    recover: bool = False
    migrate: bool = False
    patience: float = PATIENCE
    keep: int = 0
    tiles: TileSet | None = None

    def checked(self) -> Opening:
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
        return self._replace(patience=float(self.patience), keep=checked_keep(self.keep))


def is_seconds(value: Any) -> bool:
    """A time that one may wait."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        return False
    return bool(0 <= value <= LONGEST_PATIENCE and isfinite(value))


def open_world(kind: type[World], path: str | os.PathLike[str], how: Opening) -> World:
    """The world in a file, which it goes on writing to."""
    store = Store(place_of(path), how.readonly, how.patience)
    try:
        content, told = read_checked(store, how)
        world = kind(
            told.tiles,
            told.seed,
            told.chunk,
            fields=told.fields,
            radius=told.radius,
            half_width=told.half_width,
        )
        take_over(world, content, told)
        attach(world, store, how.keep, mended(world, store, content, told, how))
    except BaseException:
        store.close()
        raise
    return world


def read_checked(store: Store, how: Opening) -> tuple[Content, Description]:
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


def take_over(world: World, content: Content, told: Description) -> None:
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


def mended(world: World, store: Store, content: Content, told: Description, how: Opening) -> Content:
    """What the file holds from now on: the same, or what was made or left of it."""
    store.follow(content)
    is_damaged = content.damaged is not None or bool(content.lost)
    if told.content_version != CONTENT_VERSION or (is_damaged and how.recover and not how.readonly):
        return store.replace(content_of(world), read=content)
    return content
