"""The state of a map and the parts of a patchwork.

`MapState` has the patterns, the changed cells and the effort for each grid; other threads get snapshots.
`PatchworkParts` joins the state with the other parts of a patchwork.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.options.values import format_count
from wavefold.patchwork.arguments import parse_pair
from wavefold.patchwork.join import Join, JoinContext, JoinResult
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.refining import GridRefining
from wavefold.solver import Problem, Solution, Statistics
from wavefold.tiles import Rules, TileSet
from wavefold.topology import make_box

MOST_KEYS = 24  # in a message
MOST_CELLS = 1 << 22  # of the rectangle around a map that is converted to a solution
COUNTED = ("attempts", "backtracks", "unfixed", "replaced", "repaired", "widened")  # by joins
COUNTS = ("attempts", "backtracks", "unfixed", "replaced", "changed", "dropped", "repaired", "widened")


class MapState:
    """The patterns and dropped cells of a `JoinContext`, and the effort of joining them.

    Every change is atomic, under a lock.
    """

    def __init__(self, context: JoinContext) -> None:
        self.context = context
        self.reports: dict[Key, GridReport] = {}  # in build order
        self.changed: dict[Cell, None] = {}
        self.rebuilt: dict[Cell, None] = {}
        self.rebuilds = 0
        self.lock = threading.Lock()

    def snapshot(self) -> Snapshot:
        """Copy all data for drawing or checking."""
        with self.lock:
            return Snapshot(
                dict(self.context.patterns),
                tuple(self.reports),
                tuple(sorted(self.changed)),
                tuple(sorted(self.context.dropped)),
            )

    def put_grids(self, keys: Iterable[Key], result: JoinResult, join: str, seconds: float) -> GridReport:
        """Add the result of a join; the report of the first grid includes all counts."""
        patterns, ring = self.context.patterns, self.context.plan.ring
        changed = [cell for cell, new in result.patterns.items() if patterns.get(cell, new) != new]
        reports = [
            GridReport(key=key, join=join, fixed=len(self.context.list_populated(ring(key, 1))))
            for key in keys
        ]
        counts = {name: getattr(result, name) for name in COUNTED}
        reports[0] = replace(
            reports[0], **counts, changed=len(changed), dropped=len(result.dropped), seconds=seconds
        )
        with self.lock:
            patterns.update(result.patterns)
            self.changed |= dict.fromkeys(changed)
            self.context.dropped |= dict.fromkeys(result.dropped)
            self.reports |= {report.key: report for report in reports}
        return reports[0]

    def put_rebuilt(self, found: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """Replace the patterns of populated cells by ones that fit; returns the changed cells."""
        before = self.context.patterns
        different = tuple(sorted(cell for cell in found if before[cell] != found[cell]))
        with self.lock:
            self.rebuilds += 1
            before.update(found)
            self.rebuilt |= dict.fromkeys(different)
            for cell in found:
                self.context.dropped.pop(cell, None)
        return different

    def clear(self) -> None:
        """Remove all grids."""
        with self.lock:
            for part in (
                self.context.patterns,
                self.context.dropped,
                self.reports,
                self.changed,
                self.rebuilt,
            ):
                part.clear()
            self.rebuilds = 0

    def summarize(self) -> PatchworkReport:
        """Return the effort so far; soft masks are counted on the current map."""
        with self.lock:
            reports, patterns = list(self.reports.values()), dict(self.context.patterns)
            dropped = dict(self.context.dropped)
            changed, rebuilt = len(self.changed), len(self.rebuilt)
        targets = self.context.targets
        if targets is not None:
            met = [targets.count_met(report.key, patterns) for report in reports]
            reports = [
                replace(report, soft_masks_asked=asked, soft_masks_met=followed)
                for report, (asked, followed) in zip(reports, met, strict=True)
            ]
        torn = list_mismatches(self.context.rules, self.context.plan.moves, patterns, dropped)
        return PatchworkReport.of(
            reports,
            cells=len(patterns),
            changed_cells=changed,
            rebuilt=rebuilt,
            mismatches_from_dropped=len(torn),
        )


def list_mismatches(
    rules: Rules, moves: tuple[Cell, ...], patterns: Mapping[Cell, int], cells: Iterable[Cell]
) -> set[frozenset[Cell]]:
    """List the sides of these cells that do not fit, each as the two cells that touch there."""
    rows: dict[tuple[int, int], NDArray[np.bool_]] = {}
    torn = set()
    for x, y in cells:
        here = patterns[x, y]
        for direction, (dx, dy) in enumerate(moves):
            there = patterns.get((x + dx, y + dy))
            if there is None:
                continue
            if (direction, here) not in rows:
                rows[direction, here] = rules.allows(direction, here)
            if not rows[direction, here][there]:
                torn.add(frozenset(((x, y), (x + dx, y + dy))))
    return torn


@dataclass(frozen=True, slots=True)
class Counts:
    """The effort of joining.

    fixed : cells of neighbours that touch the grid, which it had to fit
    attempts : solves up to the first success
    backtracks : undone decisions in all attempts
    unfixed : how often a neighbour's cell was freed because of a conflict (`fixed` and `whole`)
    replaced : disks of neighbours' cells that were solved again around a conflict (`fixed` only)
    changed : cells of other grids that got another pattern; sums count a cell each time
    dropped : cells that keep their pattern but no longer constrain their neighbours
    repaired : cells that local repairs un-decided
    widened : how often the ring of solvable cells was widened
    seconds : wall-clock time
    soft_masks_asked : cells in which fields exclude some pattern
    soft_masks_met : the cells among these with a pattern that the fields allow
    """

    fixed: int = 0
    attempts: int = 0
    backtracks: int = 0
    unfixed: int = 0
    replaced: int = 0
    changed: int = 0
    dropped: int = 0
    repaired: int = 0
    widened: int = 0
    seconds: float = 0.0
    soft_masks_asked: int = 0
    soft_masks_met: int = 0

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # `asdict` copies deeply


@dataclass(frozen=True, slots=True)
class GridReport(Counts):
    """The effort for one grid."""

    key: Key = (0, 0)
    join: str = ""

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {**Counts.to_dict(self), "key": list(self.key)}

    def __str__(self) -> str:
        return f"grid {self.key}: {format_counts(self)}"


@dataclass(frozen=True, slots=True)
class PatchworkReport(Counts):
    """The effort for a whole map: sums, and the reports of the grids in build order."""

    grids: tuple[GridReport, ...] = ()
    cells: int = 0
    changed_cells: int = 0  # the number of `Patchwork.changed`; each cell counts once
    rebuilt: int = 0  # cells that `rebuild` changed
    mismatches_from_dropped: int = 0  # sides of dropped cells that do not fit

    @classmethod
    def of(cls, grids: Iterable[GridReport], **more: int) -> PatchworkReport:
        """Return the sum of these reports."""
        each = tuple(grids)
        sums = {field.name: sum(getattr(grid, field.name) for grid in each) for field in fields(Counts)}
        return cls(**sums, grids=each, **more)

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {**Counts.to_dict(self), "grids": [grid.to_dict() for grid in self.grids]}

    def __str__(self) -> str:
        return f"{format_count(len(self.grids), 'grids')}, {self.cells:,} cells: {format_counts(self)}"


def format_counts(counts: Counts) -> str:
    """Format every count that is not 0, and the time, on one line."""
    parts = [format_count(getattr(counts, name), name) for name in COUNTS if getattr(counts, name)]
    cells = getattr(counts, "changed_cells", counts.changed)
    if cells != counts.changed:  # some of them more than once
        parts[parts.index(format_count(counts.changed, "changed"))] = (
            f"{cells:,} cells changed, {counts.changed:,} times in all"
        )
    if counts.soft_masks_asked:
        parts.append(f"{counts.soft_masks_met:,} of {counts.soft_masks_asked:,} soft masks met")
    return ", ".join([*parts, f"{counts.seconds * 1e3:.1f} ms"])


class Snapshot(NamedTuple):
    """A copy of a map at one moment."""

    patterns: dict[Cell, int]
    grids: tuple[Key, ...]  # in build order
    changed: Collection[Cell]
    dropped: Collection[Cell]

    def solution(self, tiles: TileSet, seed: int) -> Solution:
        """Return the map as a solution on a grid of its cells; `origin` is the position of cell (0, 0)."""
        if not self.patterns:
            raise ConfigError("no grid of the map is populated; populate one before drawing or saving")
        cells = np.array(list(self.patterns))
        left, top = cells.min(axis=0).tolist()
        width, height = np.ptp(cells, axis=0).tolist()
        width, height = width + 1, height + 1
        if width * height > MOST_CELLS:
            raise ConfigError(
                f"the grids of this map are too far apart for one picture: {width:,} x {height:,} "
                f"cells are more than {MOST_CELLS:,}"
            )
        array = np.full((height, width), -1, np.int64)
        array[cells[:, 1] - top, cells[:, 0] - left] = list(self.patterns.values())
        mask = array >= 0
        grid = make_box(tiles.topology, width, height, mask=None if mask.all() else mask)
        return Solution(
            Problem(tiles, grid, own_constraints=False), array[mask], Statistics(), seed, (left, top)
        )


@dataclass(slots=True)
class PatchworkParts:
    """The parts of a patchwork; `patchwork.parts` is for code that stores maps.

    growing : a lock that is held while the map changes
    """

    join: Join
    context: JoinContext
    state: MapState
    refining: GridRefining | None
    growing: threading.RLock = field(default_factory=threading.RLock)

    def check_keys(self, keys: Iterable[Any]) -> list[Key]:
        """Parse keys of grids that are to be populated in this order; raises if a key cannot be."""
        plan, populated = self.context.plan, self.state.reports
        there, wanted = dict.fromkeys(populated), [self.check_key(key) for key in keys]
        for key in wanted:
            if key in there:
                again = "is already populated" if key in populated else "is listed twice"
                raise ConfigError(f"grid {key} {again}")
            touches = not there or any(other in there for other in plan.neighbours(key))
            if not touches and not self.join.islands:
                near = plan.surroundings(there)
                shown = ", ".join(map(str, near[:MOST_KEYS])) + (", …" if len(near) > MOST_KEYS else "")
                raise ConfigError(
                    f"grid {key} is out of reach: it touches no populated grid; "
                    f"grids that can be added: {shown}"
                )
            there[key] = None
        return wanted

    def check_key(self, key: Any) -> Key:
        """Parse the key of a grid; raises if it is too far away."""
        found = parse_pair("a key", key)
        if not self.context.plan.in_reach(found):
            raise ConfigError(f"grid {found} is out of reach: coordinates must be within ±2**40 cells")
        return found
