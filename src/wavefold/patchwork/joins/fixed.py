"""The join "fixed": neighbours stay, with three steps of recovery where nothing fits them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from wavefold.options.values import parse_in_range
from wavefold.patchwork.join import Join, JoinContext, JoinResult
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.region import CellAttempt

ATTEMPT, REPLACE, DROP = 1, 2, 3  # phases, for seeds


@dataclass(frozen=True)
class Fixed(Join):
    """Solve each grid with the touching cells of its neighbours fixed. If nothing fits, in this order:

    1. *Un-fix*: a neighbour's cell in a conflict before the search begins is solved together with the grid,
       and its own neighbours are fixed instead.
    2. *Replace*: a disk of the neighbours' cells around a conflict is solved again, then the grid.
    3. *Drop*: the cell nearest to the conflict keeps its tile but no longer constrains its neighbours.

    disks : the most disks that are replaced
    radius : of these disks
    """

    name: ClassVar[str] = "fixed"

    disks: int = 5
    radius: int = 2

    def __post_init__(self) -> None:
        parse_in_range("disks of a join", self.disks, 0, 1000)
        parse_in_range("radius of a join", self.radius, 0, 64)

    def populate(self, context: JoinContext, key: Key) -> JoinResult:
        join = Joining(context, [key])
        tried = join.attempt(context.retries.attempts, *join.position(ATTEMPT))
        for _ in range(self.disks):
            if tried.patterns is not None or not join.replace(tried.conflict, self.radius):
                break
            tried = join.attempt(context.retries.attempts, *join.position(REPLACE))
        while tried.patterns is None and join.drop(tried.conflict):
            tried = join.attempt(context.retries.drop, *join.position(DROP))
        if tried.patterns is None:
            why = "not even with all neighbouring cells dropped"
            raise context.build_error(key, why, tried.is_proof, join.new)
        join.result.patterns = {**join.replacements, **tried.patterns}
        join.result.dropped = list(join.dropped)
        return join.result


@dataclass
class Joining:
    """A join of grids that are solved together, with all cells that touch them fixed."""

    context: JoinContext
    keys: Sequence[Key]
    result: JoinResult = field(default_factory=JoinResult)
    replacements: dict[Cell, int] = field(default_factory=dict)  # new patterns of replaced cells
    unfixed: dict[Cell, None] = field(default_factory=dict)
    dropped: dict[Cell, None] = field(default_factory=dict)
    used: dict[Cell, None] = field(default_factory=dict)  # centres of replaced disks

    def __post_init__(self) -> None:
        plan = self.context.plan
        self.new = [cell for key in self.keys for cell in plan.cells(key)]
        self.ring = list(dict.fromkeys(cell for key in self.keys for cell in plan.ring(key, 1)))

    @property
    def fixed(self) -> list[Cell]:
        """The neighbours' cells that touch the grids and still constrain them."""
        touching = self.context.list_populated(self.ring)
        return [cell for cell in touching if cell not in self.dropped and cell not in self.unfixed]

    @property
    def around(self) -> list[Cell]:
        """The fixed cells that touch the grids or un-fixed cells."""
        touching = self.context.around([*self.new, *self.unfixed])
        return [cell for cell in touching if cell not in self.dropped]

    def position(self, phase: int) -> tuple[int, ...]:
        """Return numbers for the seeds of a phase."""
        return (*self.keys[0], phase, len(self.used), len(self.dropped))

    def attempt(self, seeds: int, *position: int) -> CellAttempt:
        """Solve the grids; cells in a conflict before the search begins are un-fixed."""
        while True:
            region = self.context.region([*self.new, *self.unfixed], self.around, self.replacements)
            tried = self.context.solve(region, self.result, seeds, *position)
            if tried.patterns is not None or not tried.is_proof or tried.backtracks:
                return tried
            if not self.unfix(tried.conflict):
                return tried

    def unfix(self, conflict: Cell | None) -> bool:
        """Un-fix the first fixed cell at the conflict; returns False if there is none."""
        if conflict is None:
            return False
        near = {conflict, *self.context.plan.touching(conflict)}
        for cell in self.fixed:
            if cell in near:
                self.unfixed[cell] = None
                self.result.unfixed += 1
                return True
        return False

    def unfix_nearest(self, conflict: Cell | None) -> bool:
        """Un-fix the fixed cell nearest to the conflict; returns False if there is none."""
        cell = self.nearest(conflict, self.around)
        if cell is None:
            return False
        self.unfixed[cell] = None
        self.result.unfixed += 1
        return True

    def replace(self, conflict: Cell | None, radius: int) -> bool:
        """Solve a disk around the fixed cell nearest to the conflict again, so that something changes.

        If nothing changes, the next cell becomes the centre; returns False if none is left.
        """
        while True:
            centre = self.nearest(conflict, [cell for cell in self.fixed if cell not in self.used])
            if centre is None:
                return False
            self.used[centre] = None
            if self.replace_disk(centre, radius):
                return True

    def replace_disk(self, centre: Cell, radius: int) -> bool:
        """Solve the disk around a cell again; returns whether it changed."""
        disk = [
            cell for cell in self.context.list_populated(self.context.plan.disk(centre, radius))
            if cell not in self.dropped
        ]  # fmt: skip
        fixed = [cell for cell in self.context.around(disk) if cell not in self.dropped]
        region = self.context.region(disk, fixed, self.replacements)
        before = {cell: self.replacements.get(cell, self.context.patterns[cell]) for cell in disk}
        found = self.context.solve_differently(
            region,
            before,
            self.result,
            self.context.retries.replace,
            *self.keys[0],
            REPLACE,
            len(self.used),
            -1,
        )
        if found is None:
            return False
        self.replacements |= found
        self.unfixed.clear()
        self.result.replaced += 1
        return True

    def drop(self, conflict: Cell | None) -> bool:
        """Drop the cell nearest to the conflict; returns False if none is left.

        Un-fixed cells are fixed again, so that all cells can be dropped in the end.
        """
        self.unfixed.clear()
        cell = self.nearest(conflict, self.fixed)
        if cell is None:
            return False
        self.dropped[cell] = None
        return True

    def nearest(self, conflict: Cell | None, cells: list[Cell]) -> Cell | None:
        """Find the cell with the fewest steps to the conflict, the first of several."""
        if conflict is None or not cells:
            return cells[0] if cells else None
        return min(cells, key=lambda cell: self.context.plan.distance(cell, conflict))
