"""Audits, and explanations of what cannot be."""

import numpy as np
from cases import OUTLINES, RIVERS, learn_sample, load_tiles, scene
from reading import read_audit, read_explanation

import wavefold as wf


def examine(tiles, deep=False):
    """An audit by kernels that are compiled already: the time it gives to its maps is limited."""
    wf.audit(tiles, deep)
    return read_audit(wf.audit(tiles, deep))


scene("audit, pipes")(lambda: examine(load_tiles("pipes")))
scene("audit, pipes, deep")(lambda: examine(load_tiles("pipes"), deep=True))
scene("audit, dungeon")(lambda: examine(load_tiles("dungeon")))
scene("audit, meadow")(lambda: examine(load_tiles("meadow")))
scene("audit, rivers")(lambda: examine(RIVERS))
scene("audit, learned tartan")(lambda: examine(learn_sample("tartan")))
NEVER = wf.TileSet([wf.Tile("one", ("a", "b", "c", "d")), wf.Tile("two", ("c", "d", "b", "b"))], name="never")
scene("audit, impossible")(lambda: examine(NEVER))


def explain(tiles, grid, **wishes):
    """Why a map cannot be: as the error tells it, and as the solver does when asked."""
    problem = wf.Problem(tiles, grid, **wishes)
    try:
        wf.Solver(problem, order="entropy").run(20_000)
    except wf.Contradiction as error:
        told = read_explanation(error.explanation)
    return [*told, *read_explanation(wf.Solver(problem, order="entropy").explain())]


@scene("explanation, pins")
def _():
    pins = {(0, 0): "lamp@90", (2, 0): "lamp@270", (1, 0): "wall", (5, 3): "wall"}
    return explain(load_tiles("pipes"), wf.SquareGrid(6, 4), pins=pins)


@scene("explanation, own tiles", plain=True)
def _():
    return explain(OUTLINES, wf.SquareGrid(4, 3), pins={(1, 1): "x", (2, 1): " ", (0, 0): "a"})


@scene("explanation, masks", plain=True)
def _():
    masks = np.ones((12, 8), bool)
    masks[5], masks[6] = np.arange(8) == 0, np.arange(8) == 1
    masks[9, 3] = False
    return explain(OUTLINES, wf.SquareGrid(4, 3), masks=masks)


@scene("explanation, a constraint", plain=True)
def _():
    wishes = {
        "pins": {(0, 0): " ", (2, 2): "x"},
        "constraints": [wf.Count(" ", at_least=7), wf.Count("x", 0, 5)],
    }
    return explain(OUTLINES, wf.SquareGrid(3, 3), **wishes)


@scene("explanation, rules alone")
def _():
    return explain(NEVER, wf.SquareGrid(3, 3))


@scene("explanation, hexagons")
def _():
    return explain(
        load_tiles("medieval"), wf.HexGrid(2), pins={(0, 0): "water", (1, 0): "grass@l4", (-2, 0): "grass"}
    )


@scene("explanation, a pin and a ban")
def _():
    tiles, parts = load_tiles("pipes"), []
    solver = wf.Solver(wf.Problem(tiles, wf.SquareGrid(5, 4)), 7)
    solver.pin((1, 1), "cross")
    solver.ban((3, 3), "wall")
    for wish in ("wall", "vent"):
        try:
            solver.pin((2, 1), wish)
        except wf.Contradiction as error:
            parts.append(read_explanation(error.explanation) if error.explanation else [])
    return [*parts, read_explanation(solver.explain())]


@scene("explanation, an edit")
def _():
    world = wf.World(load_tiles("pipes"), refine=False, seed=7, chunk=24)
    try:
        world.edit({(5, 5): "cross", (6, 5): "wall", (9, 9): "lamp"})
    except wf.Contradiction as error:
        return read_explanation(error.explanation) if error.explanation else [str(type(error).__name__)]
    return ["made"]


@scene("explanation, a repair")
def _():
    tiles = load_tiles("pipes")
    problem = wf.Problem(tiles, wf.SquareGrid(6, 4))
    wanted = np.full(24, -1)
    wanted[[7, 8, 22]] = tiles.rules.names.index("cross"), tiles.rules.names.index("wall"), 0
    try:
        wf.repair(problem, wanted, keep=[7, 8, 22])
    except wf.Contradiction as error:
        return read_explanation(error.explanation)
    return ["made"]


@scene("explanation, bans", plain=True)
def _():
    differ = wf.Relation.from_allowed(~np.eye(4, dtype=bool))
    rules = wf.Rules(["red", "green", "blue", "grey"], [differ, differ])
    graph = wf.Graph([(a, b) for a in range(5) for b in range(a)])
    solver = wf.Solver(wf.Problem(rules, graph, pins={0: "red"}), order="domain")
    for cell in range(5):
        solver.ban(cell, "grey")
    try:
        solver.run()
    except wf.Contradiction as error:
        return [*read_explanation(error.explanation), *read_explanation(solver.explain())]
    return ["made"]
