"""A tile set as files of the package: what `TileSet.save` writes, with a note."""

from __future__ import annotations

from pathlib import Path

from draw_tilesets.objects import OBJECTS
from draw_tilesets.refining import with_activities
from wavefold.tiles import TileSet

NOTE = "# Drawn by tools/draw_tilesets: change it there, then run `make tilesets`.\n"
CREDITS = {"medieval": "# Its tiles are those of felixturner/hex-map-wfc (MIT); its pictures are not.\n"}


def write_tileset(tiles: TileSet, folder: Path) -> Path:
    """Write NAME.toml and its sheets into a folder. Returns the path of the TOML file."""
    path = folder / f"{tiles.name}.toml"
    with_activities(tiles.with_objects(OBJECTS.get(tiles.name, ()))).save(path)
    path.write_text(NOTE + CREDITS.get(tiles.name, "") + "\n" + path.read_text("utf-8"), "utf-8")
    return path
