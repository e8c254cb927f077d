"""Which cell is next.

Cells that nothing touched since the root wait in a sorted list; those that changed are in a heap whose
outdated entries are skipped when they come up. So a decision costs what it touches, not what the map holds.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.domains import first_pattern, has_one
from wavefold.kernels.jit import inner, kernel
from wavefold.kernels.keys import key_of, undecided_around
from wavefold.kernels.layout import (
    BY_RANK,
    BY_USER,
    CENTRAL,
    CONSTRAINING,
    DECIDED_KEY,
    DEGREE_FACTOR,
    METHOD,
    NEIGHBOURS,
    NOWHERE,
    ORDER,
    RANK_BITS,
    SECOND,
    SHORT_COMBINED,
    SHORT_COUNT,
    SHORT_FINAL,
    SHORT_FIRST,
    SHORT_SECOND,
    SHORTLIST,
    TALLIED,
    TALLYING,
)
from wavefold.kernels.records import Agenda, Graph, RuleTable, Wave

RANK_MASK = np.uint64((1 << RANK_BITS) - 1)
NOTHING = ~np.uint64(0)  # larger than every entry
FIRST, OTHER = np.int64(0), np.int64(1)  # queues, and rows of the shortlist
ANY_KEY = np.int64(-1)
ROOM_TO_GROW = 1024  # entries
TOP = np.int64(0)
ALWAYS, IF_CHANGED = np.bool_(True), np.bool_(False)


@inner
def is_current(agenda: Agenda, queue: int, entry: np.uint64) -> bool:
    """Whether an entry speaks of an open cell, and says the truth about it."""
    cell = agenda.sequence[np.int64(entry & RANK_MASK)]
    key = np.int64(entry >> np.uint64(RANK_BITS))
    return key == agenda.key[queue, cell] and key != DECIDED_KEY


@inner
def sift_down(heap: np.ndarray, size: int, position: int) -> None:
    """Let the entry at `position` sink to its place."""
    entry = heap[position]
    while True:
        child = 2 * position + 1
        if child >= size:
            break
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= entry:
            break
        heap[position] = heap[child]
        position = child
    heap[position] = entry


@inner
def compact(agenda: Agenda, queue: int) -> None:
    """Keep one current entry per cell."""
    heap = agenda.heap[queue]
    clock = agenda.stamp.size - 1
    agenda.stamp[clock] += 1
    kept = np.int64(0)
    for position in range(agenda.size[queue, 1]):
        entry = heap[position]
        cell = agenda.sequence[np.int64(entry & RANK_MASK)]
        if is_current(agenda, queue, entry) and agenda.stamp[cell] != agenda.stamp[clock]:
            agenda.stamp[cell] = agenda.stamp[clock]
            heap[kept] = entry
            kept += 1
    for position in range(kept // 2 - 1, -1, -1):
        sift_down(heap, kept, position)
    agenda.size[queue, 1] = kept
    # Few current entries among many outdated ones would only fill the cache.
    limit = 2 * kept + ROOM_TO_GROW
    agenda.size[queue, 2] = limit if limit < heap.size else heap.size


@inner
def push(agenda: Agenda, queue: int, cell: int) -> None:
    """Queue a cell under its current key."""
    heap = agenda.heap[queue]
    if agenda.size[queue, 1] >= agenda.size[queue, 2]:
        compact(agenda, queue)
    position = agenda.size[queue, 1]
    agenda.size[queue, 1] += 1
    entry = (np.uint64(agenda.key[queue, cell]) << np.uint64(RANK_BITS)) | np.uint64(agenda.rank[cell])
    while position > 0:
        parent = (position - 1) >> 1
        if heap[parent] <= entry:
            break
        heap[position] = heap[parent]
        position = parent
    heap[position] = entry


@inner
def pop(agenda: Agenda, queue: int, key_wanted: int) -> int:
    """Take the first current cell, if its key is the one wanted (negative: any). NOWHERE if there is none."""
    heap, untouched, size = agenda.heap[queue], agenda.untouched[queue], agenda.size[queue]
    while size[0] < untouched.size and not is_current(agenda, queue, untouched[size[0]]):
        size[0] += 1
    while size[1] > 0 and not is_current(agenda, queue, heap[0]):
        size[1] -= 1
        heap[0] = heap[size[1]]
        sift_down(heap, size[1], TOP)
    waiting = untouched[size[0]] if size[0] < untouched.size else NOTHING
    changed = heap[0] if size[1] > 0 else NOTHING
    entry = waiting if waiting < changed else changed
    if entry == NOTHING or (key_wanted >= 0 and np.int64(entry >> np.uint64(RANK_BITS)) != key_wanted):
        return NOWHERE
    if changed == entry:
        size[1] -= 1
        heap[0] = heap[size[1]]
        sift_down(heap, size[1], TOP)
    if waiting == entry:
        size[0] += 1
    return np.int64(agenda.sequence[np.int64(entry & RANK_MASK)])


@inner
def refresh_cell(wave: Wave, agenda: Agenda, rules: RuleTable, graph: Graph, cell: int, force: bool) -> None:
    """Bring the key of a cell up to date, and queue it if that changed."""
    for queue in range(1 + agenda.knobs[SECOND]):
        key = key_of(wave, agenda, rules, graph, cell, queue == 1)
        if key != agenda.key[queue, cell] or force:
            agenda.key[queue, cell] = key
            if key != DECIDED_KEY:
                push(agenda, queue, cell)


@kernel
def tally_cell(wave: Wave, agenda: Agenda, rules: RuleTable, cell: int) -> None:
    """Count a cell as the tile it was narrowed down to."""
    width = rules.rows.shape[2]
    tile = -1
    if has_one(wave.words, cell * width, width):
        tile = rules.tile[first_pattern(wave.words, cell * width, width)]
    before = agenda.counted_as[cell]
    if tile == before:
        return
    if before >= 0:
        agenda.used[before] -= 1
        agenda.tally[TALLIED] -= 1
    if tile >= 0:
        agenda.used[tile] += 1
        agenda.tally[TALLIED] += 1
    agenda.counted_as[cell] = tile


@inner
def refresh(wave: Wave, agenda: Agenda, rules: RuleTable, graph: Graph, start: int, stop: int) -> None:
    """Bring the cells of these trail entries up to date, each once."""
    cells, directions = graph.neighbour.shape
    width = rules.rows.shape[2]
    ranked = agenda.knobs[ORDER] == BY_RANK
    if ranked and agenda.knobs[TALLYING] == 0:
        return
    spreads = agenda.knobs[DEGREE_FACTOR] != 0 or agenda.knobs[ORDER] == BY_USER
    agenda.stamp[cells] += 1
    now = agenda.stamp[cells]
    for entry in range(start, stop):
        at = wave.trail_at[entry]
        if at >= cells * width:
            continue
        cell = np.int64(at // width if width > 1 else at)
        if agenda.stamp[cell] == now:
            continue
        agenda.stamp[cell] = now
        if agenda.knobs[TALLYING] != 0:
            tally_cell(wave, agenda, rules, cell)
        if ranked:
            continue
        refresh_cell(wave, agenda, rules, graph, cell, IF_CHANGED)
        if spreads:  # the key also counts undecided neighbours
            for direction in range(directions):
                other = np.int64(graph.neighbour[cell, direction])
                if other != NOWHERE:
                    refresh_cell(wave, agenda, rules, graph, other, IF_CHANGED)


@inner
def is_open(wave: Wave, rules: RuleTable, cell: int) -> bool:
    """Whether a cell still needs a decision."""
    width = rules.rows.shape[2]
    if wave.state[METHOD] == NEIGHBOURS:  # a single pattern was never followed up there
        return wave.collapsed[cell] == 0
    return not has_one(wave.words, cell * width, width)


@inner
def gather(agenda: Agenda, queue: int, row: int) -> int:
    """Take the cells that share the lowest key, at most as many as the shortlist has room for."""
    cells = agenda.shortlist[row]
    first = pop(agenda, queue, ANY_KEY)
    if first == NOWHERE:
        return 0
    cells[0] = first
    found = 1
    while found < agenda.knobs[SHORTLIST]:
        cell = pop(agenda, queue, agenda.key[queue, first])
        if cell == NOWHERE:
            break
        if cell != cells[found - 1]:  # the same entry may be queued twice
            cells[found] = cell
            found += 1
    return found


@inner
def combine(agenda: Agenda, first: int, second: int) -> int:
    """Both shortlists into row 2: what they share, or else everything."""
    shared = 0
    for i in range(first):
        for j in range(second):
            if agenda.shortlist[0, i] == agenda.shortlist[1, j]:
                agenda.shortlist[2, shared] = agenda.shortlist[0, i]
                shared += 1
    if shared > 0:
        return shared
    for i in range(first):
        agenda.shortlist[2, i] = agenda.shortlist[0, i]
    for j in range(second):
        agenda.shortlist[2, first + j] = agenda.shortlist[1, j]
    return first + second


@inner
def best_of(wave: Wave, agenda: Agenda, rules: RuleTable, graph: Graph, found: int) -> int:
    """Break the ties of row 2: most undecided neighbours, nearest to the centre, rank."""
    knobs = agenda.knobs
    best = NOWHERE
    most, nearest = 0, 0
    ties = 0
    for i in range(found):
        cell = np.int64(agenda.shortlist[2, i])
        undecided = undecided_around(wave, rules, graph, cell) if knobs[CONSTRAINING] != 0 else 0
        distance = agenda.centrality[cell] if knobs[CENTRAL] != 0 else 0
        better = best == NOWHERE or undecided > most or (undecided == most and distance < nearest)
        tied = best != NOWHERE and undecided == most and distance == nearest
        ties = 1 if better else ties + (1 if tied else 0)
        if better or (tied and agenda.rank[cell] < agenda.rank[best]):
            best, most, nearest = cell, undecided, distance
    agenda.tally[SHORT_FINAL] += ties
    return best


@inner
def shortlisted_cell(wave: Wave, agenda: Agenda, rules: RuleTable, graph: Graph) -> int:
    """Compare the cells that tie for first place. Everything looked at but not taken is queued again."""
    first = gather(agenda, FIRST, FIRST)
    if first == 0:
        return NOWHERE
    second = gather(agenda, OTHER, OTHER) if agenda.knobs[SECOND] != 0 else 0
    if second > 0:
        found = combine(agenda, first, second)
    else:
        found = first
        for i in range(first):
            agenda.shortlist[2, i] = agenda.shortlist[0, i]
    tally = agenda.tally
    tally[SHORT_FIRST] += first
    tally[SHORT_SECOND] += second
    tally[SHORT_COMBINED] += found
    tally[SHORT_COUNT] += 1
    best = best_of(wave, agenda, rules, graph, found)
    for i in range(first):
        push(agenda, FIRST, np.int64(agenda.shortlist[0, i]))
    for j in range(second):
        push(agenda, OTHER, np.int64(agenda.shortlist[1, j]))
    return best


@inner
def next_cell(wave: Wave, agenda: Agenda, rules: RuleTable, graph: Graph) -> int:
    """The cell to decide next, or NOWHERE when all are."""
    if agenda.knobs[ORDER] == BY_RANK:
        size = agenda.size[0]
        while size[0] < agenda.sequence.size and not is_open(wave, rules, np.int64(agenda.sequence[size[0]])):
            size[0] += 1
        return np.int64(agenda.sequence[size[0]]) if size[0] < agenda.sequence.size else NOWHERE
    if agenda.knobs[SHORTLIST] > 0:
        return shortlisted_cell(wave, agenda, rules, graph)
    return pop(agenda, FIRST, ANY_KEY)


@inner
def take_back(wave: Wave, agenda: Agenda, rules: RuleTable, graph: Graph, cell: int) -> None:
    """Queue the cell of an undone decision again: its entry was used up when it was chosen."""
    if agenda.knobs[ORDER] != BY_RANK and agenda.knobs[SHORTLIST] == 0:
        refresh_cell(wave, agenda, rules, graph, cell, ALWAYS)
