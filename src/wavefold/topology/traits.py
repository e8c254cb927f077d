"""The traits of a kind of lattice: steps, sides, distances and typical sizes."""

from __future__ import annotations

from functools import cache, reduce
from math import prod
from operator import add
from typing import ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.options.values import MaskLike, Wraps
from wavefold.topology.base import Topology, check_corner

MOST_CELLS = 2**31 - 1  # numbers of cells have 32 bits


class TypicalSizes(NamedTuple):
    """Sizes of maps for which no size is given, in cells across unless stated otherwise."""

    race: tuple[int, ...]  # arguments of the class: a map on which order="auto" compares orders
    preview: tuple[int, ...]  # arguments of the class: a map to show the tiles
    trials: tuple[int, ...]  # maps that an audit solves, smallest first
    surroundings: int  # a map around a single pattern, to test whether it can be surrounded
    refuted: int  # the largest open map that an audit tries to prove impossible
    window: int  # a part of a finished map that is solved again
    safe_window: int  # the window that an audit recommends if all sizes had failures
    repeated: tuple[int, ...]  # cells along each axis of a picture of a small map, repeated


Lengths = TypeVar("Lengths", int, NDArray[np.int64])

PLANAR_SIZES = TypicalSizes((32, 32), (12, 8), (16, 32, 64), 5, 8, 14, 8, (16, 8))


def make_steps(*steps: tuple[int, ...]) -> NDArray[np.int32]:
    """Make the array `steps` [direction, axis] of a class, read-only."""
    array = np.array(steps, np.int32)
    array.flags.writeable = False
    return array


class LatticeTraits(Topology):
    """The class attributes and class methods of `Lattice`, with the defaults of squares."""

    kind: ClassVar[str]  # here, not only as properties, so that type checkers let subclasses assign them
    directions: tuple[str, ...]
    steps: ClassVar[NDArray[np.int32]]  # [direction, axis]: the step to the neighbour
    axes: ClassVar[tuple[str, ...]]  # names of the axes, in the order of coordinates
    axis_letters: ClassVar[tuple[str, ...]]  # one letter per axis, for tables
    turning_sides: ClassVar[int] = 4  # sides 0 … n - 1 rotate with a tile; others (up, down) stay
    mirror_axis: ClassVar[int] = 0  # mirroring moves side s to (mirror_axis - s) % turning_sides
    # For cells that point several ways, such as triangles: the sides of each way. The cell at (x, y) points
    # the way (x + y) % len(side_sets). Tiles are drawn for way 0.
    side_sets: ClassVar[tuple[tuple[int, ...], ...]] = ()
    rectangular_cells: ClassVar[bool] = True  # whether the picture of a cell fills its rectangle
    rows_show: ClassVar[bool] = False  # whether solving row by row leaves visible streaks
    sizes: ClassVar[TypicalSizes] = PLANAR_SIZES

    @classmethod
    def box(cls, *sizes: int, wraps: Wraps = False, mask: MaskLike | None = None) -> Self:
        """Make a grid with coordinates from 0 to size - 1 on every axis. Only such grids can wrap."""
        return cls(*sizes, wraps=wraps, mask=mask)  # type: ignore[call-arg]

    @classmethod
    def of_size(cls, *sizes: int, wraps: Wraps = False) -> Self:
        """Make a grid of this size, such as 64 x 48, with straight edges when drawn."""
        return cls.box(*sizes, wraps=wraps)

    @classmethod
    def of_width(cls, width: int) -> Self:
        """Make an open grid about `width` cells across in every direction."""
        return cls.box(*(width for _ in cls.axes))

    @classmethod
    def of_radius(cls, radius: int, wraps: Wraps = False) -> Self:
        """Make a grid of all cells at most `radius` steps from the origin; only for hexagons."""
        raise ConfigError(f"{cls.kind} cells have no radius; use size")

    @classmethod
    def containing(cls, coordinates: NDArray[np.int64], most_cells: int = MOST_CELLS) -> Self:
        """Make the simplest grid of exactly these cells [cell, axis], with a mask only if needed.

        Raises ConfigError if its bounding box has more than `most_cells`.
        """
        sizes = (coordinates.max(axis=0) + 1).tolist()
        if prod(sizes) > most_cells:
            raise ConfigError(
                f"the bounding box of the map has {prod(sizes):,} cells; at most {most_cells:,} fit"
            )
        mask = np.zeros(sizes[::-1], np.bool_)
        mask[tuple(coordinates.T[::-1])] = True
        return cls.box(*sizes) if mask.all() else cls.box(*sizes, mask=mask)

    @classmethod
    def distance(cls, *offset: int) -> int:
        """The number of steps from a cell to the cell at this offset, on a grid without gaps."""
        return sum(map(abs, offset))

    @classmethod
    def squared_length(cls, *offset: Lengths) -> Lengths:
        """The squared distance in a straight line, for integers or arrays of them; a step has length 1.

        If cells point several ways, only the order of the results must be right.
        """
        squared: Lengths = reduce(add, (each * each for each in offset))
        return squared

    @classmethod
    def drawn_sides(cls) -> tuple[int, ...]:
        """The sides of a tile as drawn."""
        return cls.side_sets[0] if cls.side_sets else tuple(range(len(cls.steps)))

    @classmethod
    @cache
    def opposite_sides(cls) -> tuple[int, ...]:
        """[side] -> the side of the neighbour that faces it."""
        leads_back = (cls.steps[:, None] + cls.steps[None] == 0).all(axis=2)
        for way, sides in enumerate(cls.side_sets):
            for side in sides:  # keep those that the neighbour has
                there = cls.side_sets[(way + int(cls.steps[side].sum())) % len(cls.side_sets)]
                leads_back[side] &= np.isin(np.arange(len(cls.steps)), there)
        return tuple(leads_back.argmax(axis=1).tolist())

    @classmethod
    def sides_before(cls, corner: str) -> tuple[int, ...]:
        """The sides towards cells that come earlier when rows are scanned from this corner.

        They are listed clockwise, up and down last. Layers are always scanned from the bottom up.
        """
        check_corner(corner)
        down, right = (1 if "north" in corner else -1), (1 if "west" in corner else -1)
        ahead = [(*step[:1:-1], down * step[1], right * step[0]) for step in cls.steps.tolist()]
        before = {side for side, step in enumerate(ahead) if step < (0,) * len(step)}
        round_ = [side for side in range(cls.turning_sides) if side in before]
        start = next((side for side in round_ if (side - 1) % cls.turning_sides not in before), 0)
        first = round_.index(start) if round_ else 0
        return (*round_[first:], *round_[:first], *sorted(before - set(round_)))

    @classmethod
    def neighbours_touch(cls) -> bool:
        """Whether neighbours of a cell on adjacent sides touch each other, as for hexagons."""
        between = cls.steps[1] - cls.steps[0]
        return bool((cls.steps == between).all(axis=1).any())
