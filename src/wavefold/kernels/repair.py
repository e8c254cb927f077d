"""Local repair: open a ball around a conflict again and keep the rest."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.agenda import IF_CHANGED, refresh_cell, tally_cell
from wavefold.kernels.jit import kernel
from wavefold.kernels.layout import (
    APART,
    BY_RANK,
    CONFLICT,
    CONFLICTS,
    DEPTH,
    LIVE,
    METHOD,
    NOWHERE,
    ORDER,
    PHASE,
    PROGRESS,
    PROPAGATED,
    PROPAGATING,
    REFRESHED,
    TALLYING,
    TRAIL,
)
from wavefold.kernels.live import revive
from wavefold.kernels.propagation import has_one, visit
from wavefold.kernels.records import Agenda, Graph, RuleTable, Wave
from wavefold.kernels.search import undo_decision

OUTSIDE, INSIDE, REOPENED = 0, 1, 2


@kernel
def mark_ball(graph: Graph, centre: int, radius: int, place: np.ndarray, line: np.ndarray) -> int:
    """Set `place` to INSIDE for cells at most `radius` steps away; how many they are. `line` is scratch."""
    for cell in range(place.size):
        place[cell] = OUTSIDE
    place[centre] = INSIDE
    line[0] = centre
    start, stop = 0, 1
    for _ in range(radius):
        ring_end = stop
        for position in range(start, ring_end):
            for direction in range(graph.neighbour.shape[1]):
                other = graph.neighbour[line[position], direction]
                if other != NOWHERE and place[other] == OUTSIDE:
                    place[other] = INSIDE
                    line[stop] = other
                    stop += 1
        start = ring_end
    return stop


@kernel
def reopen(
    wave: Wave,
    agenda: Agenda,
    rules: RuleTable,
    graph: Graph,
    root: np.ndarray,
    place: np.ndarray,
) -> None:
    """Keep decided cells outside the ball and give all others the domain of the root.

    What decided cells imply is then propagated anew, so the result is the same as if they had been
    pinned at the root. All refutations are gone with the domains that held them, and so is the trail.
    """
    state = wave.state
    cells, directions = graph.neighbour.shape
    width = rules.rows.shape[2]
    if state[PHASE] == CONFLICT:  # a failed propagation stopped half-way: what it left is no fixpoint
        undo_decision(wave, agenda, rules, graph)
    for cell in range(cells):
        start = cell * width
        if place[cell] == OUTSIDE and has_one(wave.words, start, width):
            continue
        place[cell] = REOPENED
        wave.collapsed[cell] = 0
        for word in range(width):
            wave.words[start + word] = root[start + word]
        if state[METHOD] == LIVE:
            revive(wave, rules, graph, cell)
    state[DEPTH] = 0
    state[TRAIL] = 0
    state[PROPAGATED] = 0
    state[APART] = 0
    state[REFRESHED] = 0
    for cell in range(cells):
        if place[cell] == REOPENED:
            if agenda.knobs[TALLYING] != 0:
                tally_cell(wave, agenda, rules, cell)
            if agenda.knobs[ORDER] != BY_RANK:
                refresh_cell(wave, agenda, rules, graph, cell, IF_CHANGED)
            continue
        for direction in range(directions):
            other = graph.neighbour[cell, direction]
            if other != NOWHERE and place[other] == REOPENED:
                if state[METHOD] == LIVE:
                    revive(wave, rules, graph, cell)
                visit(wave, rules, cell)
                break
    if agenda.knobs[ORDER] == BY_RANK:
        agenda.size[0, 0] = 0
    state[PROGRESS] = 0
    state[CONFLICTS] = 0
    state[PHASE] = PROPAGATING
