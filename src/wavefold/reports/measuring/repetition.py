"""Repetition: the share of windows of a map that occur again elsewhere in it, and the share by chance.

The value by chance is that of a random map in which each cell depends only on its neighbours to the west and
north (three neighbours on hexagons), with the pair frequencies of the measured maps. In such a map, the
probability of a window is known, and so is that of its repetition. Variants of a tile count as equal.
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
NUMBERS_AT_ONCE = 1 << 22  # in memory

KindGrid = NDArray[np.int64]  # in the shape of a map's array
LogGrid = NDArray[np.float64]  # likewise, logarithms of probabilities


@dataclass(frozen=True, slots=True)
class Repetition:
    """Windows that occur again elsewhere in their map, without overlap."""

    size: tuple[int, ...]  # of a window, in cells
    windows: int
    again: float  # the share that occurs again
    expected: float  # the same by chance
    excess: Deviation  # the difference, and its noise

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        shares = {"again": round(self.again, 5), "expected": round(self.expected, 5)}
        return {"size": list(self.size), "windows": self.windows, **shares, **self.excess.to_dict()}

    def __str__(self) -> str:
        return (
            f"{self.again:.1%} of windows of {'x'.join(map(str, self.size))} cells occur again, "
            f"{self.expected:.1%} by chance (noise {self.excess.floor:.1%})"
        )


def measure_repetition(
    labels: PatternLabels, arrays: Sequence[KindGrid], blocks: Sequence[KindGrid]
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
        likely = np.exp(logs.compute_window_logs(number, side)[at])
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


def list_offsets(side: int, axes: int) -> list[tuple[int, ...]]:
    """List the cells of a window, (x, y) or (x, y, z), row by row."""
    return [each[::-1] for each in product(range(side), repeat=axes)]


def find_whole_windows(array: KindGrid, side: int) -> NDArray[np.bool_]:
    """Mark the first cells of windows that lie completely in the map."""
    found = np.ones(array.shape, bool)
    for offset in list_offsets(side, array.ndim):
        found &= shift(array, offset) >= 0
    return found


def hash_windows(array: KindGrid, side: int) -> NDArray[np.uint64]:
    """Hash the content of the window that begins at each cell."""
    random = np.random.default_rng(side)
    keys = np.zeros(array.shape, np.uint64)
    for offset in list_offsets(side, array.ndim):
        factor = random.integers(1, 1 << 63, dtype=np.uint64) | np.uint64(1)
        keys += (shift(array, offset) + 1).astype(np.uint64) * factor
    return keys


def find_repeated(keys: NDArray[np.uint64], cells: NDArray[np.int64], side: int) -> NDArray[np.bool_]:
    """Return for each window whether an equal one lies at least its width away along some axis."""
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
    """The probability of each cell given earlier neighbours, by frequencies of pairs."""

    def __init__(self, labels: PatternLabels, arrays: Sequence[KindGrid]) -> None:
        self.arrays = arrays
        self.sides = labels.grid.sides_before("northwest")
        self.steps = {side: labels.step(side) for side in self.sides}
        used = np.unique(np.concatenate([array[array >= 0] for array in arrays]))
        self.arrays = [np.where(array >= 0, np.searchsorted(used, array), -1) for array in arrays]
        self.count = used.size
        alone = np.bincount(np.concatenate([each[each >= 0] for each in self.arrays]), minlength=self.count)
        self.alone = alone / alone.sum()
        self.beside = {side: self._pair_shares(side) for side in self.sides}
        self._known: dict[tuple[int, tuple[int, ...]], LogGrid] = {}

    def _pair_shares(self, side: int) -> NDArray[np.float64]:
        """Return the share [neighbour on this side, pattern] of the pattern beside that neighbour."""
        pairs = np.zeros(self.count * self.count)
        for array in self.arrays:
            there = shift(array, self.steps[side])
            both = (array >= 0) & (there >= 0)
            pairs += np.bincount(there[both] * self.count + array[both], minlength=pairs.size)
        table = pairs.reshape(self.count, self.count)
        shares: NDArray[np.float64] = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
        return shares

    def compute_cell_logs(self, number: int, sides: tuple[int, ...]) -> LogGrid:
        """Return the log probability of each cell of a map, given its neighbours on these sides."""
        if (number, sides) not in self._known:
            array = self.arrays[number]
            around = np.stack([array, *(shift(array, self.steps[side]) for side in sides)], axis=-1)
            inside = (around >= 0).all(axis=-1)
            logs = np.zeros(array.shape)
            logs[inside] = self._compute_logs(around[inside], sides)
            self._known[number, sides] = logs
        return self._known[number, sides]

    def _compute_logs(self, cells: NDArray[np.int64], sides: tuple[int, ...]) -> NDArray[np.float64]:
        """Return the log probability of each row (pattern, neighbour on each side)."""
        if not sides:
            return np.asarray(np.log(self.alone[cells[:, 0]]))
        key = cells[:, 1]
        for side in range(2, cells.shape[1]):  # because sorting numbers is faster than sorting rows
            key = key * self.count + cells[:, side]
        checkpoint()
        _, found, index = np.unique(key, return_index=True, return_inverse=True)
        checkpoint()
        contexts, index = cells[found, 1:], index.reshape(-1)
        logs = np.empty(len(cells))
        rows = max(1, NUMBERS_AT_ONCE // self.count)
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

    def compute_window_logs(self, number: int, side: int) -> LogGrid:
        """Return the log probability of the window that begins at each cell of a map."""
        total = np.zeros(self.arrays[number].shape)
        for offset in list_offsets(side, total.ndim):
            near = {each: np.add(offset, step) for each, step in self.steps.items()}
            inside = [each for each, cell in near.items() if (cell >= 0).all() and (cell < side).all()]
            logs = self.compute_cell_logs(number, tuple(inside))
            moved = np.roll(logs, [-each for each in offset[::-1]], axis=tuple(range(total.ndim)))
            total += moved  # values rolled over the edge belong to incomplete windows
        return total
