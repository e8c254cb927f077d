"""Faithfulness: the distance of the frequencies of tiles and pairs from their targets or the sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.reports.measuring.blocks import (
    BlockCounts,
    Deviation,
    compute_independent_floor,
    count_by_block,
    estimate_block_floor,
    measure_variation,
)
from wavefold.reports.measuring.lines import shift
from wavefold.solver import Problem, Solution
from wavefold.tiles import LearnedTileSet, TileSet

WEIGHTS_AT_ONCE = 1 << 22  # in memory, if cells have their own weights
SQUARE_AXES = {"east": (1, 0), "south": (0, 1)}

Frequencies = NDArray[np.float64]  # [pattern] or [group]


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """The total variation distance (0 to 1) of frequencies from their targets.

    The floors are the distances by chance, estimated from the maps; the smaller independent floors are those
    of the same number of independent cells.
    """

    against: str  # "weights", "shares" or "sample"
    tiles: Deviation
    tiles_independent: float
    pairs: Deviation | None  # of patterns that touch; only samples have targets for them
    pairs_independent: float | None
    shares: dict[str, tuple[float, float]]  # by tile, or by the names of `Shares`: target, seen

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        tiles = self.tiles.to_dict() | {"compute_independent_floor": round(self.tiles_independent, 5)}
        pairs = None
        if self.pairs is not None and self.pairs_independent is not None:
            pairs = self.pairs.to_dict() | {"compute_independent_floor": round(self.pairs_independent, 5)}
        shares = {name: {"asked": target, "seen": seen} for name, (target, seen) in self.shares.items()}
        return {"against": self.against, "tiles": tiles, "pairs": pairs, "shares": shares}

    def __str__(self) -> str:
        pairs = "" if self.pairs is None else f", pairs {self.pairs}"
        return f"tiles {self.tiles}{pairs} from the {self.against}"


def measure_faithfulness(solutions: Sequence[Solution], blocks: Sequence[NDArray[np.int64]]) -> Faithfulness:
    """Compare maps of one set with their target frequencies.

    blocks : the number of each cell's block
    """
    names, group_of, targets, against = find_targets(solutions)
    block_count = int(blocks[-1].max()) + 1
    counts = np.zeros((block_count, len(names)), np.int64)
    for solution, block in zip(solutions, blocks, strict=True):
        there = solution.array >= 0
        counts += count_by_block(block[there], group_of[solution.array[there]], block_count, len(names))
    seen = counts.sum(axis=0) / counts.sum()
    tiles = Deviation(float(measure_variation(counts.sum(axis=0), targets)), estimate_block_floor(counts))
    pairs, pairs_independent = compare_pairs(solutions, blocks, block_count)
    return Faithfulness(
        against,
        tiles,
        compute_independent_floor(targets, int(counts.sum())),
        pairs,
        pairs_independent,
        {name: (float(one), float(other)) for name, one, other in zip(names, targets, seen, strict=True)},
    )


def find_targets(solutions: Sequence[Solution]) -> tuple[list[str], NDArray[np.int64], Frequencies, str]:
    """Return names of tiles or groups, the index [pattern] into them, target frequencies, and a source."""
    problem = solutions[0].problem
    rules = problem.rules
    group_of, names = rules.tile_of.astype(np.int64), list(rules.tiles)
    sizes = np.array([each.problem.cell_count for each in solutions], float)
    by_pattern = np.average([ask_by_weight(each.problem) for each in solutions], axis=0, weights=sizes)
    if problem.shares is None:
        against = "sample" if isinstance(problem.tiles, LearnedTileSet) else "weights"
        return names, group_of, sum_by_group(group_of, by_pattern, len(names)), against
    named = problem.shares.shares
    group_of = group_of + len(named)
    for number, name in enumerate(named):
        group_of[problem.patterns_named(name)] = number
    targets = sum_by_group(group_of, by_pattern, len(named) + len(names))
    targets[: len(named)] = list(named.values())
    targets[len(named) :] *= max(0.0, 1 - targets[: len(named)].sum()) / max(
        targets[len(named) :].sum(), 1e-12
    )
    used = np.flatnonzero(np.bincount(group_of, minlength=targets.size))
    names = [*map(str, named), *names]
    return (
        [names[each] for each in used],
        np.searchsorted(used, group_of).astype(np.int64),
        targets[used],
        "shares",
    )


def sum_by_group(group_of: NDArray[np.int64], values: Frequencies, groups: int) -> Frequencies:
    """Sum values by group."""
    return np.bincount(group_of, values, groups).astype(np.float64)


def read_target_weights(problem: Problem) -> Frequencies:
    """Return the target weights [pattern] of refining."""
    return problem.tiles.asked_weights if isinstance(problem.tiles, TileSet) else problem.rules.weights


def ask_by_weight(problem: Problem) -> Frequencies:
    """Return how often each pattern would be drawn by weights, pins and masks alone."""
    rules = problem.rules
    weights = read_target_weights(problem)[None] if problem.weights is None else problem.weights
    if len(weights) == 1 and problem.masks is None and not problem.pins:
        shares: Frequencies = weights[0] / weights[0].sum()
        return shares
    total = np.zeros(len(rules))
    rows = max(1, WEIGHTS_AT_ONCE // len(rules))
    domains = problem.domains.reshape(problem.cell_count, -1)
    for start in range(0, problem.cell_count, rows):
        possible = unpack_bits(domains[start : start + rows], len(rules))
        own = possible * (weights if len(weights) == 1 else weights[start : start + rows])
        sums = own.sum(axis=1, keepdims=True)
        own = np.where(sums > 0, own, possible)  # weights of 0 count only if nothing else fits
        total += (own / own.sum(axis=1, keepdims=True)).sum(axis=0)
    return total / problem.cell_count


def compare_pairs(
    solutions: Sequence[Solution], blocks: Sequence[NDArray[np.int64]], block_count: int
) -> tuple[Deviation | None, float | None]:
    """Compare the frequencies of adjacent pairs of patterns with those of the sample."""
    tiles = solutions[0].problem.tiles
    if not isinstance(tiles, LearnedTileSet) or tiles.occurrences is None:
        return None, None
    sampled = tiles.occurrences.count_pairs(len(tiles), tiles.periodic)
    codes = [np.concatenate([*encode_pairs(each.array, len(tiles))]) for each in solutions]
    kinds = np.unique(np.concatenate([*codes, np.array([*sampled], np.int64)]))
    counts: BlockCounts = np.zeros((block_count, kinds.size), np.int64)
    for own, block in zip(codes, blocks, strict=True):
        there = own >= 0
        at = np.tile(block.reshape(-1), 2)[there]
        counts += count_by_block(at, np.searchsorted(kinds, own[there]), block_count, kinds.size)
    targets = np.array([sampled.get(code, 0) for code in kinds.tolist()], float)
    targets /= targets.sum()
    distance = Deviation(float(measure_variation(counts.sum(axis=0), targets)), estimate_block_floor(counts))
    return distance, compute_independent_floor(targets, int(counts.sum()))


def encode_pairs(array: NDArray[np.int64], patterns: int) -> Iterator[NDArray[np.int64]]:
    """Yield for each axis the codes [cell] of a pattern and its east or south neighbour; -1 without one."""
    for axis, step in enumerate(SQUARE_AXES.values()):
        there = shift(array, step)
        both = (array >= 0) & (there >= 0)
        yield np.where(both, (axis * patterns + array) * patterns + there, -1).reshape(-1)
