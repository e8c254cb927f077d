"""Small maps to test on: few cells, few tiles, every join."""

import wavefold as wf
from support import CASTLE, HEX_RIVERS, PIPES
from wavefold.patchwork.joins import Editable, Fixed, Overlap, Whole, Witness

RADIUS = 3
CHUNK = 24
SETS = {"rivers": HEX_RIVERS, "pipes": PIPES, "castle": CASTLE}
JOINS = {
    "fixed": Fixed(),
    "overlap": Overlap(),
    "editable": Editable(),
    "whole": Whole(),
    "witness": Witness(chunk=CHUNK),
}
SEVEN = [(0, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)]  # the first ring of hexagonal grids
NINE = [(0, 0), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
# The order in which nineteen hexagonal grids are built, ring by ring.
SPIRAL = [
    (0, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1), (-1, -2), (0, -2), (1, -2), (2, -1), (2, 0),
    (2, 1), (1, 1), (0, 2), (-1, 1), (-2, 1), (-2, 0), (-2, -1),
]  # fmt: skip
# How many cells of its neighbours each of them touches, when they are built in this order.
TOUCHING = [0, 9, 18, 18, 18, 18, 27, 18, 18, 27, 18, 27, 18, 27, 18, 27, 18, 27, 27]
AROUND = {"rivers": SEVEN, "pipes": NINE, "castle": NINE}


def small_map(tiles="rivers", join="overlap", seed=7, radius=RADIUS, **more):
    """An empty map."""
    return wf.Patchwork(SETS[tiles], radius, seed, JOINS[join], **more)


def full_map(tiles="rivers", join="overlap", seed=7, **more):
    """A map of a few grids."""
    made = small_map(tiles, join, seed, **more)
    made.populate_all(AROUND[tiles])
    return made
