"""Corners: what two or three neighbours ask of a cell together, and whether anything can give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wavefold.auditing.demands import Demands

__all__ = ["Corner", "Hole", "corners_of", "counted", "holes", "pairs_of", "triples_of"]

FRAGILE = 2  # patterns that fit a corner, at most
MOST_AT_ONCE = 1 << 24  # numbers in a block of work

Sides = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Corner:
    """How many combinations of demands on touching sides can be met."""

    sides: tuple[str, ...]
    combinations: int
    impossible: int
    fragile: int  # met by one or two patterns


@dataclass(frozen=True, slots=True)
class Hole:
    """A combination of demands that nothing meets, and what comes nearest."""

    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    nearest: str  # a pattern that meets all but one of them
    missing: str  # the side where it does not


def pairs_of(topology: str) -> list[tuple[int, int]]:
    """Sides that meet in a corner, two by two."""
    if topology == "hex":
        return [(side, (side + 1) % 6) for side in range(6)]
    ring: list[tuple[int, int]] = [(side, (side + 1) % 4) for side in range(4)]
    return ring if topology == "square" else ring + [(side, face) for face in (4, 5) for side in range(4)]


def triples_of(topology: str) -> list[Sides]:
    """Three sides in a row; on cubes the three that meet in a corner."""
    if topology == "cube":
        return [(side, (side + 1) % 4, face) for face in (4, 5) for side in range(4)]
    sides = 4 if topology == "square" else 6
    return [(side, (side + 1) % sides, (side + 2) % sides) for side in range(sides)]


def counted(demands: Demands, sides: Sides) -> NDArray[np.int64]:
    """[kind, kind(, kind)] how many patterns meet each combination of demands on these sides."""
    met = [demands.met[side].astype(np.float32) for side in sides]  # counts stay exact, and BLAS is quick
    if len(sides) == 2:
        return np.asarray(np.rint(met[0] @ met[1].T), np.int64)
    first, second, third = met
    counts = np.zeros((len(first), len(second), len(third)), np.int64)
    fitting = np.argwhere(first @ second.T > 0)
    block = max(1, MOST_AT_ONCE // first.shape[1])
    for start in range(0, len(fitting), block):
        here, there = fitting[start : start + block].T
        counts[here, there] = np.rint((first[here] * second[there]) @ third.T)
    return counts


def corners_of(demands: Demands, combinations: Sequence[Sides]) -> list[Corner]:
    """How each corner fares."""
    compass = demands.tiles.directions
    found = []
    for sides in combinations:
        counts = counted(demands, sides)
        fragile = int(((counts > 0) & (counts <= FRAGILE)).sum())
        names = tuple(compass[side] for side in sides)
        found.append(Corner(names, counts.size, int((counts == 0).sum()), fragile))
    return found


def holes(demands: Demands, sides: Sides, failing: NDArray[np.bool_], most: int) -> list[Hole]:
    """The first `most` of these failing combinations, in words."""
    compass, names = demands.tiles.directions, demands.tiles.rules.names
    found = []
    for kinds in np.argwhere(failing)[:most].tolist():
        rows = np.stack([demands.met[side][kind] for side, kind in zip(sides, kinds, strict=True)])
        nearest = int(rows.sum(axis=0).argmax())
        missing = int(rows[:, nearest].argmin())
        found.append(
            Hole(
                tuple(compass[side] for side in sides),
                tuple(demands.labels[side][kind] for side, kind in zip(sides, kinds, strict=True)),
                names[nearest],
                compass[sides[missing]],
            )
        )
    return found
