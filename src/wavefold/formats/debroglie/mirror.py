"""Mirror symmetric maps in which tiles are exchanged by a configured mapping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.solver import Constraint, Problem, WaveView

AXES = {"x": -1, "y": -2}  # of the array of a map: which one is exchanged


@dataclass(frozen=True, eq=False)
class MirrorTiles(Constraint):
    """The map equals its mirror image along an axis: x exchanges left and right, y top and bottom.

    Unlike `wavefold.constraints.Mirror` it is about tiles, not patterns: it also holds for learned windows,
    and for tiles that are replaced by others in the mirror.

    tile_of : [pattern] the number of its tile
    image : [tile] the number of its mirror image, or -1
    """

    axis: str
    tile_of: NDArray[np.int64]
    image: NDArray[np.int64]

    def twins(self, problem: Problem) -> NDArray[np.int64]:
        """[cell] the cell that it is exchanged with."""
        topology = problem.topology
        numbers = topology.to_array(np.arange(topology.cell_count), missing=-1)
        moved = np.flip(numbers, AXES[self.axis])
        if ((numbers < 0) != (moved < 0)).any():
            raise ConfigError(f"{topology!r} mirrored along {self.axis} has other cells")
        twins = np.empty(topology.cell_count, np.int64)
        twins[numbers[numbers >= 0]] = moved[numbers >= 0]
        return twins

    def prune(self, view: WaveView) -> None:
        """Remove the tiles whose images are impossible at their twin."""
        possible, twins = view.possible, self.twins(view.problem)
        members = np.eye(len(self.image), dtype=np.float32)[self.tile_of]  # [pattern, tile]
        has_tile = possible.astype(np.float32) @ members > 0
        allowed = has_tile[twins][:, self.image] & (self.image >= 0)
        alone = twins == np.arange(len(twins))
        allowed[alone] &= self.image == np.arange(len(self.image))
        gone = possible & ~allowed[:, self.tile_of]
        for cell in np.flatnonzero(gone.any(axis=1)).tolist():
            view.remove(cell, np.flatnonzero(gone[cell]))

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """A sentence if a cell is not the image of its twin."""
        found = self.tile_of[patterns]
        wrong = np.flatnonzero(found[self.twins(problem)] != self.image[found])
        return [f"{self.message()}; not at {problem.topology.describe(int(wrong[0]))}"] if wrong.size else []

    def message(self) -> str:
        """The constraint as a sentence."""
        return f"the map mirrored along {self.axis} must be the same map"

    def clauses(self, problem: Problem, variable: Any) -> Iterator[list[int]]:
        """For each tile of a cell, its twin has an image of it."""
        for cell, twin in enumerate(self.twins(problem).tolist()):
            for pattern, tile in enumerate(self.tile_of.tolist()):
                images = np.flatnonzero(self.tile_of == self.image[tile]).tolist()
                yield [-variable(cell, pattern), *(variable(twin, each) for each in images)]
