"""Bit sets: packing and unpacking."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavefold.common.bitsets import pack_bits, unpack_bits


@given(st.integers(1, 200), st.integers(0, 10**6))
def test_packing_and_unpacking_are_inverse(patterns, salt):
    flags = np.random.default_rng(salt).random((3, patterns)) < 0.4
    words = pack_bits(flags)
    assert words.shape == (3, -(-patterns // 64))
    assert (unpack_bits(words, patterns) == flags).all()
    assert int(words[0, 0]) == sum(1 << i for i in np.flatnonzero(flags[0][:64]).tolist())
