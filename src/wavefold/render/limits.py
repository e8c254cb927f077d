"""What all pictures share: the type of what they draw, and how large they may be."""

from __future__ import annotations

from typing import TypeAlias

from wavefold.errors import ConfigError
from wavefold.solver.solution import Partial, Solution

Map: TypeAlias = Solution | Partial

MOST_PIXELS = 1 << 26  # 8192 x 8192: 256 MB while it is being drawn
IMPOSSIBLE = (255, 0, 96, 255)  # a cell that has nothing left


def check_pixels(width: int, height: int, size: int) -> None:
    """Raise ConfigError, suggesting a size that fits, if the picture would be too large."""
    if width * height > MOST_PIXELS:
        fitting = int(size * (MOST_PIXELS / (width * height)) ** 0.5)
        advice = f"tile_size={fitting}" if fitting else "a part of the map"
        raise ConfigError(
            f"the picture would be {width:,} x {height:,} pixels, more than {MOST_PIXELS:,} in all; "
            f"try {advice}"
        )
