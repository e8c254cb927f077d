"""Whether a map still satisfies its constraints after a window of it was replaced.

The map satisfied them before, so that only what is near the changed cells has to be looked at: the same rules
as in `propagators`, on a map where every cell is decided.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import (
    APART,
    FAMILY,
    FIRST,
    LEAST,
    MOST,
    NETWORK,
    NOWHERE,
    PARALLEL,
    ROOMS,
    ROW,
    RUN,
    SECOND,
    SIDES,
    SPAN,
    TALLY,
    WHERE,
)
from wavefold.kernels.refine_networks import begin_visit, is_network_right
from wavefold.kernels.refine_structs import RefineMap, WindowTests
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.units import kernel_part

LOW, NOW, HIGH = 0, 1, 2  # columns of WindowTests.count


@kernel_part
def do_tests_hold(tests: WindowTests, chain: RefineMap, graph: KernelGraph, count: int) -> bool:
    """Whether the map is as it should be. The window is in it; what it had before is in `proposed`.

    If so, the counts are brought up to date.
    """
    for each in range(tests.propagator.shape[0]):
        family = tests.propagator[each, FAMILY]
        if family == TALLY:
            row = tests.propagator[each, ROW]
            now = tests.count[row, NOW] + count_change(tests, chain, each, count)
            if not tests.count[row, LOW] <= now <= tests.count[row, HIGH]:
                return False
        elif family == NETWORK:
            if not is_network_right(tests, chain, graph, each, count):
                return False
        elif not is_near_right(tests, chain, graph, each, count):
            return False
    for each in range(tests.propagator.shape[0]):
        if tests.propagator[each, FAMILY] == TALLY:
            tests.count[tests.propagator[each, ROW], NOW] += count_change(tests, chain, each, count)
    return True


def has(tests: WindowTests, chain: RefineMap, each: int, cell: int, group: int) -> bool:
    """Whether a cell has a pattern of a group, inside the area."""
    where = tests.propagator[each, WHERE]
    return tests.member[group, chain.pattern[cell]] != 0 and (where < 0 or tests.area[where, cell] != 0)


def count_change(tests: WindowTests, chain: RefineMap, each: int, count: int) -> int:
    """How many more cells are counted than before."""
    group, where = tests.propagator[each, FIRST], tests.propagator[each, WHERE]
    change = np.int64(0)
    for here in range(count):
        cell = chain.cell[here]
        if where < 0 or tests.area[where, cell] != 0:
            change += np.int64(tests.member[group, chain.pattern[cell]])
            change -= np.int64(tests.member[group, chain.proposed[here]])
    return change


def is_near_right(tests: WindowTests, chain: RefineMap, graph: KernelGraph, each: int, count: int) -> bool:
    """Whether a rule about nearby cells holds around every changed cell."""
    family = tests.propagator[each, FAMILY]
    first, second = tests.propagator[each, FIRST], tests.propagator[each, SECOND]
    for here in range(count):
        cell = np.int64(chain.cell[here])
        old, new = chain.proposed[here], chain.pattern[cell]
        if (
            tests.member[first, old] == tests.member[first, new]
            and tests.member[second, old] == tests.member[second, new]
        ):
            continue
        is_first = has(tests, chain, each, cell, first)
        if family == APART:
            if is_first and is_near(tests, chain, graph, each, cell, second):
                return False
            is_second = first != second and has(tests, chain, each, cell, second)
            if is_second and is_near(tests, chain, graph, each, cell, first):
                return False
        elif family == RUN:
            if is_first and not are_lines_short(tests, chain, graph, each, cell, np.int64(NOWHERE)):
                return False
        elif family == PARALLEL:
            for side in range(graph.neighbour.shape[1]):
                if is_first and not are_lines_short(tests, chain, graph, each, cell, side):
                    return False
        elif family == ROOMS and not are_rooms_right(tests, chain, graph, each, cell, is_first):
            return False
    return True


def is_near(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, each: int, cell: int, group: int
) -> bool:
    """Whether a cell at most SPAN steps away has a pattern of a group."""
    row = tests.propagator[each, ROW]
    now = begin_visit(tests, cell)
    start, stop = 0, 1
    for _ in range(tests.propagator[each, SPAN]):
        ring_end = stop
        for position in range(start, ring_end):
            here = np.int64(tests.frontier[position])
            for direction in range(graph.neighbour.shape[1]):
                other = np.int64(graph.neighbour[here, direction])
                if other == NOWHERE or tests.reached[other] == now:
                    continue
                if row >= 0 and (tests.barrier[row, here] >> np.uint32(direction)) & np.uint32(1) == 0:
                    continue
                if has(tests, chain, each, other, group):
                    return True
                tests.reached[other] = now
                tests.frontier[stop] = other
                stop += 1
        start = ring_end
    return False


def are_lines_short(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, each: int, cell: int, side: int
) -> bool:
    """Whether the lines through a cell have at most SPAN cells, or pairs of a cell and the one beside it."""
    if not has_place(tests, chain, graph, each, cell, side):
        return True
    most = tests.propagator[each, SPAN]
    for direction in range(graph.neighbour.shape[1]):
        back = np.int64(graph.opposite[direction])
        if (tests.propagator[each, SIDES] >> direction) & 1 == 0 or side in (direction, back):
            continue
        ahead, is_ring = count_line(tests, chain, graph, each, cell, direction, side)
        length = ahead + 1
        if not is_ring:
            length += count_line(tests, chain, graph, each, cell, back, side)[0]
        if length > most:
            return False
    return True


def count_line(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, each: int, cell: int, direction: int, side: int
) -> tuple[int, bool]:
    """How many places beyond a cell have the group, at most SPAN; and whether they lead back to the cell."""
    found, here = np.int64(0), np.int64(graph.neighbour[cell, direction])
    while here not in (NOWHERE, cell) and found < tests.propagator[each, SPAN]:
        if not has_place(tests, chain, graph, each, here, side):
            break
        found += 1
        here = np.int64(graph.neighbour[here, direction])
    return found, here == cell


def has_place(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, each: int, cell: int, side: int
) -> bool:
    """Whether a cell, and the one beside it if a side is given, have the group."""
    group = tests.propagator[each, FIRST]
    if side == NOWHERE or not has(tests, chain, each, cell, group):
        return has(tests, chain, each, cell, group)
    other = np.int64(graph.neighbour[cell, side])
    return other != NOWHERE and has(tests, chain, each, other, group)


def are_rooms_right(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, each: int, cell: int, is_inside: bool
) -> bool:
    """Whether the area of a cell has a size that is allowed; or those around it, if it is in none."""
    if is_inside:
        return is_size_right(tests, chain, graph, each, cell)
    for direction in range(graph.neighbour.shape[1]):
        other = np.int64(graph.neighbour[cell, direction])
        if other != NOWHERE and has(tests, chain, each, other, tests.propagator[each, FIRST]):
            if not is_size_right(tests, chain, graph, each, other):
                return False
    return True


def is_size_right(tests: WindowTests, chain: RefineMap, graph: KernelGraph, each: int, cell: int) -> bool:
    """Whether the area of a cell has at least LEAST and at most MOST cells."""
    group, least, most = (
        tests.propagator[each, FIRST],
        tests.propagator[each, LEAST],
        tests.propagator[each, MOST],
    )
    now = begin_visit(tests, cell)
    position, size = 0, 1
    enough = most + 1 if most < graph.neighbour.shape[0] else least
    while position < size < enough:
        here = tests.frontier[position]
        position += 1
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[here, direction])
            if other == NOWHERE or tests.reached[other] == now:
                continue
            tests.reached[other] = now
            if has(tests, chain, each, other, group):
                tests.frontier[size] = other
                size += 1
    return least <= size <= most
