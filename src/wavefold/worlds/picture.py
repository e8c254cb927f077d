"""Pictures of worlds, with chunk borders and stages of windows, and an animated view."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.render.canvas import Canvas
from wavefold.render.draw import draw, make_canvas
from wavefold.render.representations import lay_out, make_image_tag, return_none_on_error
from wavefold.solver import Solution
from wavefold.worlds.edits.overlay import list_chunks
from wavefold.worlds.generator import paste
from wavefold.worlds.plan import STAGE_NAMES, STAGES, Plan
from wavefold.worlds.world import World

MOST_PIXELS = 4096  # across by default; cells of larger pictures are smaller
SEAM, HALO = (255, 255, 255, 255), (24, 24, 32, 255)
TINTS = {
    "corner": (230, 40, 60, 120), "edge": (40, 110, 255, 120), "joint": (255, 200, 0, 150)
}  # fmt: skip
FRAMES = 96
VIEW = (480, 320)  # pixels
NOTEBOOK_MS = 300.0  # time limit of the picture in a notebook; unfinished parts have mean colours


def draw_world(
    world: World,
    solution: Solution,
    x0: int,
    y0: int,
    *,
    tile_size: int | None = None,
    seams: bool = False,
    stages: bool = False,
    objects: bool = True,
) -> Image.Image:
    """Draw a region of a world whose first cell is (x0, y0).

    seams : outline the chunks
    stages : tint the cells of borders up to the ragged border: corners red, edges blue, joints yellow
    objects : draw objects over the tiles
    """
    size = tile_size or make_canvas(solution.problem, longest=MOST_PIXELS).size
    image = draw(solution, tile_size=size, objects=objects)
    canvas = make_canvas(solution.problem, size)
    if stages:
        tint(image, canvas, find_stages(world, x0, y0, *solution.array.shape[::-1]))
    if seams:
        draw_outline(image, canvas, list_border_lines(canvas, world.plan.chunk, x0, y0))
    return image


def find_stages(world: World, x0: int, y0: int, width: int, height: int) -> NDArray[np.int32]:
    """Find the stage [row, column] in which each cell got its pattern, as an index into `STAGES`."""
    stages = np.empty((height, width), np.int32)
    side = world.plan.chunk
    for cx, cy in list_chunks(side, x0, y0, width, height):
        interior = world.plan.interior(cx, cy)
        fixed = world.parts.generator.fixed_cells(interior)
        assert fixed is not None
        chunk = find_window_stages(world.plan, cx, cy)
        chunk[~world.plan.content(interior, fixed)] = STAGES.index("interior")
        paste(stages, x0, y0, chunk, cx * side, cy * side)
    return stages


def find_window_stages(plan: Plan, cx: int, cy: int) -> NDArray[np.int32]:
    """Find the stage of the last window over each cell [row, column] of a chunk."""
    stages = np.full((plan.chunk, plan.chunk), STAGES.index("interior"), np.int32)
    for window in plan.needs(plan.interior(cx, cy)):
        stage = np.full((window.height, window.width), STAGES.index(STAGE_NAMES[window.stage]), np.int32)
        paste(stages, cx * plan.chunk, cy * plan.chunk, stage, window.x, window.y)
    return stages


def tint(image: Image.Image, canvas: Canvas, stages: NDArray[np.int32]) -> None:
    """Draw a translucent colour over the cells of each stage."""
    veil = Image.new("RGBA", image.size)
    pen = ImageDraw.Draw(veil)
    for number, stage in enumerate(STAGES[:3]):
        for cell in np.flatnonzero(stages.reshape(-1) == number).tolist():
            pen.polygon(canvas.find_outline(cell), fill=TINTS[stage])
    image.alpha_composite(veil)


def list_border_lines(canvas: Canvas, chunk: int, x0: int, y0: int) -> list[Any]:
    """List the sides of cells at which another chunk begins, as pairs of points."""
    topology: Any = canvas.problem.topology
    x, y = topology.coordinates.T.astype(np.int64)
    here = ((x + x0) // chunk, (y + y0) // chunk)
    lines = []
    for side, (right, down) in enumerate(topology.steps.tolist()):
        there = ((x + x0 + right) // chunk, (y + y0 + down) // chunk)
        beyond = topology.graph().neighbour[:, side] >= 0
        for cell in np.flatnonzero(beyond & ((here[0] != there[0]) | (here[1] != there[1]))).tolist():
            corners = canvas.find_outline(cell)
            lines.append((corners[side], corners[(side + 1) % len(corners)]))
    return lines


def draw_outline(image: Image.Image, canvas: Canvas, lines: list[Any]) -> None:
    """Draw white lines with a dark rim, visible on every background."""
    pen = ImageDraw.Draw(image)
    thin = max(1, canvas.size // 8)
    for width, colour in ((thin + 2 * max(1, thin // 2), HALO), (thin, SEAM)):
        for line in each_checked(lines):
            pen.line(line, fill=colour, width=width)


class Scroll:
    """The frames of an animation: a view that moves over a picture from northwest to southeast."""

    def __init__(self, image: Image.Image, frames: int = FRAMES, view: tuple[int, int] = VIEW) -> None:
        if frames < 2:
            raise ConfigError(f"a moving view needs at least 2 frames, not {frames}")
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


@return_none_on_error
def represent_world(world: World) -> str:
    """Represent a world in notebooks by the cells around its origin."""
    from wavefold.worlds.map_tiles import draw_map_tile

    tile = draw_map_tile(world, 0, 0, 0, budget=NOTEBOOK_MS)
    facts = ["<b>endless world</b>", f"{escape(world.tiles.name or 'tiles')}, seed {world.seed}"]
    facts += [f"chunks of {world.plan.chunk} cells", f"revision {world.revision}"]
    return lay_out(facts, make_image_tag(tile.png))
