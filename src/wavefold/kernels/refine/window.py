"""Windows of a finished map: their cells and their initial domains.

The cells of a window are numbered in the order in which they are decided; these numbers are its *slots*. All
cells around a window are fixed. So its initial domains are those at the root, narrowed by the rim.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels.bits import draw
from wavefold.kernels.constants import MANY, NOWHERE
from wavefold.kernels.refine.propagation import propagate_window
from wavefold.kernels.refine.structs import (
    BLOCKS,
    DRAWS,
    GAP,
    LENGTH,
    OFFSET,
    ORIGIN,
    OUTSIDE,
    SEED,
    SPAN,
    STRIDE,
    RefineMap,
    RefineRules,
    Rounds,
)
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.units import kernel_part

ALL_CLASSES = ~np.uint64(0)


def find_box(chain: RefineMap, rounds: Rounds, index: int, variant: int) -> int:
    """List the cells of the box in a block, row by row. Return their number.

    variant : bits that select the first axis, and the direction along each axis
    """
    axes = rounds.axis.shape[0]
    place_box(chain, rounds, index)
    places, lines = chain.cell, chain.proposed  # `proposed` is free until the window is decided
    count = 1
    places[0] = 0
    for level in range(axes):
        axis = ((variant >> axes) + level) % axes
        stride, origin = rounds.axis[axis, STRIDE], rounds.axis[axis, ORIGIN]
        span, length = rounds.axis[axis, SPAN], rounds.axis[axis, LENGTH]
        for i in range(count):
            lines[i] = places[i]
        for i in range(count):
            for step in range(length):
                along = length - 1 - step if (variant >> axis) & 1 else step
                coordinate = origin + (chain.corner[axis] + along) % span
                places[i * length + step] = lines[i] + coordinate * stride
        count *= length
    return number_slots(chain, rounds, count)


def place_box(chain: RefineMap, rounds: Rounds, index: int) -> None:
    """Draw the position of the box in its block. The last GAP cells stay free, so that boxes do not touch."""
    left = index
    for axis in range(rounds.axis.shape[0]):
        span, blocks, length = rounds.axis[axis, SPAN], rounds.axis[axis, BLOCKS], rounds.axis[axis, LENGTH]
        block = left % blocks
        left //= blocks
        start = block * span // blocks
        ways = span  # a single box may be anywhere
        if blocks > 1:
            ways = (block + 1) * span // blocks - start - length - rounds.axis[axis, GAP] + 1
        drawn = np.int64(draw_next(chain.state) >> np.uint64(32)) % ways
        chain.corner[axis] = rounds.axis[axis, OFFSET] + start + drawn


def number_slots(chain: RefineMap, rounds: Rounds, count: int) -> int:
    """Give a slot to each free cell at the listed places. Return the number of slots."""
    kept = 0
    for i in range(count):
        cell = rounds.place[chain.cell[i]]
        if cell >= 0 and chain.free[cell]:
            chain.slot[cell] = kept
            chain.cell[kept] = cell
            kept += 1
    return kept


@kernel_part
def find_ball(chain: RefineMap, graph: KernelGraph, centre: int, size: int, variant: int) -> int:
    """List up to `size` free cells nearest to `centre`. Return their number.

    variant : if odd, the order is from the outermost cell to the centre
    """
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


def draw_next(state: np.ndarray) -> np.uint64:
    """Return the next 64 random bits of the window."""
    state[DRAWS] += 1
    return draw(state[SEED], state[DRAWS])


def leave_window(chain: RefineMap, count: int) -> None:
    """Remove the slots of all cells of the window."""
    for i in range(count):
        chain.slot[chain.cell[i]] = OUTSIDE


def enter_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, count: int) -> None:
    """Write the initial domains of the window to `domain`: the root, narrowed by the rim and propagated."""
    width, has_kinds = np.uint64(rules.rows.shape[2]), rules.kind_members.shape[0] > 0
    directions = graph.neighbour.shape[1]
    for i in range(min(chain.live.size, count * directions)):
        chain.live[i] = ALL_CLASSES
    tail = 0
    for i in range(count):
        cell, start = np.uint64(chain.cell[i]), np.uint64(i) * width
        narrowed = chain.narrowed[cell] != 0
        for word in range(width):
            chain.domain[start + word] = chain.root[cell * width + word]
        for direction in range(directions):
            other = graph.neighbour[cell, direction]
            within = chain.slot[np.uint64(other)] if other != NOWHERE else OUTSIDE
            chain.beside[i, direction] = within
            if other == NOWHERE or within != OUTSIDE:
                continue
            narrowed = True
            relation = np.uint64(graph.rule[np.uint64(graph.opposite[direction])])
            pattern = np.uint64(chain.pattern[np.uint64(other)])
            group = np.uint64(rules.class_of[relation, pattern])
            for word in range(width):
                chain.domain[start + word] &= rules.rows[relation, group, word]
            if has_kinds and rules.kind[pattern] >= 0:
                for word in range(width):
                    chain.domain[start + word] &= ~rules.kind_members[rules.kind[pattern], word]
        if narrowed:
            chain.queue[tail] = i
            chain.queued[i] = MANY
            tail += 1
    propagate_window(rules, chain, graph, tail)
