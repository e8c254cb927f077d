"""Regions in coordinates of the map, solved by this thread's solver for their shape."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.seeding import mix
from wavefold.patchwork.plan import Cell
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Problem
from wavefold.solver.search.auto_order import auto_order
from wavefold.solver.search.ladder import Ladder
from wavefold.solver.search.region import Region, RegionSolver, SoftMasks, SolverPool
from wavefold.tiles import Rules
from wavefold.topology.kinds import box, lattice_class

ROOM = 1 << 28  # bytes of the solvers that a thread keeps, of all maps
SHAPES = 256  # limit on their number: six neighbours, present or not, make 64 shapes of a grid
LADDER = Ladder(patience=16, repairs=24, repairs_per_cell=0.05, radius=3)
SCANS = ("scanline:northwest", "scanline:southeast", "scanline:northeast", "scanline:southwest")

Domains: TypeAlias = Mapping[Cell, NDArray[np.uint64]]
Weights: TypeAlias = Mapping[Cell, NDArray[np.float64]]
POOL: SolverPool[RegionSolver] = SolverPool(ROOM, SHAPES)
NOTHING: Mapping[Any, Any] = MappingProxyType({})


class CellRegion(NamedTuple):
    """Cells to solve and their given state: a `Region` by coordinates instead of numbers."""

    free: Collection[Cell]
    fixed: Mapping[Cell, int]  # the patterns around them, which do not change
    required: Domains = NOTHING  # free cells that must be one of these patterns
    preferred: Domains = NOTHING  # soft masks of free cells, applied in this order
    weights: Weights = NOTHING  # [pattern] of every free cell, if these differ
    previous: Mapping[Cell, int] = NOTHING  # the old patterns of free cells, which are preferred
    previous_weight: float = 1.0
    restore_first: bool = False


class CellAttempt(NamedTuple):
    """An `Attempt` by coordinates instead of numbers."""

    patterns: dict[Cell, int] | None  # of the free cells; None if none were found
    is_proof: bool = False  # a failure that proves that nothing fits
    at_root: bool = False  # a failure before any soft mask was applied or any cell decided
    conflict: Cell | None = None  # where it failed
    backtracks: int = 0
    reopened: int = 0  # cells that local repairs un-decided


def solve_cell_region(
    rules: Rules, region: CellRegion, seed: int, attempt: int = 0, without: int | None = None
) -> CellAttempt:
    """One attempt: an order of cells, a seed, and local repairs where the search gets stuck.

    without : a pattern that must not occur in a patchwork
    """
    cells = [*region.free, *region.fixed]
    layout = lay_out(cells)
    exists, numbers = layout.exists, layout.numbers
    shape = (rules.digest, without, *layout.key)
    order = Heuristics.of("entropy") if region.previous else order_for(rules, seed, attempt)
    solver = POOL.get(shape, lambda: RegionSolver(problem_on(rules, exists, without)))
    numbered = number_region(region, dict(zip(cells, numbers.tolist(), strict=True)), solver.problem)
    tried = solver.solve(numbered, order, mix(seed, attempt), LADDER)
    patterns = None
    if tried.patterns is not None:
        found = tried.patterns[numbers[: len(region.free)]].tolist()
        patterns = dict(zip(region.free, found, strict=True))
    conflict = cells[int(np.flatnonzero(numbers == tried.conflict)[0])] if tried.conflict >= 0 else None
    return CellAttempt(patterns, tried.is_proof, tried.at_root, conflict, tried.backtracks, tried.reopened)


class CellLayout(NamedTuple):
    """Cells in a rectangle just large enough for them."""

    exists: NDArray[np.bool_]  # [row, column]
    numbers: NDArray[np.int64]  # of the cells, in the order of a topology of this shape

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for equal shapes."""
        return self.exists.shape, np.packbits(self.exists).tobytes()


def lay_out(cells: list[Cell]) -> CellLayout:
    """Number the cells."""
    positions = np.array(cells, np.int64).reshape(-1, 2)
    positions -= positions.min(axis=0)
    width, height = (positions.max(axis=0) + 1).tolist()
    exists = np.zeros((height, width), bool)
    exists[positions[:, 1], positions[:, 0]] = True
    number = np.cumsum(exists.ravel()) - 1  # topologies number their cells row by row
    return CellLayout(exists, number[positions[:, 1] * width + positions[:, 0]])


def number_region(region: CellRegion, number_of: Mapping[Cell, int], problem: Problem) -> Region:
    """The same region by the numbers that its cells have in a problem."""

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


def problem_on(rules: Rules, exists: NDArray[np.bool_], without: int | None) -> Problem:
    """A problem on the cells of a rectangle [row, column] that exist."""
    height, width = exists.shape
    masks = None if without is None else np.arange(len(rules)) != without
    return Problem(rules, box(rules.topology, width, height, mask=exists), masks=masks)


def order_for(rules: Rules, seed: int, attempt: int) -> Heuristics:
    """Least entropy in every second attempt, if rows would show or it suits the rules; otherwise a scan."""
    first = "entropy" if lattice_class(rules.topology).rows_show else auto_order(rules)
    if attempt % 2 == 0 and first == "entropy":
        return Heuristics.of("entropy")
    return Heuristics.of(SCANS[(mix(seed, 0) + attempt) % len(SCANS)])
