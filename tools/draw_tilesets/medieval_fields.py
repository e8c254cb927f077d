"""Hexagons as numbers at every pixel: how far from a side, how wet, how high, how far from a road.

On a side each of them depends on that side alone, or on its two corners, so neighbours meet without a seam.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, radians, sin
from typing import NamedTuple

import numpy as np

from draw_tilesets.pixels import Field
from wavefold.tiles.tile import Pattern

ACROSS, ALONG = 38, 44  # pixels from side to side, and from corner to corner
INNER, OUTER = ACROSS / 2, ALONG / 2
BEND = OUTER * 1.5  # radius of a way that leaves by the next side but one
SWING = 4.0  # how far a curvy river strays
SIDES = 6


class Plot(NamedTuple):
    """The ground of one hexagon, pixel by pixel, seen from its middle."""

    x: Field
    y: Field
    along: Field  # [side, row, column] how far towards the middle of that side
    aside: Field  # [side, row, column] how far to its left or right, seen from the middle
    to_side: Field  # [side, row, column] how far from that side, at least a little
    tilt: float  # degrees by which the hexagon is turned from standing on a corner

    def wetness(self, corners: Sequence[bool]) -> Field:
        """From 0 to 1, between dry and wet corners; straight along every side. Corner s ends side s."""
        weight = 1 / (self.to_side * np.roll(self.to_side, -1, axis=0))
        return np.asarray((weight * np.array(corners, float)[:, None, None]).sum(axis=0) / weight.sum(axis=0))

    def height(self, heights: Sequence[int]) -> Field:
        """Level on every side, and between them as smooth as can be."""
        weight = self.to_side**-2
        return np.asarray((weight * np.array(heights)[:, None, None]).sum(axis=0) / weight.sum(axis=0))

    def way(self, sides: Sequence[int], curvy: bool = False) -> Field:
        """How far each pixel is from the middle line of a road or river that leaves by these sides."""
        if len(sides) == 1:
            return self.arm(sides[0])
        lines = [self.line(a, b, curvy) for a, b in combinations(sides, 2) if 1 < (b - a) % SIDES < 5]
        return np.asarray(np.min([np.full(self.x.shape, np.inf), *lines], axis=0))

    def arm(self, side: int) -> Field:
        """How far from the line between the middle and this side."""
        return np.where(self.along[side] > 0, np.abs(self.aside[side]), np.hypot(self.x, self.y))

    def line(self, a: int, b: int, curvy: bool = False) -> Field:
        """How far from the line between two sides: straight, or bent around the side between them."""
        if (b - a) % SIDES == 3:
            if not curvy:
                return np.asarray(np.abs(self.aside[a]))
            turn = np.pi * self.along[a] / INNER
            swing = SWING * np.sin(turn) * np.cos(turn / 2)
            steep = (
                SWING
                * np.pi
                / INNER
                * (np.cos(turn) * np.cos(turn / 2) - np.sin(turn) * np.sin(turn / 2) / 2)
            )
            return np.asarray(np.abs(self.aside[a] + swing) / np.sqrt(1 + steep**2))
        between = (a + 1 if (b - a) % SIDES == 2 else a - 1) % SIDES
        return np.asarray(np.abs(np.hypot(self.along[between] - ACROSS, self.aside[between]) - BEND))

    def towards(self, side: float, far: float) -> tuple[float, float]:
        """The point this far from the middle towards a side; 2.5 is the corner between sides 2 and 3."""
        angle = radians(side * 60 - 60 + self.tilt)
        return far * cos(angle), far * sin(angle)


@lru_cache
def plot(flat: bool) -> Plot:
    """The ground of a hexagon on a corner, or on a side."""
    rows, columns = (ACROSS, ALONG) if flat else (ALONG, ACROSS)
    y, x = np.mgrid[:rows, :columns] + 0.5
    y, x = y - rows / 2, x - columns / 2
    tilt = 30.0 * flat
    angle = np.radians(np.arange(SIDES) * 60 - 60 + tilt)[:, None, None]
    along = x * np.cos(angle) + y * np.sin(angle)
    aside = y * np.cos(angle) - x * np.sin(angle)
    return Plot(x, y, along, aside, np.maximum(INNER - along, 0.25), tilt)


def wet_corners(pattern: Pattern) -> list[bool]:
    """Which corners lie in water; corner s ends side s, clockwise.

    Shores cross the middle of a side. Between two of them the corner is what the sides beyond are not; in
    a valid map all three cells around a corner agree.
    """
    sockets = pattern.sockets or ()
    return [corner_is_wet(sockets, side) for side in range(SIDES)]


def corner_is_wet(sockets: Sequence[str], side: int) -> bool:
    here, there = sockets[side], sockets[(side + 1) % SIDES]
    if here == there == "coast":
        return sockets[side - 1] != "water"
    return "water" in (here, there)


def sides_with(pattern: Pattern, socket: str) -> list[int]:
    """The sides that show this socket."""
    return [side for side, each in enumerate(pattern.sockets or ()) if each == socket]
