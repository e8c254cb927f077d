"""What holds for every constraint, alone and with others: the maps of brute force, however it is searched."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from support import brute_force, compiled_only, everything_touches, mark_slow
from wavefold.kernels.units import COMPILED
from wavefold.tiles import Relation

SQUARES = everything_touches([1, 2])
HEXAGONS = wf.TileSet([wf.Tile("t0", ("",) * 6), wf.Tile("t1", ("",) * 6, 2.0)], "hex")
ANYTHING = Relation.from_allowed(np.ones((2, 2), bool))
VALUES = wf.Rules(["t0", "t1"], [ANYTHING, ANYTHING])
RING = wf.Graph([(each, (each + 1) % 6) for each in range(6)] + [(0, 3)])

MAPS = {
    "open": (SQUARES, wf.SquareGrid(3, 2)),
    "torus": (SQUARES, wf.SquareGrid(3, 2, wraps=True)),
    "large torus": (SQUARES, wf.SquareGrid(3, 3, wraps=True)),
    "tube": (SQUARES, wf.SquareGrid(2, 3, wraps=(True, False))),
    "line": (SQUARES, wf.SquareGrid(1, 5, wraps=True)),
    "hex": (HEXAGONS, wf.HexGrid(1)),
    "hex torus": (HEXAGONS, wf.HexGrid.rhombus(3, 2, wraps=True)),
    "graph": (VALUES, RING),
}
ANYWHERE = (
    wf.Separation("t1", 2),
    wf.PairSeparation("t0", "t1", 2),
    wf.Room("t1", 2),
    wf.Room("t1", 2, 3),
    wf.Room("t0", 1, 2),
    wf.Count("t1", 1, 3),
    wf.Connected("t1"),
)
ON_LATTICES = (
    wf.MaxRun("t1", 1),
    wf.MaxRun("t1", 2),
    wf.MaxRun("t0", 0),
    wf.Parallel("t1", 0),
    wf.Parallel("t1", 1),
    wf.Parallel("t1", 2),
    wf.Rotational(2),
)
WITH_EDGES = (
    wf.Border("t1", "corners"),
    wf.Border("t1", "corners", ban=True),
    wf.Mirror(),
    wf.Mirror("horizontal"),
)


def cases():
    for name in sorted(MAPS.keys() - {"large torus"}):
        for constraint in ANYWHERE:
            yield name, constraint
        for constraint in ON_LATTICES if name != "graph" else ():
            yield name, constraint
    yield from ((name, constraint) for name in ("open", "hex") for constraint in WITH_EDGES)
    yield from (("large torus", each) for each in (wf.Rotational(4), wf.Separation("t1", 3), wf.Mirror()))
    yield "hex", wf.Rotational(3)


CASES = list(cases())


@cache
def every_map(name):
    tiles, topology = MAPS[name]
    return np.array(brute_force(wf.Problem(tiles, topology)))


def find_maps(tiles, topology, constraints, masks, cell=0):
    """Every map, by searches: one for each part of a map that might be completed."""
    problem = wf.Problem(tiles, topology, masks=masks, constraints=constraints)
    try:
        solution = wf.Solver(problem, 1, "entropy", search="exact").run(2000)
    except wf.Contradiction:
        return []
    if cell == problem.cell_count:
        return [solution.patterns.tolist()]
    found = []
    for pattern in range(len(problem.rules)):
        narrower = masks.copy()
        narrower[cell] = np.arange(len(problem.rules)) == pattern
        found += find_maps(tiles, topology, constraints, narrower, cell + 1)
    return found


@pytest.mark.parametrize(("name", "constraint"), mark_slow(CASES, 3 if COMPILED else 9), ids=repr)
def test_searches_find_the_maps_that_brute_force_finds(name, constraint):
    tiles, topology = MAPS[name]
    problem = wf.Problem(tiles, topology, constraints=[constraint])
    expected = [each.tolist() for each in every_map(name) if not constraint.violations(problem, each)]
    masks = np.ones((topology.cell_count, 2), bool)
    assert sorted(find_maps(tiles, topology, [constraint], masks)) == sorted(expected)


@settings(max_examples=60)
@given(st.data())
def test_three_constraints_hold_together_just_where_a_map_has_all_three(data):
    name = data.draw(st.sampled_from(sorted(MAPS)))
    fitting = [constraint for where, constraint in CASES if where == name]
    constraints = data.draw(st.lists(st.sampled_from(fitting), min_size=3, max_size=3))
    tiles, topology = MAPS[name]
    maps = every_map(name)
    chosen = maps[data.draw(st.integers(0, len(maps) - 1))]
    cells = data.draw(st.lists(st.integers(0, topology.cell_count - 1), unique=True, max_size=3))
    masks = np.ones((topology.cell_count, 2), bool)
    masks[cells] = np.arange(2) == chosen[cells, None]
    problem = wf.Problem(tiles, topology, masks=masks, constraints=constraints)
    fits = [
        each.tolist()
        for each in maps
        if (each[cells] == chosen[cells]).all()
        and not any(constraint.violations(problem, each) for constraint in constraints)
    ]
    seed = data.draw(st.integers(0, 2**32))
    results = set()
    for propagation in ("ac3", "ac4", "naive"):
        for undo in ("delta", "snapshot"):
            solver = wf.Solver(problem, seed, "entropy", propagation, undo=undo, search="exact")
            try:
                results.add(tuple(solver.run().patterns.tolist()))
            except wf.Contradiction:
                results.add(None)
    assert len(results) == 1
    (found,) = results
    assert (found is None) == (not fits)
    assert found is None or list(found) in fits


@settings(max_examples=30)
@given(st.data())
def test_undoing_steps_leads_back_to_the_same_domains(data):
    name, constraint = data.draw(st.sampled_from(CASES))
    tiles, topology = MAPS[name]
    problem = wf.Problem(tiles, topology, constraints=[constraint])
    undo = data.draw(st.sampled_from(["delta", "snapshot"]))
    solver = wf.Solver(problem, data.draw(st.integers(0, 99)), "entropy", undo=undo)
    for _ in range(data.draw(st.integers(1, topology.cell_count))):
        before, failures = solver.partial().possible, solver.stats.contradictions
        if solver.step() != "open" or solver.stats.contradictions > failures:
            break
        solver.undo()
        assert (solver.partial().possible == before).all()
        solver.step()


COLUMNS, ROWS, SEEDS = (14, 12, 4) if COMPILED else (8, 6, 1)
REFINED = [
    wf.Border("wall"),
    wf.Area("cross", (2, 2, 3, 1)),
    wf.Count("lamp", 2, 4),
    wf.Separation("lamp", 5),
    wf.PairSeparation("lamp", "cross", 3),
    wf.MaxRun("straight", 2),
    wf.Parallel("straight", 1),
    wf.Room("wall", 3, 40),
    wf.Slope(np.arange(COLUMNS * ROWS) % 5, "straight", 2),
    wf.Mirror(),
]


@pytest.mark.parametrize("constraint", REFINED, ids=repr)
def test_refined_maps_satisfy_constraints(constraint):
    tiles = wf.TileSet.load("pipes")
    grid = wf.SquareGrid(COLUMNS, ROWS)
    for seed in range(SEEDS):
        solution = wf.generate(tiles, grid, seed, constraints=[constraint], refine="auto")
        assert wf.check(solution.problem, solution) == []


@compiled_only
def test_dozens_of_constraints_hold_together():
    tiles = everything_touches([1] * 30)
    constraints = [
        *(wf.Separation(f"t{each}", 3) for each in range(20)),
        *(wf.PairSeparation(f"t{each}", f"t{each + 1}", 2) for each in range(0, 20, 2)),
        *(wf.MaxRun(f"t{each}", 2) for each in range(20, 30)),
        wf.Count("t25", 3, 9),
    ]
    problem = wf.Problem(tiles, wf.SquareGrid(10, 10), constraints=constraints)
    assert wf.check(problem, wf.Solver(problem, 3, "entropy").run(50_000)) == []
    repaired = wf.repair(problem, np.zeros(100, int))
    assert wf.check(problem, repaired.solution) == []
