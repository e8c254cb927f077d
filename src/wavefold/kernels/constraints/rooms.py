"""Limits on the size of rooms, which are connected areas of one group of patterns."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import begin_search
from wavefold.kernels.constraints.group_bits import empty_cell, find_presence, keep_group, remove_group
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part


@kernel_part
def keep_rooms(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int) -> bool:
    """Limit the area of a changed cell, or the areas next to it. Return False if this empties a cell."""
    group, where = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.WHERE]
    presence = find_presence(wave, rules, cell, group, where)
    if presence == c.PRESENT:
        return limit_area(wave, rules, graph, propagator, cell) and fill_area(
            wave, rules, graph, propagator, cell
        )
    if presence == c.OPEN:  # its area is unchanged, except in the first propagation
        return wave.state[c.CONSTRAINED] >= 0 or fill_area(wave, rules, graph, propagator, cell)
    for direction in range(graph.neighbour.shape[1]):
        other = np.int64(graph.neighbour[cell, direction])
        if other == c.NOWHERE or find_presence(wave, rules, other, group, where) == c.ABSENT:
            continue
        if not fill_area(wave, rules, graph, propagator, other):
            return False
    return True


def limit_area(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int) -> bool:
    """Remove the group around an area that has MOST cells. Return False if this empties a cell."""
    group, where = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.WHERE]
    most = rules.propagator[propagator, c.MOST]
    if most >= graph.neighbour.shape[0]:
        return True
    size = list_area(wave, rules, graph, propagator, cell, c.PRESENT, most + 1)
    if size < most:
        return True
    if size > most:
        empty_cell(wave, rules, cell)
        return False
    for position in range(size):
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[wave.frontier[position], direction])
            if other == c.NOWHERE or find_presence(wave, rules, other, group, where) != c.OPEN:
                continue
            if not remove_group(wave, rules, other, group):
                return False
    return True


def fill_area(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int) -> bool:
    """Remove an area that cannot have LEAST cells; keep all of an area that can have just LEAST cells.

    Return False if this empties a cell.
    """
    group, where = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.WHERE]
    least = rules.propagator[propagator, c.LEAST]
    size = list_area(wave, rules, graph, propagator, cell, c.OPEN, least + 1)
    if size > least or (rules.propagator[propagator, c.SPAN] and is_at_border(wave, graph, size)):
        return True
    is_there = False
    for position in range(size):
        is_there |= find_presence(wave, rules, np.int64(wave.frontier[position]), group, where) == c.PRESENT
    if size == least and not is_there:
        return True
    if size < least and is_there:
        empty_cell(wave, rules, cell)
        return False
    for position in range(size):
        other = np.int64(wave.frontier[position])
        if size < least:
            if not remove_group(wave, rules, other, group):
                return False
        elif not keep_group(wave, rules, other, group):
            return False
    return True


def is_at_border(wave: Wave, graph: KernelGraph, size: int) -> bool:
    """Whether one of the first `size` cells of `frontier` is at the border, where its area may extend."""
    for position in range(size):
        for direction in range(graph.neighbour.shape[1]):
            if graph.neighbour[wave.frontier[position], direction] == c.NOWHERE:
                return True
    return False


def list_area(
    wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int, presence: int, most: int
) -> int:
    """Write up to `most` connected cells of at least this presence to `frontier`. Return their number."""
    group, where = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.WHERE]
    now = begin_search(wave, cell)
    position, size = 0, 1
    while position < size < most:
        here = wave.frontier[position]
        position += 1
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[here, direction])
            if other == c.NOWHERE or wave.reached[other] == now:
                continue
            wave.reached[other] = now
            if find_presence(wave, rules, other, group, where) >= presence and size < most:
                wave.frontier[size] = other
                size += 1
    wave.state[c.WORK_LEFT] -= position
    return size
