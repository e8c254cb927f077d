"""Regions of worlds as chunked arrays on disk: Zarr, which many programs read piece by piece."""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

from wavefold._version import __version__
from wavefold.errors import ConfigError, PluginError
from wavefold.render.save import check_place
from wavefold.solver import Solution
from wavefold.world.world import World

__all__ = ["load_zarr", "write_zarr"]


def load_zarr() -> Any:
    """The library, or a word about how to get it."""
    try:
        return import_module("zarr")
    except ImportError:
        raise PluginError(
            'Zarr files need the library zarr: pip install "wavefold[export]"; or write .npz or .json'
        ) from None


def write_zarr(world: World, solution: Solution, x0: int, y0: int, path: str | os.PathLike[str]) -> None:
    """Write a region as an array of patterns, in chunks of the world's size where these are whole.

    The file appears whole or not at all. Attributes tell the tiles, the seed and the place.
    """
    zarr = load_zarr()
    place = Path(path)
    if place.exists():
        raise ConfigError(
            f"cannot write {str(path)!r}: it is there already; remove it, or choose another name"
        )
    check_place(place)
    side = world.plan.chunk
    draft = place.with_name(f".{place.name[:64]}.{os.getpid()}.part")
    try:
        array = zarr.create_array(
            store=str(draft), shape=solution.array.shape, chunks=(side, side), dtype="int32"
        )
        array[:] = solution.array
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
        draft.rename(place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
