"""What happened, for those who watch. Read off the trail: nobody listening, nothing to pay."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import unpack_bits
from wavefold.kernels import constants
from wavefold.kernels.structs import Wave


class Event(NamedTuple):
    """One thing that happened.

    kind : "chosen" (cell takes pattern), "removed" (cell lost patterns), "contradiction" (cell has
        nothing left), "undone" (a decision was taken back), "repaired" (cells around cell were opened
        again), "restarted"
    """

    kind: str
    cell: int = -1
    patterns: tuple[int, ...] = ()
    decision: int = 0  # how many decisions had been made


def removals(wave: Wave, start: int, width: int, decision: int) -> list[Event]:
    """The removals on the trail from `start` on, oldest first."""
    stop = int(wave.state[constants.TRAIL])
    domain_words = wave.changed_by.size * width
    places: NDArray[np.int32] = wave.trail_at[start:stop]
    bits = unpack_bits(wave.trail_removed[start:stop, None], 64)
    events = []
    for place, flags in zip(places.tolist(), bits, strict=True):
        lost = np.flatnonzero(flags)
        if place < domain_words and lost.size:
            cell, word = divmod(place, width)
            events.append(Event("removed", cell, tuple((word * 64 + lost).tolist()), decision))
    return events
