"""Tile sets that come with wavefold. Their pictures are drawn by code: there are no files to lose.

`TileSet.load("pipes")` finds them by name. The first line of each function's docstring is what
`wavefold tilesets` shows.
"""

from wavefold.tiles.bundled.meadow import meadow
from wavefold.tiles.bundled.plumbing import pipes

__all__ = ["meadow", "pipes"]
