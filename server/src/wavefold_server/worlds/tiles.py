"""Map tiles, encoded once: as long as nothing in a tile changes, it is the same for all revisions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold import draw_map_tile
from wavefold.storage import BoundedCache
from wavefold.worlds import TileAddress, World, cell_bounds
from wavefold_server.problems import Problem

if TYPE_CHECKING:
    from wavefold_server.service import Service

OVERHEAD = 512  # bytes of an entry
LATEST = "Leave the revision out to get the latest one."
Box = tuple[int, int, int, int]  # x0, y0, width, height


class EncodedTile(NamedTuple):
    """A map tile as it is sent."""

    png: bytes
    etag: str
    how: str
    share: float
    is_final: bool  # False if it may show more later, though nothing in it was edited


@dataclass
class WorldChanges:
    """The revision of a world, and where it changed: what is needed to find a tile that is encoded already.

    Stays in memory when the world is closed, which nobody else can change.
    """

    is_hex: bool
    revision: int
    oldest: int
    numbers: NDArray[np.int64]  # [change] the revision after it
    boxes: NDArray[np.int64]  # [change, (left, top, right, bottom)]

    @classmethod
    def of(cls, world: World) -> WorldChanges:
        """What a world says of itself."""
        revisions = world.parts.log.revisions  # of one moment
        boxes = [(each.revision, each.box) for each in revisions.changes if each.box is not None]
        numbers = np.array([number for number, _ in boxes], np.int64)
        corners = np.array([(x, y, x + width, y + height) for _, (x, y, width, height) in boxes], np.int64)
        is_hex = world.tiles.topology == "hex"
        return cls(is_hex, revisions.current, revisions.oldest, numbers, corners.reshape(-1, 4))

    def check(self, revision: int, advice: str = LATEST) -> None:
        """Raise a `Problem` for a revision that is not known."""
        if revision > self.revision:
            raise Problem(
                404,
                f"there is no revision {revision}: the world is at revision {self.revision}",
                error="NotFound",
                advice=advice,
            )
        if revision < self.oldest:
            raise Problem(
                410,
                f"revision {revision} is no longer available; the oldest is {self.oldest}",
                error="RevisionGone",
                advice=advice,
                oldest_revision=self.oldest,
            )

    def last_change(self, box: Box, revision: int) -> int:
        """The last revision, at most this one, in which something in a rectangle changed."""
        known = int(np.searchsorted(self.numbers, revision, side="right"))
        if not known:
            return self.oldest
        left, top, right, bottom = self.boxes[:known].T
        x, y, width, height = box
        touches = (left < x + width) & (x < right) & (top < y + height) & (y < bottom)
        return int(self.numbers[:known][touches].max(initial=self.oldest))


class TileServer:
    """The map tiles of all worlds of a server. Any thread may use it; the event loop only calls `peek`."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._tiles: BoundedCache[EncodedTile] = BoundedCache(
            service.limits.cache_bytes, lambda tile: len(tile.png) + OVERHEAD
        )
        self.changes: dict[str, WorldChanges] = {}
        self._hits, self._misses = (service.metrics.cache.labels(each) for each in ("hit", "miss"))

    def peek(self, name: str, tile: TileAddress, revision: int | None) -> EncodedTile | None:
        """A tile that is encoded already; raises a `Problem` for a revision that is not known."""
        changes = self.changes.get(name)
        if changes is None:
            return None
        key = find_key(name, tile, changes, revision)
        found = self._tiles.peek(key)
        if found is None:
            found = self._tiles.peek((key, self._count_made(name)))
        else:
            self._tiles.get(key, lambda: found)  # used last
        if found is not None:
            self._hits.inc()
        return found

    def draw(
        self, world: World, name: str, tile: TileAddress, revision: int | None, budget: float | None = None
    ) -> EncodedTile:
        """A tile of an open world that is not encoded yet; `budget` as of `draw_map_tile`."""
        self._misses.inc()
        changes = self.read_changes(name, world)
        key = find_key(name, tile, changes, revision)
        made = world.parts.generator.cache.made
        number = changes.revision if revision is None else revision
        drawn = draw_map_tile(world, *tile, revision=number, budget=budget)
        png = drawn.png
        encoded = EncodedTile(
            png, f'"{blake2b(png, digest_size=12).hexdigest()}"', drawn.how, drawn.share, drawn.is_final
        )
        if budget is not None and not drawn.is_final:
            return encoded  # not for those who can wait
        return self._tiles.get(key if drawn.is_final else (key, made), lambda: encoded)

    def read_changes(self, name: str, world: World) -> WorldChanges:
        """Where an open world changed; read again after an edit."""
        found = self.changes.get(name)
        if found is None or found.revision != world.revision:
            found = self.changes[name] = WorldChanges.of(world)
        return found

    def forget(self, name: str) -> None:
        """Forget a world that was deleted; its tiles go as others need their room."""
        self.changes.pop(name, None)

    def _count_made(self, name: str) -> int:
        """How many windows a world made: if more, a tile that was drawn from few chunks may show more."""
        world = self._service.worlds.open_worlds.peek(name)
        return -1 if world is None else world.parts.generator.cache.made


def find_key(name: str, tile: TileAddress, changes: WorldChanges, revision: int | None) -> Hashable:
    """Return the cache key of a tile: equal for revisions between which nothing in it changed."""
    if revision is None:
        revision = changes.revision
    else:
        changes.check(revision)
    return name, *tile, changes.last_change(cell_bounds(tile, changes.is_hex), revision)
