"""The visibility of a world's seams: statistics at seams, near them, in interiors and in plain solves.

Each cell on a straight line or edge of some length counts, and each cell of an area of 4 to 32 cells. Lines
that run *along* a border are told from those that run *across* it. How frequent they are near a border is
compared with the middle of the same chunks; the noise is how much that varies if other chunks had been
drawn.

Lines of cells are compared: each is half a chunk long, so that all samples have the same shape and cells
beside each other are as much alike in one as in the other. A line at a seam is a piece of the first row or
column of a chunk, around its corner or in the middle of its border; a line of an interior is a row or column
somewhere in the middle of a chunk. Cells on a line are counted as patterns, with their neighbours as pairs,
and the tiles of three cells across the line as words: these show features cut off at a seam.

Two samples of the same thing differ, too. So the noise floor is the distance between the interiors of two
halves of the chunks, on average over many random halves; every distance is between samples of that size.
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
from wavefold.options.values import parse_size
from wavefold.reports.measuring.blocks import draw_blocks
from wavefold.reports.measuring.dullness import number_areas
from wavefold.reports.measuring.lines import EDGE, LINE, PatternLabels, Runs, find_runs
from wavefold.solver import Budget, Problem, Solver
from wavefold.solver.heuristics import Order
from wavefold.topology import make_box
from wavefold.worlds.world import World

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

    def to_dict(self) -> dict[str, object]:
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


LINES = 2  # across and as many down, of each kind and chunk
NEAR_SHARE = 6  # lines near a seam are at most this part of a chunk away, to either side
WORD = (-1, 0, 1)  # cells across a line
SMALLEST = 8  # cells across a chunk whose interior has room for lines
DRAWS = 60
DECISIONS_PER_CELL = 200  # of a plain solve

Patterns = NDArray[np.int32]  # [row, column]
Codes = NDArray[np.int64]
Counts = NDArray[np.int64]  # [chunk, code]
Sample = tuple[Codes, Codes, Codes]  # patterns, pairs, words


class Distance(NamedTuple):
    """The total variation distance of two samples: 0, the same, to 1, nothing in common."""

    distance: float
    floor: float  # of two samples of the same kind

    @property
    def ratio(self) -> float:
        """The distance as a multiple of the floor; NaN where nothing varies."""
        return self.distance / self.floor if self.floor else float("nan")

    def to_dict(self) -> dict[str, float | None]:
        """Plain data, for JSON."""
        ratio = round(self.ratio, 2) if self.floor else None
        return {"distance": round(self.distance, 5), "floor": round(self.floor, 5), "ratio": ratio}


@dataclass(frozen=True, slots=True)
class BiasComparison:
    """Two kinds of lines."""

    one: str
    other: str
    patterns: Distance
    pairs: Distance
    words: Distance

    def to_dict(self) -> dict[str, object]:
        """Plain data, for JSON."""
        distances = {name: getattr(self, name).to_dict() for name in ("patterns", "pairs", "words")}
        return {"one": self.one, "other": self.other, **distances}


@dataclass(frozen=True, slots=True)
class Bias:
    """All comparisons between samples of `chunks` chunks with `cells` cells on lines.

    features : straight lines, edges and small areas, by their distance from a border; in all chunks
    """

    chunks: int
    cells: int
    comparisons: tuple[BiasComparison, ...]
    features: tuple[FeatureBias, ...] = ()

    def __getitem__(self, names: tuple[str, str]) -> BiasComparison:
        """The comparison of two kinds of lines."""
        return next(each for each in self.comparisons if (each.one, each.other) == names)

    def to_dict(self) -> dict[str, object]:
        """Plain data, for JSON."""
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
    """Compare cells at seams, near them and in interiors with each other and with plain solves.

    Also compare straight lines, edges and small areas near borders with the middle of chunks.

    `across` x `across` chunks are compared; half of them are one sample. With `plain=False` there is no
    comparison with plain solves, which take long. Their `order` matters: windows are not solved in that of
    `generate` if another is faster. `seed` is for the choice of lines, not for the world.
    """
    if parse_size("across", across, smallest=2) * world.plan.chunk > 1 << 13:
        raise ConfigError(f"{across} x {across} chunks are too many; try {(1 << 13) // world.plan.chunk}")
    side = world.plan.chunk
    if side < SMALLEST:
        raise ConfigError(f"chunks of {side} cells are too small to compare; try chunk={SMALLEST} or more")
    chunks = across * across
    total = (across + 2) ** 2 + (chunks // 2 if plain else 0)
    region = world.region(
        -side, -side, side * (across + 2), side * (across + 2), offset_progress(progress, 0, total)
    )
    random = np.random.default_rng(seed)
    corners = [((i + 1) * side, (j + 1) * side) for j in range(across) for i in range(across)]
    kinds: dict[str, list[Sample]] = {"seams": [], "near seams": [], "interiors": []}
    for x, y in corners:
        for kind, lines in lines_of_chunk(side, random).items():
            kinds[kind].append(codes_on(region, x, y, lines, world))
    if plain:
        kinds["plain solves"] = []
        for number in range(chunks // 2):
            offset_progress(progress, (across + 2) ** 2, total)(number, 0)
            lines = lines_of_chunk(side, random)["interiors"]
            kinds["plain solves"].append(codes_on(plain_map(world, number, order), 0, 0, lines, world))
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
    """A callback for a part of the work, which begins after `before` steps of `total`."""
    return lambda done, _: None if progress is None else progress(before + done, total)


class Line(NamedTuple):
    """Half a row or column of a chunk, by offsets from its first cell."""

    x: int
    y: int
    down: bool


def lines_of_chunk(side: int, random: np.random.Generator) -> dict[str, list[Line]]:
    """Lines of each kind, as many across as down."""
    quarter = side // 4
    middle = range(quarter, quarter + side // 2)
    seams = [(0, -quarter), (0, quarter)]  # around the corner, and the middle of the border
    far = side // NEAR_SHARE
    near = [(int(random.integers(1, far + 1) * random.choice((-1, 1))), along) for _, along in seams]
    inside = [(int(across), quarter) for across in random.choice(middle, LINES, replace=False)]
    kinds = {"seams": seams, "near seams": near, "interiors": inside}
    return {
        kind: [Line(across, along, True) for across, along in lines]
        + [Line(along, across, False) for across, along in lines]
        for kind, lines in kinds.items()
    }


def codes_on(region: Patterns, x: int, y: int, lines: Sequence[Line], world: World) -> Sample:
    """A number for each pattern on the lines, each pair of a cell there and a neighbour, each word."""
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
            # A pair is the same from either side.
            one, other = (here, there) if direction < back else (there, here)
            pairs.append((min(direction, back) * count + one) * count + other)
        word = np.full(length, line.down, np.int64)
        for away in WORD:
            across = region[rows, columns + away] if line.down else region[rows + away, columns]
            word = word * count + tile_of[across]
        words.append(word)
    return np.concatenate(patterns), np.concatenate(pairs), np.concatenate(words)


def plain_map(world: World, seed: int, order: Order) -> Patterns:
    """A map as large as a chunk, solved as a whole."""
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
) -> list[Distance]:
    """Distances between kinds of lines; of patterns (`what` is 0), pairs (1) or words (2)."""
    known = np.unique(np.concatenate([each[what] for units in kinds.values() for each in units]))
    counts = {kind: count_codes([each[what] for each in units], known) for kind, units in kinds.items()}
    half = len(kinds["seams"]) // 2
    sums = dict.fromkeys(names, 0.0)
    floor = 0.0
    for _ in range(DRAWS):
        shuffled = random.permutation(len(kinds["seams"]))
        ones, others = shuffled[:half], shuffled[half : 2 * half]
        floor += distance(counts["interiors"][ones], counts["interiors"][others])
        for one, other in names:
            # Plain solves are one whole sample; chunks of one half are compared with those of the other.
            second = counts[other][others] if len(counts[other]) == len(shuffled) else counts[other]
            sums[one, other] += distance(counts[one][ones], second)
    return [Distance(sums[name] / DRAWS, floor / DRAWS) for name in names]


def count_codes(units: Sequence[Codes], known: Codes) -> Counts:
    """[chunk, code] how often each code occurs."""
    counts = np.zeros((len(units), known.size), np.int64)
    for number, codes in enumerate(units):
        counts[number] = np.bincount(np.searchsorted(known, codes), minlength=known.size)
    return counts


def distance(ones: Counts, others: Counts) -> float:
    """The total variation distance: half the sum of the differences of frequencies."""
    one, other = ones.sum(axis=0), others.sum(axis=0)
    return float(np.abs(one / one.sum() - other / other.sum()).sum() / 2)
