"""The arrays of refining: rules with weights, a map with its current window, rounds, and tests."""

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

OUTSIDE = np.int32(-1)  # in RefineMap.slot and RefineMap.beside: the cell is not in the window

# RefineMap.state
(
    SEED,  # of the current window
    DRAWS,  # number of random draws for the current window
    PROPOSED,  # number of proposed cells
    WINDOWS,  # number of proposed windows
    ACCEPTED,  # number of accepted windows
    DEAD_ENDS,  # number of proposals that ended in a conflict
    CHANGED,  # number of cells that changed
    EFFORT,  # number of visits or tested patterns
    SHIFT,  # logarithm of the divisor of the weights in RefineMap.candidate, in 1 / 2**LOG_BITS
    FORK,  # the first slot where the proposal differs from the map, or NOWHERE
    FORK_TOTAL,  # ln(product of S) of the slots before the fork
    FORK_EFFORT,  # EFFORT spent on these slots; until the fork is found, EFFORT at the start
    REFINE_STATE_SIZE,
) = range(13)

# Rounds.number
(
    KEY,  # seed of the random numbers of all windows
    FIRST_WINDOW,  # number of the first window; each window has its own random numbers
    SIZE,  # size of windows: cells per side of a box, or cells of a ball
    CHANCE,  # probability that a window is proposed, in 1 / 2**32
    CENTRES,  # number of entries of RefineMap.centre
    ALWAYS,  # 1: accept every proposal that is not a dead end
    NUMBERS,
) = range(7)

# Rounds.axis
(
    STRIDE,  # difference between adjacent places along the axis
    ORIGIN,  # first coordinate of free cells
    SPAN,  # number of coordinates of free cells
    BLOCKS,  # number of blocks
    LENGTH,  # length of a window
    GAP,  # cells between two windows, so that they do not touch
    OFFSET,  # coordinate where the first block begins
    AXIS_SIZE,
) = range(8)

# Unused rows after each page. Without this padding, the most used rows, those of value 0, would be a power of
# two apart and evict each other from the cache, and large windows would take twice as long.
SPARE = 4
PAGE = np.uint64(256 + SPARE)  # rows of a page: one for each value of a byte, and padding


@dataclass(frozen=True, eq=False)
class RefineRules(ArrayStruct):
    """Which patterns may touch, and their weights: the probability of a map is the product of its weights.

    Weights change only between sweeps. For up to 256 patterns, kinds that may not touch themselves are part
    of the classes. For more patterns, this would create too many classes, so kinds are tested when a cell has
    one pattern. `class_pages` is used for more than 64 patterns of up to 64 classes. A page has a row for
    each value of a byte up to 256 patterns, and for each value of four bits beyond.
    """

    class_of: Int32Array2  # [relation, pattern]
    rows: UInt64Array3  # [relation, class, word] the patterns allowed on that side
    members: UInt64Array3  # [relation, class, word] the patterns of a class; empty with pages
    kind: Int32Array1  # [pattern] patterns of one kind may not touch each other; -1: no kind
    kind_members: UInt64Array2  # [kind, word]
    # [relation * page * value * word] the patterns that a byte of a domain allows or, with class_pages, that
    # a part of the classes allows; may be empty
    pages: UInt64Array1
    digits: UInt64Array1  # [digit * value * relation] see `RuleTable.allowed_by_digit`; empty beyond one word
    pattern_rows: UInt64Array1  # [pattern * relation * QUAD] support of a pattern; empty unless four words
    class_pages: UInt64Array1  # [page * value * relation] the classes of a part of a domain; may be empty
    weight: Int64Array1  # [pattern] at least 1, including the activity
    weight_log: Int64Array1  # [pattern] ln(weight), in 1 / 2**LOG_BITS
    cell_log: Int32Array2  # [cell, pattern] ln of the factor in the cell; empty if all cells are alike
    pair_row: Int32Array2  # [relation, pattern] -> row of pair_log, or -1; empty without soft pairs
    pair_log: Int32Array2  # [row, pattern] ln of the factor on a neighbouring pattern
    pair_mask: UInt64Array2  # [row, word] the neighbouring patterns with a factor
    logarithm: Int64Array1  # [step] see `logarithms.build_log_table`
    power: Int64Array1  # [step] see `logarithms.build_power_table`


@dataclass(frozen=True, eq=False)
class RefineMap(ArrayStruct):
    """A finished map, and its current window."""

    pattern: Int32Array1  # [cell] the map
    root: UInt64Array1  # [cell * word] domains at the root
    narrowed: UInt8Array1  # [cell] whether the root domain lacks any pattern
    free: UInt8Array1  # [cell] whether it may change
    centre: Int32Array1  # the free cells, which are centres of balls; CENTRES is their number
    slot: Int32Array1  # [cell] its slot in the window, or OUTSIDE
    corner: Int64Array1  # [axis] scratch: the lowest coordinates of a box, before wrapping around
    cell: Int32Array1  # [slot]
    beside: Int32Array2  # [slot, direction] the slot of the neighbour, or OUTSIDE
    domain: UInt64Array1  # [slot * word] domains while the window is decided
    # [slot * direction] live classes at the last visit; empty unless `propagate_few_classes` is used
    live: UInt64Array1
    fork_domain: UInt64Array1  # copy of domain before slot FORK is decided
    fork_live: UInt64Array1  # copy of live before slot FORK is decided
    decided: Int32Array1  # [slot] pattern decided so far
    proposed: Int32Array1  # [slot] proposed pattern
    queue: Int32Array1  # ring buffer of slots to visit; its size is a power of two
    queued: UInt8Array1  # [slot] IDLE, the direction of the only neighbour that narrowed it, or MANY
    classes: UInt64Array1  # [relation] scratch; padded to a multiple of four
    support: UInt64Array1  # [word] scratch
    stamp: Int64Array1  # [class] time when it was last seen; the last entry is the clock
    candidate: Int64Array1  # [position] scratch: weights of the patterns in a domain
    pairs: Int32Array1  # [position] scratch: rows of RefineRules.pair_log that apply
    state: Int64Array1  # SEED, …


@dataclass(frozen=True, eq=False)
class Rounds(ArrayStruct):
    """The positions of the windows of a round. Only `begin_round` and `propose_rounds` write to it.

    A round divides the free cells into blocks, which wrap around, and places a box in each block. The boxes
    of a round do not touch, so that they can be proposed in any order or in parallel.
    """

    place: Int32Array1  # [place] -> cell, or -1; a place is a position in the lattice
    axis: Int64Array2  # [axis, column] STRIDE, …; without axes, windows are balls
    number: Int64Array1  # KEY, …


@dataclass(frozen=True, eq=False)
class WindowTests(ArrayStruct):
    """The propagators that a map must satisfy, and scratch to test them; empty without constraints."""

    propagator: Int64Array2  # [propagator, column] see `RuleTable`
    member: UInt8Array2  # [group, pattern] whether a pattern is in a group
    area: UInt8Array2  # [area, cell] whether a cell is in an area
    barrier: UInt32Array2  # [barrier, cell] sides, as bits
    path_side: UInt32Array3  # [network, node, pattern] sides, as bits
    count: Int64Array2  # [tally, (least, now, most)]
    reached: Int64Array1  # [cell * node] time when it was last reached; the last entry is the clock
    frontier: Int32Array1  # [position] scratch: cells or nodes in the order in which they were reached
    parent: Int32Array1  # [piece] scratch: the piece that it was merged into, or itself
    waiting: Int32Array1  # [piece] scratch: the number of its nodes in the queue
