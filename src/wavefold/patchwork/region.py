"""Regions of a patchwork: solve cells by their coordinates, with the targets of fields."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.fields import Fields
from wavefold.fields.targets import FieldTargets, MaskWords, allows
from wavefold.kernels.host.seeding import mix
from wavefold.patchwork.plan import Cell, GridPlan, Key
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.search.auto_order import find_auto_order
from wavefold.solver.search.ladder import Ladder
from wavefold.solver.search.region import Region, RegionSolver, SoftMasks, SolverPool
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import Rules, TileSet
from wavefold.topology.lattice import get_lattice_class, make_box

SOLVER_BYTES = 1 << 28  # of the solvers that a thread keeps for all maps
MOST_SOLVERS = 256  # likewise; with six neighbours, present or not, a grid has 64 shapes
LADDER = Ladder(patience=16, repairs=24, repairs_per_cell=0.05, radius=3)
SCANS = ("scanline:northwest", "scanline:southeast", "scanline:northeast", "scanline:southwest")

DomainByCell: TypeAlias = Mapping[Cell, NDArray[np.uint64]]  # {cell: [word]}
WeightsByCell: TypeAlias = Mapping[Cell, NDArray[np.float64]]  # {cell: [pattern]}
POOL: SolverPool[RegionSolver] = SolverPool(SOLVER_BYTES, MOST_SOLVERS)
NOTHING: Mapping[Any, Any] = MappingProxyType({})


class CellRegion(NamedTuple):
    """A `Region` with coordinates instead of numbers of cells."""

    free: Collection[Cell]
    fixed: Mapping[Cell, int]  # the patterns of cells that do not change
    required: DomainByCell = NOTHING  # the permitted patterns of free cells
    preferred: DomainByCell = NOTHING  # soft masks of free cells, applied in this order
    weights: WeightsByCell = NOTHING  # of all free cells, if they have their own
    previous: Mapping[Cell, int] = NOTHING  # the old patterns of free cells, which are preferred
    previous_weight: float = 1.0
    restore_first: bool = False


class CellAttempt(NamedTuple):
    """An `Attempt` with coordinates instead of numbers of cells."""

    patterns: dict[Cell, int] | None  # of the free cells; None if not solved
    is_proof: bool = False  # a failure that proves that nothing fits
    at_root: bool = False  # a failure before any soft mask was applied or any cell decided
    conflict: Cell | None = None  # the cell that was emptied last
    backtracks: int = 0
    reopened: int = 0  # cells that local repairs un-decided


def solve_cell_region(
    rules: Rules, region: CellRegion, seed: int, attempt: int = 0, without: int | None = None
) -> CellAttempt:
    """Solve a region once; the attempt determines the order of cells and the seed.

    without : a pattern that must not occur in a patchwork
    """
    cells = [*region.free, *region.fixed]
    layout = lay_out(cells)
    exists, numbers = layout.exists, layout.numbers
    shape = (rules.digest, without, *layout.key)
    order = Heuristics.of("entropy") if region.previous else choose_order(rules, seed, attempt)
    solver = POOL.get(shape, lambda: RegionSolver(build_problem(rules, exists, without)))
    numbered = number_region(region, dict(zip(cells, numbers.tolist(), strict=True)), solver.problem)
    tried = solver.solve(numbered, order, mix(seed, attempt), LADDER)
    patterns = None
    if tried.patterns is not None:
        found = tried.patterns[numbers[: len(region.free)]].tolist()
        patterns = dict(zip(region.free, found, strict=True))
    conflict = cells[int(np.flatnonzero(numbers == tried.conflict)[0])] if tried.conflict >= 0 else None
    return CellAttempt(patterns, tried.is_proof, tried.at_root, conflict, tried.backtracks, tried.reopened)


class CellLayout(NamedTuple):
    """The positions of cells in the smallest rectangle that contains them."""

    exists: NDArray[np.bool_]  # [row, column]
    numbers: NDArray[np.int64]  # of the cells, in the order of a topology of this shape

    @property
    def key(self) -> tuple[object, ...]:
        """A key that is equal for equal shapes."""
        return self.exists.shape, np.packbits(self.exists).tobytes()


def lay_out(cells: list[Cell]) -> CellLayout:
    """Number cells in the smallest rectangle that contains them."""
    positions = np.array(cells, np.int64).reshape(-1, 2)
    positions -= positions.min(axis=0)
    width, height = (positions.max(axis=0) + 1).tolist()
    exists = np.zeros((height, width), bool)
    exists[positions[:, 1], positions[:, 0]] = True
    number = np.cumsum(exists.ravel()) - 1  # topologies number their cells row by row
    return CellLayout(exists, number[positions[:, 1] * width + positions[:, 0]])


def number_region(region: CellRegion, number_of: Mapping[Cell, int], problem: Problem) -> Region:
    """Convert a region to the numbers of its cells in a problem."""

    def numbers(cells: Mapping[Cell, Any]) -> NDArray[np.int64]:
        return np.array([number_of[cell] for cell in cells], np.int64)

    def spread(values: Mapping[Cell, NDArray[Any]], rows: NDArray[Any]) -> NDArray[Any]:
        """Write the values into the rows of their cells."""
        rows[numbers(values)] = np.stack(list(values.values()))
        return rows

    def patterns(cells: Mapping[Cell, int]) -> NDArray[np.int64]:
        return np.fromiter(cells.values(), np.int64, len(cells))

    rules, numbered = problem.rules, Region((numbers(region.fixed), patterns(region.fixed)))
    if region.required:
        required = (numbers(region.required), np.stack(list(region.required.values())))
        numbered = numbered._replace(required=required)
    if region.preferred:
        words = spread(region.preferred, np.zeros((problem.cell_count, rules.words), np.uint64))
        numbered = numbered._replace(preferred=SoftMasks(numbers(region.preferred), words))
    if region.weights:
        weights = spread(region.weights, np.tile(rules.weights, (problem.cell_count, 1)))
        numbered = numbered._replace(weights=weights)
    if region.previous:
        numbered = numbered._replace(
            previous=(numbers(region.previous), patterns(region.previous)),
            previous_weight=region.previous_weight,
            restore_first=region.restore_first,
        )
    return numbered


def build_problem(rules: Rules, exists: NDArray[np.bool_], without: int | None) -> Problem:
    """Build a problem on the cells of a rectangle [row, column] that exist."""
    height, width = exists.shape
    masks = None if without is None else np.arange(len(rules)) != without
    return Problem(rules, make_box(rules.topology, width, height, mask=exists), masks=masks)


def choose_order(rules: Rules, seed: int, attempt: int) -> Heuristics:
    """Choose a scan, or least entropy in every second attempt if rows would show or it suits the rules."""
    first = "entropy" if get_lattice_class(rules.topology).rows_show else find_auto_order(rules)
    if attempt % 2 == 0 and first == "entropy":
        return Heuristics.of("entropy")
    return Heuristics.of(SCANS[(mix(seed, 0) + attempt) % len(SCANS)])


MOST_CACHED_GRIDS = 512  # with soft masks by cell


class GridTargets:
    """The soft masks and weights of fields for the cells of a patchwork."""

    def __init__(self, tiles: TileSet, plan: GridPlan, fields: Fields) -> None:
        self.plan = plan
        self._targets = FieldTargets(tiles, fields, plan.grid)
        self._offsets: NDArray[np.int64] = plan.grid.coordinates.astype(np.int64)  # [cell, axis]
        self._index = {(x, y): cell for cell, (x, y) in enumerate(self._offsets.tolist())}
        self._masks: BoundedCache[dict[Cell, MaskWords]] = BoundedCache(MOST_CACHED_GRIDS)

    def masks_of_grid(self, key: Key) -> dict[Cell, MaskWords]:
        """Return {cell: [word]} for the cells of a grid where fields exclude some pattern, middle first."""
        return self._masks.get(key, lambda: self._compute_masks(key))

    def masks_of(self, cells: Iterable[Cell]) -> dict[Cell, MaskWords]:
        """Return {cell: [word]} for any cells, those of each grid from its middle outwards."""
        inside = dict.fromkeys(cells)
        found: dict[Cell, MaskWords] = {}
        left = dict(inside)
        while left:
            key = self.plan.owner(next(iter(left)))
            found |= {cell: words for cell, words in self.masks_of_grid(key).items() if cell in inside}
            for cell in self.plan.cells(key):
                left.pop(cell, None)
        return found

    def weights_of(self, cells: Iterable[Cell]) -> dict[Cell, NDArray[np.float64]]:
        """Return {cell: weights [pattern]} of these cells; empty if the fields have no factors."""
        if not self._targets.fields.factors:
            return {}
        owners = {cell: self.plan.owner(cell) for cell in cells}
        origins = {key: self._origin(key) for key in owners.values()}
        weights = {key: self._targets.weights(*origin) for key, origin in origins.items()}
        return {
            (x, y): weights[key][self._index[x - origins[key][0], y - origins[key][1]]]
            for (x, y), key in owners.items()
        }

    def count_met(self, key: Key, patterns: Mapping[Cell, int]) -> tuple[int, int]:
        """Count the cells of a grid with a soft mask, and those of them that meet it."""
        masks = self.masks_of_grid(key)
        if not masks:
            return 0, 0
        found = np.array([patterns[cell] for cell in masks], np.int32)
        return len(masks), int(allows(np.stack(list(masks.values())), found).sum())

    def _origin(self, key: Key) -> Cell:
        """Return the position of cell (0, 0) of the block of a grid."""
        (x, y), (across, down) = self.plan.centre(key), self.plan.grid_centre
        return x - across, y - down

    def _compute_masks(self, key: Key) -> dict[Cell, MaskWords]:
        x, y = self._origin(key)
        words = self._targets.words(x, y)
        asked = (words != self._targets.every_pattern).any(axis=1)
        inwards = self._targets.grid.spiral()
        cells = inwards[asked[inwards]]
        positions = (self._offsets[cells] + np.array([x, y])).tolist()
        return {(at[0], at[1]): words[cell] for at, cell in zip(positions, cells, strict=True)}
