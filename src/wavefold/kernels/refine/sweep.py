"""Refining: sample maps with probabilities that match the weights, by changing windows of a finished map.

This is Metropolis-Hastings. A proposal decides the cells of a window in a fixed order, by weight, with
propagation and without backtracking. Then the old content is replayed in the same order. Let S be the sum of
the weights in the domain of a cell when it is decided. The proposal is accepted with probability
min(1, product of S(new) / product of S(old)). The choice and the order of windows depend only on random
numbers, never on the map. So the probability of a map converges to the normalised product of its weights, for
any initial map. All arithmetic is on integers, so that every platform makes the same choices.
"""

from __future__ import annotations

import numpy as np

from wavefold.kernels import constants as c
from wavefold.kernels.bits import ONE, draw, first_pattern, has_one, lowest_bit
from wavefold.kernels.logarithms import LN2, log_of, power_of
from wavefold.kernels.refine.propagation import propagate_window
from wavefold.kernels.refine.structs import (
    ACCEPTED,
    ALWAYS,
    CENTRES,
    CHANCE,
    CHANGED,
    DEAD_ENDS,
    DRAWS,
    EFFORT,
    FIRST_WINDOW,
    FORK,
    FORK_EFFORT,
    FORK_TOTAL,
    KEY,
    OFFSET,
    OUTSIDE,
    PROPOSED,
    SEED,
    SHIFT,
    SIZE,
    SPAN,
    WINDOWS,
    RefineMap,
    RefineRules,
    Rounds,
    WindowTests,
)
from wavefold.kernels.refine.tests import passes_tests
from wavefold.kernels.refine.window import draw_next, enter_window, find_ball, find_box, leave_window
from wavefold.kernels.structs import KernelGraph
from wavefold.kernels.units import kernel, kernel_part

FORTY_BITS = 40 * LN2 >> (32 - c.LOG_BITS)  # ln 2**40
DEAD_END = np.int64(-1)
LOW_BITS = np.uint64((1 << 32) - 1)
SHIFTS = 63 * LN2 >> (32 - c.LOG_BITS)  # ln 2**63


@kernel
def propose_windows(
    rules: RefineRules,
    chain: RefineMap,
    graph: KernelGraph,
    tests: WindowTests,
    rounds: Rounds,
    start: int,
    stop: int,
) -> None:
    """Propose the windows of a round from `start` to `stop`. The map stays valid."""
    state, number = chain.state, rounds.number
    for index in range(start, stop):
        state[SEED] = np.int64(draw(number[KEY], number[FIRST_WINDOW] + index) >> ONE)
        state[DRAWS] = 0
        bits = draw_next(state)
        if np.int64(bits >> np.uint64(32)) >= number[CHANCE]:
            continue
        variant = np.int64(bits & LOW_BITS)
        if rounds.axis.shape[0] > 0:
            count = find_box(chain, rounds, index, variant)
        else:
            centre = np.int64(chain.centre[draw_next(state) % np.uint64(number[CENTRES])])
            count = find_ball(chain, graph, centre, number[SIZE], variant)
        if count > 0:
            propose_window(rules, chain, graph, tests, count, number[ALWAYS] != 0)
        leave_window(chain, count)


@kernel
def begin_round(rounds: Rounds) -> None:
    """Draw the offsets of the blocks of the next round."""
    number, axis = rounds.number, rounds.axis
    bits = draw(number[KEY], number[FIRST_WINDOW])
    number[FIRST_WINDOW] += 1
    for each in range(axis.shape[0]):
        span = np.uint64(axis[each, SPAN])
        axis[each, OFFSET] = np.int64(bits % span)
        bits = bits // span


@kernel
def propose_rounds(
    rules: RefineRules,
    chain: RefineMap,
    graph: KernelGraph,
    tests: WindowTests,
    rounds: Rounds,
    count: int,
    windows: int,
) -> None:
    """Propose `count` rounds of `windows` windows each."""
    for _ in range(count):
        begin_round(rounds)
        propose_windows(rules, chain, graph, tests, rounds, np.int64(0), windows)
        rounds.number[FIRST_WINDOW] += windows


