"""Binary messages of live sessions: a header of 8 bytes, then an array, all little-endian.

kind u8, layout u8 (1), tag u16 (the low 16 bits of the command's version), count u32 (rows of the array)
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import FormatError
from wavefold.solver import count_set_bits, pack_bits

HEADER = Struct("<BBHI")
LAYOUT = 1
EVENTS, BOARD, ENTROPY, COLOURS, DOMAINS = 1, 2, 3, 4, 5
MOST_ROWS = 1 << 14  # of events in a frame: 256 kB

# The type of a kind's array, and how many columns it has.
ARRAYS = {
    EVENTS: ("<i4", 4),
    BOARD: ("<i4", 3),
    ENTROPY: ("u1", 1),
    COLOURS: ("u1", 4),
    DOMAINS: ("<u4", 1),
}


class Frame(NamedTuple):
    """A binary message.

    kind : EVENTS: int32 [row, (kind, cell, pattern, decision)], as `Solver.listen` gives them
        BOARD: int32 [run, (cells, left, combined)]: so many cells in succession have `left` patterns, whose
        numbers, combined by exclusive or, are `combined`; if one is left, that is its number
        ENTROPY: uint8 [cell, 1]: 0 is decided, 255 the most that there can be
        COLOURS: uint8 [cell, (red, green, blue, alpha)]
        DOMAINS: uint32 [number, 1]: how many words of 32 bits a domain has, then runs: so many cells in
        succession, and the words of their domain
    tag : of the command that this belongs to, see `tag_of`
    """

    kind: int
    tag: int
    rows: NDArray[Any]

    def encode(self) -> bytes:
        """The message."""
        kind, columns = ARRAYS[self.kind]
        header = HEADER.pack(self.kind, LAYOUT, self.tag, len(self.rows))
        return header + np.ascontiguousarray(self.rows.reshape(-1, columns), kind).tobytes()


def decode(message: bytes) -> Frame:
    """Inverse of `Frame.encode`. Raises FormatError for anything else."""
    if len(message) < HEADER.size:
        raise FormatError(f"a frame has at least {HEADER.size} bytes, not {len(message)}")
    kind, layout, tag, count = HEADER.unpack_from(message)
    if kind not in ARRAYS or layout != LAYOUT:
        raise FormatError(f"unknown frame: kind {kind}, layout {layout}; a newer server may have sent it")
    type_name, columns = ARRAYS[kind]
    expected = HEADER.size + count * columns * np.dtype(type_name).itemsize
    if len(message) != expected:
        raise FormatError(
            f"a frame of kind {kind} with {count:,} rows has {expected:,} bytes, not {len(message):,}"
        )
    return Frame(kind, tag, np.frombuffer(message, type_name, offset=HEADER.size).reshape(count, columns))


def tag_of(version: int) -> int:
    """What a frame says of the version of the command that it belongs to."""
    return version & 0xFFFF


def split_events(batches: list[NDArray[np.int32]], tag: int) -> Iterator[Frame]:
    """Batches of events as frames of bounded size; where one ends has no meaning."""
    if batches:
        rows = np.concatenate(batches)
        for start in range(0, len(rows), MOST_ROWS):
            yield Frame(EVENTS, tag, rows[start : start + MOST_ROWS])


def board_of(words: NDArray[np.uint64], patterns: int, tag: int) -> Frame:
    """The domains of all cells, bits [cell, word], as a board."""
    cells = np.stack([count_set_bits(words), combine_patterns(words, patterns)], axis=1)
    return Frame(BOARD, tag, find_runs(cells.astype(np.int32)))


def domains_of(words: NDArray[np.uint64], patterns: int, tag: int) -> Frame:
    """The domains of all cells, bits [cell, word], themselves: in words of 32 bits, as few as suffice."""
    count = -(-patterns // 32)
    halves = np.ascontiguousarray(words, "<u8").view("<u4")[:, :count]
    return Frame(DOMAINS, tag, np.r_[np.uint32(count), find_runs(halves).ravel()].reshape(-1, 1))


def expand_domains(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """[cell, word] the domains in a frame of this kind, in words of 32 bits."""
    flat = numbers.ravel()
    return expand_runs(flat[1:].reshape(-1, 1 + int(flat[0])))


def find_runs(rows: NDArray[Any]) -> NDArray[Any]:
    """[run, (length, …)] how many rows in succession are equal, and what they are."""
    starts = np.flatnonzero(np.r_[True, (rows[1:] != rows[:-1]).any(axis=1)][: len(rows)])
    lengths = np.diff(np.r_[starts, len(rows)])
    return np.column_stack([lengths.astype(rows.dtype), rows[starts]])


def combine_patterns(words: NDArray[np.uint64], patterns: int) -> NDArray[np.int64]:
    """[row] the exclusive or of the numbers of all patterns in each set [row, word].

    Whoever has it can go on without the sets: a removal changes it by the pattern's number.
    """
    combined, numbers = np.zeros(len(words), np.int64), np.arange(patterns)
    for bit in range(max(0, patterns - 1).bit_length()):
        mask = pack_bits((numbers >> bit & 1).astype(bool))
        combined |= (count_set_bits(words & mask) & 1) << bit
    return combined


def expand_runs(runs: NDArray[Any]) -> NDArray[Any]:
    """Inverse of `find_runs`; of a board: int32 [cell, (left, combined)]."""
    return np.repeat(runs[:, 1:], runs[:, 0], axis=0)
