"""The arrays that kernels read and write. Only `Wave` and `CellQueue` change while solving.

A domain is a bit set of patterns. It has as many 64-bit *words* as the number of patterns requires.
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
    """The neighbours of cells, in the same read-only, C-contiguous arrays for every topology."""

    neighbour: NDArray[np.int32]  # [cell, direction] -> cell, or NOWHERE
    opposite: NDArray[np.int32]  # [direction] -> the direction from the neighbour back to the cell
    rule: NDArray[np.int32]  # [direction] -> the relation of the rules on that side


@dataclass(frozen=True, eq=False)
class KernelGraph(ArrayStruct):
    """A `CellGraph` for kernels. Read-only."""

    neighbour: Int32Array2  # [cell, direction] -> cell, or NOWHERE
    opposite: Int32Array1  # [direction] -> the direction from the neighbour back to the cell
    rule: Int32Array1  # [direction] -> the relation of the rules on that side


@dataclass(frozen=True, eq=False)
class RuleTable(ArrayStruct):
    """Which patterns may touch, in the form that each propagation method needs, and their weights.

    In a relation, patterns with the same row of allowed neighbours form one class. All arrays are read-only,
    except that `kernels.regions.set_cell_weights` may overwrite weights between two solves.
    """

    class_of: Int32Array2  # [relation, pattern]
    classes: Int32Array1  # [relation] number of classes
    members: UInt64Array3  # [relation, class, word] the patterns of a class
    rows: UInt64Array3  # [relation, class, word] the patterns allowed on that side
    partner: Int32Array1  # [relation] -> the facing relation if class c supports only its class c, else -1
    page_bits: Int64Array1  # [1] number of bits that index a page of allowed_by_page and classes_by_page
    # [relation * page * value * word] the patterns that a part of a domain (AC3_TABLES) or of the live
    # classes (AC3_CLASSES) allows; empty for AC4, NAIVE
    allowed_by_page: UInt64Array1
    # [digit * value * relation] the same for four bits of a domain, padded to QUAD or ROW relations; empty
    # unless AC3_TABLES with one word and up to ROW relations
    allowed_by_digit: UInt64Array1
    # [page * value * relation * word] the classes of the patterns in a part of a domain; empty unless
    # AC3_CLASSES
    classes_by_page: UInt64Array1
    row_start: Int32Array2  # [relation, pattern (+1)] -> first index into row_class; empty unless AC4
    row_class: Int32Array1  # the classes whose rows contain a pattern
    # A slot is direction * classes + class. Most of these arrays are empty unless AC3_REMOVALS.
    slot: Int32Array2  # [direction, pattern]; empty unless AC3_REMOVALS or AC3_ROWS
    member_start: Int32Array1  # [slot (+1)] -> first index into member
    member: Int32Array1  # the patterns of a class
    fit_start: Int32Array1  # [slot (+1)] -> first index into fit
    fit: Int32Array1  # the neighbour's patterns that a class supports
    # [slot] the first four members of a class, 16 bits each; with fewer members, the first is repeated
    four_members: UInt64Array1
    # [slot] the same for the fits of a class; LARGE if there are none or more than four
    four_fits: UInt64Array1
    member_rows: UInt64Array1  # [slot * ROW] the members as bits; empty unless AC3_ROWS
    fit_rows: UInt64Array1  # [slot * ROW] the fits as bits; empty unless AC3_ROWS
    unsupported: UInt64Array2  # [direction, word] the neighbour's patterns that no class supports
    all_patterns: UInt64Array1  # [word]
    kind: Int32Array1  # [pattern] patterns of one kind may not touch each other; -1: no kind
    kind_members: UInt64Array2  # [kind, word]
    tile: Int32Array1  # [pattern]
    weight: Int64Array2  # [cell, pattern] at least 1; a single row if all cells have the same weights
    weight_log: Int64Array2  # [cell, pattern] weight * ln(weight), in 1 / 2**LOG_BITS
    byte_sums: Int64Array2  # [byte, (value, 2)] sums of weight and weight_log over a byte of a domain
    logarithm: Int64Array1  # [step] ln(1 + step / LOG_STEPS), in 1 / 2**LOG_BITS
    # Propagators, which implement constraints; empty without constraints. See `constraints.propagators`.
    propagator: Int64Array2  # [propagator, column]
    group: UInt64Array2  # [group, word] sets of patterns that propagators refer to
    area: UInt8Array2  # [area, cell] whether a cell is in an area
    barrier: UInt32Array2  # [barrier, cell] sides, as bits
    twin: Int32Array2  # [symmetry, cell] -> cell
    image: Int32Array2  # [symmetry, pattern] -> pattern that the twin must have, or -1
    # [network, node, (all, side 0, side 1, …), word] the patterns that have a node; those joined on a side
    path_mask: UInt64Array4


@dataclass(frozen=True, eq=False)
class Wave(ArrayStruct):
    """The domains, the queue of cells to visit, the trail, and all other state of a search."""

    words: UInt64Array1  # [cell * word] domains, followed by the extra words that `count_extra_words` counts
    changed: Int32Array1  # ring buffer of changed cells to visit; its size is a power of two
    changed_by: UInt8Array1  # [cell] IDLE, the direction of the only neighbour that narrowed it, or MANY
    trail_at: Int32Array1  # [entry] index into words, oldest first
    trail_removed: UInt64Array1  # [entry] the bits that were cleared in that word
    counter: Int32Array3  # [cell, direction, class] remaining supports; empty unless AC4
    seen: UInt64Array1  # [cell * word] domains at the last visit; empty unless AC3_REMOVALS, AC3_ROWS
    gone: UInt64Array1  # [word] scratch of a visit
    listed: Int32Array1  # scratch of a visit: a list of patterns, followed by a list of slots
    decision_cell: Int32Array1  # [depth]
    decision_pattern: Int32Array1  # [depth]
    decision_mark: Int64Array2  # [depth, (trail length, queue position)] before the decision
    refuted: Int32Array1  # cells that lost a refuted pattern since the root or the last repair
    collapsed: UInt8Array1  # [cell] 1 if chosen or pinned, not if only narrowed to one pattern
    snapshot: UInt64Array2  # [depth, words] copies of words; empty unless SNAPSHOT
    scratch: UInt64Array1  # [word]
    presence: UInt8Array2  # [tally, cell] ABSENT, OPEN or PRESENT, as included in total
    total: Int64Array2  # [tally, (cells PRESENT, cells not ABSENT)]
    reached: Int64Array1  # [cell] time when it was last reached; the last entry is the clock; may be empty
    frontier: Int32Array1  # scratch: cells in the order in which a search reached them; may be empty
    joined: Int32Array2  # [network, cell * node] the sides on which a node may be joined, as bits
    required: UInt8Array2  # [network, cell * node] IS_START, IS_GOAL: every pattern of the cell has the node
    needed: Int64Array2  # [network, (starts, goals, either)] number of required nodes
    node: Int32Array2  # [row, cell * node + 1] scratch of networks; empty without networks
    state: Int64Array1  # METHOD, PHASE, …: see `constants`


@dataclass(frozen=True, eq=False)
class CellQueue(ArrayStruct):
    """The undecided cells by priority, and the state of pattern choices.

    There is one queue for each criterion: the order and, if two criteria are combined, entropy.
    """

    sequence: Int32Array1  # [rank] -> cell; the whole order if it is fixed
    rank: Int32Array1  # [cell] -> rank; breaks all ties
    tree: Int64Array2  # [criterion, position] entries of cells, then the minima above; see `cell_tree`
    memo_word: UInt64Array1  # [slot] a domain of one word, or 0
    memo_key: Int64Array1  # [slot] the key of that domain
    position: Int64Array1  # [1] position in the sequence, if the order is fixed
    stamp: Int64Array1  # [cell] time when its key was last updated; the last entry is the clock
    bias: Int64Array1  # [cell] factor on the key, in 1/65536
    centrality: Int64Array1  # [cell] squared distance to the centre
    shortlist: Int32Array2  # [row, position] tied cells
    candidate: Int64Array1  # [pattern] scratch: adjusted weights
    cap: Int64Array1  # [tile] greatest number of cells
    share: Int64Array1  # [tile] expected share, in 1/65536
    # [tile, (quota, expected)] in 1/65536 cells: the cells due in this map and the next, given earlier maps,
    # and the cells in an average map; empty unless CARRYING
    quota: Int64Array2
    used: Int64Array1  # [tile] number of cells decided as it
    counted_as: Int32Array1  # [cell] the tile that it is counted as in used, or -1
    knobs: Int64Array1  # ORDER, …: see `constants`; constant while solving
    tally: Int64Array1  # SHORT_FIRST, …: see `constants`


@dataclass(frozen=True, eq=False)
class Domains(ArrayStruct):
    """Initial domains of a wave."""

    words: UInt64Array1  # see Wave.words


@dataclass(frozen=True, eq=False)
class RepairCells(ArrayStruct):
    """The cells that a local repair resets, and a record of earlier repairs."""

    mark: UInt8Array1  # [cell] OUTSIDE or LISTED: see `local_repair`
    line: Int32Array1  # the LISTED cells, with room for all cells
    ball: Int32Array1  # the cells around the last conflict; the last entry is their number
    growth: Int32Array1  # [cell] number of steps added to the radius of a repair
    repaired: Int32Array1  # [cell] number of the last repair that included it


@dataclass(frozen=True, eq=False)
class CellPatterns(ArrayStruct):
    """Pairs of a cell and a pattern."""

    cell: Int64Array1
    pattern: Int64Array1


@dataclass(frozen=True, eq=False)
class CellWords(ArrayStruct):
    """Cells and the patterns that each may have."""

    cell: Int64Array1
    words: UInt64Array2  # [position, word]


@dataclass(frozen=True, eq=False)
class CellMasks(ArrayStruct):
    """Soft masks: patterns that cells should have where possible."""

    cell: Int64Array1  # cells in the order in which their masks are tried
    mask: UInt64Array2  # [cell, word] the preferred patterns
    applied: UInt8Array1  # [cell] output: 1 where the mask was applied


@dataclass(frozen=True, eq=False)
class GroupShares(ArrayStruct):
    """Weights of patterns, and the factors on them in each cell."""

    weight: Float64Array1  # [pattern]
    group_of: Int32Array1  # [pattern] -> group; -1: the weight is the same in all cells
    share: Float64Array2  # [cell, group] factor


@dataclass(frozen=True, eq=False)
class CellPattern(ArrayStruct):
    """A pattern for every cell."""

    pattern: Int32Array1  # [cell]


@dataclass(frozen=True, eq=False)
class CellNumbers(ArrayStruct):
    """An integer for every cell."""

    number: Int64Array1  # [cell]


@dataclass(frozen=True, eq=False)
class TableLookup(ArrayStruct):
    """Numbers, and their logarithms or powers."""

    number: Int64Array1
    table: Int64Array1  # the table of logarithms or of powers
    result: Int64Array1  # output
