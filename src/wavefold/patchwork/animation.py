"""An animation of a patchwork: one frame after each populated grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from PIL import Image

from wavefold.errors import ConfigError
from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.picture import PatchworkSketch, as_solution
from wavefold.patchwork.plan import Cell, Key

LONGEST = 720  # pixels across unless told otherwise
MOST_PIXELS = 1 << 28  # of all frames
PAPER = (255, 255, 255, 255)
MILLISECONDS, LAST = 350, 2500  # that a frame is shown, and the last one

Progress = Callable[[int, int], None]


class GrowthStep(NamedTuple):
    """The map after a grid was populated."""

    grids: tuple[Key, ...]
    patterns: dict[Cell, int]
    changed: tuple[Cell, ...]  # since the step before
    dropped: tuple[Cell, ...]  # so far


def record_growth(map: Patchwork, keys: Sequence[Key], progress: Progress | None = None) -> list[GrowthStep]:
    """Populate these grids of an empty map, recording it after each; solved at once, there is one step."""
    steps: list[GrowthStep] = []

    def remember(done: int, total: int) -> None:
        patterns = map.patterns
        before = steps[-1].patterns if steps else {}
        changed = tuple(cell for cell, pattern in before.items() if patterns[cell] != pattern)
        steps.append(GrowthStep(map.grids, patterns, changed, map.dropped))
        if progress is not None:
            progress(done, total)

    map.populate_all(keys, remember)
    return steps


class GrowthFrames:
    """The frames of an animation, one per step; dots mark changed cells, rings dropped ones."""

    def __init__(
        self,
        map: Patchwork,
        steps: Sequence[GrowthStep],
        *,
        tile_size: int | None = None,
        outlines: bool = True,
        marks: bool = True,
        levels: bool = True,
    ) -> None:
        if not steps:
            raise ConfigError("there is nothing to show: no grid was populated")
        self._map, self._steps = map, steps
        self._outlines, self._marks, self._levels = outlines, marks, levels
        self._sketch = PatchworkSketch(as_solution(map), tile_size, LONGEST)
        self.size = (self._sketch.canvas.width, self._sketch.canvas.height)
        if self.size[0] * self.size[1] * len(steps) > MOST_PIXELS:
            raise ConfigError(
                f"{len(steps)} frames of {self.size[0]:,} x {self.size[1]:,} pixels are more than "
                f"{MOST_PIXELS:,} pixels in all; use a smaller tile_size, or fewer grids"
            )

    @property
    def milliseconds(self) -> list[int]:
        """How long each frame is shown."""
        return [MILLISECONDS] * (len(self) - 1) + [LAST]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Image.Image]:
        for step in self._steps:
            image = self._sketch.paint(step.patterns, self._levels)
            if self._outlines:
                cells_of = self._map.cells_of
                self._sketch.outline(image, {cell: key for key in step.grids for cell in cells_of(key)})
            if self._marks:
                self._sketch.mark(image, step.changed, step.dropped)
            page = Image.new("RGBA", image.size, PAPER)
            page.alpha_composite(image)
            yield page.convert("RGB")
