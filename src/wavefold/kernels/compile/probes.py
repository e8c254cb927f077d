"""Kernels for tests, which call functions that no other kernel exposes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavefold.kernels import bits, vectors
from wavefold.kernels.array_struct import ArrayStruct, Int64Array1, UInt64Array1
from wavefold.kernels.choose import cell_tree
from wavefold.kernels.structs import CellQueue
from wavefold.kernels.units import kernel


@dataclass(frozen=True, eq=False)
class WordArrays(ArrayStruct):
    """Input words and output words."""

    given: UInt64Array1
    result: UInt64Array1


@dataclass(frozen=True, eq=False)
class WordCounts(ArrayStruct):
    """Input words and an output number for each."""

    word: UInt64Array1
    result: Int64Array1


@kernel
def find_lowest_bits(words: WordCounts) -> None:
    """Write `bits.lowest_bit` of each word."""
    for at in range(words.word.size):
        words.result[at] = bits.lowest_bit(words.word[at])


@kernel
def count_leading_zeros(words: WordCounts) -> None:
    """Write `bits.leading_zeros` of each word."""
    for at in range(words.word.size):
        words.result[at] = bits.leading_zeros(words.word[at])


@kernel
def count_all_bits(words: WordCounts) -> None:
    """Write `bits.count_bits` of each word."""
    for at in range(words.word.size):
        words.result[at] = bits.count_bits(words.word[at])


@kernel
def mix_words(words: WordArrays) -> None:
    """Write `bits.mix_bits` of each word."""
    for at in range(words.given.size):
        words.result[at] = bits.mix_bits(words.given[at])


@kernel
def draw_words(words: WordArrays, seed: int) -> None:
    """Write the draws of a seed with the given numbers."""
    for at in range(words.given.size):
        words.result[at] = bits.draw(seed, np.int64(words.given[at]))


@kernel
def multiply_words(words: WordArrays) -> None:
    """Write `bits.multiply_golden` of each word."""
    for at in range(words.given.size):
        words.result[at] = bits.multiply_golden(words.given[at])


@kernel
def set_key(queue: CellQueue, cell: int, key: int) -> None:
    """Set the key of a cell; a negative key means that the cell is decided."""
    entry = cell_tree.entry_of(queue, cell, key) if key >= 0 else cell_tree.NOTHING
    cell_tree.set_entry(queue, np.int64(0), cell, entry)


@kernel
def find_first_cell(queue: CellQueue) -> int:
    """Return the cell with the lowest key."""
    return cell_tree.cell_of(queue, cell_tree.first_entry(queue, np.int64(0)))


@kernel
def combine_rows(words: WordArrays, operation: int) -> int:
    """Combine the rows at words 1 and 9. Return the number of patterns in the result, or -1 if empty."""
    one, other = vectors.load_row(words.given, np.uint64(1)), vectors.load_row(words.given, np.uint64(9))
    row = vectors.empty_row()
    if operation == 0:
        row = vectors.intersect(one, other)
    elif operation == 1:
        row = vectors.unite(one, other)
    elif operation == 2:
        row = vectors.subtract(one, other)
    elif operation == 3:
        row = vectors.keep_if(vectors.is_empty(other), one)
    vectors.store_row(words.result, np.uint64(3), row)
    return vectors.count_row(row) if not vectors.is_empty(row) else -1


@kernel
def narrow_quad(words: WordArrays) -> bool:
    """Write the intersection of the quads at words 1 and 5. Return whether the first has other patterns."""
    one, other = vectors.load_quad(words.given, np.uint64(1)), vectors.load_quad(words.given, np.uint64(5))
    common = vectors.unite(vectors.empty_quad(), vectors.intersect(one, other))
    vectors.store_row(words.result, np.uint64(1), common)
    return not vectors.is_empty(vectors.subtract(one, other))
