"""The counts of `JsonMeter` are held against those of a parser."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold_server.json_meter import JsonMeter

TEXTS = st.text(st.sampled_from('ab",:[]{}\\\n\u00e9\u2222'), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=30,
)


def measure(*parts):
    meter = JsonMeter()
    for part in parts:
        meter.add(part)
    return meter


def inner_values(value):
    return value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()


def count_values(value):
    return 1 + sum(map(count_values, inner_values(value)))


@given(VALUES, st.lists(st.integers(0, 200), max_size=5), st.booleans())
def test_pieces_of_any_json_have_the_counts_of_the_whole(value, cuts, escapes):
    text = json.dumps(value, ensure_ascii=escapes).encode()
    ends = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    found = measure(*(text[begin:end] for begin, end in pairwise(ends)))
    assert count_values(value) <= found.values <= 2 * count_values(value)


@pytest.mark.parametrize(
    ("text", "values"),
    [(b"", 1), (b"[1,2,3]", 4), (b'{"a":[[]]}', 4), (b'"[[,,{\\"[["', 1), (b"]]]][[", 3)],
)
def test_known_texts(text, values):
    assert measure(text).values == values


def test_an_escape_may_be_cut_anywhere():
    text = b'["\\\\", "\\"[[[", "\\\\\\"{{{"]'
    for cut in range(len(text)):
        assert measure(text[:cut], text[cut:]).values == 4
