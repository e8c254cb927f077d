"""Maps and tile sets of Tiled, as XML (.tmx, .tsx) or JSON (.tmj, .tsj).

Maps are written and read; tile sets are read. Objects are written as points. Object layers, image layers and
animations are not read. `document` converts XML and JSON to the same nodes. Start with `read` and `write` for
maps, or with `wang` and `learn` for tile sets.
"""

from functools import partial

from wavefold.formats.pattern_sheet import write_map_files
from wavefold.formats.tiled.learn import read_tiled_map, read_tiled_never, read_tiled_sample
from wavefold.formats.tiled.read import describe_extras, read_tiled
from wavefold.formats.tiled.wang import read_tiled_tileset, wangsets
from wavefold.formats.tiled.write import (
    SharedTiles,
    check_tiled_map,
    encode_tiled_map,
    list_tiled_companions,
    write_tiled_tiles,
)
from wavefold.plugins.map_formats import MapFormat

__all__ = [
    "MAP",
    "TILE_SET",
    "SharedTiles",
    "read_tiled",
    "read_tiled_map",
    "read_tiled_never",
    "read_tiled_sample",
    "read_tiled_tileset",
    "wangsets",
    "write_tiled_tiles",
]

MAP = MapFormat(
    description="Maps of Tiled.",
    endings=(".tmx", ".tmj"),
    write=partial(write_map_files, encode_tiled_map),
    options=("tile_size", "objects"),
    check=check_tiled_map,
    companions=list_tiled_companions,
    read=read_tiled,
    extras=describe_extras,
    read_tiles=read_tiled_map,
    read_sample=read_tiled_sample,
    read_negative=read_tiled_never,
)
TILE_SET = MapFormat(
    description="Tile sets of Tiled.", endings=(".tsx", ".tsj"), read_tiles=read_tiled_tileset
)
