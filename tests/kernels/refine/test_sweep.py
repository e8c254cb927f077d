"""Refining draws maps as often as their weights say: compared with enumeration, on tiny maps."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only, mark_slow
from wavefold.formats.toml.adjacency import ListedTileSet
from wavefold.kernels.constants import LOG_BITS
from wavefold.solver.refine.chain import Chain
from wavefold.tiles import Relation

SAMPLES = 4_000
FEWEST = 8  # times that a class of maps is expected
CLASSES = 16
UNLIKELY = 3.3  # standard deviations: by chance, one test in a thousand has more
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


def draw_maps(problem, sweeps=3, samples=SAMPLES, always=False, factors=(1,)):
    """{map: how often it was seen}, with `sweeps` between two of them, so that they hardly depend.

    factors : [pattern] on weights, set as activities
    """
    start = wf.Solver(problem, 3).run().patterns
    chain = Chain(problem, start, 7, None, problem.propagators)
    activities = np.broadcast_to(np.log(factors), len(problem.rules))
    chain.set_activities(np.rint(activities * (1 << LOG_BITS)).astype(np.int64))
    seen = Counter()
    for _ in range(samples):
        for _ in range(sweeps):
            chain.sweep(always)
        seen[tuple(chain.map.pattern.tolist())] += 1
    return seen


def chi_square_excess(seen, expected):
    """Pearson's chi-square of counts {map: times}, as standard deviations above what chance gives.

    The larger of two: of single maps, the rare ones counted together; and of a few classes of maps about as
    probable as each other, which sees small errors that all maps have part in.
    """
    return max(chi_square(seen, expected, FEWEST), chi_square(seen, expected, seen.total() / CLASSES))


def chi_square(seen, expected, least):
    """The same for classes of maps that are expected `least` times or more.

    Wilson and Hilferty's cube root makes the statistic nearly normal, for any number of classes.
    """
    counts, wanted = [0], [0.0]
    for each in sorted(expected, key=expected.get, reverse=True):
        if wanted[-1] >= least:
            counts.append(0)
            wanted.append(0.0)
        counts[-1] += seen[each]
        wanted[-1] += expected[each] * seen.total()
    if wanted[-1] < least:
        counts[-2:], wanted[-2:] = [sum(counts[-2:])], [sum(wanted[-2:])]
    free = len(counts) - 1
    statistic = sum((count - mean) ** 2 / mean for count, mean in zip(counts, wanted, strict=True))
    return ((statistic / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5


def with_soft_pairs(tiles):
    """The same tiles with factors on some pairs, above and below 1, that differ by direction."""
    first, last = tiles.directions[1], tiles.directions[0]
    rules = [wf.Beside("a", "b", first, weight=0.2), wf.Beside("b", "b", weight=3.0)]
    rules += [wf.Beside("a", ("a", "c"), last, weight=1.7)]
    listed = [Relation.from_allowed(side) for side in tiles.rules.allowed]
    plain = wf.TileSet(tiles.tiles, tiles.topology, beside=rules)
    return ListedTileSet(plain, listed, WEIGHTS)


def many_patterns(count):
    """So many patterns, all but the first, one in the middle and the last of which can never be placed."""
    used, weights = [0, count // 2, count - 1], np.ones(count)
    weights[used] = WEIGHTS
    allowed = np.zeros((4, count, count), bool)
    allowed[np.ix_(range(4), used, used)] = three_tiles().rules.allowed
    tiles = [wf.Tile(f"t{number}", apart=number == used[1]) for number in range(count)]
    plain = wf.TileSet(tiles, beside=[wf.Beside("t0", f"t{used[1]}", weight=0.2)])
    relations = [Relation.from_allowed(side) for side in allowed]
    masks = np.isin(np.arange(count), used)
    return wf.Problem(ListedTileSet(plain, relations, weights.tolist()), wf.SquareGrid(3, 3), masks=masks)


def per_cell_weights(cells):
    return 0.2 + ((np.arange(cells)[:, None] * 7 + np.arange(3) * 5) % 11) / 5


SELDOM = {"sweeps": 40, "samples": 3000}
SLOW = {  # maps that seldom change
    "connected": SELDOM,
    "joined": SELDOM,
    "strong soft pairs": SELDOM,
    "cube": {"sweeps": 20},
    "count": {"sweeps": 8},
}

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
    "connected": lambda: wf.Problem(
        three_tiles(), wf.SquareGrid(3, 3), constraints=[wf.Connected(tiles="b")]
    ),
    "joined": lambda: wf.Problem(
        three_tiles("hex"),
        wf.HexGrid(radius=1),
        constraints=[wf.Connected(["a", "c"], joins=[(0, 1), (-1, 0)])],
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
    "two words": lambda: many_patterns(70),
    "by classes": lambda: many_patterns(300),
}


@compiled_only
@pytest.mark.parametrize("case", mark_slow(CASES, 2))
def test_maps_are_drawn_as_often_as_their_weights_say(case):
    problem = CASES[case]()
    expected = enumerate_maps(problem, by_product(problem))
    assert len(expected) > 5
    slow = SLOW.get(case, {})
    seen = draw_maps(problem, **slow)
    assert set(seen) <= set(expected)  # valid maps only
    assert chi_square_excess(seen, expected) < UNLIKELY


@compiled_only
def test_activities_are_factors_on_weights():
    problem, factors = CASES["soft pairs"](), (1, 0.4, 2)
    other = wf.Problem(problem.tiles, problem.topology, weights=np.array(WEIGHTS) * factors)
    expected = enumerate_maps(other, by_product(other))
    assert chi_square_excess(draw_maps(problem, factors=factors), expected) < UNLIKELY
    assert chi_square_excess(draw_maps(problem), expected) > 5 * UNLIKELY


@compiled_only
def test_maps_that_are_drawn_otherwise_would_be_noticed():
    problem = CASES["square"]()
    expected = enumerate_maps(problem, by_product(problem))
    assert chi_square_excess(draw_maps(problem, always=True), expected) > 5 * UNLIKELY
    assert chi_square_excess(draw_maps(problem, factors=(1, 1.15, 1)), expected) > UNLIKELY
