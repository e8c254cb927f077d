"""Maps of every kind, solvers in the middle of their work, repairs, and pictures."""

from functools import partial

import numpy as np
from cases import (
    OUTLINES,
    RIVERS,
    STUBBORN,
    TOWERS,
    grid_for,
    hex_fields,
    land_fields,
    learn_sample,
    load_tiles,
    scene,
)
from reading import read_events, read_map, read_partial, read_repair, read_rules

import wavefold as wf

ORDERS = ("auto", "entropy", "domain", "scanline", "scanline:southeast", "spiral", "random")
SEARCHES = ("auto", "backtrack", "backjump", "repair", "restart", "exact")


def check_map(tiles, grid, seed=7, **options):
    """A map that the independent checker finds valid, as parts to digest."""
    asked = {name: options.get(name) for name in ("pins", "masks", "weights", "fields")}
    problem = wf.Problem(tiles, grid, constraints=options.get("constraints", ()), **asked)
    solution = wf.generate(tiles, grid, seed, **{"refine": False} | options)
    assert wf.check(problem, solution) == []
    return read_map(solution)


def enter(name, tiles, grid, plain=False, **options):
    """Enter a map; `tiles` may be a function that gives them."""

    def make():
        own = tiles() if callable(tiles) else tiles
        place = grid(own) if callable(grid) else grid
        return check_map(own, place, **options)

    scene(f"map, {name}", plain)(make)


# --- bundled sets, orders, ways to go about it --------------------------------------------------

for each in wf.tilesets():
    scene(f"rules, {each}")(lambda each=each: read_rules(load_tiles(each).rules))
    for seed in (1, 20240607):
        enter(f"{each}, seed {seed}", partial(load_tiles, each), grid_for, seed=seed)
for order in ORDERS:
    for each in ("pipes", "meadow"):
        enter(f"{each}, order {order}", partial(load_tiles, each), wf.SquareGrid(24, 18), order=order)
    enter(f"medieval, order {order}", partial(load_tiles, "medieval"), wf.HexGrid(6), order=order, seed=-3)
for propagation in ("ac3", "ac4", "naive"):
    for undo in ("delta", "snapshot"):
        how = {"propagation": propagation, "undo": undo}
        enter(f"castle, {propagation}, {undo}", partial(load_tiles, "castle"), wf.SquareGrid(16, 16), **how)
        enter(
            f"own tiles, {propagation}, {undo}",
            OUTLINES,
            wf.SquareGrid(6, 5),
            order="entropy",
            plain=True,
            **how,
        )
for search in SEARCHES:
    side = 6 if search in ("backtrack", "exact") else 9
    enter(f"stubborn, search {search}", STUBBORN, wf.SquareGrid(side, side), order="entropy", search=search)
    enter(f"castle, search {search}", partial(load_tiles, "castle"), wf.SquareGrid(20, 20), search=search)
enter(
    "stubborn, a ladder",
    STUBBORN,
    wf.SquareGrid(12, 12),
    order="entropy",
    search=wf.Ladder(patience=4, jumps=1, repairs=6, repairs_per_cell=0.1, radius=1, restarts=20, exact=True),
)
for seed in (1, 2, 4):
    enter(f"stubborn, large, seed {seed}", STUBBORN, wf.SquareGrid(16, 16), order="entropy", seed=seed)
    enter(
        f"stubborn, torus, seed {seed}",
        STUBBORN,
        wf.SquareGrid(12, 12, wraps=True),
        order="domain",
        seed=seed,
    )
enter(
    "stubborn, restarts only",
    STUBBORN,
    wf.SquareGrid(9, 9),
    order="entropy",
    search=wf.Ladder(patience=0, jumps=1, repairs=2, restarts=10**6),
)

# --- learned ------------------------------------------------------------------------------------

for each in wf.samples():
    scene(f"rules, learned {each}")(lambda each=each: read_rules(learn_sample(each).rules))
