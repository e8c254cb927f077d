"""Tile sets, maps and animations as files: wavefold's own formats, and those of other programs.

Each format is one `MapFormat` (see `wavefold.map_format`) in a module or package of its own, found by the
ending of a path. Pictures are drawn in `render`; files of worlds and patchworks are theirs. Start with
`json`, the plainest format that is both written and read; `read.read_map` shows how a map comes back.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wavefold.map_format import MapFormat

if TYPE_CHECKING:
    from wavefold.formats.loaded import LoadedMap, ParsedMap, PatternName
    from wavefold.formats.mxgmn import read_mxgmn, subsets
    from wavefold.formats.read import read_map
    from wavefold.formats.tiled import (
        SharedTiles,
        read_tiled_map,
        read_tiled_never,
        read_tiled_sample,
        read_tiled_tileset,
        wangsets,
        write_tiled_tiles,
    )
    from wavefold.formats.toml.reader import read_toml
    from wavefold.formats.toml.writer import write_toml
    from wavefold.formats.zarr import write_zarr

# Loaded when first used: reading a tile set needs nothing of what draws maps.
_HOMES = {
    "LoadedMap": "loaded",
    "ParsedMap": "loaded",
    "PatternName": "loaded",
    "SharedTiles": "tiled",
    "read_map": "read",
    "read_mxgmn": "mxgmn",
    "read_tiled_map": "tiled",
    "read_tiled_never": "tiled",
    "read_tiled_sample": "tiled",
    "read_tiled_tileset": "tiled",
    "read_toml": "toml.reader",
    "subsets": "mxgmn",
    "wangsets": "tiled",
    "write_tiled_tiles": "tiled",
    "write_toml": "toml.writer",
    "write_zarr": "zarr",
}

__all__ = [
    "LoadedMap",
    "MapFormat",
    "ParsedMap",
    "PatternName",
    "SharedTiles",
    "read_map",
    "read_mxgmn",
    "read_tiled_map",
    "read_tiled_never",
    "read_tiled_sample",
    "read_tiled_tileset",
    "read_toml",
    "subsets",
    "wangsets",
    "write_tiled_tiles",
    "write_toml",
    "write_zarr",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = globals()[name] = getattr(import_module(f"wavefold.formats.{_HOMES[name]}"), name)
        return value
    raise AttributeError(f"module 'wavefold.formats' has no attribute {name!r}")
