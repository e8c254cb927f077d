"""Each constraint, alone and with each other one, against what `definitions` says of every possible map.

Its tile is anywhere, nowhere, everywhere, pinned or banned in a cell. Whether some map exists must be decided
rightly, also for each pattern in each cell: no proof is false, and nothing that is possible is removed.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest
from definitions import Sketch, holds

import wavefold as wf
from support import brute_force, compiled_only, everything_touches, mark_slow
from wavefold.tiles import Relation

MOST_DECISIONS = 20_000
STRIDE = 7  # of pairs, in `make test`

SQUARES = everything_touches([1, 2, 1])
HEXAGONS = wf.TileSet([wf.Tile("t0", ("",) * 6), wf.Tile("t1", ("",) * 6, 2.0)], "hex")
ANYTHING = Relation.from_allowed(np.ones((3, 3), bool))
VALUES = wf.Rules(["t0", "t1", "t2"], [ANYTHING, ANYTHING])
RING = wf.Graph([(each, (each + 1) % 5) for each in range(5)] + [(0, 2)])
BRIDGES = wf.TileSet(
    [
        wf.Tile("grass", ("g",) * 4),
        wf.Tile("road", ("r", "g", "r", "g"), symmetry=(0, 90)),
        wf.Tile("bridge", ("r",) * 4, meets=(("north", "south"), ("east", "west"))),
        wf.Tile("bend", ("r", "r", "g", "g"), symmetry="turned"),
    ]
)
WAYS = {
    "grass": [],
    "road": [("north", "south")],
    "road@90": [("east", "west")],
    "bridge": [("north", "south"), ("east", "west")],
    "bend": [("north", "east")],
    "bend@90": [("east", "south")],
    "bend@180": [("south", "west")],
    "bend@270": [("west", "north")],
}
HILLS = wf.TileSet(
    [
        wf.Tile("grass", ("g",) * 4, levels=2),
        wf.Tile("river", ("g", "r", "g", "r"), levels=2),
        wf.Tile("slope", ("g", "r", "g", "r"), levels=2, rises=(0, 1, 0, 0), symmetry=(0, 180)),
        wf.Tile("spring", ("g", "r", "g", "g"), levels=2, symmetry=(0, 180)),
    ]
)

ANYWHERE = [
    wf.Connected("t1"),
    wf.Connected(["t0", "t1"]),
    wf.Reach("t1", "t1", tiles="t0"),
    wf.Reach("t1", "t0", tiles="t1", at_most=2),
    wf.Loop("t1"),
    wf.Loop(["t0", "t1"]),
    wf.Acyclic("t1"),
    wf.Acyclic(["t0", "t1"]),
    wf.Count("t1", 0, 0),
    wf.Count("t1", 1),
    wf.Count("t0", 1, 2),
    wf.Separation("t1", 2),
    wf.Separation("t1", 3),
    wf.PairSeparation("t0", "t1", 2),
    wf.Room("t1", 2),
    wf.Room("t1", 1, 2),
    wf.Room("t0", 2, 3),
]
ON_LATTICES = [
    wf.MaxRun("t1", 0),
    wf.MaxRun("t1", 1),
    wf.MaxRun("t0", 2),
    wf.Parallel("t1", 0),
    wf.Parallel("t1", 1),
    wf.Parallel("t0", 2),
]


def ends(first, second):
    """Ways between tiles and given cells, and given cells to join."""
    return [
        wf.Reach("t1", second, tiles="t1"),
        wf.Reach(first, "t1", tiles="t0"),
        wf.Reach(first, second, tiles="t1"),
        wf.Reach(first, first, tiles="t1"),
        wf.Reach([first, second], "t0", tiles="t1", at_most=2),
        wf.Connected("t1", joins=[first, second]),
    ]


ON_SQUARES = [
    wf.Border("t1", "east"),
    wf.Border("t1", "corners", ban=True),
    wf.Mirror(),
    wf.Rotational(2),
    wf.Connected("t1", area=(0, 0, 2, 2)),
    wf.Area("t1", [[True, True, False], [False, False, False]]),
    wf.Area("t1", [[True, False, False], [True, False, False]], ban=True),
    wf.Slope(np.array([[0, 1, 5], [2, 3, 1]]), "t1", 1),
]
WITH_THREE = [wf.Reach("t1", "t2", tiles="t0"), wf.Reach("t2", "t1", tiles=["t0", "t1"], at_most=2)]
GRID = wf.SquareGrid(3, 2)
WORLDS = {
    "square": (
        SQUARES,
        GRID,
        "t1",
        [*ANYWHERE, *ON_LATTICES, *ON_SQUARES, *WITH_THREE, *ends((0, 0), (2, 0))],
    ),
    "torus": (
        SQUARES,
        wf.SquareGrid(3, 2, wraps=True),
        "t1",
        [*ANYWHERE, *ON_LATTICES, *WITH_THREE, *ends((0, 0), (2, 1))],
    ),
    "line": (
        SQUARES,
        wf.SquareGrid(5, 1),
        "t1",
        [*ANYWHERE, *ON_LATTICES, *WITH_THREE, wf.Mirror(), *ends((0, 0), (3, 0))],
    ),
    "hex": (HEXAGONS, wf.HexGrid(1), "t1", [*ANYWHERE, *ON_LATTICES, *ends((0, 0), (1, -1))]),
    "graph": (
        VALUES,
        RING,
        "t1",
        [*ANYWHERE, *WITH_THREE, wf.Slope(np.array([0, 1, 5, 2, 2]), "t1", 1), *ends(0, 3)],
    ),
    "bridges": (
        BRIDGES,
        GRID,
        "bridge",
        [
            wf.Connected(sides="r"),
            wf.Connected(sides="r", joins=[(0, 0), (2, 1)]),
            wf.Reach((0, 0), (2, 0), sides="r"),
            wf.Reach("bridge", (2, 0), sides="r"),
            wf.Reach((0, 1), "bridge", sides="r", at_most=3),
            wf.Reach("bridge", "bend", sides="r", at_most=2),
            wf.Loop(sides="r"),
            wf.Acyclic(sides="r"),
            wf.Count("bridge", 0, 0),
            wf.Count("bridge", 1),
            wf.Separation("bridge", 2),
            wf.Border("bridge", "all", ban=True),
        ],
    ),
    "hills": (
        HILLS,
        wf.SquareGrid(4, 1),
        "slope",
        [
            wf.Downhill(["river", "slope", "spring"]),
            wf.Count("slope", 0, 0),
            wf.Count("slope", 1),
            wf.Count("spring", 0, 0),
            wf.Border("slope", "west"),
            wf.Connected(["river", "slope", "spring"]),
            wf.MaxRun("slope", 1),
        ],
    ),
}
PLACES = ("anywhere", "nowhere", "everywhere", "pinned", "banned")


@cache
def every_map(world):
    """int [map, cell]: all that rules allow."""
    tiles, topology, _, _ = WORLDS[world]
    return np.array(brute_force(wf.Problem(tiles, topology)))


@cache
def judge(world, number):
    """bool [map]: whether one of a world's constraints holds."""
    tiles, topology, _, rules = WORLDS[world]
    problem = wf.Problem(tiles, topology)
    return np.array([holds(rules[number], Sketch(problem, each, WAYS)) for each in every_map(world).tolist()])


