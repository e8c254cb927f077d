"""AC-4 by classes: a counter for each class and side of a cell holds the number of its supports.

The supports are the patterns of the neighbour on that side that allow the class. Removing a pattern
decrements counters; a class is removed when a counter reaches zero. The trail serves as the queue: entries
before PROPAGATED have been subtracted, and `restore_supports` adds exactly those again.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, count_bits, is_same_domain, lowest_bit
from wavefold.kernels.structs import KernelGraph, RuleTable, Wave
from wavefold.kernels.trail import EMPTIED, remove_words
from wavefold.kernels.units import kernel, kernel_part


@kernel
def count_supports(wave: Wave, rules: RuleTable, graph: KernelGraph, start: int, stop: int) -> None:
    """Compute the counters of the cells from `start` to `stop` from the current domains."""
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    for direction in range(directions):
        relation = graph.rule[direction]
        twin = c.NOWHERE  # the last cell counted; at a root, most cells have neighbours with equal domains
        for cell in range(start, stop):
            other = np.int64(graph.neighbour[cell, direction])
            if other == c.NOWHERE:
                continue
            if twin != c.NOWHERE and is_same_domain(wave, graph.neighbour[twin, direction], other, width):
                for group in range(rules.classes[relation]):
                    wave.counter[cell, direction, group] = wave.counter[twin, direction, group]
                continue
            twin = np.int64(cell)
            for group in range(rules.classes[relation]):
                supports = 0
                for word in range(width):
                    supports += count_bits(
                        wave.words[other * width + word] & rules.rows[relation, group, word]
                    )
                wave.counter[cell, direction, group] = supports


@kernel_part
def recount_supports(wave: Wave, rules: RuleTable, graph: KernelGraph) -> None:
    """Call `count_supports` for all cells; a unit of its own, because kernels rarely need it."""
    count_supports(wave, rules, graph, 0, graph.neighbour.shape[0])


@kernel_part
def remove_unsupported(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Remove all classes without support at the root; `propagate_ac4` handles only changes.

    Return CONSISTENT, EMPTY or FULL.
    """
    cells, directions = graph.neighbour.shape
    width = rules.rows.shape[2]
    for cell in range(cells):
        if wave.state[c.TRAIL] > wave.trail_at.size - 64 * width:  # each entry clears at least one bit
            return c.FULL
        for direction in range(directions):
            if graph.neighbour[cell, direction] == c.NOWHERE:
                continue
            relation = graph.rule[direction]
            for group in range(rules.classes[relation]):
                if wave.counter[cell, direction, group] == 0:
                    if remove_words(wave, cell, rules.members[relation, group]) == EMPTIED:
                        return c.EMPTY
    return c.CONSISTENT


@kernel_part
def propagate_ac4(wave: Wave, rules: RuleTable, graph: KernelGraph) -> int:
    """Propagate all removals on the trail. Return CONSISTENT, EMPTY, FULL or WORKED.

    An entry is subtracted completely, even after a contradiction, so that `restore_supports` can invert it.
    """
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    state, counter = wave.state, wave.counter
    room = wave.trail_at.size - 64 * directions * width  # each entry clears at least one bit
    status = c.CONSISTENT
    while state[c.PROPAGATED] < state[c.TRAIL] and status == c.CONSISTENT:
        if state[c.TRAIL] > room:
            return c.FULL
        if state[c.WORK_LEFT] < 0:
            return c.WORKED
        state[c.WORK_LEFT] -= 4 * directions * width
        entry = state[c.PROPAGATED]
        state[c.PROPAGATED] += 1
        cell = wave.trail_at[entry] // width
        first = (wave.trail_at[entry] - cell * width) * 64
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            if other == c.NOWHERE:
                continue
            back = graph.opposite[direction]
            relation = graph.rule[back]
            rest = wave.trail_removed[entry]
            while rest != 0:
                pattern = first + lowest_bit(rest)
                rest &= rest - ONE
                for k in range(rules.row_start[relation, pattern], rules.row_start[relation, pattern + 1]):
                    group = rules.row_class[k]
                    counter[other, back, group] -= 1
                    if counter[other, back, group] == 0 and status == c.CONSISTENT:
                        if remove_words(wave, other, rules.members[relation, group]) == EMPTIED:
                            status = c.EMPTY
    return status


@kernel_part
def restore_supports(wave: Wave, rules: RuleTable, graph: KernelGraph, mark: int) -> None:
    """Add the trail entries from `mark` to PROPAGATED to the counters: the inverse of `propagate_ac4`."""
    directions = graph.neighbour.shape[1]
    width = rules.rows.shape[2]
    for entry in range(mark, wave.state[c.PROPAGATED]):
        cell = wave.trail_at[entry] // width
        first = (wave.trail_at[entry] - cell * width) * 64
        for direction in range(directions):
            other = np.int64(graph.neighbour[cell, direction])
            if other == c.NOWHERE:
                continue
            back = graph.opposite[direction]
            relation = graph.rule[back]
            rest = wave.trail_removed[entry]
            while rest != 0:
                pattern = first + lowest_bit(rest)
                rest &= rest - ONE
                for k in range(rules.row_start[relation, pattern], rules.row_start[relation, pattern + 1]):
                    wave.counter[other, back, rules.row_class[k]] += 1
    wave.state[c.PROPAGATED] = min(wave.state[c.PROPAGATED], mark)
