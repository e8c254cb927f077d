"""Paths for a SAT solver: clauses that rule out what is wrong with the map it found.

To write down beforehand that a path is in one piece takes more clauses than all else together. So the SAT
solver finds a map; if that has several pieces, it gets a clause that every right map satisfies; and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import CellFlags
from wavefold.constraints.paths import Node
from wavefold.kernels.constants import NOWHERE
from wavefold.solver import Problem


class PathCuts:
    """Variables about the nodes of a path and the ways between them, made when first used.

    node_sides : uint32 [node, pattern] as in `Paths`
    inside : bool [cell] where the path is looked at
    """

    def __init__(
        self, problem: Problem, node_sides: NDArray[np.uint32], inside: NDArray[np.bool_], variable: Any
    ) -> None:
        self._problem, self._node_sides = problem, node_sides
        self._inside, self._variable = inside, variable
        self._flags: dict[Any, int] = {}
        self.clauses: list[list[int]] = []  # what the variables mean, and the cuts

    def cut_off(self, piece: set[Node], start: Node, goal: Node) -> None:
        """If both nodes are there, some way leads out of the piece around `start`; `goal` is outside."""
        ways = [self._flag_way(*way) for way in self._list_ways(piece)]
        self.clauses.append([-self._flag_node(start), -self._flag_node(goal), *ways])

    def _list_ways(self, piece: set[Node]) -> Iterator[tuple[Node, int, Node]]:
        """All ways from a node of a piece to one outside, as (node, direction, node)."""
        neighbour, nodes = self._problem.graph.neighbour, len(self._node_sides)
        for cell, node in sorted(piece):
            for direction, other in enumerate(neighbour[cell].tolist()):
                if other != NOWHERE and self._inside[other]:
                    for each in range(nodes):
                        if (other, each) not in piece:
                            yield (cell, node), direction, (other, each)

    def _flag_node(self, node: Node) -> int:
        return self._flag(node, self._node_sides[node[1]] != 0)

    def _flag_side(self, node: Node, direction: int) -> int:
        return self._flag((node, direction), self._node_sides[node[1]] >> direction & 1 != 0, node[0])

    def _flag(self, key: Any, patterns: NDArray[np.bool_], cell: int | None = None) -> int:
        if key not in self._flags:
            where = key[0] if cell is None else cell
            made = CellFlags(self._variable, patterns, [where])
            self.clauses += made.clauses
            self._flags[key] = made[where]
        return self._flags[key]

    def _flag_way(self, here: Node, direction: int, there: Node) -> int:
        """True only if both nodes are joined there."""
        back = int(self._problem.graph.opposite[direction])
        ends = self._flag_side(here, direction), self._flag_side(there, back)
        flag: int = self._variable.new()
        self.clauses += [[-flag, end] for end in ends]
        return flag
