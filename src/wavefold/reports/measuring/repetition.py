"""Repetition: the share of windows of a map that occur again elsewhere in it, and the share by chance.

Chance is a map with the same pairs and no memory beyond them: each cell drawn by its neighbours to the west
and north (on hexagons three of them), with the frequencies of pairs in the maps themselves. In such a map a
window has a known probability, and so has its coming again. Variants of a tile count as
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.reports.measuring.blocks import Deviation, draw_blocks
from wavefold.reports.measuring.lines import PatternLabels, shift

SIDE, CUBE_SIDE = 4, 3  # cells across a window
AT_ONCE = 1 << 22  # numbers in memory

Cells = NDArray[np.int64]
Logs = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Repetition:
    """Windows that occur again elsewhere in their map, without overlap."""

    size: tuple[int, ...]  # of a window, in cells
    windows: int
    again: float  # the share that occurs again
    expected: float  # the same by chance
    excess: Deviation  # the difference, and how much it varies

    def to_dict(self) -> dict[str, object]:
        """Plain data, for JSON."""
        shares = {"again": round(self.again, 5), "expected": round(self.expected, 5)}
        return {"size": list(self.size), "windows": self.windows, **shares, **self.excess.to_dict()}

    def __str__(self) -> str:
        return (
            f"{self.again:.1%} of windows of {'x'.join(map(str, self.size))} cells occur again, "
            f"{self.expected:.1%} by chance (noise {self.excess.floor:.1%})"
        )


def measure_repetition(
    labels: PatternLabels, arrays: Sequence[Cells], blocks: Sequence[Cells]
) -> Repetition | None:
    """Count windows in maps of one set; None if no window fits into them."""
    side = SIDE if arrays[0].ndim == 2 else CUBE_SIDE
    arrays = [np.where(array >= 0, labels.detail_of[array], -1) for array in arrays]
    logs = LocalModel(labels, arrays)
    block_count = int(blocks[-1].max()) + 1
    seen, expected, windows = sums = np.zeros((3, block_count))
    for number, (array, block) in enumerate(zip(arrays, blocks, strict=True)):
        cells = np.argwhere(find_whole_windows(array, side))
        if not len(cells):
            continue
        at = tuple(cells.T)
        again = find_repeated(hash_windows(array, side)[at], cells, side)
        likely = np.exp(logs.window_logs(number, side)[at])
        by_chance = -np.expm1(len(cells) * np.log1p(-np.minimum(likely, 1 - 1e-12)))
        for row, values in enumerate((again, by_chance, np.ones(len(cells)))):
            sums[row] += np.bincount(block[at], values, block_count)
    if not windows.sum():
        return None
    drawn = draw_blocks(block_count)
    excess = (seen - expected).sum() / windows.sum()
    varied = (drawn @ (seen - expected)) / np.maximum(drawn @ windows, 1)
    floor = float(np.abs(varied - excess).mean()) * sqrt(block_count / max(1, block_count - 1))
    return Repetition(
        (side,) * arrays[0].ndim,
        int(windows.sum()),
        float(seen.sum() / windows.sum()),
        float(expected.sum() / windows.sum()),
        Deviation(float(excess), floor),
    )


def offsets(side: int, axes: int) -> list[tuple[int, ...]]:
    """The cells of a window, (x, y) or (x, y, z), row by row."""
    return [each[::-1] for each in product(range(side), repeat=axes)]


def find_whole_windows(array: Cells, side: int) -> NDArray[np.bool_]:
    """Where a window begins that lies in the map with all its cells."""
    found = np.ones(array.shape, bool)
    for offset in offsets(side, array.ndim):
        found &= shift(array, offset) >= 0
    return found


def hash_windows(array: Cells, side: int) -> NDArray[np.uint64]:
    """A number for the content of the window that begins at each cell; equal windows have equal ones."""
    random = np.random.default_rng(side)
    keys = np.zeros(array.shape, np.uint64)
    for offset in offsets(side, array.ndim):
        factor = random.integers(1, 1 << 63, dtype=np.uint64) | np.uint64(1)
        keys += (shift(array, offset) + 1).astype(np.uint64) * factor
    return keys


def find_repeated(keys: NDArray[np.uint64], cells: Cells, side: int) -> NDArray[np.bool_]:
    """[window] whether an equal one lies elsewhere, at least its own width away along some axis."""
    _, group = np.unique(keys, return_inverse=True)
    found = np.zeros(len(cells), bool)
    for along in cells.T:
        first = np.full(group.max() + 1, np.iinfo(np.int64).max)
        last = np.full(group.max() + 1, -1)
        np.minimum.at(first, group, along)
        np.maximum.at(last, group, along)
        found |= (along - first[group] >= side) | (last[group] - along >= side)
    return found


class LocalModel:
    """The probability of each cell given neighbours before it, by frequencies of pairs alone."""

    def __init__(self, labels: PatternLabels, arrays: Sequence[Cells]) -> None:
        self.arrays = arrays
        self.sides = labels.grid.sides_before("northwest")
        self.steps = {side: labels.step(side) for side in self.sides}
        used = np.unique(np.concatenate([array[array >= 0] for array in arrays]))
        self.arrays = [np.where(array >= 0, np.searchsorted(used, array), -1) for array in arrays]
        self.count = used.size
        alone = np.bincount(np.concatenate([each[each >= 0] for each in self.arrays]), minlength=self.count)
        self.alone = alone / alone.sum()
        self.beside = {side: self._pair_shares(side) for side in self.sides}
        self._known: dict[tuple[int, tuple[int, ...]], Logs] = {}

    def _pair_shares(self, side: int) -> NDArray[np.float64]:
        """[neighbour on this side, pattern] the share of the pattern among what has that neighbour."""
        pairs = np.zeros(self.count * self.count)
        for array in self.arrays:
            there = shift(array, self.steps[side])
            both = (array >= 0) & (there >= 0)
            pairs += np.bincount(there[both] * self.count + array[both], minlength=pairs.size)
        table = pairs.reshape(self.count, self.count)
        shares: NDArray[np.float64] = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
        return shares

    def cell_logs(self, number: int, sides: tuple[int, ...]) -> Logs:
        """For a map: the logarithm of the probability of each cell, given its neighbours on these sides."""
        if (number, sides) not in self._known:
            array = self.arrays[number]
            around = np.stack([array, *(shift(array, self.steps[side]) for side in sides)], axis=-1)
            inside = (around >= 0).all(axis=-1)
            logs = np.zeros(array.shape)
            logs[inside] = self._logs_of(around[inside], sides)
            self._known[number, sides] = logs
        return self._known[number, sides]

    def _logs_of(self, cells: Cells, sides: tuple[int, ...]) -> Logs:
        """[cell] from [cell, (pattern, neighbour on each side)]."""
        if not sides:
            return np.asarray(np.log(self.alone[cells[:, 0]]))
        key = cells[:, 1]
        for side in range(2, cells.shape[1]):  # numbers are sorted faster than rows
            key = key * self.count + cells[:, side]
        checkpoint()
        _, found, index = np.unique(key, return_index=True, return_inverse=True)
        checkpoint()
        contexts, index = cells[found, 1:], index.reshape(-1)
        logs = np.empty(len(cells))
        rows = max(1, AT_ONCE // self.count)
        order = np.argsort(index, kind="stable")
        bounds = np.searchsorted(index[order], np.arange(0, len(contexts) + rows, rows))
        for first, (start, stop) in enumerate(pairwise(bounds.tolist())):
            checkpoint()
            these = contexts[first * rows : (first + 1) * rows]
            share = np.prod([self.beside[side][these[:, at]] for at, side in enumerate(sides)], axis=0)
            share /= self.alone ** (len(sides) - 1)
            share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
            own = order[start:stop]
            logs[own] = np.log(np.maximum(share[index[own] - first * rows, cells[own, 0]], 1e-300))
        return logs

    def window_logs(self, number: int, side: int) -> Logs:
        """For a map: the logarithm of the probability of the window that begins at each cell."""
        total = np.zeros(self.arrays[number].shape)
        for offset in offsets(side, total.ndim):
            near = {each: np.add(offset, step) for each, step in self.steps.items()}
            inside = [each for each, cell in near.items() if (cell >= 0).all() and (cell < side).all()]
            logs = self.cell_logs(number, tuple(inside))
            moved = np.roll(logs, [-each for each in offset[::-1]], axis=tuple(range(total.ndim)))
            total += moved  # what is rolled over the edge belongs to windows that are not whole
        return total
