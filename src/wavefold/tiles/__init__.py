"""Tiles, tile sets, and the rules that tile sets are compiled to.

A `TileSet` is defined by sockets, neighbour rules or a function, or learned from samples (`learning`). It is
compiled to `Rules`, the only form that the solver reads. `formats` reads tile sets from files, `render` draws
them. Start with `tile`, then `tileset`.
"""

from wavefold.options.groups import LARGEST_WINDOW, MOST_COLOURS
from wavefold.tiles.calibration import Calibration
from wavefold.tiles.learning import LearnedTileSet, learn, learn_adjacency
from wavefold.tiles.learning.colours import LARGEST_SCALE
from wavefold.tiles.learning.samples import samples
from wavefold.tiles.map_object import MapObject
from wavefold.tiles.neighbour_rules import Beside
from wavefold.tiles.orientation import Orientation, get_ring
from wavefold.tiles.rules import Relation, Rules, RuleShape
from wavefold.tiles.tile import Art, Pattern, Pixels, Tile
from wavefold.tiles.tileset import TileSet, get_rules

__all__ = [
    "LARGEST_SCALE",
    "LARGEST_WINDOW",
    "MOST_COLOURS",
    "Art",
    "Beside",
    "Calibration",
    "LearnedTileSet",
    "MapObject",
    "Orientation",
    "Pattern",
    "Pixels",
    "Relation",
    "RuleShape",
    "Rules",
    "Tile",
    "TileSet",
    "get_ring",
    "get_rules",
    "learn",
    "learn_adjacency",
    "samples",
]