for each in ("cave", "islands", "kilim", "metro", "seabed", "towers", "tartan"):
    enter(f"learned {each}", partial(learn_sample, each), wf.SquareGrid(24, 20), order="entropy")
enter("learned mine, auto", partial(learn_sample, "mine"), wf.SquareGrid(32, 24))

DRAWN = np.array([[0, 0, 0, 0, 0], [0, 1, 1, 0, 0], [0, 1, 2, 1, 0], [0, 0, 1, 0, 0], [3, 3, 3, 3, 3]])
LEARNINGS = {
    "n 2, as drawn, with edges": {"n": 2, "symmetry": 1, "periodic": False},
    "n 2, all turns, periodic": {"n": 2, "symmetry": 8, "periodic": True},
    "n 3, mirrored, periodic": {"n": 3, "symmetry": 2, "periodic": True},
    "n 2, with ground": {"n": 2, "symmetry": 2, "periodic": True, "ground": True},
}
for what, how in LEARNINGS.items():
    learn = partial(wf.learn, DRAWN, **how)
    scene(f"rules, drawn, {what}", plain=True)(lambda learn=learn: read_rules(learn().rules))
    enter(f"drawn, {what}", learn, wf.SquareGrid(15, 15, wraps=(True, False)), order="entropy")


def learn_coast():
    """Rules of single cells, with a hole and something that must not be."""
    drawn = [
        ["sea", "sea", "beach", "land", "land"],
        ["sea", "beach", "land", "land", "hut"],
        ["?", "?", "land", "hut", "land"],
        ["sea", "beach", "beach", "land", "land"],
    ]
    return wf.learn_adjacency(drawn, holes="?", negative=[[["hut", "land"]]])


scene("rules, adjacency", plain=True)(lambda: read_rules(learn_coast().rules))
enter("adjacency", learn_coast, wf.SquareGrid(24, 24), order="entropy")
enter("adjacency, small", learn_coast, wf.SquareGrid(5, 4), order="domain", plain=True)
enter(
    "two samples, a pin by value",
    lambda: wf.learn(
        [np.array([[0, 1, 2, 1], [0, 1, 2, 1]]), np.array([[0, 0, 0], [0, 3, 0], [0, 0, 0]])], n=2, symmetry=1
    ),
    wf.SquareGrid(12, 8),
    pins={(5, 4): 3},
)

# --- other places -------------------------------------------------------------------------------

HEXES = {
    "disk": wf.HexGrid(7),
    "flat disk": wf.HexGrid(6, layout="flat"),
    "rectangle": wf.HexGrid.rectangle(14, 10),
    "flat rectangle": wf.HexGrid.rectangle(11, 12, layout="flat"),
    "rhombus": wf.HexGrid.rhombus(12, 11),
    "wrapped rhombus": wf.HexGrid.rhombus(12, 12, wraps=True),
}
for what, grid in HEXES.items():
    enter(f"medieval, {what}", partial(load_tiles, "medieval"), grid, order="scanline", seed=5)
    enter(f"rivers, {what}", RIVERS, grid, order="entropy", seed=5)
enter("rivers, small disk", RIVERS, wf.HexGrid(2), order="entropy", plain=True)
enter("towers, small", TOWERS, wf.CubeGrid(3, 3, 3), order="entropy", plain=True)
enter("towers, wrapped", TOWERS, wf.CubeGrid(8, 7, 5, wraps=(True, True, False)), order="domain")
enter("blocks, wrapped", partial(load_tiles, "blocks"), wf.CubeGrid(6, 6, 5, wraps=(True, False, False)))
enter("pipes, torus", partial(load_tiles, "pipes"), wf.SquareGrid(24, 24, wraps=True))
enter("castle, wrapped across", partial(load_tiles, "castle"), wf.SquareGrid(18, 20, wraps=(True, False)))
HOLED = (np.add.outer(np.arange(20), 2 * np.arange(24)) % 11 != 0) & (
    np.hypot(*np.ogrid[-10:10, -12:12]) < 12
)
enter("meadow, a form with holes", partial(load_tiles, "meadow"), wf.SquareGrid(24, 20, mask=HOLED))
enter(
    "rivers, a form with holes",
    RIVERS,
    wf.HexGrid(3, mask=np.tri(7, 7, 2, bool)),
    order="entropy",
    plain=True,
)


