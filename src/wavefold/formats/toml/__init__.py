"""Tile sets as TOML, wavefold's own format: docs/guide/tileset-format.md describes it.

A file becomes text with line numbers (`document`), then checked tables (`models`), then a tile set
(`reader`); `writer` is the inverse. Configuration files are TOML too, but are read in `config`. Start with
`reader`.
"""

from wavefold.formats.toml.reader import read_toml
from wavefold.formats.toml.writer import write_toml
from wavefold.plugins.map_formats import MapFormat

__all__ = ["TOML", "read_toml", "write_toml"]

TOML = MapFormat(
    description="Tile sets as TOML.", endings=(".toml",), read_tiles=read_toml, write_tiles=write_toml
)
