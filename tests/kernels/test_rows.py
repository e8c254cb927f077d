"""Rows of eight words, and quads of four, against sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavefold.kernels import rows
from wavefold.kernels.jit import kernel

patterns = st.sets(st.integers(0, 64 * rows.ROW - 1), max_size=40)


@kernel
def combine(operation, array, result):
    """Combine the rows at words 1 and 9 of an array; returns how many patterns the result has."""
    one, other = rows.load_row(array, np.uint64(1)), rows.load_row(array, np.uint64(9))
    row = rows.empty_row()
    if operation == 0:
        row = rows.intersect(one, other)
    elif operation == 1:
        row = rows.unite(one, other)
    elif operation == 2:
        row = rows.subtract(one, other)
    rows.store_row(result, np.uint64(3), row)
    return rows.count_row(row) if not rows.is_empty(row) else -1


def as_words(found):
    words = [0] * rows.ROW
    for pattern in found:
        words[pattern // 64] |= 1 << pattern % 64
    return words


@given(patterns, patterns)
def test_rows_are_combined_like_sets(one, other):
    array = np.array([7, *as_words(one), *as_words(other), 7], np.uint64)
    for operation, expected in enumerate((one & other, one | other, one - other, set())):
        result = np.full(3 + rows.ROW + 1, 5, np.uint64)
        assert combine(operation, array, result) == (len(expected) or -1)
        assert result.tolist() == [5, 5, 5, *as_words(expected), 5]


@kernel
def narrow_quad(array, result):
    """Write what the quads at words 1 and 5 have in common; returns whether the first has anything else."""
    one, other = rows.load_quad(array, np.uint64(1)), rows.load_quad(array, np.uint64(5))
    common = rows.unite(rows.empty_quad(), rows.intersect(one, other))
    rows.store_row(result, np.uint64(1), common)
    return not rows.is_empty(rows.subtract(one, other))


quads = st.sets(st.integers(0, 64 * rows.QUAD - 1), max_size=20)


@given(quads, quads)
def test_quads_are_combined_like_sets(one, other):
    array = np.array([7, *as_words(one)[: rows.QUAD], *as_words(other)[: rows.QUAD], 7], np.uint64)
    result = np.full(rows.QUAD + 2, 5, np.uint64)
    assert narrow_quad(array, result) == bool(one - other)
    assert result.tolist() == [5, *as_words(one & other)[: rows.QUAD], 5]