def colour(colours):
    """Rules for graphs: cells that touch differ."""
    differ = wf.Relation.from_allowed(~np.eye(colours, dtype=bool))
    return wf.Rules([f"c{number}" for number in range(colours)], [differ, differ])


PETERSEN = wf.Graph(
    [(i, (i + 1) % 5) for i in range(5)]
    + [(i, i + 5) for i in range(5)]
    + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
)
WHEEL = wf.Graph([*((i, (i + 1) % 40) for i in range(40)), *((i, (7 * i + 3) % 40) for i in range(0, 40, 2))])
enter("petersen", colour(3), PETERSEN, plain=True)
enter("wheel", colour(4), WHEEL, order="domain")


@scene("solve, countries", plain=True)
def _():
    borders = ["FS", "FI", "FG", "FB", "GB", "GA", "IA", "SP"]
    found = wf.solve(
        "ABFGIPS", ["red", "green", "blue"], lambda a, b: a != b, edges=[tuple(b) for b in borders]
    )
    return [found]


@scene("solve, days", plain=True)
def _():
    needs = [("design", "build", "before"), ("build", "test", "before"), ("test", "party", "other day")]

    def allowed(earlier, later, label):
        return earlier < later if label == "before" else earlier != later

    tasks, weights = ["design", "build", "test", "party"], {1: 2.0, 5: 0.5}
    pins = {"test": [3, 4]}
    return [
        wf.solve(tasks, range(1, 6), allowed, needs, pins=pins, weights=weights, seed=seed)
        for seed in range(8)
    ]


@scene("solve, queens")
def _():
    columns = list(range(10))
    edges = [(a, b, b - a) for a in columns for b in columns if a < b]
    return [
        wf.solve(
            columns, columns, lambda a, b, d: a != b and abs(a - b) != d, edges, seed=seed, order="domain"
        )
        for seed in range(4)
    ]


# --- wishes -------------------------------------------------------------------------------------

PIPES, MEADOW = partial(load_tiles, "pipes"), partial(load_tiles, "meadow")
enter(
    "pipes, pins",
    PIPES,
    wf.SquareGrid(20, 16),
    pins={(10, 6): "valve", (0, 0): "bend@90", (19, 15): ["tee", "cross"]},
)
enter(
    "medieval, pins", partial(load_tiles, "medieval"), wf.HexGrid(5), pins={(0, 0): "water", (2, -4): "grass"}
)
enter(
    "own tiles, pins",
    OUTLINES,
    wf.SquareGrid(6, 6),
    pins={(2, 2): "x", (5, 5): " "},
    order="domain",
    plain=True,
)
enter(
    "own tiles, masks and weights",
    OUTLINES,
    wf.SquareGrid(6, 6),
    masks=(np.arange(36 * 8).reshape(36, 8) % 13 != 4),
    weights=1.0 + np.arange(36 * 8).reshape(36, 8) % 7,
    order="entropy",
    plain=True,
)


@scene("map, pipes, masks")
def _():
    tiles, grid = load_tiles("pipes"), wf.SquareGrid(20, 16)
    masks = np.ones((320, len(tiles)), bool)
    masks[::3, tiles.rules.patterns("wall")] = False
    masks[:60, tiles.rules.patterns("cross")] = False
    return check_map(tiles, grid, masks=masks)


@scene("map, meadow, weights")
def _():
    tiles, grid = load_tiles("meadow"), wf.SquareGrid(24, 20)
    weights = np.outer(1 + np.arange(480) % 5, tiles.rules.weights)
    weights[240:, tiles.rules.patterns("grass")] *= 20
    return check_map(tiles, grid, weights=weights)


