"""Where `wavefold world` looks: a rectangle of chunks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wavefold.errors import ConfigError
from wavefold.world.plan import FARTHEST

NUMBER = r"(-?\d{1,13})"  # whatever the chunks, 2**40 cells either way are counted with that
REGION = re.compile(rf"\s*{NUMBER}:{NUMBER}\s*,\s*{NUMBER}:{NUMBER}\s*")
MOST_CELLS = 1 << 24  # in memory
MOST_STREAMED = 1 << 32  # on the disk, written chunk by chunk


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


def check_size(place: Place, side: int, streamed: bool = False) -> None:
    """Raise if nobody would want to wait for it, or if it lies beyond the end of a world."""
    _, _, width, height = place.cells(side)
    if max(map(abs, (place.left, place.right, place.top, place.bottom))) * side > FARTHEST:
        raise ConfigError(
            f"--region is too far away: a world has 2**40 cells either way, which is {FARTHEST // side:,} "
            f"chunks of {side}"
        )
    most = MOST_STREAMED if streamed else MOST_CELLS
    if width * height > most:
        advice = "" if streamed else f", or write only a .zarr, which may have {MOST_STREAMED:,}"
        raise ConfigError(
            f"a region of {place.right - place.left:,} x {place.bottom - place.top:,} chunks has "
            f"{width * height:,} cells, more than {most:,}; make it smaller{advice}"
        )
