"""Ways people found to break it."""

import contextlib
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import wavefold as wf
from support import CASTLE, CHESS, PIPES

METHODS = ("ac3", "ac4", "naive")
ONE_WAY = np.array([[1, 0], [1, 1]], bool)


class NeverBothA:
    """Two cells, not both of the first pattern; notices only when both are decided."""

    def prune(self, view):
        if (view.remaining == 1).all() and view.possible[0, 0] and view.possible[1, 0]:
            view.remove(0, 0)

    def violations(self, problem, patterns):
        return ["both are A"] if (np.asarray(patterns) == 0).all() else []


def one_way_rules():
    return wf.Rules(["A", "B"], [wf.Relation.from_allowed(ONE_WAY), wf.Relation.from_allowed(ONE_WAY.T)])


def test_a_pickled_problem_works_in_another_process(tmp_path):
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 4))
    expected = wf.Solver(problem, 3).run()
    path = tmp_path / "problem.pickle"
    path.write_bytes(pickle.dumps((problem, expected)))
    script = (
        "import pickle, sys, wavefold as wf\n"
        "problem, solution = pickle.load(open(sys.argv[1], 'rb'))\n"
        "assert wf.check(problem, solution) == []\n"
        "print(wf.Solver(problem, 3).run().patterns.tolist())"
    )
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(expected.patterns.tolist())


def test_a_deep_copy_of_a_problem_is_independent():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 4))
    expected = wf.Solver(problem, 3).run().patterns.tolist()
    twin = copy.deepcopy(problem)
    del problem
    assert wf.Solver(twin, 3).run().patterns.tolist() == expected


def test_constraints_look_again_after_a_pin_and_an_undo():
    graph = wf.Graph([("y", "x")], cells=["x", "y"])
    problem = wf.Problem(one_way_rules(), graph, constraints=[NeverBothA()])
    for seed in range(6):
        solver = wf.Solver(problem, seed, order="scanline")
        solver.step()
        try:
            solver.pin("y", "A")
            solver.undo()
        except wf.WavefoldError:
            continue
        with contextlib.suppress(wf.Contradiction):
            assert wf.check(problem, solver.run()) == []


def test_constraints_look_again_after_a_jump():
    ladder = wf.Ladder(patience=0, jumps=1000)
    for seed in range(30):
        problem = wf.Problem(CASTLE, wf.SquareGrid(5, 5), constraints=[wf.Count("abca", 1, 2)])
        try:
            solution = wf.Solver(problem, seed, "entropy", search=ladder).run(2000)
        except (wf.Contradiction, wf.OutOfBudget):
            continue
        assert wf.check(problem, solution) == []


@pytest.mark.parametrize("removal", [(-1, 0), (99, 0), (0, -1), (0, 99), (0, 0.5), (0, "a")])
def test_a_constraint_that_names_an_unknown_cell_or_pattern_is_refused(removal):
    class Wrong:
        def prune(self, view):
            view.remove(*removal)

        def violations(self, problem, patterns):
            return []

    with pytest.raises(wf.ConfigError, match=r"a constraint (names cell|removes)"):
        wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3), constraints=[Wrong()])).run()


def test_what_a_constraint_sees_cannot_be_written():
    class Scribbler:
        def prune(self, view):
            view.possible[0, :] = False

    with pytest.raises(ValueError, match="read-only"):
        wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3), constraints=[Scribbler()])).run()


def test_relations_that_are_not_each_others_transpose_are_refused():
    relation = wf.Relation.from_allowed(ONE_WAY)
    rules = wf.Rules(["A", "B"], [relation, relation])
    with pytest.raises(wf.TileSetError, match="allow different pairs"):
        wf.Problem(rules, wf.Graph([(0, 1)]))
    with pytest.raises(wf.TileSetError, match="allow different pairs"):  # what was refused is checked again
        wf.Problem(rules, wf.Graph([(0, 1)]))


