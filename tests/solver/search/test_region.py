"""Regions: fixed cells stay, soft masks are applied, and nothing of one solve shows in the next."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import wavefold as wf
from support import APART, CHESS, HEX_RIVERS, PIPES, TINTED
from wavefold.kernels.host.bitsets import single_bits
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.search.region import CellSequence, Region, RegionSolver, SoftMasks, SolverPool

ENTROPY = Heuristics.of("entropy")
LADDER = wf.Ladder(patience=16, repairs=50, radius=3)
PROBLEMS = {
    "pipes": lambda: wf.Problem(PIPES, wf.SquareGrid(5, 4)),
    "tinted": lambda: wf.Problem(TINTED, wf.SquareGrid(4, 4)),
    "kinds apart": lambda: wf.Problem(APART, wf.SquareGrid(4, 4)),
    "rivers": lambda: wf.Problem(HEX_RIVERS, wf.HexGrid(2)),
}


@pytest.fixture(params=list(PROBLEMS))
def problem(request):
    return PROBLEMS[request.param]()


def some_map(problem):
    return wf.Solver(problem, seed=3).run().patterns.astype(np.int64)


def solve(solver, region, seed=1, order=ENTROPY):
    attempt = solver.solve(region, order, seed, LADDER)
    assert attempt.patterns is not None
    return attempt.patterns


def test_fixed_cells_stay_and_the_rest_fits(problem):
    first = some_map(problem)
    fixed = np.arange(0, problem.cell_count, 3)
    found = solve(RegionSolver(problem), Region(fixed=(fixed, first[fixed])))
    assert (found[fixed] == first[fixed]).all()
    assert not wf.check(problem, found)


def test_a_region_gives_the_map_of_a_problem_with_masks(problem):
    first = some_map(problem)
    fixed = np.array([0, 2])
    masks = np.ones((problem.cell_count, len(problem.rules)), bool)
    masks[fixed] = np.arange(len(problem.rules)) == first[fixed, None]
    masked = wf.Problem(problem.tiles, problem.topology, masks=masks)
    expected = wf.Solver(masked, 5, "entropy", search=LADDER).run().patterns
    assert (solve(RegionSolver(problem), Region(fixed=(fixed, first[fixed])), 5) == expected).all()


def test_required_cells_are_one_of_their_patterns():
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 1))
    black = single_bits(np.array([1]), 1)
    assert solve(RegionSolver(problem), Region(required=(np.array([1]), black))).tolist() == [0, 1, 0]


def test_cells_have_weights_of_their_own_for_one_region():
    tiles = wf.TileSet([wf.Tile("a", ("x",) * 4), wf.Tile("b", ("x",) * 4, 3.0)])
    solver, cells = RegionSolver(wf.Problem(tiles, wf.SquareGrid(4, 4))), np.arange(16)
    plain = solve(solver, Region())
    weights = np.where((cells < 8)[:, None], [1.0, 0.0], [0.0, 1.0])
    assert (solve(solver, Region(weights=weights)) == (cells >= 8)).all()
    even = Region(weights=np.ones((16, 2)), previous=(cells, cells % 2), previous_weight=1e6)
    assert (solve(solver, even) == cells % 2).all()
    assert (solve(solver, Region()) == plain).all()


def test_group_factors_multiply_the_weights_of_their_group():
    tiles = wf.TileSet([wf.Tile("a", ("x",) * 4), wf.Tile("b", ("x",) * 4)])
    solver = RegionSolver(wf.Problem(tiles, wf.SquareGrid(4, 4)), np.array([-1, 0], np.int32))
    factors = np.where(np.arange(16) < 8, 1e4, 0.0)[:, None]
    assert (solve(solver, Region(group_factors=factors)) == (np.arange(16) < 8)).all()


def test_what_was_solved_before_does_not_show(problem):
    first, cells = some_map(problem), np.arange(2)
    fresh, used = RegionSolver(problem), RegionSolver(problem)
    solve(used, Region(fixed=(cells + 1, first[cells + 1]), previous=(cells, first[cells])), 5)
    region = Region(fixed=(cells, first[cells]))
    expected = solve(fresh, region, 9)
    assert (solve(used, region, 9) == expected).all()
    solve(used, region, 10)
    assert (solve(used, region, 9) == expected).all()


def test_soft_masks_are_applied_where_no_cell_is_emptied():
    problem = wf.Problem(CHESS, wf.SquareGrid(3, 3))
    white = single_bits(np.zeros(9, np.int64), 1)
    for corner in (0, 1):
        masks = SoftMasks(np.arange(9), white)
        region = Region(fixed=(np.array([0]), np.array([corner])), preferred=masks)
        assert solve(RegionSolver(problem), region)[0] == corner


def test_what_cannot_be_fixed_names_a_cell():
    solver = RegionSolver(wf.Problem(CHESS, wf.SquareGrid(3, 1)))
    ends = np.array([0, 2])
    attempt = solver.solve(Region(fixed=(ends, np.array([0, 1]))), ENTROPY, 0, LADDER)
    assert attempt.is_proof
    assert attempt.at_root
    assert attempt.conflict in range(3)
    nothing = Region(required=(np.array([1]), np.zeros((1, 1), np.uint64)))
    assert solver.solve(nothing, ENTROPY, 0, LADDER).conflict == 1
    assert solve(solver, Region(fixed=(ends, np.array([1, 1])))).tolist() == [1, 0, 1]


def test_previous_patterns_are_kept_where_they_fit(problem):
    first, every = some_map(problem), np.arange(problem.cell_count)
    kept = {}
    for weight in (1.0, 1e4):
        region = Region(previous=(every[1:], first[1:]), previous_weight=weight)
        maps = [solve(RegionSolver(problem), region, seed) for seed in range(5)]
        assert not any(wf.check(problem, found) for found in maps)
        kept[weight] = sum(int((found == first).sum()) for found in maps)
    assert kept[1e4] >= kept[1.0]
    restored = Region(previous=(every, first), restore_first=True)
    assert (solve(RegionSolver(problem), restored) == first).all()


def test_a_search_stops_after_so_many_decisions():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 4))
    attempt = RegionSolver(problem).solve(Region(), ENTROPY, 0, LADDER, decisions=2)
    assert attempt.patterns is None
    assert not attempt.is_proof


def test_a_sequence_of_cells_is_an_order():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 4))
    scanline = CellSequence(np.arange(20, dtype=np.int32))
    solver = RegionSolver(problem)
    for seed in range(3):
        by_name = solve(solver, Region(), seed, Heuristics.of("scanline"))
        assert (solve(solver, Region(), seed, scanline) == by_name).all()


def test_a_sequence_serves_regions_with_and_without_weights():
    tiles = wf.TileSet([wf.Tile("a", ("x",) * 4), wf.Tile("b", ("x",) * 4)])
    problem, order = wf.Problem(tiles, wf.SquareGrid(4, 4)), CellSequence(np.arange(16, dtype=np.int32))
    only_b = Region(weights=np.tile([0.0, 1.0], (16, 1)))
    used, fresh = RegionSolver(problem), RegionSolver(problem)
    plain = solve(used, Region(), 3, order)
    assert solve(used, only_b, 3, order).all()
    assert (solve(used, Region(), 3, order) == plain).all()
    assert solve(fresh, only_b, 3, order).all()


def test_limits_hold_with_previous_patterns_too():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 4))
    region = Region(previous=(np.arange(3), np.zeros(3, np.int64)))
    attempt = RegionSolver(problem).solve(region, ENTROPY, 0, LADDER, decisions=2)
    assert attempt.patterns is None
    assert not attempt.is_proof


def use(pool, width):
    """Solve a row of cells with the pool's solver; the solver."""
    problem = wf.Problem(PIPES, wf.SquareGrid(width, 1))
    solver = pool.get(width, lambda: RegionSolver(problem))
    attempt = solver.solve(Region(), Heuristics.of("entropy"), 1, wf.Ladder())
    assert attempt.patterns is not None
    return solver


