"""Numbers shared by kernels and Python: statuses, methods, and positions in arrays such as `Wave.state`."""

from __future__ import annotations

import numpy as np

NOWHERE = np.int64(-1)  # in CellGraph.neighbour: no cell on that side

# Wave.changed_by: why a cell is in the queue of changed cells. Values below MANY are directions: only the
# neighbour on that side narrowed the cell.
IDLE = 255  # the cell is not in the queue
MANY = 254  # several neighbours narrowed the cell, or something else did

# Statuses that kernels return.
CONSISTENT = 0  # propagation reached its fixpoint
EMPTY = 1  # the domain of a cell is empty
FULL = 2  # no room on the trail; nothing is lost: enlarge the trail and call again
SOLVED = 3
PAUSED = 4  # the limit of decisions or backtracks is reached
IMPOSSIBLE = 5  # conflict without decisions to undo: this root has no solution
STUCK = 6  # too many conflicts without progress: continue with the next rung of the ladder
WORKED = 7  # the slice of work is used up: call again
PRUNE = 8  # consistent; the caller must run the constraints written in Python
WATCHED = 9  # one transition was made, and WATCHING is set
NARROWED = 10  # networks removed patterns: propagate
NO_CALLS = 11  # a user function is needed, and this build cannot call functions

# Propagation methods.
AC3_TABLES = 0  # look up the support of a domain byte by byte
AC3_CLASSES = 1  # track which classes are alive on each side
AC4 = 2  # count supports per class
NAIVE = 3  # test every pair of patterns on each visit; for tests and benchmarks
# Narrow only the neighbours of a decided cell: a baseline for benchmarks. It is implemented here because it
# needs the whole search, and costs only one flag of `propagate_naive`.
NEIGHBOURS_ONLY = 4
AC3_REMOVALS = 5  # find the classes that died since the last visit
AC3_ROWS = 6  # the same for domains of up to eight words, with vector instructions

# Wave.state: every number that is kept between two calls.
(
    METHOD,
    PHASE,
    HEAD,  # position in Wave.changed of the next cell to visit
    TAIL,  # position in Wave.changed of the next free entry
    TRAIL,  # entries on the trail
    PROPAGATED,  # AC4: trail entries that were subtracted from the counters
    KINDS_CHECKED,  # trail entries processed by `keep_kinds_apart`
    CONSTRAINED,  # trail entries processed by propagators; -1: not even the root
    NETWORKED,  # trail entries included in the nodes of networks; -1: not even the root
    REFRESHED,  # trail entries included in the keys of cells
    DEPTH,  # current decisions
    LIMIT,  # pause at this number of DECISIONS
    BACKTRACK_LIMIT,  # pause at this number of BACKTRACKS
    DECISIONS,  # all decisions so far, including undone ones
    CONTRADICTIONS,
    BACKTRACKS,
    JUMPS,
    DEEPEST,
    PROGRESS,  # greatest depth so far; CONFLICTS is reset when it is exceeded
    CONFLICTS,  # conflicts since the last progress
    PATIENCE,  # CONFLICTS that cause a jump or STUCK; negative: no limit
    JUMPS_LEFT,
    JUMP_LENGTH,
    EMPTY_CELL,
    LAST_CELL,  # cell of the last decision; the centre of repairs
    WATCHING,  # 1: return WATCHED after each transition
    PRUNING,  # what runs after each propagation; see below
    NETWORKS_DUE,  # DECISIONS at which networks are checked again
    NETWORKS_PAUSE,  # decisions from one check of networks to the next
    NETWORKS_DEPTH,  # DEPTH at the last check without a conflict
    COMMITTED,  # decisions made final since the root or the last repair
    REFUTED,  # entries in Wave.refuted; greater than its size if not all cells fitted
    RETURN_TO,  # number of the first decision that the next conflict undoes, from 1; 0: only the last
    WORK_LEFT,  # approximate number of words that may be touched before WORKED
    SNAPSHOT,  # 1: undo by copying domains, not by the trail
    SEED,  # an unsigned number, stored as a signed one
    STATE_SIZE,
) = range(37)

WORK_SLICE = 1 << 20  # words, a few milliseconds of compiled code

# Values of state[PHASE].
CHOOSING, PROPAGATING, CONFLICT, PRUNED = range(4)

# Values of state[PRUNING]: nothing, networks, or networks and the caller, which runs constraints in Python.
NO_PRUNING, BY_NETWORKS, BY_CALLER = range(3)

