"""The choice of a pattern for a cell, by weight, in integer arithmetic."""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import BYTE, ONE, call4, draw, first_pattern, has_one, lowest_bit, to_unsigned
from wavefold.kernels.structs import CellQueue, KernelGraph, RuleTable, Wave
from wavefold.kernels.units import kernel_part

UNIT = 1 << 16  # 1 in fixed point: knobs are in 1/65536
LARGEST = 1 << 40  # upper bound of adjusted weights
MOST_CARRIED = 3  # earlier maps change a weight by a factor from 1 / 2**MOST_CARRIED to 2**MOST_CARRIED


def draw_decision(wave: Wave, queue: CellQueue) -> np.uint64:
    """Return the 64 random bits of this decision."""
    address = queue.knobs[c.RANDOM_ADDRESS]
    if address != 0:
        return to_unsigned(call4(address, wave.state[c.DECISIONS], 0, 0, 0))
    return draw(wave.state[c.SEED], wave.state[c.DECISIONS])


def draw_below(wave: Wave, queue: CellQueue, total: int) -> int:
    """Return the random number of this decision, from 0 to total - 1."""
    return np.int64(draw_decision(wave, queue) % np.uint64(total))


def compute_carried_factor(queue: CellQueue, tile: int) -> int:
    """Return the factor, in 1/65536, on the weight of a tile that was used too rarely or too often so far."""
    due = queue.quota[tile, 0] - (queue.used[tile] << 16)
    factor = (due << 16) // queue.quota[tile, 1]
    if factor < UNIT >> MOST_CARRIED:
        return UNIT >> MOST_CARRIED
    return factor if factor < UNIT << MOST_CARRIED else UNIT << MOST_CARRIED


def draw_by_weight(wave: Wave, queue: CellQueue, rules: RuleTable, cell: int) -> int:
    """Draw a pattern by the weights of the rules. The sums of whole bytes of the domain are looked up."""
    width = rules.rows.shape[2]
    total = np.int64(0)
    for word in range(width):
        rest = wave.words[cell * width + word]
        byte = word * 8
        while rest != 0:
            total += rules.byte_sums[byte, np.int64(rest & BYTE) * 2]
            rest >>= np.uint64(8)
            byte += 1
    left = draw_below(wave, queue, total)
    for word in range(width):
        rest = wave.words[cell * width + word]
        byte = word * 8
        while rest != 0:
            part = rest & BYTE
            weight = rules.byte_sums[byte, np.int64(part) * 2]
            if left < weight:
                while True:
                    pattern = byte * 8 + lowest_bit(part)
                    left -= rules.weight[0, pattern]
                    if left < 0:
                        return pattern
                    part &= part - ONE
            left -= weight
            rest >>= np.uint64(8)
            byte += 1
    return -1


def count_matches(wave: Wave, rules: RuleTable, graph: KernelGraph, cell: int, tile: int) -> int:
    """Return the number of neighbours that are decided as this tile."""
    width = rules.rows.shape[2]
    matches = 0
    for direction in range(graph.neighbour.shape[1]):
        other = np.int64(graph.neighbour[cell, direction])
        if other != c.NOWHERE and has_one(wave.words, other * width, width):
            if rules.tile[first_pattern(wave.words, other * width, width)] == tile:
                matches += 1
    return matches


def compute_adjusted_weight(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int, pattern: int, mean: int
) -> int:
    """Return the weight of a pattern in this cell after all knobs; 0 if its tile has reached its cap.

    mean : the mean weight of the patterns in the domain
    """
    knobs = queue.knobs
    tile = np.int64(rules.tile[pattern])
    if knobs[c.CAPPED] != 0 and queue.used[tile] >= queue.cap[tile]:
        return 0
    weight = rules.weight[cell if knobs[c.PER_CELL] != 0 else 0, pattern]
    if knobs[c.UNIFORM] != 0:
        weight = ((UNIT - knobs[c.UNIFORM]) * weight + knobs[c.UNIFORM] * mean) >> 16
    if knobs[c.LOCAL] != UNIT:
        expected = (queue.tally[c.TALLIED] * queue.share[tile]) >> 16
        worldwide = weight * (expected + 1) // (queue.used[tile] + 1)
        weight = (knobs[c.LOCAL] * weight + (UNIT - knobs[c.LOCAL]) * worldwide) >> 16
    if knobs[c.CARRYING] != 0:
        weight = (weight * compute_carried_factor(queue, tile)) >> 16
    if knobs[c.MATCH_BOOST] != 0 or knobs[c.MATCH_BASE] != UNIT:
        matches = count_matches(wave, rules, graph, cell, tile)
        weight = (weight * (knobs[c.MATCH_BASE] + knobs[c.MATCH_BOOST] * matches)) >> 16
    if knobs[c.WEIGHT_ADDRESS] != 0:
        weight = call4(knobs[c.WEIGHT_ADDRESS], cell, pattern, weight, 0)
    if weight < 1:
        return 1
    return weight if weight < LARGEST else LARGEST


def weigh_candidates(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int) -> int:
    """Write the adjusted weights of the patterns of a cell to `candidate`. Return their sum."""
    width = rules.rows.shape[2]
    row = cell if queue.knobs[c.PER_CELL] != 0 else 0
    sum_of_weights, patterns = 0, 0
    for word in range(width):
        rest = wave.words[cell * width + word]
        while rest != 0:
            sum_of_weights += rules.weight[row, word * 64 + lowest_bit(rest)]
            patterns += 1
            rest &= rest - ONE
    mean = sum_of_weights // patterns
    total = np.int64(0)
    for word in range(width):
        rest = wave.words[cell * width + word]
        while rest != 0:
            pattern = word * 64 + lowest_bit(rest)
            rest &= rest - ONE
            queue.candidate[pattern] = compute_adjusted_weight(wave, queue, rules, graph, cell, pattern, mean)
            total += queue.candidate[pattern]
    return total


@kernel_part
def choose_by_adjusted_weight(
    wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int
) -> int:
    """Draw a pattern by adjusted weight, or take the first of the heaviest patterns."""
    width = rules.rows.shape[2]
    total = weigh_candidates(wave, queue, rules, graph, cell)
    if total == 0:  # all tiles in the domain have reached their caps, which are soft
        return first_pattern(wave.words, cell * width, width)
    heaviest = queue.knobs[c.PICK] == c.PICK_HEAVIEST
    left = -1 if heaviest else draw_below(wave, queue, total)
    best = -1
    for word in range(width):
        rest = wave.words[cell * width + word]
        while rest != 0:
            pattern = word * 64 + lowest_bit(rest)
            rest &= rest - ONE
            weight = queue.candidate[pattern]
            if heaviest:
                if best < 0 or weight > queue.candidate[best]:
                    best = pattern
            else:
                left -= weight
                if left < 0:
                    return pattern
    return best


def choose_pattern(wave: Wave, queue: CellQueue, rules: RuleTable, graph: KernelGraph, cell: int) -> int:
    """Choose the pattern to try in a cell."""
    if queue.knobs[c.PLAIN] != 0:
        return draw_by_weight(wave, queue, rules, cell)
    return choose_by_adjusted_weight(wave, queue, rules, graph, cell)
