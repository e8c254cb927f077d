"""Draw a map, finished or not, on any topology; as an image or a PNG file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from io import BytesIO
from typing import Any, NamedTuple

from PIL import Image

from wavefold.common.files import check_writable, write_atomically
from wavefold.common.values import parse_size
from wavefold.errors import ConfigError
from wavefold.render.canvas import Canvas, OutlineCanvas
from wavefold.render.cell_looks import CellLooks, check_show, compute_looks
from wavefold.render.hexes import HexCanvas
from wavefold.render.isometric import BlockCanvas
from wavefold.render.squares import SquareCanvas
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map, Partial, Solution

PREVIEW = 1024  # pixels across, at most
SMALLEST_PREVIEW = 256  # smaller pictures are enlarged, by whole pixels

CANVASES: dict[str, type[Canvas]] = {"square": SquareCanvas, "hex": HexCanvas, "cube": BlockCanvas}
LAYERED = CANVASES | {"cube": SquareCanvas}  # one layer beside the other


class Scene(NamedTuple):
    """A map and how it is to be drawn: the checked options of `draw` and `svg`."""

    solution: Map
    canvas: Canvas
    scale: int
    show: str
    marked: list[int]  # cells

    @classmethod
    def of(
        cls,
        solution: Map,
        scale: int,
        tile_size: int | None,
        layers: bool,
        show: str,
        conflicts: Iterable[Any],
    ) -> Scene:
        """Check the options. Whether the picture would be too large is left to the caller."""
        check_map(solution)
        check_show(show)
        scale = parse_size("scale", scale)
        canvas = make_canvas(solution.problem, tile_size, layers)
        return cls(solution, canvas, scale, show, parse_conflicts(solution.problem, conflicts))

    def looks(self) -> CellLooks:
        """[cell] what each cell shows."""
        return compute_looks(self.solution, self.show)


def draw(
    solution: Map,
    scale: int = 1,
    tile_size: int | None = None,
    layers: bool = False,
    show: str = "tiles",
    conflicts: Iterable[Any] = (),
) -> Image.Image:
    """The map as an RGBA image, transparent where there is no cell.

    scale : repeat every pixel so many times in both directions
    tile_size : pixels across a cell; by default as many as the tiles' pictures have
    layers : draw each layer of a cube from above, side by side, instead of all from the southeast and above
    show : how undecided cells are drawn. "tiles": in the mean colour of what they may still be; "entropy": by
        how undecided they are, from dark (nearly decided) to light; "counts": by how many patterns are left.
        The last two also write that number into the cell if it fits
    conflicts : cells to mark, or the violations `check` found
    """
    scene = Scene.of(solution, scale, tile_size, layers, show, conflicts)
    scene.canvas.check(scene.scale)
    image = scene.canvas.paint(scene.looks())
    scene.canvas.mark_cells(image, scene.marked)
    return enlarge(image, scene.scale)


def save_picture(solution: Map, path: str | os.PathLike[str], **options: Any) -> None:
    """Draw the map into a PNG file; the options are those of `draw`."""
    check_writable(path)
    write_image(draw(solution, **options), path)


def write_image(image: Image.Image, path: str | os.PathLike[str]) -> None:
    """Write a picture into a PNG file, which appears complete or not at all."""
    with write_atomically(path) as file:
        image.save(file, "PNG", optimize=image.width * image.height < 1 << 21)


def preview(solution: Map) -> bytes | None:
    """The map as PNG bytes, in a size that suits a notebook; None if it cannot be drawn."""
    try:
        canvas = make_fitting_canvas(solution.problem, PREVIEW)
        canvas.check()
        image = canvas.paint(compute_looks(solution))
    except ConfigError:
        return None
    image.thumbnail((PREVIEW, PREVIEW), Image.Resampling.BOX)
    image = enlarge(image, max(1, SMALLEST_PREVIEW // max(image.size)))
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def make_canvas(problem: Problem, tile_size: int | None = None, layers: bool = False) -> Canvas:
    """The canvas for the topology; by default cells are as large as the tiles' pictures."""
    if not isinstance(layers, bool):
        raise ConfigError(f"layers must be True or False, not {layers!r}")
    size = None if tile_size is None else parse_size("tile_size", tile_size)
    canvas = (LAYERED if layers else CANVASES).get(problem.topology.kind, OutlineCanvas)
    return canvas(problem, size or canvas.natural_size(problem))


def make_fitting_canvas(problem: Problem, longest: int, layers: bool = False) -> Canvas:
    """The canvas at its natural size, or with cells so small that it is at most `longest` pixels across."""
    canvas = make_canvas(problem, None, layers)
    across = max(canvas.width, canvas.height)
    if across <= longest:
        return canvas
    return make_canvas(problem, max(1, canvas.size * longest // across), layers)


def enlarge(image: Image.Image, scale: int) -> Image.Image:
    """Repeat every pixel `scale` times in both directions."""
    if scale == 1:
        return image
    return image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)


def parse_conflicts(problem: Problem, conflicts: Any) -> list[int]:
    """The numbers of these cells, given as coordinates, as numbers, or as violations `check` found."""
    if isinstance(conflicts, str) or not isinstance(conflicts, Iterable):
        raise ConfigError(
            f"conflicts must be a list of cells, or of the violations check found, not {conflicts!r}"
        )
    cells: list[int] = []
    for each in conflicts:
        cells += (each.cells or []) if hasattr(each, "cells") else [problem.cell(each)]
    return sorted(set(cells))


def check_map(solution: object) -> None:
    if not isinstance(solution, Solution | Partial):
        raise ConfigError(f"only a Solution or a Partial can be drawn, not {solution!r}")
