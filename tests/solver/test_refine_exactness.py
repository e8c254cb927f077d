"""Refining draws maps as often as their weights say: compared with enumeration, on tiny maps."""

from itertools import product

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only
from wavefold.formats.toml.adjacency import ListedTileSet
from wavefold.solver.refining.chain import Chain
from wavefold.solver.refining.refine import find_tests
from wavefold.tiles import Relation

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
    """The weight of a map: the product of its patterns' weights, and of the factors of soft pairs."""
    weights = problem.rules.weights[None] if problem.weights is None else problem.weights
    rows = np.broadcast_to(weights, (problem.cell_count, len(problem.rules)))
    edges = [
        (cell, other, problem.graph.rule[side])
        for cell, row in enumerate(problem.graph.neighbour)
        for side, other in enumerate(row)
        if cell < other
    ]
    soft = problem.rules.soft
    factors = None if soft is None else [soft.table(side) for side in range(len(soft.row_of))]

    def weigh(patterns):
        weight = float(np.prod(rows[np.arange(len(patterns)), patterns]))
        for here, there, side in edges if factors else ():
            weight *= factors[side][patterns[here], patterns[there]]
        return weight

    return weigh


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


def with_soft_pairs(tiles):
    """The same tiles with factors on some pairs, above and below 1, that differ by direction."""
    first, last = tiles.directions[1], tiles.directions[0]
    rules = [wf.Beside("a", "b", first, weight=0.2), wf.Beside("b", "b", weight=3.0)]
    rules += [wf.Beside("a", ("a", "c"), last, weight=1.7)]
    listed = [Relation.from_allowed(side) for side in tiles.rules.allowed]
    plain = wf.TileSet(tiles.tiles, tiles.topology, beside=rules)
    return ListedTileSet(plain, listed, WEIGHTS)


def many_patterns():
    """Seventy patterns, two words, of which all but three are forbidden everywhere."""
    names = [*"abc", *(f"never{number}" for number in range(67))]
    allowed = np.zeros((4, 70, 70), bool)
    allowed[:, :3, :3] = three_tiles().rules.allowed
    plain = wf.TileSet([wf.Tile(name) for name in names], beside=[wf.Beside("a", "b", weight=0.2)])
    return ListedTileSet(plain, [Relation.from_allowed(side) for side in allowed], [*WEIGHTS, *[1.0] * 67])


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
    "soft pairs": lambda: wf.Problem(with_soft_pairs(three_tiles()), wf.SquareGrid(3, 3)),
    "strong soft pairs": lambda: wf.Problem(
        wf.TileSet([wf.Tile("a"), wf.Tile("b", weight=300.0)], beside=[wf.Beside("a", "a", weight=1e4)]),
        wf.SquareGrid(3, 1),
    ),
    "soft pairs, hex": lambda: wf.Problem(with_soft_pairs(three_tiles("hex")), wf.HexGrid(radius=1)),
    "soft pairs, pins": lambda: wf.Problem(
        with_soft_pairs(three_tiles()), wf.SquareGrid(3, 3, wraps=True), {(1, 1): "a", (2, 0): ["b", "c"]}
    ),
    "soft pairs, weights": lambda: wf.Problem(
        with_soft_pairs(three_tiles()), wf.SquareGrid(3, 3), weights=per_cell_weights(9)
    ),
    "soft pairs, many patterns": lambda: wf.Problem(
        many_patterns(), wf.SquareGrid(3, 2), masks=np.arange(70) < 3
    ),
}


@compiled_only
@pytest.mark.parametrize("case", CASES)
def test_maps_are_drawn_as_often_as_their_weights_say(case):
    problem = CASES[case]()
    expected = enumerate_maps(problem, by_product(problem))
    assert len(expected) > 5
    slow = {"sweeps": 20, "samples": 4000} if "strong" in case else {}  # maps that seldom change
    assert compare(problem, expected, **slow) < 1.3