def propose_window(
    rules: RefineRules, chain: RefineMap, graph: KernelGraph, tests: WindowTests, count: int, always: bool
) -> None:
    """Propose new content for the window whose cells have slots, and accept or reject it.

    always : accept every proposal that is not a dead end
    """
    state = chain.state
    enter_window(rules, chain, graph, count)
    new = decide_window(rules, chain, graph, count, 0)
    if new == DEAD_END:
        state[DEAD_ENDS] += 1
    elif state[FORK] == c.NOWHERE:  # the proposal equals the content of the map
        state[ACCEPTED] += 1
    else:
        for slot in range(count):
            chain.proposed[slot] = chain.decided[slot]
        if always or is_accepted(state, rules, new, decide_window(rules, chain, graph, count, 1)):
            replace_window(chain, graph, tests, count)
    state[WINDOWS] += 1
    state[PROPOSED] += count


def decide_window(rules: RefineRules, chain: RefineMap, graph: KernelGraph, count: int, replay: int) -> int:
    """Decide the window by weight, or replay the map. Return ln(product of S), or DEAD_END.

    A replay begins at the first slot where the proposal differs from the map (FORK).
    """
    state = chain.state
    if replay:
        copy_words(chain.fork_domain, chain.domain, count * rules.rows.shape[2])
        copy_words(chain.fork_live, chain.live, count * chain.beside.shape[1])
        state[EFFORT] += state[FORK_EFFORT]
    else:
        state[FORK], state[FORK_TOTAL], state[FORK_EFFORT] = c.NOWHERE, 0, state[EFFORT]
    if rules.rows.shape[2] == 1 and rules.cell_log.size == 0:
        return decide_one_word(rules, chain, graph, count, replay)
    return decide_any(rules, chain, graph, count, replay)


def find_first_slot(chain: RefineMap, replay: int) -> int:
    """Return the first slot to decide: FORK for a replay, else 0."""
    return chain.state[FORK] if replay else np.int64(0)


def begin_fork(rules: RefineRules, chain: RefineMap, count: int, slot: int, total: int) -> None:
    """Save the state for a replay at the first slot where the proposal differs from the map."""
    state = chain.state
    copy_words(chain.domain, chain.fork_domain, count * rules.rows.shape[2])
    copy_words(chain.live, chain.fork_live, count * chain.beside.shape[1])
    state[FORK], state[FORK_TOTAL], state[FORK_EFFORT] = slot, total, state[EFFORT] - state[FORK_EFFORT]


def copy_words(source: np.ndarray, target: np.ndarray, count: int) -> None:
    """Copy the first `count` words, or fewer if the source is shorter."""
    for i in range(min(count, source.size)):
        target[i] = source[i]


@kernel_part
def decide_any(rules: RefineRules, chain: RefineMap, graph: KernelGraph, count: int, replay: int) -> int:
    """Do the work of `decide_window` for any number of patterns and all kinds of weights."""
    width = rules.rows.shape[2]
    first, total = find_first_slot(chain, replay), chain.state[FORK_TOTAL]
    by_tile = rules.cell_log.size == 0  # weights are the same in all cells
    by_pair = rules.pair_log.size > 0
    for slot in range(first, count):
        if by_tile and has_one(chain.domain, slot * width, width):
            pattern = first_pattern(chain.domain, slot * width, width)
            chain.decided[slot] = pattern
            total += rules.weight_log[pattern]
            if by_pair:
                total += sum_logs_around(rules, chain, graph, slot, pattern)
            continue
        pairs = find_pairs(rules, chain, graph, slot) if by_pair else 0
        weights, before = weigh_patterns(rules, chain, slot, pairs), total
        total += log_of(weights, rules.logarithm) + chain.state[SHIFT]
        pattern = np.int64(chain.pattern[chain.cell[slot]])
        if not replay:
            old, pattern = pattern, np.int64(choose_pattern(chain, slot, width, weights))
            if pattern != old and chain.state[FORK] == c.NOWHERE:
                begin_fork(rules, chain, count, slot, before)
        chain.decided[slot] = pattern
        if not has_one(chain.domain, slot * width, width) and not fix_slot(
            rules, chain, graph, slot, pattern
        ):
            return DEAD_END
    return total


