"""Windows: the rim fixed, the inside is solved anew, whatever was solved before."""

import numpy as np
import pytest

import wavefold as wf
from support import PIPES, TINTED
from wavefold.solver.search.region import RegionSolver
from wavefold.worlds.window_solver import SOLVED, WindowShape, WindowSolver, count_end_points, order_inwards

SHAPE = (7, 8)


def rim_of(shape):
    rim = np.ones(shape, bool)
    rim[1:-1, 1:-1] = False
    return rim


def solve_again(solver, plane, seed=5, **options):
    made = plane.copy()
    return solver.solve_again(made, seed, **options), made


@pytest.mark.parametrize("tiles", [PIPES, TINTED])
def test_a_window_keeps_its_rim_and_is_the_same_whatever_was_made_before(tiles):
    plane = np.zeros(SHAPE, np.int32)  # both sets have a first tile that fits itself
    used, fresh = WindowSolver(tiles.rules), WindowSolver(tiles.rules)
    solve_again(used, plane, 4)
    outcome, made = solve_again(used, plane)
    assert outcome.how == SOLVED
    assert (made == solve_again(fresh, plane)[1]).all()
    assert (made != plane)[1:-1, 1:-1].any()
    assert (made == plane)[rim_of(SHAPE)].all()


def test_more_cells_can_stay_as_they_are():
    plane = np.zeros(SHAPE, np.int32)
    fixed = rim_of(SHAPE)
    fixed[:4] = True
    _, made = solve_again(WindowSolver(PIPES.rules), plane, fixed=fixed)
    assert (made == plane)[:4].all()
    assert (made != plane)[4:-1, 1:-1].any()


def test_a_rim_that_fits_nothing_is_noticed_before_any_decision():
    plane = np.zeros((4, 4), np.int32)
    plane[0, 1] = list(PIPES.rules.names).index("┼")  # beside corners that show nothing
    shape = WindowShape(PIPES.rules, plane.shape)
    attempt = RegionSolver(shape.problem).solve(shape.region(plane), shape.inward_order(5), 5, wf.Ladder())
    assert attempt.at_root
    assert attempt.patterns is None


def test_soft_masks_near_the_rim_can_be_dropped():
    class Targets:
        words, group_factors = np.ones((*SHAPE, 1), np.uint64), None

    shape = WindowShape(PIPES.rules, SHAPE)
    plane = np.zeros(SHAPE, np.int32)
    sizes = [shape.region(plane, Targets, margin).preferred.cells.size for margin in (0, 1, 9)]
    assert sizes == [5 * 6, 3 * 4, 0]


@pytest.mark.parametrize("shape", [(9, 9), (5, 20), (3, 3), (23, 65)])
@pytest.mark.parametrize("grid", [wf.SquareGrid, wf.HexGrid])
def test_an_order_inwards_has_every_cell_and_ends_at_its_point(shape, grid):
    down, across = count_end_points(shape)
    for end in range(down * across):
        sequence = order_inwards(shape, end, grid.squared_length)
        assert sorted(sequence.tolist()) == list(range(shape[0] * shape[1]))
        row, column = divmod(int(sequence[-1]), shape[1])
        assert abs(row - (shape[0] - 1) * (2 * (end // across) + 1) / (2 * down)) <= 1
        assert abs(column - (shape[1] - 1) * (2 * (end % across) + 1) / (2 * across)) <= 1


def test_no_order_ends_where_chunks_meet():
    for side in (21, 23, 65):
        middle = (side - 1) // 2
        for end in range(count_end_points((side, side))[1]):
            assert (
                abs(int(order_inwards((side, side), end, wf.SquareGrid.squared_length)[-1]) % side - middle)
                >= 1
            )
