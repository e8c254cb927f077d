"""When what is recorded outgrows its room, and rules of unusual shape: nothing may be lost."""

import gc
import weakref

import numpy as np
import pytest

import wavefold as wf
from strategies import random_table
from support import WORLDS, brute_force, compiled_only, counts, domains_of, outcome, propagations
from wavefold.kernels.units import COMPILED
from wavefold.solver.engine import arrays, engine, root
from wavefold.solver.engine.rule_table import METHODS
from wavefold.solver.search.region import RegionSolver
from wavefold.tiles import Relation


def create_cramped_wave(graph, *arguments):
    """A wave with as short a trail as kernels may be given."""
    wave = arrays.create_wave(graph, *arguments)
    cells, directions = graph.neighbour.shape
    entries = max(cells + 1, 8 * directions * wave.scratch.size)
    return wave.with_changes(trail_at=np.empty(entries, np.int32), trail_removed=np.empty(entries, np.uint64))


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("undo", ["delta", "snapshot"])
def test_a_trail_that_must_grow_changes_nothing(world, undo, monkeypatch):
    problem = WORLDS[world]()
    roomy = wf.Solver(problem, 3, "entropy", undo=undo).run(3000)
    monkeypatch.setattr(root, "create_wave", create_cramped_wave)
    for propagation in propagations(problem):
        tight = wf.Solver(WORLDS[world](), 3, "entropy", propagation, undo=undo).run(3000)
        assert tight.patterns.tolist() == roomy.patterns.tolist()
        assert counts(tight.stats) == counts(roomy.stats)


def test_listeners_miss_no_removal_while_the_trail_grows(monkeypatch):
    runs = []
    for create_wave in (arrays.create_wave, create_cramped_wave):
        monkeypatch.setattr(root, "create_wave", create_wave)
        events = []
        solver = wf.Solver(WORLDS["castle"](), 3, "entropy")
        solver.listen(events.append)
        solver.run()
        runs.append(events)
    assert runs[0] == runs[1]


def group_patterns(groups, copies, seed, density=0.5):
    """Rules by groups of patterns: few classes, whose rows overlap."""
    table = random_table(4, (2, 3, 0, 1), groups, density, seed)
    wide = np.repeat(np.repeat(table, copies, axis=1), copies, axis=2)
    return wf.TileSet.from_allowed([f"p{i}" for i in range(groups * copies)], wide)


def draw_sockets(patterns, sockets, seed, topology="square", sides=4):
    """Rules by sockets drawn at random: each class fits one of the other side, or none."""
    shown = np.random.default_rng(seed).integers(0, sockets, (patterns, sides)).tolist()
    tiles = [wf.Tile(f"t{i}", tuple(f"s{socket}" for socket in row)) for i, row in enumerate(shown)]
    return wf.TileSet(tiles, topology)


MANY_PATTERNS = {
    "few classes, overlapping": lambda seed: (
        group_patterns(5, 14, seed),
        wf.SquareGrid(4, 4, wraps=seed % 2 == 0),
    ),
    "few classes, paired": lambda seed: (draw_sockets(90, 6, seed), wf.SquareGrid(5, 4, wraps=seed % 2 == 0)),
    "many classes, paired": lambda seed: (draw_sockets(300, 70, seed), wf.SquareGrid(3, 3)),
    "whole rows of words": lambda seed: (
        draw_sockets(512, 20, seed),
        wf.SquareGrid(1, 4, wraps=seed % 2 == 0),
    ),
    "classes that nothing fits": lambda seed: (draw_sockets(70, 16, seed), wf.SquareGrid(3, 3)),
    "hexagons": lambda seed: (draw_sockets(330, 5, seed, "hex", 6), wf.HexGrid(2)),
    "too many words for registers": lambda seed: (draw_sockets(260, 4, seed), wf.SquareGrid(4, 4)),
}


@pytest.mark.parametrize("search", ["auto", "repair"])
@pytest.mark.parametrize("shape", MANY_PATTERNS)
def test_wide_rules_come_to_the_same_end_by_every_propagation(shape, search):
    for seed in range(6 if COMPILED else 1):
        tiles, grid = MANY_PATTERNS[shape](seed)
        problem = wf.Problem(tiles, grid)
        budget = 60 if COMPILED else 10
        ends = {
            name: outcome(wf.Solver(problem, seed, "entropy", name, search), budget)
            for name in propagations(problem)
            if COMPILED or name != "naive"
        }
        assert all(end == ends["ac4"] for end in ends.values()), (seed, ends)


@compiled_only
@pytest.mark.parametrize("largest", [64 << 20, 100_000, 0])
@pytest.mark.parametrize("seed", range(4 if COMPILED else 2))
@pytest.mark.parametrize("shape", MANY_PATTERNS)
def test_live_classes_in_pages_of_any_size_do_the_same(shape, seed, largest, monkeypatch):
    monkeypatch.setattr("wavefold.solver.engine.method_tables.MOST_TABLE_BYTES", largest)
    tiles, grid = MANY_PATTERNS[shape](seed)
    ends = set()
    for propagation in ("_classes", "naive" if COMPILED else "ac4"):
        solver = wf.Solver(wf.Problem(tiles, grid), seed, "entropy", propagation)
        try:
            ends.add(tuple(solver.run(60).patterns.tolist()))
        except (wf.Contradiction, wf.OutOfBudget) as error:
            ends.add(type(error).__name__)
        ends.add(tuple(sorted((k, str(v)) for k, v in counts(solver.stats).items())))
    assert len(ends) == 2


