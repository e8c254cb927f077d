"""Regions of worlds as chunked arrays on disk: Zarr, which many programs read piece by piece."""

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


class EndlessMap(Protocol):
    """The part of `World` used here; `plan.chunk` is the width of a chunk in cells."""

    @property
    def plan(self) -> Any: ...
    @property
    def tiles(self) -> TileSet: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def seed(self) -> int: ...
    def region(self, x0: int, y0: int, width: int, height: int) -> NDArray[np.int32]:
        """int [row, column] of patterns."""
        ...


def load_zarr() -> Any:
    """The library zarr; raises `PluginError`, which says how to install it."""
    try:
        return import_module("zarr")
    except ImportError:
        raise PluginError(
            'Zarr files need the library zarr: pip install "wavefold[export]"; or write .npz or .json'
        ) from None


def check_zarr(path: str | os.PathLike[str]) -> Any:
    """The library; raise, before any work, if no array could be written there."""
    zarr = load_zarr()
    if Path(path).exists():
        raise ConfigError(f"cannot write {str(path)!r}: it exists already; remove it, or choose another name")
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
    """Write a region of any size as an array of patterns, in chunks as large as the world's.

    Chunks are made and written one at a time, so memory does not grow with the region. The array appears
    whole or not at all. Attributes hold the tiles, the seed and the origin.
    """
    zarr = check_zarr(path)
    target, side = Path(path), world.plan.chunk
    draft = hidden_path(target, "part")
    blocks = [(x, y) for y in range(0, height, side) for x in range(0, width, side)]
    try:
        array = zarr.create_array(store=str(draft), shape=(height, width), chunks=(side, side), dtype="int32")
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
        draft.rename(target)
    except OSError as error:
        raise cannot_write(target, error) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
