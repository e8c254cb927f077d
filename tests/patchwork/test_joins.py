"""Every way of joining grids: valid maps, and what each promises besides."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_maps import AROUND, CHUNK, JOINS, SETS, SPIRAL, TOUCHING, full_map, small_map

import wavefold as wf
from support import CASTLE, CHESS, compiled_only
from wavefold.patchwork.arguments import Retries
from wavefold.patchwork.joins import Fixed, Join, Overlap, Whole, Witness
from wavefold.patchwork.joins.fixed import Joining
from wavefold.testing import JoinContract

EASY = ["rivers", "pipes"]


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize("tiles", EASY)
def test_every_join_makes_valid_maps(tiles, join):
    made = full_map(tiles, join)
    report = made.report
    assert not wf.check(made)
    assert report.dropped == 0
    assert made.grids == tuple(AROUND[tiles])
    assert len(made.patterns) == report.cells == len(AROUND[tiles]) * len(made.cells_of((0, 0)))


@settings(deadline=None, max_examples=12)
@given(
    seed=st.integers(-(2**70), 2**70),
    picks=st.lists(st.integers(0, 100), min_size=2, max_size=5),
    join=st.sampled_from(["fixed", "overlap", "editable"]),
    tiles=st.sampled_from(EASY),
)
def test_any_order_of_growth_is_valid_and_cells_keep_their_owners(seed, picks, join, tiles):
    made = small_map(tiles, join, seed, radius=2)
    owners = {}
    for pick in picks:
        choice = made.expandable()
        key = choice[pick % len(choice)]
        made.populate(key)
        owners |= dict.fromkeys(made.cells_of(key), key)
        assert {cell: made.owner(cell) for cell in made.patterns} == owners
    torn = wf.check(made)
    assert len(torn) == made.report.mismatches_from_dropped
    again = small_map(tiles, join, seed, radius=2)
    again.populate_all(made.grids)
    assert again.patterns == made.patterns


def test_overlap_changes_only_what_is_near():
    made = small_map("rivers", "overlap")
    made.populate((0, 0))
    before = made.patterns
    report = made.populate((0, -1))
    after = made.patterns
    near = set(made._context.plan.ring((0, -1), 1))
    different = {cell for cell in before if before[cell] != after[cell]}
    assert different <= near
    assert set(made.changed) == different
    assert report.changed == len(different)
    assert report.widened == 0


def test_rings_widen_where_one_is_not_enough():
    made = full_map("castle", "overlap", 1, radius=2)
    assert made.report.widened > 0
    assert made.report.dropped == 0
    assert not wf.check(made)


@compiled_only
@pytest.mark.parametrize("join", ["overlap", "editable"])
def test_a_hole_is_filled_without_changing_the_whole_map(join):
    changed = []
    for seed in range(4):
        made = wf.Patchwork(wf.TileSet.load("castle"), 4, seed, join)
        made.populate_all(AROUND["castle"][1:])
        changed.append(made.populate((0, 0)).changed)
        assert not wf.check(made)
    assert max(changed) <= 81  # a neighbour of eight


def test_neighbours_are_opened_whole_only_within_the_widest_ring():
    made = full_map("castle", radius=2)
    steps = list(Overlap().openings(made._context, (2, 0)))
    assert [place for _, _, place in steps[:5]] == [(1,), (2,), (3,), (0, 0), (4,)]
    assert [widened for widened, _, _ in steps[:5]] == [0, 1, 2, 3, 3]
    assert [place for _, _, place in Overlap(widest=4).openings(made._context, (2, 0))] == [
        (1,),
        (2,),
        (3,),
        (4,),
    ]
    assert [place for _, _, place in Overlap(ring=4).openings(made._context, (2, 0))][:2] == [(4,), (0, 0)]


@pytest.mark.parametrize("join", ["overlap", "editable", "whole"])
def test_presets_that_contradict_each_other_are_named(join):
    made = wf.Patchwork(CHESS, 1, join=join, presets={(1, 0): "black", (2, 0): "black", (40, 0): "white"})
    with pytest.raises(wf.Contradiction, match=r"the presets \{\(1, 0\): 'black', \(2, 0\): 'black'\}$"):
        made.populate_all([(0, 0), (1, 0)])
    made.clear()
    made.populate((0, 0))
    before = made.patterns
    with pytest.raises(wf.Contradiction, match=r"the presets \{\(1, 0\): 'black', \(2, 0\): 'black'\}$"):
        made.populate((1, 0))
    assert made.patterns == before


def test_editable_changes_fewer_cells_than_overlap():
    changed = {
        join: sum(full_map(tiles, join, seed).report.changed for tiles in EASY for seed in range(3))
        for join in ("overlap", "editable")
    }
    assert 5 * changed["editable"] < changed["overlap"]


def test_editable_has_nothing_to_change_where_everything_fits():
    tiles = wf.TileSet([wf.Tile("a", ("x",) * 6), wf.Tile("b", ("x",) * 6)], "hex")
    made = wf.Patchwork(tiles, 2, 1, "editable")
    made.populate_all([(0, 0), (0, -1), (1, -1)])
    assert made.report.changed == 0


def test_a_grid_made_whole_does_not_depend_on_the_order_of_keys():
    one, other = small_map("rivers", "whole"), small_map("rivers", "whole")
    one.populate_all(AROUND["rivers"])
    other.populate_all(AROUND["rivers"][::-1])
    assert one.patterns == other.patterns
    assert one.report.changed == one.report.replaced == one.report.dropped == 0


def test_islands_of_a_whole_map_may_be_worlds_apart():
    made = small_map("rivers", "whole")
    made.populate_all([(0, 0), (0, 1), (10**9, 5), (0, 2), (-(10**9), 7)])
    assert not wf.check(made)
    assert made.report.attempts == 3


def test_a_whole_map_grows_on_with_another_join():
    made = full_map("rivers", "whole")
    made.populate(made.expandable()[0])
    assert not wf.check(made)
    assert len(made.grids) == len(AROUND["rivers"]) + 1
    with pytest.raises(wf.ConfigError, match=r"is no Join|must be a name"):
        wf.Patchwork(made.tiles, join="whole", grow=3)


def test_a_whole_map_grows_only_with_a_join_that_looks_at_neighbours():
    for make in (
        lambda: wf.Patchwork(CASTLE, join="whole", grow="witness"),
        lambda: wf.Patchwork(CASTLE, join="whole", grow=Witness(chunk=CHUNK)),
        lambda: Whole(Witness()),
    ):
        with pytest.raises(wf.ConfigError, match="cannot grow with 'witness': its grids ignore"):
            make()
    with pytest.raises(wf.ConfigError, match="grow must be a Join"):
        Whole("overlap")


def test_grids_of_a_witness_are_cut_from_a_world():
    made = full_map("rivers", "witness")
    made.populate((30, -50))  # islands cannot fail to fit
    world = wf.World(made.tiles, 7, CHUNK)
    for cell in [(0, 0), (3, -4), *made.cells_of((30, -50))[:3]]:
        assert made.tile(cell) == world.tile_at(*cell)
    alone = small_map("rivers", "witness")
    alone.populate((1, 0))
    assert alone.patterns.items() <= made.patterns.items()


# --- fixed: the ladder ----------------------------------------------------------------------------


def hard_map(seed, **more):
    """Castle walls, rivers and paths have few tiles to join them: neighbours often conflict."""
    made = wf.Patchwork(CASTLE, 2, seed, Fixed(), **more)
    made.populate_all(AROUND["castle"])
    return made


@pytest.fixture(scope="module")
def hard_maps():
    return [hard_map(seed) for seed in range(4)]


def test_the_ladder_unfixes_replaces_and_drops(hard_maps):
    for rung in ("unfixed", "replaced", "dropped", "changed"):
        assert sum(getattr(made.report, rung) for made in hard_maps) > 0


def test_a_disk_that_is_replaced_has_changed():
    joining = Joining(full_map("castle", "fixed", radius=2)._context, (2, 0))
    while joining.replace(None, 1):
        pass
    assert 0 < joining.result.replaced < len(joining.used)  # some have only one way to be
    assert any(joining.draft[cell] != joining.context.patterns[cell] for cell in joining.draft)
    stiff = wf.Patchwork(CHESS, 2, 1, Fixed())
    stiff.populate((0, 0))
    joining = Joining(stiff._context, (1, 0))
    assert not joining.replace(None, 1)
    assert joining.result.replaced == 0


def test_only_sides_of_dropped_cells_may_not_fit(hard_maps):
    for made in hard_maps:
        torn, dropped = wf.check(made), set(made.dropped)
        assert all(set(violation.cells) & dropped for violation in torn)
        assert made.report.mismatches_from_dropped == len(torn)
        assert made.report.dropped == len(dropped)


def test_a_dropped_cell_stays_in_the_map(hard_maps):
    made = next(made for made in hard_maps if made.dropped)
    cell = made.dropped[0]
    assert made.tile(cell) in made.rules.names
    assert made.owner(cell) in made.grids


def test_rebuilding_can_heal_dropped_cells(hard_maps):
    made = hard_map(next(seed for seed, made in enumerate(hard_maps) if made.dropped))
    made.rebuild((0, 0), 20)  # all of it
    assert made.dropped == ()
    assert not wf.check(made)


def test_a_dropped_cell_that_is_named_is_healed_or_nothing_changes():
    healed = kept = 0
    for seed in range(4):
        made = hard_map(seed)
        for cell in made.dropped:
            before, dropped = made.patterns, made.dropped
            try:
                made.rebuild(cell, 1)
            except wf.OutOfBudget:
                assert (made.patterns, made.dropped) == (before, dropped)
                kept += 1
            else:
                assert cell not in made.dropped
                healed += 1
            assert len(wf.check(made)) == made.report.mismatches_from_dropped
    assert healed
    assert kept


@compiled_only
def test_in_the_end_every_neighbour_can_be_given_up():
    # Here cells were un-fixed in vain, and what held them in turn left nothing for the grid.
    made = wf.Patchwork(CASTLE, 3, 115, Fixed(disks=0))
    made.populate_all(AROUND["castle"])
    assert len(wf.check(made)) == made.report.mismatches_from_dropped


def test_more_retries_try_more_seeds():
    few, many = hard_map(1, retries=1), hard_map(1, retries={"attempts": 6, "drop": 6})
    assert few.retries == Retries(1, 1, 1)
    assert many.retries == Retries(6, 5, 6)
    assert few.patterns != many.patterns


# --- a join of one's own --------------------------------------------------------------------------


class Shy(Overlap):
    """Always opens two rings."""

    name = "shy"

    def populate(self, ground, key):
        return Overlap(ring=2).populate(ground, key)


def test_a_join_of_ones_own():
    made = wf.Patchwork(small_map().tiles, 2, 3, Shy())
    made.populate_all([(0, 0), (0, -1)])
    assert isinstance(made.join, Join)
    assert not wf.check(made)
    assert made.report.grids[1].join == "shy"


# --- at full size ---------------------------------------------------------------------------------


@compiled_only
@pytest.mark.parametrize("count", [13, 19])
def test_medieval_made_whole(count):
    made = wf.Patchwork(wf.TileSet.load("medieval"), seed=351921, join="whole")
    report = made.populate_all(SPIRAL[:count])
    assert report.replaced == report.dropped == 0
    assert not wf.check(made)


@compiled_only
@pytest.mark.parametrize("join", ["fixed", "overlap", "editable"])
def test_medieval_grown_grid_by_grid(join):
    made = wf.Patchwork(wf.TileSet.load("medieval"), seed=351921, join=join)
    report = made.populate_all(SPIRAL)
    assert [grid.fixed for grid in report.grids] == TOUCHING
    assert len(wf.check(made)) == report.mismatches_from_dropped
    assert report.dropped == 0


# --- the contract -----------------------------------------------------------------------------------


@compiled_only
class TestBundledJoins(JoinContract):
    @pytest.fixture(params=JOINS.values(), ids=JOINS)
    def join(self, request):
        return request.param

    @pytest.fixture(params=["pipes", "rivers"])
    def tiles(self, request):
        return SETS[request.param]


class Stubborn(Overlap):
    """A join of a user's own."""

    name = "stubborn"


@compiled_only
class TestOwnJoin(JoinContract):
    @pytest.fixture
    def join(self):
        return Stubborn(ring=2)

    @pytest.fixture
    def tiles(self):
        return wf.TileSet.load("pipes")
