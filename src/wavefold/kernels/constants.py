"""The arrays kernels work on: names, axes and units, once and for all.

Everything that changes while solving is in `Wave` and `CellQueue`; `RuleTable` and `CellGraph` are read only.
A *word* is 64 patterns of a domain; a domain is as many words as the rules need.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NOWHERE = np.int64(-1)  # in CellGraph.neighbour: there is no cell on that side

# In Wave.changed_by: why a cell waits to be visited.
# Below MANY: the direction of the one neighbour that narrowed it.
IDLE = 255  # it does not
MANY = 254  # several neighbours, or something else

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
AC3_TABLES = 0  # ac3: the support of a domain, byte by byte from a table
AC3_CLASSES = 1  # ac3: classes still alive per side
AC4 = 2  # ac4: supports counted per class
NAIVE = 3  # every pair, each time
NEIGHBOURS_ONLY = 4  # a baseline for benchmarks: look at direct neighbours, follow nothing further

# Wave.state: every number that must survive between two calls.
(
    METHOD,
    PHASE,
    HEAD,  # of Wave.changed
    TAIL,
    TRAIL,  # entries on the trail
    PROPAGATED,  # ac4: trail entries whose consequences were counted
    KINDS_CHECKED,  # trail entries whose cells were checked for kinds that keep apart
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

# CellQueue.knobs: how cells and patterns are chosen; constant while solving.
(
    ORDER,  # one of the orders below
    SECOND,  # also keep a queue by entropy, and combine the two shortlists
    SHORTLIST,  # cells looked at for tie-breaks; 0: take the first
    CONSTRAINING,  # break ties by most undecided neighbours
    CENTRAL,  # break ties by nearness to the centre
    DOMAIN_FACTOR,  # composite score, in 1/65536
    ENTROPY_FACTOR,
    DEGREE_FACTOR,  # added per decided or missing neighbour, in 1/65536
    BIASED,  # CellQueue.bias is in use
    PICK,  # one of the picks below
    MATCH_BASE,  # neighbour-match boost, in 1/65536; 0 with MATCH_BOOST 0: off
    MATCH_BOOST,
    UNIFORM,  # share of the uniform draw, in 1/65536
    LOCAL,  # share of the local weight against the global prior, in 1/65536
    CAPPED,  # CellQueue.cap is in use
    KEY_ADDRESS,  # a user's order, compiled: address, or 0
    WEIGHT_ADDRESS,  # a user's tile choice
    RANDOM_ADDRESS,  # a user's generator
    PER_CELL,  # weights differ from cell to cell
    TALLYING,  # how often each tile was used is wanted
    PLAIN,  # tiles are drawn by the weights of the rules, nothing else
    KNOBS_SIZE,
) = range(22)

BY_RANK, BY_DOMAIN, BY_ENTROPY, BY_SCORE, BY_USER = range(5)
PICK_WEIGHTED, PICK_HEAVIEST = range(2)

# CellQueue.tally: counts for statistics and priors.
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
