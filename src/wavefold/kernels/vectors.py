"""Eight or four words as one value, a *row* or *quad*, which processors hold in one or two vector registers.

The build replaces these functions by single instructions (`compile/instructions.py`). As plain Python, a row
is an array of words, with the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ROW, QUAD = 8, 4  # words
Row = Any  # the type of a row, or of a quad


def load_row(array: Any, at: Any) -> Any:
    """The eight words of an array from `at` on; an array of several axes is read as one of words."""
    return array.reshape(-1)[int(at) : int(at) + ROW].copy()


def load_quad(array: Any, at: Any) -> Any:
    """The four words of an array from `at` on."""
    return array.reshape(-1)[int(at) : int(at) + QUAD].copy()


def store_row(array: Any, at: Any, row: Any) -> None:
    """Write a row into an array from `at` on."""
    array.reshape(-1)[int(at) : int(at) + row.size] = row


def empty_row() -> Any:
    """A row without patterns."""
    return np.zeros(ROW, np.uint64)


def empty_quad() -> Any:
    """A quad without patterns."""
    return np.zeros(QUAD, np.uint64)


def intersect(one: Any, other: Any) -> Any:
    """What is in both rows."""
    return one & other


def unite(one: Any, other: Any) -> Any:
    """What is in at least one of two rows."""
    return one | other


def subtract(one: Any, other: Any) -> Any:
    """What is in one row and not in the other."""
    return one & ~other


def is_empty(row: Any) -> bool:
    """Whether a row has no pattern."""
    return not row.any()


def keep_if(kept: bool, row: Any) -> Any:
    """The row, or one without patterns."""
    return row.copy() if kept else np.zeros_like(row)


def count_row(row: Any) -> int:
    """How many patterns a row has."""
    return int(np.bitwise_count(row).sum())
