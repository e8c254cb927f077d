"""Tile sets as files: wavefold's own, and those other programs write."""

from wavefold.formats.mxgmn import read_mxgmn, subsets
from wavefold.formats.tiled_map import read_tiled_map, read_tiled_never, read_tiled_sample
from wavefold.formats.tiled_wang import read_tiled_tileset, wangsets
from wavefold.formats.toml_reader import read_toml
from wavefold.formats.toml_writer import write_toml

__all__ = [
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
