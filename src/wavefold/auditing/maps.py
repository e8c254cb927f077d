"""Maps to try a tile set on: of its own shape, as large as wanted, joined at the edges or not."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from wavefold.errors import Contradiction, OutOfBudget
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.tiles import TileSet
from wavefold.topology import CubeGrid, HexGrid, SquareGrid

IMPOSSIBLE, UNKNOWN = "impossible", "unknown"
Grid: TypeAlias = SquareGrid | HexGrid | CubeGrid


def grid_of(topology: str, side: int) -> Grid:
    """An open map about `side` cells across."""
    if topology == "hex":
        return HexGrid(radius=side // 2)
    return SquareGrid(side, side) if topology == "square" else CubeGrid(side, side, side)


def torus_of(topology: str, across: int, down: int, layers: int = 1) -> Grid:
    """A map whose opposite edges touch: repeated, it fills the plane."""
    if topology == "hex":
        return HexGrid.rhombus(across, down, wraps=True)
    if topology == "square":
        return SquareGrid(across, down, wraps=True)
    return CubeGrid(across, down, layers, wraps=True)


def middle_of(topology: Grid) -> int:
    """The cell farthest from any edge."""
    coordinates = np.array(topology.coordinates, np.float64)
    middle = (coordinates.min(axis=0) + coordinates.max(axis=0)) / 2
    return int(((coordinates - middle) ** 2).sum(axis=1).argmin())


def plane_problem(tiles: TileSet, topology: Grid) -> Problem:
    """A problem inside an endless plane, which has no bottom: a learned ground has no place in it."""
    ground = getattr(tiles, "ground_pattern", None)
    if ground is None:
        return Problem(tiles, topology)
    return Problem(tiles.rules, topology, masks=np.arange(len(tiles)) != ground)


def attempt(
    problem: Problem, seed: int, decisions: int, order: str, search: str, ms: float | None = None
) -> Solution | str:
    """A solution, or why there is none: proved impossible, or not known within these limits."""
    try:
        return Solver(problem, seed, order, search=search).run(Budget(ms, decisions))
    except Contradiction:
        return IMPOSSIBLE
    except OutOfBudget:
        return UNKNOWN
