"""The short calls, on problems people really have."""

import doctest
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CHESS, PIPES
from wavefold import api

# --- generate ------------------------------------------------------------------------------------


def test_generate_makes_a_valid_map_and_carries_every_keyword():
    grid = wf.SquareGrid(6, 4)
    reports = []
    solution = wf.generate(
        PIPES,
        grid,
        seed=7,
        pins={(3, 2): "┼"},
        constraints=[wf.Count("┼", at_most=3)],
        weights=np.ones(12),
        masks=[name != "│" for name in PIPES.rules.names],
        order="scanline",
        propagation="ac4",
        search="backtrack",
        undo="snapshot",
        choice=lambda cell, pattern, weight: weight + 1,
        random=lambda number: number * 2654435761,
        budget=wf.Budget(decisions=5000),
        progress=lambda decided, cells: reports.append((decided, cells)),
    )
    assert wf.check(solution.problem, solution) == []
    assert solution.array[2, 3] == 11
    assert solution.stats.order == "scanline"
    assert solution.stats.propagation == "ac4"
    assert solution.stats.rungs == ("backtrack",)
    assert solution.seed == 7
    assert reports[-1] == (24, 24)


def test_generate_takes_bare_rules():
    assert wf.generate(CHESS.rules, wf.SquareGrid(2, 2)).patterns.size == 4


def test_generate_has_a_default_budget(monkeypatch):
    seen = []
    monkeypatch.setattr(api, "default_budget", lambda cells: seen.append(cells) or wf.Budget(decisions=0))
    with pytest.raises(wf.OutOfBudget):
        wf.generate(CHESS, wf.SquareGrid(3, 3))
    assert seen == [9]


@pytest.fixture
def clock(monkeypatch):
    """A clock of budgets, in seconds: a list of one number that a test sets."""
    now = [0.0]
    monkeypatch.setattr("wavefold.solver.budget.perf_counter", lambda: now[0])
    return now


def test_a_budget_includes_preparing_the_problem(clock, monkeypatch):
    def make_problem(*args, make=api.make_problem, **about):
        clock[0] += 0.1
        return make(*args, **about)

    monkeypatch.setattr(api, "make_problem", make_problem)
    with pytest.raises(wf.OutOfBudget, match=r"100 ms \(the budget was 50 ms\), while setting up") as caught:
        wf.generate(CHESS, wf.SquareGrid(4, 4), budget=wf.Budget(ms=50))
    assert caught.value.phase == "setting up"
    assert caught.value.stats.decisions == 0
    assert wf.generate(CHESS, wf.SquareGrid(4, 4), budget=wf.Budget(ms=250)).array.shape == (4, 4)


def test_refining_has_what_preparing_and_solving_leave_of_the_budget(clock, monkeypatch):
    def run_within(self, meter, progress, run=wf.Solver.run_within):
        clock[0] += 0.1
        return run(self, meter, progress)

    limits = []
    monkeypatch.setattr(wf.Solver, "run_within", run_within)
    monkeypatch.setattr(
        wf.Solution, "refine", lambda self, *args, **options: limits.append(options["budget"])
    )
    wf.generate(CHESS, wf.SquareGrid(4, 4), refine=3, budget=wf.Budget(ms=150, decisions=20))
    assert limits[0].ms == pytest.approx(50)
    assert 0 < limits[0].decisions < 20


def test_refining_that_cannot_be_done_is_refused_before_the_search(monkeypatch):
    monkeypatch.setattr(wf.Solver, "run_within", lambda *_: pytest.fail("the map is solved first"))
    with pytest.raises(wf.ConfigError, match="cannot be refined: windows cannot be tested"):
        wf.generate(PIPES, wf.SquareGrid(4, 4), constraints=[wf.Mirror()], refine=3)


def test_the_bundled_pipes_make_a_map():
    tiles = wf.TileSet.load("pipes")
    solution = wf.generate(tiles, wf.SquareGrid(8, 6), seed=7, order="scanline")
    assert wf.check(solution.problem, solution) == []


# --- solve ---------------------------------------------------------------------------------------

