"""Regions of worlds as chunked arrays on disk, in the Zarr format."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wavefold._version import __version__
from wavefold.errors import ConfigError, PluginError
from wavefold.storage.files import cannot_write, check_writable, hidden_path
from wavefold.tiles import Rules, TileSet


class ChunkSize(Protocol):
    """The part of the plan of a world used here."""

    @property
    def chunk(self) -> int:
        """The width of a chunk in cells."""
        ...


class EndlessMap(Protocol):
    """The part of `World` that is used here; `plan.chunk` is the width of a chunk in cells."""

    @property
    def plan(self) -> ChunkSize: ...
    @property
    def tiles(self) -> TileSet: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def seed(self) -> int: ...
    def region(self, x0: int, y0: int, width: int, height: int) -> NDArray[np.int32]:
        """int32 [row, column] patterns."""
        ...


def load_zarr() -> Any:
    """Import zarr; raises `PluginError` with the extra to install."""
    try:
        return import_module("zarr")
    except ImportError:
        raise PluginError(
            'writing .zarr needs zarr, which is not installed: pip install "wavefold[export]"'
        ) from None


def check_zarr(path: str | os.PathLike[str]) -> Any:
    """Import zarr; raises before any work if no array could be written to the path."""
    zarr = load_zarr()
    if Path(path).exists():
        raise ConfigError(f"cannot write {str(path)!r}: it already exists; remove it or choose another name")
    check_writable(path)
    return zarr


def write_zarr(
    world: EndlessMap,
    x0: int,
    y0: int,
    width: int,
    height: int,
    path: str | os.PathLike[str],
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write a region of any size as an array of patterns, with the chunk size of the world.

    Chunks are generated and written one at a time, so memory does not grow with the region. The array appears
    when it is complete. Its attributes store the tile set, the seed and the origin.
    """
    zarr = check_zarr(path)
    target, side = Path(path), world.plan.chunk
    temporary_path = hidden_path(target, "part")
    blocks = [(x, y) for y in range(0, height, side) for x in range(0, width, side)]
    try:
        array = zarr.create_array(
            store=str(temporary_path), shape=(height, width), chunks=(side, side), dtype="int32"
        )
        for done, (x, y) in enumerate(blocks):
            if progress is not None:
                progress(done, len(blocks))
            across, down = min(side, width - x), min(side, height - y)
            array[y : y + down, x : x + across] = world.region(x0 + x, y0 + y, across, down)
        array.attrs.update(
            {
                "wavefold": __version__,
                "tileset": world.tiles.name,
                "seed": world.seed,
                "chunk": side,
                "origin": [x0, y0],
                "topology": world.tiles.topology,
                "names": list(world.rules.names),
            }
        )
        temporary_path.rename(target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        shutil.rmtree(temporary_path, ignore_errors=True)