def test_the_same_shape_gives_the_same_solver():
    pool = SolverPool(room=1 << 28, most=8)
    first = use(pool, 3)
    assert use(pool, 4) is not first
    assert use(pool, 3) is first
    assert len(pool) == 2


def test_each_thread_has_its_own_solvers():
    pool = SolverPool(room=1 << 28, most=8)
    first = use(pool, 3)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(use, pool, 3).result() is not first
    assert len(pool) == 1


def test_the_least_recently_used_solvers_go_first():
    pool = SolverPool(room=1 << 28, most=2)
    first = use(pool, 1)
    use(pool, 2)
    use(pool, 1)
    use(pool, 3)
    assert len(pool) == 2
    assert use(pool, 1) is first


def test_a_pool_is_bounded_in_bytes_when_another_solver_is_made():
    pool = SolverPool(room=1 << 28, most=64)
    solvers = [use(pool, width) for width in range(1, 6)]
    assert pool.nbytes == sum(solver.nbytes for solver in solvers)
    pool.room = 2 * max(solver.nbytes for solver in solvers)
    use(pool, 6)
    assert 1 < len(pool) < 6
    assert pool.nbytes - use(pool, 6).nbytes <= pool.room
    pool.room = 1
    latest = use(pool, 2)
    use(pool, 7)
    assert len(pool) == 1
    assert use(pool, 2) is not latest
