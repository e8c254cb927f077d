"""Find straight lines, edges and diagonals in maps, and compare the longest with chance.

A *line* goes straight through cells, such as a river, road or wall. With sockets, these are tiles of which
two opposite sides have the same socket, but not all sides. Without sockets, a line is a row of cells of one
kind with other kinds on both sides. An *edge* is a straight part of the border of an area: a row of cells of
one kind, each beside a cell of the same other kind. A *diagonal* is a row of cells of one kind that touch
only at corners.

By chance, a run would continue with the same probability at each cell. Then lengths have a geometric
distribution, of which the expected maximum is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.tiles import Rules, TileSet
from wavefold.tiles.tile import flip_socket
from wavefold.topology import get_lattice_class
from wavefold.topology.traits import LatticeTraits

LINE, EDGE, DIAGONAL = "lines", "edges", "diagonals"
NOTHING = -1
EULER = 0.5772156649015329  # Euler's constant

Codes = NDArray[np.int64]  # in the shape of a map's array; NOTHING in cells without the feature
Step = tuple[int, ...]  # (x, y) or (x, y, z)


class Trace(NamedTuple):
    """A kind of feature in one direction: equal codes in a row along the step are a run."""

    kind: str
    axis: int  # index into the axes or diagonals
    step: Step
    codes: Codes
    names: tuple[str, ...]  # [code]; empty except for lines


class Runs(NamedTuple):
    """Straight runs of equal codes."""

    start: NDArray[np.int64]  # index of the first cell in the flattened array
    code: NDArray[np.int64]
    length: NDArray[np.int64]  # cells


class PatternLabels:
    """The kinds of patterns, and the lines through them.

    kind_of : int [pattern] -> kind: variants of a tile have one kind; in learned sets, patterns of one value
    detail_of : int [pattern] like `kind_of`, but the pattern itself in learned sets
    names : [kind]
    """

    def __init__(self, tiles: TileSet | Rules, topology: str | None = None) -> None:
        self.tiles = tiles
        self.rules = tiles.rules if isinstance(tiles, TileSet) else tiles
        self.topology = topology or self.rules.topology  # bare rules may fit any topology
        self.grid: type[LatticeTraits] = get_lattice_class(self.topology)
        classes = np.stack([relation.class_of for relation in self.rules.relations], axis=1)
        self._role_of = np.unique(classes, axis=0, return_inverse=True)[1].reshape(-1)
        kinds: list[Any] = list(self.rules.values or map(self._family, range(len(self.rules))))
        number = {kind: index for index, kind in enumerate(dict.fromkeys(kinds))}
        self.kind_of = np.array([number[kind] for kind in kinds], np.int64)
        self.detail_of = self.kind_of if self.rules.values is None else np.arange(len(self.rules))
        named = self.rules.names if self.rules.values is None else map(str, self.rules.values)
        first = dict(reversed([*zip(kinds, named, strict=True)]))
        self.names = tuple(first[kind] for kind in number)

    def _family(self, pattern: int) -> tuple[Any, ...]:
        """Return a key that variants of a tile share: the name without its number, and what fits."""
        stem = re.sub(r"-\d+$", "", self.rules.tiles[self.rules.tile_of[pattern]])
        return stem, int(self._role_of[pattern])

    @cached_property
    def axes(self) -> list[int]:
        """One side of each pair of opposite sides."""
        opposite = self.grid.opposite_sides()
        return [side for side in range(len(opposite)) if side < opposite[side]]

    @cached_property
    def diagonals(self) -> list[tuple[int, int]]:
        """The pairs of adjacent sides that define the diagonals."""
        turning = self.grid.turning_sides
        return [(side, (side + 1) % turning) for side in range(turning // 2)]

    def step(self, *sides: int) -> Step:
        """Return the sum of the steps across these sides."""
        return tuple(self.grid.steps[list(sides)].sum(axis=0).tolist())

    @cached_property
    def sockets(self) -> list[tuple[Any, ...]] | None:
        """The sockets [pattern][side]; None if some tile has none."""
        if not isinstance(self.tiles, TileSet):
            return None
        found = [pattern.sockets for pattern in self.tiles.patterns]
        return None if None in found or self.rules.values is not None else found  # type: ignore[return-value]

    @cached_property
    def socket_lines(self) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """The code of the line through each pattern along each axis, and the name of each code."""
        codes = np.full((len(self.rules), len(self.axes)), NOTHING, np.int64)
        opposite = self.grid.opposite_sides()
        number: dict[Any, int] = {}
        for pattern, sockets in enumerate(self.sockets or ()):
            plain = [strip_mirror_sign(socket) for socket in sockets]
            for index, side in enumerate(self.axes):
                ahead, behind = sockets[side], sockets[opposite[side]]
                if ahead == flip_socket(behind) and len({plain[each] for each in self._around(side)}) > 1:
                    codes[pattern, index] = number.setdefault(ahead, len(number))
        return codes, tuple(strip_mirror_sign(socket) for socket in number)

    def _around(self, side: int) -> range:
        """Return the sides with which a line is compared: those that rotate with it, or all."""
        turning = self.grid.turning_sides
        return range(turning) if side < turning else range(len(self.grid.steps))

    def traces(self, array: NDArray[np.int64]) -> Iterator[Trace]:
        """Yield every kind of feature in every direction of a map [row, column] or [layer, row, column]."""
        kinds = np.where(array >= 0, self.kind_of[array], NOTHING)
        beside = {side: shift(kinds, self.step(side)) for side in range(len(self.grid.steps))}
        opposite = self.grid.opposite_sides()
        for index, side in enumerate(self.axes):
            step = self.step(side)
            if self.sockets is not None:
                lines, names = self.socket_lines
                yield Trace(LINE, index, step, np.where(array >= 0, lines[array, index], NOTHING), names)
            else:
                others = [each for each in self._around(side) if each not in (side, opposite[side])]
                thin = np.logical_and.reduce([beside[each] != kinds for each in others])
                yield Trace(LINE, index, step, np.where(thin, kinds, NOTHING), self.names)
            for flank in self.axes:
                if flank != side:
                    there = beside[flank]
                    ends = (kinds >= 0) & (there >= 0) & (kinds != there)
                    yield Trace(
                        EDGE, index, step, np.where(ends, kinds * len(self.names) + there, NOTHING), ()
                    )
        for index, sides in enumerate(self.diagonals):
            step, back = self.step(*sides), tuple(opposite[side] for side in sides)
            thin = np.logical_and.reduce([beside[each] != kinds for each in (*sides, *back)])
            yield Trace(DIAGONAL, index, step, np.where(thin, kinds, NOTHING), ())


def strip_mirror_sign(socket: Any) -> str:
    """Remove the sign that distinguishes a socket from its mirror image."""
    return str(socket).rstrip("<>")


def shift(array: NDArray[np.int64], step: Step) -> NDArray[np.int64]:
    """Return the value of each cell's neighbour at this step; NOTHING outside the array."""
    checkpoint()
    result = np.full_like(array, NOTHING)
    here, there = [], []
    for size, distance in zip(array.shape, step[::-1], strict=True):
        here.append(slice(max(0, -distance), max(0, min(size, size - distance))))
        there.append(slice(max(0, distance), max(0, min(size, size + distance))))
    result[tuple(here)] = array[tuple(there)]
    return result


