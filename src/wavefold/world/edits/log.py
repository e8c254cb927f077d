"""The log of edits: what was asked, in order, and how much of it stands."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Protocol

from wavefold.errors import WorldError
from wavefold.world.edits.edit import Cell, Edit, Wanted
from wavefold.world.edits.overlay import Overlay


class LogSink(Protocol):
    """Where a log is kept for good."""

    def write_log(self, edits: tuple[Edit, ...], unchanged: int, standing: int) -> None:
        """Keep this log, of which the first `unchanged` are there already. Done when it returns."""


class EditLog:
    """Edits, oldest first; those that were taken back are at the end. One writer at a time, any readers.

    The world is a function of the edits that stand. Pins given at creation are the first, and stay.
    """

    def __init__(self, side: int, edits: Iterable[Edit] = (), standing: int = 0, pinned: int = 0) -> None:
        self.edits: tuple[Edit, ...] = ()
        self.standing = 0  # how many stand, of `edits`
        self.pinned = pinned  # how many cannot be taken back
        self.overlay = Overlay(side)
        self.asked = RequestedTiles(side)
        self.writing = threading.RLock()  # held from the question to the answer
        self.sink: LogSink | None = None
        self.show(tuple(edits), standing)

    def copy(self) -> EditLog:
        """The same log, to try something with; kept nowhere."""
        return EditLog(self.overlay.side, self.edits, self.standing, self.pinned)

    def add(self, edit: Edit) -> None:
        """One more edit; what was taken back before is forgotten."""
        self.become((*self.edits[: self.standing], edit), self.standing + 1, self.standing)

    def undo(self) -> Edit:
        """Take the last edit back."""
        if self.standing <= self.pinned:
            stay = ": pins given at creation stay" if self.pinned else ""
            raise WorldError(f"there is no edit to take back{stay}")
        self.become(self.edits, self.standing - 1, len(self.edits))
        return self.edits[self.standing]

    def redo(self) -> Edit:
        """Make the edit again that was taken back last."""
        if self.standing == len(self.edits):
            raise WorldError("there is no edit to make again: none was taken back, or one was made since")
        self.become(self.edits, self.standing + 1, len(self.edits))
        return self.edits[self.standing - 1]

    def become(self, edits: tuple[Edit, ...], standing: int, unchanged: int | None = None) -> None:
        """Another log, of which the first `unchanged` are those of this one: kept first, shown after."""
        same = count_common_edits(self.edits, edits) if unchanged is None else unchanged
        if self.sink is not None:
            self.sink.write_log(edits, same, standing)
        self.show(edits, standing, same)

    def show(self, edits: tuple[Edit, ...], standing: int, unchanged: int | None = None) -> None:
        """Another log, which is kept already."""
        same = count_common_edits(self.edits, edits) if unchanged is None else unchanged
        before, stood, self.edits, self.standing = self.edits, self.standing, edits, standing
        if standing == stood + 1 and same >= stood:
            self.overlay.push(edits[standing - 1].settled)
            self.asked.push(edits[standing - 1].wanted)
        elif standing == stood - 1 and same >= standing:
            self.overlay.pop(before[standing].settled)
            self.asked.pop(before[standing].wanted)
        elif standing != stood or same < standing:
            self.overlay.replace(edit.settled for edit in edits[:standing])
            self.asked = RequestedTiles(self.overlay.side)
            for edit in edits[:standing]:
                self.asked.push(edit.wanted)


class RequestedTiles:
    """What is asked of each cell by the edits that stand, found by place. The latest wish for each counts."""

    def __init__(self, side: int) -> None:
        self.side = side
        # {chunk: {cell: wishes, oldest first}}
        self._wishes: dict[tuple[int, int], dict[Cell, list[str | tuple[str, ...]]]] = {}

    def push(self, wanted: Wanted) -> None:
        """What the next edit asks for."""
        for (x, y), name in wanted.items():
            of_chunk = self._wishes.setdefault((x // self.side, y // self.side), {})
            of_chunk.setdefault((x, y), []).append(name)

    def pop(self, wanted: Wanted) -> None:
        """The last edit is taken back, which asked for this."""
        for x, y in wanted:
            of_chunk = self._wishes[x // self.side, y // self.side]
            of_chunk[x, y].pop()
            if not of_chunk[x, y]:
                del of_chunk[x, y]

    def within(self, x: int, y: int, width: int, height: int) -> Wanted:
        """What is asked of the cells of a rectangle."""
        columns = range(x // self.side, (x + width - 1) // self.side + 1)
        rows = range(y // self.side, (y + height - 1) // self.side + 1)
        found = (self._wishes.get((i, j), {}) for j in rows for i in columns)
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
