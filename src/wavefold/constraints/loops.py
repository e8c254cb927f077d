"""Paths that consist of cycles, and paths without cycles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import PropagatedConstraint
from wavefold.constraints.paths import Node, PathCells, describe_path, read_paths
from wavefold.kernels.constants import LOOPS, NO_LOOPS
from wavefold.options.names import SidesLike, TileLike
from wavefold.solver import Problem
from wavefold.solver.propagators import Network, Propagator, Restriction


@dataclass(frozen=True, slots=True, eq=False)
class Loop(PropagatedConstraint):
    """Require each cell of a path to be on a cycle, a closed way that uses no side twice.

    tiles, sides : the path, as for `Connected`
    """

    tiles: TileLike | None = None
    sides: SidesLike | None = None

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A network, and a restriction that excludes patterns with a single side on the path."""
        paths = read_paths(problem, self.tiles, self.sides)
        is_end = ((paths.node_sides != 0) & (paths.node_sides & (paths.node_sides - 1) == 0)).any(axis=0)
        loops = Network(patterns=paths.patterns, goal=LOOPS, sides=paths.node_sides)
        return loops, Restriction(patterns=~is_end)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first cell that is not on a cycle."""
        path = PathCells.of(problem, patterns, self.tiles, self.sides)
        on_cycles = find_cycles(path)
        for cell in sorted(path.cells):
            if any((cell, node) not in on_cycles for node, _ in path.nodes(cell)):
                return [f"{self.message()}; {problem.topology.describe(cell)} is on none"]
        return []

    def message(self) -> str:
        """The constraint in words."""
        return f"every cell of {describe_path(self.tiles, self.sides)} must be on a cycle"


@dataclass(frozen=True, slots=True, eq=False)
class Acyclic(PropagatedConstraint):
    """Forbid cycles in a path.

    tiles, sides : the path, as for `Connected`
    """

    tiles: TileLike | None = None
    sides: SidesLike | None = None

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A network without cycles."""
        paths = read_paths(problem, self.tiles, self.sides)
        return (Network(patterns=paths.patterns, goal=NO_LOOPS, sides=paths.node_sides),)

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first cell of a cycle."""
        on_cycles = find_cycles(PathCells.of(problem, patterns, self.tiles, self.sides))
        if not on_cycles:
            return []
        return [f"{self.message()}; {problem.topology.describe(min(on_cycles)[0])} is on one"]

    def message(self) -> str:
        """The constraint in words."""
        return f"{describe_path(self.tiles, self.sides)} must have no cycle"


def find_cycles(path: PathCells) -> set[Node]:
    """Find all nodes on cycles by chain decomposition, from each side that closes a cycle along a tree."""
    order: dict[Node, int] = {}
    parent: dict[Node, Node] = {}
    used: set[tuple[Node, int]] = set()  # (node, side) of the edges of the tree, at both ends
    for root in path.all_nodes():
        line: list[tuple[Node, Node | None, tuple[tuple[Node, int], ...]]] = [(root, None, ())]
        while line:
            here, before, sides = line.pop()
            if here in order:
                continue
            order[here] = len(order)
            if before is not None:
                parent[here] = before
                used.update(sides)
            for side, other, facing in path.ways(*here):
                if other not in order:
                    line.append((other, here, ((here, side), (other, facing))))
    found: set[Node] = set()
    for start in sorted(order, key=order.__getitem__):
        for side, other, _ in path.ways(*start):
            if (start, side) in used or order[other] < order[start]:
                continue
            found.add(start)
            here = other
            while here not in found:
                found.add(here)
                here = parent[here]
    return found
