"""What may touch what, in the author's words; compiled to rules."""

from wavefold.tiles.learned import LearnedTileSet
from wavefold.tiles.learning import learn, learn_adjacency
from wavefold.tiles.relation import Relation
from wavefold.tiles.rules import Rules
from wavefold.tiles.tile import Pattern, Tile
from wavefold.tiles.tileset import TileSet

__all__ = [
    "LearnedTileSet",
    "Pattern",
    "Relation",
    "Rules",
    "Tile",
    "TileSet",
    "learn",
    "learn_adjacency",
]
