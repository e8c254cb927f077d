"""What all drawings share: how large they may be, and the colours of cells that are not decided."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.render.pictures import flat_colours
from wavefold.solver.solution import Partial, Solution

__all__ = ["IMPOSSIBLE", "MOST_PIXELS", "Map", "cell_colours", "check_pixels"]

Map: TypeAlias = Solution | Partial

MOST_PIXELS = 1 << 26  # 8192 x 8192: 256 MB while it is being drawn
IMPOSSIBLE = (255, 0, 96, 255)  # a cell that has nothing left


def cell_colours(solution: Map) -> NDArray[np.uint8]:
    """uint8 [cell, RGBA]: one colour for each cell, decided or not."""
    colours = flat_colours(solution.problem)
    if isinstance(solution, Solution):
        return colours[solution.patterns]
    possible = solution.possible.astype(np.float32)
    left = possible.sum(axis=1, keepdims=True)
    means = possible @ colours.astype(np.float32) / np.maximum(left, 1)
    mixed: NDArray[np.uint8] = means.round().astype(np.uint8)
    mixed[left[:, 0] == 0] = IMPOSSIBLE
    return mixed


def check_pixels(width: int, height: int, size: int) -> None:
    """Raise, and say what would fit, if the picture would be too large."""
    if width * height > MOST_PIXELS:
        fitting = int(size * (MOST_PIXELS / (width * height)) ** 0.5)
        advice = f"tile_size={fitting}" if fitting else "a part of the map"
        raise ConfigError(
            f"the picture would be {width:,} x {height:,} pixels, more than {MOST_PIXELS:,} in all; "
            f"try {advice}"
        )
