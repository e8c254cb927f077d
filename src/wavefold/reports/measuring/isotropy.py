"""Isotropy: whether lines, edges and diagonals are equally frequent in all directions.

A set is symmetric under a rotation or reflection if almost every pattern has a counterpart with the same
sides, rotated or reflected. Two sides are the same if patterns of about the same total weight fit them. Tiles
without a counterpart may have up to `MOST_UNMATCHED` of the weight.

Only directions that a symmetry of the set exchanges are compared. If none is preferred, rotating or
reflecting each block of the maps at random changes the result only by chance. So the noise floor of a figure
is its mean after such changes. The verdict compares the largest ratio of a figure to its floor with the
largest ratio after such changes, because the largest of many ratios is always above 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.reports.measuring.blocks import DRAWS, SEED, Deviation
from wavefold.reports.measuring.lines import DIAGONAL, EDGE, LINE, PatternLabels, find_runs, shift
from wavefold.tiles import LearnedTileSet, Orientation, get_ring
from wavefold.tiles.orientation import generate_group
from wavefold.topology import make_single_cell

MOST_UNMATCHED = 0.05  # of the weight of all patterns
MOST_LOG_DIFFERENCE = 0.15  # between the logarithms of the weights that fit two equal sides
LEARNED_TURNED, LEARNED_MIRRORED = 8, 2  # values of `symmetry`: all variants, or left and right mirrored
LEAST_LENGTHS = (4, 8)  # cells in a run
LEAST_RUNS = 24  # fewer are not compared
LEAST_CHANCE = 0.01  # of a difference that is attributed to chance
MOST_INVISIBLE = 0.05  # share of runs in the wrong direction that cannot be seen

PatternSides = NDArray[np.float64]  # [pattern, side]
RunCounts = NDArray[np.int64]  # [block, axis]
RunKind = tuple[str, str, int]  # kind of feature, name of the line, cells in a run


@lru_cache(maxsize=4)  # because audits measure many maps of one set
def find_symmetries(labels: PatternLabels) -> tuple[Orientation, ...]:
    """Find the rotations and reflections that leave the set unchanged, the identity first."""
    ring = get_ring(labels.topology)
    if isinstance(labels.tiles, LearnedTileSet) and labels.tiles.n > 1:
        if labels.tiles.ground_pattern is not None or labels.tiles.symmetry < LEARNED_TURNED:
            mirrored = labels.tiles.symmetry >= LEARNED_MIRRORED
            return (Orientation(), Orientation(0, True)) if mirrored else (Orientation(),)
        return tuple(ring.list_orientations())
    sides: PatternSides = np.log(measure_sides(labels))
    weights = labels.rules.weights / labels.rules.weights.sum()
    signatures, number = np.unique(np.round(sides, 6).astype(np.float64), axis=0, return_inverse=True)
    shares = np.bincount(number.reshape(-1), weights).astype(np.float64)
    found = [Orientation()]
    for orientation in ring.list_orientations():
        moved = [ring.move_side(side, orientation) for side in range(sides.shape[1])]
        turned = np.empty_like(signatures)
        turned[:, moved] = signatures
        if orientation not in found and measure_unmatched(turned, signatures, shares) <= MOST_UNMATCHED:
            found.append(orientation)
    return tuple(generate_group(found, ring))


def measure_sides(labels: PatternLabels) -> PatternSides:
    """Measure the share of all weight that fits each side of each pattern."""
    rules = labels.rules
    weights = rules.weights / rules.weights.sum()
    fits = [
        (unpack_bits(relation.rows, len(rules)) @ weights)[relation.class_of] for relation in rules.relations
    ]
    return np.asarray(np.maximum(np.stack(fits, axis=1), 1e-12))


def measure_unmatched(turned: PatternSides, signatures: PatternSides, shares: NDArray[np.float64]) -> float:
    """Measure the share of patterns without a counterpart; patterns are matched by descending share."""
    left, missing = shares.copy(), 0.0
    for index in each_checked(np.argsort(-shares, kind="stable"), 64):
        wanted = shares[index]
        alike = np.abs(signatures - turned[index]).max(axis=1)
        for other in np.argsort(alike, kind="stable"):
            if alike[other] > MOST_LOG_DIFFERENCE or wanted <= 0:
                break
            taken = min(wanted, left[other])
            left[other] -= taken
            wanted -= taken
        missing += wanted
    return float(missing)


@dataclass(frozen=True, slots=True)
class DirectionCounts:
    """Straight runs of one kind, by direction."""

    kind: str  # "lines", "edges", "diagonals"
    name: str  # of lines: the socket or value; "" for all lines
    length: int  # cells in a run, at least
    runs: dict[str, int]  # by direction
    uneven: Deviation  # the share of runs in the wrong direction, if all have the same room

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        what = {"kind": self.kind, "name": self.name, "length": self.length}
        return {**what, "runs": self.runs, **self.uneven.to_dict()}

    def __str__(self) -> str:
        runs = ", ".join(f"{count} {name}" for name, count in self.runs.items())
        return f"{self.title}: {runs}; uneven by {self.uneven}"

    @property
    def title(self) -> str:
        """The description of the runs, such as "lines of road, 8 cells and longer"."""
        return f"{self.kind}{f' of {self.name}' if self.name else ''}, {self.length} cells and longer"


@dataclass(frozen=True, slots=True)
class Isotropy:
    """The comparison of directions; empty if the set is not symmetric, or has too few runs."""

    counts: tuple[DirectionCounts, ...]  # the largest ratio to the floor first
    chance: float  # the probability that the largest ratio is at least this large by chance
    limit: float = 0.0  # the largest ratio exceeds this by chance in 1% of cases
    why_not: str = ""  # why nothing could be compared

    @property
    def applicable(self) -> bool:
        """Whether anything was compared."""
        return not self.why_not

    @property
    def worst(self) -> DirectionCounts | None:
        """The most uneven counts, relative to noise."""
        return self.counts[0] if self.counts else None

    @property
    def holds(self) -> bool | None:
        """Whether directions differ only by chance or invisibly; None if nothing was compared."""
        if self.worst is None:
            return None
        return self._is_chance or all(each.uneven.distance <= MOST_INVISIBLE for each in self.counts)

    @property
    def _is_chance(self) -> bool:
        return self.chance >= LEAST_CHANCE

    @property
    def reason(self) -> str:
        """The reason for the verdict; empty if there is none."""
        if self.worst is None:
            return ""
        if self.holds and not self._is_chance:
            return f"all differences are at most {MOST_INVISIBLE:g} and cannot be seen"
        by_chance = f"by chance, the largest ratio exceeds {self.limit:.1f} in {LEAST_CHANCE:.0%} of cases"
        return f"{by_chance}, and {self.worst.uneven.ratio:.1f} in {self.chance:.1%}"

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        verdict = {"holds": self.holds, "chance": self.chance, "limit": round(self.limit, 2)}
        return {**verdict, "why_not": self.why_not, "counts": [each.to_dict() for each in self.counts]}

    def __str__(self) -> str:
        if self.worst is None:
            return f"not applicable: {self.why_not}"
        return f"{'yes' if self.holds else 'no'}; {self.worst}"


def measure_isotropy(
    labels: PatternLabels, arrays: Sequence[NDArray[np.int64]], blocks: Sequence[NDArray[np.int64]]
) -> Isotropy:
    """Compare directions in maps of one set; `blocks` number the block of each cell."""
    symmetries = find_symmetries(labels)
    if len(symmetries) == 1:
        return Isotropy((), 1.0, why_not="the set is not symmetric: it has no rotations or mirror images")
    rooms = {
        (diagonal, length): count_room(labels, arrays, diagonal, length)
        for diagonal in (False, True)
        for length in LEAST_LENGTHS
    }
    tables = [
        DirectionTable(labels, symmetries, key, counts, rooms[key[0] == DIAGONAL, key[2]])
        for key, counts in count_runs(labels, arrays, blocks).items()
    ]
    if not any(each.axes for each in tables if each.kind != DIAGONAL):
        why_not = "the set has mirror symmetry only, and there are too few diagonals"
    else:
        why_not = "there are too few straight lines, edges and diagonals"
    tables = [each for each in tables if each.total >= LEAST_RUNS]
    if not tables:
        return Isotropy((), 1.0, why_not=why_not)
    random = np.random.default_rng(SEED)
    chosen = random.integers(0, len(symmetries), (DRAWS, tables[0].counts.shape[0]))
    by_chance = np.stack([each.measure_turned(chosen) for each in tables], axis=1)
    usual = np.maximum(by_chance.mean(axis=0), 1e-9)
    found = [each.to_counts(floor) for each, floor in zip(tables, usual.tolist(), strict=True)]
    found.sort(key=lambda each: -each.uneven.ratio)
    worst = (by_chance / usual).max(axis=1)  # [draw]
    chance = float((worst >= found[0].uneven.ratio).mean())
    return Isotropy(tuple(found), chance, float(np.quantile(worst, 1 - LEAST_CHANCE, method="inverted_cdf")))


def count_runs(
    labels: PatternLabels, arrays: Sequence[NDArray[np.int64]], blocks: Sequence[NDArray[np.int64]]
) -> dict[RunKind, RunCounts]:
    """Count runs by kind, name and length; the name "" stands for all lines of a kind."""
    block_count = int(blocks[-1].max()) + 1
    widths = {LINE: len(labels.axes), EDGE: len(labels.axes), DIAGONAL: len(labels.diagonals)}
    found: dict[RunKind, RunCounts] = {}
    for array, block in zip(arrays, blocks, strict=True):
        for trace in labels.traces(array):
            runs = find_runs(trace.codes, trace.step, min(LEAST_LENGTHS))
            at = block.reshape(-1)[runs.start]
            for name in ("", *dict.fromkeys(trace.names)):
                is_named = np.array([each == name for each in trace.names], bool)
                kept = is_named[runs.code] if name else np.ones(at.size, bool)
                for length in LEAST_LENGTHS if kept.any() else ():
                    key = (trace.kind, name, length)
                    counts = found.setdefault(key, np.zeros((block_count, widths[trace.kind]), np.int64))
                    longer = kept & (runs.length >= length)
                    counts[:, trace.axis] += np.bincount(at[longer], minlength=block_count)
    return found


def count_room(
    labels: PatternLabels, arrays: Sequence[NDArray[np.int64]], diagonal: bool, length: int
) -> NDArray[np.int64]:
    """Count the straight rows of this length that fit into the maps along each axis."""
    ways = labels.diagonals if diagonal else [(side,) for side in labels.axes]
    room = np.zeros(len(ways), np.int64)
    for axis, sides in enumerate(ways):
        for array in arrays:
            fits = array >= 0
            for times in range(1, length):
                fits &= shift(array, tuple(times * each for each in labels.step(*sides))) >= 0
            room[axis] += fits.sum()
    return room


class DirectionTable:
    """Counts of one kind of run, and how the symmetries of the set exchange directions.

    counts : [block, axis] runs, scaled as if each direction had the same room
    """

    def __init__(
        self,
        labels: PatternLabels,
        symmetries: Sequence[Orientation],
        key: RunKind,
        counts: RunCounts,
        room: NDArray[np.int64],
    ) -> None:
        self.kind, self.name, self.length = key
        self.runs = counts.sum(axis=0)
        self.moved = np.array([move_axes(labels, self.kind, each) for each in symmetries])
        every = range(counts.shape[1])
        alike = [sorted(set(self.moved[:, axis].tolist())) for axis in every]
        self.axes = [axis for axis, others in enumerate(alike) if len(others) > 1]
        self.mean = np.zeros((len(every), len(every)))  # [axis, axis] averages over exchanged axes
        for axis in self.axes:
            self.mean[axis, alike[axis]] = 1 / len(alike[axis])
        self.names = [name_axis(labels, self.kind, axis) for axis in every]
        usual = room[self.axes].mean() if self.axes else 1
        self.counts = counts * (usual / np.maximum(room, 1))
        self.total = float(self.counts[:, self.axes].sum())  # in directions that are exchanged

    def measure_distance(self, counts: NDArray[Any]) -> NDArray[np.float64]:
        """Return the share of runs in the wrong direction, for counts [..., axis]."""
        own = counts[..., self.axes]
        equal = (counts @ self.mean.T)[..., self.axes]
        distance: NDArray[np.float64] = np.abs(own - equal).sum(axis=-1) / (2 * self.total)
        return distance

    def measure_turned(self, chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the distance of each draw, with symmetry `chosen` [draw, block] applied to each block."""
        totals = np.zeros((len(chosen), self.counts.shape[1]))
        for index, moved in enumerate(self.moved):
            totals[:, moved] += (chosen == index).astype(np.float64) @ self.counts
        return self.measure_distance(totals)

    def to_counts(self, floor: float) -> DirectionCounts:
        """Return the counts by the names of directions, with this noise floor."""
        runs = {self.names[axis]: int(self.runs[axis]) for axis in self.axes}
        uneven = Deviation(float(self.measure_distance(self.counts.sum(axis=0))), floor)
        return DirectionCounts(self.kind, self.name, self.length, runs, uneven)


