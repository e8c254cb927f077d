"""Pools of region solvers: by shape and thread, and no larger than allowed."""

from concurrent.futures import ThreadPoolExecutor

import wavefold as wf
from support import PIPES
from wavefold.solver.engine.pool import EnginePool
from wavefold.solver.engine.region import Region, RegionSolver
from wavefold.solver.search.heuristics import Heuristics


def use(pool, width):
    """Solve a row of cells with the pool's solver; the solver."""
    problem = wf.Problem(PIPES, wf.SquareGrid(width, 1))
    solver = pool.get(width, lambda: RegionSolver(problem))
    attempt = solver.solve(Region(), Heuristics.of("entropy"), 1, wf.Ladder())
    assert attempt.patterns is not None
    return solver


def test_the_same_shape_gives_the_same_solver():
    pool = EnginePool(room=1 << 28, most=8)
    first = use(pool, 3)
    assert use(pool, 4) is not first
    assert use(pool, 3) is first
    assert len(pool) == 2


def test_each_thread_has_its_own_solvers():
    pool = EnginePool(room=1 << 28, most=8)
    first = use(pool, 3)
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(use, pool, 3).result() is not first
    assert len(pool) == 1


def test_the_least_recently_used_solvers_go_first():
    pool = EnginePool(room=1 << 28, most=2)
    first = use(pool, 1)
    use(pool, 2)
    use(pool, 1)
    use(pool, 3)
    assert len(pool) == 2
    assert use(pool, 1) is first


def test_a_pool_is_bounded_in_bytes_when_another_solver_is_made():
    pool = EnginePool(room=1 << 28, most=64)
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
