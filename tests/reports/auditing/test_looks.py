"""What maps look like by order, and which order the audit would choose."""

from collections import Counter

import pytest

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.reports.auditing.looks import ORDERS, OrderLook, choose_order, compare_orders, refine_maps
from wavefold.reports.measuring.blocks import Deviation
from wavefold.reports.measuring.faithfulness import Faithfulness
from wavefold.reports.measuring.isotropy import DirectionCounts, Isotropy
from wavefold.topology import get_lattice_class


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


def count_distance(tiles, maps):
    """How far the frequencies of tiles are from their weights, counted one by one."""
    asked, seen = Counter(), Counter()
    for pattern, weight in enumerate(tiles.asked_weights):
        asked[tiles.patterns[pattern].tile] += weight / tiles.asked_weights.sum()
    for each in maps:
        seen.update(tiles.patterns[pattern].tile for pattern in each.patterns)
    return sum(abs(seen[name] / seen.total() - asked[name]) for name in asked) / 2


@compiled_only
@pytest.mark.parametrize(("name", "width"), [("medieval", 17), ("castle", 12), ("dungeon", 12)])
def test_the_audit_and_measure_say_the_same_about_refined_maps(name, width):
    tiles = wf.TileSet.load(name)
    *_, own = compare_orders(tiles, width, 3, patience=1e9)
    grid = get_lattice_class(tiles.topology).of_width(width)
    maps = [wf.generate(tiles, grid, seed) for seed in range(3)]
    found = wf.measure(maps)
    assert (own.order, own.runs, own.solved, own.safe) == ("refined", 3, 3, True)
    assert (own.faithfulness, own.isotropy) == (found.faithfulness, found.isotropy)
    if name != "dungeon":  # whose border must be of one tile
        assert own.faithfulness.tiles.distance == pytest.approx(count_distance(tiles, maps))


def test_nothing_is_said_of_refined_maps_that_generate_would_not_make():
    tiles = wf.TileSet(PIPES.tiles, sweeps=0)
    assert refine_maps([wf.generate(tiles, wf.SquareGrid(4, 4))], 1e9) == []


@compiled_only
def test_nothing_is_said_of_refined_maps_that_take_too_long():
    maps = [wf.generate(PIPES, wf.SquareGrid(16, 16), refine=False)]
    assert refine_maps(maps, 0) == []
    assert len(refine_maps(maps, 1e9)) == 1


def test_an_impossible_set_has_no_order_to_choose():
    never = wf.TileSet([wf.Tile("odd", ("a", "b", "c", "d"))])
    found = compare_orders(never, 4, 3, 1_000)
    assert [each.solved for each in found] == [0, 0, 0, 0]
    assert choose_order(found) is None
