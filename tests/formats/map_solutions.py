"""Maps to write and read: any patterns on any cells, valid or not, so that nothing has to be solved."""

import numpy as np

import wavefold as wf

SQUARES = {
    "square": wf.SquareGrid(5, 4),
    "one cell": wf.SquareGrid(1, 1),
    "wrapped": wf.SquareGrid(4, 3, wraps=(True, False)),
    "holes": wf.SquareGrid(3, 3, mask=np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], bool)),
}
HEXES = {
    "disk": wf.HexGrid(2),
    "odd disk": wf.HexGrid(3),
    "one hexagon": wf.HexGrid(0),
    "flat disk": wf.HexGrid(3, "flat"),
    "rectangle": wf.HexGrid.rectangle(5, 4),
    "flat rectangle": wf.HexGrid.rectangle(4, 5, "flat"),
    "rhombus": wf.HexGrid.rhombus(4, 3),
    "wrapped rhombus": wf.HexGrid.rhombus(4, 3, wraps=True),
    "flat rhombus": wf.HexGrid.rhombus(3, 5, layout="flat"),
    "hex holes": wf.HexGrid(2, mask=np.arange(25).reshape(5, 5) % 3 > 0),
}
CUBES = {
    "cubes": wf.CubeGrid(3, 4, 2),
    "wrapped cubes": wf.CubeGrid(2, 2, 2, wraps=(False, True, True)),
    "cube holes": wf.CubeGrid(2, 2, 2, mask=np.arange(8).reshape(2, 2, 2) != 5),
}
LATTICES = SQUARES | HEXES | CUBES
GRAPH = wf.Graph([("a", "b"), ("b", (1, "c"), "stairs"), ((1, "c"), 7)], cells=["lonely", "a"])

ART = np.zeros((6, 6, 4), np.uint8)
ART[..., 3] = 255
ART[:3, :, 0], ART[:, :2, 1] = 200, 150  # looks different however it is turned


def tiles_for(kind):
    """Two tiles, one of them in every orientation and one at three heights."""
    sides = {"square": 4, "hex": 6, "cube": 6}[kind]
    names = ('"quoted", näme', "raised")
    return wf.TileSet(
        [
            wf.Tile(names[0], ("a",) * sides, symmetry="F", picture=ART),
            wf.Tile(names[1], ("a",) * sides, weight=2.5, levels=3),
        ],
        kind,
        "made up",
    )


TILES = {kind: tiles_for(kind) for kind in ("square", "hex", "cube")}
RULES = wf.Rules(["red", "blue"], [wf.Relation.from_allowed(np.ones((2, 2), bool))] * 4)


def anything(tiles, topology, seed=3):
    """A map with a pattern drawn by lot in each cell."""
    problem = wf.Problem(tiles, topology, own_constraints=False)
    patterns = np.random.default_rng(seed).integers(0, len(problem.rules), problem.cell_count)
    return wf.Solution(problem, patterns, wf.Statistics(decisions=5, seconds={"solve": 0.25}), seed)


def on(topology, seed=3):
    """The same, with the tiles made up for its kind of cells."""
    return anything(RULES if topology.kind == "graph" else TILES[topology.kind], topology, seed)


def undecide_half(topology):
    """A map of which every other cell is undecided."""
    solution = on(topology)
    words = np.zeros((topology.cell_count, solution.problem.rules.words), np.uint64)
    words[np.arange(topology.cell_count), 0] = np.uint64(1) << solution.patterns.astype(np.uint64)
    words[::2, 0] = 3
    partial = wf.Partial(solution.problem, words)
    assert (partial.patterns[::2] == -1).all()
    assert (partial.patterns[1::2] == solution.patterns[1::2]).all()
    return partial


def read(path, tiles=None, **options):
    from wavefold.formats import read_map

    return read_map(path, tiles, **options)
