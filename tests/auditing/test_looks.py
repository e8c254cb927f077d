"""What maps look like by order, and which order the audit would choose."""

import pytest

import wavefold as wf
from support import PIPES
from wavefold.auditing.looks import ORDERS, OrderLook, choose_order, compare_orders
from wavefold.measuring.blocks import Deviation
from wavefold.measuring.faithfulness import Faithfulness
from wavefold.measuring.isotropy import DirectionCounts, Isotropy


def look(order, safe=True, isotropic=True, distance=0.1, solved=4):
    uneven = Deviation(0.0 if isotropic else 0.4, 0.05)
    counts = DirectionCounts("lines", "", 4, {"north–south": 50, "east–west": 50}, uneven)
    isotropy = Isotropy((counts,), 1.0 if isotropic else 0.0)
    faithfulness = Faithfulness("weights", Deviation(distance, 0.02), 0.01, None, None, {})
    return OrderLook(order, 4, solved, safe, faithfulness, isotropy)


def test_safety_comes_first_then_directions_then_frequencies():
    unsafe = look("random", safe=False, distance=0.01)
    streaks = look("scanline", isotropic=False, distance=0.05)
    assert choose_order([unsafe, look("spiral", distance=0.3), streaks]) == "spiral"
    assert choose_order([unsafe, streaks]) == "scanline"
    assert choose_order([look("spiral", distance=0.2), look("entropy", distance=0.1)]) == "entropy"
    assert choose_order([look("spiral", distance=0.11), look("entropy", distance=0.1)]) == "spiral"
    assert choose_order([look("refined", distance=0.0)]) is None
    assert choose_order([OrderLook("random", 4, 0, False, None, None), look("spiral")]) == "spiral"


@pytest.mark.parametrize("tiles", [PIPES, wf.TileSet.load("castle")], ids=["pipes", "castle"])
def test_every_order_is_tried_and_measured(tiles):
    found = compare_orders(tiles, 8, 2, 2_000)
    assert [each.order for each in found][:4] == list(ORDERS)
    assert all(each.solved == 2 for each in found)
    assert found[0].to_dict()["faithfulness"]["distance"] > 0


def test_an_impossible_set_has_no_order_to_choose():
    never = wf.TileSet([wf.Tile("odd", ("a", "b", "c", "d"))])
    found = compare_orders(never, 4, 3, 1_000)
    assert [each.solved for each in found] == [0, 0, 0, 0]
    assert choose_order(found) is None
