"""Wave function collapse with backtracking, the whole idea in plain Python.

At first every cell may hold every pattern. Then, over and over:

1. choose a cell with several patterns left, and one of these patterns for it;
2. remove from all other cells what no longer fits (`propagate`);
3. if that leaves a cell with nothing, undo the last choice and rule it out.

The kernels in `src/wavefold/kernels` do the same with bit sets, a queue of cells and a log of removals in
place of copies, thousands of times as fast. `tests/test_tiny.py` checks that both make the same maps:

    tiles, grid = wf.TileSet.load("pipes"), wf.SquareGrid(8, 6)
    map = wf.generate(tiles, grid, seed=7, order="scanline", search="backtrack")
    assert map.patterns.tolist() == solve(tiles, grid, seed=7)

(Only tiles with `apart=True` are treated otherwise: the kernels check those once a neighbour is decided.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import frexp

import wavefold as wf

Wave = list[set[int]]  # [cell] -> the patterns that are still possible there
Fits = list[list[set[int]]]  # [direction][pattern] -> the patterns that may be next to it on that side


def solve(tiles: wf.TileSet, grid: wf.Topology, seed: int) -> list[int] | None:
    """[cell] -> pattern, decided row by row; None if there is no such map."""
    fits = [[set(row.nonzero()[0].tolist()) for row in side] for side in tiles.rules.allowed]
    neighbours = grid.graph().neighbour.tolist()  # [cell][direction] -> cell, or -1 at an edge
    weights = round_weights(tiles.rules.weights.tolist())
    numbers = random_numbers(seed)
    wave = [set(range(len(tiles))) for _ in neighbours]
    choices: list[tuple[Wave, int, int]] = []  # the wave before each choice, its cell and its pattern
    possible = propagate(wave, range(len(wave)), fits, neighbours)
    while True:
        if possible:
            undecided = (cell for cell, patterns in enumerate(wave) if len(patterns) > 1)
            if (cell := next(undecided, None)) is None:
                return [pattern for (pattern,) in wave]
            pattern = draw(sorted(wave[cell]), weights, next(numbers))
            choices.append(([set(patterns) for patterns in wave], cell, pattern))
            wave[cell] = {pattern}
        elif choices:
            wave, cell, pattern = choices.pop()
            wave[cell].remove(pattern)
        else:
            return None
        possible = propagate(wave, [cell], fits, neighbours)


def propagate(wave: Wave, changed: Iterable[int], fits: Fits, neighbours: list[list[int]]) -> bool:
    """Remove every pattern that no pattern next to it allows. False if that leaves a cell with nothing."""
    waiting = list(changed)
    while waiting:
        cell = waiting.pop()
        for direction, other in enumerate(neighbours[cell]):
            if other < 0:
                continue
            allowed = set[int]().union(*(fits[direction][pattern] for pattern in wave[cell]))
            if not wave[other] <= allowed:
                wave[other] &= allowed
                waiting.append(other)
            if not wave[other]:
                return False
    return True


def draw(patterns: list[int], weights: list[int], number: int) -> int:
    """The pattern into whose share of the total weight the number falls."""
    rest = number % sum(weights[pattern] for pattern in patterns)
    for pattern in patterns:
        rest -= weights[pattern]
        if rest < 0:
            break
    return pattern


def round_weights(weights: list[float]) -> list[int]:
    """Weights scaled to whole numbers below 2**24, whose sums are the same on every machine."""
    _, exponent = frexp(max(weights))
    return [max(1, round(weight * 2.0 ** (24 - exponent))) for weight in weights]


def random_numbers(seed: int) -> Iterator[int]:
    """An endless row of 64-bit numbers (SplitMix64)."""
    while True:
        seed = (seed + 0x9E3779B97F4A7C15) % 2**64
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        yield mixed ^ mixed >> 31