def mask_for(world, place):
    """bool [cell, pattern]: where the tile may be."""
    tiles, topology, tile, _ = WORLDS[world]
    problem = wf.Problem(tiles, topology)
    mine = np.isin(np.arange(len(problem.rules)), problem.patterns_named(tile))
    masks = np.ones((topology.cell_count, mine.size), bool)
    if place == "nowhere":
        masks &= ~mine
    elif place == "everywhere":
        masks &= mine
    elif place != "anywhere":
        masks[1] &= mine if place == "pinned" else ~mine
    return masks


def exists(problem, search="exact", most=MOST_DECISIONS):
    """Whether a search finds a map; it must come to an end."""
    try:
        wf.Solver(problem, 1, "entropy", search=search).run(most)
    except wf.Contradiction:
        return False
    return True


def check_together(world, numbers, places=PLACES):
    """The answers of searches with some of a world's constraints, against all maps."""
    tiles, topology, _, rules = WORLDS[world]
    maps = every_map(world)
    fits = np.logical_and.reduce([judge(world, number) for number in numbers])
    for place in places:
        masks = mask_for(world, place)
        cells = np.arange(topology.cell_count)
        found = maps[fits & masks[cells, maps].all(axis=1)]
        problem = wf.Problem(tiles, topology, masks=masks, constraints=[rules[each] for each in numbers])
        assert exists(problem) == bool(len(found)), (place, problem.constraints)
        if not len(found):
            continue
        for cell in cells:
            for pattern in range(len(problem.rules)):
                pinned = masks.copy()
                pinned[cell] &= np.arange(len(problem.rules)) == pattern
                if not pinned[cell].any():
                    continue
                answer = exists(problem.replace(masks=pinned))
                assert answer == (found[:, cell] == pattern).any(), (
                    place,
                    cell,
                    pattern,
                    problem.constraints,
                )