def find_runs(codes: Codes, step: Step, shortest: int) -> Runs:
    """Find runs of at least `shortest` cells."""
    begins = (codes != NOTHING) & (shift(codes, tuple(-each for each in step)) != codes)
    widths = [(abs(each), abs(each)) for each in step[::-1]]
    padded = np.pad(codes, widths, constant_values=NOTHING)
    strides = np.array(padded.strides) // padded.itemsize
    offset = int(np.dot(strides, step[::-1]))
    corner = [before for before, _ in widths]
    start = np.flatnonzero(begins)
    cells = np.array(np.unravel_index(start, codes.shape)) + np.array(corner)[:, None]
    at = strides @ cells
    flat = padded.reshape(-1)
    code, length = flat[at], np.ones(start.size, np.int64)
    alive = np.arange(start.size)
    while alive.size:
        at = at + offset
        goes_on = flat[at] == code[alive]
        alive, at = alive[goes_on], at[goes_on]
        length[alive] += 1
    kept = length >= shortest
    return Runs(start[kept], code[kept], length[kept])


@dataclass(frozen=True, slots=True)
class Straightness:
    """The longest straight run of one kind, in all maps."""

    kind: str  # "lines", "edges" or "diagonals"
    longest: int  # cells
    by_chance: float  # cells

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return asdict(self) | {"by_chance": round(self.by_chance, 1)}

    def __str__(self) -> str:
        return f"{self.kind} up to {self.longest} cells (by chance {self.by_chance:.0f})"


def measure_straightness(
    labels: PatternLabels, arrays: Sequence[NDArray[np.int64]]
) -> tuple[Straightness, ...]:
    """Find the longest runs in maps of one set, for each kind that occurs."""
    lengths: dict[str, list[NDArray[np.int64]]] = {LINE: [], EDGE: [], DIAGONAL: []}
    for array in arrays:
        for trace in labels.traces(array):
            lengths[trace.kind].append(find_runs(trace.codes, trace.step, 1).length)
    whole = {kind: np.concatenate(each) for kind, each in lengths.items()}
    return tuple(
        Straightness(kind, int(each.max()), expect_longest(each.size, int(each.sum())))
        for kind, each in whole.items()
        if each.size
    )


def expect_longest(runs: int, cells: int) -> float:
    """Return the expected maximum length of runs with this total number of cells, by chance."""
    if cells == runs:
        return 1.0
    return 0.5 + (log(runs) + EULER) / -log(1 - runs / cells)
