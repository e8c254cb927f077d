"""Rows of eight words, and quads of four, against sets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import import_probes
from wavefold.kernels import vectors

probes = import_probes()
pytestmark = pytest.mark.build

patterns = st.sets(st.integers(0, 64 * vectors.ROW - 1), max_size=40)


def as_words(found):
    words = [0] * vectors.ROW
    for pattern in found:
        words[pattern // 64] |= 1 << pattern % 64
    return words


@given(patterns, patterns)
def test_rows_are_combined_like_sets(one, other):
    array = np.array([7, *as_words(one), *as_words(other), 7], np.uint64)
    kept = set() if other else one
    for operation, expected in enumerate((one & other, one | other, one - other, kept, set())):
        result = np.full(3 + vectors.ROW + 1, 5, np.uint64)
        assert probes.combine_rows(probes.WordArrays(array, result), operation) == (len(expected) or -1)
        assert result.tolist() == [5, 5, 5, *as_words(expected), 5]


quads = st.sets(st.integers(0, 64 * vectors.QUAD - 1), max_size=20)


@given(quads, quads)
def test_quads_are_combined_like_sets(one, other):
    array = np.array([7, *as_words(one)[: vectors.QUAD], *as_words(other)[: vectors.QUAD], 7], np.uint64)
    result = np.full(vectors.QUAD + 2, 5, np.uint64)
    assert probes.narrow_quad(probes.WordArrays(array, result)) == bool(one - other)
    assert result.tolist() == [5, *as_words(one & other)[: vectors.QUAD], 5]
