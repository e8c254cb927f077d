"""What may touch what, in the author's words; compiled to rules."""

from wavefold.tiles.relation import Relation
from wavefold.tiles.rules import Rules
from wavefold.tiles.tile import Pattern, Tile
from wavefold.tiles.tileset import TileSet

__all__ = ["Pattern", "Relation", "Rules", "Tile", "TileSet"]