def test_rules_are_checked_once_and_those_of_a_tile_set_never(monkeypatch):
    checked = []
    monkeypatch.setattr(wf.Relation, "is_transpose_of", lambda *pair: checked.append(pair) or True)
    anything = wf.Relation.from_allowed(np.ones((1, 1), bool))
    rules = wf.Rules(["A"], [anything] * 4, topology="square")
    for side in (2, 3):
        wf.Problem(rules, wf.SquareGrid(side, side))
    assert len(checked) == 2
    tiles = wf.TileSet.load("pipes")
    wf.Problem(tiles, wf.SquareGrid(2, 2))
    wf.Problem(tiles.rules, wf.SquareGrid(3, 3))
    assert len(checked) == 2


@pytest.mark.parametrize("propagation", METHODS)
def test_the_255th_direction_is_followed_like_any_other(propagation):
    differ = wf.Relation.from_allowed(~np.eye(3, dtype=bool))
    star = wf.Graph([("hub", spoke) for spoke in range(300)])
    problem = wf.Problem(wf.Rules("abc", [differ, differ]), star, pins={"hub": "a"})
    solver = wf.Solver(problem, propagation=propagation)
    assert all(solver.domain(spoke) == ["b", "c"] for spoke in range(300))


def test_auto_does_not_depend_on_what_ran_before():
    rules = CASTLE.rules
    elsewhere = wf.Rules(
        rules.names, rules.relations, rules.weights, tiles=rules.tiles, tile_of=rules.tile_of
    )
    assert elsewhere.digest != rules.digest


def test_a_cancellation_while_a_constraint_looks_ends_the_step():
    solver = None

    class Canceller:
        def prune(self, view):
            if view.possible[0, 0] and view.possible[0, 1]:
                solver.cancel()
                view.remove(0, 0)

        def violations(self, problem, patterns):
            return []

    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3), constraints=[Canceller()]))
    for _ in range(20):
        if solver.step() == "solved":
            break
    assert solver.status == "solved"


def test_a_cancellation_with_nothing_under_way_cancels_nothing():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)))
    solver.cancel()
    assert len(solver.run().patterns) == 9


def test_the_first_step_decides_even_if_constraints_look_first():
    solver = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 4), constraints=[wf.Count("┼", at_most=3)]))
    solver.step()
    assert solver.stats.decisions == 1


def test_keys_of_a_users_order_may_be_negative():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5))
    chosen = []
    solver = wf.Solver(problem, 1, order=lambda cell, remaining, entropy, undecided: -cell)
    solver.listen(lambda event: chosen.append(event.cell) if event.kind == "chosen" else None)
    solver.run()
    assert chosen == sorted(chosen, reverse=True)


def test_a_users_order_must_return_whole_numbers():
    with pytest.raises(TypeError, match="float"):
        wf.Solver(wf.Problem(PIPES, wf.SquareGrid(3, 3)), order=lambda *_: 0.5).run()


@pytest.mark.build
def test_a_compiled_order_with_the_wrong_arguments_is_refused():
    numba = pytest.importorskip("numba")

    @numba.njit
    def one_argument(cell):
        return cell

    with pytest.raises(wf.ConfigError, match="'one_argument' must take 4 whole numbers"):
        wf.Solver(wf.Problem(PIPES, wf.SquareGrid(3, 3)), order=one_argument)


def test_large_factors_of_a_score_do_not_make_all_cells_equal():
    problem = wf.Problem(PIPES, wf.SquareGrid(6, 6))
    small = wf.Solver(problem, 2, wf.Heuristics(order="score", domain_factor=1, entropy_factor=0)).run()
    large = wf.Solver(problem, 2, wf.Heuristics(order="score", domain_factor=1024, entropy_factor=0)).run()
    assert small.patterns.tolist() == large.patterns.tolist()


def test_what_is_proved_is_always_explained():
    masks = np.ones((36, 2), bool)
    masks[0, 0] = masks[7, 0] = masks[35, 1] = False
    with pytest.raises(wf.Contradiction) as caught:
        wf.generate(CHESS, wf.SquareGrid(6, 6), masks=masks)
    assert caught.value.explanation.contradictory
    assert {wish.cell for wish in caught.value.explanation.requirements} == {7, 35} or (
        {wish.cell for wish in caught.value.explanation.requirements} == {0, 35}
    )


