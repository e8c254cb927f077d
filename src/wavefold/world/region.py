"""Read any rectangle of a world: chunks as they were generated, with the patches of edits over them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.world.edits.overlay import Overlay
from wavefold.world.generator import ChunkGenerator, paste
from wavefold.world.plan import FARTHEST

MOST_CELLS = 1 << 26  # of one region


class RegionReader:
    """Reads rectangles of cells, generating the chunks that are not cached."""

    def __init__(self, generator: ChunkGenerator) -> None:
        self.generator = generator

    def read(
        self,
        overlay: Overlay,
        x0: int,
        y0: int,
        width: int,
        height: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> NDArray[np.int32]:
        """int32 [row, column] of patterns with these patches; its cell (0, 0) is world cell (x0, y0).

        progress : called before each chunk with how many are done, and how many there are
        """
        check_distance(x0, y0)
        check_distance(x0 + width, y0 + height)
        region = np.empty((height, width), np.int32)
        side, generator = self.generator.plan.chunk, self.generator
        needed = [
            (cx, cy)
            for cy in range(y0 // side, (y0 + height - 1) // side + 1)
            for cx in range(x0 // side, (x0 + width - 1) // side + 1)
        ]
        for done, (cx, cy) in enumerate(needed):
            if progress is not None:
                progress(done, len(needed))
            paste(region, x0, y0, generator.chunk(cx, cy), cx * side, cy * side)
        # All patches of one moment, so that an edit is read whole or not at all.
        for (cx, cy), patches in zip(needed, overlay.on(needed), strict=True):
            if patches:
                chunk = overlay.over(generator.chunk(cx, cy), (cx, cy), patches)
                paste(region, x0, y0, chunk, cx * side, cy * side)
        return region


def check_size(width: int, height: int) -> None:
    """Raise ConfigError for a region that is empty or too large."""
    if width < 1 or height < 1:
        raise ConfigError(f"a region of {width} x {height} cells is empty; both must be at least 1")
    if width * height > MOST_CELLS:
        raise ConfigError(f"a region of {width * height:,} cells is too large: at most {MOST_CELLS:,}")


def check_distance(x: int, y: int) -> None:
    """Raise ConfigError for a cell farther from the origin than coordinates go."""
    if max(abs(x), abs(y)) > FARTHEST:
        raise ConfigError(f"({x}, {y}) is too far away: coordinates go up to 2**40 cells either way")
