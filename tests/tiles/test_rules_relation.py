"""Relations: patterns that allow the same share a class."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wavefold.tiles import Relation


@given(st.integers(1, 80), st.integers(0, 10**6))
def test_patterns_of_one_class_allow_the_same(patterns, salt):
    table = np.random.default_rng(salt).random((patterns, patterns)) < 0.5
    table[patterns // 2] = table[0]
    relation = Relation.from_allowed(table)
    assert (relation.table() == table).all()
    assert relation.class_of[patterns // 2] == relation.class_of[0]
    assert len(relation.rows) == len(np.unique(table, axis=0))