enter("terrain, fields", partial(load_tiles, "terrain"), wf.SquareGrid(40, 30), fields=land_fields(7))
enter("medieval, fields", partial(load_tiles, "medieval"), wf.HexGrid(7), fields=hex_fields(8))
WILD = wf.Fields(wild=wf.Noise(0.07, octaves=3, seed=4).rescaled(0, 2), south=np.linspace(0, 1, 24 * 18))
enter(
    "meadow, limits and factors",
    MEADOW,
    wf.SquareGrid(24, 18),
    fields=WILD.with_limits({"house": {"south": (0.5, 1.0)}}).with_factors({"trees": "wild", "grass": 2.0}),
)
enter(
    "pipes, counts",
    PIPES,
    wf.SquareGrid(9, 7),
    constraints=[wf.Count("lamp", 3, 5), wf.Count("cross", at_most=1)],
)
enter(
    "own tiles, counts",
    OUTLINES,
    wf.SquareGrid(6, 5),
    constraints=[wf.Count("x", 3, 4)],
    order="entropy",
    plain=True,
)


@scene("fields, values", plain=True)
def _():
    noise = wf.Noise(0.09, octaves=4, seed=11, lacunarity=2.1, gain=0.6, offset=(3.5, -2))
    fields = wf.Fields(
        a=noise,
        b=1 - abs(noise).rescaled(0, 1),
        c=(0.5 * noise + wf.Noise(0.3, seed=-2) * 0.25).clamp(-0.2, 0.4),
        d=lambda x, y: x * 0.25 + y,
        e=np.arange(96.0).reshape(8, 12),
    ).beyond(e="mirror")
    parts = {}
    for what, grid, origin in (
        ("square", wf.SquareGrid(12, 8), None),
        ("far away", wf.SquareGrid(12, 8), (-(2**33), 2**35)),
        ("hexagons", wf.HexGrid.rhombus(12, 8), (40, -70)),
    ):
        parts[what] = list(fields.at(grid, origin=origin).values())
    parts["cubes"] = [wf.Fields(a=noise).at(wf.CubeGrid(5, 4, 3))["a"]]
    parts["name"] = [wf.Fields(a=noise, e=np.arange(6.0)).digest]
    return parts


# --- heuristics ---------------------------------------------------------------------------------

KNOBS = {
    "both": {"order": "both", "most_constraining": True, "central": True, "shortlist": 12},
    "score": {"order": "score", "domain_factor": 0.5, "entropy_factor": 2.0, "ties": "spiral"},
    "alone": {
        "order": "domain",
        "most_constraining": True,
        "most_constraining_alone": True,
        "ties": "scanline",
    },
    "corner": {"order": "scanline", "corner": "southwest"},
    "degree and edge": {"order": "entropy", "degree": 0.5, "perimeter": -0.5},
    "bias": {"order": "entropy", "bias": 2.0, "influence": np.tile(np.linspace(0, 1, 24), 18)},
    "heaviest": {"order": "entropy", "pick": "heaviest"},
    "alike": {"match_neighbours": True, "match_base": 0.5, "match_boost": 8.0},
    "varied": {"uniform_pick_fraction": 0.5},
    "balanced": {"local_share": 0.5},
    "caps": {"caps": {"house": 2, "grass": 0.1}},
}
for what, knobs in KNOBS.items():
    enter(f"meadow, heuristics {what}", MEADOW, wf.SquareGrid(24, 18), order=wf.Heuristics(**knobs))


def order_columns(cell, remaining, entropy, undecided):
    """An order of a user's."""
    return cell % 6 * 4 + remaining


def choose_checkered(cell, pattern, weight):
    """A choice of a user's."""
    return weight if (cell + pattern) % 2 else weight // 8


def draw_bits(number):
    """A generator of a user's."""
    return (number * 6364136223846793005 + 1442695040888963407) % 2**64


