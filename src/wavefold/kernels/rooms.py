"""Connected areas of one group of patterns, neither too small nor too large."""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import (
    ABSENT,
    CONSTRAINED,
    FIRST,
    LEAST,
    MOST,
    NOWHERE,
    OPEN,
    PRESENT,
    SPAN,
    WHERE,
    WORK_LEFT,
)
from wavefold.kernels.group_bits import empty_cell, keep_group, rate_cell, remove_group
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part


@kernel_part
def keep_rooms(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int, cell: int) -> bool:
    """Look at the area of a cell that changed, or at those around it. False if nothing can be left."""
    group, where = rules.propagator[each, FIRST], rules.propagator[each, WHERE]
    standing = rate_cell(wave, rules, cell, group, where)
    if standing == PRESENT:
        return limit_area(wave, rules, graph, each, cell) and fill_area(wave, rules, graph, each, cell)
    if standing == OPEN:  # nothing changed for its area, unless this is the first look
        return wave.state[CONSTRAINED] >= 0 or fill_area(wave, rules, graph, each, cell)
    for direction in range(graph.neighbour.shape[1]):
        other = np.int64(graph.neighbour[cell, direction])
        if other == NOWHERE or rate_cell(wave, rules, other, group, where) == ABSENT:
            continue
        if not fill_area(wave, rules, graph, each, other):
            return False
    return True


def limit_area(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int, cell: int) -> bool:
    """Close the area around a cell once it is as large as it may be."""
    group, where = rules.propagator[each, FIRST], rules.propagator[each, WHERE]
    most = rules.propagator[each, MOST]
    if most >= graph.neighbour.shape[0]:
        return True
    size = list_area(wave, rules, graph, each, cell, PRESENT, most + 1)
    if size < most:
        return True
    if size > most:
        empty_cell(wave, rules, cell)
        return False
    for position in range(size):
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[wave.frontier[position], direction])
            if other == NOWHERE or rate_cell(wave, rules, other, group, where) != OPEN:
                continue
            if not remove_group(wave, rules, other, group):
                return False
    return True


def fill_area(wave: Wave, rules: RuleTable, graph: KernelGraph, each: int, cell: int) -> bool:
    """If the area around a cell cannot become large enough, there is none; if only just, it takes all."""
    group, where = rules.propagator[each, FIRST], rules.propagator[each, WHERE]
    least = rules.propagator[each, LEAST]
    size = list_area(wave, rules, graph, each, cell, OPEN, least + 1)
    if size > least or (rules.propagator[each, SPAN] and is_at_border(wave, graph, size)):
        return True
    is_there = False
    for position in range(size):
        is_there |= rate_cell(wave, rules, np.int64(wave.frontier[position]), group, where) == PRESENT
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
    """Whether one of the first cells of `frontier` lacks a neighbour: its area may go on there."""
    for position in range(size):
        for direction in range(graph.neighbour.shape[1]):
            if graph.neighbour[wave.frontier[position], direction] == NOWHERE:
                return True
    return False


def list_area(
    wave: Wave, rules: RuleTable, graph: KernelGraph, each: int, cell: int, standing: int, most: int
) -> int:
    """Write the cells connected with one that have at least this standing into `frontier`; at most `most`."""
    group, where = rules.propagator[each, FIRST], rules.propagator[each, WHERE]
    clock = wave.reached.size - 1
    wave.reached[clock] += 1
    now = wave.reached[clock]
    wave.reached[cell] = now
    wave.frontier[0] = cell
    position, size = 0, 1
    while position < size < most:
        here = wave.frontier[position]
        position += 1
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[here, direction])
            if other == NOWHERE or wave.reached[other] == now:
                continue
            wave.reached[other] = now
            if rate_cell(wave, rules, other, group, where) >= standing and size < most:
                wave.frontier[size] = other
                size += 1
    wave.state[WORK_LEFT] -= position
    return size
