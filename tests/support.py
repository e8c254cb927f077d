"""Small worlds to test on, and slow, obvious versions of what the solver does fast."""

from itertools import product
from textwrap import dedent

import numpy as np
import pytest

import wavefold as wf
from wasm_kernels import IN_WASM
from wavefold.kernels.units import COMPILED
from wavefold.render.tile_pictures import draw_square_picture
from wavefold.solver.engine.rule_table import METHODS, choose_method
from wavefold.tiles import Relation

compiled_only = pytest.mark.skipif(not COMPILED or IN_WASM, reason="needs compiled kernels")


def import_probes():
    """Kernels that only tests call; skips the module where the library lacks them, as installed ones do."""
    try:
        from wavefold.kernels.compile import probes
    except ImportError as error:  # a wheel has no builder
        pytest.skip(f"needs the test build of the library: {error}", allow_module_level=True)
    return probes


def mark_slow(cases, every):
    """All cases for `make test-slow`; only one in `every` of them for `make test`."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)), marks=[pytest.mark.slow] if at % every else []
        )
        for at, case in enumerate(cases)
    ]


# --- tile sets, drawn ---------------------------------------------------------------------------

CHESS = wf.TileSet([wf.Tile("white", ("a", "a", "b", "b")), wf.Tile("black", ("b", "b", "a", "a"))])

BOX = {  # what the north, east, south and west side shows
    " ": "----",
    "─": "-o-o",
    "│": "o-o-",
    "┌": "-oo-",
    "┐": "--oo",
    "└": "oo--",
    "┘": "o--o",
    "├": "ooo-",
    "┤": "o-oo",
    "┬": "-ooo",
    "┴": "oo-o",
    "┼": "oooo",
}


def drawn(characters, weights=None):
    """Box-drawing characters as tiles: a line must go on."""
    heavy = weights or {}
    return wf.TileSet([wf.Tile(each, tuple(BOX[each]), float(heavy.get(each, 1))) for each in characters])


PIPES = drawn(" ─│┌┐└┘├┤┬┴┼", {" ": 4, "─": 2, "│": 2})
LOOPS = drawn(" ┌┐└┘─│", {" ": 0.5, "─": 3})

# Grass (a), wall (b), river (c) and path (d), few tiles to join them, all four turns: plain backtracking
# thrashes on it, local repair does not.
CASTLE = wf.TileSet(
    [wf.Tile(sides, tuple(sides), symmetry="turned") for sides in ("abca", "bcaa", "bccc", "daac")]
)


def tinted(colours, variants, topology="square", sides=4):
    """Every way to colour the sides, each in several variants: many patterns, few classes."""
    return wf.TileSet(
        [
            wf.Tile(f"{''.join(shown)}{variant}", shown, 1.0 + variant)
            for shown in product(colours, repeat=sides)
            for variant in range(variants)
        ],
        topology,
    )


TINTED = tinted("xy", 5)  # 80 patterns in 2 classes: the kernel of live classes
HEX_RIVERS = wf.TileSet(
    [
        wf.Tile("land", ("l",) * 6, 3.0),
        wf.Tile("spring", (*"wlllll",), symmetry="turned"),
        wf.Tile("river", (*"wllwll",), 2.0, symmetry=(0, 60, 120)),
        wf.Tile("bend", (*"wlwlll",), symmetry="turned"),
    ],
    "hex",
)
TOWERS = wf.TileSet(
    [
        wf.Tile("air", (*"......",), 3.0),
        wf.Tile("wall", (*"----#.",)),
        wf.Tile("roof", (*"....." + "#",)),
        wf.Tile("room", (*"-.-.##",), symmetry=(0, 90)),
        wf.Tile("ground", (*"-----.",)),
    ],
    "cube",
)


def overlapping(sample, size):
    """The windows of a drawn sample that wraps, as patterns that must agree where they overlap."""
    height, width = len(sample), len(sample[0])
    windows = {}
    for y, x in product(range(height), range(width)):
        window = tuple(
            "".join(sample[(y + dy) % height][(x + dx) % width] for dx in range(size)) for dy in range(size)
        )
        windows[window] = windows.get(window, 0) + 1
    patterns = list(windows)

    def agree(a, b, dx, dy):
        return all(
            a[y + dy][x + dx] == b[y][x]
            for y in range(size)
            for x in range(size)
            if 0 <= y + dy < size and 0 <= x + dx < size
        )

    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    allowed = [[[agree(a, b, dx, dy) for b in patterns] for a in patterns] for dx, dy in steps]
    return wf.TileSet.from_allowed(["/".join(each) for each in patterns], allowed, list(windows.values()))


FLOWERS = overlapping(
    [
        "................",
        "..*.....*....o..",
        ".***...***..o|o.",
        "..*..*..*..o.|.o",
        "..|.***.|....|..",
        "..|..*..|...\\|..",
        ".\\|..|..|/...|/.",
        "..|\\.|./|....|..",
        "..|..|..|..\\.|..",
        "################",
        "################",
        "................",
    ],
    3,
)  # more than 100 patterns, nearly as many classes: the kernel of wide sliced tables


def keeping_apart():
    """Patterns of one kind may not touch: two words of patterns, a second relation beside the sockets."""
    rules = tinted("xy", 5).rules
    kinds = [number % 5 if number % 5 < 3 else -1 for number in range(len(rules))]
    return wf.Rules(rules.names, rules.relations, rules.weights, kinds=kinds, topology="square")


APART = keeping_apart()


def colouring(colours):
    """Rules for graphs: cells that touch differ."""
    differ = Relation.from_allowed(~np.eye(colours, dtype=bool))
    return wf.Rules([f"c{number}" for number in range(colours)], [differ, differ])


PETERSEN = wf.Graph(
    [(i, (i + 1) % 5) for i in range(5)]
    + [(i, i + 5) for i in range(5)]
    + [(5 + i, 5 + (i + 2) % 5) for i in range(5)]
)


def everything_touches(weights, names=None):
    """Tiles that fit everywhere: only heuristics decide."""
    names = names or [f"t{number}" for number in range(len(weights))]
    return wf.TileSet([wf.Tile(name, ("",) * 4, weight) for name, weight in zip(names, weights, strict=True)])


def pigeons(count):
    """More cells that all differ than values: impossible, but only search can tell."""
    cells = range(count)
    graph = wf.Graph([(a, b) for a in cells for b in range(a)])
    return wf.Problem(colouring(count - 1), graph)


WORLDS = {
    "chess": lambda: wf.Problem(CHESS, wf.SquareGrid(6, 5)),
    "pipes": lambda: wf.Problem(PIPES, wf.SquareGrid(6, 6)),
    "loops on a torus": lambda: wf.Problem(LOOPS, wf.SquareGrid(6, 4, wraps=True)),
    "castle": lambda: wf.Problem(CASTLE, wf.SquareGrid(7, 7)),
    "tinted": lambda: wf.Problem(TINTED, wf.SquareGrid(5, 5)),
    "flowers": lambda: wf.Problem(FLOWERS, wf.SquareGrid(5, 6) if COMPILED else wf.SquareGrid(4, 3)),
    "kinds apart": lambda: wf.Problem(APART, wf.SquareGrid(5, 4)),
    "hex rivers": lambda: wf.Problem(HEX_RIVERS, wf.HexGrid(2)),
    "towers": lambda: wf.Problem(TOWERS, wf.CubeGrid(3, 3, 3)),
    "petersen": lambda: wf.Problem(colouring(3), PETERSEN),
}


def draw_patterns(tiles, size):
    """[pattern, row, column, RGBA]: the picture of each pattern on a square of so many pixels."""
    problem = wf.Problem(tiles, wf.SquareGrid(1, 1))
    return np.stack([draw_square_picture(problem, pattern, size) for pattern in range(len(problem.rules))])


# --- slow and obvious ---------------------------------------------------------------------------


def touching(problem):
    """Every pair of touching cells, seen from both sides: cell, other cell, relation."""
    neighbour, _, rule = problem.graph
    return [
        (cell, int(other), int(rule[direction]))
        for cell, row in enumerate(neighbour.tolist())
        for direction, other in enumerate(row)
        if other >= 0
    ]


def start_domains(problem):
    """What pins and masks leave to each cell, as sets."""
    patterns = len(problem.rules)
    domains = [set(range(patterns)) for _ in range(problem.cell_count)]
    if problem.masks is not None:
        masks = np.broadcast_to(problem.masks, (problem.cell_count, patterns))
        for cell, domain in enumerate(domains):
            domain &= set(np.flatnonzero(masks[cell]).tolist())
    for pin in problem.pins:
        domains[pin.cell] &= set(np.asarray(pin.patterns).tolist())
    return domains


def propagate_slowly(problem, domains):
    """Remove unsupported patterns until nothing changes; None if a cell is left with nothing.

    Sockets and kinds are two relations: a cell that can only be of one kind takes it from its neighbours.
    """
    tables = [relation.table() for relation in problem.rules.relations]
    kinds = problem.rules.kinds.tolist()
    pairs = touching(problem)
    changed = True
    while changed:
        changed = False
        for cell, other, relation in pairs:
            if not domains[cell]:
                return None
            allowed = tables[relation]
            mine = {kinds[pattern] for pattern in domains[cell]}
            shared = mine.pop() if len(mine) == 1 else -1
            kept = {
                pattern
                for pattern in domains[other]
                if any(allowed[each, pattern] for each in domains[cell])
                and (shared < 0 or kinds[pattern] != shared)
            }
            if kept != domains[other]:
                domains[other] = kept
                changed = True
    return domains if all(domains) else None


def brute_force(problem, most=None):
    """Every solution, found by trying: cells in order, each checked against those before it."""
    allowed = problem.rules.allowed if problem.rules.relations else None
    domains = start_domains(problem)
    before = [[] for _ in domains]
    for cell, other, relation in touching(problem):
        if other <= cell:
            before[cell].append((other, relation))
    found = []

    def fits(cell, pattern, chosen):
        return all(
            allowed[relation, pattern, pattern if other == cell else chosen[other]]
            for other, relation in before[cell]
        )

    def extend(chosen):
        if most is not None and len(found) >= most:
            return
        if len(chosen) == problem.cell_count:
            if not any(each.violations(problem, np.array(chosen)) for each in problem.constraints):
                found.append(tuple(chosen))
            return
        for pattern in sorted(domains[len(chosen)]):
            if fits(len(chosen), pattern, chosen):
                extend([*chosen, pattern])

    extend([])
    return found


# --- reading a solver ---------------------------------------------------------------------------

COUNTS = ("decisions", "contradictions", "backtracks", "jumps", "repairs", "restarts", "max_depth", "rungs")


def counts(stats):
    """The statistics that must be the same on every machine and for every propagation."""
    return {name: getattr(stats, name) for name in COUNTS}


def domains_of(solver):
    """What every cell may still be, as sets."""
    return [set(np.flatnonzero(row).tolist()) for row in solver.partial().possible]


def outcome(solver, budget=400):
    """How a run ends, as something to compare: the map, the proof, or how far it came."""
    try:
        solution = solver.run(budget)
    except wf.Contradiction:
        return "impossible", counts(solver.stats)
    except wf.OutOfBudget as error:
        return "budget", error.partial.words.tolist(), counts(solver.stats)
    return "solved", solution.patterns.tolist(), counts(solution.stats)


def stepped_until(condition, problem, ladder, seeds=40, steps=400):
    """A solver in the middle of a search, as soon as the condition holds; over as many seeds as it takes."""
    for seed in range(seeds):
        solver = wf.Solver(problem, seed, "entropy", search=ladder)
        for _ in range(steps):
            if solver.step() in ("solved", "impossible"):
                break
            if condition(solver):
                return solver
    raise AssertionError("the search never came to that point")


def propagations(problem):
    """The name of every propagation method that can be used with the rules of a problem."""
    names = [name for name in METHODS if name != "_neighbours"]
    for name in ("_removals", "_rows"):
        try:
            choose_method(problem.rules, name)
        except wf.ConfigError:
            names.remove(name)
    return names


# --- packages with plugins ----------------------------------------------------------------------


def install(folder, name, entries, code, requires=(), version="1.0"):
    """Write a package with plugins into a folder, as pip does.

    entries : {kind: {name: attribute of its module}}
    """
    module = name.replace("-", "_")
    (folder / f"{module}.py").write_text(dedent(code))
    metadata = folder / f"{module}-{version}.dist-info"
    metadata.mkdir()
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
    (metadata / "METADATA").write_text("\n".join([*lines, *(f"Requires-Dist: {each}" for each in requires)]))
    groups = []
    for kind, parts in entries.items():
        groups += [f"[wavefold.{kind}]", *(f"{part} = {module}:{where}" for part, where in parts.items())]
    (metadata / "entry_points.txt").write_text("\n".join(groups) + "\n")
