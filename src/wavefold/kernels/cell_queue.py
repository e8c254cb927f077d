"""Which cell is next.

Cells that nothing touched since the root wait in a sorted list; those that changed are in a heap whose
outdated entries are skipped when they come up. So a decision costs what it touches, not what the map holds.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import (
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
from wavefold.kernels.domains import first_pattern, has_one
from wavefold.kernels.heap import pop, push
from wavefold.kernels.jit import inner, kernel
from wavefold.kernels.priority import key_of, undecided_around
from wavefold.kernels.structs import Agenda, Graph, RuleTable, Wave

FIRST, OTHER = np.int64(0), np.int64(1)  # queues, and rows of the shortlist
ANY_KEY = np.int64(-1)


@inner
def refresh_cell(wave: Wave, agenda: Agenda, rules: RuleTable, graph: Graph, cell: int) -> None:
    """Bring the key of a cell up to date, and queue it if that changed."""
    for queue in range(1 + agenda.knobs[SECOND]):
        key = key_of(wave, agenda, rules, graph, cell, queue == 1)
        if key != agenda.key[queue, cell]:
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
        refresh_cell(wave, agenda, rules, graph, cell)
        if spreads:  # the key also counts undecided neighbours
            for direction in range(directions):
                other = np.int64(graph.neighbour[cell, direction])
                if other != NOWHERE:
                    refresh_cell(wave, agenda, rules, graph, other)


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
def take_back(agenda: Agenda, cell: int) -> None:
    """Queue a cell again that was chosen and is open after all: its entry was used up."""
    if agenda.knobs[ORDER] != BY_RANK and agenda.knobs[SHORTLIST] == 0:
        push(agenda, FIRST, cell)