@pytest.mark.parametrize("seed", range(8))
def test_classes_that_allow_the_same_patterns_die_together_and_alone(seed):
    tiles = group_patterns(5, 14, seed)
    grid = wf.SquareGrid(4, 4, wraps=seed % 2 == 0)
    solver = wf.Solver(wf.Problem(tiles, grid), seed, "entropy")
    assert solver.stats.propagation == "ac3 (live classes)"
    ends = set()
    for propagation in propagations(solver.problem):
        solver = wf.Solver(wf.Problem(tiles, grid), seed, "entropy", propagation)
        try:
            ends.add(tuple(solver.run(300).patterns.tolist()))
        except (wf.Contradiction, wf.OutOfBudget) as error:
            ends.add(type(error).__name__)
        ends.add(tuple(sorted((k, str(v)) for k, v in counts(solver.stats).items())))
    assert len(ends) == 2


@pytest.mark.parametrize("propagation", ["auto", *METHODS][:-1])
@pytest.mark.parametrize("variants", [3, 70])
def test_tiles_whose_socket_nothing_matches_never_touch_on_that_side(propagation, variants):
    """One opens to nothing in the east, the other in the west: side by side they match no better."""
    tiles = [wf.Tile(f"plain{number}", (*"xxxx",)) for number in range(variants)]
    tiles += [wf.Tile("opens", (*"xzxx",), 1e6), wf.Tile("closes", (*"xxxq",), 1e6)]
    problem = wf.Problem(wf.TileSet(tiles), wf.SquareGrid(4, 3))
    solver = wf.Solver(problem, 1, "entropy", propagation)
    assert "opens" not in solver.domain((0, 0))
    assert "opens" in solver.domain((3, 0))
    assert "closes" in solver.domain((0, 0))
    assert "closes" not in solver.domain((1, 0))
    assert wf.check(problem, solver.run()) == []


@compiled_only
@pytest.mark.parametrize("density", [0.03, 0.05, 0.08])
def test_wide_domains_come_to_the_same_end_by_every_propagation(density):
    seeds = 3 if COMPILED else 1
    for seed in range(seeds):
        table = random_table(4, (2, 3, 0, 1), 100, density, seed)
        tiles = wf.TileSet.from_allowed([f"p{i}" for i in range(100)], table)
        problem = wf.Problem(tiles, wf.SquareGrid(3, 3))
        ends = set()
        for propagation in propagations(problem):
            solver = wf.Solver(problem, seed, "scanline", propagation)
            try:
                ends.add(tuple(solver.run(wf.Budget(decisions=40)).patterns.tolist()))
            except (wf.Contradiction, wf.OutOfBudget) as error:
                ends.add(type(error).__name__)
            ends.add(tuple(sorted((k, str(v)) for k, v in counts(solver.stats).items())))
        assert len(ends) == 2


def test_domains_of_more_than_four_words_come_to_the_same_end():
    table = random_table(4, (2, 3, 0, 1), 270, 0.02, 1)
    problem = wf.Problem(
        wf.TileSet.from_allowed([f"p{i}" for i in range(270)], table),
        wf.SquareGrid(3, 2),
        pins={(0, 0): "p7"},
    )
    solvers = [wf.Solver(problem, 1, "scanline", propagation) for propagation in ("ac3", "ac4")]
    assert solvers[0].stats.propagation == "ac3 (sliced tables)"
    assert domains_of(solvers[0]) == domains_of(solvers[1])
    assert any(len(domain) < 270 for domain in domains_of(solvers[0])[1:])
    first, second = (outcome(solver, 20) for solver in solvers)
    assert first == second


def test_a_cell_that_is_its_own_neighbour_is_solved_by_every_propagation():
    """A ring of one: the cell must fit itself on two sides."""
    for seed in range(12):
        table = random_table(4, (2, 3, 0, 1), 4, 0.6, seed)
        problem = wf.Problem(wf.TileSet.from_allowed("abcd", table), wf.SquareGrid(1, 3, wraps=True))
        expected = set(brute_force(problem))
        for propagation in propagations(problem):
            try:
                found = tuple(wf.Solver(problem, seed, "entropy", propagation).run().patterns.tolist())
                assert found in expected
            except wf.Contradiction:
                assert not expected


@compiled_only
def test_a_graph_with_more_sides_than_a_byte_can_name_is_solved():
    """A hub with 300 spokes: directions beyond 255."""
    differ = Relation.from_allowed(~np.eye(3, dtype=bool))
    star = wf.Graph([("hub", spoke) for spoke in range(300)])
    problem = wf.Problem(wf.Rules("abc", [differ, differ]), star, pins={"hub": "b"})
    for propagation in set(propagations(problem)) - {"naive"}:
        solution = wf.Solver(problem, 1, "entropy", propagation).run()
        assert wf.check(problem, solution) == []
        assert list(solution.values).count("b") == 1


@pytest.mark.parametrize("create", [wf.Solver, RegionSolver])
def test_arrays_are_freed_without_the_garbage_collector(create, monkeypatch):
    """A cycle of references would have every solve write to fresh memory, which takes much of its time."""
    engines = []
    created = engine.Engine.__init__

    def note(self, *arguments, **options):
        engines.append(weakref.ref(self))
        created(self, *arguments, **options)

    monkeypatch.setattr(engine.Engine, "__init__", note)
    gc.disable()
    try:
        solver = create(WORLDS["chess"]())
        if create is wf.Solver:
            solver.run()
        del solver
        assert engines
        assert [reference() for reference in engines] == [None] * len(engines)
    finally:
        gc.enable()
