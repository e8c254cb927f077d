"""Tile sets and maps as files: wavefold's own, and those other programs write.

What reads and writes maps is loaded when first used: tile sets are read without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wavefold.formats.mxgmn import read_mxgmn, subsets
from wavefold.formats.tiled.map import read_tiled_map, read_tiled_never, read_tiled_sample
from wavefold.formats.tiled.wang import read_tiled_tileset, wangsets
from wavefold.formats.toml.reader import read_toml
from wavefold.formats.toml.writer import write_toml

if TYPE_CHECKING:
    from wavefold.formats.maps import DrawnMap, read_map

__all__ = [
    "DrawnMap",
    "read_map",
    "read_mxgmn",
    "read_tiled_map",
    "read_tiled_never",
    "read_tiled_sample",
    "read_tiled_tileset",
    "read_toml",
    "subsets",
    "wangsets",
    "write_toml",
]


def __getattr__(name: str) -> Any:
    if name in ("DrawnMap", "read_map"):
        value = globals()[name] = getattr(import_module("wavefold.formats.maps"), name)
        return value
    raise AttributeError(f"module 'wavefold.formats' has no attribute {name!r}")
