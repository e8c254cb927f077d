"""Propagators: rules about many cells that kernels apply during search and refining.

The method `propagators(problem)` of a constraint returns its propagators.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import pack_bits

PatternMask: TypeAlias = NDArray[np.bool_]  # [pattern]
CellMask: TypeAlias = NDArray[np.bool_]  # [cell]


@dataclass(frozen=True, eq=False, kw_only=True)
class Propagator:
    """A rule about the cells of an area that have one of the patterns; without an area, all cells."""

    patterns: PatternMask
    area: CellMask | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Restriction(Propagator):
    """Every cell of the area has one of the patterns. Applied to the domains before the search."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Tally(Propagator):
    """At least `least` and at most `most` cells have one of the patterns; None: no limit."""

    least: int = 0
    most: int | None = None

    def limits(self, patterns: NDArray[np.int64]) -> tuple[int, int, int]:
        """Return the lower limit, the number in a map [cell], and the upper limit."""
        counted = self.patterns[patterns] & self.cells(patterns.size)
        size = patterns.size
        return (
            min(self.least, size + 1),
            int(counted.sum()),
            size if self.most is None else min(self.most, size),
        )

    def cells(self, count: int) -> CellMask:
        """Return the mask of the counted cells, of `count` cells in all."""
        return np.ones(count, bool) if self.area is None else self.area


@dataclass(frozen=True, eq=False, kw_only=True)
class DistanceLimit(Propagator):
    """No cell with one of the patterns is within `distance` steps of a cell with one of `others`.

    others : None: the same patterns
    across : uint32 [cell] the sides, as bits, across which a single step counts; None: all sides
    """

    distance: int
    others: PatternMask | None = None
    across: NDArray[np.uint32] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class RunLimit(Propagator):
    """At most `most` cells in a line along each of these directions have one of the patterns.

    in_pairs : limit two lines side by side instead: only cells with such a cell beside them count
    """

    most: int
    directions: tuple[int, ...]
    in_pairs: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class TwinCells(Propagator):
    """A cell and its twin are images of each other; `patterns` are the patterns that have an image.

    twin : int32 [cell] -> cell
    image : int32 [pattern] -> pattern, or -1
    """

    twin: NDArray[np.int32]
    image: NDArray[np.int32]


@dataclass(frozen=True, eq=False, kw_only=True)
class AreaSize(Propagator):
    """Connected areas of the patterns have at least `least` and at most `most` cells.

    open_border : whether the map is part of a larger one, so that areas may continue beyond its border
    """

    least: int = 1
    most: int | None = None
    open_border: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Network(Propagator):
    """Cells with one of the patterns are nodes of a network, joined across some of their sides.

    goal : the condition on the network, one of `kernels.constants`: CONNECTED, REACHED, LOOPS, NO_LOOPS
    sides : uint32 [node, pattern] the sides, as bits, on which a node of a cell is joined. A pattern whose
        sides all meet has only node 0; a bridge has a node for each of its ways
    starts, start_patterns : with REACHED, the cells [cell] and patterns [pattern] to start from; None: all
    goals, goal_patterns : with REACHED, the cells and patterns that must be reached
    at_most : with REACHED, the largest number of steps; None: no limit
    """

    goal: int
    sides: NDArray[np.uint32]
    starts: CellMask | None = None
    goals: CellMask | None = None
    start_patterns: PatternMask | None = None
    goal_patterns: PatternMask | None = None
    at_most: int | None = None


def find_propagators(constraint: Any, problem: Any) -> tuple[Propagator, ...] | None:
    """Return the propagators of a constraint; None if it has only `prune`."""
    method = getattr(constraint, "propagators", None)
    return tuple(method(problem)) if callable(method) else None


def narrow_domains(domains: NDArray[np.uint64], propagators: Iterable[Propagator]) -> None:
    """Apply restrictions to domains [cell, word]."""
    for each in propagators:
        if isinstance(each, Restriction):
            inside = slice(None) if each.area is None else each.area
            domains[inside] &= pack_bits(each.patterns)
