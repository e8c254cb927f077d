"""The arrays of refining: rules and weights, and a map with the window that is proposed next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.array_struct import ArrayStruct

OUTSIDE = np.int32(-1)  # in RefineMap.slot and RefineMap.beside: not a cell of the window
EFFORT = 10  # in RefineMap.state: visits, or patterns looked at, so far

# Unused rows after each page: the rows used most, those of the value 0, would otherwise be a power of two
# apart, and drive each other out of the processor's cache. Without them, large windows take twice as long.
SPARE = 4
PAGE = np.uint64(256 + SPARE)  # values of a byte


@dataclass(frozen=True, eq=False)
class RefineRules(ArrayStruct):
    """What may touch, and how much each pattern weighs: a map's probability is the product of these weights.

    Weights change between two sweeps only. Up to 256 patterns, kinds that may not touch themselves are part
    of the classes; beyond, they would multiply them, and are looked at where a cell has one pattern left.
    `class_pages` is for more than 64 patterns of up to 64 classes: a page has the values of a byte up to 256
    patterns, else those of four bits.
    """

    class_of: NDArray[np.int32]  # [relation, pattern]
    rows: NDArray[np.uint64]  # [relation, class, word] the patterns allowed on that side
    members: NDArray[np.uint64]  # [relation, class, word] the patterns of a class; empty with pages
    kind: NDArray[np.int32]  # [pattern] patterns of one kind may not touch each other; -1: no kind
    kind_members: NDArray[np.uint64]  # [kind, word]
    pages: NDArray[np.uint64]  # [relation * page * value * word] what a byte of a domain allows; may be empty
    class_pages: NDArray[np.uint64]  # [page * value * relation] the classes of a part of a domain, or empty;
    # then `pages` has what a part of the classes allows
    weight: NDArray[np.int64]  # [pattern] activity included, at least 1
    weight_log: NDArray[np.int64]  # [pattern] ln(weight), in 1 / 2**LOG_BITS
    cell_log: NDArray[np.int32]  # [cell, pattern] ln of the cell's factor; empty if all cells weigh alike
    pair_row: NDArray[np.int32]  # [relation, pattern] into pair_log, or -1; empty without soft pairs
    pair_log: NDArray[np.int32]  # [row, pattern] ln of the factor on that pattern beside this one
    pair_mask: NDArray[np.uint64]  # [row, word] the patterns that have one
    logarithm: NDArray[np.int64]  # [step] see `bits.build_log_table`
    power: NDArray[np.int64]  # [step] see `refine_sweep.build_power_table`


@dataclass(frozen=True, eq=False)
class RefineMap(ArrayStruct):
    """A finished map, and the window that is proposed next."""

    pattern: NDArray[np.int32]  # [cell] the map
    root: NDArray[np.uint64]  # [cell * word] what each cell may be
    narrowed: NDArray[np.uint8]  # [cell] whether its root has less than all patterns
    free: NDArray[np.uint8]  # [cell] whether it may change
    centre: NDArray[np.int32]  # the free cells, where windows are proposed; the first state[CENTRES] count
    slot: NDArray[np.int32]  # [cell] its slot in the window, or OUTSIDE
    axis: NDArray[np.int32]  # [axis] the direction along it; empty: windows are balls
    cell: NDArray[np.int32]  # [slot]
    beside: NDArray[np.int32]  # [slot, direction] the slot of the neighbour, or OUTSIDE
    start: NDArray[np.uint64]  # [slot * word] what the rim leaves possible
    domain: NDArray[np.uint64]  # [slot * word] what is possible while the window is decided
    decided: NDArray[np.int32]  # [slot] what was decided so far
    proposed: NDArray[np.int32]  # [slot] what is proposed
    queue: NDArray[np.int32]  # ring buffer of slots to visit; its size is a power of two
    queued: NDArray[np.uint8]  # [slot] IDLE, the direction of the one neighbour that narrowed it, or MANY
    classes: NDArray[np.uint64]  # [relation] scratch; padded to a multiple of four
    support: NDArray[np.uint64]  # [word] scratch
    stamp: NDArray[np.int64]  # [class] when it was last seen; the last entry is the clock
    candidate: NDArray[np.int64]  # [pattern] scratch: weights under comparison
    pairs: NDArray[np.int32]  # [direction] scratch: rows of RefineRules.pair_log that matter
    state: NDArray[np.int64]  # see `refine_sweep`: SEED, …


@dataclass(frozen=True, eq=False)
class WindowTests(ArrayStruct):
    """The rules about more than two cells that a map must satisfy; empty without constraints."""

    propagator: NDArray[np.int64]  # [propagator, column] as in `RuleTable`
    member: NDArray[np.uint8]  # [group, pattern]
    area: NDArray[np.uint8]  # [area, cell]
    barrier: NDArray[np.uint32]  # [barrier, cell] sides, as bits
    path_side: NDArray[np.uint32]  # [network, node, pattern] sides, as bits
    count: NDArray[np.int64]  # [tally, (least, now, most)]
    reached: NDArray[np.int64]  # [cell * node] when it was last reached; the last entry is the clock
    frontier: NDArray[np.int32]  # [cell * node] scratch: what was reached, in order
