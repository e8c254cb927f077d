"""Single instructions and whole-number logarithms against plain Python."""

from decimal import Decimal, getcontext
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.kernels import bits
from wavefold.kernels.constants import LOG_BITS, LOG_STEPS
from wavefold.kernels.jit import COMPILED, inner, kernel

words = st.one_of(st.integers(1, 2**64 - 1), st.integers(0, 63).map(lambda bit: 1 << bit))
MASK = 2**64 - 1


@kernel
def lowest_of(word):
    return bits.lowest_bit(word)


@kernel
def leading_zeros_of(word):
    return bits.leading_zeros(word)


@kernel
def count_of(word):
    return bits.count_bits(word)


def splitmix(word):
    """The finaliser of SplitMix64, as published."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


@given(words)
def test_single_instructions_count_as_python_does(word):
    binary = f"{word:064b}"
    assert lowest_of(np.uint64(word)) == len(binary) - 1 - binary.rindex("1")
    assert leading_zeros_of(np.uint64(word)) == binary.index("1")
    assert count_of(np.uint64(word)) == binary.count("1")


def test_nothing_is_counted_in_an_empty_word():
    assert count_of(np.uint64(0)) == 0


@given(st.integers(0, MASK))
def test_scrambling_is_splitmix(word):
    assert int(bits.mix_bits(np.uint64(word))) == splitmix(word)


def test_scrambling_gives_the_published_numbers():
    """The first outputs of SplitMix64 seeded with 1234567."""
    state, found = 1234567, []
    for _ in range(3):
        state = (state + bits.GOLDEN) & MASK
        found.append(int(bits.mix_bits(np.uint64(state))))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**40))
def test_draws_are_a_pure_function_of_seed_and_number(seed, number):
    first = int(bits.draw(seed, number))
    assert first == int(bits.draw(seed, number))
    assert 0 <= first <= MASK


def test_the_first_draw_of_seed_zero_is_as_good_as_any_other():
    """A scrambled zero is zero, which would always choose the first pattern."""
    assert int(bits.draw(0, 0)) != 0


def test_draws_are_spread_evenly():
    draws = np.array([int(bits.draw(seed, number)) % 7 for seed in range(40) for number in range(50)])
    assert np.bincount(draws) == pytest.approx(2000 / 7, abs=5 * (2000 / 7) ** 0.5)


def shuffle(seed, cells):
    sequence, rank = np.empty((2, cells), np.int32)
    for start, stop in ((0, cells // 3), (cells // 3, cells)):
        bits.shuffle_cells(bits.to_signed(seed), sequence, rank, start, stop)
    assert (sequence[rank] == np.arange(cells)).all()
    return sequence.tolist()


def test_ranks_shuffle_all_cells_by_the_seed():
    for seed in (0, 1, -5, 2**80 + 3):
        for cells in (1, 2, 3, 4, 5, 64, 65, 100):
            assert sorted(shuffle(seed, cells)) == list(range(cells))
    assert shuffle(1, 100) != shuffle(2, 100)


def test_cells_are_shuffled_as_they_always_were():
    assert shuffle(1, 12) == [6, 2, 10, 7, 4, 3, 8, 5, 9, 1, 0, 11]


def test_every_cell_comes_first_about_equally_often():
    first = np.bincount([shuffle(seed, 7)[0] for seed in range(1400)], minlength=7)
    assert first == pytest.approx(200, abs=5 * 200**0.5)


def test_every_cell_comes_last_about_equally_often():
    last = np.bincount([shuffle(seed, 7)[-1] for seed in range(1400)], minlength=7)
    assert last == pytest.approx(200, abs=5 * 200**0.5)


def test_no_logarithm_lies_near_a_rounding_boundary():
    """So that every platform's logarithm gives the same table."""
    getcontext().prec = 40
    scale = Decimal(1 << LOG_BITS)
    exact = [(1 + Decimal(step) / LOG_STEPS).ln() * scale for step in range(LOG_STEPS + 1)]
    table = bits.build_log_table()
    assert table.tolist() == [int(each.to_integral_value()) for each in exact]
    assert min(abs(each % 1 - Decimal("0.5")) for each in exact) > Decimal("1e-9")


@given(st.integers(1, 2**40))
def test_logarithms_are_right_to_a_few_units(value):
    found = int(bits.log_of(value, bits.build_log_table()))
    assert found == pytest.approx(log(value) * 2**LOG_BITS, abs=3)


def test_logarithms_grow_with_their_numbers():
    table = bits.build_log_table()
    found = [int(bits.log_of(value, table)) for value in range(1, 3000)]
    assert found == sorted(found)
    assert found[0] == 0


def test_a_kernel_is_compiled_or_plain_as_asked():
    assert hasattr(lowest_of, "signatures") == COMPILED
    assert hasattr(inner(lambda number: number), "signatures") == COMPILED
