"""The arrays kernels work on: names, axes and units, once and for all.

Everything that changes while solving is in `Wave` and `Agenda`; `RuleTable` and `CellGraph` are read only.
A *word* is 64 patterns of a domain; a domain is as many words as the rules need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NOWHERE = -1  # in CellGraph.neighbour: there is no cell on that side

# What kernels answer.
CONSISTENT = 0  # propagation came to rest
EMPTY = 1  # a cell was left without patterns
FULL = 2  # the trail needs more room; nothing is lost, call again
SOLVED = 3
PAUSED = 4  # as many decisions as were asked for
IMPOSSIBLE = 5  # no decision left to take back: nothing fits from this root
STUCK = 6  # too many conflicts without progress: time for the next rung
CANCELLED = 7
PRUNE = 8  # consistent: let the constraints look
WATCHED = 9  # one transition done, somebody is listening

# Propagation methods.
SLICED = 0  # ac3: the support of a domain, byte by byte from a table
LIVE = 1  # ac3: classes still alive per side
COUNTED = 2  # ac4: supports counted per class
NAIVE = 3  # every pair, each time
NEIGHBOURS = 4  # a baseline for benchmarks: look at direct neighbours, follow nothing further

# Wave.state: every number that must survive between two calls.
(
    METHOD,
    PHASE,
    HEAD,  # of Wave.queue
    TAIL,
    TRAIL,  # entries on the trail
    PROPAGATED,  # ac4: trail entries whose consequences were counted
    APART,  # trail entries whose cells were checked for kinds that keep apart
    REFRESHED,  # trail entries whose cells have their key up to date
    DEPTH,  # decisions that stand
    LIMIT,  # pause when this many decisions were made
    BACKTRACK_LIMIT,  # pause when this many were taken back
    DECISIONS,  # every choice made, undone ones included
    CONTRADICTIONS,
    BACKTRACKS,
    JUMPS,
    DEEPEST,
    PROGRESS,  # the depth to beat: beyond it, conflicts are forgotten
    CONFLICTS,  # since the last progress
    PATIENCE,  # conflicts that are borne before jumping or giving up; negative: all of them
    JUMPS_LEFT,
    JUMP_LENGTH,
    EMPTY_CELL,
    LAST_CELL,  # of the last decision: what search steers by
    WATCHING,
    PRUNING,
    CANCEL,
    SNAPSHOT,  # undo by copies instead of the trail
    SEED,  # bits of an unsigned number
    STATE_SIZE,
) = range(29)

# Values of state[PHASE].
CHOOSING, PROPAGATING, CONFLICT, PRUNED = range(4)

# Agenda.knobs: how cells and patterns are chosen; constant while solving.
(
    ORDER,  # one of the orders below
    SECOND,  # also keep a queue by entropy, and combine the two shortlists
    SHORTLIST,  # cells looked at for tie-breaks; 0: take the first
    CONSTRAINING,  # break ties by most undecided neighbours
    CENTRAL,  # break ties by nearness to the centre
    DOMAIN_FACTOR,  # composite score, in 1/65536
    ENTROPY_FACTOR,
    DEGREE_FACTOR,  # added per decided or missing neighbour, in 1/65536
    BIASED,  # Agenda.bias is in use
    PICK,  # one of the picks below
    MATCH_BASE,  # neighbour-match boost, in 1/65536; 0 with MATCH_BOOST 0: off
    MATCH_BOOST,
    UNIFORM,  # share of the uniform draw, in 1/65536
    LOCAL,  # share of the local weight against the global prior, in 1/65536
    CAPPED,  # Agenda.cap is in use
    KEY_ADDRESS,  # a user's order, compiled: address, or 0
    WEIGHT_ADDRESS,  # a user's tile choice
    RANDOM_ADDRESS,  # a user's generator
    PER_CELL,  # weights differ from cell to cell
    TALLYING,  # how often each tile was used is wanted
    KNOBS_SIZE,
) = range(21)

BY_RANK, BY_DOMAIN, BY_ENTROPY, BY_SCORE, BY_USER = range(5)
PICK_WEIGHTED, PICK_HEAVIEST = range(2)

# Agenda.tally: counts for statistics and priors.
SHORT_FIRST, SHORT_SECOND, SHORT_COMBINED, SHORT_FINAL, SHORT_COUNT, TALLIED = range(6)
TALLY_SIZE = 6

# A queue entry is key << RANK_BITS | rank: unique per cell, so ties never depend on arrival.
RANK_BITS = 26
KEY_LIMIT = (1 << (63 - RANK_BITS)) - 2
DECIDED_KEY = KEY_LIMIT + 1  # no queue entry has it
LOG_BITS = 20  # entropy and logarithms are in 1 / 2**20
LOG_STEPS = 4096


class CellGraph(NamedTuple):
    """Who touches whom. The same types for every topology, C order; never written."""

    neighbour: NDArray[np.int32]  # [cell, direction] -> cell, or NOWHERE
    opposite: NDArray[np.int32]  # [direction] -> the direction that leads back
    rule: NDArray[np.int32]  # [direction] -> which relation of the rules holds on that side


class RuleTable(NamedTuple):
    """Which patterns may touch, in the forms the propagations want, and how much they weigh.

    In a relation, patterns with the same row of allowed neighbours form one class.
    """

    class_of: NDArray[np.int32]  # [relation, pattern]
    classes: NDArray[np.int32]  # [relation] number of classes
    members: NDArray[np.uint64]  # [relation, class, word] the patterns of a class
    rows: NDArray[np.uint64]  # [relation, class, word] the patterns that may stand on that side
    disjoint: NDArray[np.uint8]  # [relation] whether no pattern is in two rows
    sliced: NDArray[np.uint64]  # [relation, byte, value, word] support of a byte; empty unless SLICED
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


class Wave(NamedTuple):
    """Domains, and what it takes to narrow them and to go back."""

    words: NDArray[np.uint64]  # [cell * word] domains; then, if LIVE, [cell * direction * word] live classes
    queue: NDArray[np.int32]  # ring of changed cells, a power of two long
    queued: NDArray[np.uint8]  # [cell]
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


class Agenda(NamedTuple):
    """Which cell is next, and with which pattern."""

    sequence: NDArray[np.int32]  # [rank] -> cell
    rank: NDArray[np.int32]  # [cell] -> rank; breaks every tie
    key: NDArray[np.int64]  # [queue, cell] current key; lowest first
    untouched: NDArray[np.uint64]  # [queue, position] all cells as they were at the root, sorted
    heap: NDArray[np.uint64]  # [queue, position] cells that changed since, lazily deleted
    size: NDArray[np.int64]  # [queue, (position in untouched, entries in heap)]
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
