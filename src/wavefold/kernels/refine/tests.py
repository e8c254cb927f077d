"""Tests of whether a map still satisfies its constraints after a window was replaced.

The map satisfied the constraints before, so only the surroundings of changed cells are tested. The rules are
those of `constraints.propagators`, for maps whose cells are all decided.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import begin_search
from wavefold.kernels.refine.networks import is_network_valid
from wavefold.kernels.refine.structs import RefineMap, WindowTests
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.units import kernel_part

LOW, NOW, HIGH = 0, 1, 2  # columns of WindowTests.count


@kernel_part
def passes_tests(tests: WindowTests, chain: RefineMap, graph: KernelGraph, count: int) -> bool:
    """Whether the map satisfies its constraints; if so, update the counts.

    The map has the new content of the window; `proposed` has the old content.
    """
    for propagator in range(tests.propagator.shape[0]):
        family = tests.propagator[propagator, c.FAMILY]
        if family == c.TALLY:
            row = tests.propagator[propagator, c.ROW]
            now = tests.count[row, NOW] + count_change(tests, chain, propagator, count)
            if not tests.count[row, LOW] <= now <= tests.count[row, HIGH]:
                return False
        elif family == c.NETWORK:
            if not is_network_valid(tests, chain, graph, propagator, count):
                return False
        elif not is_nearby_valid(tests, chain, graph, propagator, count):
            return False
    for propagator in range(tests.propagator.shape[0]):
        if tests.propagator[propagator, c.FAMILY] == c.TALLY:
            tests.count[tests.propagator[propagator, c.ROW], NOW] += count_change(
                tests, chain, propagator, count
            )
    return True


def has_group(tests: WindowTests, chain: RefineMap, propagator: int, cell: int, group: int) -> bool:
    """Whether a cell is in the area and has a pattern of a group."""
    where = tests.propagator[propagator, c.WHERE]
    return tests.member[group, chain.pattern[cell]] != 0 and (where < 0 or tests.area[where, cell] != 0)


def count_change(tests: WindowTests, chain: RefineMap, propagator: int, count: int) -> int:
    """Return by how much the count of a tally changed."""
    group, where = tests.propagator[propagator, c.FIRST], tests.propagator[propagator, c.WHERE]
    change = np.int64(0)
    for here in range(count):
        cell = chain.cell[here]
        if where < 0 or tests.area[where, cell] != 0:
            change += np.int64(tests.member[group, chain.pattern[cell]])
            change -= np.int64(tests.member[group, chain.proposed[here]])
    return change


def is_nearby_valid(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, count: int
) -> bool:
    """Whether a near rule holds around every changed cell."""
    family = tests.propagator[propagator, c.FAMILY]
    first, second = tests.propagator[propagator, c.FIRST], tests.propagator[propagator, c.SECOND]
    for here in range(count):
        cell = np.int64(chain.cell[here])
        old, new = chain.proposed[here], chain.pattern[cell]
        if (
            tests.member[first, old] == tests.member[first, new]
            and tests.member[second, old] == tests.member[second, new]
        ):
            continue
        is_first = has_group(tests, chain, propagator, cell, first)
        if family == c.APART:
            if is_first and is_near(tests, chain, graph, propagator, cell, second):
                return False
            is_second = first != second and has_group(tests, chain, propagator, cell, second)
            if is_second and is_near(tests, chain, graph, propagator, cell, first):
                return False
        elif family == c.RUN:
            if is_first and not are_lines_short(tests, chain, graph, propagator, cell, np.int64(c.NOWHERE)):
                return False
        elif family == c.PARALLEL:
            for side in range(graph.neighbour.shape[1]):
                if is_first and not are_lines_short(tests, chain, graph, propagator, cell, side):
                    return False
        elif family == c.ROOMS and not are_rooms_valid(tests, chain, graph, propagator, cell, is_first):
            return False
    return True


def is_near(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, cell: int, group: int
) -> bool:
    """Whether another cell at most SPAN steps away has a pattern of a group."""
    row = tests.propagator[propagator, c.ROW]
    now = begin_search(tests, cell)
    start, stop = 0, 1
    for _ in range(tests.propagator[propagator, c.SPAN]):
        ring_end = stop
        for position in range(start, ring_end):
            here = np.int64(tests.frontier[position])
            for direction in range(graph.neighbour.shape[1]):
                other = np.int64(graph.neighbour[here, direction])
                if other == c.NOWHERE or tests.reached[other] == now:
                    continue
                if row >= 0 and (tests.barrier[row, here] >> np.uint32(direction)) & np.uint32(1) == 0:
                    continue
                if has_group(tests, chain, propagator, other, group):
                    return True
                tests.reached[other] = now
                tests.frontier[stop] = other
                stop += 1
        start = ring_end
    return False


def are_lines_short(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, cell: int, side: int
) -> bool:
    """Whether the runs through a cell have at most SPAN places: see `constraints.runs`."""
    if not has_place(tests, chain, graph, propagator, cell, side):
        return True
    most = tests.propagator[propagator, c.SPAN]
    for direction in range(graph.neighbour.shape[1]):
        back = np.int64(graph.opposite[direction])
        if (tests.propagator[propagator, c.SIDES] >> direction) & 1 == 0 or side in (direction, back):
            continue
        ahead, is_ring = count_line(tests, chain, graph, propagator, cell, direction, side)
        length = ahead + 1
        if not is_ring:
            length += count_line(tests, chain, graph, propagator, cell, back, side)[0]
        if length > most:
            return False
    return True


def count_line(
    tests: WindowTests,
    chain: RefineMap,
    graph: KernelGraph,
    propagator: int,
    cell: int,
    direction: int,
    side: int,
) -> tuple[int, bool]:
    """Count the consecutive places beyond a cell that have the group, at most SPAN.

    Also return whether they lead back to the cell.
    """
    found, here = np.int64(0), np.int64(graph.neighbour[cell, direction])
    while here not in (c.NOWHERE, cell) and found < tests.propagator[propagator, c.SPAN]:
        if not has_place(tests, chain, graph, propagator, here, side):
            break
        found += 1
        here = np.int64(graph.neighbour[here, direction])
    return found, here == cell


def has_place(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, cell: int, side: int
) -> bool:
    """Whether a cell has the group and, if a side is given, its neighbour on that side, too."""
    group = tests.propagator[propagator, c.FIRST]
    if side == c.NOWHERE or not has_group(tests, chain, propagator, cell, group):
        return has_group(tests, chain, propagator, cell, group)
    other = np.int64(graph.neighbour[cell, side])
    return other != c.NOWHERE and has_group(tests, chain, propagator, other, group)


def are_rooms_valid(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, cell: int, is_inside: bool
) -> bool:
    """Whether the room of a cell has an allowed size or, if the cell is in no room, the rooms next to it."""
    if is_inside:
        return is_size_valid(tests, chain, graph, propagator, cell)
    for direction in range(graph.neighbour.shape[1]):
        other = np.int64(graph.neighbour[cell, direction])
        if other != c.NOWHERE and has_group(
            tests, chain, propagator, other, tests.propagator[propagator, c.FIRST]
        ):
            if not is_size_valid(tests, chain, graph, propagator, other):
                return False
    return True


def is_size_valid(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, cell: int
) -> bool:
    """Whether the room of a cell has LEAST to MOST cells."""
    group, least, most = (
        tests.propagator[propagator, c.FIRST],
        tests.propagator[propagator, c.LEAST],
        tests.propagator[propagator, c.MOST],
    )
    now = begin_search(tests, cell)
    position, size = 0, 1
    enough = most + 1 if most < graph.neighbour.shape[0] else least
    while position < size < enough:
        here = tests.frontier[position]
        position += 1
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[here, direction])
            if other == c.NOWHERE or tests.reached[other] == now:
                continue
            tests.reached[other] = now
            if has_group(tests, chain, propagator, other, group):
                tests.frontier[size] = other
                size += 1
    return least <= size <= most
