"""Windows of a finished map: their cells, and what their rims leave possible.

A window's cells are numbered in the order in which they are decided: its *slots*. Everything around a window
stays as it is, so a window starts from the domains at the root, narrowed by its rim.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.constants import MANY, NOWHERE
from wavefold.kernels.refine_propagation import propagate_window
from wavefold.kernels.refine_structs import OUTSIDE, RefineMap, RefineRules
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.units import kernel_part


def find_box(chain: RefineMap, graph: KernelGraph, centre: int, size: int, variant: int) -> int:
    """List the cells of a box `size` cells wide around a cell, row by row; returns how many.

    variant : which axis goes first, and from which end each is walked
    A box that would reach over the edge of the map lies against the edge instead.
    """
    axes = chain.axis.size
    signs, first = variant, (variant >> axes) % axes
    cells, lines = chain.cell, chain.proposed  # `proposed` is free until the window is decided
    count = 1
    cells[0] = centre
    for level in range(axes):
        axis = (first + level) % axes
        ahead = np.int64(chain.axis[axis])
        if (signs >> axis) & 1:
            ahead = np.int64(graph.opposite[ahead])
        back = np.int64(graph.opposite[ahead])
        for i in range(count):
            lines[i] = cells[i]
        found = 0
        for i in range(count):
            cell = np.int64(lines[i])
            for _ in range(size // 2):
                if graph.neighbour[cell, back] == NOWHERE:
                    break
                cell = np.int64(graph.neighbour[cell, back])
            for _ in range(size):
                cells[found] = cell
                found += 1
                cell = np.int64(graph.neighbour[cell, ahead])
                if cell == NOWHERE:
                    break
        count = found
    return number_slots(chain, count)


def number_slots(chain: RefineMap, count: int) -> int:
    """Give each free cell that is listed a slot; those listed twice (small maps that wrap) get one."""
    kept = 0
    for i in range(count):
        cell = chain.cell[i]
        if chain.free[cell] and chain.slot[cell] == OUTSIDE:
            chain.slot[cell] = kept
            chain.cell[kept] = cell
            kept += 1
    return kept


@kernel_part
def find_ball(chain: RefineMap, graph: KernelGraph, centre: int, size: int, variant: int) -> int:
    """List the `size` cells nearest to a cell, from the middle or towards it; returns how many."""
    cells = chain.cell
    cells[0] = centre
    chain.slot[centre] = 0
    count, visited = 1, 0
    while visited < count < size:
        cell = np.int64(cells[visited])
        visited += 1
        for direction in range(graph.neighbour.shape[1]):
            other = np.int64(graph.neighbour[cell, direction])
            if other == NOWHERE or not chain.free[other] or count == size:
                continue
            if chain.slot[other] == OUTSIDE:
                chain.slot[other] = count
                cells[count] = other
                count += 1
    if variant & 1:
        for i in range(count // 2):
            cells[i], cells[count - 1 - i] = cells[count - 1 - i], cells[i]
        for i in range(count):
            chain.slot[cells[i]] = i
    return count


def leave_window(chain: RefineMap, count: int) -> None:
    """No cell has a slot any more."""
    for i in range(count):
        chain.slot[chain.cell[i]] = OUTSIDE


def enter_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, count: int) -> None:
    """Write into `start` what the rim leaves possible in each cell of the window, propagated."""
    width = rules.rows.shape[2]
    directions = graph.neighbour.shape[1]
    tail = 0
    for i in range(count):
        cell = np.int64(chain.cell[i])
        narrowed = chain.narrowed[cell] != 0
        for word in range(width):
            chain.domain[i * width + word] = chain.root[cell * width + word]
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            within = chain.slot[other] if other != NOWHERE else OUTSIDE
            chain.beside[i, direction] = within
            if other == NOWHERE or within != OUTSIDE:
                continue
            narrowed = True
            relation = np.int64(graph.rule[graph.opposite[direction]])
            group = np.int64(rules.class_of[relation, chain.pattern[other]])
            kind = np.int64(rules.kind[chain.pattern[other]])
            for word in range(width):
                chain.domain[i * width + word] &= rules.rows[relation, group, word]
                if kind >= 0:
                    chain.domain[i * width + word] &= ~rules.kind_members[kind, word]
        if narrowed:
            chain.queue[tail] = i
            chain.queued[i] = MANY
            tail += 1
    propagate_window(rules, chain, graph, tail)
    for i in range(count * width):
        chain.start[i] = chain.domain[i]