OWN = {"order": order_columns, "choice": choose_checkered, "random": draw_bits}
enter("own tiles, own functions", OUTLINES, wf.SquareGrid(6, 6), plain=True, **OWN)
enter("meadow, own functions", MEADOW, wf.SquareGrid(18, 12), **OWN)
enter(
    "own tiles, every knob",
    OUTLINES,
    wf.SquareGrid(6, 6),
    plain=True,
    order=wf.Heuristics(
        order="both",
        most_constraining=True,
        central=True,
        degree=0.5,
        perimeter=0.25,
        match_neighbours=True,
        uniform_pick_fraction=0.3,
        local_share=0.5,
        caps={"x": 3},
    ),
)

# --- step by step -------------------------------------------------------------------------------


def steer(tiles, grid, pins, bans, steps=20, **options):
    """A solver that is steered by hand: steps, undo, pins and bans, limits, and to the end."""
    solver = wf.Solver(wf.Problem(tiles, grid), 7, **options)
    events, parts = [], {}
    for _ in range(steps):
        solver.step()
    parts["after steps"] = read_partial(solver)
    for _ in range(steps // 4):
        solver.undo()
    parts["after undo"] = [*read_partial(solver), solver.entropy()]
    stop = solver.listen(events.append)
    for cell, name in pins.items():
        solver.pin(cell, name)
    for cell, name in bans.items():
        solver.ban(cell, name)
    parts["after pins"] = [
        *read_partial(solver),
        solver.domain(next(iter(bans))),
        solver.state(next(iter(pins))),
    ]
    try:
        solver.run(wf.Budget(decisions=steps, backtracks=5))
    except wf.OutOfBudget as error:
        parts["out of budget"] = [error.partial.patterns]
    parts["in the end"] = read_map(solver.run())
    stop()
    parts["events"] = read_events(events)
    return parts


@scene("steered, own tiles", plain=True)
def _():
    return steer(OUTLINES, wf.SquareGrid(5, 5), {(4, 4): "x"}, {(0, 4): " "}, steps=8, order="entropy")


@scene("steered, pipes")
def _():
    return steer(
        load_tiles("pipes"), wf.SquareGrid(16, 12), {(12, 9): "lamp"}, {(14, 2): "wall"}, order="random"
    )


@scene("steered, castle, snapshots")
def _():
    pins, bans = {(14, 14): "keep"}, {(2, 14): "river"}
    return steer(
        load_tiles("castle"), wf.SquareGrid(16, 16), pins, bans, 40, order="entropy", undo="snapshot"
    )


@scene("steered, medieval")
def _():
    pins, bans = {(5, 0): "water"}, {(-5, 0): "grass"}
    return steer(load_tiles("medieval"), wf.HexGrid(5), pins, bans, order="scanline")


@scene("steered, stubborn")
def _():
    solver = wf.Solver(wf.Problem(STUBBORN, wf.SquareGrid(8, 8)), 3, "entropy")
    events = []
    solver.listen(events.append)
    return [[solver.step() for _ in range(120)], *read_partial(solver), read_events(events)]


# --- neighbours ---------------------------------------------------------------------------------


@scene("boundaries, pipes")
def _():
    tiles, grid = load_tiles("pipes"), wf.SquareGrid(12, 12)
    town = wf.generate(tiles, grid, seed=1, refine=False)
    masks = wf.boundaries(tiles, grid, north=town, west=["wall"] * 12)
    suburb = wf.generate(tiles, grid, seed=2, masks=masks, refine=False)
    other = wf.generate(tiles, grid, seed=3, refine=False)
    assert wf.seams(tiles, town, suburb, "south") == []
    wrong = [list(each.cells) for each in wf.seams(tiles, town, other, "south")]
    return [masks, *read_map(suburb), wrong]


@scene("boundaries, medieval")
def _():
    tiles, grid = load_tiles("medieval"), wf.HexGrid.rhombus(8, 8)
    town = wf.generate(tiles, grid, seed=1, refine=False)
    masks = wf.boundaries(tiles, grid, west=town)
    return [masks, *read_map(wf.generate(tiles, grid, seed=2, masks=masks, refine=False))]


# --- repairs ------------------------------------------------------------------------------------


def damage(patterns, count, every, shift, holes=0):
    """A map in which every so many cells are something else, and some are unknown."""
    broken = np.array(patterns)
    broken[::every] = (broken[::every] + shift) % count
    if holes:
        broken[holes // 2 :: holes] = -1
    return broken


def mend(tiles, grid, every, shift=1, holes=0, keep=(), order="entropy", **wishes):
    """Damage a map, and have it repaired."""
    problem = wf.Problem(tiles, grid, **wishes)
    first = wf.Solver(wf.Problem(tiles, grid), 7, order).run()
    broken = damage(first.patterns, len(problem.rules), every, shift, holes)
    mended = wf.repair(problem, broken, keep=keep, seed=3)
    assert wf.check(problem, mended.solution) == []
    return read_repair(mended)


REPAIRS = {
    "pipes": lambda: mend(load_tiles("pipes"), wf.SquareGrid(20, 16), 37),
    "pipes, with holes": lambda: mend(load_tiles("pipes"), wf.SquareGrid(20, 16), 61, 5, holes=29),
    "pipes, torus": lambda: mend(load_tiles("pipes"), wf.SquareGrid(16, 16, wraps=True), 43, 7),
    "pipes, a new pin": lambda: mend(load_tiles("pipes"), wf.SquareGrid(16, 12), 50, pins={(8, 6): "cross"}),
    "pipes, a count": lambda: mend(
        load_tiles("pipes"), wf.SquareGrid(10, 8), 30, constraints=[wf.Count("lamp", at_least=4)]
    ),
    "castle": lambda: mend(load_tiles("castle"), wf.SquareGrid(16, 16), 53, order="scanline"),
    "dungeon": lambda: mend(load_tiles("dungeon"), wf.SquareGrid(20, 20), 67, 31),
    "meadow, kept cells": lambda: mend(
        load_tiles("meadow"), wf.SquareGrid(16, 16), 71, 9, keep=[(7, 4), (1, 0)]
    ),
    "medieval": lambda: mend(load_tiles("medieval"), wf.HexGrid(6), 41, 100, order="scanline"),
    "rivers": lambda: mend(RIVERS, wf.HexGrid(6), 19, 3),
    "blocks": lambda: mend(load_tiles("blocks"), wf.CubeGrid(5, 5, 4), 33, 17),
    "towers": lambda: mend(TOWERS, wf.CubeGrid(5, 5, 4), 21, 2),
    "learned mine": lambda: mend(learn_sample("mine"), wf.SquareGrid(20, 16), 57, 40),
    "learned tartan": lambda: mend(learn_sample("tartan"), wf.SquareGrid(16, 12), 90, 3),
}
for what, make in REPAIRS.items():
    scene(f"repair, {what}")(make)
scene("repair, own tiles", plain=True)(lambda: mend(OUTLINES, wf.SquareGrid(6, 6), 11, 3))

# --- pictures -----------------------------------------------------------------------------------


def draw(tiles, grid, **options):
    """The pixels of a map, without what is laid over its tiles."""
    return [np.asarray(wf.generate(tiles, grid, 7, order="scanline").image(**options, objects=False))]


scene("picture, pipes")(lambda: draw(load_tiles("pipes"), wf.SquareGrid(8, 6)))
scene("picture, castle")(lambda: draw(load_tiles("castle"), wf.SquareGrid(8, 6), tile_size=12))
scene("picture, medieval")(lambda: draw(load_tiles("medieval"), wf.HexGrid(2), tile_size=20))
scene("picture, blocks")(lambda: draw(load_tiles("blocks"), wf.CubeGrid(4, 4, 3)))
scene("picture, layers of blocks")(lambda: draw(load_tiles("blocks"), wf.CubeGrid(4, 4, 3), layers=True))
scene("picture, learned tartan")(lambda: draw(learn_sample("tartan"), wf.SquareGrid(12, 9), tile_size=4))