NEIGHBOURS = {
    "Western Australia": ["Northern Territory", "South Australia"],
    "Northern Territory": ["South Australia", "Queensland"],
    "South Australia": ["Queensland", "New South Wales", "Victoria"],
    "Queensland": ["New South Wales"],
    "New South Wales": ["Victoria"],
}


def borders():
    return [(here, there) for here, others in NEIGHBOURS.items() for there in others]


def test_three_colours_suffice_for_australia():
    regions = [*NEIGHBOURS, "Victoria", "Tasmania"]
    colours = wf.solve(regions, ["red", "green", "blue"], lambda a, b: a != b, edges=borders())
    assert list(colours) == regions
    assert all(colours[here] != colours[there] for here, there in borders())
    assert colours["Tasmania"] in ("red", "green", "blue")


def test_two_colours_do_not():
    with pytest.raises(wf.Contradiction):
        wf.solve([*NEIGHBOURS, "Victoria"], ["red", "green"], lambda a, b: a != b, edges=borders())


SUDOKU = [
    "53..7....",
    "6..195...",
    ".98....6.",
    "8...6...3",
    "4..8.3..1",
    "7...2...6",
    ".6....28.",
    "...419..5",
    "....8..79",
]
SOLVED = [
    "534678912",
    "672195348",
    "198342567",
    "859761423",
    "426853791",
    "713924856",
    "961537284",
    "287419635",
    "345286179",
]


