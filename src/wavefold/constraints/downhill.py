"""Rivers that run downhill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import PropagatedConstraint, select_patterns
from wavefold.constraints.paths import MOST_DIRECTIONS, read_side_bits
from wavefold.errors import ConfigError
from wavefold.kernels.constants import DRAINED, NOWHERE
from wavefold.options.names import SidesLike, TileLike
from wavefold.solver import Problem
from wavefold.solver.propagators import Network, Propagator
from wavefold.tiles import TileSet


@dataclass(frozen=True, slots=True, eq=False)
class Downhill(PropagatedConstraint):
    """Require rivers to run downhill: from each cell, a way that never rises leads along the river to an end.

    An *end* is a cell with the river on only one side (a spring or a mouth), or a cell where the river leaves
    the map at its lowest side. Where rivers meet, and on plateaus, one way that does not rise is enough. So
    valleys without an end are forbidden.

    tile : all tiles of the river: a tile, a group or a list
    sides : the sockets through which the river passes; by default those that no other tile has

    Heights are those of the sides, from `levels` and `rises` of the tiles.
    """

    tile: TileLike
    sides: SidesLike | None = None

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """A network with two nodes per level: all sides of the river, and its lowest sides."""
        river, heights = self._read(problem)
        directions = problem.graph.neighbour.shape[1]
        levels = np.unique(heights)
        nodes = np.zeros((2 * levels.size, len(problem.rules)), np.uint32)
        for pattern in np.flatnonzero(river).tolist():
            shown = [side for side in range(directions) if river[pattern] >> side & 1]
            lowest = int(heights[pattern, shown].min())
            low = sum(1 << side for side in shown if heights[pattern, side] == lowest)
            node = 2 * int(np.searchsorted(levels, lowest))
            nodes[node, pattern] = river[pattern]
            nodes[node + 1, pattern] = low | ((len(shown) == 1) << directions)
        return (Network(patterns=river != 0, goal=DRAINED, sides=nodes),)

    def _read(self, problem: Problem) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Sides of the river, as bits, uint32 [pattern]; and heights of sides, int64 [pattern, side]."""
        if not isinstance(problem.tiles, TileSet):
            raise ConfigError("Downhill needs a tile set with sockets and levels, not bare rules")
        if problem.graph.neighbour.shape[1] >= MOST_DIRECTIONS:
            raise ConfigError(f"Downhill needs cells with fewer than {MOST_DIRECTIONS} sides")
        tiles = select_patterns(problem, self.tile)
        sides = self.sides
        if sides is None:
            shown: dict[bool, set[str]] = {True: set(), False: set()}
            for is_mine, pattern in zip(tiles.tolist(), problem.tiles.patterns, strict=True):
                shown[is_mine].update(str(each) for each in pattern.sockets or ())
            sides = shown[True] - shown[False]
            if not sides:
                raise ConfigError(
                    f"no socket of {self.tile!r} is unique to it; name all tiles of the river, or its "
                    "sockets with sides="
                )
        river = read_side_bits(problem, sides) * tiles
        heights = np.array([pattern.heights for pattern in problem.tiles.patterns], np.int64)
        return river.astype(np.uint32), heights

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Report the first cell without a way to an end that never rises."""
        river, heights = self._read(problem)
        neighbour, opposite = problem.graph.neighbour, problem.graph.opposite
        courses = {
            cell: [side for side in range(neighbour.shape[1]) if river[pattern] >> side & 1]
            for cell, pattern in enumerate(patterns.tolist())
            if river[pattern]
        }
        lowest = {
            cell: {side for side in sides if height[side] == min(height[each] for each in sides)}
            for cell, sides in courses.items()
            for height in [heights[patterns[cell]]]
        }
        drained = {
            cell
            for cell, sides in lowest.items()
            if len(courses[cell]) == 1 or any(neighbour[cell, side] == NOWHERE for side in sides)
        }
        line = sorted(drained)
        while line:
            cell = line.pop()
            for side in courses[cell]:
                other, facing = int(neighbour[cell, side]), int(opposite[side])
                if other not in drained and facing in lowest.get(other, ()):
                    drained.add(other)
                    line.append(other)
        stuck = sorted(set(courses) - drained)
        if not stuck:
            return []
        return [f"{self.message()}; from {problem.topology.describe(stuck[0])} every way rises again"]

    def message(self) -> str:
        """The constraint in words."""
        return f"{self.tile!r} must run downhill, or level, to an end"
