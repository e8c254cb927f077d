"""Rules about more than two cells, applied to every cell that changed until nothing follows.

All rules only remove, and the fewer patterns are left, the more they remove: so the end is the same in
whatever order cells changed. Networks, about the whole map, are looked at less often: see `networks`.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import (
    ABSENT,
    APART,
    CONSISTENT,
    CONSTRAINED,
    EMPTY,
    FAMILY,
    FIRST,
    FULL,
    LEAST,
    MOST,
    OPEN,
    PARALLEL,
    PRESENT,
    ROOMS,
    ROW,
    RUN,
    SECOND,
    TALLY,
    TRAIL,
    TWINS,
    WHERE,
    WORK_LEFT,
)
from wavefold.kernels.distances import keep_apart
from wavefold.kernels.group_bits import empty_cell, keep_group, rate_cell, remove_group
from wavefold.kernels.networks import follow_changes, look_at_networks
from wavefold.kernels.rooms import keep_rooms
from wavefold.kernels.runs import limit_parallels, limit_runs
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.twins import match_twin
from wavefold.kernels.units import kernel, kernel_part


@kernel_part
def apply_propagators(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Apply every propagator to the cells that changed: CONSISTENT, EMPTY, or FULL."""
    state = wave.state
    cells, width = graph.neighbour.shape[0], rules.rows.shape[2]
    # Looking at one cell, each propagator removes from each word at most twice; at last a cell is emptied.
    room = wave.trail_at.size - (2 * rules.propagator.shape[0] + 1) * cells * width
    if state[CONSTRAINED] < 0:
        for row in range(wave.total.shape[0]):
            wave.total[row, 0], wave.total[row, 1] = 0, cells
            for cell in range(cells):
                wave.standing[row, cell] = OPEN
        for cell in range(cells):
            if state[TRAIL] > room:
                return FULL
            if not apply_to_cell(wave, rules, graph, cell):
                return EMPTY
        state[CONSTRAINED] = 0
    entry = state[CONSTRAINED]  # in a register: this loop is a large part of all propagation
    while entry < state[TRAIL]:
        if state[TRAIL] > room:
            state[CONSTRAINED] = entry
            return FULL
        at = wave.trail_at[entry]
        entry += 1
        if at >= cells * width:
            continue
        cell = np.int64(at)
        if width > 1:
            cell //= width  # a division takes longer than all the rest
            if entry < state[TRAIL] and wave.trail_at[entry] // width == cell:
                continue  # the words of one change are adjacent on the trail: the last one is enough
        if not apply_to_cell(wave, rules, graph, cell):
            state[CONSTRAINED] = entry
            return EMPTY
    state[CONSTRAINED] = entry
    return apply_tallies(wave, rules, graph)


def apply_to_cell(wave: Wave, rules: RuleTable, graph: KernelGraph, cell: int) -> bool:
    """Apply every propagator to a cell that changed. False if a cell is left with nothing."""
    for each in range(rules.propagator.shape[0]):
        family = rules.propagator[each, FAMILY]
        if family == TALLY:
            if wave.standing[rules.propagator[each, ROW], cell] == OPEN:  # else it cannot change
                tally_standing(wave, rules, each, cell)
        elif family == APART:
            if has_group(wave, rules, each, cell) and not keep_apart(wave, rules, graph, each, cell):
                return False
        elif family == RUN:
            if not limit_runs(wave, rules, graph, each, cell):
                return False
        elif family == PARALLEL:
            if not limit_parallels(wave, rules, graph, each, cell):
                return False
        elif family == TWINS:
            if not match_twin(wave, rules, each, cell):
                return False
        elif family == ROOMS and not keep_rooms(wave, rules, graph, each, cell):
            return False
    return True


def has_group(wave: Wave, rules: RuleTable, each: int, cell: int) -> bool:
    """Whether a cell has one of the two groups of a propagator in every case."""
    first, second = rules.propagator[each, FIRST], rules.propagator[each, SECOND]
    where = rules.propagator[each, WHERE]
    return rate_cell(wave, rules, cell, first, where) == PRESENT or (
        first != second and rate_cell(wave, rules, cell, second, where) == PRESENT
    )


def tally_standing(wave: Wave, rules: RuleTable, each: int, cell: int) -> None:
    """Count a cell as what it is now."""
    row = rules.propagator[each, ROW]
    standing = rate_cell(wave, rules, cell, rules.propagator[each, FIRST], rules.propagator[each, WHERE])
    before = wave.standing[row, cell]
    if standing != before:
        wave.standing[row, cell] = standing
        wave.total[row, 0] += np.int64(standing == PRESENT) - np.int64(before == PRESENT)
        wave.total[row, 1] += np.int64(standing != ABSENT) - np.int64(before != ABSENT)


def apply_tallies(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Where a tally has reached a bound, settle the cells that are open. All cells are counted."""
    cells, width = graph.neighbour.shape[0], rules.rows.shape[2]
    for each in range(rules.propagator.shape[0]):
        if rules.propagator[each, FAMILY] != TALLY:
            continue
        row, group = rules.propagator[each, ROW], rules.propagator[each, FIRST]
        present, possible = wave.total[row, 0], wave.total[row, 1]
        if wave.state[TRAIL] > wave.trail_at.size - cells * width:
            return FULL
        if present > rules.propagator[each, MOST] or possible < rules.propagator[each, LEAST]:
            empty_cell(wave, rules, find_standing(wave, row, PRESENT))
            return EMPTY
        has_enough = present == rules.propagator[each, MOST]
        if possible == present or not (has_enough or possible == rules.propagator[each, LEAST]):
            continue
        wave.state[WORK_LEFT] -= cells
        for cell in range(cells):
            if wave.standing[row, cell] == OPEN:
                if has_enough:
                    is_left = remove_group(wave, rules, cell, group)
                else:
                    is_left = keep_group(wave, rules, cell, group)
                if not is_left:
                    return EMPTY
        return CONSISTENT  # propagate first: what follows may settle other tallies
    return CONSISTENT


def find_standing(wave: Wave, row: int, standing: int) -> int:
    """The first cell of that standing, else 0."""
    for cell in range(wave.standing.shape[1]):
        if wave.standing[row, cell] == standing:
            return cell
    return 0


@kernel_part
def undo_tallies(wave: Wave, rules: RuleTable, mark: int) -> None:
    """Count the cells anew that changed after `mark`, a length of the trail. Their words are restored."""
    width = rules.rows.shape[2]
    words = wave.standing.shape[1] * width
    for entry in range(mark, min(wave.state[CONSTRAINED], wave.state[TRAIL])):
        at = wave.trail_at[entry]
        if at < words:
            for each in range(rules.propagator.shape[0]):
                if rules.propagator[each, FAMILY] == TALLY:
                    tally_standing(wave, rules, each, np.int64(at // width))


@kernel
def apply_constraints(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Apply all propagators, networks included: CONSISTENT, NARROWED, EMPTY or FULL."""
    status = np.int64(apply_propagators(wave, rules, graph))
    if status == CONSISTENT and rules.path_mask.shape[0] > 0:
        status = np.int64(follow_changes(wave, rules, graph))
        if status == CONSISTENT:
            status = np.int64(look_at_networks(wave, rules, graph))
    return status
