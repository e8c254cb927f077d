"""The formats of pictures and animations. `render` draws and encodes them."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from wavefold.errors import PluginError
from wavefold.plugins.map_formats import MapFormat
from wavefold.plugins.registry import BUILT_IN, find
from wavefold.render import save_picture, save_svg, write_apng, write_gif, write_mp4, write_webp
from wavefold.render.animation_files import NO_FFMPEG
from wavefold.render.draw import make_canvas
from wavefold.render.svg import check_cell_count
from wavefold.solver.problem import Problem

PICTURE_OPTIONS = ("tile_size", "scale", "layers", "objects")
FRAME_OPTIONS = ("tile_size", "layers", "objects")
AnyPath = str | os.PathLike[str]


def check_png(problem: Problem, path: AnyPath, origin: Any = None, **options: Any) -> None:
    """Raise before solving if the picture would be too large."""
    renderer, scale = options.get("renderer", "tiles"), options.get("scale", 1)
    find("renderer", renderer)
    if renderer not in BUILT_IN["renderer"]:  # a plug-in may draw in another size
        return
    make_canvas(problem, options.get("tile_size"), options.get("layers", False), scale=scale).check(scale)


def check_svg(problem: Problem, path: AnyPath, origin: Any = None, **options: Any) -> None:
    """Raise before solving if the map has more cells than viewers can show."""
    check_cell_count(problem)


def check_animation(problem: Problem, path: AnyPath, origin: Any = None, **options: Any) -> None:
    """Raise before solving if the frames would be too large."""
    if "tile_size" in options:
        make_canvas(problem, options["tile_size"], options.get("layers", False)).check(1)


def check_mp4(problem: Problem, path: AnyPath, origin: Any = None, **options: Any) -> None:
    """Like `check_animation`; also raises if ffmpeg is missing."""
    if find_spec("imageio_ffmpeg") is None:
        raise PluginError(NO_FFMPEG)
    check_animation(problem, path, **options)


# With this ending, a map is saved as a PNG and an animation as an animated PNG.
PNG = MapFormat(
    description="Pictures.",
    endings=(".png",),
    write=save_picture,
    options=(*PICTURE_OPTIONS, "renderer"),
    check=check_png,
    write_animation=write_apng,
)
SVG = MapFormat(
    description="Vector pictures.",
    endings=(".svg",),
    write=save_svg,
    options=PICTURE_OPTIONS,
    check=check_svg,
)


def make_animation_format(
    ending: str, write: Callable[..., None], check: Callable[..., None] = check_animation
) -> MapFormat:
    """A format that holds only animations."""
    return MapFormat(
        description="Animations of a solve.",
        endings=(ending,),
        options=FRAME_OPTIONS,
        check=check,
        write_animation=write,
    )


APNG = make_animation_format(".apng", write_apng)
GIF = make_animation_format(".gif", write_gif)
MP4 = make_animation_format(".mp4", write_mp4, check_mp4)
WEBP = make_animation_format(".webp", write_webp)
