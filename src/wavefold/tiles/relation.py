"""Which patterns may stand on one side of which, as classes: patterns that allow the same share a row."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import pack_bits, unpack_bits


class Relation(NamedTuple):
    """One side of the rules. `rows[class_of[a]]` holds, as bits, every b that may stand there beside a."""

    class_of: NDArray[np.int32]  # [pattern]
    rows: NDArray[np.uint64]  # [class, word]

    @classmethod
    def from_allowed(cls, allowed: NDArray[np.bool_]) -> Relation:
        """From a table [pattern, pattern]."""
        rows, class_of = np.unique(pack_bits(allowed), axis=0, return_inverse=True)
        return cls(class_of.reshape(-1).astype(np.int32), np.ascontiguousarray(rows))

    @classmethod
    def from_sockets(cls, here: Sequence[Hashable], there: Sequence[Hashable]) -> Relation:
        """From the socket each pattern shows on this side, and on the side that would face it.

        Never builds a table: ten thousand patterns with a few sockets stay a few rows.
        """
        number: dict[Hashable, int] = {}
        class_of = np.array([number.setdefault(socket, len(number)) for socket in here], np.int32)
        facing = np.array([number.get(socket, -1) for socket in there])
        rows = pack_bits(facing[None, :] == np.arange(len(number))[:, None])
        return cls(class_of, rows)

    def is_transpose_of(self, other: Relation) -> bool:
        """Whether both allow the same pairs, read from either side. Column by column: no whole table."""
        patterns = self.class_of.size
        flags = unpack_bits(other.rows, patterns)
        for start in range(0, patterns, 512):
            columns = slice(start, start + 512)
            mine = unpack_bits(self.rows[self.class_of[columns]], patterns)
            if (mine != flags[:, columns][other.class_of].T).any():
                return False
        return True

    def table(self) -> NDArray[np.bool_]:
        """[pattern, pattern]: may b stand on this side of a?"""
        return unpack_bits(self.rows, self.class_of.size)[self.class_of]
