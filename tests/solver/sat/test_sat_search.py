"""Search by SAT: the same answers as brute force, whatever is asked; and clear words where it cannot help."""

import sys
from concurrent import futures

import numpy as np
import pytest
from hypothesis import given

import wavefold as wf
from strategies import problems, seeds
from support import (
    APART,
    CHESS,
    HEX_RIVERS,
    LOOPS,
    PETERSEN,
    PIPES,
    TINTED,
    WORLDS,
    brute_force,
    colouring,
    compiled_only,
    pigeons,
)
from wavefold.kernels.host.checkpoint import checking
from wavefold.solver.budget import Meter
from wavefold.solver.sat import sat_search as sat
from wavefold.solver.sat.sat_encoding import SatFormula
from wavefold.tiles import Relation

pytest.importorskip("pysat.solvers")


# Classes of two members, the most that do without a variable of their own.
TWO_BY_TWO = wf.TileSet([wf.Tile(f"{tile.name}{i}", tile.sockets) for tile in CHESS.tiles for i in range(2)])


def solve(problem, seed=0, budget=None):
    return wf.Solver(problem, seed, search="sat").run(budget)


def solve_unaided(problem, seed=0):
    """Without the sketch of our own search, which would hide a gap in the formula."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sat, "SKETCH_DECISIONS", 0)
        return solve(problem, seed)


def keeping_apart(kinds):
    """Four patterns that fit everywhere, but keep apart from their own kind."""
    anything = Relation.from_allowed(np.ones((4, 4), bool))
    return wf.Rules("abcd", [anything] * 4, kinds=kinds, topology="square")


class Alike:
    """Two cells hold the same pattern."""

    def __init__(self, one, other):
        self.one, self.other = one, other

    def prune(self, view):
        pass

    def violations(self, problem, patterns):
        return [] if patterns[self.one] == patterns[self.other] else ["they differ"]

    def clauses(self, problem, variable):
        both = variable.new()  # not needed, but a constraint may have variables of its own
        for pattern in range(len(problem.rules)):
            yield [-both, -variable(self.one, pattern), variable(self.other, pattern)]
        yield [both]


# --- answers ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WORLDS)
def test_maps_are_valid_on_every_kind_of_world(name):
    problem = WORLDS[name]()
    for solution in (solve(problem, seed=3), solve_unaided(problem, seed=3)):
        assert wf.check(problem, solution) == []
        assert solution.patterns.dtype == np.int64


@pytest.mark.parametrize(
    "problem",
    [
        wf.Problem(PIPES, wf.SquareGrid(2, 2), pins={(1, 1): ["│", "┘", " "]}),
        wf.Problem(LOOPS, wf.SquareGrid(3, 2, wraps=(True, False))),
        wf.Problem(APART, wf.SquareGrid(2, 1)),
        wf.Problem(HEX_RIVERS, wf.HexGrid.rectangle(2, 1)),
        wf.Problem(colouring(3), PETERSEN),
        wf.Problem(TWO_BY_TWO, wf.SquareGrid(2, 2)),
    ],
    ids=repr,
)
def test_the_models_of_the_formula_are_exactly_the_solutions(problem):
    root = wf.Solver(problem).partial()
    formula = SatFormula(problem, root.possible)
    with sat.load_solver_class()() as solver:
        solver.add_clause([-formula.never])
        for cell in range(problem.cell_count):
            solver.append_formula(formula.cell_clauses(cell))
        models = [tuple(formula.patterns(model).tolist()) for model in solver.enum_models()]
    assert sorted(models) == sorted(brute_force(problem))


@compiled_only
@given(problems(), seeds)
def test_a_map_is_found_exactly_where_brute_force_finds_one(problem, seed):
    if brute_force(problem, most=1):
        assert wf.check(problem, solve(problem, seed)) == []
        assert wf.check(problem, solve_unaided(problem, seed)) == []
    else:
        with pytest.raises(wf.Contradiction):
            solve(problem, seed)


@pytest.mark.parametrize("kinds", [(0, 1, 2, -1), (0, 0, 0, 1), (0, 0, 0, 0), (0, 0, 1, 1)])
@pytest.mark.parametrize("grid", [wf.SquareGrid(3, 3), wf.SquareGrid(3, 2, wraps=True)], ids=repr)
def test_kinds_keep_apart_where_brute_force_says_they_can(kinds, grid):
    problem = wf.Problem(keeping_apart(kinds), grid)
    if brute_force(problem, most=1):
        assert wf.check(problem, solve_unaided(problem)) == []
    else:
        with pytest.raises(wf.Contradiction):
            solve(problem)


def test_a_cell_that_is_its_own_neighbour_must_fit_itself():
    grid = wf.SquareGrid(1, 3, wraps=(True, False))
    with pytest.raises(wf.Contradiction):
        solve(wf.Problem(CHESS, grid))
    with pytest.raises(wf.Contradiction):
        solve(wf.Problem(keeping_apart((0, 1, 2, 3)), grid))
    assert set(solve(wf.Problem(keeping_apart((0, 1, 2, -1)), grid)).patterns.tolist()) == {3}


def test_large_domains_hold_exactly_one_pattern():
    free = wf.TileSet([wf.Tile(f"t{number}", ("",) * 4) for number in range(130)])
    maps = [solve_unaided(wf.Problem(free, wf.SquareGrid(3, 3)), seed).patterns for seed in range(5)]
    assert len(np.unique(maps)) > 20  # of 45 draws


def test_cells_without_neighbours_are_solved_too():
    problem = wf.Problem(wf.Rules(["x", "y"], []), wf.Graph([], cells=["a", "b"]))
    assert wf.check(problem, solve(problem)) == []


def test_an_odd_ring_cannot_be_a_chessboard():
    with pytest.raises(wf.Contradiction, match="the rules alone allow no map") as caught:
        solve(wf.Problem(CHESS, wf.SquareGrid(5, 4, wraps=True)))
    assert caught.value.explanation.contradictory


def test_a_root_without_a_map_is_explained_by_its_pins():
    pins = {(0, 0): "white", (1, 0): "white", (4, 4): "white"}
    with pytest.raises(wf.Contradiction, match="these 2 cannot hold together") as caught:
        solve(wf.Problem(CHESS, wf.SquareGrid(5, 5), pins=pins))
    assert caught.value.cell == 0


def test_what_only_the_sat_solver_can_prove_is_a_contradiction_all_the_same():
    with pytest.raises(wf.Contradiction, match="the rules alone allow no solution") as caught:
        solve(pigeons(8))
    assert caught.value.cell is None
    assert caught.value.explanation.contradictory


def test_pins_and_masks_are_kept():
    masks = np.ones(len(PIPES.rules), bool)
    masks[PIPES.rules.patterns("┼")] = False
    problem = wf.Problem(PIPES, wf.SquareGrid(8, 6), pins={(3, 2): "├", (4, 2): ["─", "┤"]}, masks=masks)
    solution = solve(problem, seed=5)
    assert wf.check(problem, solution) == []
    assert solution.values[2, 3] == "├"
    assert "┼" not in solution.values


# --- seeds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tiles", [PIPES, TINTED, APART], ids=["pipes", "tinted", "kinds apart"])
def test_the_seed_decides_the_map(tiles):
    problem = wf.Problem(tiles, wf.SquareGrid(7, 7))
    for answer in (solve, solve_unaided):
        maps = [answer(problem, seed).patterns.tolist() for seed in (1, 2, 1, 2**70 - 5)]
        assert maps[0] == maps[2]
        assert len({tuple(each) for each in maps}) == 3


def test_a_budget_that_suffices_does_not_change_the_map():
    problem = wf.Problem(HEX_RIVERS, wf.HexGrid(3))
    whole = solve(problem, seed=4).patterns
    limits = wf.Budget(ms=600_000, decisions=10**9, backtracks=10**9)
    assert (solve(problem, seed=4, budget=limits).patterns == whole).all()


def test_weights_are_respected_and_zero_means_only_if_nothing_else_fits():
    tiles = wf.TileSet([wf.Tile(name, ("",) * 4) for name in "abc"])
    weights = np.tile([3.0, 1.0, 0.0], (400, 1))
    weights[200:] = [0.0, 0.0, 1.0]
    patterns = solve(wf.Problem(tiles, wf.SquareGrid(20, 20), weights=weights)).patterns
    assert 110 < (patterns[:200] == 0).sum() < 190
    assert (patterns[200:] == 2).all()


def test_statistics_name_the_rung():
    solution = solve(wf.Problem(PIPES, wf.SquareGrid(6, 6)))
    assert solution.stats.rungs == ("sat",)
    assert solution.stats.decisions > 0
    assert set(solution.stats.seconds) == {"setup", "search"}
    assert wf.generate(PIPES, wf.SquareGrid(6, 6), search="sat").stats.rungs == ("sat",)


# --- limits -------------------------------------------------------------------------------------


def test_no_time_at_all_ends_before_the_search():
    problem = wf.Problem(PIPES, wf.SquareGrid(6, 6), pins={(2, 2): "┼"})
    with pytest.raises(wf.OutOfBudget, match="the budget was 0 ms") as caught:
        solve(problem, budget=wf.Budget(ms=0))
    assert caught.value.partial.domain((2, 2)) == ["┼"]
    assert caught.value.stats.decisions == 0


def test_writing_the_formula_creates_few_variables_between_two_looks_at_the_budget(monkeypatch):
    problem, most = wf.Problem(PIPES, wf.SquareGrid(20, 20)), 40
    monkeypatch.setattr(sat, "VARIABLES_AT_ONCE", most)
    solver = sat.load_solver_class()()
    counts = [0]

    def count_variables():
        counts.append(solver.nof_vars())

    with solver, checking(count_variables):
        search = sat.SatSearch(problem, 0, Meter(wf.Budget()), solver, problem.domains, [])
        search._write_formula()
    assert counts[-1] > 20 * most
    assert np.diff(counts).max() <= 2 * most


def test_what_set_up_took_is_not_given_to_the_sat_solver_again(monkeypatch):
    now, load = [0.0], sat.load_solver_class

    def load_slowly():
        now[0] += 60
        return load()

    monkeypatch.setattr("wavefold.solver.budget.perf_counter", lambda: now[0])
    monkeypatch.setattr(sat, "load_solver_class", load_slowly)
    with pytest.raises(wf.OutOfBudget, match=r"60000 ms \(the budget was 59000 ms\)"):
        solve(wf.Problem(PIPES, wf.SquareGrid(6, 6)), budget=wf.Budget(ms=59_000))


def test_the_clock_interrupts_a_search_that_would_take_days(monkeypatch):
    """A tenth of a second passes whenever the search is looked after, which never ends by itself."""
    now = [0.0]

    def wait_for_a_while(jobs, seconds):
        now[0] += 0.1
        return futures.wait(jobs, seconds)

    monkeypatch.setattr("wavefold.solver.budget.perf_counter", lambda: now[0])
    monkeypatch.setattr("wavefold.solver.sat.sat_search.wait", wait_for_a_while)
    monkeypatch.setattr("wavefold.solver.sat.sat_search.SLICE_CONFLICTS", 10**9)
    with pytest.raises(wf.OutOfBudget, match=r"stopped after 300 ms \(the budget was 250 ms\)") as caught:
        solve(pigeons(13), budget=wf.Budget(ms=250))
    assert now == [pytest.approx(0.3)]
    assert (caught.value.partial.patterns == -1).all()


@pytest.mark.parametrize("limit", ["decisions", "backtracks"])
def test_counted_limits_end_a_search_at_the_same_place_every_time(limit):
    ends = []
    for _ in range(2):
        with pytest.raises(wf.OutOfBudget, match=f"500 {limit}") as caught:
            solve(pigeons(13), budget=wf.Budget(**{limit: 500}))
        ends.append((caught.value.stats.decisions, caught.value.stats.backtracks))
    assert ends[0] == ends[1]
    assert ends[0][1] >= 500


# --- what it cannot do --------------------------------------------------------------------------


def test_a_missing_extra_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    with pytest.raises(wf.PluginError, match=r'pip install "wavefold\[exact\]"'):
        solve(wf.Problem(CHESS, wf.SquareGrid(2, 2)))


class Unwritten(wf.Constraint):
    """Has no clauses."""

    def prune(self, view):
        pass


def test_a_constraint_without_clauses_is_refused_by_name():
    problem = wf.Problem(CHESS, wf.SquareGrid(2, 2), constraints=[Unwritten()])
    with pytest.raises(wf.ConfigError, match=r"Unwritten.*use another search"):
        solve(problem)


def test_a_constraint_with_clauses_holds():
    grid = wf.SquareGrid(6, 6)
    for seed in range(4):
        problem = wf.Problem(PIPES, grid, constraints=[Alike(0, 21)], pins={(3, 3): ["┌", "┼"]})
        assert wf.check(problem, solve(problem, seed)) == []


def test_clauses_may_speak_of_patterns_that_are_ruled_out():
    pins = {0: "c0", 4: ["c1", "c2"]}
    graph = wf.Graph([(0, 1), (2, 3)], cells=range(5))
    with pytest.raises(wf.Contradiction):
        solve(wf.Problem(colouring(3), graph, pins=pins, constraints=[Alike(0, 4)]))
