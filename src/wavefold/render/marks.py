"""Marks on cells where something is wrong, on pictures of any topology."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import Any

from PIL import Image, ImageDraw

from wavefold.errors import ConfigError
from wavefold.render.canvas import Canvas, Points
from wavefold.solver.problem import Problem

MARK = (255, 32, 32, 255)
HALO = (255, 255, 255, 255)
SMOOTHING = 4  # drawn this much larger, then averaged


def parse_conflicts(problem: Problem, conflicts: Any) -> list[int]:
    """The numbers of these cells, given as coordinates, as numbers, or as violations `check` found."""
    if isinstance(conflicts, str) or not isinstance(conflicts, Iterable):
        raise ConfigError(
            f"conflicts must be a list of cells, or of the violations check found, not {conflicts!r}"
        )
    cells: list[int] = []
    for each in conflicts:
        cells += getattr(each, "cells", None) or [] if hasattr(each, "cells") else [problem.cell(each)]
    return sorted(set(cells))


def mark_cells(image: Image.Image, canvas: Canvas, cells: Iterable[int]) -> None:
    """Outline these cells in red, between white lines, inside their borders."""
    for cell in cells:
        corners = canvas.outline_of(cell)
        left, top = (floor(min(axis)) for axis in zip(*corners, strict=True))
        right, bottom = (ceil(max(axis)) for axis in zip(*corners, strict=True))
        box = (max(1, right - left), max(1, bottom - top))
        stamp = Image.new("RGBA", (box[0] * SMOOTHING, box[1] * SMOOTHING))
        pen = ImageDraw.Draw(stamp)
        for ring, colour in mark_rings(corners):
            shape = [((x - left) * SMOOTHING, (y - top) * SMOOTHING) for x, y in ring]
            pen.polygon(shape, fill=colour)
        image.alpha_composite(stamp.reduce(SMOOTHING), (max(0, left), max(0, top)))


def mark_rings(corners: Points) -> list[tuple[Points, tuple[int, int, int, int]]]:
    """Shapes and colours to be drawn over one another; the last is transparent. Small cells are all red."""
    across = max(x for x, _ in corners) - min(x for x, _ in corners)
    red, white = max(1.0, across / 10), max(0.5, across / 24)
    if across < 5:
        return [(corners, MARK)]
    lines = [(0.0, HALO), (white, MARK), (white + red, HALO), (2 * white + red, (0, 0, 0, 0))]
    return [(shrink_outline(corners, 1 - 2 * inset / across), colour) for inset, colour in lines]


def shrink_outline(corners: Points, share: float) -> Points:
    """The same shape scaled by `share` around its centre."""
    middle = [sum(axis) / len(corners) for axis in zip(*corners, strict=True)]
    return tuple(
        (middle[0] + (x - middle[0]) * share, middle[1] + (y - middle[1]) * share) for x, y in corners
    )
