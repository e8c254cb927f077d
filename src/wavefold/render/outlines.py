"""Other topologies: the outline of each cell, filled with one colour."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from wavefold.render.canvas import Canvas, Face, NumberBox, Points
from wavefold.render.cell_looks import CellLooks, decode_tint
from wavefold.render.limits import check_pixels
from wavefold.render.tile_pictures import flat_colours
from wavefold.solver.problem import Problem

SMOOTHING = 3  # slanted edges are drawn this much larger, then averaged


class OutlineCanvas(Canvas):
    """Cells may differ in shape, so there are no stamps: every cell is drawn as a polygon."""

    def __init__(self, problem: Problem, size: int) -> None:
        super().__init__(problem)
        topology = problem.topology
        outlines = [np.array(topology.outline(cell)) for cell in range(topology.cell_count)]
        corners = np.concatenate(outlines)
        low = corners.min(axis=0)
        unit = size / max(float(np.ptp(outlines[0][:, 0])), 1e-9)
        self.size = size
        self.width, self.height = (
            np.maximum(np.ceil((corners.max(axis=0) - low) * unit), 1).astype(int).tolist()
        )
        self.outlines = [(outline - low) * unit for outline in outlines]
        self.stamp_size = (size, size)
        self.sequence = np.arange(topology.cell_count)
        middles = np.array([topology.centre(cell) for cell in range(topology.cell_count)])
        self.positions = np.asarray(((middles - low) * unit).round() - size // 2, np.int64)
        self.outline = ((0, 0), (size, 0), (size, size), (0, size))
        self.faces = (Face(self.outline),)
        self.number_box = NumberBox(size // 2, size // 2, size * 3 // 4, size * 3 // 5)

    def check(self, scale: int = 1) -> None:
        larger = max(scale, SMOOTHING)
        check_pixels(self.width * larger, self.height * larger, self.size)

    def draw_pattern(self, pattern: int) -> Image.Image:
        return self.draw_colour(self.colour(pattern))

    def draw_colour(self, colour: tuple[int, ...]) -> Image.Image:
        return Image.new("RGBA", self.stamp_size, tuple(colour))

    def colour(self, look: int) -> tuple[int, ...]:
        """The colour a cell is filled with."""
        return tuple(flat_colours(self.problem)[look].tolist()) if look >= 0 else decode_tint(look).colour

    def outline_of(self, cell: int) -> Points:
        return tuple((x, y) for x, y in self.outlines[cell].tolist())

    def paint(self, looks: CellLooks) -> Image.Image:
        large = Image.new("RGBA", (self.width * SMOOTHING, self.height * SMOOTHING))
        pen = ImageDraw.Draw(large)
        for outline, look in zip(self.outlines, looks.tolist(), strict=True):
            pen.polygon([(x, y) for x, y in (outline * SMOOTHING).tolist()], fill=self.colour(look))
        image = large.reduce(SMOOTHING)
        for (left, top), look in zip(self.positions.tolist(), looks.tolist(), strict=True):
            if look < 0 and decode_tint(look).left:
                self.write_number(image, decode_tint(look), left, top)
        return image

    def repaint(self, image: Image.Image, before: CellLooks, looks: CellLooks) -> Image.Image:
        return image if (before == looks).all() else self.paint(looks)
