"""The animation of a solve: the changes of the wave from frame to frame, drawn as pictures."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import ConfigError
from wavefold.options.names import Show
from wavefold.options.values import check_flag, format_count, parse_colour, parse_integer, parse_size
from wavefold.plugins.map_formats import find_writer
from wavefold.render.animation_files import write_apng
from wavefold.render.canvas import MOST_PIXELS, Canvas
from wavefold.render.cell_looks import NOTHING, check_show, compute_domain_looks
from wavefold.render.draw import enlarge, make_canvas
from wavefold.render.object_pictures import draw_objects, select_placements
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Solution
from wavefold.storage.files import check_writable

LONGEST = 768  # pixels across unless told otherwise; cells get smaller
SHORTEST = 384  # smaller pictures are enlarged, by whole pixels
LONGEST_PREVIEW = 512
LONGEST_TIME = 60_000  # milliseconds
MOST_CONFLICTS = 32  # marked in one frame: the latest
MOST_MOVING_PIXELS = 2 * MOST_PIXELS  # in all frames: a gigabyte while they are written


class FrameDelta(NamedTuple):
    """How the wave changed since the frame before."""

    cells: NDArray[np.int64]  # those whose domain changed
    words: NDArray[np.uint64]  # [row, word] their domains now
    conflicts: tuple[int, ...]  # cells that had no pattern left at some point
    decision: int  # how many decisions had been made

    def merge(self, later: FrameDelta) -> FrameDelta:
        """Combine this change with a later one."""
        cells = np.concatenate([later.cells, self.cells])
        words = np.concatenate([later.words, self.words])
        kept, first = np.unique(cells, return_index=True)  # keep the later of two domains
        return FrameDelta(
            kept, words[first], merge_conflicts(self.conflicts, later.conflicts), later.decision
        )


class FrameOptions(TypedDict, total=False):
    """The options of `Animation.frames`."""

    tile_size: int | None
    scale: int | None
    layers: bool
    show: Show
    background: str
    objects: bool


@dataclass(eq=False, repr=False)
class Animation:
    """A solve from the first wave to the last, as a limited number of frames."""

    problem: Problem
    moments: list[FrameDelta]
    solution: Solution | None = None  # None if the map was not finished

    def __len__(self) -> int:
        return len(self.moments)

    def __repr__(self) -> str:
        made = format_count(self.moments[-1].decision, "decisions")
        return f"Animation({format_count(len(self), 'frames')}, {made})"

    def frames(
        self,
        tile_size: int | None = None,
        scale: int | None = None,
        layers: bool = False,
        show: Show = "tiles",
        background: str = "white",
        objects: bool = True,
    ) -> Frames:
        """Pictures of equal size, drawn one at a time during iteration.

        Options as in `draw`; `tile_size` and `scale` default to a size that suits a page. `background` is
        a colour by name or as "#rrggbb". Cells with a contradiction are marked in that frame. The last frame
        of a finished map has its objects.
        """
        check_show(show)
        colour = parse_background(background)
        canvas = make_canvas(self.problem, tile_size, layers, longest=LONGEST)
        if scale is None:
            scale = max(1, SHORTEST // max(canvas.width, canvas.height)) if tile_size is None else 1
        check_flag("objects", objects)
        frames = Frames(self, canvas, parse_size("scale", scale), show, colour, objects)
        frames.check()
        return frames

    def save(
        self,
        path: str | os.PathLike[str],
        milliseconds: int = 50,
        hold: int = 2000,
        **options: Unpack[FrameOptions],
    ) -> None:
        """Write a .gif, .apng (or .png), .webp or .mp4 file. `options` are those of `frames`.

        Each frame is shown for `milliseconds`, the last one for `hold`.
        """
        write = find_writer(path, "write_animation")
        check_writable(path)
        milliseconds = parse_milliseconds("milliseconds", milliseconds, 10)
        hold = parse_milliseconds("hold", hold, 0)
        frames = self.frames(**options)
        write(frames, path, [milliseconds] * (len(self) - 1) + [max(hold, milliseconds)])

    def _repr_png_(self) -> bytes | None:
        """An animated PNG for notebooks."""
        canvas = make_canvas(self.problem, longest=LONGEST_PREVIEW)
        if max(canvas.width, canvas.height) > LONGEST_PREVIEW:
            return None
        file = BytesIO()
        write_apng(self.frames(tile_size=canvas.size), file, [50] * (len(self) - 1) + [2000])
        return file.getvalue()


@dataclass(frozen=True, eq=False)
class Frames:
    """The pictures of an animation, drawn during iteration: never all in memory at once."""

    _animation: Animation
    _canvas: Canvas
    _scale: int
    _show: str
    _background: tuple[int, ...]
    _objects: bool = True

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of each picture, in pixels."""
        return self._canvas.width * self._scale, self._canvas.height * self._scale

    def __len__(self) -> int:
        return len(self._animation)

    def __iter__(self) -> Iterator[Image.Image]:
        problem, canvas = self._animation.problem, self._canvas
        before = np.full(problem.cell_count, NOTHING)
        image = Image.new("RGBA", (canvas.width, canvas.height))
        solution = self._animation.solution
        for moment in self._animation.moments:
            looks = before.copy()
            looks[moment.cells] = compute_domain_looks(problem, moment.words, moment.cells, self._show)
            # If most cells differ, comparing them costs more than it saves.
            few = moment.cells.size * 4 < problem.cell_count
            image = canvas.repaint(image, before, looks) if few else canvas.paint(looks)
            before = looks
            if moment is self._animation.moments[-1] and solution is not None:
                draw_objects(image, canvas, select_placements(solution, self._objects))
            yield self._compose(image, moment.conflicts)

    def check(self) -> None:
        """Raise ConfigError, saying what to reduce, if there are too many pixels."""
        self._canvas.check(self._scale)
        width, height = self.size
        pixels = width * height * len(self)
        if pixels > MOST_MOVING_PIXELS:
            raise ConfigError(
                f"{len(self)} frames of {width:,} x {height:,} pixels are more than "
                f"{MOST_MOVING_PIXELS:,} pixels in all",
                advice="use a smaller tile_size or scale, or fewer frames",
                flag_advice="use a smaller --tile-size, or fewer frames",
            )

    def _compose(self, image: Image.Image, conflicts: tuple[int, ...]) -> Image.Image:
        page = image.copy()
        if np.asarray(image)[..., 3].min() < 255:
            page = Image.new("RGBA", image.size, self._background)
            page.alpha_composite(image)
        self._canvas.mark_cells(page, conflicts)
        return enlarge(page, self._scale).convert("RGB")


def merge_conflicts(earlier: tuple[int, ...], later: tuple[int, ...]) -> tuple[int, ...]:
    """Unite both, each cell once, the latest last; at most MOST_CONFLICTS."""
    cells = dict.fromkeys(reversed((*earlier, *later)))
    return tuple(cells)[:MOST_CONFLICTS][::-1]


def parse_milliseconds(name: str, value: object, shortest: int) -> int:
    """A time in milliseconds that every format can hold."""
    time = parse_integer(value)
    if time is None or not shortest <= time <= LONGEST_TIME:
        raise ConfigError(f"{name} must be a whole number from {shortest} to {LONGEST_TIME:,}, not {value!r}")
    return time


def parse_background(name: object) -> tuple[int, ...]:
    """A colour by its name, opaque."""
    colour = parse_colour(name)
    if colour is None:
        raise ConfigError(
            f'unknown colour {name!r}; write a name such as "white", or "#rrggbb" in hexadecimal'
        )
    return (*colour[:3], 255)
