"""Slow, obvious versions of what the audit computes, and audits that several tests read."""

from functools import cache
from itertools import product

import numpy as np

import wavefold as wf

LATTICES = {
    "square": wf.SquareGrid(3, 3),
    "hex": wf.HexGrid.rhombus(3, 3),
    "cube": wf.CubeGrid(3, 3, 3),
}


@cache
def quick_audit(name):
    """The quick audit of a bundled tile set, made once."""
    return wf.audit(wf.TileSet.load(name))


def fitting(tiles, asked):
    """Patterns that may stand between these neighbours: {side: pattern}."""
    allowed = tiles.rules.allowed
    return [
        pattern
        for pattern in range(len(tiles))
        if all(allowed[side, pattern, neighbour] for side, neighbour in asked.items())
    ]


def around(topology, sides):
    """Places of the neighbours on these sides, then of the cells that touch two of them; the cell is at 0."""
    steps = [np.array(step) for step in LATTICES[topology].steps]
    neighbours = [steps[side] for side in sides]
    beyond = []
    if topology != "hex":
        beyond = [one + other for i, one in enumerate(neighbours) for other in neighbours[:i]]
    return neighbours + beyond


def placements(tiles, sides):
    """Every way to fill the neighbours on these sides so that they and what lies beyond fit together."""
    steps = {tuple(step): side for side, step in enumerate(np.array(LATTICES[tiles.topology].steps).tolist())}
    places = around(tiles.topology, sides)
    allowed = tiles.rules.allowed
    touching = [
        (i, j, steps[tuple((places[j] - places[i]).tolist())])
        for i, j in product(range(len(places)), repeat=2)
        if tuple((places[j] - places[i]).tolist()) in steps
    ]
    for patterns in product(range(len(tiles)), repeat=len(places)):
        if all(allowed[side, patterns[i], patterns[j]] for i, j, side in touching):
            yield dict(zip(sides, patterns[: len(sides)], strict=True))


def failing_pairs(tiles, pairs):
    """[(side, what its neighbour is, side, what its neighbour is)] that can arise and that nothing fits."""
    found = set()
    for sides in pairs:
        for asked in placements(tiles, sides):
            if not fitting(tiles, asked):
                found.add(tuple(asked.items()))
    return found
