"""Scenes for Godot 4.3 or later (.tscn): a TileMapLayer, its TileSet and the atlas of its tiles.

Maps of squares and hexagons are written, not read. `atlas` maps each pattern to a tile in the atlas and its
flip flags. Start with `write`.
"""

from functools import partial

from wavefold.formats.godot.write import check_godot, encode_godot, list_godot_companions
from wavefold.formats.pattern_sheet import write_map_files
from wavefold.plugins.map_formats import MapFormat

__all__ = ["GODOT"]

GODOT = MapFormat(
    description="Scenes for Godot 4.3 or later, with TileSet and atlas.",
    endings=(".tscn",),
    write=partial(write_map_files, encode_godot),
    options=("tile_size", "objects"),
    check=check_godot,
    companions=list_godot_companions,
)
