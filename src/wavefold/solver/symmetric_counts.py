"""Round limits on the number of cells for symmetric maps, where only multiples of some number are possible.

Otherwise a search for a mirrored map with an even number of columns and exactly one entrance would try every
place for the entrance, and all maps around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.solver.propagators import Propagator, Tally, TwinCells

MOST_MOVES = 64  # a square has eight symmetries, a hexagon twelve


class MapSymmetry(NamedTuple):
    """A move that leaves a map unchanged."""

    twin: NDArray[np.int32]  # [cell] the cell it moves to
    image: NDArray[np.int32]  # [pattern] the pattern it becomes, or -1

    def key(self) -> bytes:
        """Return a key that is equal for equal moves."""
        return self.twin.tobytes() + self.image.tobytes()


def round_tallies(propagators: tuple[Propagator, ...]) -> tuple[Propagator, ...]:
    """Return the propagators with the limits of tallies rounded to numbers that a symmetric map can have."""
    twins = [each for each in propagators if isinstance(each, TwinCells)]
    if not twins:
        return propagators
    return tuple(round_tally(each, twins) if isinstance(each, Tally) else each for each in propagators)


def round_tally(tally: Tally, twins: Sequence[TwinCells]) -> Tally:
    """Return the tally with limits rounded to multiples of `find_step`."""
    step = find_step(tally, twins)
    if step == 0:  # no cell can be counted
        return replace(tally, most=0)
    most = None if tally.most is None else tally.most // step * step
    return replace(tally, least=-(-tally.least // step) * step, most=most)


def find_step(tally: Tally, twins: Sequence[TwinCells]) -> int:
    """Return a divisor of every possible count; 0 if only a count of 0 is possible.

    If a tally counts all images of its patterns, it counts all cells that are images of each other, or none.
    """
    area = tally.cells(twins[0].twin.size)
    for each in twins:
        group = np.flatnonzero(tally.patterns & each.patterns)
        if not np.array_equal(np.sort(each.image[group]), group) or (area[each.twin] != area).any():
            return 1
    moves = list_symmetries(twins)
    if len(moves) == MOST_MOVES:
        return 1
    group = np.flatnonzero(tally.patterns)
    keeps_pattern = np.array([move.image[group] == group for move in moves])  # [move, counted pattern]
    keeps_cell = np.array([move.twin == np.arange(area.size) for move in moves])  # [move, cell]
    # Cells are of one kind if the same moves keep them in place.
    kinds, kind_of = np.unique(keeps_cell, axis=1, return_inverse=True)
    possible = [bool(keeps_pattern[kept].all(axis=0).any()) for kept in kinds.T]
    is_countable = area & np.array(possible)[kind_of.reshape(-1)]
    orbit = np.min([move.twin for move in moves], axis=0)  # numbered by its first cell
    sizes = np.bincount(orbit)
    is_whole = np.bincount(orbit, is_countable) == sizes
    return int(np.gcd.reduce(sizes[is_whole & (sizes > 0)], initial=0))


def list_symmetries(twins: Sequence[TwinCells]) -> list[MapSymmetry]:
    """List all moves composed of these, including the identity; stops at `MOST_MOVES`."""
    given = [MapSymmetry(each.twin, each.image) for each in twins]
    cells, patterns = (np.arange(size, dtype=np.int32) for size in (twins[0].twin.size, twins[0].image.size))
    found = [MapSymmetry(cells, patterns)]
    known = {found[0].key()}
    for move in islice(found, MOST_MOVES):  # grows during the loop
        for first in given:
            both = MapSymmetry(
                move.twin[first.twin], np.where(first.image < 0, np.int32(-1), move.image[first.image])
            )
            if both.key() not in known:
                known.add(both.key())
                found.append(both)
    return found[:MOST_MOVES]
