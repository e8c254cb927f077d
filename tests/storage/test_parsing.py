"""JSON and arrays that anyone may have made."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.storage.sections import MOST_LISTS, MOST_NESTED, measure_json, parse_limited_json

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
