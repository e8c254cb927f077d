"""Ways along a path from starts to goals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import PropagatedConstraint, check_number, select_cells, select_patterns
from wavefold.constraints.paths import PathCells, describe_path, read_paths
from wavefold.errors import ConfigError, TileSetError
from wavefold.kernels.constants import REACHED
from wavefold.options.names import SidesLike, TileLike
from wavefold.solver import Problem
from wavefold.solver.propagators import Network, Propagator, Restriction


@dataclass(frozen=True, slots=True, eq=False)
class Reach(PropagatedConstraint):
    """Require a way along a path from each start to each goal, in at most `at_most` steps.

    start, goal : a cell, a list of cells, or tiles: all cells with one of them. In a map without the tile,
        there is nothing to reach; use `Count` to require the tile
    tiles : the path consists of cells with these tiles, and of starts and goals, joined where they touch
    sides : the path consists of cells with these sockets, joined where two such sides face each other; as for
        `Connected`
    """

    start: TileLike  # or cells
    goal: TileLike
    at_most: int | None = None
    tiles: TileLike | None = None
    sides: SidesLike | None = None

    def __post_init__(self) -> None:
        if self.at_most is not None:
            check_number("at_most", self.at_most, 0)

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A network that joins starts and goals; if both are cells, also a restriction to the path."""
        start, goal = self._find(problem, self.start), self._find(problem, self.goal)
        paths = read_paths(problem, self._tiles(start, goal), self.sides)
        for end, name in ((start, self.start), (goal, self.goal)):
            if end.patterns is not None and (end.patterns & ~paths.patterns).any():
                raise ConfigError(f"{name!r} is not part of the path; it has no side {self.sides!r}")
        network = Network(
            patterns=paths.patterns,
            goal=REACHED,
            sides=paths.node_sides,
            starts=start.cells,
            goals=goal.cells,
            start_patterns=start.patterns,
            goal_patterns=goal.patterns,
            at_most=self.at_most,
        )
        if start.cells is None or goal.cells is None:
            return (network,)
        return network, Restriction(patterns=paths.patterns, area=start.cells | goal.cells)

    def _tiles(self, *ends: Ends) -> Any:
        """The tiles of the path, including starts and goals; None if it is defined by sides."""
        if self.tiles is None:
            return None
        named = [each.names for each in ends if each.patterns is not None]
        return [*to_list(self.tiles), *(name for names in named for name in names)]

    def _find(self, problem: Problem, end: Any) -> Ends:
        """The cells or patterns of a start or goal."""
        names = to_list(end)
        if names and all(isinstance(each, str) for each in names):
            try:
                return Ends(None, select_patterns(problem, names), names)
            except TileSetError:
                if not problem.topology.has_named_cells:
                    raise
        is_cell = isinstance(end, tuple) and not any(isinstance(each, tuple | list) for each in end)
        if is_cell or not isinstance(end, list | tuple | set | frozenset):
            return Ends(np.arange(problem.cell_count) == problem.cell(end), None, names)
        return Ends(select_cells(problem, names, "a start or goal"), None, names)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first goal that is not reached."""
        start, goal = self._find(problem, self.start), self._find(problem, self.goal)
        path = PathCells.of(problem, patterns, self._tiles(start, goal), self.sides)
        starts, goals = start.locate(patterns), goal.locate(patterns)
        for cell in [*starts, *goals]:
            if cell not in path.cells and (starts and goals):
                return [f"{self.message()}; {problem.topology.describe(cell)} is not on the path"]
        for node in [(cell, node) for cell in starts for node, _ in path.nodes(cell)]:
            steps = count_steps(path, node)
            for there in [(cell, node) for cell in goals for node, _ in path.nodes(cell)]:
                if there not in steps or (self.at_most is not None and steps[there] > self.at_most):
                    ends = [problem.topology.describe(cell) for cell, _ in (node, there)]
                    far = f"takes {steps[there]} steps" if there in steps else "is not possible"
                    return [f"{self.message()}; the way from {ends[0]} to {ends[1]} {far}"]
        return []

    def message(self) -> str:
        """The constraint in words."""
        steps = "" if self.at_most is None else f" in at most {self.at_most} steps"
        what = describe_path(self.tiles, self.sides)
        return f"{self.goal!r} must be reached from {self.start!r} along {what}{steps}"


@dataclass(frozen=True, eq=False)
class Ends:
    """Starts or goals: either bool [cell], or bool [pattern] and the names of the tiles."""

    cells: NDArray[np.bool_] | None
    patterns: NDArray[np.bool_] | None
    names: list[Any]

    def locate(self, patterns: NDArray[np.int64]) -> list[int]:
        """The cells in a finished map [cell]."""
        found = self.cells if self.patterns is None else self.patterns[patterns]
        return [] if found is None else np.flatnonzero(found).tolist()


def to_list(names: Any) -> list[Any]:
    """Return one name or several as a list."""
    return list(names) if isinstance(names, list | tuple | set | frozenset) else [names]


def count_steps(path: PathCells, start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """{(cell, node): steps} from a node to all nodes joined with it."""
    steps, line = {start: 0}, [start]
    for here in line:
        for other in path.list_joined(*here):
            if other not in steps:
                steps[other] = steps[here] + 1
                line.append(other)
    return steps
