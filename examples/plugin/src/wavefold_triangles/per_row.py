"""A constraint: at most so many of a tile in each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import wavefold as wf
from wavefold.topology import Lattice


@dataclass(frozen=True, slots=True)
class PerRow(wf.Constraint):
    """Place `tile` at most `at_most` times in each row of a grid.

    >>> PerRow("pond", at_most=2)
    """

    tile: Any
    at_most: int = 1

    def __post_init__(self) -> None:
        if type(self.at_most) is not int or self.at_most < 0:
            raise wf.ConfigError(f"at_most must be a whole number of at least 0, not {self.at_most!r}")

    def prune(self, view: wf.WaveView) -> None:
        """Remove the tile where a row has enough, and from surplus cells, so that the search goes back."""
        mine, rows = view.patterns(self.tile), rows_of(view.topology)
        possible = view.possible[:, mine].any(axis=1)
        certain = possible & ~np.delete(view.possible, mine, axis=1).any(axis=1)
        for row in np.unique(rows):
            sure = np.flatnonzero(certain & (rows == row))
            if len(sure) >= self.at_most:
                surplus = sure[self.at_most :]
                for cell in surplus if len(surplus) else np.flatnonzero(possible & ~certain & (rows == row)):
                    view.remove(int(cell), mine)

    def violations(self, problem: wf.Problem, patterns: NDArray[np.int64]) -> list[str]:
        """A sentence for each row that has too many."""
        rows = rows_of(problem.topology)[np.isin(patterns, problem.patterns_named(self.tile))]
        found = zip(*np.unique(rows, return_counts=True), strict=True)
        return [
            f"{self.message()}; row {row} has it {count} times"
            for row, count in found
            if count > self.at_most
        ]

    def message(self) -> str:
        """What is required."""
        return f"{self.tile!r} must appear at most {self.at_most} time{'s' * (self.at_most != 1)} in each row"


def rows_of(topology: wf.Topology) -> NDArray[np.int32]:
    """[cell] the row of each cell."""
    if not isinstance(topology, Lattice):
        raise wf.ConfigError("per_row is for grids: the cells of a graph have no rows")
    return topology.coordinates[:, 1]
