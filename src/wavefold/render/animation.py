"""Animations of a solve: record a limited number of frames while it runs, and draw them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import ConfigError
from wavefold.kernels.host.bitsets import single_bits
from wavefold.options.names import Show
from wavefold.options.values import (
    check_flag,
    check_type,
    format_count,
    parse_colour,
    parse_integer,
    parse_size,
)
from wavefold.plugins.map_formats import find_writer
from wavefold.render.animation_files import write_apng
from wavefold.render.canvas import MOST_PIXELS, Canvas
from wavefold.render.cell_looks import NOTHING, check_show, compute_domain_looks
from wavefold.render.draw import enlarge, make_canvas
from wavefold.render.object_pictures import draw_objects, select_placements
from wavefold.solver.budget import Budget
from wavefold.solver.engine.events import (
    CELL,
    CHOSEN,
    CONTRADICTION,
    KIND,
    PATTERN,
    REMOVED,
    REPAIRED,
    RESTARTED,
    Batch,
)
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Solution
from wavefold.solver.solver import Solver, SolverOptions
from wavefold.storage.files import check_writable

FRAME_EVENTS = (CHOSEN, REPAIRED, RESTARTED)
LARGEST_DEFAULT_PIXELS = 768  # across, without `tile_size`; cells are made smaller
SMALLEST_DEFAULT_PIXELS = 384  # across; smaller pictures are enlarged by whole numbers
LARGEST_PREVIEW_PIXELS = 512  # across
LONGEST_MILLISECONDS = 60_000
MOST_CONFLICTS = 32  # the latest ones are marked in a frame
MOST_ANIMATION_PIXELS = 2 * MOST_PIXELS  # in all frames, a gigabyte


def animate(
    problem: Problem,
    seed: int = 0,
    frames: int = 120,
    budget: Budget | int | None = None,
    **options: Unpack[SolverOptions],
) -> Animation:
    """Solve a problem and record at most `frames` frames; the options are those of `Solver`.

    Raises the errors of `Solver.run`. To record a solve that fails, use a `Recording`.
    """
    solver = Solver(problem, seed, **options)
    recording = Recording(solver, frames)
    solver.run(budget)
    return recording.animation()


class Recording:
    """Records at most `frames` frames of a solver.

        recording = Recording(solver)
        solver.run()
        recording.animation().save("solve.gif")

    The longer the solve, the more decisions are combined in one frame.
    """

    def __init__(self, solver: Solver, frames: int = 120) -> None:
        check_type("solver", solver, Solver, "a Solver")
        self._solver = solver
        self._reel = FrameSampler(solver.partial().words, parse_size("frames", frames, smallest=3))
        self._refined: NDArray[np.int64] | None = None  # [cell] the map after the last sweep
        self._stop = solver.listen(self._record, batches=True)

    def record_sweep(self, batch: Batch) -> None:
        """Record the cells that a sweep changed; a listener for `Solution.refine`."""
        if self._refined is None:
            self._refined = self._solver.solution().patterns.copy()
        self._refined[batch[:, CELL]] = batch[:, PATTERN]
        self.record_map(self._refined)

    def record_map(self, patterns: NDArray[np.int64]) -> None:
        """Record a map [cell] derived from the solver's, for example by `refine` or `paint`."""
        self._refined = patterns.copy() if patterns is not self._refined else patterns
        if self._reel.is_due():
            words = single_bits(self._refined, self._solver.problem.rules.words)
            self._reel.keep(words, self._solver.stats.decisions)

    def animation(self) -> Animation:
        """The animation recorded so far; the current wave is its last frame."""
        solver = self._solver
        solution = solver.solution() if solver.status == "solved" else None
        if solution is not None and self._refined is not None:
            solution = replace(solution, patterns=self._refined)
        rules = solver.problem.rules
        words = solver.partial().words if solution is None else single_bits(solution.patterns, rules.words)
        return Animation(solver.problem, self._reel.finish(words, solver.stats.decisions), solution)

    def stop(self) -> None:
        """Stop recording; recorded frames are kept."""
        self._stop()

    def _record(self, batch: Batch) -> None:
        for kind, cell, _, decision in batch[batch[:, KIND] != REMOVED].tolist():
            if kind == CONTRADICTION:
                self._reel.mark_conflict(cell, decision)
            elif kind in FRAME_EVENTS and self._reel.is_due():
                self._reel.keep(self._solver.partial().words, decision)


