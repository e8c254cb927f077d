"""The log of edits, and the editor that solves requested edits and adds them to the log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, Contradiction, WavefoldError, WorldError
from wavefold.kernels.host.checkpoint import holding
from wavefold.kernels.host.seeding import fold_seed, mix
from wavefold.solver import Problem
from wavefold.topology import make_box
from wavefold.worlds.edits.edit import Cell, Edit, Wanted
from wavefold.worlds.edits.overlay import (
    Overlay,
    Patch,
    generate_region,
    list_chunks,
    patch_region,
    read_region,
)
from wavefold.worlds.edits.revisions import EDIT, REDO, UNDO, Change, Revisions, build_change, merge_changes
from wavefold.worlds.edits.solve import EDIT_REACH, FARTHEST_EDIT_REACH, is_final, solve_edit
from wavefold.worlds.generator import ChunkGenerator
from wavefold.worlds.plan import ChunkPosition

ATTEMPTS = 4  # for an edit, if solutions break a constraint


class LogSink(Protocol):
    """The durable storage of a log."""

    def write_log(self, edits: tuple[Edit, ...], unchanged: int, applied: int, revisions: Revisions) -> None:
        """Store this log durably; the first `unchanged` edits are stored already.

        revisions : the revisions after this change, of which the last is not stored yet
        """


class EditLog:
    """Edits, oldest first; undone edits come last. One writer at a time, any number of readers.

    The pins given at creation are the first edit, which cannot be undone.
    """

    def __init__(self, side: int, edits: tuple[Edit, ...] = (), applied: int = 0, pinned: int = 0) -> None:
        self.edits: tuple[Edit, ...] = ()
        self.applied = 0  # number of applied edits; the others are undone
        self.pinned = pinned  # number of edits that cannot be undone
        self.revisions = Revisions()
        self.overlay = Overlay(side)
        self.writing = threading.RLock()  # held while an edit is solved and written
        self._publishing = threading.Lock()  # held while overlay and revisions are changed together
        self.sink: LogSink | None = None
        self.load(edits, applied)

    def copy(self) -> EditLog:
        """Return a log with the same edits but no sink, for trial edits."""
        return EditLog(self.overlay.side, self.edits, self.applied, self.pinned)

    def add(self, edit: Edit, change: Change) -> None:
        """Append an edit; undone edits are removed."""
        self.replace((*self.edits[: self.applied], edit), self.applied + 1, change)

    @property
    def last(self) -> Edit:
        """The last applied edit. Raises WorldError if there is none that can be undone."""
        if self.applied <= self.pinned:
            stay = "; the pins given at creation cannot be undone" if self.pinned else ""
            raise WorldError(f"there is no edit to undo{stay}")
        return self.edits[self.applied - 1]

    @property
    def undone(self) -> Edit:
        """The edit that was undone last. Raises WorldError if there is none."""
        if self.applied == len(self.edits):
            raise WorldError("there is no edit to redo: none was undone, or a new edit was made since")
        return self.edits[self.applied]

    def replace(self, edits: tuple[Edit, ...], applied: int, change: Change) -> None:
        """Write other edits to the sink, then load them; `change` is the difference."""
        revisions = self.revisions.add(change)
        if self.sink is not None:
            self.sink.write_log(edits, count_common_edits(self.edits, edits), applied, revisions)
        self.load(edits, applied, revisions)

    def load(self, edits: tuple[Edit, ...], applied: int, revisions: Revisions | None = None) -> None:
        """Load edits that are already stored."""
        common = count_common_edits(self.edits, edits)
        before, applied_before, self.edits, self.applied = self.edits, self.applied, edits, applied
        with self._publishing:
            if applied == applied_before + 1 and common >= applied_before:
                self.overlay.push(edits[applied - 1])
            elif applied == applied_before - 1 and common >= applied:
                self.overlay.pop(before[applied])
            elif applied != applied_before or common < applied:
                self.overlay.replace(edits[:applied])
            self.revisions = self.revisions if revisions is None else revisions

    def snapshot(self, positions: Sequence[ChunkPosition]) -> tuple[list[tuple[Patch, ...]], Revisions]:
        """Return the patches on these chunks and their revision, read at once."""
        with self._publishing:
            return self.overlay.on(positions), self.revisions


def count_common_edits(one: Sequence[Edit], other: Sequence[Edit]) -> int:
    """Count the edits that two logs have in common at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a is not b), min(len(one), len(other)))


def read_revision(
    generator: ChunkGenerator,
    log: EditLog,
    rectangle: tuple[int, int, int, int],
    revision: int,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.int32]:
    """Read a rectangle (x0, y0, width, height) at a revision, int32 [row, column]."""
    log.revisions.since(revision)  # raises before anything is generated
    x0, y0, width, height = rectangle
    region = generate_region(generator, x0, y0, width, height, progress)
    patches, revisions = log.snapshot(list_chunks(log.overlay.side, x0, y0, width, height))
    patch_region(region, generator, log.overlay, x0, y0, patches)
    for change in reversed(revisions.since(revision)):
        change.put_back(region, x0, y0)
    return region


