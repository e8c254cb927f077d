"""Every way of joining grids: valid maps, and what each promises besides."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_maps import AROUND, CHUNK, JOINS, SETS, SPIRAL, TOUCHING, full_map, small_map

import wavefold as wf
from support import CASTLE, CHESS, compiled_only
from wavefold.patchwork.arguments import Retries
from wavefold.patchwork.joins import Editable, Fixed, Join, Overlap, Whole, Witness, seamless
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
    near = set(made.parts.context.plan.ring((0, -1), 1))
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
    steps = list(Overlap().openings(made.parts.context, (2, 0)))
    assert [place for _, _, place in steps[:5]] == [(1,), (2,), (3,), (0, 0), (4,)]
    assert [widened for widened, _, _ in steps[:5]] == [0, 1, 2, 3, 3]
    assert [place for _, _, place in Overlap(widest=4).openings(made.parts.context, (2, 0))] == [
        (1,),
        (2,),
        (3,),
        (4,),
    ]
    assert [place for _, _, place in Overlap(ring=4).openings(made.parts.context, (2, 0))][:2] == [
        (4,),
        (0, 0),
    ]


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


@compiled_only
def test_editable_restores_changed_cells_first_while_that_changes_fewer(monkeypatch):
    def count():
        reports = [full_map("rivers", "editable", seed).report for seed in range(12)]
        return sum(each.changed for each in reports), sum(each.attempts for each in reports)

    changed, attempts = count()
    assert attempts == 12 * 7  # solving again to change less is none
    monkeypatch.setattr(Editable, "improve", Overlap.improve)
    assert changed < count()[0]


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


def complete_whole(tiles, radius, seed, begun=3, **more):
    """A map made whole, the patterns of its first grids before the others were made, and these' reports."""
    made = wf.Patchwork(SETS[tiles], radius, seed, "whole", **more)
    made.populate_all(AROUND[tiles][:begun])
    before = made.patterns
    made.populate_all(AROUND[tiles][begun:])
    assert not wf.check(made)
    return made, before, made.report.grids[begun:]


@pytest.mark.parametrize("begun", [1, 3, 8])
def test_a_whole_map_is_completed_in_one_solve_that_changes_nothing(begun):
    made, before, later = complete_whole("pipes", 2, 7, begun)
    assert before.items() <= made.patterns.items()
    assert sum(grid.attempts for grid in later) == 1
    assert made.report.changed == made.report.unfixed == 0
    assert made.changed == ()
    assert {grid.join for grid in later} == {"whole"}
    assert later[0].fixed > 0


def test_a_whole_map_is_completed_around_grids_that_were_joined_to_it():
    made = wf.Patchwork(SETS["pipes"], 3, 7, "whole", grow="editable")
    made.populate_all(AROUND["pipes"][:2])
    assert made.populate(AROUND["pipes"][2]).join == "editable"
    before = made.report.attempts
    patterns = made.patterns
    report = made.populate_all(AROUND["pipes"][3:])
    assert patterns.items() <= made.patterns.items()
    assert report.attempts == before + 1
    assert not wf.check(made)


def test_completing_a_whole_map_does_not_depend_on_the_order_of_keys():
    one, other = (complete_whole("pipes", 2, 3)[0] for _ in range(2))
    again = wf.Patchwork(SETS["pipes"], 2, 3, "whole")
    again.populate_all(AROUND["pipes"][:3])
    again.populate_all(AROUND["pipes"][:2:-1])
    assert one.patterns == other.patterns == again.patterns


def test_grids_on_two_sides_of_another_are_solved_together():
    made = small_map("pipes", "whole")
    made.populate_all([(0, 0)])
    made.populate_all([(1, 0), (-1, 0), (10**9, 5)])
    assert [grid.attempts for grid in made.report.grids] == [1, 2, 0, 0]  # the far one by itself
    assert not wf.check(made)


@compiled_only
def test_only_cells_that_were_unfixed_change_where_nothing_fits_around_the_others():
    unfixed = 0
    for seed in range(5):
        made, before, later = complete_whole("rivers", 3, seed)
        different = {cell for cell in before if before[cell] != made.patterns[cell]}
        assert different == set(made.changed)
        assert len(different) == later[0].changed <= later[0].unfixed
        assert {grid.join for grid in later} == {"whole"}
        unfixed += later[0].unfixed
    assert unfixed > 0


def test_cells_are_unfixed_one_after_another_until_the_others_fit():
    made = wf.Patchwork(CHESS, 1, 0, "whole")
    made.populate_all([(0, 0), (2, 0)])  # which do not go together
    report = made.populate_all([(1, 0), (1, 1)])
    assert {grid.join for grid in report.grids} == {"whole"}
    assert len(made.changed) == 9 <= report.unfixed  # all of one of them, by rules that leave no choice
    assert not wf.check(made)


def test_grids_that_do_not_fit_around_the_others_are_made_one_by_one(monkeypatch):
    monkeypatch.setattr(seamless, "MOST_UNFIXED", 0)
    made = wf.Patchwork(CHESS, 1, 0, "whole")
    made.populate_all([(0, 0), (2, 0)])  # which do not go together
    made.populate_all([(1, 0), (1, 1)])
    assert [grid.join for grid in made.report.grids] == ["whole", "whole", "overlap", "overlap"]
    assert made.report.changed > 0
    assert not wf.check(made)


def test_a_preset_that_is_impossible_far_from_the_map_is_named():
    made = wf.Patchwork(CHESS, 1, 0, "whole", presets={(30, 0): "black", (31, 0): "black"})
    made.populate_all([(0, 0)])
    with pytest.raises(wf.Contradiction, match=r"the presets \{\(30, 0\): 'black', \(31, 0\): 'black'\}$"):
        made.populate_all([(1, 0), (10, 0)])
    assert made.grids == ((0, 0),)


def test_a_whole_map_grows_only_with_a_join_that_looks_at_neighbours():
    for make in (
        lambda: wf.Patchwork(CASTLE, join="whole", grow="witness"),
        lambda: wf.Patchwork(CASTLE, join="whole", grow=Witness(chunk=CHUNK)),
        lambda: Whole(Witness()),
    ):
        with pytest.raises(wf.ConfigError, match="cannot grow with 'witness', whose grids ignore"):
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
    joining = Joining(full_map("castle", "fixed", radius=2).parts.context, [(2, 0)])
    while joining.replace(None, 1):
        pass
    assert 0 < joining.result.replaced < len(joining.used)  # some have only one way to be
    assert any(joining.replacements[cell] != joining.context.patterns[cell] for cell in joining.replacements)
    stiff = wf.Patchwork(CHESS, 2, 1, Fixed())
    stiff.populate((0, 0))
    joining = Joining(stiff.parts.context, [(1, 0)])
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
