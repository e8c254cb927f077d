"""Pictures of patchworks, and animations of their growth with one frame per grid.

Low terrain is darker, high terrain lighter. Options add white lines between grids, yellow dots on cells that
changed when another grid was joined, and red rings on dropped cells, whose sides may not fit.
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
from wavefold.render.draw import GAP_PIXELS, PAPER, draw_caption, make_canvas, preview
from wavefold.render.object_pictures import draw_objects
from wavefold.render.representations import lay_out, make_image_tag, return_none_on_error
from wavefold.solver import Solution
from wavefold.tiles import TileSet
from wavefold.tiles.objects import place_objects
from wavefold.worlds.picture import draw_outline

LONGEST_PICTURE, LONGEST_FRAME = 2048, 720  # pixels across by default; cells of larger pictures are smaller
MOST_PIXELS = 1 << 28  # of all frames
FRAME_MS, LAST_FRAME_MS = 350, 2500
CHANGED, RIM = (255, 205, 40, 255), (40, 30, 0, 255)
DOT = 0.34  # of a cell
DARKEST, LIGHTEST = 72, 72  # opacity of the shade over the lowest and the highest terrain
GROUND = (126, 170, 92, 255)  # of the legend of heights
LEGEND_PIXELS = 700  # of picture width for each step of the legend's scale
SWATCH_PIXELS = 12

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
    """Draw a map as an RGBA image.

    tile_size : pixels across a cell; by default the size of the tiles' pictures, or less for large maps
    outlines : draw lines between grids
    marks : mark changed cells (yellow dots) and dropped cells (red rings)
    levels : shade the terrain by height, if the tiles have levels
    legend : explain the marks below the map
    objects : draw the objects of the tile set over the tiles
    seen : the snapshot to draw; by default the current map
    """
    seen = map.snapshot() if seen is None else seen  # because other threads may change the map
    seen = seen._replace(changed=set(seen.changed) - set(seen.dropped))
    sketch = PatchworkSketch(map, seen.solution(map.tiles, map.seed), tile_size)
    image = sketch.draw(seen, outlines=outlines, marks=marks, levels=levels, objects=objects)
    entries = build_legend(seen, marks, sketch.shades() if levels else ()) if legend else {}
    return add_legend(image, entries) if entries else image


class PatchworkSketch:
    """Draws all or some cells of a map."""

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
        self.heights = compute_heights(map.tiles)

    def draw(
        self, seen: Snapshot, *, outlines: bool, marks: bool, levels: bool, objects: bool
    ) -> Image.Image:
        """Draw the map of a snapshot on a transparent background."""
        image = self.paint(seen.patterns, levels)
        if objects and self.map.tiles.objects:
            self.draw_objects(image, seen.patterns)
        if outlines:
            owners = {cell: key for key in seen.grids for cell in self.map.cells_of(key)}
            draw_outline(image, self.canvas, list(self.borders(owners)))
        if marks:
            for cell in each_checked(seen.changed, 64):
                corners = self.canvas.find_outline(self.number[cell])
                sizes = ((DOT + 0.12, RIM), (DOT, CHANGED))
                draw_shapes(image, corners, [(shrink_outline(corners, size), ink) for size, ink in sizes])
            self.canvas.mark_cells(image, [self.number[cell] for cell in seen.dropped])
        return image

    def paint(self, patterns: Mapping[Cell, int], levels: bool = True) -> Image.Image:
        """Draw these cells on a transparent background."""
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
            pen.polygon(self.canvas.find_outline(self.number[cell]), fill=choose_shade(share))
        image.alpha_composite(veil)

    def borders(self, owners: Mapping[Cell, Key]) -> Iterator[Any]:
        """Yield the sides of cells where another grid begins or the map ends, as pairs of points."""
        steps: list[Cell] = [(x, y) for x, y in self.map.steps.tolist()]
        for (x, y), owner in each_checked(owners.items()):
            corners: Any = ()
            for side, (right, down) in enumerate(steps):
                if owners.get((x + right, y + down)) != owner:
                    corners = corners or self.canvas.find_outline(self.number[x, y])
                    yield corners[side], corners[(side + 1) % len(corners)]

    def shades(self) -> tuple[Colour, ...]:
        """Return the shade of each level, lowest first; empty if there is one level."""
        top = int(self.heights.max())
        return tuple(choose_shade(level / top) for level in range(top + 1)) if top else ()


def compute_heights(tiles: TileSet) -> NDArray[np.float64]:
    """Return the mean height of the sides of each pattern."""
    return np.array([sum(each.heights) / max(1, len(each.heights)) for each in tiles.patterns])


def choose_shade(share: float) -> Colour:
    """Return the colour drawn over terrain of this height, from 0 (lowest) to 1 (highest)."""
    if share < 0.5:
        return (10, 16, 40, round(DARKEST * (1 - 2 * share)))
    return (255, 252, 236, round(LIGHTEST * (2 * share - 1)))


# --- the legend -------------------------------------------------------------------------------------


def build_legend(seen: Snapshot, marks: bool, shades: Sequence[Colour]) -> dict[str, list[Colour]]:
    """Return {words: colours} that explain the marks and shades of a picture."""
    entries: dict[str, list[Colour]] = {}
    if marks:
        entries[f"{len(seen.changed):,} changed"] = [CHANGED]
        entries[f"{len(seen.dropped):,} dropped"] = [MARK]
    if shades:
        entries["low to high"] = [blend(GROUND, shade) for shade in shades]
    return entries


def add_legend(image: Image.Image, entries: Mapping[str, Sequence[Colour]]) -> Image.Image:
    """Add a strip of {words: colours} below a picture, in as many rows as needed."""
    scale = max(1, image.width // LEGEND_PIXELS)
    parts = [draw_entry(colours, words) for words, colours in entries.items()]
    row = parts[0].height + GAP_PIXELS // 2
    left, top = GAP_PIXELS // 2, GAP_PIXELS // 2
    positions: list[tuple[int, int]] = []
    for part in parts:
        if left > GAP_PIXELS // 2 and left + part.width > image.width // scale - GAP_PIXELS // 2:
            left, top = GAP_PIXELS // 2, top + row
        positions.append((left, top))
        left += part.width + 2 * GAP_PIXELS
    strip = Image.new("RGBA", (-(-image.width // scale), top + row), PAPER)
    for part, position in zip(parts, positions, strict=True):
        strip.alpha_composite(part, position)
    strip = strip.resize((strip.width * scale, strip.height * scale), Image.Resampling.NEAREST)
    page = Image.new("RGBA", (max(image.width, strip.width), image.height + strip.height))
    page.alpha_composite(image)
    page.alpha_composite(strip, (0, image.height))
    return page


def draw_entry(colours: Sequence[Colour], words: str) -> Image.Image:
    """Draw squares of these colours, with words beside them."""
    text = draw_caption(words)
    side, across = SWATCH_PIXELS, SWATCH_PIXELS * len(colours)
    image = Image.new("RGBA", (across + 6 + text.width, max(side + 4, text.height)))
    pen = ImageDraw.Draw(image)
    for number, colour in enumerate(colours):
        pen.rectangle((number * side, 3, number * side + side - 1, side + 2), fill=colour)
    pen.rectangle((0, 3, across - 1, side + 2), outline=(60, 60, 66, 255))
    image.alpha_composite(text, (across + 6, 0))
    return image


def blend(ground: Colour, veil: Colour) -> Colour:
    """Return the colour of `ground` under a translucent `veil`."""
    share = veil[3] / 255
    red, green, blue = (
        round(below * (1 - share) + above * share) for below, above in zip(ground[:3], veil[:3], strict=True)
    )
    return red, green, blue, 255


# --- growth -----------------------------------------------------------------------------------------


def record_growth(map: Patchwork, keys: Sequence[Key], progress: Progress | None = None) -> list[Snapshot]:
    """Populate these grids of an empty map; returns a snapshot after each, with the cells it changed.

    If all grids are solved together, there is one snapshot.
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
    """The frames of an animation, one for each step; the options are those of `draw_patchwork`."""

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
            raise ConfigError("an animation needs at least one populated grid")
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
        """The duration of each frame."""
        return [FRAME_MS] * (len(self) - 1) + [LAST_FRAME_MS]

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Image.Image]:
        for step in self._steps:
            image = self._sketch.draw(step, **self._parts)
            page = Image.new("RGBA", image.size, PAPER)
            page.alpha_composite(image)
            yield page.convert("RGB")


@return_none_on_error
def represent_patchwork(patchwork: Patchwork) -> str:
    """Represent a patchwork in notebooks by its populated grids."""
    facts = ["<b>patchwork</b>", f"{escape(patchwork.tiles.name or 'tiles')}, seed {patchwork.seed}"]
    facts += [
        f"{len(patchwork.grids):,} grids of radius {patchwork.radius}",
        f"join {escape(patchwork.join.name)}",
    ]
    png = preview(patchwork.solution()) if patchwork.grids else None
    return lay_out(facts, "" if png is None else make_image_tag(png))
