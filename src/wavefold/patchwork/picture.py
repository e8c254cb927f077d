"""Pictures of patchworks: how high the land lies, where grids meet, what was changed to join them.

A white line runs between grids. A yellow dot marks a cell that got another tile when a neighbour was joined
to its grid; a red ring marks one that was dropped, whose sides may not fit. Low land is darker, high land
lighter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.patchwork.legend import add_legend
from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.plan import Cell
from wavefold.render.cell_looks import NOTHING
from wavefold.render.draw import make_canvas, make_fitting_canvas
from wavefold.render.marks import draw_shapes, shrink_outline
from wavefold.solver import Problem, Solution, Statistics
from wavefold.tiles import TileSet
from wavefold.topology import box
from wavefold.world.picture import outline

LONGEST = 2048  # pixels across unless told otherwise; cells get smaller
MOST_ROOM = 1 << 22  # cells of the rectangle around a map
CHANGED, RIM = (255, 205, 40, 255), (40, 30, 0, 255)
DOT = 0.34  # of a cell
DARKEST, LIGHTEST = 72, 72  # opacity of the shade over the lowest and the highest land


def draw_patchwork(
    map: Patchwork,
    *,
    tile_size: int | None = None,
    outlines: bool = True,
    marks: bool = True,
    levels: bool = True,
    legend: bool = True,
) -> Image.Image:
    """The map as an RGBA image.

    tile_size : pixels across a cell; as many as the tiles' pictures, or fewer if the map is large
    outlines : draw a line where grids meet
    marks : mark cells that were changed (yellow dots) and dropped (red rings)
    levels : shade the land by its height, if the tiles have levels
    legend : say below the map what its marks mean
    """
    seen = map.snapshot()  # other threads may be populating it
    sketch = PatchworkSketch(solution_of(map, seen.patterns), tile_size)
    image = sketch.paint(seen.patterns, levels)
    if outlines:
        sketch.outline(image, {cell: key for key in seen.grids for cell in map.cells_of(key)})
    dots = set(seen.changed) - set(seen.dropped)
    if marks:
        sketch.mark(image, dots, seen.dropped)
    if not legend:
        return image
    changed, dropped = (len(dots), len(seen.dropped)) if marks else (None, None)
    return add_legend(image, changed, dropped, sketch.shades() if levels else ())


def as_solution(map: Patchwork) -> Solution:
    """The map as one solution on a grid of just its cells: to draw it, or to save it in any format.

    `solution.origin` says which cell of the map is its cell (0, 0).
    """
    return solution_of(map, map.patterns)


def solution_of(map: Patchwork, patterns: Mapping[Cell, int]) -> Solution:
    """These cells of a map as one solution."""
    around = BoundingBox.around(patterns)
    array = np.full((around.height, around.width), -1, np.int64)
    for (x, y), pattern in patterns.items():
        array[y - around.top, x - around.left] = pattern
    mask = array >= 0
    grid = box(map.tiles.topology, around.width, around.height, mask=None if mask.all() else mask)
    origin = (around.left, around.top)
    return Solution(Problem(map.tiles, grid), array[mask], Statistics(), map.seed, origin)


class BoundingBox(NamedTuple):
    """The rectangle around a map."""

    left: int
    top: int
    width: int
    height: int

    @classmethod
    def around(cls, cells: Collection[Cell]) -> BoundingBox:
        """The smallest box that contains all of these cells."""
        if not cells:
            raise ConfigError("there is nothing to draw: no grid of the map is populated")
        columns, rows = zip(*cells, strict=True)
        left, top = min(columns), min(rows)
        box = cls(left, top, max(columns) - left + 1, max(rows) - top + 1)
        if box.width * box.height > MOST_ROOM:
            raise ConfigError(
                f"the grids of this map lie too far apart for one picture: {box.width:,} x {box.height:,} "
                f"cells, more than {MOST_ROOM:,} in all"
            )
        return box


class PatchworkSketch:
    """Draws the cells of a map, all of them or some."""

    def __init__(self, solution: Solution, tile_size: int | None, longest: int = LONGEST) -> None:
        problem = solution.problem
        self.canvas = (
            make_fitting_canvas(problem, longest) if tile_size is None else make_canvas(problem, tile_size)
        )
        self.canvas.check()
        topology: Any = problem.topology
        places = (topology.coordinates + np.array(solution.origin)).tolist()
        self.number = {(x, y): number for number, (x, y) in enumerate(places)}
        self.steps: list[Cell] = [(x, y) for x, y in topology.steps.tolist()]
        assert isinstance(problem.tiles, TileSet)
        self.heights = heights_of(problem.tiles)

    def looks(self, patterns: Mapping[Cell, int]) -> NDArray[np.int64]:
        """[cell] its pattern, or NOTHING."""
        looks = np.full(len(self.number), NOTHING, np.int64)
        for cell, pattern in patterns.items():
            looks[self.number[cell]] = pattern
        return looks

    def paint(self, patterns: Mapping[Cell, int], levels: bool = True) -> Image.Image:
        """Draw these cells; the rest is transparent."""
        image = self.canvas.paint(self.looks(patterns))
        if levels and self.heights.max() > 0:
            self.shade(image, patterns)
        return image

    def shade(self, image: Image.Image, patterns: Mapping[Cell, int]) -> None:
        """Darken low land and lighten high land."""
        veil = Image.new("RGBA", image.size)
        pen = ImageDraw.Draw(veil)
        for cell, pattern in patterns.items():
            share = float(self.heights[pattern] / self.heights.max())
            pen.polygon(self.canvas.outline_of(self.number[cell]), fill=shade_of(share))
        image.alpha_composite(veil)

    def outline(self, image: Image.Image, owners: Mapping[Cell, Any]) -> None:
        """A line around every grid."""
        outline(image, self.canvas, list(self.borders(owners)))

    def borders(self, owners: Mapping[Cell, Any]) -> Iterator[Any]:
        """The sides of cells beyond which another grid begins, or nothing is, as pairs of points."""
        for (x, y), owner in owners.items():
            corners: Any = ()
            for side, (right, down) in enumerate(self.steps):
                if owners.get((x + right, y + down)) != owner:
                    corners = corners or self.canvas.outline_of(self.number[x, y])
                    yield corners[side], corners[(side + 1) % len(corners)]

    def mark(self, image: Image.Image, changed: Iterable[Cell], dropped: Iterable[Cell]) -> None:
        """Draw dots on changed cells and rings around dropped ones."""
        for cell in changed:
            corners = self.canvas.outline_of(self.number[cell])
            sizes = ((DOT + 0.12, RIM), (DOT, CHANGED))
            draw_shapes(image, corners, [(shrink_outline(corners, size), colour) for size, colour in sizes])
        self.canvas.mark_cells(image, [self.number[cell] for cell in dropped])

    def shades(self) -> tuple[tuple[int, int, int, int], ...]:
        """The shade of each level, lowest first; none if there is one level."""
        top = int(self.heights.max())
        return tuple(shade_of(level / top) for level in range(top + 1)) if top else ()


def heights_of(tiles: TileSet) -> NDArray[np.float64]:
    """[pattern]: the mean height of its sides."""
    return np.array([sum(each.heights) / max(1, len(each.heights)) for each in tiles.patterns])


def shade_of(share: float) -> tuple[int, int, int, int]:
    """The colour drawn over land of this height: 0 is the lowest, 1 the highest."""
    if share < 0.5:
        return (10, 16, 40, round(DARKEST * (1 - 2 * share)))
    return (255, 252, 236, round(LIGHTEST * (2 * share - 1)))
