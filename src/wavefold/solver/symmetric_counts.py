"""How many cells of a symmetric map can have a pattern of a group: often only multiples of some number.

Without this, a search for a mirrored map with an even number of columns and one entrance would try
every place for the entrance, and every map around it, before it finds none.
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
    """A way to move a map that leaves it the same."""

    twin: NDArray[np.int32]  # [cell] the cell that it moves to
    image: NDArray[np.int32]  # [pattern] the pattern that it becomes, or -1

    def key(self) -> bytes:
        """The same for equal moves."""
        return self.twin.tobytes() + self.image.tobytes()


def round_tallies(propagators: tuple[Propagator, ...]) -> tuple[Propagator, ...]:
    """The same propagators; tallies have limits that a symmetric map can meet exactly."""
    twins = [each for each in propagators if isinstance(each, TwinCells)]
    if not twins:
        return propagators
    return tuple(round_tally(each, twins) if isinstance(each, Tally) else each for each in propagators)


def round_tally(tally: Tally, twins: Sequence[TwinCells]) -> Tally:
    """The tally with its limits rounded to multiples of what is counted together."""
    step = find_step(tally, twins)
    if step == 0:  # no cell can be counted
        return replace(tally, most=0)
    most = None if tally.most is None else tally.most // step * step
    return replace(tally, least=-(-tally.least // step) * step, most=most)


def find_step(tally: Tally, twins: Sequence[TwinCells]) -> int:
    """A number that every possible count is a multiple of; 0 if only 0 is possible.

    If all images of its patterns are counted, cells that are images of each other are all counted or none.
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
    # Cells are of one kind if the same moves keep them where they are.
    kinds, kind_of = np.unique(keeps_cell, axis=1, return_inverse=True)
    possible = [bool(keeps_pattern[kept].all(axis=0).any()) for kept in kinds.T]
    is_countable = area & np.array(possible)[kind_of.reshape(-1)]
    orbit = np.min([move.twin for move in moves], axis=0)  # numbered by its first cell
    sizes = np.bincount(orbit)
    is_whole = np.bincount(orbit, is_countable) == sizes
    return int(np.gcd.reduce(sizes[is_whole & (sizes > 0)], initial=0))


def list_symmetries(twins: Sequence[TwinCells]) -> list[MapSymmetry]:
    """All moves that are made of these, one after another, and staying; `MOST_MOVES` if there may be more."""
    given = [MapSymmetry(each.twin, each.image) for each in twins]
    cells, patterns = (np.arange(size, dtype=np.int32) for size in (twins[0].twin.size, twins[0].image.size))
    found = [MapSymmetry(cells, patterns)]
    known = {found[0].key()}
    for move in islice(found, MOST_MOVES):  # which grows meanwhile
        for first in given:
            both = MapSymmetry(
                move.twin[first.twin], np.where(first.image < 0, np.int32(-1), move.image[first.image])
            )
            if both.key() not in known:
                known.add(both.key())
                found.append(both)
    return found[:MOST_MOVES]