def test_a_problem_does_not_change_with_the_arrays_it_was_given():
    masks = np.ones((9, 2), bool)
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 3), masks=masks)
    solution = wf.Solver(problem).run()
    masks[:] = False
    assert wf.check(problem, solution) == []


def test_a_listener_can_be_stopped_twice_and_may_not_drive():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)))
    stop = solver.listen(lambda event: solver.step())
    with pytest.raises(wf.WavefoldError, match="already running"):
        solver.run()
    stop()
    stop()
    assert solver.run().stats.decisions == 1


BAD_CALLS = {
    "a name for tiles": lambda: wf.generate("pipes", wf.SquareGrid(3, 3)),
    "a tuple for a grid": lambda: wf.generate(PIPES, (5, 5)),
    "pins as a list": lambda: wf.generate(PIPES, wf.SquareGrid(3, 3), pins=[(0, 0)]),
    "no constraints": lambda: wf.Problem(PIPES, wf.SquareGrid(3, 3), constraints=None),
    "one constraint": lambda: wf.Problem(PIPES, wf.SquareGrid(3, 3), constraints=wf.Count("┼")),
    "names for tiles": lambda: wf.TileSet(["a"]),
    "symmetry as a number": lambda: wf.TileSet([wf.Tile("a", "ssss", symmetry=2)]),
    "too few pictures": lambda: wf.TileSet.from_allowed("ab", np.ones((4, 2, 2)), pictures=[None]),
    "a ragged table": lambda: wf.TileSet.from_allowed("ab", [[1], [1, 2]]),
    "caps as a number": lambda: wf.Heuristics(caps=3),
    "an order that is a list": lambda: wf.Heuristics(order=[]),
    "influence in words": lambda: wf.generate(
        PIPES, wf.SquareGrid(3, 3), order=wf.Heuristics(bias=1, influence="x")
    ),
    "a search that is a dict": lambda: wf.generate(PIPES, wf.SquareGrid(3, 3), search={}),
    "a ladder of nonsense": lambda: wf.Ladder(patience=float("nan")),
    "half a repair": lambda: wf.Ladder(repairs=1.5),
    "a huge budget": lambda: wf.Budget(backtracks=10**30),
    "weights as a list": lambda: wf.solve("ab", [1, 2], lambda a, b: a != b, [("a", "b")], weights=[1, 2]),
    "an edge to nowhere": lambda: wf.solve("ab", [1, 2], lambda a, b: a != b, [("a", "c")]),
    "a check of a number": lambda: wf.check(3, 4),
}


@pytest.mark.parametrize("call", BAD_CALLS.values(), ids=BAD_CALLS.keys())
def test_bad_calls_get_an_error_of_ours(call):
    with pytest.raises(wf.WavefoldError):
        call()


def test_numbers_of_numpy_are_numbers():
    assert wf.Budget(decisions=np.int64(500), ms=np.float64(1)) == wf.Budget(decisions=500, ms=1)
    assert wf.Count("x", np.int64(1)) == wf.Count("x", 1)
    assert len(wf.generate(PIPES, wf.SquareGrid(2, 2), budget=np.int64(50)).patterns) == 4


def test_an_empty_label_is_a_label():
    found = wf.solve("ab", [1, 2], lambda a, b, label: a < b, [("a", "b", "")])
    assert found == {"a": 1, "b": 2}


def test_several_tiles_may_be_pinned_as_a_tuple():
    solution = wf.generate(PIPES, wf.SquareGrid(3, 3), pins={(1, 1): ("┼", "─")})
    assert solution.values[1, 1] in ("┼", "─")


def test_sat_leaves_the_solver_solved():
    solver = wf.Solver(wf.Problem(CHESS, wf.SquareGrid(3, 3)), search="sat")
    solution = solver.run()
    assert solver.status == "solved"
    assert solver.solution() is solution
    assert solver.stats.rungs == ("sat",)
