"""Windows: the order of their cells, and what is held around them."""

import numpy as np
import pytest

from support import PIPES, TINTED
from wavefold.world.engines import INWARDS, WindowEngine, inwards, points, window_problem


@pytest.mark.parametrize("shape", [(9, 9), (5, 20), (3, 3), (23, 65)])
@pytest.mark.parametrize("is_hex", [False, True])
def test_an_order_inwards_has_every_cell_and_ends_at_its_point(shape, is_hex):
    down, across = points(shape)
    for last in range(down * across):
        sequence = inwards(shape, last, is_hex)
        assert sorted(sequence.tolist()) == list(range(shape[0] * shape[1]))
        row, column = divmod(int(sequence[-1]), shape[1])
        assert abs(row - (shape[0] - 1) * (2 * (last // across) + 1) / (2 * down)) <= 1
        assert abs(column - (shape[1] - 1) * (2 * (last % across) + 1) / (2 * across)) <= 1


def test_no_order_ends_where_chunks_meet():
    for side in (21, 23, 65):
        middle = (side - 1) // 2
        for last in range(points((side, side))[1]):
            assert abs(int(inwards((side, side), last, False)[-1]) % side - middle) >= 1


@pytest.mark.parametrize("tiles", [PIPES, TINTED])
@pytest.mark.parametrize("order", ["entropy", "domain", INWARDS])
def test_a_window_keeps_its_rim_and_is_the_same_whatever_was_made_before(tiles, order):
    rules, shape = tiles.rules, (7, 8)
    engine, other = (WindowEngine(window_problem(rules, shape), shape) for _ in range(2))
    plane = np.zeros(shape, np.int32)  # both sets have a first tile that fits itself
    made = []
    for each in (engine, other, engine):
        assert each.hold(plane)
        assert each.solve(order, 5, 20)
        made.append(plane.copy())
        each.write(made[-1])
    assert (made[0] == made[1]).all()
    assert (made[0] == made[2]).all()
    assert (made[0] != plane)[1:-1, 1:-1].any()
    rim = np.ones(shape, bool)
    rim[1:-1, 1:-1] = False
    assert (made[0] == plane)[rim].all()


def test_a_rim_that_fits_nothing_is_noticed():
    names = list(PIPES.rules.names)
    plane = np.zeros((4, 4), np.int32)
    plane[0, 1] = names.index("┼")  # beside corners that show nothing
    assert not WindowEngine(window_problem(PIPES.rules, plane.shape), plane.shape).hold(plane)