@kernel_part
def decide_one_word(rules: RefineRules, chain: RefineMap, graph: KernelGraph, count: int, replay: int) -> int:
    """Do the work of `decide_window` for up to 64 patterns with the same weights in all cells."""
    domain, weight, decided, state = chain.domain, rules.weight, chain.decided, chain.state
    by_pair = rules.pair_log.size > 0
    first, total = find_first_slot(chain, replay), state[FORK_TOTAL]
    for slot in range(first, count):
        possible = domain[slot]
        if possible & (possible - ONE) == 0:
            pattern = lowest_bit(possible)
            decided[slot] = pattern
            total += rules.weight_log[pattern]
            if by_pair:
                total += sum_logs_around(rules, chain, graph, slot, pattern)
            continue
        pairs = find_pairs(rules, chain, graph, slot) if by_pair else 0
        weights, rest, before = np.int64(0), possible, total
        if pairs:
            weights = weigh_patterns(rules, chain, slot, pairs)
            total += state[SHIFT]
        else:
            while rest != 0:
                weights += weight[lowest_bit(rest)]
                rest &= rest - ONE
        total += log_of(weights, rules.logarithm)
        if replay:
            pattern = np.int64(chain.pattern[chain.cell[slot]])
        elif pairs:
            pattern = choose_pattern(chain, slot, 1, weights)
        else:
            left, rest = np.int64(draw_next(state) >> ONE) % weights, possible
            pattern = lowest_bit(rest)
            while left >= weight[pattern]:
                left -= weight[pattern]
                rest &= rest - ONE
                pattern = lowest_bit(rest)
        if not replay and state[FORK] == c.NOWHERE and pattern != chain.pattern[chain.cell[slot]]:
            begin_fork(rules, chain, count, slot, before)
        decided[slot] = pattern
        if not fix_slot(rules, chain, graph, slot, pattern):
            return DEAD_END
    return total


def fix_slot(rules: RefineRules, chain: RefineMap, graph: KernelGraph, slot: int, pattern: int) -> int:
    """Narrow a slot to one pattern and propagate. Return 0 at a dead end, else 1."""
    width = rules.rows.shape[2]
    for word in range(width):
        chain.domain[slot * width + word] = 0
    chain.domain[slot * width + (pattern >> 6)] = ONE << np.uint64(pattern & 63)
    chain.queue[0] = slot
    chain.queued[slot] = c.MANY
    return propagate_window(rules, chain, graph, 1)


def weigh_patterns(rules: RefineRules, chain: RefineMap, slot: int, pairs: int) -> int:
    """Write the weights of the patterns of a slot to `candidate` [position]. Return their sum.

    All weights are divided by e**SHIFT.

    pairs : number of rows in `chain.pairs`: see `find_pairs`
    """
    domain, weight, weight_log, candidate = chain.domain, rules.weight, rules.weight_log, chain.candidate
    power, cell_log = rules.power, rules.cell_log
    width, cell = np.uint64(rules.rows.shape[2]), np.uint64(chain.cell[slot])
    by_cell = cell_log.size > 0
    is_plain = not by_cell and pairs == 0
    start, position = np.uint64(slot) * width, np.uint64(0)
    total, most = np.int64(0), np.int64(-(1 << 62))
    for word in range(width):
        rest = domain[start + word]
        while rest != 0:
            pattern = np.uint64(word * np.uint64(64)) + np.uint64(lowest_bit(rest))
            rest &= rest - ONE
            if is_plain:
                total += weight[pattern]
                candidate[position] = weight[pattern]
            else:
                log = weight_log[pattern] + sum_pair_logs(rules, chain, pairs, pattern)
                if by_cell:
                    log += cell_log[cell, pattern]
                candidate[position] = log
                most = max(most, log)
            position += ONE
    chain.state[SHIFT] = 0
    if not is_plain:  # scale the greatest weight to 40 bits
        shift = most - FORTY_BITS
        chain.state[SHIFT] = shift
        for each in range(position):
            candidate[each] = power_of(candidate[each] - shift, power)
            total += candidate[each]
    return total