class Editor:
    """Applies edits to one world. One thread edits at a time, while others may read.

    seed : the seed of the world; an edit depends only on it and on earlier edits
    """

    def __init__(self, generator: ChunkGenerator, seed: int, log: EditLog) -> None:
        self.generator, self.log = generator, log
        self._seed = fold_seed(seed)

    def edit(self, wanted: Wanted, reach: int) -> Edit:
        """Solve an edit and add it to the log; if that fails, nothing changes."""
        with holding(self.log.writing):
            return self._add(self.log, wanted, reach)

    def undo(self) -> Edit:
        """Undo and return the last edit."""
        log = self.log
        with holding(log.writing):
            edit = log.last
            log.replace(log.edits, log.applied - 1, self._describe_change(log, UNDO, edit))
        return edit

    def redo(self) -> Edit:
        """Redo and return the edit that was undone last."""
        log = self.log
        with holding(log.writing):
            edit = log.undone
            log.replace(log.edits, log.applied + 1, self._describe_change(log, REDO, edit))
        return edit

    def pin(self, wanted: Wanted) -> None:
        """Apply the first edit, which cannot be undone, with the smallest reach that works."""
        first: WavefoldError | None = None
        for reach in (EDIT_REACH, 2 * EDIT_REACH, FARTHEST_EDIT_REACH):
            try:
                self.log.load((self._solve(self.log, wanted, reach),), 1)
            except (Contradiction, WorldError) as error:
                first = first or error
                if is_final(error):
                    break
            except ConfigError:  # too many cells within this reach
                if first is None:
                    raise
                break
            else:
                self.log.pinned = 1
                return
        raise WorldError(f"the pins cannot be met: {first}") from first

    def replay(self, edits: Iterable[Any]) -> None:
        """Solve and apply the edits of another log: all of them or none."""
        try:
            entries = list(edits)
        except TypeError:
            raise ConfigError(f"edits must be a list, such as world.edits, not {edits!r:.80}") from None
        with holding(self.log.writing):
            trial = self.log.copy()
            for number, entry in enumerate(entries, start=1):
                edit = entry if isinstance(entry, Edit) else Edit.from_dict(entry)
                try:
                    self._add(trial, edit.wanted, edit.reach)
                except WavefoldError as error:
                    raise WorldError(f"edit number {number} of the log cannot be applied: {error}") from error
            if entries:
                revision = self.log.revisions.current + 1
                change = merge_changes(revision, EDIT, trial.revisions.changes)
                self.log.replace(trial.edits, trial.applied, change)

    def _add(self, log: EditLog, wanted: Wanted, reach: int) -> Edit:
        """Solve an edit and append it to a log."""
        edit = self._solve(log, wanted, reach)
        log.add(edit, self._describe_change(log, EDIT, edit))
        return edit

    def _describe_change(self, log: EditLog, kind: str, edit: Edit) -> Change:
        """Describe the change of applying an edit, or of undoing the last one."""
        below = log.overlay.read_below(self.generator, edit, is_applied=kind == UNDO)
        rows = [(x, y, below[x, y], pattern) for (x, y), pattern in edit.settled.items()]
        if kind == UNDO:
            rows = [(x, y, after, before) for x, y, before, after in rows]
        return build_change(log.revisions.current + 1, kind, rows)

    def _solve(self, log: EditLog, wanted: Wanted, reach: int) -> Edit:
        """Solve an edit with these tiles, after the edits of a log."""
        generator, overlay = self.generator, log.overlay
        broken = ""
        for attempt in range(ATTEMPTS):
            changes = solve_edit(
                generator.rules,
                partial(read_region, generator, overlay),
                wanted,
                overlay.find_wanted,
                reach=reach,
                seed=mix(self._seed, log.applied, *([attempt] if attempt else [])),
                fields=None if generator.targets is None else generator.targets.masks,
                required=None if generator.roads is None else generator.roads.find_required,
            )
            broken = self._find_broken(overlay, changes)
            if not broken:
                return Edit(wanted, changes, reach)
        raise WorldError(f"no solution was found for this edit: {broken}; nothing was changed")

    def _find_broken(self, overlay: Overlay, changes: dict[Cell, int]) -> str:
        """Describe a constraint of the world that the changes would break; "" if there is none."""
        generator = self.generator
        constraints = generator.window_solver.constraints
        if not constraints or not changes:
            return ""
        columns, rows = zip(*changes, strict=True)
        rim = generator.plan.reach
        left, top = min(columns) - rim, min(rows) - rim
        width, height = max(columns) + rim + 1 - left, max(rows) + rim + 1 - top
        region = read_region(generator, overlay, left, top, width, height)
        for (x, y), pattern in changes.items():
            region[y - top, x - left] = pattern
        problem = Problem(generator.rules, make_box(generator.rules.topology, width, height))
        for each in constraints:
            found = each.violations(problem, region.reshape(-1).astype(np.int64))
            if found:
                return f"{found[0]} (relative to {left, top})"
        return ""
