"""`make calibrate SETS="castle terrain"`: find the activities of bundled sets; by default of all."""

import sys

from draw_tilesets import SETS
from draw_tilesets.refining import HOW, calibrate_set

names = sys.argv[1:] or [name for name, how in HOW.items() if how["sweeps"]]
makers = {make.__name__: make for make in SETS}
for name in names:
    calibrate_set(makers[name]())
