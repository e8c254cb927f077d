"""Tests of networks after a window of a map was replaced: connection, or rivers that lead to an end."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import begin_search
from wavefold.kernels.refine.structs import RefineMap, WindowTests
from wavefold.kernels.structs import KernelGraph


def is_network_valid(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, count: int
) -> bool:
    """Whether a network still satisfies its goal."""
    if not has_network_changed(tests, chain, propagator, count):
        return True
    if tests.propagator[propagator, c.GOAL] == c.DRAINED:
        return is_drained(tests, chain, graph, propagator, count)
    return is_connected(tests, chain, graph, propagator, count)


def is_drained(tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, count: int) -> bool:
    """Whether the rivers in and next to the window lead to an end; others join these or are unaffected."""
    for here in range(count):
        cell = np.int64(chain.cell[here])
        if not reaches_end(tests, chain, graph, propagator, cell):
            return False
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[cell, direction])
            if other == c.NOWHERE or chain.slot[other] >= 0:
                continue
            if not reaches_end(tests, chain, graph, propagator, other):
                return False
    return True


def reaches_end(tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, cell: int) -> bool:
    """Whether a cell has no river, or a way down leads from it to an end: see `Downhill`."""
    directions = graph.neighbour.shape[1]
    if find_lowest_sides(tests, chain, propagator, cell) == 0:
        return True
    now = begin_search(tests, cell)
    position, size = 0, 1
    while position < size:
        here = np.int64(tests.frontier[position])
        position += 1
        sides = find_lowest_sides(tests, chain, propagator, here)
        if (sides >> np.uint32(directions)) & np.uint32(1) != 0:
            return True
        for direction in range(directions):
            if (sides >> np.uint32(direction)) & np.uint32(1) == 0:
                continue
            other = np.int64(graph.neighbour[here, direction])
            if other == c.NOWHERE:
                return True
            if tests.reached[other] != now:
                tests.reached[other] = now
                tests.frontier[size] = other
                size += 1
    return False


def find_lowest_sides(tests: WindowTests, chain: RefineMap, propagator: int, cell: int) -> np.uint32:
    """Return the lowest sides of the river in a cell, as bits; the bit after them is set if it ends there."""
    nodes, sides = tests.path_side.shape[1], np.uint32(0)
    for node in range(1, nodes, 2):
        sides |= find_joined_sides(tests, chain, propagator, cell, node)
    return sides


def is_connected(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, count: int
) -> bool:
    """Whether a network is connected.

    The network was connected before, so every other node is connected with a node next to the window. It is
    enough to test the nodes in and next to the window.
    """
    joins = tests.propagator[propagator, c.JOINS]
    clock = tests.reached.size - 1
    base = tests.reached[clock] + 1
    wanted, inside = np.int64(0), np.int64(0)
    if joins >= 0:
        for cell in range(graph.neighbour.shape[0]):
            if tests.area[joins, cell] != 0:
                wanted = mark_nodes(tests, chain, propagator, np.int64(cell), base, wanted)
    else:
        for here in range(count):
            wanted = mark_nodes(tests, chain, propagator, np.int64(chain.cell[here]), base, wanted)
        inside = wanted
        for here in range(count):
            cell = np.int64(chain.cell[here])
            for direction in range(graph.neighbour.shape[1]):
                other = np.int64(graph.neighbour[cell, direction])
                if other != c.NOWHERE and chain.slot[other] < 0:
                    wanted = mark_nodes(tests, chain, propagator, other, base, wanted)
    tests.reached[clock] = base + wanted
    if joins < 0 and wanted == inside > 0 and reaches_outside(tests, chain, graph, propagator):
        return False
    return wanted <= 1 or join_pieces(tests, chain, graph, propagator, base, wanted)


def reaches_outside(tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int) -> bool:
    """Whether the network has a node outside the window."""
    nodes = tests.path_side.shape[1]
    for cell in range(graph.neighbour.shape[0]):
        if chain.slot[cell] < 0:
            for node in range(nodes):
                if find_joined_sides(tests, chain, propagator, cell, node) != 0:
                    return True
    return False


def has_network_changed(tests: WindowTests, chain: RefineMap, propagator: int, count: int) -> bool:
    """Whether the sides on which any changed cell is joined differ from before."""
    row = tests.propagator[propagator, c.ROW]
    for here in range(count):
        old, new = chain.proposed[here], chain.pattern[chain.cell[here]]
        for node in range(tests.path_side.shape[1]):
            if tests.path_side[row, node, old] != tests.path_side[row, node, new]:
                return True
    return False


def find_joined_sides(
    tests: WindowTests, chain: RefineMap, propagator: int, cell: int, node: int
) -> np.uint32:
    """Return the sides on which a node of a cell is joined, as bits; 0 if the node does not exist."""
    where = tests.propagator[propagator, c.WHERE]
    if where >= 0 and tests.area[where, cell] == 0:
        return np.uint32(0)
    return tests.path_side[tests.propagator[propagator, c.ROW], node, chain.pattern[cell]]


def mark_nodes(
    tests: WindowTests, chain: RefineMap, propagator: int, cell: int, base: int, wanted: int
) -> int:
    """Begin a piece at each existing node of a cell. Return the number of pieces so far."""
    nodes = tests.path_side.shape[1]
    for node in range(nodes):
        at = cell * nodes + node
        if tests.reached[at] < base and find_joined_sides(tests, chain, propagator, cell, node) != 0:
            tests.reached[at] = base + wanted
            tests.frontier[wanted] = at
            tests.parent[wanted] = wanted
            tests.waiting[wanted] = 1
            wanted += 1
    return wanted


def find_piece(tests: WindowTests, piece: int) -> int:
    """Return the root of a piece in the union-find forest of merged pieces, and halve the path to it."""
    while tests.parent[piece] != piece:
        tests.parent[piece] = tests.parent[tests.parent[piece]]
        piece = np.int64(tests.parent[piece])
    return piece


def join_pieces(
    tests: WindowTests, chain: RefineMap, graph: KernelGraph, propagator: int, base: int, pieces: int
) -> bool:
    """Whether all pieces are connected. Searches from all pieces advance in turn.

    So the cost depends on the size of the smallest piece that is cut off. `reached` of a node is `base` + its
    piece; `waiting` counts the nodes of each piece in the queue.
    """
    nodes = tests.path_side.shape[1]
    position, size = 0, pieces
    while position < size:
        here = np.int64(tests.frontier[position])
        position += 1
        piece = find_piece(tests, np.int64(tests.reached[here] - base))
        cell = here // nodes
        sides = find_joined_sides(tests, chain, propagator, cell, here - cell * nodes)
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[cell, direction])
            if (sides >> np.uint32(direction)) & np.uint32(1) == 0 or other == c.NOWHERE:
                continue
            facing = np.uint32(graph.opposite[direction])
            for node in range(nodes):
                if (find_joined_sides(tests, chain, propagator, other, node) >> facing) & np.uint32(1) == 0:
                    continue
                at = other * nodes + node
                if tests.reached[at] < base:
                    tests.reached[at] = base + piece
                    tests.frontier[size] = at
                    tests.waiting[piece] += 1
                    size += 1
                    continue
                met = find_piece(tests, np.int64(tests.reached[at] - base))
                if met != piece:
                    tests.parent[met] = piece
                    tests.waiting[piece] += tests.waiting[met]
                    pieces -= 1
                    if pieces == 1:
                        return True
        tests.waiting[piece] -= 1
        if tests.waiting[piece] == 0:
            return False
    return False
