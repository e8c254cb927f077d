"""The independent checker finds whatever is wrong."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import problems
from support import APART, CHESS, PIPES, WORLDS, compiled_only, touching
from wavefold.reports import checker


def kinds(problem, solution):
    return {violation.kind for violation in wf.check(problem, solution)}


@pytest.mark.parametrize("world", WORLDS)
def test_a_valid_map_has_no_violations(world):
    problem = WORLDS[world]()
    assert wf.check(problem, wf.Solver(problem, 0, "entropy").run()) == []


def test_a_broken_rule_is_reported_from_both_sides_in_words():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1))
    violations = wf.check(problem, np.array([0, 0]))
    assert [violation.cells for violation in violations] == [(0, 1), (1, 0)]
    assert violations[0].text == "'white' at column 0, row 0 may not have 'white' to the east"


@given(problems(), st.integers(0, 10**6))
def test_every_broken_rule_is_found_and_nothing_else(problem, salt):
    rng = np.random.default_rng(salt)
    patterns = rng.integers(0, len(problem.rules), problem.cell_count)
    allowed = problem.rules.allowed if problem.rules.relations else None
    expected = {
        (cell, other)
        for cell, other, relation in touching(problem)
        if not allowed[relation, patterns[cell], patterns[other]]
    }
    found = [violation for violation in wf.check(problem, patterns) if violation.kind == "rule"]
    assert {violation.cells for violation in found} == expected


def test_kinds_that_touch_themselves_are_found():
    problem = wf.Problem(APART, wf.SquareGrid(2, 1))
    same = int(np.flatnonzero(APART.kinds == 0)[0])
    assert kinds(problem, np.array([same, same])) == {"rule"}


def test_a_violated_pin_is_found():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), pins={(0, 0): "white"})
    (violation,) = wf.check(problem, np.array([1, 0]))
    assert violation == ("pin", (0,), "column 0, row 0 is pinned to 'white' but is 'black'")


def test_a_violated_mask_is_found():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), masks=[[True, False], [True, True]])
    (violation,) = wf.check(problem, np.array([1, 0]))
    assert violation == ("mask", (0,), "the mask forbids 'black' at column 0, row 0")


def test_a_mask_for_all_cells_is_checked_too():
    problem = wf.Problem(CHESS, wf.SquareGrid(1, 1), masks=[False, True])
    assert kinds(problem, np.array([0])) == {"mask"}


def test_a_constraint_that_does_not_hold_is_found():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), constraints=[wf.Count("white", 2)])
    (violation,) = wf.check(problem, np.array([1, 0]))
    assert violation.kind == "constraint"
    assert "it appears 1 time" in violation.text


@pytest.mark.parametrize("pattern", [-1, 2, 99])
def test_a_pattern_that_does_not_exist_is_found(pattern):
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1))
    (violation,) = wf.check(problem, np.array([0, pattern]))
    assert violation == ("pattern", (1,), f"column 1, row 0: {pattern} is not a pattern of the rules")


@pytest.mark.parametrize(
    "patterns", [np.array([0]), np.zeros((2, 1), int), np.array([0.0, 1.0]), np.array(["white", "black"]), []]
)
def test_a_map_of_the_wrong_size_or_type_is_found(patterns):
    assert kinds(wf.Problem(CHESS, wf.SquareGrid(2, 1)), patterns) == {"size"}


def test_a_solution_of_another_problem_is_found():
    solution = wf.generate(CHESS, wf.SquareGrid(3, 3))
    assert kinds(wf.Problem(CHESS, wf.SquareGrid(2, 2)), solution) == {"size"}


@pytest.mark.parametrize("world", WORLDS)
def test_one_changed_cell_is_found_unless_it_really_fits(world):
    problem = WORLDS[world]()
    solution = wf.Solver(problem, 0, "entropy").run()
    rng = np.random.default_rng(3)
    allowed = problem.rules.allowed
    for _ in range(20):
        patterns = solution.patterns.copy()
        changed = int(rng.integers(patterns.size))
        patterns[changed] = rng.integers(len(problem.rules))
        fits = all(
            allowed[relation, patterns[cell], patterns[other]] for cell, other, relation in touching(problem)
        )
        assert (wf.check(problem, patterns) == []) == fits


def test_at_most_a_thousand_violations_are_listed():
    problem = wf.Problem(CHESS, wf.SquareGrid(40, 40))
    assert len(wf.check(problem, np.zeros(1600, int))) == 1000


def test_several_kinds_of_violation_are_reported_together():
    problem = wf.Problem(
        PIPES,
        wf.SquareGrid(2, 1),
        pins={(0, 0): "┼"},
        masks=[name != "─" for name in PIPES.rules.names],
        constraints=[wf.Count("┼", 2)],
    )
    assert kinds(problem, np.array([1, 0])) == {"rule", "pin", "mask", "constraint"}


def test_a_constraint_that_cannot_be_checked_is_refused():
    class Silent:
        def prune(self, view):
            pass

    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), constraints=[Silent()])
    with pytest.raises(wf.ConfigError, match="cannot be checked"):
        wf.check(problem, np.array([0, 1]))


# --- worlds ---------------------------------------------------------------------------------------


class Rectangle:
    """A part of a world, drawn: what the checker asks a `World`."""

    def __init__(self, tiles, rows, constraints=(), network=None):
        names = {name: number for number, name in enumerate(tiles.rules.names)}
        self.tiles, self.rules, self.steps = tiles, tiles.rules, wf.SquareGrid(1, 1).steps
        self.shown = np.array([[names.get(name, -1) for name in row] for row in rows])
        self.constraints, self.network = constraints, network

    def region(self, x0, y0, width, height):
        return self.shown

    def solution(self, x0, y0, width, height):
        problem = wf.Problem(self.tiles, wf.SquareGrid(width, height))
        return wf.Solution(problem, self.shown.reshape(-1), wf.Statistics())

    def check(self, x0=0, y0=0):
        height, width = self.shown.shape
        return wf.check(self, x0, y0, width, height)


ROADS = wf.RoadNetwork(sides="o")
JOINED = ["─────", "     ", " ┌─┐ ", " └─┘ ", "     "]
FREE = wf.TileSet([wf.Tile("a"), wf.Tile("b")])


def test_every_broken_rule_of_a_world_is_found_where_it_is():
    assert Rectangle(CHESS, [["white", "black"], ["black", "white"]]).check() == []
    found = Rectangle(CHESS, [["white", "white"], ["black", "white"]]).check(10, -3)
    assert {violation.cells for violation in found} == {(0, 1), (1, 0), (1, 3), (3, 1)}
    assert {violation.kind for violation in found} == {"rule"}
    assert "'white' at (10, -3) may not have 'white' at (11, -3)" in {each.text for each in found}


def test_a_region_that_does_not_hold_patterns_is_found():
    (found,) = Rectangle(CHESS, [["white", "green"]]).check(4, 5)
    assert found == ("pattern", (), "the region at (4, 5) contains values that are not patterns of the rules")
    shown = Rectangle(CHESS, [["white", "black"]])
    assert [each.kind for each in wf.check(shown, 0, 0, 3, 1)] == ["pattern"]


def test_roads_of_a_world_that_are_cut_off_are_found():
    (found,) = Rectangle(PIPES, JOINED, network=ROADS).check(20, 30)
    assert found.kind == "network"
    assert set(found.cells) == {11, 12, 13, 16, 17, 18}
    assert found.text == "the roads at (21, 32) are not connected to the others"
    assert Rectangle(PIPES, JOINED).check() == []


@pytest.mark.parametrize(
    "rows",
    [
        ["─────", "─────", "     ", "     ", "     "],  # they may be joined elsewhere
        ["     ", "     ", " ┌─┐ ", " └─┘ ", "     "],  # all there are
        ["─┬───", " │   ", " ├─┐ ", " └─┘ ", "     "],
    ],
)
def test_roads_of_a_world_that_lead_out_or_are_in_one_piece_are_joined(rows):
    assert Rectangle(PIPES, rows, network=ROADS).check() == []


def test_roads_that_do_not_fit_are_not_traced():
    broken = ["─────", "     ", " ┌─┐ ", " └─  ", "     "]
    assert {each.kind for each in Rectangle(PIPES, broken, network=ROADS).check()} == {"rule"}


def test_a_constraint_of_a_world_that_does_not_hold_is_found():
    limits = (wf.MaxRun("b", 3), wf.Separation("a", 2))
    found = Rectangle(FREE, ["bbbb", "abbb"], limits).check()
    assert [each.kind for each in found] == ["constraint"]
    assert "relative to" not in found[0].text
    (elsewhere,) = Rectangle(FREE, ["bbbb", "abbb"], limits).check(5, 8)
    assert elsewhere.text == f"{found[0].text} (relative to (5, 8))"
    both = Rectangle(FREE, ["bbbb", "aabb"], limits).check()
    assert [each.kind for each in both] == ["constraint"] * 2
    assert Rectangle(FREE, ["bbba", "abbb"], limits).check() == []


def test_a_room_of_a_world_is_too_small_only_if_all_of_it_is_seen():
    rooms = (wf.Room("b", 2, 3),)
    assert Rectangle(FREE, ["aaaa", "aaab", "aaaa"], rooms).check() == []
    assert Rectangle(FREE, ["aaaa", "abaa", "aaaa"], rooms).check() != []
    assert Rectangle(FREE, ["aaaa", "abba", "aaaa"], rooms).check() == []
    assert Rectangle(FREE, ["aaaa", "bbbb", "aaaa"], rooms).check() != []


@compiled_only
def test_a_world_is_checked_with_its_constraints_and_its_network():
    constrained = wf.World(FREE, 3, chunk=32, constraints=[wf.MaxRun("b", 3)], refine=False)
    assert wf.check(constrained, -9, 4, 30, 20) == []
    land = wf.TileSet([*PIPES.tiles, wf.Tile("flowers", tuple("----"), 3.0)])
    joined = wf.World(land, 7, 24, network=wf.RoadNetwork(sides="o", spacing=16), refine=False)
    assert wf.check(joined, -10, 5, 40, 40) == []


def test_a_world_is_checked_in_a_rectangle():
    with pytest.raises(wf.ConfigError, match="needs a position and a size"):
        wf.check(Rectangle(CHESS, [["white"]]), 0, 0)


# --- patchworks -----------------------------------------------------------------------------------


@pytest.fixture
def patchwork():
    made = wf.Patchwork(CHESS, 1, 1, presets={(0, 0): "white", (1, 0): ["black"], (90, 0): "white"})
    made.populate_all([(0, 0), (1, 0)])
    assert wf.check(made) == []
    return made


def change(patchwork, **cells):
    """Change its patterns behind its back; None: there is none any more."""
    shown = patchwork.snapshot()
    patchwork.snapshot = lambda: shown._replace(**cells)
    return wf.check(patchwork)


def test_each_broken_side_of_a_patchwork_is_found_once(patchwork):
    patterns = patchwork.patterns
    found = change(patchwork, patterns=patterns | {(2, 1): 1 - patterns[2, 1]})
    beside = {(1, 1), (3, 1), (2, 0)}  # there is none below
    assert {frozenset(each.cells) for each in found} == {frozenset([(2, 1), each]) for each in beside}
    assert len(found) == 3
    assert found[0].text.endswith(f"{found[0].cells[1]}")
    assert {each.kind for each in found} == {"rule"}


def test_cells_of_a_patchwork_that_are_missing_or_too_many_are_found(patchwork):
    patterns = patchwork.patterns
    (found,) = change(patchwork, patterns={cell: each for cell, each in patterns.items() if cell != (3, 0)})
    assert found == ("size", ((3, 0),), "(3, 0) of grid (1, 0) has no pattern")
    (found,) = change(patchwork, patterns=patterns | {(50, 0): 0})
    assert found == ("size", ((50, 0),), "(50, 0) does not belong to a populated grid")


@pytest.mark.parametrize("pattern", [-1, 2])
def test_a_cell_of_a_patchwork_without_a_pattern_of_the_rules_is_found(patchwork, pattern):
    (found,) = change(patchwork, patterns=patchwork.patterns | {(1, 1): pattern})
    assert found == ("pattern", ((1, 1),), f"(1, 1): {pattern} is not a pattern of the rules")


def test_presets_of_a_patchwork_that_do_not_hold_are_found(patchwork):
    flipped = {cell: 1 - pattern for cell, pattern in patchwork.patterns.items()}
    first, second = change(patchwork, patterns=flipped)
    assert first == ("pin", ((0, 0),), "(0, 0) is pinned to 'white' but is 'black'")
    assert second == ("pin", ((1, 0),), "(1, 0) is pinned to ['black'] but is 'white'")


# --- what is refused ------------------------------------------------------------------------------


def test_what_cannot_be_checked_is_refused(patchwork):
    with pytest.raises(wf.ConfigError, match="takes no other arguments"):
        wf.check(patchwork, 3)
    with pytest.raises(wf.ConfigError, match="takes a problem and one solution"):
        wf.check(wf.Problem(CHESS, wf.SquareGrid(2, 1)))
    with pytest.raises(wf.ConfigError, match="needs a Problem first"):
        wf.check(CHESS, [0, 1])


def test_a_constraint_that_does_not_list_sentences_is_refused():
    class Talkative:
        def prune(self, view):
            pass

        def violations(self, problem, patterns):
            return "nothing is wrong"

    problem = wf.Problem(CHESS, wf.SquareGrid(2, 1), constraints=[Talkative()])
    with pytest.raises(wf.ConfigError, match="must return a list of strings, not 'nothing is wrong'"):
        wf.check(problem, np.array([0, 1]))


def test_the_checker_imports_the_solver_for_annotations_only():
    tree = ast.parse(Path(checker.__file__).read_text("utf-8"))
    at_run_time = [node for node in tree.body if not isinstance(node, ast.If)]
    nodes = [inner for node in at_run_time for inner in ast.walk(node)]
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    allowed = {"wavefold.kernels.host.checkpoint"}
    solver = {each for each in modules if each.startswith(("wavefold.solver", "wavefold.kernels"))}
    assert solver <= allowed < modules
