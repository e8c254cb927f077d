"""The arrays of refining: rules and weights, and a map with the window that is proposed next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavefold.kernels.array_struct import (
    ArrayStruct,
    Int32Array1,
    Int32Array2,
    Int64Array1,
    Int64Array2,
    UInt8Array1,
    UInt8Array2,
    UInt32Array2,
    UInt32Array3,
    UInt64Array1,
    UInt64Array2,
    UInt64Array3,
)

OUTSIDE = np.int32(-1)  # in RefineMap.slot and RefineMap.beside: not a cell of the window

# RefineMap.state
(
    SEED,  # the bits of an unsigned number
    DRAWS,  # random numbers drawn so far for this window
    PROPOSED,  # cells
    WINDOWS,
    ACCEPTED,  # windows
    DEAD_ENDS,  # windows
    CHANGED,  # cells that became another pattern
    EFFORT,  # visits, or patterns tested
    SHIFT,  # ln of what the weights in RefineMap.candidate are divided by, in 1 / 2**LOG_BITS
    FORK,  # the first slot where the proposal differs from the map, or NOWHERE
    FORK_TOTAL,  # ln(product of S) of the slots before it
    FORK_EFFORT,  # what deciding these took; before the fork, EFFORT when deciding began
    REFINE_STATE_SIZE,
) = range(13)

# Rounds.number
(
    KEY,  # of the random numbers of all windows
    FIRST_WINDOW,  # number of the first window: each has random numbers of its own
    SIZE,  # of windows: cells a side, or cells in all if they are balls
    CHANCE,  # that a window is proposed, in 1 / 2**32
    CENTRES,  # of balls: how many entries of RefineMap.centre there are
    ALWAYS,  # 1: accept every proposal that is no dead end
    NUMBERS,
) = range(7)

# Rounds.axis
(
    STRIDE,  # from place to place along the axis
    ORIGIN,  # the first coordinate of free cells
    SPAN,  # how many coordinates free cells have
    BLOCKS,
    LENGTH,  # of a window
    GAP,  # between two windows: neighbours are nearer
    OFFSET,  # where the first block begins
    AXIS_SIZE,
) = range(8)

# Unused rows after each page: the rows used most, those of the value 0, would otherwise be a power of two
# apart, and evict each other from the processor's cache. Without them, large windows take twice as long.
SPARE = 4
PAGE = np.uint64(256 + SPARE)  # values of a byte


@dataclass(frozen=True, eq=False)
class RefineRules(ArrayStruct):
    """What may touch, and how much each pattern weighs: a map's probability is the product of these weights.

    Weights change between two sweeps only. Up to 256 patterns, kinds that may not touch themselves are part
    of the classes; beyond, they would multiply them, and are tested where a cell has one pattern left.
    `class_pages` is for more than 64 patterns of up to 64 classes: a page has the values of a byte up to 256
    patterns, else those of four bits.
    """

    class_of: Int32Array2  # [relation, pattern]
    rows: UInt64Array3  # [relation, class, word] the patterns allowed on that side
    members: UInt64Array3  # [relation, class, word] the patterns of a class; empty with pages
    kind: Int32Array1  # [pattern] patterns of one kind may not touch each other; -1: no kind
    kind_members: UInt64Array2  # [kind, word]
    pages: UInt64Array1  # [relation * page * value * word] what a byte of a domain allows; may be empty
    digits: UInt64Array1  # [digit * value * relation] as `RuleTable.allowed_by_digit`; empty beyond one word
    pattern_rows: UInt64Array1  # [pattern * relation * QUAD] what one pattern allows; empty unless four words
    class_pages: UInt64Array1  # [page * value * relation] the classes of a part of a domain, or empty;
    # then `pages` has what a part of the classes allows
    weight: Int64Array1  # [pattern] activity included, at least 1
    weight_log: Int64Array1  # [pattern] ln(weight), in 1 / 2**LOG_BITS
    cell_log: Int32Array2  # [cell, pattern] ln of the cell's factor; empty if all cells weigh alike
    pair_row: Int32Array2  # [relation, pattern] into pair_log, or -1; empty without soft pairs
    pair_log: Int32Array2  # [row, pattern] ln of the factor on that pattern beside this one
    pair_mask: UInt64Array2  # [row, word] the patterns that have one
    logarithm: Int64Array1  # [step] see `logarithms.build_log_table`
    power: Int64Array1  # [step] see `logarithms.build_power_table`


@dataclass(frozen=True, eq=False)
class RefineMap(ArrayStruct):
    """A finished map, and the window that is proposed next."""

    pattern: Int32Array1  # [cell] the map
    root: UInt64Array1  # [cell * word] what each cell may be
    narrowed: UInt8Array1  # [cell] whether its root has less than all patterns
    free: UInt8Array1  # [cell] whether it may change
    centre: Int32Array1  # the free cells, where balls are proposed; Rounds.number has how many
    slot: Int32Array1  # [cell] its slot in its window, or OUTSIDE
    corner: Int64Array1  # [axis] scratch: the lowest coordinates of a box, counted in its cycle
    cell: Int32Array1  # [slot]
    beside: Int32Array2  # [slot, direction] the slot of the neighbour, or OUTSIDE
    domain: UInt64Array1  # [slot * word] what is possible while the window is decided
    # [slot * direction] classes left at the last visit; empty unless `propagate_few_classes` runs
    live: UInt64Array1
    fork_domain: UInt64Array1  # both, when the slot FORK is decided
    fork_live: UInt64Array1
    decided: Int32Array1  # [slot] what was decided so far
    proposed: Int32Array1  # [slot] what is proposed
    queue: Int32Array1  # ring buffer of slots to visit; its size is a power of two
    queued: UInt8Array1  # [slot] IDLE, the direction of the one neighbour that narrowed it, or MANY
    classes: UInt64Array1  # [relation] scratch; padded to a multiple of four
    support: UInt64Array1  # [word] scratch
    stamp: Int64Array1  # [class] when it was last seen; the last entry is the clock
    candidate: Int64Array1  # [pattern] scratch: weights under comparison
    pairs: Int32Array1  # [direction] scratch: rows of RefineRules.pair_log that matter
    state: Int64Array1  # SEED, …


@dataclass(frozen=True, eq=False)
class Rounds(ArrayStruct):
    """Where the windows of a round lie. Only `begin_round` and `propose_rounds` write it.

    A round has a box in each block of a lattice of blocks, which goes round and round the free cells. Boxes
    of a round do not touch, so that they can be proposed in any order, or at once.
    """

    place: Int32Array1  # [place] -> cell, or -1: the cells of a lattice by coordinates
    axis: Int64Array2  # [axis, column]: STRIDE, …; no axes: windows are balls
    number: Int64Array1  # KEY, …


@dataclass(frozen=True, eq=False)
class WindowTests(ArrayStruct):
    """The rules about more than two cells that a map must satisfy; empty without constraints."""

    propagator: Int64Array2  # [propagator, column] as in `RuleTable`
    member: UInt8Array2  # [group, pattern]
    area: UInt8Array2  # [area, cell]
    barrier: UInt32Array2  # [barrier, cell] sides, as bits
    path_side: UInt32Array3  # [network, node, pattern] sides, as bits
    count: Int64Array2  # [tally, (least, now, most)]
    reached: Int64Array1  # [cell * node] when it was last reached; the last entry is the clock
    frontier: Int32Array1  # [cell * node] scratch: what was reached, in order
    parent: Int32Array1  # [piece] scratch: the piece that it was joined with, or itself
    waiting: Int32Array1  # [piece] scratch: its nodes whose neighbours are still to be visited
