"""Numbers that kernels and Python share: statuses, methods, positions in arrays such as `Wave.state`."""

from __future__ import annotations

import numpy as np

NOWHERE = np.int64(-1)  # in CellGraph.neighbour: there is no cell on that side

# In Wave.changed_by: why a cell is to be visited.
# Below MANY: the direction of the one neighbour that narrowed it.
IDLE = 255  # it is not
MANY = 254  # several neighbours narrowed it, or something else did

# What kernels return.
CONSISTENT = 0  # propagation reached its fixpoint
EMPTY = 1  # a cell was left without patterns
FULL = 2  # the trail is full; nothing is lost: enlarge it and call again
SOLVED = 3
PAUSED = 4  # the limit of decisions or backtracks is reached
IMPOSSIBLE = 5  # no decision left to undo: nothing fits from this root
STUCK = 6  # too many conflicts without progress: the ladder takes its next rung
WORKED = 7  # a slice of work is done: call again
PRUNE = 8  # consistent: the caller runs the constraints
WATCHED = 9  # one transition is done, and WATCHING is set
NARROWED = 10  # networks removed patterns: propagate
NO_CALLS = 11  # a user's function is to be called, which this build cannot do

# Propagation methods.
AC3_TABLES = 0  # the support of a domain, byte by byte from a table
AC3_CLASSES = 1  # classes still alive per side
AC4 = 2  # supports counted per class
NAIVE = 3  # every pair, each time: for tests and benchmarks
# A baseline for benchmarks: direct neighbours are narrowed, nothing follows from that. Not in `bench` because
# it needs the whole search around it; here it costs one flag of `propagate_naive`.
NEIGHBOURS_ONLY = 4
AC3_REMOVALS = 5  # classes that died since the last visit
AC3_ROWS = 6  # the same for up to eight words, whole rows of words at a time

# Wave.state: every number that must survive between two calls.
(
    METHOD,
    PHASE,
    HEAD,  # of Wave.changed
    TAIL,
    TRAIL,  # entries on the trail
    PROPAGATED,  # ac4: trail entries whose consequences were counted
    KINDS_CHECKED,  # trail entries whose cells were checked for kinds that may not touch
    CONSTRAINED,  # trail entries whose cells the propagators have handled; -1: no cell yet
    NETWORKED,  # trail entries whose cells have current nodes of networks; -1: no cell yet
    REFRESHED,  # trail entries whose cells have current keys
    DEPTH,  # decisions in force
    LIMIT,  # pause at this many DECISIONS
    BACKTRACK_LIMIT,  # pause at this many BACKTRACKS
    DECISIONS,  # every choice made, undone ones included
    CONTRADICTIONS,
    BACKTRACKS,
    JUMPS,
    DEEPEST,
    PROGRESS,  # the depth reached so far; beyond it, CONFLICTS is set to 0
    CONFLICTS,  # since the last progress
    PATIENCE,  # conflicts without progress before a jump or STUCK; negative: no limit
    JUMPS_LEFT,
    JUMP_LENGTH,
    EMPTY_CELL,
    LAST_CELL,  # of the last decision: repairs are centred on it
    WATCHING,  # return WATCHED after every transition
    PRUNING,  # after every propagation: BY_NETWORKS, or BY_CALLER
    NETWORKS_DUE,  # at this many DECISIONS, networks are checked again
    NETWORKS_PAUSE,  # decisions from one check to the next
    NETWORKS_DEPTH,  # decisions in force at the last check that found no conflict
    COMMITTED,  # decisions that were made final since the root or the last repair
    REFUTED,  # cells that lost a pattern because it failed; more than there is room for if too many
    RETURN_TO,  # the next conflict undoes all decisions from this one on, the first being 1; 0: only the last
    WORK_LEFT,  # words that may be touched, roughly, before WORKED
    SNAPSHOT,  # undo by copies instead of the trail
    SEED,  # the bits of an unsigned number
    STATE_SIZE,
) = range(37)

WORK_SLICE = 1 << 20  # words; a few milliseconds of compiled code

# Values of state[PHASE].
CHOOSING, PROPAGATING, CONFLICT, PRUNED = range(4)

# Values of state[PRUNING]: not at all, networks alone, or the caller as well, who runs constraints in Python.
NO_PRUNING, BY_NETWORKS, BY_CALLER = range(3)

