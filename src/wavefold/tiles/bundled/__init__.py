"""Tile sets that come with wavefold. Their pictures are drawn by code: there are no files to lose.

`TileSet.load("pipes")` finds them by name. The first line of each function's docstring is what
`wavefold tilesets` shows.
"""

from wavefold.tiles.bundled.blocks import blocks
from wavefold.tiles.bundled.castle import castle
from wavefold.tiles.bundled.circuit import circuit
from wavefold.tiles.bundled.dungeon import dungeon
from wavefold.tiles.bundled.knots import knots
from wavefold.tiles.bundled.meadow import meadow
from wavefold.tiles.bundled.medieval import medieval
from wavefold.tiles.bundled.plumbing import pipes
from wavefold.tiles.bundled.terrain import terrain

__all__ = ["blocks", "castle", "circuit", "dungeon", "knots", "meadow", "medieval", "pipes", "terrain"]