def move_axes(labels: PatternLabels, kind: str, orientation: Orientation) -> list[int]:
    """Return the axis or diagonal that each becomes."""
    ring, opposite = get_ring(labels.topology), labels.grid.opposite_sides()
    if kind != DIAGONAL:
        moved = [ring.move_side(side, orientation) for side in labels.axes]
        return [labels.axes.index(min(side, opposite[side])) for side in moved]
    found = []
    for sides in labels.diagonals:
        step = labels.step(*(ring.move_side(side, orientation) for side in sides))
        ways = [labels.step(*each) for each in labels.diagonals]
        found.append(next(i for i, way in enumerate(ways) if step in (way, tuple(-each for each in way))))
    return found


def name_axis(labels: PatternLabels, kind: str, axis: int) -> str:
    """Return the name of a direction, such as "north–south"."""
    names, opposite = make_single_cell(labels.topology).directions, labels.grid.opposite_sides()
    if kind != DIAGONAL:
        side = labels.axes[axis]
        return f"{names[side]}–{names[opposite[side]]}"
    one, other = labels.diagonals[axis]
    ends = (one, other), (opposite[one], opposite[other])
    return "–".join(join_compass_points(names[first], names[second]) for first, second in ends)


def join_compass_points(one: str, other: str) -> str:
    """Join two compass points, such as to "northeast"."""
    vertical = sorted((one, other), key=lambda name: name not in ("north", "south"))
    return "".join(vertical) if vertical[0] in ("north", "south") else " and ".join(vertical)
