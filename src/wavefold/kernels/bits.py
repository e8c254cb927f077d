"""Single instructions and small integer arithmetic, each with a plain-Python twin.

The twins run when Numba is switched off (NUMBA_DISABLE_JIT=1) and give the same numbers.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from wavefold.kernels.constants import EMPTY_CELL, LOG_BITS, LOG_STEPS, TRAIL, WORK_LEFT
from wavefold.kernels.jit import COMPILED, inner, kernel
from wavefold.kernels.structs import Wave

ONE = np.uint64(1)
BYTE = np.uint64(255)
WORD_MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
LN2 = 2977044472  # ln 2 in 1 / 2**32

if COMPILED:

    @intrinsic
    def lowest_bit(_typing: Any, word: Any) -> Any:
        """Index of the lowest set bit; the word is not zero."""

        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), build

    @intrinsic
    def leading_zeros(_typing: Any, word: Any) -> Any:
        """Zeros above the highest set bit; the word is not zero."""

        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), build

    @intrinsic
    def count_bits(_typing: Any, word: Any) -> Any:
        """Number of set bits."""

        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), build

    @intrinsic
    def call4(_typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        """Call the C function at `address` with four whole numbers."""

        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            whole = ir.IntType(64)
            pointer = builder.inttoptr(arguments[0], ir.FunctionType(whole, [whole] * 4).as_pointer())
            return builder.call(pointer, arguments[1:])

        return types.int64(types.int64, types.int64, types.int64, types.int64, types.int64), build

    @inner
    def to_unsigned(number: int) -> np.uint64:
        """The same 64 bits, read without a sign."""
        return np.uint64(number)

    @kernel
    def mix_bits(word: np.uint64) -> np.uint64:
        """Scramble a word (the finaliser of SplitMix64)."""
        word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return word ^ (word >> np.uint64(31))

    @kernel
    def draw(seed: int, number: int) -> np.uint64:
        """The `number`th 64-bit draw of a seed: a pure function, so nothing needs to be undone."""
        return mix_bits(np.uint64(seed) + np.uint64(number + 1) * np.uint64(GOLDEN))

else:

    def lowest_bit(word: Any) -> int:
        """Index of the lowest set bit; the word is not zero."""
        whole = int(word)
        return (whole & -whole).bit_length() - 1

    def leading_zeros(word: Any) -> int:
        """Zeros above the highest set bit; the word is not zero."""
        return 64 - int(word).bit_length()

    def count_bits(word: Any) -> int:
        """Number of set bits."""
        return int(word).bit_count()

    def call4(address: int, a: int, b: int, c: int, d: int) -> int:
        """Call the C function at `address` with four whole numbers."""
        whole = ctypes.c_int64
        function = ctypes.CFUNCTYPE(whole, whole, whole, whole, whole)(int(address))
        return int(function(int(a), int(b), int(c), int(d)))

    def to_unsigned(number: int) -> np.uint64:
        """The same 64 bits, read without a sign."""
        return np.uint64(int(number) & WORD_MASK)

    def mix_bits(word: Any) -> np.uint64:
        """Scramble a word (the finaliser of SplitMix64)."""
        whole = int(word)
        whole = (whole ^ (whole >> 30)) * 0xBF58476D1CE4E5B9 & WORD_MASK
        whole = (whole ^ (whole >> 27)) * 0x94D049BB133111EB & WORD_MASK
        return np.uint64(whole ^ (whole >> 31))

    def draw(seed: int, number: int) -> np.uint64:
        """The `number`th 64-bit draw of a seed: a pure function, so nothing needs to be undone."""
        return mix_bits((int(seed) + (int(number) + 1) * GOLDEN) & WORD_MASK)


@kernel
def log_of(value: int, logarithm: np.ndarray) -> int:
    """ln(value) in 1 / 2**LOG_BITS, for value >= 1: a table, and a straight line between its steps."""
    shift = leading_zeros(np.uint64(value))
    scaled = np.uint64(value) << np.uint64(shift)  # the leading one is bit 63
    step = np.int64((scaled >> np.uint64(51)) & np.uint64(LOG_STEPS - 1))
    rest = np.int64((scaled >> np.uint64(31)) & np.uint64((1 << 20) - 1))
    within = logarithm[step] + (((logarithm[step + 1] - logarithm[step]) * rest) >> 20)
    return (((63 - shift) * LN2) >> (32 - LOG_BITS)) + within


def build_log_table() -> np.ndarray:
    """[step] -> ln(1 + step / LOG_STEPS) in 1 / 2**LOG_BITS, rounded.

    No value lies near a rounding boundary, so every platform's logarithm gives the same table.
    """
    return np.rint(np.log1p(np.arange(LOG_STEPS + 1) / LOG_STEPS) * (1 << LOG_BITS)).astype(np.int64)


def to_signed(seed: int) -> int:
    """The low 64 bits of a seed, read as a signed number."""
    low = int(seed) & WORD_MASK
    return low - (1 << 64) if low >> 63 else low


@inner
def scramble(number: np.uint64, bits: np.uint64, mask: np.uint64, shift: np.uint64) -> np.uint64:
    """Permute the numbers up to `mask`: multiply by an odd number, add, fold high bits onto low ones."""
    number = (number * ((bits | ONE) & mask) + ((bits >> np.uint64(32)) & mask)) & mask
    return number ^ (number >> shift)


@kernel
def shuffle_cells(seed: int, sequence: np.ndarray, rank: np.ndarray, start: int, stop: int) -> None:
    """Write cells, shuffled by a seed, into `sequence` [rank], and their ranks into `rank` [cell] or [].

    A permutation by arithmetic: no sort, no state. A number outside the range is permuted again until it is
    inside.
    """
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
        if rank.size > 0:
            rank[cell] = number


@inner
def is_same_domain(wave: Wave, cell: int, other: int, width: int) -> bool:
    """Whether two cells have the same patterns left."""
    for word in range(width):
        if wave.words[cell * width + word] != wave.words[other * width + word]:
            return False
    return True


UNCHANGED, NARROWED, EMPTIED = 0, 1, 2


@inner
def visits_left(state: np.ndarray, cost: int) -> int:
    """How many visits that touch `cost` words each are left in this slice of work; at least one."""
    return max(np.int64(1), state[WORK_LEFT] // cost)


@inner
def first_pattern(words: np.ndarray, start: int, width: int) -> int:
    """The lowest pattern of the domain at `start`; -1 if it is empty."""
    for word in range(width):
        if words[start + word] != 0:
            return word * 64 + lowest_bit(words[start + word])
    return -1


@inner
def has_one(words: np.ndarray, start: int, width: int) -> bool:
    """Whether the domain at `start` has exactly one pattern."""
    seen = False
    for word in range(width):
        value = words[start + word]
        if value != 0:
            if seen or value & (value - ONE) != 0:
                return False
            seen = True
    return seen


@inner
def count_patterns(words: np.ndarray, start: int, width: int) -> int:
    """How many patterns the domain at `start` has left."""
    total = 0
    for word in range(width):
        total += count_bits(words[start + word])
    return total


@inner
def remove_words(wave: Wave, cell: int, gone: np.ndarray) -> int:
    """Remove the patterns set in `gone` [word] from a cell and put them on the trail.

    Returns UNCHANGED, NARROWED or EMPTIED.
    """
    words, state = wave.words, wave.state
    answer = UNCHANGED
    left = np.uint64(0)
    for word in range(gone.size):
        at = cell * gone.size + word
        removed = words[at] & gone[word]
        if removed != 0:
            wave.trail_at[state[TRAIL]] = at
            wave.trail_removed[state[TRAIL]] = removed
            state[TRAIL] += 1
            words[at] ^= removed
            answer = NARROWED
        left |= words[at]
    if left != 0:
        return answer
    state[EMPTY_CELL] = cell
    return EMPTIED
