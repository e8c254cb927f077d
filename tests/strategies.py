"""Random tile sets, topologies and problems for laws that must always hold."""

import numpy as np
from hypothesis import strategies as st

import wavefold as wf
from wavefold.tiles import Relation

seeds = st.integers(-(2**70), 2**70)
weights = st.sampled_from([0.01, 0.5, 1.0, 1.0, 2.0, 7.5, 1000.0])
SIDES = {"square": 4, "hex": 6, "cube": 6}


@st.composite
def socket_tiles(draw, topology="square", most=6):
    """Tiles with random sockets, some of them turned."""
    sides = SIDES[topology]
    ring = 6 if topology == "hex" else 4
    colours = draw(st.sampled_from(["ab", "abc"]))
    rows = draw(st.lists(st.tuples(*[st.sampled_from(colours)] * sides), min_size=1, max_size=most))
    degrees = st.integers(0, ring - 1).map(lambda turn: turn * 360 // ring)
    symmetries = st.sets(degrees, min_size=1, max_size=2).map(sorted).map(tuple)
    return wf.TileSet(
        [wf.Tile(f"t{i}", row, draw(weights), draw(symmetries)) for i, row in enumerate(rows)], topology
    )


def random_table(directions, opposite, patterns, density, seed):
    """bool [direction, pattern, pattern], the same pair seen from both sides."""
    rng = np.random.default_rng(seed)
    table = rng.random((directions, patterns, patterns)) < density
    for side, back in enumerate(opposite):
        table[back] = table[side].T
    return table


@st.composite
def table_tiles(draw, topology="square", most=5):
    """Any symmetric table of what may touch what."""
    patterns = draw(st.integers(1, most))
    density = draw(st.sampled_from([0.3, 0.5, 0.7, 0.9]))
    opposite = {"square": (2, 3, 0, 1), "hex": (3, 4, 5, 0, 1, 2), "cube": (2, 3, 0, 1, 5, 4)}[topology]
    table = random_table(len(opposite), opposite, patterns, density, draw(st.integers(0, 10**6)))
    numbers = draw(st.lists(weights, min_size=patterns, max_size=patterns))
    return wf.TileSet.from_allowed([f"p{i}" for i in range(patterns)], table, numbers, topology)


@st.composite
def wide_tiles(draw):
    """More patterns than fit one word: few classes, or nearly as many as patterns."""
    patterns = draw(st.integers(65, 140))
    seed = draw(st.integers(0, 10**6))
    names = [f"p{i}" for i in range(patterns)]
    if draw(st.booleans()):
        return wf.TileSet.from_allowed(names, random_table(4, (2, 3, 0, 1), patterns, 0.06, seed))
    rows = np.random.default_rng(seed).integers(0, 4, (patterns, 4))
    # What only the north and only the west show, nothing matches.
    sides = ("abcn", "abca", "abcb", "abcw")
    return wf.TileSet(
        [
            wf.Tile(name, tuple(letters[i] for letters, i in zip(sides, row, strict=True)))
            for name, row in zip(names, rows, strict=True)
        ]
    )


def masks(shape):
    """Which cells exist: at least one."""
    cells = int(np.prod(shape))
    flags = st.lists(st.sampled_from([True, True, True, False]), min_size=cells, max_size=cells).filter(any)
    return st.one_of(st.none(), flags.map(lambda each: np.array(each).reshape(shape)))


@st.composite
def square_grids(draw, most=4):
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    wraps = (draw(st.booleans()), draw(st.booleans()))
    return wf.SquareGrid(width, height, wraps=wraps, mask=draw(masks((height, width))))


@st.composite
def hex_grids(draw, most=3):
    if draw(st.booleans()):
        return wf.HexGrid(draw(st.integers(0, most - 1)), draw(st.sampled_from(["pointy", "flat"])))
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    return wf.HexGrid.rhombus(width, height, wraps=(draw(st.booleans()), draw(st.booleans())))


@st.composite
def cube_grids(draw, most=3):
    width, height, depth = (draw(st.integers(1, most)) for _ in range(3))
    return wf.CubeGrid(width, height, depth, wraps=draw(st.booleans()))


@st.composite
def graph_worlds(draw, most_cells=8, most_values=4):
    """Rules and a graph with one or two labels."""
    cells = draw(st.integers(1, most_cells))
    labels = ["x", "y"][: draw(st.integers(1, 2))]
    pairs = [(a, b) for a in range(cells) for b in range(cells) if a != b]
    edge = st.tuples(st.sampled_from(pairs), st.sampled_from(labels)) if pairs else st.nothing()
    edges = draw(st.lists(edge, max_size=2 * cells)) if pairs else []
    graph = wf.Graph([(a, b, label) for (a, b), label in edges], cells=range(cells))
    values = draw(st.integers(1, most_values))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    relations = []
    for _ in graph.labels:
        table = rng.random((values, values)) < 0.6
        relations += [Relation.from_allowed(table), Relation.from_allowed(table.T)]
    return wf.Rules([f"v{i}" for i in range(values)], relations), graph


def worlds(most_tiles=6):
    """Tiles and a topology they are drawn for."""
    square = st.tuples(st.one_of(socket_tiles(most=most_tiles), table_tiles()), square_grids())
    hexes = st.tuples(st.one_of(socket_tiles("hex", most_tiles), table_tiles("hex")), hex_grids())
    cubes = st.tuples(st.one_of(socket_tiles("cube", most_tiles), table_tiles("cube")), cube_grids())
    return st.one_of(square, square, hexes, cubes, graph_worlds(), st.tuples(wide_tiles(), square_grids(5)))


@st.composite
def problems(draw, worlds=worlds()):  # noqa: B008
    """A world with pins, masks and weights of its own, now and then."""
    tiles, topology = draw(worlds)
    rules = tiles.rules if isinstance(tiles, wf.TileSet) else tiles
    cells, patterns = topology.cell_count, len(rules)
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    pins = {}
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        pins[topology.coordinate(int(rng.integers(cells)))] = rules.names[int(rng.integers(patterns))]
    masked = draw(st.sampled_from([None, None, "row", "cells"]))
    masks = None
    if masked:
        masks = rng.random((cells, patterns) if masked == "cells" else patterns) < 0.85
    own = draw(st.sampled_from([None, None, "row", "cells"]))
    weights = None
    if own:
        weights = rng.integers(0, 9, (cells, patterns) if own == "cells" else patterns) + 0.5
    return wf.Problem(tiles, topology, pins=pins, masks=masks, weights=weights)


SOCKETS = st.sampled_from(["a", "b", "c>", "c<"])
SYMMETRIES = st.sampled_from(["fixed", "turned", "X", "I", "L", "T", "\\", "F", ("0", "m"), (0, 180)])


@st.composite
def rich_tiles(draw):
    """Tiles with everything sockets can say."""
    topology = draw(st.sampled_from(["square", "hex", "cube"]))
    sides, drawn = SIDES[topology], []
    for number in range(draw(st.integers(1, 4))):
        sockets = draw(st.tuples(*[SOCKETS] * sides))
        rises = draw(st.one_of(st.just(()), st.tuples(*[st.integers(0, 2)] * sides)))
        levels = draw(st.integers(max(rises, default=0) + 1, 4))
        symmetry = draw(SYMMETRIES)
        drawn.append(wf.Tile(f"t{number}", sockets, 1.0, symmetry, None, levels, rises, draw(st.booleans())))
    return wf.TileSet(drawn, topology)


# Worlds that brute force can enumerate.
tiny_squares = square_grids(3)
tiny_tiles = st.one_of(socket_tiles(most=4), table_tiles(most=4)).filter(lambda tiles: len(tiles) <= 4)
tiny_hexes = hex_grids(2).filter(lambda grid: grid.cell_count <= 7)
tiny_worlds = st.one_of(
    st.tuples(tiny_tiles, tiny_squares),
    st.tuples(table_tiles("hex", most=3), tiny_hexes),
    graph_worlds(most_cells=7, most_values=3),
)
