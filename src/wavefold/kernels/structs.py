"""Every array that kernels work on. All that changes while solving is in `Wave` and `CellQueue`.

A *word* is 64 patterns of a domain; a domain is as many words as the rules need.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.array_struct import ArrayStruct


@dataclass(frozen=True, eq=False)
class KernelGraph(ArrayStruct):
    """A `constants.CellGraph` for kernels. Read-only."""

    neighbour: NDArray[np.int32]  # [cell, direction] -> cell, or NOWHERE
    opposite: NDArray[np.int32]  # [direction] -> the direction that leads back
    rule: NDArray[np.int32]  # [direction] -> which relation of the rules holds on that side


@dataclass(frozen=True, eq=False)
class RuleTable(ArrayStruct):
    """Which patterns may touch, in the form each propagation method needs, and their weights.

    In a relation, patterns with the same row of allowed neighbours form one class. Read-only, except that
    weights may be overwritten between two solves (`kernels.regions.set_cell_weights`).
    """

    class_of: NDArray[np.int32]  # [relation, pattern]
    classes: NDArray[np.int32]  # [relation] number of classes
    members: NDArray[np.uint64]  # [relation, class, word] the patterns of a class
    rows: NDArray[np.uint64]  # [relation, class, word] the patterns allowed on that side
    partner: NDArray[np.int32]  # [relation] the facing relation if class c fits only its class c, else -1
    page_bits: NDArray[np.int64]  # [1] how many bits of a domain index one page of the next two tables
    # What a page allows (a page of patterns if AC3_TABLES, of classes if AC3_CLASSES), and its classes.
    allowed_by_page: NDArray[np.uint64]  # [relation * page * value * word]; empty for AC4, NAIVE
    classes_by_page: NDArray[np.uint64]  # [page * value * relation * word]; empty unless AC3_CLASSES
    row_start: NDArray[np.int32]  # [relation, pattern (+1)] into row_class; empty unless AC4
    row_class: NDArray[np.int32]  # classes whose row holds the pattern
    # A slot is direction * classes + class. Most of these are empty unless AC3_REMOVALS.
    slot: NDArray[np.int32]  # [direction, pattern]; empty unless AC3_REMOVALS or AC3_ROWS
    member_start: NDArray[np.int32]  # [slot (+1)] into member
    member: NDArray[np.int32]  # the patterns of a class
    fit_start: NDArray[np.int32]  # [slot (+1)] into fit
    fit: NDArray[np.int32]  # the patterns next door that a class supports
    # [slot] four of them, 16 bits each, the first as often as it takes. Of more members: the first four; of
    # more fits, or none: LARGE
    four_members: NDArray[np.uint64]
    four_fits: NDArray[np.uint64]
    member_rows: NDArray[np.uint64]  # [slot * ROW] the same as bits; empty unless AC3_ROWS
    fit_rows: NDArray[np.uint64]
    unsupported: NDArray[np.uint64]  # [direction, word] the patterns next door that no class supports
    all_patterns: NDArray[np.uint64]  # [word]
    kind: NDArray[np.int32]  # [pattern] patterns of one kind may not touch each other; -1: no kind
    kind_members: NDArray[np.uint64]  # [kind, word]
    tile: NDArray[np.int32]  # [pattern]
    weight: NDArray[np.int64]  # [cell or the single row 0, pattern] at least 1
    weight_log: NDArray[np.int64]  # [same] weight * ln(weight), in 1 / 2**LOG_BITS
    byte_sums: NDArray[np.int64]  # [byte, (value, 2)] sums of weight and weight_log over a byte of a domain
    logarithm: NDArray[np.int64]  # [step] ln(1 + step / LOG_STEPS)
    # Rules about more than two cells; empty without constraints. See `propagators`.
    propagator: NDArray[np.int64]  # [propagator, column]
    group: NDArray[np.uint64]  # [group, word] the patterns that propagators speak of
    area: NDArray[np.uint8]  # [area, cell]
    barrier: NDArray[np.uint32]  # [barrier, cell] sides, as bits
    twin: NDArray[np.int32]  # [symmetry, cell] -> cell
    image: NDArray[np.int32]  # [symmetry, pattern] -> pattern that the twin must have, or -1
    # [network, node, (all, side 0, side 1, …), word] the patterns that have a node, joined on a side
    path_mask: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Wave(ArrayStruct):
    """Domains, and all that is needed to narrow them and to undo that."""

    words: NDArray[np.uint64]  # [cell * word] domains, and behind them what `count_extra_words` says
    changed: NDArray[np.int32]  # ring buffer of changed cells to visit; its size is a power of two
    changed_by: NDArray[np.uint8]  # [cell] IDLE, the direction of the one neighbour that narrowed it, or MANY
    trail_at: NDArray[np.int32]  # [entry] index into words, oldest first
    trail_removed: NDArray[np.uint64]  # [entry] the bits that were cleared there
    counter: NDArray[np.int32]  # [cell, direction, class] supports left; empty unless AC4
    seen: NDArray[np.uint64]  # [cell * word] domains at the last visit; empty unless AC3_REMOVALS, AC3_ROWS
    gone: NDArray[np.uint64]  # [word] scratch of a visit
    listed: NDArray[np.int32]  # scratch of a visit: a list of patterns, behind it one of slots
    decision_cell: NDArray[np.int32]  # [depth]
    decision_pattern: NDArray[np.int32]  # [depth]
    decision_mark: NDArray[np.int64]  # [depth, (trail length, queue position)] before the decision
    collapsed: NDArray[np.uint8]  # [cell] chosen or pinned, not merely narrowed to one pattern
    snapshot: NDArray[np.uint64]  # [depth, words]; empty unless undo copies
    scratch: NDArray[np.uint64]  # [word]
    standing: NDArray[np.uint8]  # [tally, cell] ABSENT, OPEN or PRESENT, as counted
    total: NDArray[np.int64]  # [tally, (cells PRESENT, cells not ABSENT)]
    reached: NDArray[np.int64]  # [cell] when it was last reached; the last entry is the clock. Maybe empty
    frontier: NDArray[np.int32]  # [cell] scratch: cells in the order in which they were reached. Maybe empty
    joined: NDArray[np.int32]  # [network, cell * node] the sides on which a node may be joined, as bits
    required: NDArray[np.uint8]  # [network, cell * node] whether it is there in every case
    needed: NDArray[np.int64]  # [network, (starts, goals, either)] how many are required
    node: NDArray[np.int32]  # [row, cell * node + 1] scratch of networks; empty without
    state: NDArray[np.int64]  # see `constants`: METHOD, PHASE, …


@dataclass(frozen=True, eq=False)
class CellQueue(ArrayStruct):
    """Undecided cells by priority, and what the choice of a pattern needs.

    There is one queue per criterion: the order itself, and entropy if two criteria are combined.
    """

    sequence: NDArray[np.int32]  # [rank] -> cell; the whole order if it is fixed
    rank: NDArray[np.int32]  # [cell] -> rank; breaks every tie
    key: NDArray[np.int64]  # [criterion, cell] current key; the lowest comes first
    untouched: NDArray[np.uint64]  # [criterion, position] all cells as they were at the root, sorted
    heap: NDArray[np.uint64]  # [criterion, position] cells that changed since, lazily deleted
    size: NDArray[np.int64]  # [criterion, (position in untouched, entries in heap, limit of entries)]
    stamp: NDArray[np.int64]  # [cell] when its key was last updated; the last entry is the clock
    bias: NDArray[np.int64]  # [cell] factor on the key, in 1/65536
    centrality: NDArray[np.int64]  # [cell] squared distance to the centre
    shortlist: NDArray[np.int32]  # [row, position] cells under comparison
    candidate: NDArray[np.int64]  # [pattern] scratch: weights under comparison
    cap: NDArray[np.int64]  # [tile] how many cells may become it
    share: NDArray[np.int64]  # [tile] expected share, in 1/65536
    # [tile, (quota, expected)] in 1/65536 cells: how many it is due in this map and the next, given earlier
    # ones, and how many an average map has; empty unless CARRYING
    quota: NDArray[np.int64]
    used: NDArray[np.int64]  # [tile] cells narrowed down to it
    counted_as: NDArray[np.int32]  # [cell] the tile it is counted as, or -1
    knobs: NDArray[np.int64]  # see `constants`: ORDER, …; constant while solving
    tally: NDArray[np.int64]  # see `constants`: SHORT_FIRST, …
