"""Limits on the length of runs: lines of cells of one group, and pairs of such lines side by side.

A *place* is a cell or, for pairs, a cell and its neighbour in the direction `side`. A place has the group if
all of its cells have it.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.constraints.group_bits import find_presence, remove_group
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part


@kernel_part
def limit_runs(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int) -> bool:
    """Remove the group where a run through a cell would be too long. Return False if this empties a cell."""
    return limit_lines(wave, rules, graph, propagator, cell, c.NOWHERE)


@kernel_part
def limit_parallels(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int) -> bool:
    """Do the same for runs of pairs of cells."""
    for side in range(graph.neighbour.shape[1]):
        if not limit_lines(wave, rules, graph, propagator, cell, side):
            return False
    return True


def limit_lines(
    wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int, side: int
) -> bool:
    """Limit the runs through a cell along each of SIDES. Return False if this empties a cell.

    side : the direction of the second cell of each pair; NOWHERE: single cells
    """
    presence = find_place_presence(wave, rules, graph, propagator, cell, side)
    if presence == c.ABSENT:
        return True
    most = rules.propagator[propagator, c.SPAN]
    for direction in range(graph.neighbour.shape[1]):
        back = np.int64(graph.opposite[direction])
        if (rules.propagator[propagator, c.SIDES] >> direction) & 1 == 0 or side in (direction, back):
            continue
        ahead = count_run(wave, rules, graph, propagator, cell, direction, side, cell)
        is_ring = follow(graph, cell, direction, ahead + 1) == cell
        behind = np.int64(0) if is_ring else count_run(wave, rules, graph, propagator, cell, back, side, cell)
        length = ahead + 1 + behind
        if length > most:
            return clear_place(wave, rules, graph, propagator, cell, side)  # no runs through the cell remain
        if presence != c.PRESENT or is_ring:
            continue
        first, last = follow(graph, cell, back, behind), follow(graph, cell, direction, ahead)
        if not limit_gap(wave, rules, graph, propagator, last, direction, side, length, first):
            return False
        if not limit_gap(wave, rules, graph, propagator, first, back, side, length, last):
            return False
    return True


def follow(graph: KernelGraph, cell: int, direction: int, steps: int) -> int:
    """Return the cell that is `steps` steps away in a direction, or NOWHERE."""
    here = np.int64(cell)
    for _ in range(steps):
        if here == c.NOWHERE:
            break
        here = np.int64(graph.neighbour[here, direction])
    return here


def find_place_presence(
    wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int, side: int
) -> int:
    """Return PRESENT if a place has the group, OPEN if it lacks one open cell, else ABSENT."""
    group, where = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.WHERE]
    presence = find_presence(wave, rules, cell, group, where)
    if side == c.NOWHERE:
        return presence
    other = np.int64(graph.neighbour[cell, side])
    if other == c.NOWHERE or presence == c.ABSENT:
        return c.ABSENT
    beside = find_presence(wave, rules, other, group, where)
    return max(c.ABSENT, presence + beside - c.PRESENT)


def clear_place(
    wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int, side: int
) -> bool:
    """Remove the group from the open cell of a place. Return False if this empties the cell."""
    group, where = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.WHERE]
    is_open = side == c.NOWHERE or find_presence(wave, rules, cell, group, where) == c.OPEN
    gone = cell if is_open else np.int64(graph.neighbour[cell, side])
    return remove_group(wave, rules, gone, group)


def count_run(
    wave: Wave,
    rules: RuleTable,
    graph: KernelGraph,
    propagator: int,
    cell: int,
    direction: int,
    side: int,
    stop: int,
) -> int:
    """Count the consecutive places beyond a cell that have the group, before `stop`; at most SPAN + 1."""
    found = np.int64(0)
    here = np.int64(graph.neighbour[cell, direction])
    while here not in (c.NOWHERE, stop) and found <= rules.propagator[propagator, c.SPAN]:
        if find_place_presence(wave, rules, graph, propagator, here, side) != c.PRESENT:
            break
        found += 1
        here = np.int64(graph.neighbour[here, direction])
    return found


def limit_gap(
    wave: Wave,
    rules: RuleTable,
    graph: KernelGraph,
    propagator: int,
    end: int,
    direction: int,
    side: int,
    length: int,
    other_end: int,
) -> bool:
    """Remove the group from the open place after a run if filling it would make the run too long.

    Return False if this empties a cell.
    """
    gap = np.int64(graph.neighbour[end, direction])
    if gap == c.NOWHERE or find_place_presence(wave, rules, graph, propagator, gap, side) != c.OPEN:
        return True
    beyond = count_run(wave, rules, graph, propagator, gap, direction, side, other_end)
    if length + 1 + beyond <= rules.propagator[propagator, c.SPAN]:
        return True
    return clear_place(wave, rules, graph, propagator, gap, side)
