"""Integer arithmetic on 64-bit words, and queries on domains.

The functions from `lowest_bit` to `draw` are plain Python. In compiled code, `compile/instructions.py`
replaces them with single instructions or wrapping arithmetic that give the same results.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from wavefold.kernels.constants import WORK_LEFT
from wavefold.kernels.structs import CellQueue, Wave
from wavefold.kernels.units import kernel

ONE = np.uint64(1)
BYTE = np.uint64(255)
WORD_MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def lowest_bit(word: Any) -> int:
    """Return the index of the lowest set bit of a nonzero word."""
    whole = int(word)
    return (whole & -whole).bit_length() - 1


def leading_zeros(word: Any) -> int:
    """Return the number of zeros above the highest set bit of a nonzero word."""
    return 64 - int(word).bit_length()


def count_bits(word: Any) -> int:
    """Return the number of set bits."""
    return int(word).bit_count()


def call4(address: int, a: int, b: int, c: int, d: int) -> int:
    """Call the C function at `address` with four 64-bit integers and return its result."""
    whole = ctypes.c_int64
    function = ctypes.CFUNCTYPE(whole, whole, whole, whole, whole)(int(address))
    return int(function(int(a), int(b), int(c), int(d)))


def can_call() -> bool:
    """Whether kernels can call user functions by address; False in WebAssembly."""
    return True


def to_unsigned(number: int) -> np.uint64:
    """Return the same 64 bits as an unsigned number."""
    return np.uint64(int(number) & WORD_MASK)


def mix_bits(word: Any) -> np.uint64:
    """Hash a word with the finaliser of SplitMix64."""
    whole = int(word)
    whole = (whole ^ (whole >> 30)) * 0xBF58476D1CE4E5B9 & WORD_MASK
    whole = (whole ^ (whole >> 27)) * 0x94D049BB133111EB & WORD_MASK
    return np.uint64(whole ^ (whole >> 31))


def multiply_golden(word: Any) -> np.uint64:
    """Hash a word by multiplication (Fibonacci hashing). Only the upper bits are well mixed."""
    return np.uint64(int(word) * GOLDEN & WORD_MASK)


def draw(seed: int, number: int) -> np.uint64:
    """Return 64 random bits as a pure function of a seed and the number of the draw.

    Because there is no state, backtracking has nothing to restore.
    """
    return mix_bits((int(seed) + (int(number) + 1) * GOLDEN) & WORD_MASK)


def to_signed(seed: int) -> int:
    """Return the low 64 bits of a seed as a signed number."""
    low = int(seed) & WORD_MASK
    return low - (1 << 64) if low >> 63 else low


def scramble(number: np.uint64, bits: np.uint64, mask: np.uint64, shift: np.uint64) -> np.uint64:
    """Permute the numbers from 0 to `mask`: multiply by an odd number, add, XOR high bits into low bits."""
    number = (number * ((bits | ONE) & mask) + ((bits >> np.uint64(32)) & mask)) & mask
    return number ^ (number >> shift)


@kernel
def shuffle_cells(queue: CellQueue, seed: int, start: int, stop: int) -> None:
    """Write a random permutation of the cells to `sequence` [rank] and its inverse to `rank` [cell].

    Each cell is permuted by arithmetic, without sorting or state. Results outside the range are permuted
    again until they are inside (cycle walking).
    """
    sequence, rank = queue.sequence, queue.rank
    cells = np.uint64(sequence.size)
    width = np.uint64(2)
    while (ONE << width) < cells:
        width += ONE
    mask, shift = (ONE << width) - ONE, (width >> ONE) + ONE
    first, second, third, fourth = draw(seed, 0), draw(seed, 1), draw(seed, 2), draw(seed, 3)
    for cell in range(start, stop):
        number = np.uint64(cell)
        while True:
            number = scramble(scramble(number, first, mask, shift), second, mask, shift)
            number = scramble(scramble(number, third, mask, shift), fourth, mask, shift)
            if number < cells:
                break
        sequence[number] = cell
        rank[cell] = number


def begin_search(arrays: Any, start: int) -> int:
    """Begin a breadth-first search at a cell or node. Return the time that marks what it reaches.

    arrays : a struct with `reached`, whose last entry is the clock, and `frontier`
    """
    clock = arrays.reached.size - 1
    arrays.reached[clock] += 1
    arrays.reached[start] = arrays.reached[clock]
    arrays.frontier[0] = start
    return arrays.reached[clock]


def is_same_domain(wave: Wave, cell: int, other: int, width: int) -> bool:
    """Whether two cells have equal domains."""
    for word in range(width):
        if wave.words[cell * width + word] != wave.words[other * width + word]:
            return False
    return True


def count_visits_left(state: np.ndarray, cost: int) -> int:
    """Return how many visits that touch `cost` words each fit in this slice of work, at least one."""
    return max(np.int64(1), state[WORK_LEFT] // cost)


def first_pattern(words: np.ndarray, start: int, width: int) -> int:
    """Return the lowest pattern of the domain that begins at `start`, or -1 if the domain is empty."""
    for word in range(width):
        if words[start + word] != 0:
            return word * 64 + lowest_bit(words[start + word])
    return -1


def has_one(words: np.ndarray, start: int, width: int) -> bool:
    """Whether the domain that begins at `start` has exactly one pattern."""
    seen = False
    for word in range(width):
        value = words[start + word]
        if value != 0:
            if seen or value & (value - ONE) != 0:
                return False
            seen = True
    return seen


def count_patterns(words: np.ndarray, start: int, width: int) -> int:
    """Return the number of patterns in the domain that begins at `start`."""
    total = 0
    for word in range(width):
        total += count_bits(words[start + word])
    return total
