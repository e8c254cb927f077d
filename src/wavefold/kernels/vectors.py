"""Vectors of eight or four words, called *row* and *quad*, which fit in one or two vector registers.

In plain Python, a vector is an array of words. In compiled code, `compile/instructions.py` replaces these
functions with single instructions that give the same results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ROW, QUAD = 8, 4  # sizes, in words
Row = Any  # the type of a row or a quad


def load_row(array: Any, at: Any) -> Any:
    """Return eight words of an array, beginning at flat index `at`."""
    return array.reshape(-1)[int(at) : int(at) + ROW].copy()


def load_quad(array: Any, at: Any) -> Any:
    """Return four words of an array, beginning at flat index `at`."""
    return array.reshape(-1)[int(at) : int(at) + QUAD].copy()


def store_row(array: Any, at: Any, row: Any) -> None:
    """Write a row or a quad to an array, beginning at flat index `at`."""
    array.reshape(-1)[int(at) : int(at) + row.size] = row


def empty_row() -> Any:
    """Return a row of zeros."""
    return np.zeros(ROW, np.uint64)


def empty_quad() -> Any:
    """Return a quad of zeros."""
    return np.zeros(QUAD, np.uint64)


def intersect(one: Any, other: Any) -> Any:
    """Return the patterns that are in both rows."""
    return one & other


def unite(one: Any, other: Any) -> Any:
    """Return the patterns that are in either row."""
    return one | other


def subtract(one: Any, other: Any) -> Any:
    """Return the patterns that are in one row but not in the other."""
    return one & ~other


def is_empty(row: Any) -> bool:
    """Whether a row has no patterns."""
    return not row.any()


def keep_if(kept: bool, row: Any) -> Any:
    """Return the row, or a row of zeros if `kept` is False."""
    return row.copy() if kept else np.zeros_like(row)


def count_row(row: Any) -> int:
    """Return the number of patterns in a row."""
    return int(np.bitwise_count(row).sum())
