"""Draws the tile sets that come with wavefold: `make tilesets` writes them to src/wavefold/data/tilesets/.

None of this is part of the package, which only reads the files: TOML and PNG, like anybody's tile set. A set
is one module with a function of its name; what several draw with is in `pixels`. Start with `pipes`, the
smallest.
"""

from draw_tilesets.blocks import blocks
from draw_tilesets.castle import castle
from draw_tilesets.circuit import circuit
from draw_tilesets.dungeon import dungeon
from draw_tilesets.knots import knots
from draw_tilesets.meadow import meadow
from draw_tilesets.medieval import medieval
from draw_tilesets.pipes import pipes
from draw_tilesets.terrain import terrain
from draw_tilesets.write import write_tileset

SETS = (blocks, castle, circuit, dungeon, knots, meadow, medieval, pipes, terrain)

__all__ = ["SETS", "write_tileset"]
