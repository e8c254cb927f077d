"""The log of edits: what was asked, in order, and how much of it stands."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Protocol

from wavefold.errors import WorldError
from wavefold.world.edits import Cell, Edit, Wanted
from wavefold.world.overlay import Overlay

__all__ = ["Book", "Log"]


class Book(Protocol):
    """Where a log is kept for good."""

    def write_log(self, edits: tuple[Edit, ...], unchanged: int, standing: int) -> None:
        """Keep this log, of which the first `unchanged` are there already. Done when it returns."""


class Log:
    """Edits, oldest first; those that were taken back are at the end. One writer at a time, any readers.

    The world is a function of the edits that stand. Pins given at creation are the first, and stay.
    """

    def __init__(self, side: int, edits: Iterable[Edit] = (), standing: int = 0, pinned: int = 0) -> None:
        self.edits: tuple[Edit, ...] = tuple(edits)
        self.standing = standing  # how many stand, of `edits`
        self.pinned = pinned  # how many cannot be taken back
        self.overlay = Overlay(side)
        self.overlay.replace(edit.settled for edit in self.edits[:standing])
        self.writing = threading.RLock()  # held from the question to the answer
        self.book: Book | None = None

    @property
    def wanted(self) -> Wanted:
        """What is asked of each cell, the latest wish for each."""
        wanted: dict[Cell, str | tuple[str, ...]] = {}
        for edit in self.edits[: self.standing]:
            wanted.update(edit.wanted)
        return wanted

    def copy(self) -> Log:
        """The same log, to try something with; kept nowhere."""
        return Log(self.overlay.side, self.edits, self.standing, self.pinned)

    def add(self, edit: Edit) -> None:
        """One more edit; what was taken back before is forgotten."""
        self.become((*self.edits[: self.standing], edit), self.standing + 1)

    def undo(self) -> Edit:
        """Take the last edit back."""
        if self.standing <= self.pinned:
            stay = ": pins given at creation stay" if self.pinned else ""
            raise WorldError(f"there is no edit to take back{stay}")
        self.become(self.edits, self.standing - 1)
        return self.edits[self.standing]

    def redo(self) -> Edit:
        """Make the edit again that was taken back last."""
        if self.standing == len(self.edits):
            raise WorldError("there is no edit to make again: none was taken back, or one was made since")
        self.become(self.edits, self.standing + 1)
        return self.edits[self.standing - 1]

    def become(self, edits: tuple[Edit, ...], standing: int) -> None:
        """Another log: kept first, shown after."""
        pairs = zip(self.edits, edits, strict=False)
        unchanged = next((number for number, (one, other) in enumerate(pairs) if one is not other), None)
        unchanged = min(len(self.edits), len(edits)) if unchanged is None else unchanged
        if self.book is not None:
            self.book.write_log(edits, unchanged, standing)
        before, self.edits, self.standing = (self.edits, self.standing), edits, standing
        if standing == before[1] + 1 and unchanged >= before[1]:
            self.overlay.push(edits[standing - 1].settled)
        elif standing == before[1] - 1 and unchanged >= standing:
            self.overlay.pop(before[0][standing].settled)
        else:
            self.overlay.replace(edit.settled for edit in edits[:standing])
