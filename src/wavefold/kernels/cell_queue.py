"""Which cell is decided next.

Cells not touched since the root are in a sorted list; those that changed are in a heap whose outdated entries
are skipped when they come up. So the cost of a decision depends on what it touches, not on the map's size.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import first_pattern, has_one, is_same_domain, mix_bits
from wavefold.kernels.constants import (
    BIASED,
    BY_RANK,
    BY_TWO,
    BY_USER,
    CENTRAL,
    CONSTRAINING,
    DECIDED_KEY,
    DEGREE_FACTOR,
    METHOD,
    NEIGHBOURS_ONLY,
    NOWHERE,
    ORDER,
    PER_CELL,
    SHORT_COMBINED,
    SHORT_COUNT,
    SHORT_FINAL,
    SHORT_FIRST,
    SHORT_SECOND,
    SHORTLIST,
    SOFT_CONSTRAINING,
    TALLIED,
    TALLYING,
)
from wavefold.kernels.heap import entry_of, pop, push
from wavefold.kernels.pattern_choice import draw_decision
from wavefold.kernels.priority import compute_key, count_undecided
from wavefold.kernels.structs import CellQueue, KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel, kernel_part

FIRST, OTHER = np.int64(0), np.int64(1)  # criteria, and rows of the shortlist
ANY_KEY = np.int64(-1)


def refresh_cell(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int) -> None:
    """Update the keys of a cell, and add it to the queue again where they changed."""
    for criterion in range(1 + queue.knobs[BY_TWO]):
        key = compute_key(wave, queue, rules, graph, cell, criterion == 1)
        if key != queue.key[criterion, cell]:
            queue.key[criterion, cell] = key
            if key != DECIDED_KEY:
                push(queue, criterion, cell)


def tally_cell(wave: Wave, queue: CellQueue, rules: RuleTable, cell: int) -> None:
    """Count a decided cell for its tile; an undecided one for none."""
    width = rules.rows.shape[2]
    tile = -1
    if has_one(wave.words, cell * width, width):
        tile = rules.tile[first_pattern(wave.words, cell * width, width)]
    before = queue.counted_as[cell]
    if tile == before:
        return
    if before >= 0:
        queue.used[before] -= 1
        queue.tally[TALLIED] -= 1
    if tile >= 0:
        queue.used[tile] += 1
        queue.tally[TALLIED] += 1
    queue.counted_as[cell] = tile


@kernel
def tally_all_cells(wave: Wave, queue: CellQueue, rules: RuleTable) -> None:
    """Count the cells of a wave by tile instead of all that was counted before."""
    queue.tally[TALLIED] = 0
    for tile in range(queue.used.size):
        queue.used[tile] = 0
    for cell in range(queue.counted_as.size):
        queue.counted_as[cell] = -1
        tally_cell(wave, queue, rules, cell)


@kernel
def queue_cells(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, start: int, stop: int
) -> bool:
    """Queue these cells, after those before. False if their keys differ from that of the first cell of all:
    then `untouched` has yet to be sorted.

    At a root, most cells have the domain of the cell before; if nothing else counts, they have its key.
    """
    knobs, width = queue.knobs, rules.rows.shape[2]
    by_domain = knobs[PER_CELL] + knobs[BIASED] + knobs[DEGREE_FACTOR] == 0 and knobs[ORDER] != BY_USER
    is_sorted = True
    for criterion in range(queue.key.shape[0]):
        for cell in range(start, stop):
            if by_domain and cell > 0 and is_same_domain(wave, cell, cell - 1, width):
                queue.key[criterion, cell] = queue.key[criterion, cell - 1]
            else:
                queue.key[criterion, cell] = compute_key(wave, queue, rules, graph, cell, criterion == 1)
            queue.untouched[criterion, queue.rank[cell]] = entry_of(queue, criterion, cell)
            is_sorted &= queue.key[criterion, cell] == queue.key[criterion, 0]
    return is_sorted


@kernel_part
def refresh_keys(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, start: int, stop: int
) -> None:
    """Update the keys of the cells on the trail from `start` to `stop`, each once. See `has_keys`."""
    cells, directions = graph.neighbour.shape
    width = rules.rows.shape[2]
    ranked = queue.knobs[ORDER] == BY_RANK
    spreads = queue.knobs[DEGREE_FACTOR] != 0 or queue.knobs[ORDER] == BY_USER
    queue.stamp[cells] += 1
    now = queue.stamp[cells]
    cell = np.int64(-1)
    for entry in range(start, stop):
        at = np.int64(wave.trail_at[entry])
        if at >= cells * width or (at >= cell * width and at < cell * width + width):
            continue
        cell = at // width if width > 1 else at
        if queue.stamp[cell] == now:
            continue
        queue.stamp[cell] = now
        if queue.knobs[TALLYING] != 0:
            tally_cell(wave, queue, rules, cell)
        if ranked:
            continue
        refresh_cell(wave, queue, rules, graph, cell)
        if spreads:  # the key also counts undecided neighbours
            for direction in range(directions):
                other = np.int64(graph.neighbour[cell, direction])
                if other != NOWHERE:
                    refresh_cell(wave, queue, rules, graph, other)


def has_keys(queue: CellQueue) -> bool:
    """Whether `refresh_keys` has anything to do; a fixed order has no keys, and seldom counts tiles."""
    return queue.knobs[ORDER] != BY_RANK or queue.knobs[TALLYING] != 0


def is_undecided(wave: Wave, rules: RuleTable, cell: int) -> bool:
    """Whether a cell still needs a decision."""
    width = rules.rows.shape[2]
    if wave.state[METHOD] == NEIGHBOURS_ONLY:  # there, a single pattern was never propagated
        return wave.collapsed[cell] == 0
    return not has_one(wave.words, cell * width, width)


def gather_ties(queue: CellQueue, criterion: int, row: int) -> int:
    """Pop the cells that share the lowest key into a row of the shortlist, as many as fit; their number."""
    cells = queue.shortlist[row]
    first = pop(queue, criterion, ANY_KEY)
    if first == NOWHERE:
        return 0
    cells[0] = first
    found = 1
    while found < queue.knobs[SHORTLIST]:
        cell = pop(queue, criterion, queue.key[criterion, first])
        if cell == NOWHERE:
            break
        if cell != cells[found - 1]:  # the same entry may be queued twice
            cells[found] = cell
            found += 1
    return found


def combine_shortlists(queue: CellQueue, first: int, second: int) -> int:
    """Write both shortlists into row 2: the cells in both, or all if there is none; their number."""
    shared = 0
    for i in range(first):
        for j in range(second):
            if queue.shortlist[0, i] == queue.shortlist[1, j]:
                queue.shortlist[2, shared] = queue.shortlist[0, i]
                shared += 1
    if shared > 0:
        return shared
    for i in range(first):
        queue.shortlist[2, i] = queue.shortlist[0, i]
    for j in range(second):
        queue.shortlist[2, first + j] = queue.shortlist[1, j]
    return first + second


def break_ties(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, found: int) -> int:
    """The best cell of row 2: most undecided neighbours, then nearest to the centre, then lowest rank."""
    knobs = queue.knobs
    best = NOWHERE
    most, nearest = 0, 0
    ties = 0
    for i in range(found):
        cell = np.int64(queue.shortlist[2, i])
        undecided = count_undecided(wave, rules, graph, cell) if knobs[CONSTRAINING] != 0 else 0
        distance = queue.centrality[cell] if knobs[CENTRAL] != 0 else 0
        better = best == NOWHERE or undecided > most or (undecided == most and distance < nearest)
        tied = best != NOWHERE and undecided == most and distance == nearest
        ties = 1 if better else ties + (1 if tied else 0)
        if better or (tied and queue.rank[cell] < queue.rank[best]):
            best, most, nearest = cell, undecided, distance
    queue.tally[SHORT_FINAL] += ties
    return best


def draw_tied_cell(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, found: int) -> int:
    """A cell of row 2, drawn by its number of undecided neighbours; NOWHERE if chance or those say no.

    Row 3 is scratch. The bits are mixed again: the pattern is drawn with the same ones.
    """
    bits = mix_bits(~draw_decision(wave, queue))
    if np.int64(bits & np.uint64(0xFFFF)) >= queue.knobs[SOFT_CONSTRAINING]:
        return NOWHERE
    total = np.int64(0)
    for i in range(found):
        queue.shortlist[3, i] = count_undecided(wave, rules, graph, np.int64(queue.shortlist[2, i]))
        total += queue.shortlist[3, i]
    if total == 0:
        return NOWHERE
    left = np.int64((bits >> np.uint64(16)) % np.uint64(total))
    for i in range(found):
        left -= queue.shortlist[3, i]
        if left < 0:
            return np.int64(queue.shortlist[2, i])
    return NOWHERE


@kernel_part
def choose_from_shortlist(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Compare the cells that tie for the lowest key. All of them go back into the queue."""
    first = gather_ties(queue, FIRST, FIRST)
    if first == 0:
        return NOWHERE
    second = gather_ties(queue, OTHER, OTHER) if queue.knobs[BY_TWO] != 0 else 0
    if second > 0:
        found = combine_shortlists(queue, first, second)
    else:
        found = first
        for i in range(first):
            queue.shortlist[2, i] = queue.shortlist[0, i]
    tally = queue.tally
    tally[SHORT_FIRST] += first
    tally[SHORT_SECOND] += second
    tally[SHORT_COMBINED] += found
    tally[SHORT_COUNT] += 1
    best = NOWHERE
    if queue.knobs[SOFT_CONSTRAINING] != 0:
        best = draw_tied_cell(wave, queue, rules, graph, found)
    if best == NOWHERE:
        best = break_ties(wave, queue, rules, graph, found)
    else:
        tally[SHORT_FINAL] += 1
    for i in range(first):
        push(queue, FIRST, np.int64(queue.shortlist[0, i]))
    for j in range(second):
        push(queue, OTHER, np.int64(queue.shortlist[1, j]))
    return best


def next_cell(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """The cell to decide next, or NOWHERE when all are decided."""
    if queue.knobs[ORDER] == BY_RANK:
        size = queue.size[0]
        while size[0] < queue.sequence.size and not is_undecided(
            wave, rules, np.int64(queue.sequence[size[0]])
        ):
            size[0] += 1
        return np.int64(queue.sequence[size[0]]) if size[0] < queue.sequence.size else NOWHERE
    if queue.knobs[SHORTLIST] > 0:
        return choose_from_shortlist(wave, queue, rules, graph)
    return pop_first(queue)


@kernel_part
def pop_first(queue: CellQueue) -> int:
    """Remove and return the cell with the lowest key, or NOWHERE."""
    return pop(queue, FIRST, ANY_KEY)


@kernel_part
def push_again(queue: CellQueue, cell: int) -> None:
    """Add a cell that was popped."""
    push(queue, FIRST, cell)


def requeue(queue: CellQueue, cell: int) -> None:
    """Add a cell again that was popped but is undecided after all."""
    if queue.knobs[ORDER] != BY_RANK and queue.knobs[SHORTLIST] == 0:
        push_again(queue, cell)
