"""Learn a sample and make a map of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.api import generate
from wavefold.solver import Budget
from wavefold.tiles import LearnedTileSet, learn
from wavefold.topology import SquareGrid
from wavefold_server.problems import limit_problem
from wavefold_server.settings import Limits
from wavefold_server.sketches.models import SketchAnswer, SketchRequest

Numbers = NDArray[np.integer]
PREVIEW = Budget(decisions=60_000)  # about a second: a sample that is harder is rather changed


class SamplePatterns(NamedTuple):
    """A sample, and its patterns.

    windows, variants : [row, column] the window whose top left this is, or -1; [window] its patterns
    positions, cells : [pattern]: the pixel where it was first seen, and its colours, row by row
    """

    tiles: LearnedTileSet
    windows: Numbers
    variants: Numbers
    positions: Numbers
    cells: Numbers

    def find_banned(self, banned: list[list[int]]) -> list[int]:
        """The patterns of these colours; others are ignored."""
        unwanted = set(map(tuple, banned))
        return [number for number, each in enumerate(self.cells.tolist()) if tuple(each) in unwanted]


def learn_sample(request: SketchRequest, limits: Limits) -> SamplePatterns:
    """The patterns of a sample."""
    sample = request.sample
    pixels = np.array(sample.pixels, np.int64).reshape(sample.height, sample.width)
    tiles = learn(
        pixels,
        n=min(request.n, sample.width, sample.height),
        symmetry=request.symmetry,
        periodic=request.periodic,
        ground=request.ground,
    )
    if len(tiles) > limits.patterns:
        raise limit_problem("patterns", limits.patterns, f"this sample has {len(tiles):,} patterns")
    seen = tiles.occurrences
    assert seen is not None  # it was just learned
    windows = np.full(pixels.shape, -1, np.int32)  # at the edges there are none, unless opposite edges touch
    windows[tuple(map(slice, seen.maps[0].shape))] = seen.maps[0]
    positions, turns = find_first(windows, seen.pattern_of)
    cells = read_windows(pixels, tiles.n, positions, turns)
    return SamplePatterns(tiles, windows, seen.pattern_of, positions, cells)


def find_banned(request: SketchRequest, limits: Limits) -> list[int]:
    """The numbers of the patterns that a request bans."""
    return learn_sample(request, limits).find_banned(request.banned) if request.banned else []


def make_sketch(request: SketchRequest, limits: Limits) -> SketchAnswer:
    """The map of a sample. Raises `Contradiction` and `OutOfBudget` as `wf.generate` does."""
    learned, width = learn_sample(request, limits), request.sample.width
    grid = SquareGrid(request.width, request.height, wraps=request.wraps)
    banned = learned.find_banned(request.banned)
    kept = np.setdiff1d(np.arange(len(learned.tiles)), banned)
    solution = generate(
        learned.tiles.without_patterns(banned) if banned else learned.tiles,
        grid,
        request.seed,
        refine="auto" if request.refine else False,
        budget=None if request.refine else PREVIEW,
    )
    return SketchAnswer(
        patterns=kept[solution.patterns].tolist(),
        colours=learned.cells[:, 0].tolist(),
        counts=[round(each) for each in learned.tiles.rules.weights.tolist()],
        sources=[(at % width, at // width) for at in learned.positions.tolist()],
        cells=learned.cells.tolist(),
        windows=learned.windows.reshape(-1).tolist(),
        variants=learned.variants.tolist(),
        backtracks=solution.stats.backtracks,
    )


def find_first(windows: Numbers, pattern_of: Numbers) -> tuple[Numbers, Numbers]:
    """[pattern]: the pixel where it was first seen, and as which variant of the window there.

    windows, pattern_of : [row, column] the window at each pixel, and [window, variant] its pattern
    """
    numbers, first = np.unique(windows, return_index=True)
    first = first[numbers >= 0]  # [window]
    patterns, width = pattern_of.reshape(-1), pattern_of.shape[1]
    order = np.argsort(np.repeat(first, width), kind="stable")  # lower variants stay before higher ones
    _, chosen = np.unique(patterns[order], return_index=True)
    window, variant = np.divmod(order[chosen], width)
    return first[window], variant


def read_windows(pixels: Numbers, n: int, positions: Numbers, variants: Numbers) -> Numbers:
    """[pattern, n * n] its colours: the window at its position, turned left and then mirrored."""
    height, width = pixels.shape
    rows, columns = np.divmod(positions, width)
    step = np.arange(n)
    cells = pixels[
        (rows[:, None] + step)[:, :, None] % height, (columns[:, None] + step)[:, None, :] % width
    ]  # [pattern, row, column]
    for variant in np.unique(variants).tolist():
        turns, is_mirrored = divmod(variant, 2)
        turned = np.rot90(cells[variants == variant], turns, axes=(1, 2))
        cells[variants == variant] = turned[:, :, ::-1] if is_mirrored else turned
    colours: Numbers = cells.reshape(len(cells), -1)
    return colours
