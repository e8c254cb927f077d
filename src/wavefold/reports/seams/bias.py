"""The visibility of a world's seams: statistics at seams, near them, in interiors and in plain solves.

Lines of cells are compared: each is half a chunk long, so that all samples have the same shape and cells
beside each other are as much alike in one as in the other. A line at a seam is a piece of the first row or
column of a chunk, around its corner or in the middle of its border; a line of an interior is a row or column
somewhere in the middle of a chunk. Cells on a line are counted as patterns, with their neighbours as pairs,
and the tiles of three cells across the line as words: these show features cut off at a seam.

Two samples of the same thing differ, too. So the noise floor is the distance between the interiors of two
halves of the chunks, on average over many random halves; every distance is between samples of that size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.options.values import parse_size
from wavefold.reports.measuring.lines import PatternLabels
from wavefold.reports.seams.bias_features import FeatureBias, measure_features
from wavefold.solver import Budget, Problem, Solver
from wavefold.topology import box
from wavefold.worlds.world import World

LINES = 2  # across and as many down, of each kind and chunk
NEAR = 6  # lines near a seam are at most this part of a chunk away, to either side
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

    def to_dict(self) -> dict[str, Any]:
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

    def to_dict(self) -> dict[str, Any]:
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
    order: str = "auto",
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
    far = side // NEAR
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


def plain_map(world: World, seed: int, order: str) -> Patterns:
    """A map as large as a chunk, solved as a whole."""
    side = world.plan.chunk
    grid = box(world.tiles.topology, side, side)
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
