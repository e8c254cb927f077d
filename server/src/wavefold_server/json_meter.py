"""How many values JSON has, counted while it arrives and before it is parsed.

A megabyte of empty lists takes dozens of megabytes when it is parsed, and no other thread runs meanwhile.
"""

from __future__ import annotations


class JsonMeter:
    """Counts in pieces of JSON text in UTF-8. What comes after a mistake in it may be counted wrongly.

    values : at least as many as there are, keys excepted: one for each bracket that opens, and each comma
    """

    def __init__(self) -> None:
        self.values = 1
        self._is_in_text, self._rest = False, b""

    def add(self, part: bytes) -> None:
        """Count the next piece."""
        part = (self._rest + part).replace(b"\\\\", b"")
        self._rest = b"\\" if part.endswith(b"\\") else b""  # what it escapes is in the next piece
        part = part.removesuffix(b"\\").replace(b'\\"', b"")
        pieces = part.split(b'"')
        outside = b"".join(pieces[self._is_in_text :: 2])
        self._is_in_text ^= len(pieces) % 2 == 0
        self.values += sum(map(outside.count, (b",", b"[", b"{")))
