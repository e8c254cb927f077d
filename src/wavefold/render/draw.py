"""Drawing a map, finished or not, on any topology."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from PIL import Image

from wavefold.common.values import parse_size as whole
from wavefold.errors import ConfigError
from wavefold.render.canvas import Canvas
from wavefold.render.cell_looks import check_show, compute_looks
from wavefold.render.hexes import HexCanvas, natural_width
from wavefold.render.isometric import BlockCanvas, natural_block
from wavefold.render.limits import Map
from wavefold.render.marks import mark_cells, parse_conflicts
from wavefold.render.outlines import OutlineCanvas
from wavefold.render.squares import SquareCanvas, natural_size
from wavefold.render.tile_pictures import FLAT_SIZE
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution

PREVIEW = 1024  # pixels across, at most
SMALLEST_PREVIEW = 256  # smaller pictures are enlarged, by whole pixels

Style = tuple[
    Callable[[Problem, int], Canvas], Callable[[Problem], int]
]  # a canvas, and how wide cells are on it
OUTLINES: Style = OutlineCanvas, lambda _: FLAT_SIZE  # for kinds of cells that have no canvas of their own
CANVASES: dict[str, Style] = {
    "square": (SquareCanvas, natural_size),
    "hex": (HexCanvas, natural_width),
    "cube": (BlockCanvas, natural_block),
}
LAYERED = CANVASES | {"cube": CANVASES["square"]}  # one layer beside the other


def draw(
    solution: Map,
    scale: int = 1,
    tile_size: int | None = None,
    layers: bool = False,
    show: str = "tiles",
    conflicts: Iterable[Any] = (),
) -> Image.Image:
    """The map as an RGBA image; where there is no cell it is transparent.

    `tile_size` is how many pixels a cell is across: as many as the tiles' pictures, if not given.
    `scale` repeats every pixel. Cubes are seen from the southeast and above; `layers=True` shows each
    layer from above, side by side.

    `show` says how undecided cells are shown: "tiles" as the mean colour of what they may still be,
    "entropy" by how undecided they are (dark: nearly decided, light: anything goes), "counts" by how many
    patterns are left; the last two write that number into the cell if it fits. `conflicts` are cells to
    mark, or the violations `check` found.
    """
    check_map(solution)
    check_show(show)
    scale = whole("scale", scale)
    canvas = make_canvas(solution.problem, tile_size, layers)
    canvas.check(scale)
    marked = parse_conflicts(solution.problem, conflicts)
    image = canvas.paint(compute_looks(solution, show))
    mark_cells(image, canvas, marked)
    return enlarge(image, scale)


def preview(solution: Map) -> bytes | None:
    """The map as a PNG file of a size that suits a page; None if there is no such picture."""
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
    """The canvas that suits the topology."""
    if not isinstance(layers, bool):
        raise ConfigError(f"layers must be True or False, not {layers!r}")
    size = None if tile_size is None else whole("tile_size", tile_size)
    canvas, natural = (LAYERED if layers else CANVASES).get(problem.topology.kind, OUTLINES)
    return canvas(problem, size or natural(problem))


def make_fitting_canvas(problem: Problem, longest: int, layers: bool = False) -> Canvas:
    """The canvas in its natural size, or with cells so small that it is this many pixels across at most."""
    canvas = make_canvas(problem, None, layers)
    across = max(canvas.width, canvas.height)
    if across <= longest:
        return canvas
    return make_canvas(problem, max(1, canvas.size * longest // across), layers)


def enlarge(image: Image.Image, scale: int) -> Image.Image:
    """Every pixel repeated."""
    if scale == 1:
        return image
    return image.resize((image.width * scale, image.height * scale), Image.Resampling.NEAREST)


def check_map(solution: object) -> None:
    if not isinstance(solution, Solution | Partial):
        raise ConfigError(f"only a Solution or a Partial can be drawn, not {solution!r}")
