"""Tile sets learned from samples: `learn` takes windows that overlap, `learn_adjacency` single cells.

Reading pictures and arrays is in `samples`; files of other programs are read by `formats`. Start with
`overlapping`; the result is a `LearnedTileSet`.
"""

from wavefold.tiles.learning.adjacency import learn_adjacency
from wavefold.tiles.learning.learned_tileset import LearnedTileSet
from wavefold.tiles.learning.overlapping import learn

__all__ = ["LearnedTileSet", "learn", "learn_adjacency"]
