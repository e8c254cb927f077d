"""Making windows: each a pure function of the rules, the base, the plan, the seed and its place."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wavefold.common.cache import BoundedCache, array_bytes
from wavefold.common.seeding import mix
from wavefold.tiles import Rules
from wavefold.world.plan import INTERIOR, STAGE_NAMES, Plan, Window
from wavefold.world.ragged_border import fixed_near_border
from wavefold.world.report import WorldReport
from wavefold.world.window_solver import Outcome, WindowSolver
from wavefold.world.wishes import FieldWishes, Wished

Patterns = NDArray[np.int32]  # [row, column]
MEMORY = 64 << 20  # bytes of finished windows that are kept: 2,500 chunks of 64 x 64 cells with their borders


class ChunkStore(Protocol):
    """Optional persistent cache of finished chunks, without edits."""

    def get(self, cx: int, cy: int) -> Patterns | None:
        """Chunk (cx, cy), or None if it is not stored."""

    def put(self, cx: int, cy: int, chunk: Patterns) -> None:
        """Store a finished chunk; may be skipped while the store is busy."""


class ChunkGenerator:
    """Generates the windows of one world and caches the most recently used."""

    def __init__(
        self,
        rules: Rules,
        base: NDArray[np.int64],
        plan: Plan,
        seed: int,
        wishes: FieldWishes | None = None,
        without: int | None = None,
    ) -> None:
        self.rules, self.plan, self.seed = rules, plan, seed
        self.base: Patterns = base.astype(np.int32)
        reach = plan.chunk + 3  # no window with its rim is wider; wherever it begins in the base
        self._repeated = np.tile(self.base, [1 + -(-reach // span) for span in base.shape])
        self.window_solver = WindowSolver(
            rules, without, wishes.group_of if wishes and wishes.groups else None
        )
        self.wishes = wishes
        self.cache: BoundedCache[Patterns] = BoundedCache(MEMORY, array_bytes)
        # Told of interiors that are half made, and with None once they are made.
        self.on_draft: Callable[[Window, Patterns | None], None] | None = None
        self.chunk_store: ChunkStore | None = None
        self.outcomes: Counter[tuple[str, str]] = Counter()  # (stage, field of StageReport)
        self.soft_masks_asked = self.soft_masks_met = 0  # of cells of finished chunks
        self._counting = threading.Lock()

    def chunk(self, i: int, j: int) -> Patterns:
        """[row, column] of chunk (i, j); read-only."""
        return self.window(self.plan.interior(i, j))

    def window(self, window: Window) -> Patterns:
        """What a window holds for good; of an interior with the seam, its first row and column."""
        return self.cache.get(window.key, lambda: self._made(window))

    def _made(self, window: Window) -> Patterns:
        store = self.chunk_store if window.stage == INTERIOR else None
        if store is None:
            return self._renewed(window)
        chunk = store.get(window.i, window.j)
        if chunk is None:
            chunk = self._renewed(window)
            store.put(window.i, window.j, chunk)
        return chunk

    def _renewed(self, window: Window) -> Patterns:
        plane = self.surroundings(window)
        wished = self._wished(window)
        draft = None if self.on_draft is None or window.stage != INTERIOR else partial(self.on_draft, window)
        stays = self.stays(window, plane, wished)
        self._count(
            window, self.window_solver.renew(plane, mix(self.seed, *window.key), wished, draft, stays)
        )
        if draft is not None:
            draft(None)
        # A corner or an edge without its rim; a chunk with the seam before it, which is its own.
        made = plane[:-1, :-1] if window.stage == INTERIOR else plane[1:-1, 1:-1]
        made = np.ascontiguousarray(made)
        made.flags.writeable = False
        if window.stage == INTERIOR and self.wishes is not None:
            self._count_wishes(*self.wishes.met(made, window.x - 1, window.y - 1))
        return made

    def stays(
        self, window: Window, plane: Patterns | None = None, wished: Wished | None = None
    ) -> NDArray[np.bool_] | None:
        """[row, column] of an interior with its rim: what stays as borders have it; None of other windows."""
        if window.stage != INTERIOR:
            return None
        if plane is None:
            plane, wished = self.surroundings(window), self._wished(window)
        return fixed_near_border(
            self.plan, window, self.seed, None if wished is None else wished.unmet(plane)
        )

    def _wished(self, window: Window) -> Wished | None:
        if self.wishes is None:
            return None
        return self.wishes.wished(window.x - 1, window.y - 1, window.width + 2, window.height + 2)

    def surroundings(self, window: Window) -> Patterns:
        """The window with its rim as it is before it is made: the base, and what was made before it."""
        left, top = window.x - 1, window.y - 1
        plane = self.base_at(left, top, window.width + 2, window.height + 2)
        for need in self.plan.needs(window):
            paste(plane, left, top, self.window(need), need.x, need.y)
        return plane

    def base_at(self, x: int, y: int, width: int, height: int) -> Patterns:
        """A rectangle of the base, which repeats over the plane."""
        rows, columns = self.base.shape
        top, left = y % rows, x % columns
        return self._repeated[top : top + height, left : left + width].copy()

    @property
    def report(self) -> WorldReport:
        """What was generated so far."""
        with self._counting:
            return WorldReport.from_counts(self.outcomes, self.soft_masks_asked, self.soft_masks_met)

    def _count(self, window: Window, outcome: Outcome) -> None:
        stage = STAGE_NAMES[window.stage]
        with self._counting:
            self.outcomes[stage, outcome.how] += 1
            self.outcomes[stage, "blocks"] += outcome.windows - 1
            self.outcomes[stage, "blocks_unchanged"] += outcome.kept if outcome.windows > 1 else 0

    def _count_wishes(self, asked: int, met: int) -> None:
        with self._counting:
            self.soft_masks_asked += asked
            self.soft_masks_met += met


def paste(plane: Patterns, left: int, top: int, content: Patterns, x: int, y: int) -> None:
    """Write a rectangle whose first cell is (x, y) into a plane that begins at (left, top)."""
    height, width = content.shape
    from_x, to_x = max(left, x), min(left + plane.shape[1], x + width)
    from_y, to_y = max(top, y), min(top + plane.shape[0], y + height)
    if from_x < to_x and from_y < to_y:
        plane[from_y - top : to_y - top, from_x - left : to_x - left] = content[
            from_y - y : to_y - y, from_x - x : to_x - x
        ]
