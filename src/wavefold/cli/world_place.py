"""Where `wavefold world` looks: a rectangle of chunks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wavefold.errors import ConfigError

__all__ = ["Place", "check_size", "read_region"]

REGION = re.compile(r"\s*(-?\d{1,9}):(-?\d{1,9})\s*,\s*(-?\d{1,9}):(-?\d{1,9})\s*")
MOST_CELLS = 1 << 24


@dataclass(frozen=True, slots=True)
class Place:
    """Which chunks are looked at; the last are not included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def chunks(self) -> list[tuple[int, int]]:
        """All of them, row by row."""
        return [(x, y) for y in range(self.top, self.bottom) for x in range(self.left, self.right)]

    def cells(self, side: int) -> tuple[int, int, int, int]:
        """The first cell, the width and the height."""
        width, height = (self.right - self.left) * side, (self.bottom - self.top) * side
        return self.left * side, self.top * side, width, height


def read_region(text: str) -> Place:
    """`-4:4,-2:2` -> eight chunks across, four down."""
    found = REGION.fullmatch(text)
    if found is None:
        raise ConfigError(
            f"--region {text!r} is no region: write chunks as from:to,from:to, such as -4:4,-4:4"
        )
    left, right, top, bottom = map(int, found.groups())
    if right <= left or bottom <= top:
        raise ConfigError(f"--region {text!r} is empty: each number after a colon must be larger")
    return Place(left, right, top, bottom)


def check_size(place: Place, side: int) -> None:
    """Raise if nobody would want to wait for it."""
    _, _, width, height = place.cells(side)
    if width * height > MOST_CELLS:
        raise ConfigError(
            f"a region of {len(range(place.left, place.right)):,} x {len(range(place.top, place.bottom)):,} "
            f"chunks has {width * height:,} cells, more than {MOST_CELLS:,}; make it smaller"
        )
