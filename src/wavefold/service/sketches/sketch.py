"""Learn a sample and make a map of it."""

from __future__ import annotations

import numpy as np

from wavefold.api import generate
from wavefold.service.problems import limit_problem
from wavefold.service.settings import Limits
from wavefold.service.sketches.models import SampleBody, SketchAnswer, SketchRequest
from wavefold.solver import Budget
from wavefold.tiles import LearnedTileSet, learn
from wavefold.topology import SquareGrid

BUDGET = Budget(decisions=60_000)  # about a second: a sample that is harder is rather changed


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
    solution = generate(tiles, grid, request.seed, refine="auto" if request.refine else False, budget=BUDGET)
    return SketchAnswer(
        patterns=solution.patterns.tolist(),
        colours=find_colours(tiles),
        counts=[round(each) for each in tiles.rules.weights.tolist()],
        sources=[find_source(tiles, each, sample) for each in range(len(tiles))],
        backtracks=solution.stats.backtracks,
    )


def find_colours(tiles: LearnedTileSet) -> list[int]:
    """[pattern] the index of its colour: that of its top left pixel."""
    return [int(each) for each in tiles.rules.values or ()]


def find_source(tiles: LearnedTileSet, pattern: int, sample: SampleBody) -> tuple[int, int]:
    """The column and row where a pattern was first seen."""
    occurrence = tiles.sources(pattern)[0]
    return occurrence.x % sample.width, occurrence.y % sample.height
