"""The choice of the next cell: the undecided cell with the lowest key.

A tree of minima holds the keys. The cost of a decision is proportional to the number of cells that it changes
and to the logarithm of the size of the map.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, first_pattern, has_one, is_same_domain, mix_bits, multiply_golden
from wavefold.kernels.choose.cell_tree import NOTHING, cell_of, entry_of, first_entry, key_of, set_entry
from wavefold.kernels.choose.pattern_choice import draw_decision
from wavefold.kernels.choose.priority import compute_key, count_undecided
from wavefold.kernels.structs import CellQueue, KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel, kernel_part

PRIMARY, SECONDARY = np.int64(0), np.int64(1)  # criteria, which are also rows of the shortlist
MEMO_SHIFT = np.uint64(64 - c.MEMO_BITS)


def compute_entry(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int, second: bool
) -> int:
    """Compute the entry of a cell; NOTHING if the cell is decided."""
    key = compute_key(wave, queue, rules, graph, cell, second)
    return entry_of(queue, cell, key) if key != c.DECIDED_KEY else NOTHING


def refresh_cell(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int) -> None:
    """Update the entries of a cell for all criteria."""
    for criterion in range(1 + queue.knobs[c.BY_TWO]):
        set_entry(
            queue, criterion, cell, compute_entry(wave, queue, rules, graph, cell, criterion == SECONDARY)
        )


def depends_on_domain(queue: CellQueue) -> bool:
    """Whether the key of a cell is a function of its domain alone."""
    knobs = queue.knobs
    return knobs[c.PER_CELL] + knobs[c.BIASED] + knobs[c.DEGREE_FACTOR] == 0 and knobs[c.ORDER] != c.BY_USER


def is_keyed_by_word(queue: CellQueue, rules: RuleTable) -> bool:
    """Whether keys depend only on one-word domains, without tallies or a second criterion."""
    knobs = queue.knobs
    is_plain = knobs[c.ORDER] != c.BY_RANK and knobs[c.TALLYING] + knobs[c.BY_TWO] == 0
    return is_plain and rules.rows.shape[2] == 1 and depends_on_domain(queue)


def refresh_word(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int) -> None:
    """Update the entry of a cell if `is_keyed_by_word`. Most keys are found in the memo."""
    word = wave.words[cell]
    if word & (word - ONE) == 0:
        set_entry(queue, PRIMARY, cell, NOTHING)
        return
    slot = multiply_golden(word) >> MEMO_SHIFT
    if queue.memo_word[slot] != word:
        queue.memo_word[slot] = word
        queue.memo_key[slot] = compute_key(wave, queue, rules, graph, cell, False)
    set_entry(queue, PRIMARY, cell, entry_of(queue, cell, queue.memo_key[slot]))


@kernel_part
def refresh_words(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, start: int, stop: int
) -> None:
    """Do the work of `refresh_keys` if `is_keyed_by_word`."""
    for entry in range(start, stop):
        cell = np.int64(wave.trail_at[entry])
        if cell < graph.neighbour.shape[0]:
            refresh_word(wave, queue, rules, graph, cell)


def tally_cell(wave: Wave, queue: CellQueue, rules: RuleTable, cell: int) -> None:
    """Update the tile that a cell is counted as; undecided cells are not counted."""
    width = rules.rows.shape[2]
    tile = -1
    if has_one(wave.words, cell * width, width):
        tile = rules.tile[first_pattern(wave.words, cell * width, width)]
    before = queue.counted_as[cell]
    if tile == before:
        return
    if before >= 0:
        queue.used[before] -= 1
        queue.tally[c.TALLIED] -= 1
    if tile >= 0:
        queue.used[tile] += 1
        queue.tally[c.TALLIED] += 1
    queue.counted_as[cell] = tile


@kernel
def tally_all_cells(wave: Wave, queue: CellQueue, rules: RuleTable) -> None:
    """Count the decided cells of each tile, from the beginning."""
    queue.tally[c.TALLIED] = 0
    for tile in range(queue.used.size):
        queue.used[tile] = 0
    for cell in range(queue.counted_as.size):
        queue.counted_as[cell] = -1
        tally_cell(wave, queue, rules, cell)


@kernel
def enter_cells(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, start: int, stop: int
) -> None:
    """Write the entries of the cells from `start` to `stop`. Call `build_trees` after the last cells.

    A call with `start` 0 clears the memo of keys. At a root, most cells have the same domain as the previous
    cell; if the key depends on nothing else, it is copied.
    """
    width = rules.rows.shape[2]
    by_domain = depends_on_domain(queue)
    if start == 0:
        for slot in range(queue.memo_word.size):
            queue.memo_word[slot] = 0
    for criterion in range(queue.tree.shape[0]):
        tree, key = queue.tree[criterion], np.int64(c.DECIDED_KEY)
        for cell in range(start, stop):
            if not (by_domain and cell > start and is_same_domain(wave, cell, cell - 1, width)):
                key = compute_key(wave, queue, rules, graph, cell, criterion == SECONDARY)
            tree[cell] = entry_of(queue, cell, key) if key != c.DECIDED_KEY else NOTHING


@kernel_part
def refresh_keys(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, start: int, stop: int
) -> None:
    """Update the entries and tallies of the cells on the trail from `start` to `stop`."""
    cells, directions = graph.neighbour.shape
    width = rules.rows.shape[2]
    ranked = queue.knobs[c.ORDER] == c.BY_RANK
    spreads = queue.knobs[c.DEGREE_FACTOR] != 0 or queue.knobs[c.ORDER] == c.BY_USER
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
        if queue.knobs[c.TALLYING] != 0:
            tally_cell(wave, queue, rules, cell)
        if ranked:
            continue
        refresh_cell(wave, queue, rules, graph, cell)
        if spreads:  # the keys of its neighbours depend on whether this cell is decided
            for direction in range(directions):
                other = np.int64(graph.neighbour[cell, direction])
                if other != c.NOWHERE:
                    refresh_cell(wave, queue, rules, graph, other)


def has_keys(queue: CellQueue) -> bool:
    """Whether `refresh_keys` is needed. A fixed order has no keys and rarely counts tiles."""
    return queue.knobs[c.ORDER] != c.BY_RANK or queue.knobs[c.TALLYING] != 0


def is_undecided(wave: Wave, rules: RuleTable, cell: int) -> bool:
    """Whether a cell still needs a decision."""
    width = rules.rows.shape[2]
    if wave.state[c.METHOD] == c.NEIGHBOURS_ONLY:  # cells narrowed to one pattern were not propagated
        return wave.collapsed[cell] == 0
    return not has_one(wave.words, cell * width, width)


def gather_ties(queue: CellQueue, criterion: int) -> int:
    """Write the cells that tie for the lowest key to a row of the shortlist. Return their number.

    At most SHORTLIST cells are written.
    """
    cells, key = queue.shortlist[criterion], key_of(first_entry(queue, criterion))
    found = 0
    while found < queue.knobs[c.SHORTLIST]:
        entry = first_entry(queue, criterion)
        if entry == NOTHING or key_of(entry) != key:
            break
        cells[found] = cell_of(queue, entry)
        set_entry(queue, criterion, np.int64(cells[found]), NOTHING)
        found += 1
    for i in range(found):
        cell = np.int64(cells[i])
        set_entry(queue, criterion, cell, entry_of(queue, cell, key))
    return found


def combine_shortlists(queue: CellQueue, first: int, second: int) -> int:
    """Write the cells of both shortlists, or of either if they share none, to row 2. Return their number."""
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
    """Return the best cell of row 2: most undecided neighbours, nearest to the centre, then lowest rank."""
    knobs = queue.knobs
    best = c.NOWHERE
    most, nearest = 0, 0
    ties = 0
    for i in range(found):
        cell = np.int64(queue.shortlist[2, i])
        undecided = count_undecided(wave, rules, graph, cell) if knobs[c.CONSTRAINING] != 0 else 0
        distance = queue.centrality[cell] if knobs[c.CENTRAL] != 0 else 0
        better = best == c.NOWHERE or undecided > most or (undecided == most and distance < nearest)
        tied = best != c.NOWHERE and undecided == most and distance == nearest
        ties = 1 if better else ties + (1 if tied else 0)
        if better or (tied and queue.rank[cell] < queue.rank[best]):
            best, most, nearest = cell, undecided, distance
    queue.tally[c.SHORT_FINAL] += ties
    return best


def draw_tied_cell(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, found: int) -> int:
    """Draw a cell of row 2 with probability proportional to its undecided neighbours, or return NOWHERE.

    Row 3 is scratch. The bits are hashed again because the pattern is drawn with the same bits.
    """
    bits = mix_bits(~draw_decision(wave, queue))
    if np.int64(bits & np.uint64(0xFFFF)) >= queue.knobs[c.SOFT_CONSTRAINING]:
        return c.NOWHERE
    total = np.int64(0)
    for i in range(found):
        queue.shortlist[3, i] = count_undecided(wave, rules, graph, np.int64(queue.shortlist[2, i]))
        total += queue.shortlist[3, i]
    if total == 0:
        return c.NOWHERE
    left = np.int64((bits >> np.uint64(16)) % np.uint64(total))
    for i in range(found):
        left -= queue.shortlist[3, i]
        if left < 0:
            return np.int64(queue.shortlist[2, i])
    return c.NOWHERE


@kernel_part
def choose_from_shortlist(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Choose one of the cells that tie for the lowest key; NOWHERE when all cells are decided."""
    first = gather_ties(queue, PRIMARY)
    if first == 0:
        return c.NOWHERE
    second = gather_ties(queue, SECONDARY) if queue.knobs[c.BY_TWO] != 0 else 0
    if second > 0:
        found = combine_shortlists(queue, first, second)
    else:
        found = first
        for i in range(first):
            queue.shortlist[2, i] = queue.shortlist[0, i]
    tally = queue.tally
    tally[c.SHORT_FIRST] += first
    tally[c.SHORT_SECOND] += second
    tally[c.SHORT_COMBINED] += found
    tally[c.SHORT_COUNT] += 1
    best = c.NOWHERE
    if queue.knobs[c.SOFT_CONSTRAINING] != 0:
        best = draw_tied_cell(wave, queue, rules, graph, found)
    if best == c.NOWHERE:
        best = break_ties(wave, queue, rules, graph, found)
    else:
        tally[c.SHORT_FINAL] += 1
    return best


def find_next_cell(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph) -> int:
    """Return the cell to decide next, or NOWHERE when all cells are decided."""
    if queue.knobs[c.ORDER] == c.BY_RANK:
        sequence, at = queue.sequence, queue.position[0]
        while at < sequence.size and not is_undecided(wave, rules, np.int64(sequence[at])):
            at += 1
        queue.position[0] = at
        return np.int64(sequence[at]) if at < sequence.size else c.NOWHERE
    if queue.knobs[c.SHORTLIST] > 0:
        return choose_from_shortlist(wave, queue, rules, graph)
    return cell_of(queue, first_entry(queue, PRIMARY))
