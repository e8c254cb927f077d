"""Revisions of a world: the change of each edit, undo and redo, with which earlier revisions are restored."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, WorldError
from wavefold.options.values import require_integer
from wavefold.storage.parsing import parse_limited_json

MOST_CHANGES = 1024  # in memory
MOST_CELLS = 1 << 20  # of all changes in memory
EDIT, UNDO, REDO = "edit", "undo", "redo"


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """The change from one revision of a world to the next.

    revision : the revision after the change
    kind : "edit", "undo" or "redo"
    cells : int64 [cell, (x, y)] the written cells, some of which may keep their pattern
    before, after : int32 [cell] their patterns
    box : the rectangle (x0, y0, width, height) around all cells; None without cells
    """

    revision: int
    kind: str
    cells: NDArray[np.int64]
    before: NDArray[np.int32]
    after: NDArray[np.int32]
    box: tuple[int, int, int, int] | None

    def touches(self, x0: int, y0: int, width: int, height: int) -> bool:
        """Return whether a rectangle may contain some of the cells, by their bounding box."""
        if self.box is None:
            return False
        left, top, across, down = self.box
        return left < x0 + width and x0 < left + across and top < y0 + height and y0 < top + down

    def put_back(self, region: NDArray[np.int32], x0: int, y0: int) -> None:
        """Restore the old patterns in a region [row, column] whose first cell is (x0, y0)."""
        height, width = region.shape
        if not self.touches(x0, y0, width, height):
            return
        x, y = self.cells.T - np.array([[x0], [y0]])
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        region[y[inside], x[inside]] = self.before[inside]

    def to_dict(self) -> ChangeData:
        """Return plain data for JSON; cells are [x, y, pattern before, pattern after]."""
        rows = np.column_stack([self.cells, self.before, self.after]).tolist()
        box = None if self.box is None else list(self.box)
        return {"revision": self.revision, "kind": self.kind, "box": box, "cells": rows}


class ChangeData(TypedDict):
    """A `Change` as plain data, for JSON."""

    revision: int
    kind: str
    box: list[int] | None
    cells: list[list[int]]  # [x, y, pattern before, pattern after]


class Revisions(NamedTuple):
    """The current revision of a world, and the latest changes, oldest first."""

    current: int = 0
    changes: tuple[Change, ...] = ()

    @property
    def oldest(self) -> int:
        """The oldest revision that can still be read."""
        return self.current - len(self.changes)

    def add(self, change: Change) -> Revisions:
        """Return the revisions with another change; the oldest changes are dropped if there are too many."""
        changes = (*self.changes, change)[-MOST_CHANGES:]
        first, cells = len(changes) - 1, len(change.cells)
        while first and cells + len(changes[first - 1].cells) <= MOST_CELLS:
            first, cells = first - 1, cells + len(changes[first - 1].cells)
        return Revisions(change.revision, changes[first:])

    def since(self, revision: Any) -> tuple[Change, ...]:
        """Return the changes after a revision. Raises if it is too old or in the future."""
        number = require_integer("revision", revision)
        if not 0 <= number <= self.current:
            raise ConfigError(f"there is no revision {number}: the world is at revision {self.current}")
        if number < self.oldest:
            raise WorldError(
                f"revision {number} is no longer available: the world is at revision {self.current}, and the "
                f"oldest one is {self.oldest}"
            )
        return self.changes[number - self.oldest :]


def merge_changes(revision: int, kind: str, changes: Iterable[Change]) -> Change:
    """Merge several changes, oldest first, into one."""
    before: dict[tuple[int, int], int] = {}
    after: dict[tuple[int, int], int] = {}
    for change in changes:
        cells = [(x, y) for x, y in change.cells.tolist()]
        before = dict(zip(cells, change.before.tolist(), strict=True)) | before
        after |= dict(zip(cells, change.after.tolist(), strict=True))
    return build_change(revision, kind, [(x, y, before[x, y], now) for (x, y), now in after.items()])


def build_change(revision: int, kind: str, rows: Iterable[Any]) -> Change:
    """Build a change from rows (x, y, pattern before, pattern after)."""
    table = np.array(list(rows), np.int64).reshape(-1, 4)
    cells, before, after = table[:, :2].copy(), table[:, 2].astype(np.int32), table[:, 3].astype(np.int32)
    return Change(revision, kind, cells, before, after, find_box(cells))


def no_change(revision: int) -> Change:
    """Return the change of an edit without effect."""
    return build_change(revision, EDIT, ())


def find_box(cells: NDArray[np.int64]) -> tuple[int, int, int, int] | None:
    """Find the rectangle (x0, y0, width, height) around cells [cell, (x, y)]; None without cells."""
    if not len(cells):
        return None
    (left, top), (right, bottom) = cells.min(axis=0).tolist(), cells.max(axis=0).tolist()
    return left, top, right - left + 1, bottom - top + 1


def encode_change(change: Change) -> bytes:
    """Encode a change as JSON, without its revision."""
    data = change.to_dict()
    return json.dumps([data["kind"], data["cells"]]).encode()


def decode_changes(entries: Iterable[bytes], current: int, patterns: int) -> Revisions:
    """Decode the revisions of a store from its changes, oldest first, up to the last invalid change.

    current : the revision after the last change
    """
    found: list[Change] = []
    for revision, entry in zip(range(current, 0, -1), reversed([*entries]), strict=False):
        try:
            kind, rows = parse_limited_json(entry)
            change = build_change(revision, str(kind), rows)
        except (TypeError, ValueError, OverflowError):
            break
        shown = np.concatenate([change.before, change.after])
        if shown.size and not 0 <= shown.min() <= shown.max() < patterns:
            break
        found.insert(0, change)
    return Revisions(current, tuple(found))