CASES = [(world, number) for world, (_, _, _, rules) in WORLDS.items() for number in range(len(rules))]
NAMES = [f"{world}-{WORLDS[world][3][number]!r}" for world, number in CASES]


@compiled_only  # the same in plain Python: no kernel judges a map
@pytest.mark.parametrize(("world", "number"), CASES, ids=NAMES)
def test_violations_are_those_of_the_definition(world, number):
    tiles, topology, _, rules = WORLDS[world]
    problem = wf.Problem(tiles, topology)
    maps = every_map(world)
    agreed = [not rules[number].violations(problem, each) for each in maps]
    wrong = np.flatnonzero(np.array(agreed) != judge(world, number))
    assert not wrong.size, [problem.rules.names[each] for each in maps[wrong[0]]]


@compiled_only
@pytest.mark.parametrize(("world", "number"), mark_slow(CASES, 2), ids=NAMES)
def test_alone(world, number):
    check_together(world, [number])


@compiled_only
@pytest.mark.parametrize("world", WORLDS)
def test_some_pairs(world):
    pairs = list(combinations(range(len(WORLDS[world][3])), 2))
    for number, pair in enumerate(pairs[::STRIDE]):
        check_together(world, pair, [PLACES[number % len(PLACES)]])


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize(("world", "number"), CASES, ids=NAMES)
def test_all_pairs(world, number):
    for other in range(number + 1, len(WORLDS[world][3])):
        check_together(world, (number, other))


@compiled_only
@pytest.mark.parametrize("world", ["square", "torus", "graph"])
def test_maps_of_a_few_cells_are_decided_by_every_complete_search(world):
    tiles, topology, _, rules = WORLDS[world]
    numbers = [
        [number for number, rule in enumerate(rules) if isinstance(rule, kind)]
        for kind in (wf.Reach, wf.Loop, wf.Acyclic)
    ]
    for chosen in product(*numbers):
        problem = wf.Problem(tiles, topology, constraints=[rules[each] for each in chosen])
        fits = np.logical_and.reduce([judge(world, each) for each in chosen]).any()
        for search in ("auto", "backtrack", "exact"):
            assert exists(problem, search, 5_000) == fits, (search, problem.constraints)


@pytest.mark.parametrize("world", ["square", "graph"])
def test_pairs_in_plain_python(world):
    pairs = list(combinations_with_replacement(range(len(WORLDS[world][3])), 2))
    tiles, topology, _, rules = WORLDS[world]
    for first, second in pairs[:: STRIDE * 4]:
        problem = wf.Problem(tiles, topology, constraints=[rules[first], rules[second]])
        assert exists(problem) == (judge(world, first) & judge(world, second)).any()
