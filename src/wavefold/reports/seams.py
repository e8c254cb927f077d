"""Measure the visibility of a world's seams: compare cells at seams, near them, in interiors and in solves.

*Features* are cells on straight lines or edges of some length, *along* or *across* a border, and cells of
areas of 4 to 32 cells. Their frequency near a border is compared with that in the middle of the same chunks.
The noise is how much the ratio varies between random samples of chunks.

*Samples* are lines of cells, each half a chunk long, so that all samples have the same shape. A line at a
seam is a part of the first row or column of a chunk, around its corner or in the middle of its border; a line
of an interior is part of a row or column in the middle of a chunk. The cells of a line are counted as
patterns, with their neighbours as pairs, and the tiles of three cells across the line as words, which show
features that are cut off at a seam.

Two samples of the same kind also differ. So the noise floor is the mean distance between the interiors of two
random halves of the chunks, and all distances are between samples of that size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.options.values import check_flag, check_function, check_type, parse_seed, parse_size
from wavefold.reports.measuring.blocks import Deviation, draw_blocks
from wavefold.reports.measuring.dullness import number_areas
from wavefold.reports.measuring.lines import EDGE, LINE, PatternLabels, Runs, find_runs
from wavefold.solver import Budget, Problem, Solver
from wavefold.solver.heuristics import Order
from wavefold.topology import make_box
from wavefold.worlds.plan import CellMask, PatternGrid
from wavefold.worlds.world import World

LEAST_LENGTHS = (4, 8, 16)  # cells of lines and edges
AREA_CELLS = (4, 32)  # the smallest and the largest area
BIN_STARTS = (0, 2, 4, 8, 16)  # ranges of distances from a border, in cells; the last is the middle
LEAST_FEATURES = 20  # expected near borders; fewer are not compared
ALONG, ACROSS, NEAR = "along", "across", "near"
LINES = 2  # of each kind and chunk, in each direction
NEAR_DIVISOR = 6  # lines near a seam are at most this part of a chunk away, to either side
WORD = (-1, 0, 1)  # offsets of cells across a line
LEAST_CHUNK = 8  # cells across a chunk
DRAWS = 60  # random halves of the chunks
DECISIONS_PER_CELL = 200  # of a plain solve

Codes = NDArray[np.int64]  # [n]
Counts = NDArray[np.int64]  # [chunk, code]
Sample = tuple[Codes, Codes, Codes]  # patterns, pairs, words


@dataclass(frozen=True, slots=True)
class FeatureBias:
    """How much more frequent a feature is near borders than in the middle of chunks."""

    kind: str  # "lines", "edges" or "areas"
    length: int  # cells, at least
    way: str  # "along" or "across" the border; "near" it for areas
    distances: tuple[int, int]  # first and last, in cells from the border; 0 touches it
    near: float  # the share of cells with the feature at these distances, over all directions
    middle: float  # the same in the middle of chunks
    noise: float  # the mean deviation of the ratio by chance

    @property
    def ratio(self) -> float:
        """The frequency near borders relative to the middle; infinite if only there, NaN if too rare."""
        if not isfinite(self.noise):
            return float("nan")
        return self.near / self.middle if self.middle else float("inf")

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
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
    cells: CellMask


def measure_features(labels: PatternLabels, region: NDArray[np.int64], side: int) -> tuple[FeatureBias, ...]:
    """Compare features near borders with the middle of chunks, without the outermost chunks of a region."""
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
    """Yield every kind of feature of every length and direction."""
    for trace in labels.traces(region):
        if trace.kind in (LINE, EDGE):
            runs = find_runs(trace.codes, trace.step, min(LEAST_LENGTHS))
            for length in LEAST_LENGTHS:
                long = runs.length >= length
                cells = mark_runs(Runs(*(each[long] for each in runs)), trace.step, region.shape)
                yield Seen(trace.kind, length, trace.step, cells)
    areas = number_areas(labels, labels.kind_of[region])
    sizes = np.bincount(areas.reshape(-1), minlength=areas.size)[areas]
    smallest, largest = AREA_CELLS
    yield Seen("areas", smallest, (0, 0), (sizes >= smallest) & (sizes <= largest))


def mark_runs(runs: Runs, step: Sequence[int], shape: Sequence[int]) -> CellMask:
    """Mark the cells of these runs."""
    marked = np.zeros(shape, np.bool_).reshape(-1)
    offset = step[0] + step[1] * shape[1]
    index = np.arange(int(runs.length.sum())) - np.repeat(np.cumsum(runs.length) - runs.length, runs.length)
    marked[np.repeat(runs.start, runs.length) + index * offset] = True
    return marked.reshape(tuple(shape))


def count_by_distance(cells: CellMask, side: int, axis: int) -> NDArray[np.int64]:
    """Count marked cells by chunk and by distance from the nearest border between columns (axis 1: rows)."""
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
    """Compare each range of distances with the middle."""
    kind, length, way = key
    middle = min(BIN_STARTS[-1], side // 4)
    drawn = draw_blocks(len(counts))
    cells = counts[:, middle:].sum(axis=1) / (counts.shape[1] - middle)
    for first, after in pairwise(BIN_STARTS):
        last = min(after, middle)
        if first >= last:
            break
        near = counts[:, first:last].sum(axis=1) / (last - first)
        noise = float("nan")
        if (near + cells).sum() / 2 * (last - first) >= LEAST_FEATURES * length:
            one = length / (counts.shape[1] - middle)  # at least one feature, so that no ratio is infinite
            varied = (drawn @ near) / np.maximum(drawn @ cells, one)
            noise = float(np.abs(varied - near.sum() / max(cells.sum(), one)).mean())
        whole = 2 * side * len(counts)  # cells at one distance, on two sides of each chunk
        yield FeatureBias(
            kind,
            length,
            way,
            (first, last - 1),
            float(near.sum() / whole),
            float(cells.sum() / whole),
            noise,
        )


@dataclass(frozen=True, slots=True)
class BiasComparison:
    """The total variation distances between two kinds of lines: 0 (equal) to 1 (nothing in common)."""

    one: str
    other: str
    patterns: Deviation
    pairs: Deviation
    words: Deviation

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        distances = {name: getattr(self, name).to_dict() for name in ("patterns", "pairs", "words")}
        return {"one": self.one, "other": self.other, **distances}


@dataclass(frozen=True, slots=True)
class Bias:
    """The comparisons of samples of `chunks` chunks with `cells` cells on lines.

    features : straight lines, edges and small areas in all chunks, by distance from a border
    """

    chunks: int
    cells: int
    comparisons: tuple[BiasComparison, ...]
    features: tuple[FeatureBias, ...] = ()

    def __getitem__(self, names: tuple[str, str]) -> BiasComparison:
        """Return the comparison of two kinds of lines."""
        return next(each for each in self.comparisons if (each.one, each.other) == names)

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "chunks": self.chunks,
            "cells": self.cells,
            "comparisons": [each.to_dict() for each in self.comparisons],
            "features": [each.to_dict() for each in self.features],
        }


def measure_bias(
    world: World,
    across: int = 12,
    *,
    plain: bool = True,
    order: Order = "auto",
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Bias:
    """Measure the bias of a world: compare cells at seams, near them, in interiors and in plain solves.

    Also compares straight lines, edges and small areas near borders with the middle of chunks.

    across : compare across x across chunks, half of them in one sample
    plain : whether to compare with plain solves, which take long
    order : the order of plain solves; windows of a world may be solved in another order than by `generate`
    seed : for the choice of lines; the world keeps its own
    """
    check_type("world", world, World, "a World")
    check_flag("plain", plain)
    check_function("progress", progress)
    if parse_size("across", across, smallest=2) * world.plan.chunk > 1 << 13:
        raise ConfigError(f"across={across} is too many chunks; use at most {(1 << 13) // world.plan.chunk}")
    side = world.plan.chunk
    if side < LEAST_CHUNK:
        raise ConfigError(f"chunks of {side} cells are too small to compare; use chunk={LEAST_CHUNK} or more")
    chunks = across * across
    total = (across + 2) ** 2 + (chunks // 2 if plain else 0)
    region = world.region(
        -side, -side, side * (across + 2), side * (across + 2), offset_progress(progress, 0, total)
    )
    random = np.random.default_rng(parse_seed(seed))
    corners = [((i + 1) * side, (j + 1) * side) for j in range(across) for i in range(across)]
    kinds: dict[str, list[Sample]] = {"seams": [], "near seams": [], "interiors": []}
    for x, y in corners:
        for kind, lines in choose_lines(side, random).items():
            kinds[kind].append(encode_lines(region, x, y, lines, world))
    if plain:
        kinds["plain solves"] = []
        for number in range(chunks // 2):
            offset_progress(progress, (across + 2) ** 2, total)(number, 0)
            lines = choose_lines(side, random)["interiors"]
            plain_map = solve_plain_map(world, number, order)
            kinds["plain solves"].append(encode_lines(plain_map, 0, 0, lines, world))
    pairs_of_kinds = [("seams", "interiors"), ("near seams", "interiors")]
    pairs_of_kinds += [("interiors", "plain solves"), ("seams", "plain solves")] if plain else []
    distances = [measure_distances(kinds, what, pairs_of_kinds, random) for what in range(3)]
    comparisons = [
        BiasComparison(*names, *each) for names, *each in zip(pairs_of_kinds, *distances, strict=True)
    ]
    features = measure_features(PatternLabels(world.tiles), region.astype(np.int64), side)
    return Bias(chunks // 2, chunks // 2 * 2 * LINES * (side // 2), tuple(comparisons), features)


def offset_progress(
    progress: Callable[[int, int], None] | None, before: int, total: int
) -> Callable[[int, int], None]:
    """Return a progress callback for a part of the work that begins after `before` of `total` steps."""
    return lambda done, _: None if progress is None else progress(before + done, total)


class Line(NamedTuple):
    """Half a row or column of a chunk, by offsets from its first cell."""

    x: int
    y: int
    down: bool


def choose_lines(side: int, random: np.random.Generator) -> dict[str, list[Line]]:
    """Choose lines of each kind for a chunk, half of them horizontal."""
    quarter = side // 4
    middle = range(quarter, quarter + side // 2)
    seams = [(0, -quarter), (0, quarter)]  # around the corner, and the middle of the border
    far = side // NEAR_DIVISOR
    near = [(int(random.integers(1, far + 1) * random.choice((-1, 1))), along) for _, along in seams]
    inside = [(int(across), quarter) for across in random.choice(middle, LINES, replace=False)]
    kinds = {"seams": seams, "near seams": near, "interiors": inside}
    return {
        kind: [Line(across, along, True) for across, along in lines]
        + [Line(along, across, False) for across, along in lines]
        for kind, lines in kinds.items()
    }


def encode_lines(region: PatternGrid, x: int, y: int, lines: Sequence[Line], world: World) -> Sample:
    """Encode each pattern on the lines, each pair of a cell and a neighbour, and each word as a number."""
    count, length = len(world.rules), world.plan.chunk // 2
    steps = np.asarray(world.steps).tolist()
    tile_of = np.arange(count) if world.rules.values is not None else world.rules.tile_of
    patterns, pairs, words = [], [], []
    for line in lines:
        columns = x + line.x + (np.zeros(length, int) if line.down else np.arange(length))
        rows = y + line.y + (np.arange(length) if line.down else np.zeros(length, int))
        here = region[rows, columns].astype(np.int64)
        patterns.append(here)
        for direction, (right, down) in enumerate(steps):
            there = region[rows + down, columns + right].astype(np.int64)
            back = steps.index([-right, -down])
            # Encode a pair the same from both sides.
            one, other = (here, there) if direction < back else (there, here)
            pairs.append((min(direction, back) * count + one) * count + other)
        word = np.full(length, line.down, np.int64)
        for away in WORD:
            across = region[rows, columns + away] if line.down else region[rows + away, columns]
            word = word * count + tile_of[across]
        words.append(word)
    return np.concatenate(patterns), np.concatenate(pairs), np.concatenate(words)


def solve_plain_map(world: World, seed: int, order: Order) -> PatternGrid:
    """Solve a map of the size of a chunk as a whole."""
    side = world.plan.chunk
    grid = make_box(world.tiles.topology, side, side)
    solution = Solver(Problem(world.tiles, grid, own_constraints=False), seed, order).run(
        Budget(decisions=100_000 + DECISIONS_PER_CELL * side * side)
    )
    return solution.array.astype(np.int32)


def measure_distances(
    kinds: dict[str, list[Sample]],
    what: int,
    names: Sequence[tuple[str, str]],
    random: np.random.Generator,
) -> list[Deviation]:
    """Measure the distances between kinds of lines, of patterns (`what` is 0), pairs (1) or words (2)."""
    known = np.unique(np.concatenate([each[what] for units in kinds.values() for each in units]))
    counts = {kind: count_codes([each[what] for each in units], known) for kind, units in kinds.items()}
    half = len(kinds["seams"]) // 2
    sums = dict.fromkeys(names, 0.0)
    floor = 0.0
    for _ in range(DRAWS):
        shuffled = random.permutation(len(kinds["seams"]))
        ones, others = shuffled[:half], shuffled[half : 2 * half]
        floor += measure_distance(counts["interiors"][ones], counts["interiors"][others])
        for one, other in names:
            # All plain solves are one sample; other kinds compare one half of the chunks with the other half.
            second = counts[other][others] if len(counts[other]) == len(shuffled) else counts[other]
            sums[one, other] += measure_distance(counts[one][ones], second)
    return [Deviation(sums[name] / DRAWS, floor / DRAWS) for name in names]


def count_codes(units: Sequence[Codes], known: Codes) -> Counts:
    """Count how often each code occurs in each chunk."""
    counts = np.zeros((len(units), known.size), np.int64)
    for number, codes in enumerate(units):
        counts[number] = np.bincount(np.searchsorted(known, codes), minlength=known.size)
    return counts


def measure_distance(ones: Counts, others: Counts) -> float:
    """Return the total variation distance: half the sum of the differences of frequencies."""
    one, other = ones.sum(axis=0), others.sum(axis=0)
    return float(np.abs(one / one.sum() - other / other.sum()).sum() / 2)
