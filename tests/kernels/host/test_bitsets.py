"""Bit sets: packing and unpacking, single bits, and what a set has."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavefold.kernels.host.bitsets import (
    count_set_bits,
    count_words,
    has_bit,
    pack_bits,
    single_bits,
    single_patterns,
    unpack_bits,
)

sizes, salts = st.integers(1, 200), st.integers(0, 10**6)


def some_flags(patterns, salt, share=0.4):
    return np.random.default_rng(salt).random((3, patterns)) < share


@given(sizes, salts)
def test_packing_and_unpacking_are_inverse(patterns, salt):
    flags = some_flags(patterns, salt)
    words = pack_bits(flags)
    assert words.shape == (3, count_words(patterns)) == (3, -(-patterns // 64))
    assert (unpack_bits(words, patterns) == flags).all()
    assert int(words[0, 0]) == sum(1 << i for i in np.flatnonzero(flags[0][:64]).tolist())


def test_an_empty_set_takes_one_word():
    assert count_words(0) == 1


@given(sizes, salts)
def test_a_set_has_the_patterns_that_were_packed(patterns, salt):
    flags = some_flags(patterns, salt)
    rows, every = np.divmod(np.arange(3 * patterns, dtype=np.int32), patterns)
    assert (has_bit(pack_bits(flags), rows, every) == flags.reshape(-1)).all()
    assert (count_set_bits(pack_bits(flags)) == flags.sum(axis=1)).all()


@given(sizes)
def test_single_bits_and_single_patterns_are_inverse(patterns):
    every = np.arange(patterns)
    words = single_bits(every, count_words(patterns))
    assert (words == pack_bits(np.eye(patterns, dtype=bool))).all()
    assert (single_patterns(words) == every).all()


@given(sizes, salts)
def test_sets_of_none_or_several_have_no_single_pattern(patterns, salt):
    flags = some_flags(patterns, salt, share=1 / patterns)
    expected = [int(np.flatnonzero(row)[0]) if row.sum() == 1 else -1 for row in flags]
    assert single_patterns(pack_bits(flags)).tolist() == expected
