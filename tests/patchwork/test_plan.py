"""Where grids lie: a tiling without gap or overlap, and the order in which it is built."""

import pytest
from small_maps import SPIRAL, TOUCHING

import wavefold as wf
from support import compiled_only
from wavefold.cli.commands.patchwork import parse_grids
from wavefold.patchwork.plan import HexPlan, SquarePlan, build_order, make_plan


def test_nineteen_grids_have_every_cell_once():
    plan = HexPlan(8)
    cells = [cell for key in SPIRAL for cell in plan.cells(key)]
    assert len(cells) == len(set(cells)) == 4123


def test_a_neighbour_contributes_nine_cells():
    plan, there, found = HexPlan(8), set(), []
    for key in SPIRAL:
        found.append(sum(cell in there for cell in plan.ring(key, 1)))
        there |= set(plan.cells(key))
    assert found == TOUCHING


def test_the_centres_are_those_of_the_lattice():
    plan = HexPlan(8)
    north_first = [(9, -17), (17, -8), (8, 9), (-9, 17), (-17, 8), (-8, -9)]
    assert [plan.centre(key) for key in plan.neighbours((0, 0))] == north_first


@pytest.mark.parametrize(
    "plan", [HexPlan(1), HexPlan(2), HexPlan(5), HexPlan(8), SquarePlan(1), SquarePlan(4)]
)
def test_every_cell_has_one_owner(plan):
    # The tiling repeats, so cells around one corner of the lattice speak for all.
    for x in range(-3 * plan.radius - 3, 3 * plan.radius + 4):
        for y in range(-3 * plan.radius - 3, 3 * plan.radius + 4):
            key = plan.owner((x, y))
            assert (x, y) in plan.cells(key)
            assert not any((x, y) in plan.cells(other) for other in plan.neighbours(key))


@pytest.mark.parametrize("plan", [HexPlan(3), SquarePlan(3)])
@pytest.mark.parametrize("key", [(0, 0), (3, -2), (-5, 4), (10**6, -(10**6) + 1)])
def test_neighbours_touch_and_know_each_other(plan, key):
    around = plan.neighbours(key)
    assert {plan.owner(cell) for cell in plan.ring(key, 1)} == set(around)
    assert all(key in plan.neighbours(other) for other in around)


@pytest.mark.parametrize("plan", [HexPlan(2), SquarePlan(2)])
def test_rings_are_those_of_distance(plan):
    inside = plan.cells((1, 1))
    for far in (1, 2, 3):
        ring = plan.ring((1, 1), far)
        assert len(ring) == len(set(ring))
        assert {min(plan.distance(cell, each) for each in inside) for cell in ring} == {far}
    assert set(plan.disk((4, 5), 2)) == {
        (x, y) for x in range(10) for y in range(10) if plan.distance((x, y), (4, 5)) <= 2
    }


@pytest.mark.parametrize("radius", [0, -1, 129, 2.0, True, "8", None])
def test_a_radius_out_of_range_is_refused(radius):
    with pytest.raises(wf.ConfigError, match="from 1 to 128"):
        make_plan("hex", radius)


def test_hexagonal_grids_are_built_ring_by_ring():
    assert build_order("hex", 19) == parse_grids("ring 2", "hex") == SPIRAL
    assert build_order("hex", 1) == parse_grids("ring 0", "hex") == [(0, 0)]


@compiled_only
@pytest.mark.parametrize("topology", ["hex", "square"])
def test_every_grid_touches_one_before_it(topology):
    tiles = wf.TileSet([wf.Tile("a", ("x",) * (6 if topology == "hex" else 4))], topology)
    made = wf.Patchwork(tiles, 1)
    keys = parse_grids("ring 3", topology)
    assert len(keys) == len(set(keys)) == (37 if topology == "hex" else 49)
    made.populate_all(keys)  # refuses what touches nothing


def test_too_many_grids_are_refused():
    for count in (0, -1, 10_001):
        with pytest.raises(wf.ConfigError, match="1 to 10,000 grids"):
            build_order("hex", count)
    with pytest.raises(wf.ConfigError, match="1 to 10,000 grids"):
        build_order("hex", 2.5)
    with pytest.raises(wf.ConfigError, match="hex or square tiles, not 'hexagon'"):
        build_order("hexagon", 3)


def test_a_ring_is_as_large_as_its_topology_says():
    assert len(parse_grids("ring 55", "hex")) == 9241
    assert len(parse_grids("ring 49", "square")) == 99**2
    for text, topology in (("ring 58", "hex"), ("ring 50", "square")):
        with pytest.raises(wf.ConfigError, match="more than 10,000 grids"):
            parse_grids(text, topology)


def test_islands_are_groups_of_grids_that_touch():
    plan = make_plan("square", 2)
    keys = [(5, 5), (0, 1), (9, 9), (1, 1), (0, 0), (5, 6)]
    expected = [[(9, 9)], [(5, 5), (5, 6)], [(0, 0), (0, 1), (1, 1)]]
    assert plan.islands(keys) == plan.islands(keys[::-1]) == expected
    assert plan.islands([]) == []
