"""JSON and arrays that anyone may have made."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.storage.parsing import (
    MOST_LISTS,
    MOST_NESTED,
    encode_array,
    encode_integers,
    measure_json,
    parse_array,
    parse_integers,
    parse_limited_json,
)

VALUES = st.recursive(
    st.none() | st.text('ab[]{}"\\ü', max_size=6) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('[{"\\', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


def measure_value(value):
    """(lists and objects, depth) of a value, the plain way."""
    if not isinstance(value, list | dict):
        return 0, 0
    inner = [measure_value(each) for each in (value.values() if isinstance(value, dict) else value)]
    return 1 + sum(count for count, _ in inner), 1 + max((depth for _, depth in inner), default=0)


@given(VALUES, st.booleans())
def test_lists_and_depth_are_counted_outside_of_text(value, escaped):
    data = json.dumps(value, ensure_ascii=escaped).encode()
    assert measure_json(data) == measure_value(value)
    assert parse_limited_json(data) == value


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 980, 100_000])
def test_deep_nesting_is_refused(depth):
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_limited_json(b"[" * depth + b"]" * depth)


def test_many_brackets_are_refused_before_they_become_lists():
    with pytest.raises(ValueError, match="objects and lists; at most"):
        parse_limited_json(b"[" + b"[]," * MOST_LISTS + b"[]]")


def test_infinite_numbers_are_read_only_where_they_are_written():
    assert parse_limited_json(b"[-Infinity]", infinite=True) == [float("-inf")]
    with pytest.raises(ValueError, match="Infinity is not a number"):
        parse_limited_json(b"[Infinity]")


ARRAYS = [np.array(True), np.arange(6.0).reshape(2, 3).T, np.zeros((0, 4), "i1"), np.array(["a", "\u00e4b"])]


def test_arrays_come_back():
    for array in ARRAYS:
        found = parse_array(encode_array(array))
        assert (found.dtype, found.flags.f_contiguous) == (array.dtype, array.flags.f_contiguous)
        np.testing.assert_array_equal(found, array, strict=True)
    assert parse_integers(encode_integers([[1, 2**62]]), -1, 2).tolist() == [[1, 2**62]]


@pytest.mark.parametrize(
    "content", [b"", b"text", encode_array(np.arange(3)) + b"0", encode_array(np.arange(3))[:-1]]
)
def test_what_is_no_array_is_refused(content):
    with pytest.raises(ValueError, match=r"its size|magic|EOF"):
        parse_array(content)


@pytest.mark.parametrize("array", [np.zeros(3), np.arange(4), np.zeros((3, 1), int), np.zeros(3, np.int32)])
def test_arrays_of_another_shape_or_kind_are_no_whole_numbers(array):
    with pytest.raises(ValueError, match="array of"):
        parse_integers(encode_array(array), 3)
