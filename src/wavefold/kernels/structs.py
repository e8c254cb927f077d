"""Every array that kernels work on. All that changes while solving is in `Wave` and `CellQueue`.

A *word* is 64 patterns of a domain; a domain is as many words as the rules need.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.array_struct import (
    ArrayStruct,
    Float64Array1,
    Float64Array2,
    Int32Array1,
    Int32Array2,
    Int32Array3,
    Int64Array1,
    Int64Array2,
    UInt8Array1,
    UInt8Array2,
    UInt32Array2,
    UInt64Array1,
    UInt64Array2,
    UInt64Array3,
    UInt64Array4,
)


class CellGraph(NamedTuple):
    """Which cells touch. The same types for every topology, C order; read-only."""

    neighbour: NDArray[np.int32]  # [cell, direction] -> cell, or NOWHERE
    opposite: NDArray[np.int32]  # [direction] -> the direction that leads back
    rule: NDArray[np.int32]  # [direction] -> which relation of the rules holds on that side


@dataclass(frozen=True, eq=False)
class KernelGraph(ArrayStruct):
    """A `CellGraph` for kernels. Read-only."""

    neighbour: Int32Array2  # [cell, direction] -> cell, or NOWHERE
    opposite: Int32Array1  # [direction] -> the direction that leads back
    rule: Int32Array1  # [direction] -> which relation of the rules holds on that side


@dataclass(frozen=True, eq=False)
class RuleTable(ArrayStruct):
    """Which patterns may touch, in the form each propagation method needs, and their weights.

    In a relation, patterns with the same row of allowed neighbours form one class. Read-only, except that
    weights may be overwritten between two solves (`kernels.regions.set_cell_weights`).
    """

    class_of: Int32Array2  # [relation, pattern]
    classes: Int32Array1  # [relation] number of classes
    members: UInt64Array3  # [relation, class, word] the patterns of a class
    rows: UInt64Array3  # [relation, class, word] the patterns allowed on that side
    partner: Int32Array1  # [relation] the facing relation if class c fits only its class c, else -1
    page_bits: Int64Array1  # [1] how many bits of a domain index one page of the next two tables
    # What a page allows (a page of patterns if AC3_TABLES, of classes if AC3_CLASSES), and its classes.
    allowed_by_page: UInt64Array1  # [relation * page * value * word]; empty for AC4, NAIVE
    # [digit * value * relation] the same for four bits of a domain, if AC3_TABLES, one word and up to ROW
    # relations, padded to QUAD or ROW; else empty
    allowed_by_digit: UInt64Array1
    classes_by_page: UInt64Array1  # [page * value * relation * word]; empty unless AC3_CLASSES
    row_start: Int32Array2  # [relation, pattern (+1)] into row_class; empty unless AC4
    row_class: Int32Array1  # classes whose row holds the pattern
    # A slot is direction * classes + class. Most of these are empty unless AC3_REMOVALS.
    slot: Int32Array2  # [direction, pattern]; empty unless AC3_REMOVALS or AC3_ROWS
    member_start: Int32Array1  # [slot (+1)] into member
    member: Int32Array1  # the patterns of a class
    fit_start: Int32Array1  # [slot (+1)] into fit
    fit: Int32Array1  # the patterns next door that a class supports
    # [slot] four of them, 16 bits each, the first as often as it takes. Of more members: the first four; of
    # more fits, or none: LARGE
    four_members: UInt64Array1
    four_fits: UInt64Array1
    member_rows: UInt64Array1  # [slot * ROW] the same as bits; empty unless AC3_ROWS
    fit_rows: UInt64Array1
    unsupported: UInt64Array2  # [direction, word] the patterns next door that no class supports
    all_patterns: UInt64Array1  # [word]
    kind: Int32Array1  # [pattern] patterns of one kind may not touch each other; -1: no kind
    kind_members: UInt64Array2  # [kind, word]
    tile: Int32Array1  # [pattern]
    weight: Int64Array2  # [cell or the single row 0, pattern] at least 1
    weight_log: Int64Array2  # [same] weight * ln(weight), in 1 / 2**LOG_BITS
    byte_sums: Int64Array2  # [byte, (value, 2)] sums of weight and weight_log over a byte of a domain
    logarithm: Int64Array1  # [step] ln(1 + step / LOG_STEPS)
    # Rules about more than two cells; empty without constraints. See `propagators`.
    propagator: Int64Array2  # [propagator, column]
    group: UInt64Array2  # [group, word] the patterns that propagators speak of
    area: UInt8Array2  # [area, cell]
    barrier: UInt32Array2  # [barrier, cell] sides, as bits
    twin: Int32Array2  # [symmetry, cell] -> cell
    image: Int32Array2  # [symmetry, pattern] -> pattern that the twin must have, or -1
    # [network, node, (all, side 0, side 1, …), word] the patterns that have a node, joined on a side
    path_mask: UInt64Array4


@dataclass(frozen=True, eq=False)
class Wave(ArrayStruct):
    """Domains, and all that is needed to narrow them and to undo that."""

    words: UInt64Array1  # [cell * word] domains, and behind them what `count_extra_words` says
    changed: Int32Array1  # ring buffer of changed cells to visit; its size is a power of two
    changed_by: UInt8Array1  # [cell] IDLE, the direction of the one neighbour that narrowed it, or MANY
    trail_at: Int32Array1  # [entry] index into words, oldest first
    trail_removed: UInt64Array1  # [entry] the bits that were cleared there
    counter: Int32Array3  # [cell, direction, class] supports left; empty unless AC4
    seen: UInt64Array1  # [cell * word] domains at the last visit; empty unless AC3_REMOVALS, AC3_ROWS
    gone: UInt64Array1  # [word] scratch of a visit
    listed: Int32Array1  # scratch of a visit: a list of patterns, behind it one of slots
    decision_cell: Int32Array1  # [depth]
    decision_pattern: Int32Array1  # [depth]
    decision_mark: Int64Array2  # [depth, (trail length, queue position)] before the decision
    refuted: Int32Array1  # cells that lost a pattern because it failed, since the root or the last repair
    collapsed: UInt8Array1  # [cell] chosen or pinned, not merely narrowed to one pattern
    snapshot: UInt64Array2  # [depth, words]; empty unless undo copies
    scratch: UInt64Array1  # [word]
    presence: UInt8Array2  # [tally, cell] ABSENT, OPEN or PRESENT, as counted
    total: Int64Array2  # [tally, (cells PRESENT, cells not ABSENT)]
    reached: Int64Array1  # [cell] when it was last reached; the last entry is the clock. Maybe empty
    frontier: Int32Array1  # [cell] scratch: cells in the order in which they were reached. Maybe empty
    joined: Int32Array2  # [network, cell * node] the sides on which a node may be joined, as bits
    required: UInt8Array2  # [network, cell * node] whether it is there in every case
    needed: Int64Array2  # [network, (starts, goals, either)] how many are required
    node: Int32Array2  # [row, cell * node + 1] scratch of networks; empty without
    state: Int64Array1  # see `constants`: METHOD, PHASE, …


@dataclass(frozen=True, eq=False)
class CellQueue(ArrayStruct):
    """Undecided cells by priority, and what the choice of a pattern needs.

    There is one queue per criterion: the order itself, and entropy if two criteria are combined.
    """

    sequence: Int32Array1  # [rank] -> cell; the whole order if it is fixed
    rank: Int32Array1  # [cell] -> rank; breaks every tie
    tree: Int64Array2  # [criterion, position] entries of cells, and minima above them; see `cell_tree`
    memo_word: UInt64Array1  # [slot] a domain of one word, or 0
    memo_key: Int64Array1  # [slot] its key
    position: Int64Array1  # [1] in the sequence, if the order is fixed
    stamp: Int64Array1  # [cell] when its key was last updated; the last entry is the clock
    bias: Int64Array1  # [cell] factor on the key, in 1/65536
    centrality: Int64Array1  # [cell] squared distance to the centre
    shortlist: Int32Array2  # [row, position] cells under comparison
    candidate: Int64Array1  # [pattern] scratch: weights under comparison
    cap: Int64Array1  # [tile] how many cells may become it
    share: Int64Array1  # [tile] expected share, in 1/65536
    # [tile, (quota, expected)] in 1/65536 cells: how many it is due in this map and the next, given earlier
    # ones, and how many an average map has; empty unless CARRYING
    quota: Int64Array2
    used: Int64Array1  # [tile] cells narrowed down to it
    counted_as: Int32Array1  # [cell] the tile it is counted as, or -1
    knobs: Int64Array1  # see `constants`: ORDER, …; constant while solving
    tally: Int64Array1  # see `constants`: SHORT_FIRST, …


@dataclass(frozen=True, eq=False)
class Domains(ArrayStruct):
    """Domains that a wave can start from."""

    words: UInt64Array1  # as in Wave.words


@dataclass(frozen=True, eq=False)
class RepairCells(ArrayStruct):
    """The cells that a local repair resets, and what repairs there were."""

    mark: UInt8Array1  # [cell] OUTSIDE or LISTED, see `local_repair`
    line: Int32Array1  # the cells that are LISTED, and room for all others
    ball: Int32Array1  # the cells around the last conflict; the last entry is how many
    growth: Int32Array1  # [cell] by how much the radius of repairs grows there
    repaired: Int32Array1  # [cell] the number of the last repair there


@dataclass(frozen=True, eq=False)
class CellPatterns(ArrayStruct):
    """Pairs of a cell and a pattern."""

    cell: Int64Array1
    pattern: Int64Array1


@dataclass(frozen=True, eq=False)
class CellWords(ArrayStruct):
    """Cells and the patterns that they may have."""

    cell: Int64Array1
    words: UInt64Array2  # [position, word]


@dataclass(frozen=True, eq=False)
class CellMasks(ArrayStruct):
    """Patterns that cells should have where that is possible."""

    cell: Int64Array1  # the order in which masks are tried
    mask: UInt64Array2  # [cell, word] the preferred patterns
    applied: UInt8Array1  # [cell] written: 1 where the mask holds


@dataclass(frozen=True, eq=False)
class GroupShares(ArrayStruct):
    """Weights of patterns, and factors on them that differ from cell to cell."""

    weight: Float64Array1  # [pattern]
    group_of: Int32Array1  # [pattern] -> group, or -1: the same weight in every cell
    share: Float64Array2  # [cell, group]


@dataclass(frozen=True, eq=False)
class CellPattern(ArrayStruct):
    """A pattern for every cell."""

    pattern: Int32Array1  # [cell]


@dataclass(frozen=True, eq=False)
class CellNumbers(ArrayStruct):
    """A whole number for every cell."""

    number: Int64Array1  # [cell]


@dataclass(frozen=True, eq=False)
class TableLookup(ArrayStruct):
    """Numbers, and what a table makes of them."""

    number: Int64Array1
    table: Int64Array1  # of logarithms or powers
    result: Int64Array1
