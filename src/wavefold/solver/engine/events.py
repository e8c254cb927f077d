"""Events of a search, as batches of rows read from the trail; built only if there are listeners.

A *batch* is int32 [row, (kind, cell, pattern, decision)]: the changes of one *transition*, which is a
decision with its consequences, a step back, or a rung of the ladder. An `Event` stands for one row, or for
several rows that differ only in the pattern.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import single_patterns
from wavefold.kernels.structs import Wave
from wavefold.options.names import EventKind
from wavefold.solver.engine.engine import Engine

EVENT_KINDS: tuple[EventKind, ...] = (
    "chosen",
    "removed",
    "contradiction",
    "undone",
    "repaired",
    "restarted",
    "replaced",
)
CHOSEN, REMOVED, CONTRADICTION, UNDONE, REPAIRED, RESTARTED, REPLACED = range(7)
KIND, CELL, PATTERN, DECISION = range(4)  # columns of a batch
NOTHING = -1  # in a row: no cell or no pattern
FIRST_ROW = np.zeros(1, np.int64)

Batch = NDArray[np.int32]  # [row, (kind, cell, pattern, decision)], read-only
CellColumn = NDArray[np.int32] | NDArray[np.int64]
Listener = Callable[[Any], object]  # of an Event, or of a Batch
Listeners = list[tuple[Listener, bool]]  # (listener, whether it takes batches)


class BatchColumns(NamedTuple):
    """The columns of a batch; a kind is an index of `EVENT_KINDS`."""

    kinds: NDArray[np.int32]
    cells: NDArray[np.int32]
    patterns: NDArray[np.int32]
    decisions: NDArray[np.int32]

    @classmethod
    def of(cls, batch: Batch) -> BatchColumns:
        """Return the columns of these rows."""
        return cls(*batch.T)


class Event(NamedTuple):
    """One event of a search.

    kind : "chosen" (cell got pattern), "removed" (cell lost patterns), "contradiction" (cell has no
        pattern left), "undone" (a decision was undone), "repaired" (the cells around cell were un-decided),
        "restarted", "replaced" (cell now has this pattern; without a pattern, it is un-decided)
    """

    kind: EventKind
    cell: int = NOTHING
    patterns: tuple[int, ...] = ()
    decision: int = 0  # the number of decisions so far


def is_jump(batch: Batch) -> bool:
    """Return whether a batch does more than remove patterns: it undoes, repairs, restarts or replaces."""
    return bool((batch[:, KIND] >= UNDONE).any())


def add_listener(listeners: Listeners, listener: Listener, batches: bool) -> Callable[[], None]:
    """Add a listener of events or of whole batches; returns a function that removes it."""
    entry = (listener, batches)
    listeners.append(entry)

    def stop() -> None:
        if entry in listeners:
            listeners.remove(entry)

    return stop


class Transition:
    """Collects the rows of a batch, and the row at which each event starts."""

    def __init__(self) -> None:
        self.count = 0  # rows so far
        self._parts: list[Batch] = []
        self._starts: list[NDArray[np.int64]] = []  # rows; those of one event differ only in the pattern

    def add(self, kind: int, cell: int, pattern: int, decision: int) -> None:
        """Add an event of one row."""
        self._append(np.array([[kind, cell, pattern, decision]], np.int32), FIRST_ROW)

    def add_cells(self, kind: int, cells: CellColumn, patterns: CellColumn, decision: int) -> None:
        """Add an event of one row for each of these cells."""
        self._append(join_columns(kind, cells, patterns, decision), np.arange(len(cells)))

    def add_removals(self, wave: Wave, start: int, width: int, decision: int) -> None:
        """Add the removals on the trail from entry `start` on, oldest first, with a row per pattern.

        Patterns that one word of a domain lost at once form one event.
        """
        stop = int(wave.state[c.TRAIL])
        at, removed = wave.trail_at[start:stop], wave.trail_removed[start:stop]
        counts = np.bitwise_count(removed)
        is_domain = (at < wave.changed_by.size * width) & (counts > 0)  # live classes follow the domains
        if not is_domain.all():
            at, removed, counts = at[is_domain], removed[is_domain], counts[is_domain]
        if not at.size:
            return
        cells, words = (at, 0 * at) if width == 1 else np.divmod(at, width)
        entries, bits = np.unpackbits(
            removed.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little"
        ).nonzero()
        ends = counts.cumsum(dtype=np.int64)
        self._append(
            join_columns(REMOVED, cells[entries], 64 * words[entries] + bits, decision), ends - counts
        )

    def to_batch(self) -> Batch:
        """Return all rows as a read-only array."""
        batch = self._parts[0] if len(self._parts) == 1 else np.concatenate(self._parts)
        batch.flags.writeable = False
        return batch

    def to_events(self) -> list[Event]:
        """Return all rows as events."""
        rows, events = self.to_batch().tolist(), []
        for start, stop in pairwise([*np.concatenate(self._starts).tolist(), len(rows)]):
            kind, cell, pattern, decision = rows[start]
            patterns = tuple([row[PATTERN] for row in rows[start:stop]]) if pattern != NOTHING else ()
            events.append(Event(EVENT_KINDS[kind], cell, patterns, decision))
        return events

    def _append(self, rows: Batch, starts: NDArray[np.int64]) -> None:
        self._parts.append(rows)
        self._starts.append(starts + self.count if self.count else starts)
        self.count += len(rows)


def join_columns(kind: int, cells: CellColumn, patterns: CellColumn, decision: int) -> Batch:
    """Build a row for each cell and its pattern."""
    rows = np.empty((len(cells), 4), np.int32)
    rows[:, KIND], rows[:, CELL], rows[:, PATTERN], rows[:, DECISION] = kind, cells, patterns, decision
    return rows


class Watcher:
    """Advances an engine one transition at a time and passes the events to listeners."""

    def __init__(self, engine: Engine, listeners: Listeners) -> None:
        self._engine = engine
        self.listeners = listeners  # the list may change at any time

    def publish(self, transition: Transition) -> None:
        """Pass the batch to listeners of batches, then its events one by one to the others."""
        if not transition.count:
            return
        if any(batches for _, batches in self.listeners):
            batch = transition.to_batch()
            for listener, batches in tuple(self.listeners):
                if batches:
                    listener(batch)
        if all(batches for _, batches in self.listeners):
            return
        for event in transition.to_events():
            for listener, batches in tuple(self.listeners):
                if not batches:
                    listener(event)

    def publish_row(self, kind: int, cell: int, pattern: int = NOTHING) -> None:
        """Publish an event that did not happen in `advance`."""
        if self.listeners:
            transition = Transition()
            transition.add(kind, cell, pattern, int(self._engine.state[c.DECISIONS]))
            self.publish(transition)

    def publish_replaced(self, cells: NDArray[np.int32]) -> None:
        """Publish the current patterns of these cells in one batch."""
        if self.listeners:
            transition, decision = Transition(), int(self._engine.state[c.DECISIONS])
            transition.add_cells(REPLACED, cells, single_patterns(self._engine.domains[cells]), decision)
            self.publish(transition)

    def advance(self) -> int:
        """Advance by one transition and publish it; returns the status of the search."""
        engine, state = self._engine, self._engine.state
        phase, trail = int(state[c.PHASE]), int(state[c.TRAIL])
        made, depth = int(state[c.DECISIONS]), int(state[c.DEPTH])
        try:
            return engine.advance(one_transition=True)
        finally:  # also if a checkpoint ended the transition early
            if self.listeners:
                self.publish(self._read_transition(phase, trail, made, depth))

    def _read_transition(self, phase: int, trail: int, made: int, depth: int) -> Transition:
        """Read the last transition; the arguments are the state before it."""
        transition, state, wave = Transition(), self._engine.state, self._engine.wave
        decision, depth_now = int(state[c.DECISIONS]), int(state[c.DEPTH])
        start = min(trail, int(state[c.TRAIL]))
        if phase == c.CONFLICT and depth_now < depth:
            # Undone decisions are still in their arrays: a step back makes no new decision.
            for each in range(depth - 1, depth_now - 1, -1):
                cell, pattern = int(wave.decision_cell[each]), int(wave.decision_pattern[each])
                transition.add(UNDONE, cell, pattern, decision)
            start = int(wave.decision_mark[depth_now, 0])  # the refutation follows on the trail
        if decision > made:
            cell, pattern = int(wave.decision_cell[depth_now - 1]), int(wave.decision_pattern[depth_now - 1])
            transition.add(CHOSEN, cell, pattern, decision)
        transition.add_removals(wave, start, self._engine.width, decision)
        if state[c.PHASE] == c.CONFLICT and phase != c.CONFLICT:
            transition.add(CONTRADICTION, int(state[c.EMPTY_CELL]), NOTHING, decision)
        return transition
