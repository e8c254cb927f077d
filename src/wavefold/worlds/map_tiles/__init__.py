"""Map tiles: pictures of 256 x 256 pixels of an endless world at any zoom, which join without gaps.

Start with `draw`, then `zoom`, which computes the positions of cells.
"""

from wavefold.worlds.map_tiles.draw import MapTile, draw_map_tile
from wavefold.worlds.map_tiles.zoom import LARGEST_ZOOM, SMALLEST_ZOOM

__all__ = ["LARGEST_ZOOM", "SMALLEST_ZOOM", "MapTile", "draw_map_tile"]