class FrameSampler:
    """Selects at most `most` frames of a solve of unknown length, evenly distributed.

    At first, every step becomes a frame. When there are too many, frames are merged in pairs, and only every
    second step becomes a frame, later every fourth.
    """

    def __init__(self, words: NDArray[np.uint64], most: int) -> None:
        self.moments = [FrameDelta(np.arange(len(words)), words.copy(), (), 0)]
        self._now = words.copy()
        self._most = most - 1  # the last frame is added by `finish`
        self._every = 1
        self._ticks = 0
        self._conflicts: tuple[int, ...] = ()

    def is_due(self) -> bool:
        """Count a step; return whether it becomes a frame."""
        self._ticks += 1
        return self._ticks % self._every == 0

    def mark_conflict(self, cell: int, decision: int) -> None:
        """Mark a cell without remaining patterns, in the frame of the decision, or else in the next one."""
        last = self.moments[-1]
        if last.decision == decision and len(self.moments) > 1:
            self.moments[-1] = last._replace(conflicts=merge_conflicts(last.conflicts, (cell,)))
        else:
            self._conflicts = merge_conflicts(self._conflicts, (cell,))

    def keep(self, words: NDArray[np.uint64], decision: int) -> None:
        """Add a frame, unless nothing changed since the last one."""
        for change in self._changes(words, decision):
            self.moments.append(change)
            self._now[change.cells] = change.words
            self._conflicts = ()
        if len(self.moments) > self._most:
            self._thin()

    def finish(self, words: NDArray[np.uint64], decision: int) -> list[FrameDelta]:
        """Return all frames, with the current wave as the last one."""
        return [*self.moments, *self._changes(words, decision)]

    def _changes(self, words: NDArray[np.uint64], decision: int) -> list[FrameDelta]:
        """The frame of this wave, in a list; empty if nothing changed since the last frame."""
        cells = np.flatnonzero((words != self._now).any(axis=1))
        if not cells.size and not self._conflicts:
            return []
        return [FrameDelta(cells, words[cells], self._conflicts, decision)]

    def _thin(self) -> None:
        first, *rest = self.moments
        pairs = [a.merge(b) for a, b in zip(rest[::2], rest[1::2], strict=False)]
        self.moments = [first, *pairs, *rest[len(pairs) * 2 :]]
        self._every *= 2


class FrameDelta(NamedTuple):
    """The changes of the wave since the previous frame."""

    cells: NDArray[np.int64]  # [row] cells with a changed domain
    words: NDArray[np.uint64]  # [row, word] their new domains
    conflicts: tuple[int, ...]  # cells that had no remaining patterns in between
    decision: int  # the number of decisions so far

    def merge(self, later: FrameDelta) -> FrameDelta:
        """Combine this change with a later one."""
        cells = np.concatenate([later.cells, self.cells])
        words = np.concatenate([later.words, self.words])
        kept, first = np.unique(cells, return_index=True)  # the later domain comes first
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
    """A recorded solve, as a limited number of frames."""

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
        """Pictures of equal size, drawn during iteration.

        The options are those of `draw`; the defaults of `tile_size` and `scale` suit a page. `background` is
        a colour, by name or as "#rrggbb". Cells with a contradiction are marked. The last frame of a finished
        map has its objects.
        """
        check_show(show)
        colour = parse_background(background)
        canvas = make_canvas(self.problem, tile_size, layers, longest=LARGEST_DEFAULT_PIXELS)
        if scale is None:
            scale = (
                max(1, SMALLEST_DEFAULT_PIXELS // max(canvas.width, canvas.height))
                if tile_size is None
                else 1
            )
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
        """Write a .gif, .apng (or .png), .webp or .mp4 file; `options` are those of `frames`.

        Each frame is shown for `milliseconds`, the last one for `hold` milliseconds.
        """
        write = find_writer(path, "write_animation")
        check_writable(path)
        milliseconds = parse_milliseconds("milliseconds", milliseconds, 10)
        hold = parse_milliseconds("hold", hold, 0)
        frames = self.frames(**options)
        write(frames, path, [milliseconds] * (len(self) - 1) + [max(hold, milliseconds)])

    def _repr_png_(self) -> bytes | None:
        """An animated PNG for notebooks."""
        canvas = make_canvas(self.problem, longest=LARGEST_PREVIEW_PIXELS)
        if max(canvas.width, canvas.height) > LARGEST_PREVIEW_PIXELS:
            return None
        file = BytesIO()
        write_apng(self.frames(tile_size=canvas.size), file, [50] * (len(self) - 1) + [2000])
        return file.getvalue()


@dataclass(frozen=True, eq=False)
class Frames:
    """The pictures of an animation, drawn during iteration to save memory."""

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
        """Raise ConfigError if there are too many pixels."""
        self._canvas.check(self._scale)
        width, height = self.size
        pixels = width * height * len(self)
        if pixels > MOST_ANIMATION_PIXELS:
            raise ConfigError(
                f"{len(self)} frames of {width:,} x {height:,} pixels are more than "
                f"{MOST_ANIMATION_PIXELS:,} pixels in all",
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
    """Combine conflicts, each cell once, the latest last; at most MOST_CONFLICTS."""
    cells = dict.fromkeys(reversed((*earlier, *later)))
    return tuple(cells)[:MOST_CONFLICTS][::-1]


def parse_milliseconds(name: str, value: object, shortest: int) -> int:
    """Return a time in milliseconds. Raises ConfigError if a format cannot store it."""
    time = parse_integer(value)
    if time is None or not shortest <= time <= LONGEST_MILLISECONDS:
        raise ConfigError(
            f"{name} must be a whole number from {shortest} to {LONGEST_MILLISECONDS:,}, not {value!r}"
        )
    return time


def parse_background(name: object) -> tuple[int, ...]:
    """Parse a colour; its opacity is ignored."""
    colour = parse_colour(name)
    if colour is None:
        raise ConfigError(f'unknown colour {name!r}; use a name such as "white", or "#rrggbb" in hexadecimal')
    return (*colour[:3], 255)