# RuleTable.propagator: columns of a propagator.
(
    FAMILY,  # one of the families below
    FIRST,  # a group of patterns
    SECOND,  # another group, or the same
    WHERE,  # the area in which the propagator applies; -1: everywhere
    SPAN,  # a distance or a length; for ROOMS, 1 if rooms at the border may extend beyond it
    LEAST,
    MOST,
    SIDES,  # directions, as bits
    ROW,  # row in the arrays of the family, or -1
    GOAL,  # goal of a network; see below
    JOINS,  # the area of the starts of a network; -1: everywhere
    GOALS,  # the area of the goals of a network; -1: everywhere
    PROPAGATOR_SIZE,
) = range(13)

# Families of propagators: what they enforce.
TALLY = 0  # LEAST to MOST cells have a pattern of FIRST; ROW of Wave.presence
APART = 1  # no FIRST within SPAN steps of a SECOND; with a ROW of barrier, steps cross only those sides
RUN = 2  # at most SPAN cells of FIRST in a line along each of SIDES
PARALLEL = 3  # at most SPAN pairs of cells of FIRST, side by side, in a line along each of SIDES
TWINS = 4  # a cell and its twin are images of each other; ROW of twin and image
ROOMS = 5  # connected areas of FIRST have LEAST to MOST cells
NETWORK = 6  # GOAL holds for a network; ROW of path_mask; starts have a FIRST, goals a SECOND
SPREADING = (APART, ROOMS)  # families that search outward from a cell, with Wave.reached and Wave.frontier

# Goals of networks.
CONNECTED = 0  # the network is connected
REACHED = 1  # starts and goals are connected, at most SPAN steps apart; SPAN -1: any distance
LOOPS = 2  # every node is on a cycle
NO_LOOPS = 3  # no node is on a cycle
DRAINED = 4  # from every node, a way that never rises leads to an end; see `drain_rivers`

# Whether a cell has a pattern of a group: in no case, possibly, or in any case.
ABSENT, OPEN, PRESENT = range(3)

# CellQueue.knobs: how cells and patterns are chosen; constant while solving.
(
    ORDER,  # one of the orders below
    BY_TWO,  # 1: keep a second queue by entropy, and combine both shortlists
    SHORTLIST,  # greatest number of tied cells to compare; 0: take the first
    CONSTRAINING,  # 1: prefer tied cells with most undecided neighbours
    CENTRAL,  # 1: prefer tied cells nearest to the centre
    SOFT_CONSTRAINING,  # probability of drawing a tied cell by its undecided neighbours, in 1/65536
    DOMAIN_FACTOR,  # factor on the domain size in BY_SCORE, in 1/65536
    ENTROPY_FACTOR,  # factor on the entropy in BY_SCORE, in 1/65536
    DEGREE_FACTOR,  # added to a key per decided or missing neighbour, in 1/65536
    BIASED,  # 1: CellQueue.bias is used
    PICK,  # how a pattern is chosen: one of the picks below
    MATCH_BASE,  # factor on every weight, in 1/65536
    MATCH_BOOST,  # added to MATCH_BASE per neighbour of the same tile, in 1/65536
    UNIFORM,  # share of the mean weight in each weight, in 1/65536
    LOCAL,  # share of the weight in this cell; the rest corrects for tiles used so far; in 1/65536
    CAPPED,  # 1: CellQueue.cap is used
    KEY_ADDRESS,  # address of a user's compiled order, or 0
    WEIGHT_ADDRESS,  # address of a user's compiled weights, or 0
    RANDOM_ADDRESS,  # address of a user's random generator, or 0
    PER_CELL,  # 1: weights differ from cell to cell
    TALLYING,  # 1: count the cells of each tile
    CARRYING,  # 1: CellQueue.quota is used, which depends on earlier maps
    PLAIN,  # 1: patterns are drawn by the weights of the rules alone
    KNOBS_SIZE,
) = range(24)

BY_RANK, BY_DOMAIN, BY_ENTROPY, BY_SCORE, BY_USER = range(5)
PICK_WEIGHTED, PICK_HEAVIEST = range(2)

# CellQueue.tally: numbers for statistics and priors.
SHORT_FIRST, SHORT_SECOND, SHORT_COMBINED, SHORT_FINAL, SHORT_COUNT, TALLIED = range(6)
TALLY_SIZE = 6

# An entry of the queue is key << RANK_BITS | rank. It is unique, so ties do not depend on insertion order.
RANK_BITS = 26
KEY_LIMIT = (1 << (63 - RANK_BITS)) - 2
DECIDED_KEY = KEY_LIMIT + 1  # key of decided cells, which have no entry
MEMO_BITS = 12  # bits of the hash of a domain that index the memo of keys
LOG_BITS = 20  # fractional bits of entropies and logarithms
LOG_STEPS = 4096  # steps of the tables of logarithms and powers