# RuleTable.propagator: the columns of a rule about more than two cells.
(
    FAMILY,  # one of the families below
    FIRST,  # a group of patterns
    SECOND,  # another, or the same
    WHERE,  # the area in which it holds, or -1: everywhere
    SPAN,  # a distance, or a length; of rooms: 1 if those at the border may go on beyond it
    LEAST,
    MOST,
    SIDES,  # directions, as bits
    ROW,  # into the arrays of the family, or -1
    GOAL,  # of a network, see below
    JOINS,  # the area whose cells must be joined, or -1: all
    GOALS,  # the area whose cells must be reached, or -1: all
    PROPAGATOR_SIZE,
) = range(13)

# Families: what a propagator enforces.
TALLY = 0  # LEAST to MOST cells have a pattern of FIRST; ROW of Wave.presence
APART = 1  # no FIRST within SPAN steps of a SECOND; ROW of barrier: only across those sides
RUN = 2  # at most SPAN cells of FIRST in a line, along each of SIDES
PARALLEL = 3  # at most SPAN pairs of cells of FIRST, side by side, in a line along each of SIDES
TWINS = 4  # a cell and its twin are images of each other; ROW of twin and image
ROOMS = 5  # connected areas of FIRST have LEAST to MOST cells
NETWORK = 6  # see `networks`; ROW of path_mask; starts have a pattern of FIRST, goals one of SECOND

# What must hold of a network: its GOAL.
CONNECTED = 0  # it is one piece
REACHED = 1  # its starts and goals are in one piece, at most SPAN steps apart; -1: any number
LOOPS = 2  # every node is on a cycle
NO_LOOPS = 3  # none is
DRAINED = 4  # from every node there is a way down to an end; see `drain_rivers`

# Whether a cell has a pattern of a group.
ABSENT, OPEN, PRESENT = range(3)

# CellQueue.knobs: how cells and patterns are chosen; constant while solving.
(
    ORDER,  # one of the orders below
    BY_TWO,  # also keep a queue by entropy, and combine both shortlists
    SHORTLIST,  # most cells compared to break a tie; 0: take the first
    CONSTRAINING,  # break ties by most undecided neighbours
    CENTRAL,  # break ties by nearness to the centre
    SOFT_CONSTRAINING,  # chance that a tied cell is drawn by its undecided neighbours, in 1/65536
    DOMAIN_FACTOR,  # composite score, in 1/65536
    ENTROPY_FACTOR,
    DEGREE_FACTOR,  # added per decided or missing neighbour, in 1/65536
    BIASED,  # CellQueue.bias is used
    PICK,  # one of the picks below
    MATCH_BASE,  # neighbour-match boost, in 1/65536; 0 with MATCH_BOOST 0: off
    MATCH_BOOST,
    UNIFORM,  # share of the uniform draw, in 1/65536
    LOCAL,  # share of the local weight against the global prior, in 1/65536
    CAPPED,  # CellQueue.cap is used
    KEY_ADDRESS,  # a user's order, compiled: address, or 0
    WEIGHT_ADDRESS,  # a user's tile choice
    RANDOM_ADDRESS,  # a user's generator
    PER_CELL,  # weights differ from cell to cell
    TALLYING,  # count how often each tile is used
    CARRYING,  # CellQueue.quota is used: earlier maps count
    PLAIN,  # patterns are drawn by the weights of the rules alone
    KNOBS_SIZE,
) = range(24)

BY_RANK, BY_DOMAIN, BY_ENTROPY, BY_SCORE, BY_USER = range(5)
PICK_WEIGHTED, PICK_HEAVIEST = range(2)

# CellQueue.tally: counts for statistics and priors.
SHORT_FIRST, SHORT_SECOND, SHORT_COMBINED, SHORT_FINAL, SHORT_COUNT, TALLIED = range(6)
TALLY_SIZE = 6

# A queue entry is key << RANK_BITS | rank: unique per cell, so ties never depend on arrival.
RANK_BITS = 26
KEY_LIMIT = (1 << (63 - RANK_BITS)) - 2
DECIDED_KEY = KEY_LIMIT + 1  # no queue entry has it
MEMO_BITS = 12  # so many bits of a domain, multiplied, say where its key is kept
LOG_BITS = 20  # entropy and logarithms are in 1 / 2**20
LOG_STEPS = 4096
