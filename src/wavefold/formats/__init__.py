"""Tile sets, maps and animations as files: wavefold's own formats, and those of other programs.

Each format is one `MapFormat` (see `wavefold.map_format`) in a module or package of its own, found by the
ending of a path. Pictures are drawn in `render`; files of worlds and patchworks are theirs. Start with
`csv`, the plainest format that is both written and read; `loaded.read_map` shows how a map comes back.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wavefold.map_format import MapFormat

if TYPE_CHECKING:
    from wavefold.formats.debroglie import DeBroglieConfig, read_debroglie
    from wavefold.formats.loaded import LoadedMap, ParsedMap, PatternName, read_map
    from wavefold.formats.mxgmn import read_mxgmn, subsets
    from wavefold.formats.tiled import (
        SharedTiles,
        read_tiled_map,
        read_tiled_never,
        read_tiled_sample,
        read_tiled_tileset,
        wangsets,
        write_tiled_tiles,
    )
    from wavefold.formats.toml import read_toml, write_toml
    from wavefold.formats.zarr import write_zarr

# Loaded when first used: reading a tile set needs nothing of what draws maps.
_HOMES = {
    "debroglie": ("DeBroglieConfig", "read_debroglie"),
    "loaded": ("LoadedMap", "ParsedMap", "PatternName", "read_map"),
    "mxgmn": ("read_mxgmn", "subsets"),
    "tiled": (
        "SharedTiles", "read_tiled_map", "read_tiled_never", "read_tiled_sample", "read_tiled_tileset",
        "wangsets", "write_tiled_tiles",
    ),
    "toml": ("read_toml", "write_toml"),
    "zarr": ("write_zarr",),
}  # fmt: skip
_HOME_OF = {name: f"wavefold.formats.{home}" for home, names in _HOMES.items() for name in names}

__all__ = [
    "DeBroglieConfig",
    "LoadedMap",
    "MapFormat",
    "ParsedMap",
    "PatternName",
    "SharedTiles",
    "read_debroglie",
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
    if name in _HOME_OF:
        value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
        return value
    raise AttributeError(f"module 'wavefold.formats' has no attribute {name!r}")
