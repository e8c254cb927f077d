"""Learn a sample and make a map of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.api import generate
from wavefold.service.problems import limit_problem
from wavefold.service.settings import Limits
from wavefold.service.sketches.models import SketchAnswer, SketchRequest
from wavefold.solver import Budget
from wavefold.tiles import learn
from wavefold.tiles.learning.occurrences import Occurrences
from wavefold.topology import SquareGrid

Numbers = NDArray[np.integer]
PREVIEW = Budget(decisions=60_000)  # about a second: a sample that is harder is rather changed


def make_sketch(request: SketchRequest, limits: Limits) -> SketchAnswer:
    """The map of a sample. Raises `Contradiction` and `OutOfBudget` as `wf.generate` does."""
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
    grid = SquareGrid(request.width, request.height, wraps=request.wraps)
    seen = tiles.occurrences
    assert seen is not None  # it was just learned
    positions, variants = find_first(seen)
    cells = read_windows(pixels, tiles.n, positions, variants)
    banned = find_banned(cells, request.banned)
    kept = np.setdiff1d(np.arange(len(tiles)), banned)
    solution = generate(
        tiles.without_patterns(banned.tolist()) if banned.size else tiles,
        grid,
        request.seed,
        refine="auto" if request.refine else False,
        budget=None if request.refine else PREVIEW,
    )
    return SketchAnswer(
        patterns=kept[solution.patterns].tolist(),
        colours=cells[:, 0].tolist(),
        counts=[round(each) for each in tiles.rules.weights.tolist()],
        sources=[(at % sample.width, at // sample.width) for at in positions.tolist()],
        cells=cells.tolist(),
        windows=seen.maps[0].reshape(-1).tolist(),
        variants=seen.pattern_of.tolist(),
        backtracks=solution.stats.backtracks,
    )


def find_first(seen: Occurrences) -> tuple[Numbers, Numbers]:
    """[pattern]: the pixel where it was first seen, and as which variant of the window there."""
    windows, first = np.unique(seen.maps[0], return_index=True)
    first = first[windows >= 0]  # [window]
    patterns, width = seen.pattern_of.reshape(-1), seen.pattern_of.shape[1]
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


def find_banned(cells: Numbers, banned: list[list[int]]) -> Numbers:
    """The patterns of these colours."""
    unwanted = set(map(tuple, banned))
    return np.flatnonzero([tuple(each) in unwanted for each in cells.tolist()])
