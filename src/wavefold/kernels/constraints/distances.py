"""Minimum distances between groups of patterns."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import begin_search
from wavefold.kernels.constraints.group_bits import find_presence, remove_group
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part


@kernel_part
def keep_apart(wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int) -> bool:
    """If one group is PRESENT in a cell, remove the other around it. Return False if this empties a cell."""
    first, second = rules.propagator[propagator, c.FIRST], rules.propagator[propagator, c.SECOND]
    where = rules.propagator[propagator, c.WHERE]
    if find_presence(wave, rules, cell, first, where) == c.PRESENT and not clear_around(
        wave, rules, graph, propagator, cell, second
    ):
        return False
    return (
        first == second
        or find_presence(wave, rules, cell, second, where) != c.PRESENT
        or clear_around(wave, rules, graph, propagator, cell, first)
    )


def clear_around(
    wave: Wave, rules: RuleTable, graph: KernelGraph, propagator: int, cell: int, group: int
) -> bool:
    """Remove a group from the other cells at most SPAN steps away. Return False if this empties a cell."""
    row, where = rules.propagator[propagator, c.ROW], rules.propagator[propagator, c.WHERE]
    now = begin_search(wave, cell)
    start, stop = 0, 1
    for _ in range(rules.propagator[propagator, c.SPAN]):
        ring_end = stop
        for position in range(start, ring_end):
            here = np.int64(wave.frontier[position])
            for direction in range(graph.neighbour.shape[1]):
                other = np.int64(graph.neighbour[here, direction])
                if other == c.NOWHERE or wave.reached[other] == now:
                    continue
                if row >= 0 and (rules.barrier[row, here] >> np.uint32(direction)) & np.uint32(1) == 0:
                    continue
                wave.reached[other] = now
                wave.frontier[stop] = other
                stop += 1
                if where >= 0 and rules.area[where, other] == 0:
                    continue
                if not remove_group(wave, rules, other, group):
                    return False
        if ring_end == stop:
            break
        start = ring_end
    wave.state[c.WORK_LEFT] -= stop
    return True
