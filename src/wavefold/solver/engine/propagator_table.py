"""Propagators as arrays for kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.solver.propagators import (
    AreaSize,
    DistanceLimit,
    Network,
    Propagator,
    Restriction,
    RunLimit,
    Tally,
    TwinCells,
)

UNLIMITED_COUNT = 1 << 40  # stands for no limit: no count of cells reaches it

NO_PROPAGATORS: dict[str, NDArray[Any]] = {
    "propagator": np.zeros((0, c.PROPAGATOR_SIZE), np.int64),
    "group": np.zeros((0, 0), np.uint64),
    "area": np.zeros((0, 0), np.uint8),
    "barrier": np.zeros((0, 0), np.uint32),
    "twin": np.zeros((0, 0), np.int32),
    "image": np.zeros((0, 0), np.int32),
    "path_mask": np.zeros((0, 0, 0, 0), np.uint64),
}


def tabulate_propagators(propagators: Sequence[Propagator]) -> dict[str, NDArray[Any]]:
    """Return the arrays of `RuleTable` for these propagators, except restrictions, which change domains."""
    table = PropagatorRows()
    for propagator in propagators:
        if not isinstance(propagator, Restriction):
            table.add(propagator)
    arrays = table.arrays()
    tallies = [each for each in propagators if isinstance(each, Tally)]
    if any(excludes(one, other) for one in tallies for other in tallies):
        # A search would not detect this: it would try every place for the last cell that fits.
        is_tally = arrays["propagator"][:, c.FAMILY] == c.TALLY
        arrays["propagator"][is_tally, c.MOST] = -1
    return arrays


def excludes(one: Tally, other: Tally) -> bool:
    """Return whether the lower limit of one exceeds the upper limit of the other.

    The area of the other must contain that of the one.
    """
    if other.most is None or one.least <= other.most or (one.patterns & ~other.patterns).any():
        return False
    return other.area is None or (one.area is not None and not (one.area & ~other.area).any())


class PropagatorRows:
    """Collects the rows of the arrays."""

    def __init__(self) -> None:
        self._rows: dict[str, list[NDArray[Any]]] = {name: [] for name in NO_PROPAGATORS}
        self._tallies = 0

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all rows as arrays; networks are padded to the nodes and sides of the largest."""
        networks = self._rows["path_mask"]
        if networks:
            nodes, sides = np.max([mask.shape[:2] for mask in networks], axis=0)
            self._rows["path_mask"] = [
                np.pad(mask, ((0, nodes - len(mask)), (0, sides - mask.shape[1]), (0, 0)))
                for mask in networks
            ]
        return {
            name: np.ascontiguousarray(np.stack(rows), NO_PROPAGATORS[name].dtype)
            if rows
            else NO_PROPAGATORS[name]
            for name, rows in self._rows.items()
        }

    def add(self, propagator: Propagator) -> None:
        """Add the rows of a propagator."""
        row = np.full(c.PROPAGATOR_SIZE, -1, np.int64)
        row[c.FIRST] = row[c.SECOND] = self._add("group", pack_bits(propagator.patterns))
        if propagator.area is not None:
            row[c.WHERE] = self._add("area", propagator.area)
        row[c.FAMILY] = self._fill(row, propagator)
        self._rows["propagator"].append(row)

    def _add(self, name: str, row: NDArray[Any]) -> int:
        self._rows[name].append(row)
        return len(self._rows[name]) - 1

    def _fill(self, row: NDArray[np.int64], propagator: Propagator) -> int:
        """Write the values of a propagator into its row; returns its family."""
        match propagator:
            case Tally(least=least, most=most):
                row[c.LEAST], row[c.MOST] = bound(least), bound(most)
                row[c.ROW] = self._tallies
                self._tallies += 1
                return c.TALLY
            case DistanceLimit(distance=distance, others=others, across=across):
                row[c.SPAN] = distance
                if others is not None:
                    row[c.SECOND] = self._add("group", pack_bits(others))
                if across is not None:
                    row[c.ROW] = self._add("barrier", across)
                return c.APART
            case RunLimit(most=most, directions=directions, in_pairs=in_pairs):
                row[c.SPAN] = bound(most)
                row[c.SIDES] = sum(1 << direction for direction in directions)
                return c.PARALLEL if in_pairs else c.RUN
            case TwinCells(twin=twin, image=image):
                row[c.ROW] = self._add("twin", twin)
                self._add("image", image)
                return c.TWINS
            case AreaSize(least=least, most=most, open_border=open_border):
                row[c.LEAST], row[c.MOST] = bound(least), bound(most)
                row[c.SPAN] = int(open_border)
                return c.ROOMS
            case Network():
                self._fill_network(row, propagator)
                return c.NETWORK
        raise TypeError(f"no kernel applies {propagator!r}")

    def _fill_network(self, row: NDArray[np.int64], network: Network) -> None:
        row[c.GOAL] = network.goal
        row[c.ROW] = self._add("path_mask", mask_sides(network.sides))
        if network.starts is not None:
            row[c.JOINS] = self._add("area", network.starts)
        if network.goals is not None:
            row[c.GOALS] = self._add("area", network.goals)
        if network.start_patterns is not None:
            row[c.FIRST] = self._add("group", pack_bits(network.start_patterns))
        if network.goal_patterns is not None:
            row[c.SECOND] = self._add("group", pack_bits(network.goal_patterns))
        if network.at_most is not None:
            row[c.SPAN] = bound(network.at_most)


def mask_sides(sides: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Return the patterns with each node, and those joined on each side: [node, (all, side 0, …), word]."""
    shifts = np.arange(int(sides.max(initial=0)).bit_length(), dtype=np.uint32)
    by_side = (sides[:, None, :] >> shifts[:, None] & 1).astype(bool)
    return pack_bits(np.concatenate([sides[:, None, :] != 0, by_side], axis=1))


def bound(number: int | None) -> int:
    """Return a number that kernels can represent; UNLIMITED_COUNT for None and larger numbers."""
    return UNLIMITED_COUNT if number is None else min(number, UNLIMITED_COUNT)
