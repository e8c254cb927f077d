"""The records kernels work on. Everything that changes while solving is in `Wave` and `CellQueue`.

A *word* is 64 patterns of a domain; a domain is as many words as the rules need.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.array_struct import ArrayStruct


@dataclass(frozen=True, eq=False)
class Graph(ArrayStruct):
    """A `layout.CellGraph` for kernels. Never written."""

    neighbour: NDArray[np.int32]  # [cell, direction] -> cell, or NOWHERE
    opposite: NDArray[np.int32]  # [direction] -> the direction that leads back
    rule: NDArray[np.int32]  # [direction] -> which relation of the rules holds on that side


@dataclass(frozen=True, eq=False)
class RuleTable(ArrayStruct):
    """Which patterns may touch, in the forms the propagations want, and how much they weigh.

    In a relation, patterns with the same row of allowed neighbours form one class.
    """

    class_of: NDArray[np.int32]  # [relation, pattern]
    classes: NDArray[np.int32]  # [relation] number of classes
    members: NDArray[np.uint64]  # [relation, class, word] the patterns of a class
    rows: NDArray[np.uint64]  # [relation, class, word] the patterns that may stand on that side
    partner: NDArray[np.int32]  # [relation] that of the other side, if class c fits its class c alone; or -1
    page_bits: NDArray[np.int64]  # a single number: by how many bits the next two are read
    # What a page allows, of patterns if SLICED, of classes if LIVE; and the classes of a page of patterns.
    allowed_by_page: NDArray[np.uint64]  # [relation * page * value * word]; empty unless SLICED or LIVE
    classes_by_page: NDArray[np.uint64]  # [page * value * relation * word]; empty unless LIVE
    row_start: NDArray[np.int32]  # [relation, pattern (+1)] into row_class; empty unless COUNTED
    row_class: NDArray[np.int32]  # classes whose row holds the pattern
    kind: NDArray[np.int32]  # [pattern] kinds keep apart from themselves; -1: may touch anything
    kind_members: NDArray[np.uint64]  # [kind, word]
    tile: NDArray[np.int32]  # [pattern]
    weight: NDArray[np.int64]  # [cell or the single row 0, pattern] at least 1
    weight_log: NDArray[np.int64]  # [same] weight * ln(weight), in 1 / 2**LOG_BITS
    byte_weight: NDArray[np.int64]  # [byte, value] sum of weight over a byte of a domain
    byte_weight_log: NDArray[np.int64]  # [byte, value] sum of weight_log
    logarithm: NDArray[np.int64]  # [step] ln(1 + step / LOG_STEPS)


@dataclass(frozen=True, eq=False)
class Wave(ArrayStruct):
    """Domains, and what it takes to narrow them and to go back."""

    words: NDArray[np.uint64]  # [cell * word] domains; then, if LIVE, [cell * direction * word] live classes
    changed: NDArray[np.int32]  # ring of changed cells, a power of two long
    changed_by: NDArray[np.uint8]  # [cell] IDLE, or why it waits
    trail_at: NDArray[np.int32]  # [entry] index into words, oldest first
    trail_removed: NDArray[np.uint64]  # [entry] the bits that were cleared there
    counter: NDArray[np.int32]  # [cell, direction, class] supports left; empty unless COUNTED
    decision_cell: NDArray[np.int32]  # [depth]
    decision_pattern: NDArray[np.int32]  # [depth]
    decision_mark: NDArray[np.int64]  # [depth, (trail, pointer)] to go back to
    collapsed: NDArray[np.uint8]  # [cell] chosen or pinned, not merely narrowed to one pattern
    snapshot: NDArray[np.uint64]  # [depth, words]; empty unless undo copies
    scratch: NDArray[np.uint64]  # [word]
    state: NDArray[np.int64]  # the numbers named above


@dataclass(frozen=True, eq=False)
class CellQueue(ArrayStruct):
    """Which cell is next, and with which pattern."""

    sequence: NDArray[np.int32]  # [rank] -> cell
    rank: NDArray[np.int32]  # [cell] -> rank; breaks every tie
    key: NDArray[np.int64]  # [criterion, cell] current key; lowest first
    untouched: NDArray[np.uint64]  # [criterion, position] all cells as they were at the root, sorted
    heap: NDArray[np.uint64]  # [criterion, position] cells that changed since, lazily deleted
    size: NDArray[np.int64]  # [criterion, (position in untouched, entries in heap, entries to tidy up at)]
    stamp: NDArray[np.int64]  # [cell] when its key was last brought up to date; last, the clock for that
    bias: NDArray[np.int64]  # [cell] factor on the key, in 1/65536
    centrality: NDArray[np.int64]  # [cell] squared distance to the centre
    shortlist: NDArray[np.int32]  # [row, position] cells under comparison
    candidate: NDArray[np.int64]  # [pattern] scratch: weights under comparison
    cap: NDArray[np.int64]  # [tile] how many cells may take it
    share: NDArray[np.int64]  # [tile] expected share, in 1/65536
    used: NDArray[np.int64]  # [tile] cells narrowed down to it
    counted_as: NDArray[np.int32]  # [cell] the tile it is counted as, or -1
    knobs: NDArray[np.int64]
    tally: NDArray[np.int64]
