"""Scenes for Godot 4.3 or later (.tscn): a TileMapLayer, its TileSet and the atlas of its tiles.

Maps of squares and hexagons are written, not read. `atlas` maps each pattern to a tile in the atlas and its
flip flags. Start with `write`.
"""

from wavefold.formats.godot.write import check_godot, list_godot_companions, write_godot
from wavefold.plugins.map_formats import MapFormat

__all__ = ["GODOT", "write_godot"]

GODOT = MapFormat(
    description="Scenes for Godot 4.3 or later, with TileSet and atlas.",
    endings=(".tscn",),
    write=write_godot,
    options=("tile_size", "objects"),
    check=check_godot,
    companions=list_godot_companions,
)
