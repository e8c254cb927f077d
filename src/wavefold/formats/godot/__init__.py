"""Scenes for Godot 4.3 or later (.tscn): a TileMapLayer, its TileSet and the atlas of its tiles.

Maps of squares and hexagons are written, not read. `atlas` says which tile of the picture shows a pattern,
and how it is flipped there; start with `write`.
"""

from wavefold.formats.godot.write import check_godot, godot_companions, write_godot
from wavefold.map_format import MapFormat

__all__ = ["GODOT", "write_godot"]

GODOT = MapFormat(
    description="Scenes for Godot 4.3 or later, with TileSet and atlas.",
    endings=(".tscn",),
    write=write_godot,
    options=("tile_size", "objects"),
    check=check_godot,
    companions=godot_companions,
)
