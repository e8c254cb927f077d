"""Find a tile set by its name: bundled ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wavefold.api import tilesets
from wavefold.common.cache import BoundedCache
from wavefold.service.problems import unknown
from wavefold.tiles import TileSet

if TYPE_CHECKING:
    from wavefold.service.service import Service

MOST_LOADED = 32  # tile sets in memory


class TileSetLibrary:
    """The tile sets that requests may name. Any thread may ask."""

    def __init__(self, service: Service) -> None:
        self._loaded: BoundedCache[TileSet] = BoundedCache(MOST_LOADED)

    def names(self) -> list[str]:
        """What `load` accepts."""
        return tilesets()

    def load(self, name: str) -> TileSet:
        """The tile set with this name, loaded once; takes a while at first, so call it in a thread."""
        if name not in self.names():
            raise unknown("tile set", name, self.names())
        return self._loaded.get(name, lambda: TileSet.load(name))
