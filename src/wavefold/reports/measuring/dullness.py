"""Dullness: the largest area of one kind of cells, compared with shuffled cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.reports.measuring.blocks import SEED
from wavefold.reports.measuring.lines import NOTHING, PatternLabels, shift

SHUFFLES = 4

Cells = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Dullness:
    """Areas of one kind, on average over maps; variants of a tile are one kind.

    kind, cells : of the largest area in all maps
    share : how much of a map its largest connected area covers
    square : cells across its largest square (rhombus, cube) of one kind
    shuffled_share, shuffled_square : the same if the cells of each map are shuffled
    """

    kind: str
    cells: int
    share: float
    shuffled_share: float
    square: float
    shuffled_square: float

    def to_dict(self) -> dict[str, object]:
        """Plain data, for JSON."""
        return {
            "kind": self.kind,
            "cells": self.cells,
            "share": round(self.share, 5),
            "shuffled_share": round(self.shuffled_share, 5),
            "square": round(self.square, 2),
            "shuffled_square": round(self.shuffled_square, 2),
        }

    def __str__(self) -> str:
        return (
            f"the largest area covers {self.share:.1%} ({self.kind}; shuffled {self.shuffled_share:.1%}), "
            f"the largest square is {self.square:.1f} across (shuffled {self.shuffled_square:.1f})"
        )


def measure_dullness(labels: PatternLabels, arrays: Sequence[Cells]) -> Dullness:
    """Find the largest areas in maps of one set."""
    random = np.random.default_rng(SEED)
    largest, figures, shuffled = (0, 0), [], []
    for array in arrays:
        kinds = np.where(array >= 0, labels.kind_of[array], NOTHING)
        inside = kinds >= 0
        area, kind = find_largest_area(labels, kinds)
        largest = max(largest, (area, kind))
        figures.append((area / inside.sum(), find_largest_square(kinds)))
        for _ in range(SHUFFLES):
            mixed = kinds.copy()
            mixed[inside] = random.permutation(kinds[inside])
            shuffled.append((find_largest_area(labels, mixed)[0] / inside.sum(), find_largest_square(mixed)))
    share, square = np.mean(figures, axis=0).tolist()
    mixed_share, mixed_square = np.mean(shuffled, axis=0).tolist()
    return Dullness(labels.names[largest[1]], largest[0], share, mixed_share, square, mixed_square)


def find_largest_area(labels: PatternLabels, kinds: Cells) -> tuple[int, int]:
    """Cells of the largest connected area of one kind, and its kind."""
    sizes, roots = measure_area_sizes(labels, kinds)
    best = int(sizes.argmax())
    return int(sizes[best]), int(kinds.reshape(-1)[roots[best]])


def measure_area_sizes(labels: PatternLabels, kinds: Cells) -> tuple[Cells, Cells]:
    """Cells of each connected area of one kind, and a cell of each, as an index into the flattened array."""
    roots, sizes = np.unique(number_areas(labels, kinds)[kinds >= 0], return_counts=True)
    return sizes, roots


def number_areas(labels: PatternLabels, kinds: Cells) -> Cells:
    """A number for each cell's connected area of one kind: the index of its first cell."""
    index = np.arange(kinds.size).reshape(kinds.shape)
    ones, others = [], []
    for side in labels.axes:
        step = labels.step(side)
        same = (kinds >= 0) & (shift(kinds, step) == kinds)
        ones.append(index[same])
        others.append(shift(index, step)[same])
    one, other = np.concatenate(ones), np.concatenate(others)
    area = index.reshape(-1).copy()
    while True:
        checkpoint()
        first = np.minimum(area[one], area[other])
        new = area.copy()
        for cells in (
            area[one],
            area[other],
            one,
            other,
        ):  # roots take part, so that whole areas move at once
            np.minimum.at(new, cells, first)
        new = new[new]
        if (new == area).all():
            return area.reshape(kinds.shape)
        area = new


def find_largest_square(kinds: Cells) -> int:
    """Cells across the largest square (rhombus, cube) of one kind."""
    fits, side = kinds >= 0, 0
    axes = range(kinds.ndim)
    while fits.any():
        side += 1
        grown = fits.copy()
        for axis in axes:  # a square of the next size is one of this size at each of its corners
            step = tuple(int(each == axis) for each in reversed(axes))
            grown &= (shift(kinds, step) == kinds) & (shift(grown.astype(np.int64), step) == 1)
        fits = grown
    return side
