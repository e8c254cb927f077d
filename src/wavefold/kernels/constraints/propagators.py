"""Propagation of constraints: apply all near rules to each changed cell until nothing changes.

Propagators are monotone, so the fixpoint does not depend on the order of changes. Networks concern the whole
map and are checked less often: see `networks`.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.distances import keep_apart
from wavefold.kernels.constraints.group_bits import empty_cell, find_presence, keep_group, remove_group
from wavefold.kernels.constraints.networks import check_networks, follow_changes
from wavefold.kernels.constraints.rooms import keep_rooms
from wavefold.kernels.constraints.runs import limit_parallels, limit_runs
from wavefold.kernels.constraints.twins import match_twin
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel, kernel_part


@kernel_part
def apply_propagators(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Apply every near rule to the changed cells. Return CONSISTENT, EMPTY or FULL."""
    state = wave.state
    cells, width = graph.neighbour.shape[0], rules.rows.shape[2]
    # For one changed cell, each propagator narrows each word at most twice; then a cell may be emptied.
    room = wave.trail_at.size - (2 * rules.propagator.shape[0] + 1) * cells * width
    if state[c.CONSTRAINED] < 0:
        for row in range(wave.total.shape[0]):
            wave.total[row, 0], wave.total[row, 1] = 0, cells
            for cell in range(cells):
                wave.presence[row, cell] = c.OPEN
        for cell in range(cells):
            if state[c.TRAIL] > room:
                return c.FULL
            if not apply_to_cell(wave, rules, graph, cell):
                return c.EMPTY
        state[c.CONSTRAINED] = 0
    entry = state[c.CONSTRAINED]  # kept in a register: this loop is a large part of all propagation
    while entry < state[c.TRAIL]:
        if state[c.TRAIL] > room:
            state[c.CONSTRAINED] = entry
            return c.FULL
        at = wave.trail_at[entry]
        entry += 1
        if at >= cells * width:
            continue
        cell = np.int64(at)
        if width > 1:
            cell //= width  # only if necessary: the division is the slowest step
            if entry < state[c.TRAIL] and wave.trail_at[entry] // width == cell:
                continue  # the words of one change are adjacent on the trail; process the cell once
        if not apply_to_cell(wave, rules, graph, cell):
            state[c.CONSTRAINED] = entry
            return c.EMPTY
    state[c.CONSTRAINED] = entry
    return apply_tallies(wave, rules, graph)


def apply_to_cell(wave: Wave, rules: RuleTable, graph: KernelGraph, cell: int) -> bool:
    """Apply every near rule to a changed cell. Return False if this empties a cell."""
    for propagator in range(rules.propagator.shape[0]):
        family = rules.propagator[propagator, c.FAMILY]
        if family == c.TALLY:
            if wave.presence[rules.propagator[propagator, c.ROW], cell] == c.OPEN:  # others are final
                count_presence(wave, rules, propagator, cell)
        elif family == c.APART:
            if has_group(wave, rules, propagator, cell) and not keep_apart(
                wave, rules, graph, propagator, cell
            ):
                return False
        elif family == c.RUN:
            if not limit_runs(wave, rules, graph, propagator, cell):
                return False
        elif family == c.PARALLEL:
            if not limit_parallels(wave, rules, graph, propagator, cell):
                return False
        elif family == c.TWINS:
            if not match_twin(wave, rules, propagator, cell):
                return False
        elif family == c.ROOMS:
            if not keep_rooms(wave, rules, graph, propagator, cell):
                return False
    return True


def has_group(wave: Wave, rules: RuleTable, propagator: int, cell: int) -> bool:
    """Whether either group of a propagator is PRESENT in a cell."""
    first, second = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.SECOND]
    where = rules.propagator[propagator, c.WHERE]
    return find_presence(wave, rules, cell, first, where) == c.PRESENT or (
        first != second and find_presence(wave, rules, cell, second, where) == c.PRESENT
    )


def count_presence(wave: Wave, rules: RuleTable, propagator: int, cell: int) -> None:
    """Update the presence of a cell in a tally, and the totals."""
    row = rules.propagator[propagator, c.ROW]
    presence = find_presence(
        wave, rules, cell, rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.WHERE]
    )
    before = wave.presence[row, cell]
    if presence != before:
        wave.presence[row, cell] = presence
        wave.total[row, 0] += np.int64(presence == c.PRESENT) - np.int64(before == c.PRESENT)
        wave.total[row, 1] += np.int64(presence != c.ABSENT) - np.int64(before != c.ABSENT)


def apply_tallies(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Remove or keep the group in all OPEN cells of a tally that has reached a bound.

    All changed cells must have been counted. Return CONSISTENT, EMPTY or FULL.
    """
    cells, width = graph.neighbour.shape[0], rules.rows.shape[2]
    for propagator in range(rules.propagator.shape[0]):
        if rules.propagator[propagator, c.FAMILY] != c.TALLY:
            continue
        row, group = rules.propagator[propagator, c.ROW], rules.propagator[propagator, c.FIRST]
        present, possible = wave.total[row, 0], wave.total[row, 1]
        if wave.state[c.TRAIL] > wave.trail_at.size - cells * width:
            return c.FULL
        if present > rules.propagator[propagator, c.MOST] or possible < rules.propagator[propagator, c.LEAST]:
            empty_cell(wave, rules, find_cell_with(wave, row, c.PRESENT))
            return c.EMPTY
        has_enough = present == rules.propagator[propagator, c.MOST]
        if possible == present or not (has_enough or possible == rules.propagator[propagator, c.LEAST]):
            continue
        wave.state[c.WORK_LEFT] -= cells
        for cell in range(cells):
            if wave.presence[row, cell] == c.OPEN:
                if has_enough:
                    is_left = remove_group(wave, rules, cell, group)
                else:
                    is_left = keep_group(wave, rules, cell, group)
                if not is_left:
                    return c.EMPTY
        return c.CONSISTENT  # propagate first: the consequences may affect other tallies
    return c.CONSISTENT


def find_cell_with(wave: Wave, row: int, presence: int) -> int:
    """Return the first cell with this presence in a tally, or 0."""
    for cell in range(wave.presence.shape[1]):
        if wave.presence[row, cell] == presence:
            return cell
    return 0


@kernel_part
def undo_tallies(wave: Wave, rules: RuleTable, mark: int) -> None:
    """Count the restored cells again, which are on the trail from `mark`."""
    width = rules.rows.shape[2]
    words = wave.presence.shape[1] * width
    for entry in range(mark, min(wave.state[c.CONSTRAINED], wave.state[c.TRAIL])):
        at = wave.trail_at[entry]
        if at < words:
            for propagator in range(rules.propagator.shape[0]):
                if rules.propagator[propagator, c.FAMILY] == c.TALLY:
                    count_presence(wave, rules, propagator, np.int64(at // width))


@kernel
def apply_constraints(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Apply all propagators, including networks. Return CONSISTENT, NARROWED, EMPTY or FULL."""
    status = np.int64(apply_propagators(wave, rules, graph))
    if status == c.CONSISTENT and rules.path_mask.shape[0] > 0:
        status = np.int64(follow_changes(wave, rules, graph))
        if status == c.CONSISTENT:
            status = np.int64(check_networks(wave, rules, graph))
    return status
