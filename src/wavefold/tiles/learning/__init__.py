"""Tile sets learned from samples: from overlapping windows (`learn`) or single cells (`learn_adjacency`).

`samples` reads pictures and arrays, `formats` reads files of other programs. The result is a
`LearnedTileSet`. Start with `overlapping`.
"""

from wavefold.tiles.learning.adjacency import learn_adjacency
from wavefold.tiles.learning.learned_tileset import LearnedTileSet
from wavefold.tiles.learning.overlapping import learn

__all__ = ["LearnedTileSet", "learn", "learn_adjacency"]
