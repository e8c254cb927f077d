"""The symmetries of a tile set: turns and mirror images that leave it unchanged.

Two sides of a pattern are alike if as much, by weight, fits one as the other. A set is symmetric under a
turn if nearly each pattern has a counterpart whose sides are like its own, turned. A few tiles that are
only placed upright do not matter: less than `TOLERANCE` of the weight.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.reports.measuring.lines import PatternLabels
from wavefold.tiles import LearnedTileSet, Orientation, ring_of
from wavefold.tiles.orientation import generate_group

TOLERANCE = 0.05  # of the weight of all patterns
ALIKE = 0.15  # largest difference between logarithms of the weights that fit a side
LEARNED_TURNED, LEARNED_MIRRORED = 8, 2  # variants of each window: all, or also mirrored left to right

Floats = NDArray[np.float64]


@lru_cache(maxsize=4)  # maps of one set are measured again and again
def find_symmetries(labels: PatternLabels) -> tuple[Orientation, ...]:
    """The turns and mirror images that leave the set unchanged, the identity first."""
    ring = ring_of(labels.topology)
    if isinstance(labels.tiles, LearnedTileSet) and labels.tiles.n > 1:
        if labels.tiles.ground_pattern is not None or labels.tiles.symmetry < LEARNED_TURNED:
            mirrored = labels.tiles.symmetry >= LEARNED_MIRRORED
            return (Orientation(), Orientation(0, True)) if mirrored else (Orientation(),)
        return tuple(ring.list_orientations())
    sides: Floats = np.log(measure_sides(labels))
    weights = labels.rules.weights / labels.rules.weights.sum()
    signatures, number = np.unique(np.round(sides, 6).astype(np.float64), axis=0, return_inverse=True)
    shares = np.bincount(number.reshape(-1), weights).astype(np.float64)
    found = [Orientation()]
    for orientation in ring.list_orientations():
        moved = [ring.move_side(side, orientation) for side in range(sides.shape[1])]
        turned = np.empty_like(signatures)
        turned[:, moved] = signatures
        if orientation not in found and measure_unmatched(turned, signatures, shares) <= TOLERANCE:
            found.append(orientation)
    return tuple(generate_group(found, ring))


def measure_sides(labels: PatternLabels) -> Floats:
    """[pattern, side] the share of all weight that fits there."""
    rules = labels.rules
    weights = rules.weights / rules.weights.sum()
    fits = [
        (unpack_bits(relation.rows, len(rules)) @ weights)[relation.class_of] for relation in rules.relations
    ]
    return np.asarray(np.maximum(np.stack(fits, axis=1), 1e-12))


def measure_unmatched(turned: Floats, signatures: Floats, shares: Floats) -> float:
    """The share of patterns without a counterpart of their own; heavy ones choose first."""
    left, missing = shares.copy(), 0.0
    for index in each_checked(np.argsort(-shares, kind="stable"), 64):
        wanted = shares[index]
        alike = np.abs(signatures - turned[index]).max(axis=1)
        for other in np.argsort(alike, kind="stable"):
            if alike[other] > ALIKE or wanted <= 0:
                break
            taken = min(wanted, left[other])
            left[other] -= taken
            wanted -= taken
        missing += wanted
    return float(missing)
