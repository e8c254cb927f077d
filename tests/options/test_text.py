"""Values in options of commands are read as they were written."""

import pytest

from wavefold.options.text import read_value, write_value


@pytest.mark.parametrize("value", ["road", "", "a b", '"x"', 7, 0.25, 1e-9, True, ["a,b", "c"], [1, 2], []])
def test_a_value_is_read_as_it_was_written(value):
    assert read_value(write_value(value)) == value


@pytest.mark.parametrize("value", ["7", "true", "1e3", "a,b", "[x", "[]", {"a": 1}, None, [None]])
def test_a_value_that_no_text_means_is_not_written(value):
    assert write_value(value) is None
