"""Orders from the rim inwards."""

import pytest

import wavefold as wf
from wavefold.world.window_solver import count_end_points, order_inwards


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
