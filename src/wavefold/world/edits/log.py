"""The log of edits, in order: those that are applied, and after them those that were undone."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Protocol

from wavefold.errors import WorldError
from wavefold.world.edits.edit import Cell, Edit, Wanted
from wavefold.world.edits.overlay import Overlay


class LogSink(Protocol):
    """Where a log is stored durably."""

    def write_log(self, edits: tuple[Edit, ...], unchanged: int, applied: int) -> None:
        """Store this log, of which the first `unchanged` are stored already; durable when it returns."""


class EditLog:
    """Edits, oldest first; undone edits come last. One writer at a time, any number of readers.

    A world is a function of its applied edits. Pins given at creation are the first edit, and stay.
    """

    def __init__(self, side: int, edits: Iterable[Edit] = (), applied: int = 0, pinned: int = 0) -> None:
        self.edits: tuple[Edit, ...] = ()
        self.applied = 0  # how many of `edits`; the rest are undone
        self.pinned = pinned  # how many cannot be undone
        self.overlay = Overlay(side)
        self.requested = RequestedTiles(side)
        self.writing = threading.RLock()  # held while an edit is solved and written
        self.sink: LogSink | None = None
        self.load(tuple(edits), applied)

    def copy(self) -> EditLog:
        """The same edits in a log without a sink, to try something out."""
        return EditLog(self.overlay.side, self.edits, self.applied, self.pinned)

    def add(self, edit: Edit) -> None:
        """Append an edit; those that were undone are removed."""
        self.replace((*self.edits[: self.applied], edit), self.applied + 1, self.applied)

    def undo(self) -> Edit:
        """Undo the last applied edit, and return it."""
        if self.applied <= self.pinned:
            stay = ": pins given at creation stay" if self.pinned else ""
            raise WorldError(f"there is no edit to undo{stay}")
        self.replace(self.edits, self.applied - 1, len(self.edits))
        return self.edits[self.applied]

    def redo(self) -> Edit:
        """Apply the edit again that was undone last, and return it."""
        if self.applied == len(self.edits):
            raise WorldError("there is no edit to redo: none was undone, or one was made since")
        self.replace(self.edits, self.applied + 1, len(self.edits))
        return self.edits[self.applied - 1]

    def replace(self, edits: tuple[Edit, ...], applied: int, unchanged: int | None = None) -> None:
        """Write other edits to the sink, then load them.

        unchanged : how many at the beginning are those of this log; counted here if None
        """
        common = count_common_edits(self.edits, edits) if unchanged is None else unchanged
        if self.sink is not None:
            self.sink.write_log(edits, common, applied)
        self.load(edits, applied, common)

    def load(self, edits: tuple[Edit, ...], applied: int, unchanged: int | None = None) -> None:
        """Take over edits that are stored already; see `replace`."""
        common = count_common_edits(self.edits, edits) if unchanged is None else unchanged
        before, applied_before, self.edits, self.applied = self.edits, self.applied, edits, applied
        if applied == applied_before + 1 and common >= applied_before:
            self.overlay.push(edits[applied - 1].settled)
            self.requested.push(edits[applied - 1].wanted)
        elif applied == applied_before - 1 and common >= applied:
            self.overlay.pop(before[applied].settled)
            self.requested.pop(before[applied].wanted)
        elif applied != applied_before or common < applied:
            self.overlay.replace(edit.settled for edit in edits[:applied])
            self.requested = RequestedTiles(self.overlay.side)
            for edit in edits[:applied]:
                self.requested.push(edit.wanted)


class RequestedTiles:
    """The tiles that applied edits ask for, found by position. The latest request for a cell counts."""

    def __init__(self, side: int) -> None:
        self.side = side
        # {(cx, cy): {cell: requests, oldest first}}
        self._requests: dict[tuple[int, int], dict[Cell, list[str | tuple[str, ...]]]] = {}

    def push(self, wanted: Wanted) -> None:
        """Add the requests of the next edit."""
        for (x, y), name in wanted.items():
            of_chunk = self._requests.setdefault((x // self.side, y // self.side), {})
            of_chunk.setdefault((x, y), []).append(name)

    def pop(self, wanted: Wanted) -> None:
        """Remove the requests of the last edit."""
        for x, y in wanted:
            of_chunk = self._requests[x // self.side, y // self.side]
            of_chunk[x, y].pop()
            if not of_chunk[x, y]:
                del of_chunk[x, y]

    def within(self, x: int, y: int, width: int, height: int) -> Wanted:
        """The requests for the cells of a rectangle."""
        columns = range(x // self.side, (x + width - 1) // self.side + 1)
        rows = range(y // self.side, (y + height - 1) // self.side + 1)
        found = (self._requests.get((cx, cy), {}) for cy in rows for cx in columns)
        return {
            cell: names[-1]
            for of_chunk in found
            for cell, names in of_chunk.items()
            if x <= cell[0] < x + width and y <= cell[1] < y + height
        }


def count_common_edits(one: Sequence[Edit], other: Sequence[Edit]) -> int:
    """How many edits two logs have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a is not b), min(len(one), len(other)))
