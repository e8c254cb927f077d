"""Refining draws maps as often as their weights say: compared with enumeration, on tiny maps."""

from itertools import product

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only
from wavefold.solver.refining.chain import Chain
from wavefold.solver.refining.refine import find_tests

SAMPLES = 8_000
RIGHT = np.array([[1, 1, 0], [1, 1, 1], [1, 0, 1]], bool)
DOWN = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 0]], bool)
WEIGHTS = [1.0, 2.5, 0.7]


def three_tiles(topology="square"):
    """Three tiles that may touch in an irregular way along each axis."""
    axes = {"square": 2, "hex": 3, "cube": 3}[topology]
    sides = wf.TileSet([wf.Tile("x")], topology).directions
    opposite = wf.TileSet([wf.Tile("x")], topology).opposite
    allowed = np.ones((len(sides), 3, 3), bool)
    done = 0
    for side, back in enumerate(opposite):
        if side < back:
            allowed[side] = (RIGHT, DOWN, RIGHT & DOWN.T)[done % axes]
            allowed[back] = allowed[side].T
            done += 1
    return wf.TileSet.from_allowed("abc", allowed, WEIGHTS, topology)


def enumerate_maps(problem, weight):
    """{map: probability} by trying all combinations; `weight` of a map as a tuple of patterns."""
    neighbour, allowed, rule = problem.graph.neighbour, problem.rules.allowed, problem.graph.rule
    domains = problem.domains
    choices = [
        [p for p in range(len(problem.rules)) if int(words[p >> 6]) >> (p & 63) & 1] for words in domains
    ]
    found = {}
    for patterns in product(*choices):
        fits = all(
            allowed[rule[d], patterns[cell], patterns[other]]
            for cell, row in enumerate(neighbour)
            for d, other in enumerate(row)
            if other >= 0
        )
        if fits and not any(c.violations(problem, np.array(patterns)) for c in problem.constraints):
            found[patterns] = weight(patterns)
    total = sum(found.values())
    return {patterns: value / total for patterns, value in found.items()}


def by_product(problem):
    """The weight of a map: the product of its patterns' weights."""
    weights = problem.rules.weights[None] if problem.weights is None else problem.weights
    rows = np.broadcast_to(weights, (problem.cell_count, len(problem.rules)))
    return lambda patterns: float(np.prod(rows[np.arange(len(patterns)), patterns]))


def compare(problem, expected, sweeps=4, samples=SAMPLES):
    """The distance to the expected distribution, in units of the noise of independent samples."""
    start = wf.Solver(problem, 3).run().patterns
    chain = Chain(problem, start, 7, None, find_tests(problem))
    seen = dict.fromkeys(expected, 0)
    for _ in range(samples):
        for _ in range(sweeps):
            chain.sweep()
        seen[tuple(chain.map.pattern.tolist())] += 1  # a KeyError is an invalid map
    distance = sum(abs(seen[each] / samples - share) for each, share in expected.items()) / 2
    noise = sum(np.sqrt(2 * share * (1 - share) / np.pi / samples) for share in expected.values()) / 2
    return distance / noise


def per_cell_weights(cells):
    return 0.2 + ((np.arange(cells)[:, None] * 7 + np.arange(3) * 5) % 11) / 5


CASES = {
    "square": lambda: wf.Problem(three_tiles(), wf.SquareGrid(3, 3)),
    "wrapped": lambda: wf.Problem(three_tiles(), wf.SquareGrid(3, 3, wraps=True)),
    "row": lambda: wf.Problem(three_tiles(), wf.SquareGrid(9, 1)),
    "hex": lambda: wf.Problem(three_tiles("hex"), wf.HexGrid(radius=1)),
    "cube": lambda: wf.Problem(three_tiles("cube"), wf.CubeGrid(2, 2, 2)),
    "pins": lambda: wf.Problem(three_tiles(), wf.SquareGrid(3, 3), {(1, 1): "a", (2, 0): ["b", "c"]}),
    "masks": lambda: wf.Problem(
        three_tiles(), wf.SquareGrid(3, 3), masks=np.arange(27).reshape(9, 3) % 7 > 0
    ),
    "weights": lambda: wf.Problem(three_tiles(), wf.SquareGrid(3, 3), weights=per_cell_weights(9)),
    "count": lambda: wf.Problem(
        three_tiles(), wf.SquareGrid(3, 3), constraints=[wf.Count("b", at_least=1, at_most=3)]
    ),
    "apart": lambda: wf.Problem(
        wf.TileSet([wf.Tile("a", "oooo", 2), wf.Tile("b", "oooo", 1, apart=True), wf.Tile("c", "oooo", 1)]),
        wf.SquareGrid(3, 3),
    ),
}


@compiled_only
@pytest.mark.parametrize("case", CASES)
def test_maps_are_drawn_as_often_as_their_weights_say(case):
    problem = CASES[case]()
    expected = enumerate_maps(problem, by_product(problem))
    assert len(expected) > 5
    assert compare(problem, expected) < 1.3