def find_pairs(rules: RefineRules, chain: RefineMap, graph: KernelGraph, slot: int) -> int:
    """Write the rows of soft pairs that apply to a slot to `pairs`. Return their number.

    Only neighbours on the rim and in earlier slots are considered, so that each pair of cells counts once.
    """
    domain, mask, pairs = chain.domain, rules.pair_mask, chain.pairs
    width = np.uint64(rules.rows.shape[2])
    start, found = np.uint64(slot) * width, np.uint64(0)
    for direction in range(graph.neighbour.shape[1]):
        row = find_row(rules, chain, graph, slot, direction)
        if row == c.NOWHERE:
            continue
        shared = np.uint64(0)
        for word in range(width):
            shared |= domain[start + word] & mask[np.uint64(row), word]
        if shared != 0:
            pairs[found] = row
            found += ONE
    return np.int64(found)


def find_row(rules: RefineRules, chain: RefineMap, graph: KernelGraph, slot: int, direction: int) -> int:
    """Return the row of soft pairs of the decided neighbour on one side of a slot, or NOWHERE."""
    other = graph.neighbour[np.uint64(chain.cell[slot]), direction]
    within = chain.beside[slot, direction]
    if other == c.NOWHERE or within >= slot:
        return c.NOWHERE
    if within == OUTSIDE:
        neighbour = chain.pattern[np.uint64(other)]
    else:
        neighbour = chain.decided[np.uint64(within)]
    relation = np.uint64(graph.rule[np.uint64(graph.opposite[direction])])
    return np.int64(rules.pair_row[relation, np.uint64(neighbour)])


def sum_logs_around(rules: RefineRules, chain: RefineMap, graph: KernelGraph, slot: int, pattern: int) -> int:
    """Return ln of the product of the pair factors of a pattern in a slot, without `find_pairs`."""
    total = np.int64(0)
    for direction in range(graph.neighbour.shape[1]):
        row = find_row(rules, chain, graph, slot, direction)
        if row != c.NOWHERE:
            total += rules.pair_log[np.uint64(row), np.uint64(pattern)]
    return total


def sum_pair_logs(rules: RefineRules, chain: RefineMap, pairs: int, pattern: np.uint64) -> int:
    """Return ln of the product of the pair factors of a pattern, from the rows in `chain.pairs`."""
    total = np.int64(0)
    for i in range(np.uint64(pairs)):
        total += rules.pair_log[np.uint64(chain.pairs[i]), pattern]
    return total


def choose_pattern(chain: RefineMap, slot: int, width: int, weights: int) -> int:
    """Draw a pattern from the domain of a slot by the weights in `candidate`."""
    if has_one(chain.domain, slot * width, width):
        return first_pattern(chain.domain, slot * width, width)
    left, position = np.int64(draw_next(chain.state) >> ONE) % weights, 0
    for word in range(width):
        rest = chain.domain[slot * width + word]
        while rest != 0:
            left -= chain.candidate[position]
            if left < 0:
                return word * 64 + lowest_bit(rest)
            position += 1
            rest &= rest - ONE
    return -1


def is_accepted(state: np.ndarray, rules: RefineRules, new: int, old: int) -> bool:
    """Draw whether to accept a proposal, with probability min(1, e**(new - old))."""
    if new >= old:
        return True
    return log_of(np.int64(draw_next(state) >> ONE) | 1, rules.logarithm) - SHIFTS < new - old


def replace_window(chain: RefineMap, graph: KernelGraph, tests: WindowTests, count: int) -> None:
    """Exchange the proposal and the content of the map, unless this violates a constraint."""
    exchange_window(chain, count)
    if tests.propagator.shape[0] > 0 and not passes_tests(tests, chain, graph, count):
        exchange_window(chain, count)
        return
    chain.state[ACCEPTED] += 1
    for slot in range(count):
        chain.state[CHANGED] += chain.pattern[chain.cell[slot]] != chain.proposed[slot]


def exchange_window(chain: RefineMap, count: int) -> None:
    """Exchange the proposal and the content of the map."""
    for slot in range(count):
        cell = chain.cell[slot]
        had = chain.pattern[cell]
        chain.pattern[cell] = chain.proposed[slot]
        chain.proposed[slot] = had
