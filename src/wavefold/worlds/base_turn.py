"""Turn the base of a refined world: each seed uses another orientation, if the tile set allows it.

A set allows a turn or a mirror image if each pattern has a counterpart with the same weight and the same
factors, so that a valid map stays valid when it is turned.
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.tiles import Rules
from wavefold.tiles.orientation import ring_of
from wavefold.tiles.turning import find_counterparts
from wavefold.topology import lattice_class


class Rectangle(NamedTuple):
    """Cells of a plane."""

    x: int
    y: int
    width: int
    height: int


class BaseTurn(NamedTuple):
    """One orientation of the plane: its axes are exchanged or not, then each is reversed (-1) or not (1)."""

    exchanged: bool
    right: int
    down: int
    counterparts: NDArray[np.int32]  # [pattern] -> its turned pattern

    def find_source(self, wanted: Rectangle) -> Rectangle:
        """The rectangle of the unturned plane that becomes this rectangle."""
        x, y, width, height = wanted
        left, top = (x if self.right > 0 else 1 - x - width), (y if self.down > 0 else 1 - y - height)
        return Rectangle(top, left, height, width) if self.exchanged else Rectangle(left, top, width, height)

    def turn(self, plane: NDArray[Any]) -> NDArray[np.int32]:
        """The content [row, column] of the source, turned."""
        turned = (plane.T if self.exchanged else plane)[:: self.down, :: self.right]
        return np.ascontiguousarray(self.counterparts[turned])


def find_turns(rules: Rules, labels: NDArray[np.int64]) -> tuple[BaseTurn, ...]:
    """All orientations in which a plane stays valid by these rules; the unturned one is first.

    labels : [pattern] those of a pattern and its counterpart are equal
    """
    ring, steps = ring_of(rules.topology), lattice_class(rules.topology).steps.tolist()
    found = []
    for exchanged, right, down in product((False, True), (1, -1), (1, -1)):
        ends = [[x * right, y * down] for x, y in (step[::-1] if exchanged else step for step in steps)]
        if not all(end in steps for end in ends):
            continue  # a chunk of hexagons, turned by 60 degrees, is not a rectangle of cells
        sides = [steps.index(end) for end in ends]
        for orientation in ring.list_orientations():
            if sides == [ring.move_side(side, orientation) for side in range(len(steps))]:
                counterparts = find_counterparts(rules, labels, orientation)
                if counterparts is not None:
                    found.append(BaseTurn(exchanged, right, down, counterparts))
    return tuple(found)
