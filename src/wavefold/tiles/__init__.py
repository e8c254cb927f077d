"""What may touch what, in the author's words; compiled to rules."""

from wavefold.tiles.beside import Beside
from wavefold.tiles.learned import LearnedTileSet
from wavefold.tiles.learning import learn, learn_adjacency
from wavefold.tiles.orientation import RINGS, Orientation
from wavefold.tiles.relation import Relation
from wavefold.tiles.rules import Rules
from wavefold.tiles.tile import Art, Pattern, Pixels, Tile
from wavefold.tiles.tileset import TileSet

__all__ = [
    "RINGS",
    "Art",
    "Beside",
    "LearnedTileSet",
    "Orientation",
    "Pattern",
    "Pixels",
    "Relation",
    "Rules",
    "Tile",
    "TileSet",
    "learn",
    "learn_adjacency",
]
