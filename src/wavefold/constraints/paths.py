"""Paths: cells with some patterns, joined on some of their sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.areas import read_area
from wavefold.constraints.base import CellFlags, select_patterns
from wavefold.errors import ConfigError, suggest
from wavefold.kernels.constants import NOWHERE
from wavefold.solver import Problem
from wavefold.solver.constraint import Variables
from wavefold.tiles import TileSet
from wavefold.tiles.neighbour_rules import find_side

Node: TypeAlias = tuple[int, int]  # (cell, index of the node in the cell)

MOST_DIRECTIONS = 30  # sides are bits of 32-bit numbers


class Paths(NamedTuple):
    """The patterns of a path.

    patterns : bool [pattern]
    node_sides : uint32 [node, pattern]: the sides of each node of a pattern, as bits
    """

    patterns: NDArray[np.bool_]
    node_sides: NDArray[np.uint32]


def read_paths(problem: Problem, tiles: Any, sides: Any) -> Paths:
    """Read a path defined by tiles, by sides, or by both: tiles that are joined only on these sides."""
    if tiles is None and sides is None:
        raise ConfigError("a path needs tiles= (joined where they touch) or sides= (joined by sockets)")
    directions = problem.graph.neighbour.shape[1]
    if directions > MOST_DIRECTIONS:
        raise ConfigError(f"paths support at most {MOST_DIRECTIONS} directions; this graph has {directions}")
    patterns = np.ones(len(problem.rules), bool) if tiles is None else select_patterns(problem, tiles)
    if sides is None:
        joined = np.where(patterns, np.uint32((1 << directions) - 1), np.uint32(0))
    else:
        joined = (read_side_bits(problem, sides) * patterns).astype(np.uint32)
    return Paths(joined != 0, split_nodes(problem, joined))


def split_nodes(problem: Problem, joined: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """uint32 [node, pattern]: the sides of each node, as bits. Sides that are joined inside share a node."""
    nodes = [[int(each)] for each in joined]
    if isinstance(problem.tiles, TileSet):
        for index, pattern in enumerate(problem.tiles.patterns):
            if pattern.meets:
                alone = [1 << side for side in range(MOST_DIRECTIONS) if not sum(pattern.meets) >> side & 1]
                groups = [int(joined[index]) & group for group in (*pattern.meets, *alone)]
                nodes[index] = [group for group in groups if group]
    most = max(map(len, nodes))
    return np.array([each + [0] * (most - len(each)) for each in nodes], np.uint32).T.copy()


def read_side_bits(problem: Problem, sides: Any) -> NDArray[np.uint32]:
    """uint32 [pattern]: the sides with one of these sockets, or the listed sides, as bits."""
    if isinstance(sides, Mapping):
        return read_listed_bits(problem, sides)
    if not isinstance(problem.tiles, TileSet):
        raise ConfigError("sides= needs a tile set with sockets; use tiles= for bare rules")
    if not isinstance(sides, str | list | tuple | set | frozenset) or not all(
        isinstance(each, str) for each in sides
    ):
        raise ConfigError(f"sides must be sockets such as 'road' or ['road', 'path'], not {sides!r}")
    if not sides:
        raise ConfigError("a path needs at least one side, not an empty list")
    wanted = {sides} if isinstance(sides, str) else set(sides)
    table = problem.tiles.patterns
    known = {str(socket) for pattern in table for socket in pattern.sockets or ()}
    for name in sorted(wanted - known):
        raise ConfigError(f"no tile has a side {name!r}; {suggest(name, sorted(known))}")
    shown = [[str(socket) in wanted for socket in pattern.sockets or ()] for pattern in table]
    bits = [sum(1 << side for side, is_path in enumerate(row) if is_path) for row in shown]
    return np.array(bits, np.uint32)


def read_listed_bits(problem: Problem, sides: Mapping[Any, Any]) -> NDArray[np.uint32]:
    """uint32 [pattern]: sides that are listed by tile, {"bend": ("north", "east")}, as bits."""
    bits = np.zeros(len(problem.rules), np.uint32)
    for name, listed in sides.items():
        if not isinstance(listed, str | list | tuple | set | frozenset):
            raise ConfigError(f"the sides of {name!r} must be a list such as ('north',), not {listed!r}")
        for word in [listed] if isinstance(listed, str) else listed:
            side = find_side(word, problem.topology.directions)
            bits[problem.patterns_named(name)] |= np.uint32(1 << side)
    return bits


@dataclass(frozen=True)
class PathCells:
    """The path in a finished map.

    cells : {cell: (sides of each node, ...)}, sides as bits
    """

    cells: dict[int, tuple[int, ...]]
    neighbour: NDArray[np.int32]
    opposite: NDArray[np.int32]

    @classmethod
    def of(
        cls, problem: Problem, patterns: NDArray[np.int64], tiles: Any, sides: Any, area: Any = None
    ) -> PathCells:
        """Find the path in a map [cell]."""
        node_sides = read_paths(problem, tiles, sides).node_sides
        inside = np.ones(problem.cell_count, bool) if area is None else read_area(problem, area)
        cells = {}
        for cell in np.flatnonzero(inside).tolist():
            nodes = tuple(int(each) for each in node_sides[:, patterns[cell]])
            if any(nodes):
                cells[cell] = nodes
        return cls(cells, problem.graph.neighbour, problem.graph.opposite)

    def nodes(self, cell: int) -> list[tuple[int, int]]:
        """The nodes of a cell, as (node, sides)."""
        return [(node, sides) for node, sides in enumerate(self.cells.get(cell, ())) if sides]

    def all_nodes(self) -> list[Node]:
        """Every node, in order."""
        return [(cell, node) for cell in sorted(self.cells) for node, _ in self.nodes(cell)]

    def ways(self, cell: int, node: int) -> list[tuple[int, Node, int]]:
        """The edges of a node, as (side, other node, side of the other node)."""
        found = []
        for direction in range(self.neighbour.shape[1]):
            other = int(self.neighbour[cell, direction])
            if not self.cells[cell][node] >> direction & 1 or other not in self.cells:
                continue
            facing = int(self.opposite[direction])
            nodes = [each for each, sides in self.nodes(other) if sides >> facing & 1]
            found += [(direction, (other, each), facing) for each in nodes]
        return found

    def list_joined(self, cell: int, node: int) -> list[Node]:
        """The nodes that a node is joined with."""
        return [other for _, other, _ in self.ways(cell, node)]


def find_pieces(path: PathCells) -> list[set[Node]]:
    """The connected pieces of a path, sorted by their first node."""
    left = set(path.all_nodes())
    pieces = []
    while left:
        start = min(left)
        piece, line = {start}, [start]
        while line:
            for other in path.list_joined(*line.pop()):
                if other not in piece:
                    piece.add(other)
                    line.append(other)
        left -= piece
        pieces.append(piece)
    return pieces


def describe_path(tiles: Any, sides: Any) -> str:
    """Describe a path, for messages."""
    return f"{tiles!r}" if sides is None else f"sides {sides!r}"


# --- cuts for SAT solvers ---------------------------------------------------------------------------


class PathCuts:
    """Cuts that exclude the pieces of a path that a SAT solver found.

    Encoding in advance that a path is in one piece would take more clauses than the rest of the problem.
    Instead, the SAT solver finds a map; if its path has several pieces, clauses are added that all valid maps
    satisfy, and the search is repeated. Variables for nodes and ways are created on first use.

    node_sides : uint32 [node, pattern], as in `Paths`
    inside : bool [cell]: the area of the path
    """

    def __init__(
        self, problem: Problem, node_sides: NDArray[np.uint32], inside: NDArray[np.bool_], variable: Variables
    ) -> None:
        self._problem, self._node_sides = problem, node_sides
        self._inside, self._variable = inside, variable
        self._flags: dict[Any, int] = {}
        self.clauses: list[list[int]] = []  # definitions of the variables, and the cuts

    def cut_off(self, piece: set[Node], start: Node, goal: Node) -> None:
        """Add a clause: if both nodes exist, a way leads out of the piece with `start`, towards `goal`."""
        ways = [self._flag_way(*way) for way in self._list_ways(piece)]
        self.clauses.append([-self._flag_node(start), -self._flag_node(goal), *ways])

    def _list_ways(self, piece: set[Node]) -> Iterator[tuple[Node, int, Node]]:
        """Yield all ways from a node of a piece to a node outside, as (node, direction, node)."""
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
        """Make a variable that is true only if both nodes are joined there."""
        back = int(self._problem.graph.opposite[direction])
        ends = self._flag_side(here, direction), self._flag_side(there, back)
        flag: int = self._variable.new()
        self.clauses += [[-flag, end] for end in ends]
        return flag
