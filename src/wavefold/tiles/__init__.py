"""What may touch what, in the author's words; compiled to rules."""

from wavefold.tiles.learning import LearnedTileSet, learn, learn_adjacency
from wavefold.tiles.learning.bundled_samples import samples
from wavefold.tiles.neighbour_rules import Beside
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
    "samples",
]
