"""Tile sets as TOML, wavefold's own format, which docs/guide/tilesets.md describes.

`document` reads text with line numbers, `models` checks its tables, and `reader` builds the tile set;
`writer` is the inverse. `config` reads configuration files, which are TOML, too. Start with `reader`.
"""

from wavefold.formats.toml.reader import read_toml
from wavefold.formats.toml.writer import write_toml
from wavefold.plugins.map_formats import MapFormat

__all__ = ["TOML", "read_toml", "write_toml"]

TOML = MapFormat(
    description="Tile sets as TOML.", endings=(".toml",), read_tiles=read_toml, write_tiles=write_toml
)
