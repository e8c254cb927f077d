"""Visible features near chunk borders: lines, edges and small areas, by distance from a border.

Each cell on a straight line or edge of some length counts, and each cell of an area of 4 to 32 cells. Lines
that run *along* a border are told from those that run *across* it. How frequent they are near a border is
compared with the middle of the same chunks; the noise is how much that varies if other chunks had been
drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.reports.measuring.blocks import draw_blocks
from wavefold.reports.measuring.dullness import number_areas
from wavefold.reports.measuring.lines import EDGE, LINE, PatternLabels, Runs, find_runs

LENGTHS = (4, 8, 16)  # cells of a line or edge, at least
AREAS = (4, 32)  # cells of a small area
BINS = (0, 2, 4, 8, 16)  # cells from a border: where ranges of distances begin; the last is the middle
FEWEST = 20  # expected lines or areas near borders; fewer are not compared
ALONG, ACROSS, NEAR = "along", "across", "near"

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class FeatureBias:
    """How much more frequent something is near borders than in the middle of chunks."""

    kind: str  # "lines", "edges" or "areas"
    length: int  # cells, at least
    way: str  # "along" or "across" the border; of areas, "near" it
    distances: tuple[int, int]  # cells from the border: first and last; 0 touches it
    near: float  # share of cells with the feature at that distance, over all directions
    middle: float  # the same in the middle of chunks
    noise: float  # mean distance of the ratio from that of infinitely many chunks

    @property
    def ratio(self) -> float:
        """How many times as frequent near borders; infinite if seen only there, NaN if there are too few."""
        if not isfinite(self.noise):
            return float("nan")
        return self.near / self.middle if self.middle else float("inf")

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        known = isfinite(self.ratio)
        return {
            "kind": self.kind,
            "length": self.length,
            "way": self.way,
            "distances": list(self.distances),
            "near": round(self.near, 6),
            "middle": round(self.middle, 6),
            "ratio": round(self.ratio, 4) if known else None,
            "noise": round(self.noise, 4) if known else None,
        }

    def __str__(self) -> str:
        if isfinite(self.ratio):
            return f"{self.ratio:.2f} ± {self.noise:.2f}"
        return "only here" if isfinite(self.noise) else "–"


class Seen(NamedTuple):
    """Cells with a feature."""

    kind: str
    length: int
    step: tuple[int, ...]  # the direction of lines; zeros for areas
    cells: Flags  # [row, column]


def measure_features(labels: PatternLabels, region: NDArray[np.int64], side: int) -> tuple[FeatureBias, ...]:
    """Compare cells near borders with others in a region of whole chunks; the outermost ones do not count."""
    totals: dict[tuple[str, int, str], NDArray[np.int64]] = {}
    for seen in find_features(labels, region):
        for axis in (0, 1):  # borders between columns, then between rows
            step = seen.step[axis]
            way = NEAR if not any(seen.step) else ACROSS if step else ALONG
            counts = count_by_distance(seen.cells, side, axis)
            key = (seen.kind, seen.length, way)
            totals[key] = totals[key] + counts if key in totals else counts
    return tuple(each for key, counts in totals.items() for each in compare_distances(key, counts, side))


def find_features(labels: PatternLabels, region: NDArray[np.int64]) -> Iterator[Seen]:
    """Every kind of feature of every length and direction."""
    for trace in labels.traces(region):
        if trace.kind in (LINE, EDGE):
            runs = find_runs(trace.codes, trace.step, min(LENGTHS))
            for length in LENGTHS:
                long = runs.length >= length
                cells = mark_runs(Runs(*(each[long] for each in runs)), trace.step, region.shape)
                yield Seen(trace.kind, length, trace.step, cells)
    areas = number_areas(labels, labels.kind_of[region])
    sizes = np.bincount(areas.reshape(-1), minlength=areas.size)[areas]
    yield Seen("areas", AREAS[0], (0, 0), (sizes >= AREAS[0]) & (sizes <= AREAS[1]))


def mark_runs(runs: Runs, step: Sequence[int], shape: Sequence[int]) -> Flags:
    """The cells of these runs."""
    marked = np.zeros(shape, np.bool_).reshape(-1)
    offset = step[0] + step[1] * shape[1]
    index = np.arange(int(runs.length.sum())) - np.repeat(np.cumsum(runs.length) - runs.length, runs.length)
    marked[np.repeat(runs.start, runs.length) + index * offset] = True
    return marked.reshape(tuple(shape))


def count_by_distance(cells: Flags, side: int, axis: int) -> NDArray[np.int64]:
    """[chunk, distance from the nearest border between columns (or rows: axis 1)] how many cells are set."""
    rows, columns = (size // side for size in cells.shape)
    by_chunk = cells.reshape(rows, side, columns, side)[1:-1, :, 1:-1]
    across = by_chunk.sum(axis=1 if axis == 0 else 3)  # [row, column, x], or [row, y, column]
    across = (across if axis == 0 else across.transpose(0, 2, 1)).reshape(-1, side)
    half = side // 2
    folded = across[:, :half] + across[:, ::-1][:, :half]
    return np.asarray(folded, np.int64)


def compare_distances(
    key: tuple[str, int, str], counts: NDArray[np.int64], side: int
) -> Iterator[FeatureBias]:
    """One comparison with the middle for each range of distances."""
    kind, length, way = key
    middle = min(BINS[-1], side // 4)
    drawn = draw_blocks(len(counts))
    cells = counts[:, middle:].sum(axis=1) / (counts.shape[1] - middle)
    for first, after in pairwise(BINS):
        last = min(after, middle)
        if first >= last:
            break
        near = counts[:, first:last].sum(axis=1) / (last - first)
        noise = float("nan")
        if (near + cells).sum() / 2 * (last - first) >= FEWEST * length:
            one = length / (counts.shape[1] - middle)  # in the middle, so that no ratio is infinite
            varied = (drawn @ near) / np.maximum(drawn @ cells, one)
            noise = float(np.abs(varied - near.sum() / max(cells.sum(), one)).mean())
        whole = 2 * side * len(counts)  # cells at one distance: on two sides of each chunk
        yield FeatureBias(
            kind,
            length,
            way,
            (first, last - 1),
            float(near.sum() / whole),
            float(cells.sum() / whole),
            noise,
        )
