"""Dullness: the largest area of cells of one kind, compared with shuffled cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.reports.measuring.blocks import SEED
from wavefold.reports.measuring.lines import NOTHING, PatternLabels, shift

SHUFFLES = 4

KindGrid = NDArray[np.int64]  # in the shape of a map's array


@dataclass(frozen=True, slots=True)
class Dullness:
    """Areas of one kind, on average over maps; variants of a tile are one kind.

    kind, cells : of the largest area in all maps
    share : the share of a map that its largest connected area covers
    square : cells across the largest square (rhombus, cube) of one kind
    shuffled_share, shuffled_square : the same after shuffling the cells of each map
    """

    kind: str
    cells: int
    share: float
    shuffled_share: float
    square: float
    shuffled_square: float

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
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


def measure_dullness(labels: PatternLabels, arrays: Sequence[KindGrid]) -> Dullness:
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


def find_largest_area(labels: PatternLabels, kinds: KindGrid) -> tuple[int, int]:
    """Find the largest connected area of one kind; returns its number of cells and its kind."""
    sizes, roots = measure_area_sizes(labels, kinds)
    best = int(sizes.argmax())
    return int(sizes[best]), int(kinds.reshape(-1)[roots[best]])


def measure_area_sizes(labels: PatternLabels, kinds: KindGrid) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the size of each connected area of one kind, and the flat index of one of its cells."""
    roots, sizes = np.unique(number_areas(labels, kinds)[kinds >= 0], return_counts=True)
    return sizes, roots


def number_areas(labels: PatternLabels, kinds: KindGrid) -> KindGrid:
    """Number the connected areas of one kind, by the flat index of their first cell."""
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
        ):  # including roots, so that whole areas are merged at once
            np.minimum.at(new, cells, first)
        new = new[new]
        if (new == area).all():
            return area.reshape(kinds.shape)
        area = new


def find_largest_square(kinds: KindGrid) -> int:
    """Return the number of cells across the largest square (rhombus, cube) of one kind."""
    fits, side = kinds >= 0, 0
    axes = range(kinds.ndim)
    while fits.any():
        side += 1
        grown = fits.copy()
        for axis in axes:  # a larger square consists of squares of this size at its corners
            step = tuple(int(each == axis) for each in reversed(axes))
            grown &= (shift(kinds, step) == kinds) & (shift(grown.astype(np.int64), step) == 1)
        fits = grown
    return side
