"""Windows: the order of their cells, and what is held around them."""

import numpy as np
import pytest

from support import PIPES, TINTED
from wavefold.world.engines import INWARDS, WindowEngine, inwards, window_problem


@pytest.mark.parametrize("order", INWARDS)
@pytest.mark.parametrize("shape", [(9, 9), (5, 12), (3, 3)])
@pytest.mark.parametrize("is_hex", [False, True])
def test_an_order_inwards_has_every_cell_and_ends_in_the_middle_of_its_quarter(shape, order, is_hex):
    sequence = inwards(shape, order, is_hex)
    assert sorted(sequence.tolist()) == list(range(shape[0] * shape[1]))
    row, column = divmod(int(sequence[-1]), shape[1])
    for at, span, is_first in ((row, shape[0], "north" in order), (column, shape[1], "west" in order)):
        assert abs(at - (span - 1) * (0.25 if is_first else 0.75)) <= 1


@pytest.mark.parametrize("tiles", [PIPES, TINTED])
@pytest.mark.parametrize("order", ["entropy", *INWARDS])
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
