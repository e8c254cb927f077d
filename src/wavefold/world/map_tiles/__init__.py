"""Map tiles: pictures of 256 x 256 pixels of an endless world at any zoom, which fit each other to the pixel.

How they are stored or sent is somebody else's business. Start with `draw`, then `zoom`: where cells lie.
"""

from wavefold.world.map_tiles.draw import MapTile, draw_map_tile
from wavefold.world.map_tiles.zoom import LARGEST_ZOOM, SMALLEST_ZOOM

__all__ = ["LARGEST_ZOOM", "SMALLEST_ZOOM", "MapTile", "draw_map_tile"]
