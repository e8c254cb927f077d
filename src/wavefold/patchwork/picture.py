"""Pictures of patchworks, and animations of their growth, one frame per grid.

Low terrain is darker, high terrain lighter. Options add a white line between grids, a yellow dot on each
cell that got another tile when a neighbour was joined to its grid, and a red ring on each dropped cell, whose
sides may not fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.patchwork.patchwork import Patchwork, Progress
from wavefold.patchwork.plan import Cell, Key
from wavefold.patchwork.state import Snapshot
from wavefold.render.canvas import MARK, draw_shapes, shrink_outline
from wavefold.render.cell_looks import NOTHING
from wavefold.render.draw import GAP, PAPER, draw_caption, make_canvas, preview
from wavefold.render.object_pictures import draw_objects
from wavefold.render.representations import embed, lay_out, or_nothing
from wavefold.solver import Solution
from wavefold.tiles import TileSet
from wavefold.tiles.objects import place_objects
from wavefold.worlds.picture import outline

LONGEST_PICTURE, LONGEST_FRAME = 2048, 720  # pixels across by default; cells get smaller
MOST_PIXELS = 1 << 28  # of all frames
MILLISECONDS, LAST = 350, 2500  # duration of a frame, and of the last one
CHANGED, RIM = (255, 205, 40, 255), (40, 30, 0, 255)
DOT = 0.34  # of a cell
DARKEST, LIGHTEST = 72, 72  # opacity of the shade over the lowest and the highest terrain
GROUND = (126, 170, 92, 255)  # in the legend: a meadow of middle height
WIDE = 700  # pixels up to which a legend with letters of one size is enough
SWATCH = 12  # pixels

Colour = tuple[int, int, int, int]


def draw_patchwork(
    map: Patchwork,
    *,
    tile_size: int | None = None,
    outlines: bool = False,
    marks: bool = False,
    levels: bool = True,
    legend: bool = False,
    objects: bool = True,
    seen: Snapshot | None = None,
) -> Image.Image:
    """The map as an RGBA image.

    tile_size : pixels across a cell; by default those of the tiles' pictures, or fewer if the map is large
    outlines : draw a line where grids meet
    marks : mark cells that were changed (yellow dots) and dropped (red rings)
    levels : shade the terrain by its height, if the tiles have levels
    legend : explain the marks below the map
    objects : draw the objects of the tile set over the tiles
    seen : the map at an earlier moment, from `map.snapshot()`; by default the current map
    """
    seen = map.snapshot() if seen is None else seen  # other threads may be populating it
    seen = seen._replace(changed=set(seen.changed) - set(seen.dropped))
    sketch = PatchworkSketch(map, seen.solution(map.tiles, map.seed), tile_size)
    image = sketch.draw(seen, outlines=outlines, marks=marks, levels=levels, objects=objects)
    entries = legend_entries(seen, marks, sketch.shades() if levels else ()) if legend else {}
    return add_legend(image, entries) if entries else image


class PatchworkSketch:
    """Draws the cells of a map, all of them or some."""

    def __init__(
        self, map: Patchwork, solution: Solution, tile_size: int | None, longest: int = LONGEST_PICTURE
    ) -> None:
        problem = solution.problem
        self.map = map
        self.canvas = make_canvas(problem, tile_size, longest=longest)
        self.canvas.check()
        topology: Any = problem.topology
        positions = (topology.coordinates + np.array(solution.origin)).tolist()
        self.number = {(x, y): number for number, (x, y) in enumerate(positions)}
        self.heights = heights_of(map.tiles)

    def draw(
        self, seen: Snapshot, *, outlines: bool, marks: bool, levels: bool, objects: bool
    ) -> Image.Image:
        """The map of a snapshot, on a transparent ground."""
        image = self.paint(seen.patterns, levels)
        if objects and self.map.tiles.objects:
            self.draw_objects(image, seen.patterns)
        if outlines:
            owners = {cell: key for key in seen.grids for cell in self.map.cells_of(key)}
            outline(image, self.canvas, list(self.borders(owners)))
        if marks:
            for cell in each_checked(seen.changed, 64):
                corners = self.canvas.outline_of(self.number[cell])
                sizes = ((DOT + 0.12, RIM), (DOT, CHANGED))
                draw_shapes(image, corners, [(shrink_outline(corners, size), ink) for size, ink in sizes])
            self.canvas.mark_cells(image, [self.number[cell] for cell in seen.dropped])
        return image

    def paint(self, patterns: Mapping[Cell, int], levels: bool = True) -> Image.Image:
        """Draw these cells; the rest is transparent."""
        looks = np.full(len(self.number), NOTHING, np.int64)
        for cell, pattern in each_checked(patterns.items()):
            looks[self.number[cell]] = pattern
        image = self.canvas.paint(looks)
        if levels and self.heights.max() > 0:
            self.shade(image, patterns)
        return image

    def draw_objects(self, image: Image.Image, patterns: Mapping[Cell, int]) -> None:
        """Draw the objects on these cells."""
        cells = np.array(list(patterns), np.int64)
        found = place_objects(self.map.tiles, cells, np.array(list(patterns.values())), self.map.seed)
        numbers = np.array([self.number[cell] for cell in patterns])
        draw_objects(image, self.canvas, found._replace(cells=numbers[found.cells]))

    def shade(self, image: Image.Image, patterns: Mapping[Cell, int]) -> None:
        """Darken low terrain and lighten high terrain."""
        veil = Image.new("RGBA", image.size)
        pen = ImageDraw.Draw(veil)
        for cell, pattern in each_checked(patterns.items()):
            share = float(self.heights[pattern] / self.heights.max())
            pen.polygon(self.canvas.outline_of(self.number[cell]), fill=shade_of(share))
        image.alpha_composite(veil)

    def borders(self, owners: Mapping[Cell, Key]) -> Iterator[Any]:
        """The sides of cells at which another grid begins or the map ends, as pairs of points."""
        steps: list[Cell] = [(x, y) for x, y in self.map.steps.tolist()]
        for (x, y), owner in each_checked(owners.items()):
            corners: Any = ()
            for side, (right, down) in enumerate(steps):
                if owners.get((x + right, y + down)) != owner:
                    corners = corners or self.canvas.outline_of(self.number[x, y])
                    yield corners[side], corners[(side + 1) % len(corners)]

    def shades(self) -> tuple[Colour, ...]:
        """The shade of each level, lowest first; none if there is one level."""
        top = int(self.heights.max())
        return tuple(shade_of(level / top) for level in range(top + 1)) if top else ()


def heights_of(tiles: TileSet) -> NDArray[np.float64]:
    """[pattern]: the mean height of its sides."""
    return np.array([sum(each.heights) / max(1, len(each.heights)) for each in tiles.patterns])


def shade_of(share: float) -> Colour:
    """The colour drawn over terrain of this height: 0 is the lowest, 1 the highest."""
    if share < 0.5:
        return (10, 16, 40, round(DARKEST * (1 - 2 * share)))
    return (255, 252, 236, round(LIGHTEST * (2 * share - 1)))


# --- the legend -------------------------------------------------------------------------------------


def legend_entries(seen: Snapshot, marks: bool, shades: Sequence[Colour]) -> dict[str, list[Colour]]:
    """{words: colours} that explain the marks and shades of a picture."""
    entries: dict[str, list[Colour]] = {}
    if marks:
        entries[f"{len(seen.changed):,} changed"] = [CHANGED]
        entries[f"{len(seen.dropped):,} dropped"] = [MARK]
    if shades:
        entries["low to high"] = [blend(GROUND, shade) for shade in shades]
    return entries


def add_legend(image: Image.Image, entries: Mapping[str, Sequence[Colour]]) -> Image.Image:
    """The picture with a strip of {words: colours} below it, in as many rows as needed."""
    scale = max(1, image.width // WIDE)
    parts = [draw_entry(colours, words) for words, colours in entries.items()]
    row = parts[0].height + GAP // 2
    left, top = GAP // 2, GAP // 2
    positions: list[tuple[int, int]] = []
    for part in parts:
        if left > GAP // 2 and left + part.width > image.width // scale - GAP // 2:
            left, top = GAP // 2, top + row
        positions.append((left, top))
        left += part.width + 2 * GAP
    strip = Image.new("RGBA", (-(-image.width // scale), top + row), PAPER)
    for part, position in zip(parts, positions, strict=True):
        strip.alpha_composite(part, position)
    strip = strip.resize((strip.width * scale, strip.height * scale), Image.Resampling.NEAREST)
    page = Image.new("RGBA", (max(image.width, strip.width), image.height + strip.height))
    page.alpha_composite(image)
    page.alpha_composite(strip, (0, image.height))
    return page


def draw_entry(colours: Sequence[Colour], words: str) -> Image.Image:
    """Squares of these colours, and the words beside them."""
    text = draw_caption(words)
    across = SWATCH * len(colours)
    image = Image.new("RGBA", (across + 6 + text.width, max(SWATCH + 4, text.height)))
    pen = ImageDraw.Draw(image)
    for number, colour in enumerate(colours):
        pen.rectangle((number * SWATCH, 3, number * SWATCH + SWATCH - 1, SWATCH + 2), fill=colour)
    pen.rectangle((0, 3, across - 1, SWATCH + 2), outline=(60, 60, 66, 255))
    image.alpha_composite(text, (across + 6, 0))
    return image


def blend(ground: Colour, veil: Colour) -> Colour:
    """The colour `ground` seen through the colour `veil`."""
    share = veil[3] / 255
    red, green, blue = (
        round(below * (1 - share) + above * share) for below, above in zip(ground[:3], veil[:3], strict=True)
    )
    return red, green, blue, 255


# --- growth -----------------------------------------------------------------------------------------


def record_growth(map: Patchwork, keys: Sequence[Key], progress: Progress | None = None) -> list[Snapshot]:
    """Populate these grids of an empty map; returns the map after each, with the cells it changed.

    There is one snapshot if all grids are solved at once.
    """
    steps: list[Snapshot] = []

    def remember(done: int, total: int) -> None:
        seen = map.snapshot()
        before = steps[-1].patterns if steps else {}
        changed = [cell for cell, pattern in before.items() if seen.patterns[cell] != pattern]
        steps.append(seen._replace(changed=changed))
        if progress is not None:
            progress(done, total)

    map.populate_all(keys, remember)
    return steps


class GrowthFrames:
    """The frames of an animation, one per step; the options are those of `draw_patchwork`."""

    def __init__(
        self,
        map: Patchwork,
        steps: Sequence[Snapshot],
        *,
        tile_size: int | None = None,
        outlines: bool = False,
        marks: bool = False,
        levels: bool = True,
        objects: bool = True,
    ) -> None:
        if not steps:
            raise ConfigError("there is nothing to show: no grid was populated")
        self._steps = steps
        self._parts = {"outlines": outlines, "marks": marks, "levels": levels, "objects": objects}
        self._sketch = PatchworkSketch(map, map.solution(), tile_size, LONGEST_FRAME)
        self.size = (self._sketch.canvas.width, self._sketch.canvas.height)
        if self.size[0] * self.size[1] * len(steps) > MOST_PIXELS:
            raise ConfigError(
                f"{len(steps)} frames of {self.size[0]:,} x {self.size[1]:,} pixels are more than "
                f"{MOST_PIXELS:,} pixels in all",
                advice="use a smaller tile_size, or fewer grids",
                flag_advice="use a smaller --tile-size, or fewer grids",
            )

    @property
    def milliseconds(self) -> list[int]:
        """How long each frame is shown."""
        return [MILLISECONDS] * (len(self) - 1) + [LAST]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Image.Image]:
        for step in self._steps:
            image = self._sketch.draw(step, **self._parts)
            page = Image.new("RGBA", image.size, PAPER)
            page.alpha_composite(image)
            yield page.convert("RGB")


@or_nothing
def represent_patchwork(patchwork: Patchwork) -> str:
    """The grids that have been made, for notebooks."""
    facts = ["<b>patchwork</b>", f"{escape(patchwork.tiles.name or 'tiles')}, seed {patchwork.seed}"]
    facts += [
        f"{len(patchwork.grids):,} grids of radius {patchwork.radius}",
        f"join {escape(patchwork.join.name)}",
    ]
    png = preview(patchwork.solution()) if patchwork.grids else None
    return lay_out(facts, "" if png is None else embed(png))
