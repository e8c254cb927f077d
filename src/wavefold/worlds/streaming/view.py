"""A view: the generated cells of a rectangle, without waiting for the rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.worlds.generator import paste
from wavefold.worlds.streaming.delivery import ChunkDelivery
from wavefold.worlds.streaming.prefetch import Viewport

NOTHING = -1  # the pattern of a missing cell


class View(NamedTuple):
    """The available cells of a rectangle at one moment."""

    patterns: NDArray[np.int32]  # [row, column]; -1 for missing cells
    provisional: NDArray[np.bool_]  # [row, column]: cells of chunks whose inside will still change

    @property
    def missing(self) -> NDArray[np.bool_]:
        """[row, column]: cells that are not generated yet."""
        return np.equal(self.patterns, NOTHING)

    @property
    def is_final(self) -> bool:
        """Whether nothing is missing and nothing will change, except by edits."""
        return not (self.provisional.any() or self.missing.any())


def read_view(delivery: ChunkDelivery, rectangle: Viewport) -> View:
    """The available cells of a rectangle; chunks that are not final are requested, the middle first."""
    x0, y0, width, height, _ = rectangle
    view = View(np.full((height, width), NOTHING, np.int32), np.zeros((height, width), np.bool_))
    side = delivery.overlay.side
    positions, _ = rectangle.chunks(side, width * height)
    delivery.request(positions)
    # All patches of one moment, so that an edit is read whole or not at all.
    for (cx, cy), patches in zip(positions, delivery.overlay.on(positions), strict=True):
        chunk = delivery.peek((cx, cy), patches)
        if chunk is not None:
            paste(view.patterns, x0, y0, chunk, cx * side, cy * side)
            if chunk.provisional:
                paste(view.provisional, x0, y0, np.ones(chunk.shape, np.bool_), cx * side, cy * side)
    return view
