"""Pictures of worlds: where chunks meet, which window a cell belongs to, and a view that moves over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.render.canvas import Canvas
from wavefold.render.draw import draw, make_canvas, make_fitting_canvas
from wavefold.solver import Solution
from wavefold.world.plan import STAGE_NAMES, Plan
from wavefold.world.world import World

LONGEST = 4096  # pixels across by default; cells get smaller
SEAM, HALO = (255, 255, 255, 255), (24, 24, 32, 255)
STAGES = ("corner", "edge", "joint", "interior")
TINTS = {
    "corner": (230, 40, 60, 120), "edge": (40, 110, 255, 120), "joint": (255, 200, 0, 150)
}  # fmt: skip
FRAMES = 96
VIEW = (480, 320)  # pixels


def draw_world(
    world: World,
    solution: Solution,
    x0: int,
    y0: int,
    *,
    tile_size: int | None = None,
    seams: bool = False,
    stages: bool = False,
) -> Image.Image:
    """A region whose first cell is (x0, y0), as `world.solution` gives it.

    `seams` outlines the chunks. `stages` tints the cells that were solved along borders, up to the ragged
    line behind which interiors begin: corners red, edges blue, joints yellow.
    """
    size = tile_size or fitting_tile_size(solution)
    image = draw(solution, tile_size=size)
    canvas = make_canvas(solution.problem, size)
    if stages:
        tint(image, canvas, stages_of(world, x0, y0, *solution.array.shape[::-1]))
    if seams:
        outline(image, canvas, border_lines(canvas, world.plan.chunk, x0, y0))
    return image


def fitting_tile_size(solution: Solution) -> int:
    """As large as the tiles' pictures, or so small that the whole picture is not too large to look at."""
    return make_fitting_canvas(solution.problem, LONGEST).size


def stages_of(world: World, x0: int, y0: int, width: int, height: int) -> NDArray[np.int8]:
    """[row, column] the stage in which each cell got its pattern, as an index into `STAGES`."""
    stages = windows_over(world.plan, x0, y0, width, height)
    side = world.plan.chunk
    for j in range(y0 // side, (y0 + height - 1) // side + 1):
        for i in range(x0 // side, (x0 + width - 1) // side + 1):
            fixed = world._generator.fixed_cells(world.plan.interior(i, j))
            assert fixed is not None
            left, top = i * side - x0, j * side - y0
            part = np.s_[max(0, top) : top + side, max(0, left) : left + side]
            here = fixed[max(0, -top) : side, max(0, -left) : side]
            seen = stages[part]
            seen[~here[: seen.shape[0], : seen.shape[1]]] = STAGES.index("interior")
    return stages


def windows_over(plan: Plan, x0: int, y0: int, width: int, height: int) -> NDArray[np.int8]:
    """[row, column] the stage of the last border window that each cell lies in, or the interior."""
    stages = np.full((height, width), STAGES.index("interior"), np.int8)
    reach = range((y0 - plan.radius) // plan.chunk, (y0 + height + plan.radius) // plan.chunk + 1)
    across = range((x0 - plan.radius) // plan.chunk, (x0 + width + plan.radius) // plan.chunk + 1)
    for stage in STAGES[:3]:  # in the order in which they lie over each other
        for i, j in ((i, j) for j in reach for i in across):
            for window in plan.for_chunk(i, j):
                if STAGE_NAMES[window.stage] == stage:
                    left, top = max(0, window.x - x0), max(0, window.y - y0)
                    right, bottom = window.x + window.width - x0, window.y + window.height - y0
                    stages[top : max(top, bottom), left : max(left, right)] = STAGES.index(stage)
    return stages


def tint(image: Image.Image, canvas: Canvas, stages: NDArray[np.int8]) -> None:
    """Lay a transparent colour over the cells of each stage."""
    veil = Image.new("RGBA", image.size)
    pen = ImageDraw.Draw(veil)
    for number, stage in enumerate(STAGES[:3]):
        for cell in np.flatnonzero(stages.reshape(-1) == number).tolist():
            pen.polygon(canvas.outline_of(cell), fill=TINTS[stage])
    image.alpha_composite(veil)


def border_lines(canvas: Canvas, chunk: int, x0: int, y0: int) -> list[Any]:
    """The sides of cells beyond which another chunk begins, as pairs of points."""
    topology: Any = canvas.problem.topology
    x, y = topology.coordinates.T.astype(np.int64)
    here = ((x + x0) // chunk, (y + y0) // chunk)
    lines = []
    for side, (right, down) in enumerate(topology.steps.tolist()):
        there = ((x + x0 + right) // chunk, (y + y0 + down) // chunk)
        beyond = topology.graph().neighbour[:, side] >= 0
        for cell in np.flatnonzero(beyond & ((here[0] != there[0]) | (here[1] != there[1]))).tolist():
            corners = canvas.outline_of(cell)
            lines.append((corners[side], corners[(side + 1) % len(corners)]))
    return lines


def outline(image: Image.Image, canvas: Canvas, lines: list[Any]) -> None:
    """Draw white lines with a dark rim, which are visible on every background."""
    pen = ImageDraw.Draw(image)
    thin = max(1, canvas.size // 8)
    for width, colour in ((thin + 2 * max(1, thin // 2), HALO), (thin, SEAM)):
        for line in lines:
            pen.line(line, fill=colour, width=width)


class Scroll:
    """Frames for an animation: a view that moves over a picture, from its northwest to its southeast."""

    def __init__(self, image: Image.Image, frames: int = FRAMES, view: tuple[int, int] = VIEW) -> None:
        if frames < 2:
            raise ConfigError(f"a view that moves needs at least 2 frames, not {frames}")
        self._image = Image.new("RGB", image.size, (255, 255, 255))
        self._image.paste(image, mask=image.getchannel("A"))
        self._frames = frames
        self.size = (min(view[0], image.width), min(view[1], image.height))

    def __len__(self) -> int:
        return self._frames

    def __iter__(self) -> Iterator[Image.Image]:
        width, height = self.size
        way = (self._image.width - width, self._image.height - height)
        for number in range(self._frames):
            left, top = (round(length * number / (self._frames - 1)) for length in way)
            yield self._image.crop((left, top, left + width, top + height))
