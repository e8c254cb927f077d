"""Cycles in paths: none, or one through every cell."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import PIPES, brute_force, compiled_only, drawn
from wavefold.constraints.paths import PathCells
from wavefold.testing import ConstraintContract
from wavefold.tiles import Relation

BRIDGES = wf.TileSet(
    [
        wf.Tile("grass", ("g",) * 4),
        wf.Tile("bend", ("r", "r", "g", "g"), symmetry="L"),
        wf.Tile("bridge", ("r",) * 4, meets=(("north", "south"), ("east", "west"))),
        wf.Tile("both", ("r",) * 4, meets=(("north", "east"), ("south", "west")), symmetry="I"),
    ]
)
HEXAGONS = wf.TileSet([wf.Tile("t0", ("",) * 6), wf.Tile("t1", ("",) * 6)], "hex")
ANYTHING = Relation.from_allowed(np.ones((2, 2), bool))


class TestLoop(ConstraintContract):
    @pytest.fixture(params=[{"sides": "o"}, {"tiles": ["┼", "│"]}], ids=repr)
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[wf.Loop(**request.param)])


class TestAcyclic(ConstraintContract):
    @pytest.fixture(params=[{"sides": "o"}, {"tiles": ["┼", "│", " "]}], ids=repr)
    def problem(self, request):
        return wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[wf.Acyclic(**request.param)])


def nodes_on_cycles(path):
    """By trying: a side is on a cycle if its ends are joined without it."""
    found = set()
    for here in path.all_nodes():
        for side, other, facing in path.ways(*here):
            seen, line = {here}, [here]
            while line:
                each = line.pop()
                for way, there, back in path.ways(*each):
                    is_same = (each, way, there) == (here, side, other) or (
                        (each, way, there) == (other, facing, here) and back == side
                    )
                    if not is_same and there not in seen:
                        seen.add(there)
                        line.append(there)
            if other in seen:
                found.add(here)
    return found


TOPOLOGIES = {
    "square": (drawn(" ─│┌┐└┘├┬"), wf.SquareGrid(3, 2), {"sides": "o"}),
    "wraps": (PIPES, wf.SquareGrid(2, 2, wraps=True), {"sides": "o"}),
    "bridges": (BRIDGES, wf.SquareGrid(3, 2), {"sides": "r"}),
    "hex": (HEXAGONS, wf.HexGrid.rectangle(3, 3), {"tiles": "t1"}),
    "graph": (
        wf.Rules(["t0", "t1"], [ANYTHING, ANYTHING, ANYTHING, ANYTHING]),
        wf.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6)]),
        {"tiles": "t1"},
    ),
}


@cache
def every_map(name):
    tiles, grid, path = TOPOLOGIES[name]
    free = wf.Problem(tiles, grid)
    maps = np.array(brute_force(free))
    cycles = []
    for each in maps:
        cells = PathCells.of(free, each, path.get("tiles"), path.get("sides"))
        cycles.append((nodes_on_cycles(cells), set(cells.all_nodes())))
    return free, path, maps, cycles


@compiled_only
@pytest.mark.parametrize("name", TOPOLOGIES)
@pytest.mark.parametrize("kind", [wf.Loop, wf.Acyclic])
def test_violations_are_those_that_trying_finds(name, kind):
    free, path, maps, cycles = every_map(name)
    holds = [on == every if kind is wf.Loop else not on for on, every in cycles]
    assert [not kind(**path).violations(free, each) for each in maps] == holds


@compiled_only
@pytest.mark.parametrize("name", TOPOLOGIES)
@pytest.mark.parametrize("kind", [wf.Loop, wf.Acyclic])
@given(data=st.data())
def test_a_search_finds_a_map_just_where_there_is_one(name, kind, data):
    free, path, maps, cycles = every_map(name)
    holds = np.array([on == every if kind is wf.Loop else not on for on, every in cycles])
    count = free.cell_count
    cells = data.draw(st.lists(st.integers(0, count - 1), unique=True, max_size=count - 1))
    chosen = maps[data.draw(st.integers(0, len(maps) - 1))]
    masks = np.ones((count, len(free.rules)), bool)
    masks[cells] = np.arange(len(free.rules)) == chosen[cells, None]
    fits = holds & (maps[:, cells] == chosen[cells]).all(axis=1)
    problem = wf.Problem(free.tiles, free.topology, masks=masks, constraints=[kind(**path)])
    solver = wf.Solver(problem, data.draw(st.integers(0, 99)), "entropy", search="exact")
    if fits.any():
        assert solver.run().patterns.tolist() in maps[fits].tolist()
    else:
        with pytest.raises(wf.Contradiction, match="cycle"):
            solver.run()


@compiled_only
def test_trees_are_connected_and_acyclic():
    paths = [wf.Connected(sides="o"), wf.Acyclic(sides="o"), wf.Count(["┼", "├", "┤", "┬", "┴"], 6)]
    problem = wf.Problem(PIPES, wf.SquareGrid(12, 12), constraints=paths)
    for seed in range(3):
        assert wf.check(problem, wf.Solver(problem, seed).run()) == []
