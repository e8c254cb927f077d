"""`make tilesets`: draw all bundled tile sets, into src/wavefold/data/tilesets/ or the folder named."""

import sys
from pathlib import Path

from draw_tilesets import SETS, write_tileset

PACKAGED = Path(__file__).parents[2] / "src" / "wavefold" / "data" / "tilesets"

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGED
for make in SETS:
    print(write_tileset(make(), folder))
