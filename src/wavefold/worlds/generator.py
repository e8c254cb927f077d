"""Generate windows; each is a pure function of the rules, the base, the plan, the seed and its position."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wavefold.fields.targets import FieldTargets, Targets
from wavefold.kernels.host.seeding import mix
from wavefold.solver.refine.region_refiner import Proposals
from wavefold.storage.cache import BoundedCache, array_bytes
from wavefold.tiles import Rules
from wavefold.worlds.base import BaseTurn, Rectangle
from wavefold.worlds.plan import GROUND, INTERIOR, STAGE_NAMES, PatternGrid, Plan, Window, find_fixed_cells
from wavefold.worlds.report import WorldReport
from wavefold.worlds.roads import RoadBase
from wavefold.worlds.window_solver import REFINED, Outcome, Refining, WindowRefiner, WindowSolver

BASE_SEED = 100  # in seeds, for the position of the base; the stages of windows are smaller
CACHE_BYTES = 64 << 20  # of windows: 2,500 chunks of 64 x 64 cells with their borders


class ChunkStore(Protocol):
    """A persistent cache of final chunks without edits."""

    def get(self, cx: int, cy: int) -> PatternGrid | None:
        """Return chunk (cx, cy), or None if it is not stored."""

    def put(self, cx: int, cy: int, chunk: PatternGrid) -> None:
        """Store a final chunk; may skip it while the store is busy."""


class ChunkGenerator:
    """Generates the windows of one world and caches the most recently used. Thread-safe.

    base : int [variant, row, column] the patterns before any window is solved. The plane is divided into
        blocks of this size, and the seed chooses the variant of each block
    targets : soft masks and factors of fields, in blocks of the size of a chunk
    without : a pattern that must not occur in a plane, such as the ground of a learned tile set
    refining : the settings for refining, with a base shifted by the seed; None: no refining and no shift
    turns : orientations of the base, of which the seed chooses one; may be empty
    roads : a network, which has its own base
    constraints : constraints on every window with its rim of `plan.reach` cells, and on the base
    """

    def __init__(
        self,
        rules: Rules,
        base: NDArray[Any],
        plan: Plan,
        seed: int,
        targets: FieldTargets | None = None,
        without: int | None = None,
        refining: Refining | None = None,
        turns: Sequence[BaseTurn] = (),
        roads: RoadBase | None = None,
        constraints: tuple[Any, ...] = (),
    ) -> None:
        self.rules, self.plan, self.seed = rules, plan, seed
        self.base: PatternGrid = base.astype(np.int32)
        reach = plan.chunk + 1 + 2 * plan.reach  # the most cells across a window with its rim
        self._repeated = np.tile(self.base[0], [1 + -(-reach // span) for span in base.shape[1:]])
        self._shift = (0, 0) if refining is None else (mix(seed, BASE_SEED, 0), mix(seed, BASE_SEED, 1))
        self._turn = turns[mix(seed, BASE_SEED, 2) % len(turns)] if turns else None
        group_of = targets.group_of if targets and targets.groups else None
        self.window_solver = WindowSolver(rules, without, group_of, plan.reach, constraints)
        self.refiner = None if refining is None else WindowRefiner(refining, group_of, plan.reach)
        self.targets, self.roads = targets, roads
        self.cache: BoundedCache[PatternGrid] = BoundedCache(CACHE_BYTES, array_bytes)
        # Called with each valid draft of an interior that is solved in blocks, and with None at the end.
        self.on_draft: Callable[[Window, PatternGrid | None], None] | None = None
        self.on_chunk: Callable[[float], None] | None = None  # called with the seconds that a chunk took
        self.chunk_store: ChunkStore | None = None
        self.outcomes: Counter[tuple[str, str]] = Counter()  # {(stage, field of StageReport): count}
        self.soft_masks_asked = self.soft_masks_met = 0  # cells of final chunks
        self._counting = threading.Lock()

    def chunk(self, cx: int, cy: int) -> PatternGrid:
        """Return chunk (cx, cy) without edits, [row, column], read-only."""
        return self.window(self.plan.interior(cx, cy))

    def window(self, window: Window) -> PatternGrid:
        """Return the final content of a window; that of an interior is the whole chunk."""
        return self.cache.get(window.key, lambda: self._load_or_generate(window))

    def find_chunk(self, cx: int, cy: int) -> PatternGrid | None:
        """Return chunk (cx, cy) without edits if it is cached or stored; else None."""
        interior = self.plan.interior(cx, cy)
        chunk = self.cache.peek(interior.key)
        if chunk is None and self.chunk_store is not None:
            chunk = self.chunk_store.get(cx, cy)
        return None if chunk is None else self.cache.get(interior.key, lambda: chunk)

    def _load_or_generate(self, window: Window) -> PatternGrid:
        store = self.chunk_store if window.stage == INTERIOR else None
        if store is None:
            return self._generate(window)
        chunk = store.get(window.i, window.j)
        if chunk is None:
            started = perf_counter()
            chunk = self._generate(window)
            if self.on_chunk is not None:
                self.on_chunk(perf_counter() - started)
            store.put(window.i, window.j, chunk)
        return chunk

    def _generate(self, window: Window) -> PatternGrid:
        plane = self.surroundings(window)
        targets = self._targets_of(window)
        draft = None if self.on_draft is None or window.stage != INTERIOR else partial(self.on_draft, window)
        fixed = self.fixed_cells(window, plane, targets)
        required = self._required_at(window)
        seed = mix(self.seed, *window.key)
        outcome, proposals = Outcome(REFINED), Proposals()
        is_plain = self.refiner is None or self.refiner.refining.solve
        has_own_base = window.stage == GROUND or self.window_solver.constraints
        if is_plain or targets is not None or has_own_base:
            outcome = self.window_solver.solve_again(plane, seed, targets, draft, fixed, required)
        if self.refiner is not None:
            if draft is not None:
                draft(plane)
            shape = self.window_solver.shape(plane.shape)
            # Borders have half the sweeps, because the refining of interiors includes them.
            sweeps = self.refiner.refining.sweeps
            sweeps = sweeps if window.stage in (INTERIOR, GROUND) else -(-sweeps // 2)
            proposals = self.refiner.refine(shape, plane, seed, targets, fixed, sweeps, required)
        if draft is not None:
            draft(None)
        content = np.ascontiguousarray(self.plan.content(window, plane))
        content.flags.writeable = False
        self._count(window, outcome, proposals, content)
        return content

    def fixed_cells(
        self, window: Window, plane: PatternGrid | None = None, targets: Targets | None = None
    ) -> NDArray[np.bool_] | None:
        """Find the cells of an interior with its rim that keep the patterns of its borders.

        Returns None for other windows, where only the rim is fixed.
        """
        if window.stage != INTERIOR:
            return None
        if plane is None:
            plane, targets = self.surroundings(window), self._targets_of(window)
        unmet = None if targets is None else targets.find_unmet(plane)
        return find_fixed_cells(self.plan, window, self.seed, unmet)

    def _targets_of(self, window: Window) -> Targets | None:
        if self.targets is None:
            return None
        return self.targets.rectangle(*self._with_rim(window))

    def _required_at(self, window: Window) -> NDArray[np.uint64] | None:
        """Find the permitted patterns [row, column, word] of a window with its rim."""
        if self.roads is None:
            return None
        return self.roads.find_required(*self._with_rim(window))

    def surroundings(self, window: Window) -> PatternGrid:
        """Build a window with its rim before it is solved: the base with earlier windows over it."""
        left, top, width, height = self._with_rim(window)
        plane = self.base_at(left, top, width, height)
        grounds = () if self.roads is None or window.stage == GROUND else self.plan.ground_windows(window)
        for need in (*grounds, *self.plan.needs(window)):
            paste(plane, left, top, self.window(need), need.x, need.y)
        return plane

    def _with_rim(self, window: Window) -> Rectangle:
        rim = self.plan.reach
        return Rectangle(window.x - rim, window.y - rim, window.width + 2 * rim, window.height + 2 * rim)

    def base_at(self, x: int, y: int, width: int, height: int) -> PatternGrid:
        """Return a rectangle of the base."""
        if self.roads is not None:
            return self.roads.base(x, y, width, height)
        wanted = Rectangle(x, y, width, height)
        if self._turn is None:
            return self._base_unturned(*wanted)
        return self._turn.turn(self._base_unturned(*self._turn.find_source(wanted)))

    def _base_unturned(self, x: int, y: int, width: int, height: int) -> PatternGrid:
        variants, rows, columns = self.base.shape
        left, top = x + self._shift[0], y + self._shift[1]
        if variants == 1:
            row, column = top % rows, left % columns
            return self._repeated[row : row + height, column : column + width].copy()
        plane = np.empty((height, width), np.int32)
        for j in range(top // rows, (top + height - 1) // rows + 1):
            for i in range(left // columns, (left + width - 1) // columns + 1):
                block = self.base[mix(self.seed, BASE_SEED, i, j) % variants]
                paste(plane, left, top, block, i * columns, j * rows)
        return plane

    @property
    def report(self) -> WorldReport:
        """The report on the windows generated so far."""
        with self._counting:
            return WorldReport.from_counts(self.outcomes, self.soft_masks_asked, self.soft_masks_met)

    def _count(self, window: Window, outcome: Outcome, proposals: Proposals, content: PatternGrid) -> None:
        """Count a window, and for a chunk also its soft masks that are met."""
        stage, asked, met = STAGE_NAMES[window.stage], 0, 0
        if window.stage == INTERIOR and self.targets is not None:
            asked, met = self.targets.count_met(
                content, window.i * self.plan.chunk, window.j * self.plan.chunk
            )
        with self._counting:
            self.outcomes[stage, outcome.how] += 1
            self.outcomes[stage, "blocks"] += outcome.windows - 1
            self.outcomes[stage, "blocks_unchanged"] += outcome.kept if outcome.windows > 1 else 0
            self.outcomes[stage, "proposals"] += proposals.made
            self.outcomes[stage, "accepted"] += proposals.accepted
            self.soft_masks_asked += asked
            self.soft_masks_met += met


def paste(plane: NDArray[Any], left: int, top: int, content: NDArray[Any], x: int, y: int) -> None:
    """Write a rectangle whose first cell is (x, y) into a plane that begins at (left, top)."""
    height, width = content.shape
    from_x, to_x = max(left, x), min(left + plane.shape[1], x + width)
    from_y, to_y = max(top, y), min(top + plane.shape[0], y + height)
    if from_x < to_x and from_y < to_y:
        plane[from_y - top : to_y - top, from_x - left : to_x - left] = content[
            from_y - y : to_y - y, from_x - x : to_x - x
        ]