def test_a_sudoku_has_its_one_solution():
    cells = [(row, column) for row in range(9) for column in range(9)]

    def share(a, b):
        return a[0] == b[0] or a[1] == b[1] or (a[0] // 3, a[1] // 3) == (b[0] // 3, b[1] // 3)

    given_digits = {(r, c): int(SUDOKU[r][c]) for r, c in cells if SUDOKU[r][c] != "."}
    found = wf.solve(
        cells,
        range(1, 10),
        lambda a, b: a != b,
        edges=[(a, b) for a, b in combinations(cells, 2) if share(a, b)],
        pins=given_digits,
        search="exact",
    )
    assert ["".join(str(found[row, column]) for column in range(9)) for row in range(9)] == SOLVED


def test_a_building_gets_its_rooms():
    """Doors join what may be joined; floors lie above each other."""
    doors = {
        ("hall", "kitchen"),
        ("hall", "bath"),
        ("hall", "bedroom"),
        ("kitchen", "cellar"),
        ("hall", "hall"),
    }

    def allowed(a, b, label):
        if label == "door":
            return (a, b) in doors or (b, a) in doors
        return b != "cellar" and not (a == "bath" and b == "kitchen")  # b lies above a

    rooms = ["entrance", "left", "right", "back", "up-left", "up-right"]
    edges = [
        ("entrance", "left", "door"),
        ("entrance", "right", "door"),
        ("left", "back", "door"),
        ("left", "up-left", "above"),
        ("right", "up-right", "above"),
        ("up-left", "up-right", "door"),
    ]
    values = ["hall", "kitchen", "bath", "bedroom", "cellar"]
    for seed in range(6):
        plan = wf.solve(rooms, values, allowed, edges, pins={"entrance": "hall", "back": "cellar"}, seed=seed)
        assert plan["left"] == "kitchen"
        assert all(allowed(plan[a], plan[b], label) for a, b, label in edges)


def test_a_quest_comes_in_the_order_its_edges_are_written():
    scenes = ["start", "village", "forest", "cave", "castle", "end"]
    edges = [
        ("start", "village", "before"),
        ("start", "forest", "before"),
        ("village", "castle", "before"),
        ("forest", "cave", "before"),
        ("cave", "castle", "before"),
        ("castle", "end", "before"),
        ("village", "cave", "apart"),
    ]

    def allowed(a, b, label):
        return a < b if label == "before" else a != b

    days = wf.solve(scenes, range(1, 6), allowed, edges, seed=3)
    assert days["start"] == 1
    assert days["end"] == 5
    assert all(allowed(days[a], days[b], label) for a, b, label in edges)


def test_values_may_be_anything_hashable():
    values = [(0, 1), (1, 0), (2, 2), None, frozenset("x"), "(0, 1)"]
    found = wf.solve("abcdef", values, lambda a, b: a != b, [*combinations("abcdef", 2)])
    assert sorted(map(repr, found.values())) == sorted(map(repr, values))


def test_values_may_be_pairs():
    found = wf.solve("ab", [(0, 1), (1, 0), (1, 1)], lambda a, b: a[1] == b[0] != a[0], [("a", "b")])
    assert found["a"][1] == found["b"][0] != found["a"][0]


def test_values_that_print_alike_stay_apart():
    assert set(wf.solve("ab", [1, "1"], lambda a, b: a != b, [("a", "b")]).values()) == {1, "1"}


def test_cells_without_edges_are_solved_too():
    assert set(wf.solve([1, 2, 3], "xy", lambda a, b: False, edges=[])) == {1, 2, 3}


def test_weights_pins_and_constraints_of_a_graph_are_used():
    found = wf.solve(
        range(30),
        "xyz",
        lambda a, b: True,
        edges=[(i, i + 1) for i in range(29)],
        pins={3: "z", 4: ["y", "z"]},
        weights={"x": 1e6},
        constraints=[wf.Count("z", at_least=2, at_most=4)],
    )
    assert found[3] == "z"
    assert found[4] in "yz"
    assert 2 <= list(found.values()).count("z") <= 4
    assert list(found.values()).count("x") > 20


@given(st.integers(2, 6), st.integers(0, 2**64))
def test_an_edge_is_read_as_it_is_written(length, seed):
    path = list(range(length))
    found = wf.solve(path, range(length), lambda a, b: b == a + 1, [*pairwise(path)], seed=seed)
    assert found == {cell: cell for cell in path}


def test_the_examples_in_the_docstrings_work():
    assert doctest.testmod(api, extraglobs={"solve": wf.solve}).failed == 0


@pytest.mark.parametrize(
    ("arguments", "error", "culprit"),
    [
        (("ab", [], lambda a, b: True, []), wf.ConfigError, "there are no values"),
        (("ab", [1, 1], lambda a, b: True, []), wf.ConfigError, "values must differ"),
        (("ab", [[1], [2]], lambda a, b: True, []), wf.ConfigError, "values must be hashable"),
        (([[1]], [1], lambda a, b: True, []), wf.ConfigError, "hashable"),
        (("aa", [1], lambda a, b: True, []), wf.ConfigError, "twice"),
        (([], [1], lambda a, b: True, []), wf.ConfigError, "needs at least one cell"),
        (("ab", [1], lambda a, b: True, [("a",)]), wf.ConfigError, "an edge must be"),
    ],
)
def test_bad_arguments_of_solve_are_refused_by_name(arguments, error, culprit):
    with pytest.raises(error, match=culprit):
        wf.solve(*arguments)


def test_a_pin_to_an_unknown_value_or_cell_is_refused_by_name():
    with pytest.raises(wf.TileSetError, match=r"there is no value 'crimsno'; did you mean .*crimson"):
        wf.solve("ab", ["crimson", "azure"], lambda a, b: True, [("a", "b")], pins={"a": "crimsno"})
    with pytest.raises(wf.ConfigError, match="there is no cell 'c'"):
        wf.solve("ab", ["red", "blue"], lambda a, b: True, [("a", "b")], pins={"c": "red"})


def test_an_error_in_the_predicate_reaches_the_caller():
    with pytest.raises(ZeroDivisionError):
        wf.solve("ab", [0, 1], lambda a, b: 1 / a > b, [("a", "b")])


def test_maps_of_one_set_and_size_are_of_one_problem_while_it_is_used():
    tiles = wf.TileSet.load("pipes")
    first = wf.generate(tiles, wf.SquareGrid(5, 4), seed=1)
    assert wf.generate(tiles, wf.SquareGrid(5, 4), seed=2).problem is first.problem
    assert wf.generate(tiles, wf.SquareGrid(4, 5), seed=1).problem is not first.problem
    assert (
        wf.generate(tiles, wf.SquareGrid(5, 4), seed=1, pins={(0, 0): "cross"}).problem is not first.problem
    )
    others = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(5, 4), seed=1)
    assert others.problem.tiles is not tiles
    assert (others.patterns == first.patterns).all()
