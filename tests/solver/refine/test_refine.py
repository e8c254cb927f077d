"""Refining a map: it stays valid, the same everywhere, within its budget, and nearer to what was asked."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CHESS, PIPES, WORLDS, compiled_only, everything_touches
from wavefold.kernels.host.bitsets import pack_bits
from wavefold.kernels.refine.structs import SPARE
from wavefold.kernels.units import COMPILED
from wavefold.kernels.vectors import QUAD
from wavefold.solver.engine.method_tables import build_pages
from wavefold.solver.propagators import Propagator
from wavefold.solver.refine import chain
from wavefold.solver.refine.refine import DEFAULT_SWEEPS, count_sweeps
from wavefold.solver.refine.tables import build_tables

SWEEPS = 8 if COMPILED else 2


def solve(name, seed=0):
    return wf.Solver(WORLDS[name](), seed).run()


@pytest.mark.parametrize("name", WORLDS)
def test_a_map_is_valid_after_every_sweep(name):
    solution = solve(name)
    current = solution.patterns.copy()
    checked = []

    def check_sweep(batch):
        current[batch[:, 1]] = batch[:, 2]
        assert wf.check(solution.problem, current) == []
        checked.append(batch)

    refined = solution.refine(SWEEPS, seed=3, listener=check_sweep)
    assert len(checked) == SWEEPS
    assert (refined.patterns == current).all()


@given(seed=st.integers(-(2**70), 2**70), name=st.sampled_from(sorted(WORLDS)))
def test_the_same_seed_refines_a_map_in_the_same_way(seed, name):
    solution = solve(name)
    first, second = (solution.refine(2, seed=seed) for _ in range(2))
    assert (first.patterns == second.patterns).all()
    assert first.stats.refinement == second.stats.refinement


def test_every_platform_and_plain_python_refine_alike():
    digests = {}
    for name in ("pipes", "tinted", "flowers", "hex rivers", "petersen"):
        problem = (
            WORLDS[name]() if name != "flowers" else wf.Problem(WORLDS[name]().tiles, wf.SquareGrid(4, 3))
        )
        refined = wf.Solver(problem, 1, "scanline").run().refine(3, seed=5)
        digests[name] = blake2b(refined.patterns.astype("<i8").tobytes(), digest_size=4).hexdigest()
    assert digests == {
        "pipes": "578bec23",
        "tinted": "7c13b44f",
        "flowers": "1fd328df",
        "hex rivers": "1c6a2168",
        "petersen": "f6934ee0",
    }


@pytest.mark.parametrize("name", ["pipes", "castle", "dungeon", "meadow", "medieval"])
def test_all_ways_to_propagate_in_a_window_come_to_the_same_map(name, monkeypatch):
    tiles = wf.TileSet.load(name)
    grid = wf.SquareGrid(9, 8) if tiles.topology == "square" else wf.HexGrid.rectangle(5, 4)
    solution = wf.generate(tiles, grid, seed=2, refine=False)
    tables = build_tables(tiles.rules)
    relations, classes, width = tables.rows.shape
    members = np.zeros(tables.rows.shape, np.uint64)
    members[..., : tiles.rules.words] = pack_bits(tables.class_of[:, None] == np.arange(classes)[:, None])
    none = np.zeros(0, np.uint64)
    ways = [tables, tables._replace(members=members, pages=none, digits=none, class_pages=none)]
    if width == QUAD:
        of_patterns = tables.rows[np.arange(relations)[:, None], tables.class_of]
        ways.append(tables._replace(pages=build_pages(of_patterns, spare=SPARE), class_pages=none))
    maps = []
    for way in ways:
        monkeypatch.setattr(chain, "_tables", {solution.problem.rules: way})
        refined = chain.Chain(solution.problem, solution.patterns, seed=1)
        for _ in range(SWEEPS // 2):
            refined.sweep()
        maps.append(refined.map.pattern)
    assert (maps[0] != solution.patterns).any()
    assert all((other == maps[0]).all() for other in maps)


@pytest.mark.parametrize("by_cell", [False, True])
def test_what_weights_ask_for_is_added_up_cell_by_cell(by_cell):
    masks = np.ones((12, len(PIPES.rules)), bool)
    masks[:5, 2:] = False
    weights = np.arange(1, 1 + masks.size, dtype=float).reshape(masks.shape) if by_cell else None
    problem = wf.Problem(PIPES, wf.SquareGrid(4, 3), masks=masks, weights=weights)
    group_of = np.arange(len(PIPES.rules), dtype=np.int32) // 2
    under = chain.Chain(problem, np.zeros(12, np.int32), seed=0)
    expected = np.zeros(int(group_of.max()) + 1)
    for cell in range(12):
        chances = (weights[cell] if by_cell else PIPES.rules.weights) * masks[cell]
        np.add.at(expected, group_of, chances / chances.sum())
    assert under.ask_by_weight(group_of) / 65536 == pytest.approx(expected, abs=12 * len(PIPES.rules) / 65536)


def test_generate_refines_as_the_solution_itself_would():
    grid = wf.SquareGrid(9, 7)
    both = wf.generate(PIPES, grid, seed=4, refine=SWEEPS)
    then = wf.generate(PIPES, grid, seed=4, refine=False).refine(SWEEPS, seed=4)
    assert (both.patterns == then.patterns).all()
    assert both.stats.refinement == then.stats.refinement


def test_pins_masks_and_constraints_hold():
    masks = np.ones((48, len(PIPES.rules)), bool)
    masks[:8, 1:] = False
    count = wf.Count("┼", at_least=1, at_most=2)
    grid = wf.SquareGrid(8, 6)
    refined = wf.generate(
        PIPES, grid, seed=1, pins={(3, 3): "┼"}, masks=masks, constraints=[count], refine=SWEEPS
    )
    assert wf.check(refined.problem, refined) == []
    assert refined.values[3, 3] == "┼"


@compiled_only
def test_shares_come_out_as_asked():
    tiles = everything_touches([1, 1, 1, 5])
    shares = wf.Shares({"t0": 0.5, "t1": 0.25})
    refined = wf.generate(tiles, wf.SquareGrid(40, 40), constraints=[shares], refine=30)
    found = refined.stats.shares
    assert found["t0"].asked == pytest.approx(0.5)
    assert found["t2"].asked == pytest.approx(0.25 / 6, abs=1e-4)
    for share in found.values():
        assert share.seen == pytest.approx(share.asked, abs=0.03)


@compiled_only
def test_without_calibration_common_tiles_take_over():
    tiles = wf.TileSet.load("castle")
    plain = wf.generate(tiles, wf.SquareGrid(40, 40), seed=1, refine=False)
    bare = plain.refine(40, calibrate=False).stats.shares
    asked = plain.refine(40).stats.shares
    assert distance(asked) < distance(bare)


def distance(shares):
    return sum(abs(each.asked - each.seen) for each in shares.values()) / 2


def test_a_budget_of_decisions_ends_after_a_whole_sweep():
    solution = solve("pipes")
    refined = solution.refine(50, seed=2, budget=100)
    done = refined.stats.refinement.sweeps
    assert 1 <= done < 50
    assert not refined.provisional
    assert (refined.patterns == solution.refine(done, seed=2).patterns).all()


def test_time_that_is_up_gives_the_map_of_the_last_whole_sweep():
    solution = solve("pipes")
    refined = solution.refine(50, budget=wf.Budget(ms=0))
    assert refined.provisional
    assert (refined.patterns == solution.patterns).all()
    assert not solution.provisional


@pytest.mark.parametrize("problem", [
    wf.Problem(CHESS, wf.SquareGrid(14, 14)),
    wf.Problem(wf.TileSet([wf.Tile("only", "oooo")]), wf.SquareGrid(3, 3)),
    wf.Problem(PIPES, wf.SquareGrid(2, 1), pins={(0, 0): "─", (1, 0): "─"}),
])  # fmt: skip
def test_a_map_that_cannot_change_stays(problem):
    solution = wf.Solver(problem, 1).run()
    assert (solution.refine(SWEEPS).patterns == solution.patterns).all()


def test_shares_that_are_missed_are_named():
    tiles = everything_touches([1, 1])
    solution = wf.Solver(wf.Problem(tiles, wf.SquareGrid(6, 6)), 1).run()
    assert solution.refine(0, shares=wf.Shares({"t0": 0.99})).stats.refinement.missed == ("t0",)
    assert solution.refine(0, shares=wf.Shares({"t1": 0.99}, tolerance=1)).stats.refinement.missed == ()


def test_shares_of_maps_that_cannot_change_are_reported_as_missed():
    pinned = wf.Problem(PIPES, wf.SquareGrid(2, 1), pins={(0, 0): "─", (1, 0): "─"})
    single = wf.Problem(wf.TileSet([wf.Tile("only", "oooo")]), wf.SquareGrid(3, 3))
    for problem, name in ((pinned, "┼"), (single, "only")):
        refined = wf.Solver(problem).run().refine(3, shares=wf.Shares({name: 0.5}))
        assert refined.stats.refinement.missed == (name,)
        assert refined.stats.shares[name].asked == 0.5


def test_shares_may_exceed_one_by_a_rounding_error():
    solution = wf.Solver(wf.Problem(everything_touches([1, 1]), wf.SquareGrid(6, 6))).run()
    assert solution.refine(1, shares=wf.Shares({"t0": 0.5, "t1": 0.5000005})).stats.refinement.sweeps == 1


def test_no_sweeps_change_nothing():
    solution = solve("pipes")
    refined = solution.refine(0)
    assert (refined.patterns == solution.patterns).all()
    assert refined.stats.refinement.sweeps == 0


class Unmeasured(wf.Constraint):
    """Holds always; refining cannot test it."""

    def prune(self, view):
        pass


def test_a_constraint_that_windows_cannot_be_tested_for_is_refused_by_name():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5), constraints=[Unmeasured()])
    solution = wf.Solver(problem).run()
    with pytest.raises(wf.ConfigError, match=r"Unmeasured.*cannot be refined: windows cannot be tested"):
        solution.refine(3)


@dataclass(frozen=True, eq=False, kw_only=True)
class Unknown(Propagator):
    """A new propagator, for which no test of windows exists yet."""


class MadeOfUnknown(wf.Constraint):
    """A constraint with a new propagator."""

    def propagators(self, problem):
        return (Unknown(patterns=np.ones(len(problem.rules), bool)),)

    def prune(self, view):
        pass


def test_a_propagator_without_a_test_of_windows_is_refused_by_the_name_of_its_constraint():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5), constraints=[MadeOfUnknown()])
    with pytest.raises(wf.ConfigError, match=r"MadeOfUnknown.*cannot be refined: windows cannot be tested"):
        count_sweeps(3, problem, False)
    sweeps, left_out = count_sweeps("auto", problem, False)
    assert sweeps == 0
    assert "MadeOfUnknown" in left_out


def test_auto_leaves_such_a_map_alone_and_says_so():
    solution = wf.generate(PIPES, wf.SquareGrid(5, 5), constraints=[Unmeasured()])
    assert "windows cannot be tested" in solution.stats.refinement.left_out


@pytest.mark.parametrize(
    "options", [{"order": "scanline"}, {"order": wf.Heuristics()}, {"choice": "heaviest"}]
)
def test_maps_of_a_named_order_are_not_refined_and_say_how_to_refine_them(options):
    refinement = wf.generate(PIPES, wf.SquareGrid(5, 5), **options).stats.refinement
    sweeps = PIPES.sweeps or DEFAULT_SWEEPS
    assert refinement.sweeps == 0
    assert refinement.left_out == (
        f"an order or a choice was given; to refine the map, set refine to a number such as {sweeps}"
    )
    again = wf.generate(PIPES, wf.SquareGrid(5, 5), **options, refine=sweeps).stats.refinement
    assert (again.sweeps, again.left_out) == (sweeps, "")


def test_maps_that_are_not_to_be_refined_say_nothing_of_it():
    for options in ({"refine": False}, {"order": "scanline", "refine": False}):
        assert wf.generate(PIPES, wf.SquareGrid(5, 5), **options).stats.refinement is None


def test_auto_refines_as_often_as_the_set_recommends():
    assert wf.generate(PIPES, wf.SquareGrid(4, 4)).stats.refinement.sweeps > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda: wf.Shares({"a": 0.7, "b": 0.4}), "add up to 1.1"),
        (lambda: wf.Shares({"a": 0.5, "b": 0.500002}), "add up to 1.000002;"),
        (lambda: wf.Shares({"a": -0.1}), "from 0 to 1"),
        (lambda: wf.Shares({}), "must be a dict"),
        (lambda: wf.Shares({"a": "half"}), "from 0 to 1"),
        (
            lambda: wf.generate(PIPES, wf.SquareGrid(3, 3), constraints=[wf.Shares({"x": 0.1})], refine=2),
            "'x'",
        ),
        (
            lambda: wf.generate(
                PIPES, wf.SquareGrid(3, 3), constraints=[wf.Shares({"┼": 0.1})], refine=False
            ),
            "refine=False",
        ),
        (lambda: solve("pipes").refine(2, shares=wf.Shares({"┼": 0.1, "┼@0": 0.1})), "twice"),
        (lambda: solve("pipes").refine(-1), "sweeps must be"),
        (lambda: solve("pipes").refine(True), "sweeps must be"),
        (lambda: solve("pipes").refine(1.5), "sweeps must be"),
        (lambda: solve("pipes").refine(1, calibrate="x"), "calibrate must be True or False"),
        (lambda: solve("pipes").refine(1, progress=5), "progress must be a function"),
        (lambda: solve("pipes").refine(1, listener=5), "listener must be a function"),
        (lambda: wf.generate(PIPES, wf.SquareGrid(3, 3), progress=5), "progress must be a function"),
        (lambda: solve("pipes").refine(1, shares=wf.Shares({("┼", "x"): 0.1})), "'x'"),
        (lambda: solve("pipes").refine(1, shares={"┼": 0.1}), "must be given as Shares"),
        (
            lambda: wf.generate(PIPES, wf.SquareGrid(3, 3), constraints=[wf.Shares({"┼": 0.1})], refine=0),
            "refine=0",
        ),
        (lambda: wf.generate(PIPES, wf.SquareGrid(3, 3), refine="yes"), "'auto', False or a number"),
        (lambda: wf.generate(PIPES, wf.SquareGrid(3, 3), refine=True), "'auto', False or a number"),
        (
            lambda: wf.Problem(PIPES, wf.SquareGrid(3, 3), constraints=[wf.Shares({"┼": 0.1})] * 2),
            "several Shares",
        ),
    ],
)
def test_bad_input_has_a_clear_answer(given, message):
    with pytest.raises(wf.WavefoldError, match=message):
        given()
