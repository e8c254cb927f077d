"""Refined patchworks: valid with every join, faithful to pins and fields; files say how grids are refined."""

from dataclasses import dataclass, field

import pytest
from small_maps import NINE, SPIRAL

import wavefold as wf
from support import CASTLE, PIPES, compiled_only
from wavefold.patchwork.joins import Editable, Fixed, Join, Overlap, Witness
from wavefold.patchwork.state import list_mismatches
from wavefold.worlds.refined_base import count_window_sweeps

MOVES = [(0, -1), (1, 0), (0, 1), (-1, 0)]  # to the neighbours of a square
KEYS = [(0, 0), (0, -1), (1, 0), (1, -1), (0, 1)]
PRESETS = {(0, 0): "┼", (3, 1): "─"}
FIELDS = wf.Fields(height=wf.Noise(0.2, seed=3)).with_limits({"┼": {"height": (-1.0, 0.2)}})


def grow(refine=2, radius=2, **options):
    patchwork = wf.Patchwork(PIPES, radius, 5, refine=refine, **options)
    patchwork.populate_all(KEYS)
    return patchwork


@pytest.mark.parametrize(
    "join", ["fixed", "overlap", "editable", "whole", pytest.param("witness", marks=compiled_only)]
)
def test_refined_grids_fit_with_every_join(join):
    patchwork = grow(join=join)
    assert len(wf.check(patchwork)) == patchwork.report.mismatches_from_dropped


def test_islands_far_apart_are_refined_each_by_itself():
    near, far = (wf.Patchwork(PIPES, 2, 5, "whole", refine=2) for _ in range(2))
    near.populate_all([(0, 0)])
    far.populate_all([(10**9, 5), (0, 0)])
    assert wf.check(far) == []
    assert near.patterns.items() <= far.patterns.items()


def test_a_refined_whole_map_does_not_depend_on_the_order_of_keys():
    one, other = (wf.Patchwork(PIPES, 2, 5, "whole", refine=2) for _ in range(2))
    one.populate_all(KEYS)
    other.populate_all(KEYS[::-1])
    assert one.patterns == other.patterns


def test_refining_changes_grids_but_not_their_pins():
    plain, refined = grow(False, presets=PRESETS), grow(presets=PRESETS)
    assert plain.patterns != refined.patterns
    assert [refined.tile(cell) for cell in PRESETS] == list(PRESETS.values())


@dataclass(frozen=True)
class Recorded(Join):
    """Records what another join found, before it is refined."""

    name = "recorded"

    join: Join = field(default_factory=Overlap)
    found: list = field(default_factory=list)

    def populate(self, context, key):
        result = self.join.populate(context, key)
        self.found.append(dict(result.patterns))
        return result


@pytest.mark.parametrize("join", [Overlap(), Editable(), Fixed()])
def test_a_cell_of_a_neighbour_that_the_join_kept_is_not_refined(join):
    recorded = Recorded(join=join)
    patchwork = wf.Patchwork(PIPES, 3, 5, recorded, refine=4)
    refined = 0
    for key in KEYS:
        before = patchwork.patterns
        patchwork.populate(key)
        kept = {cell for cell, pattern in recorded.found[-1].items() if before.get(cell) == pattern}
        assert all(patchwork.patterns[cell] == before[cell] for cell in kept)
        refined += sum(patchwork.patterns[cell] != new for cell, new in recorded.found[-1].items())
    assert refined > 0


@compiled_only
def test_sides_of_dropped_cells_that_fit_still_fit_after_refining():
    dropped = 0
    for seed in range(8):
        recorded = Recorded(join=Fixed())
        patchwork = wf.Patchwork(CASTLE, 2, seed, recorded, refine=4)
        for key in NINE:
            before = patchwork.patterns
            patchwork.populate(key)
            shown = [before | recorded.found[-1], patchwork.patterns]
            joined, refined = (
                list_mismatches(CASTLE.rules, MOVES, patterns, patchwork.dropped) for patterns in shown
            )
            assert refined <= joined
            assert 0 <= min(shown[1].values()) <= max(shown[1].values()) < len(CASTLE.rules)
            assert len(wf.check(patchwork)) == len(refined)
        dropped += len(patchwork.dropped)
    assert dropped > 0


@compiled_only
def test_editable_changes_fewer_cells_of_refined_maps_than_fixed():
    tiles, changed = wf.TileSet.load("medieval"), {}
    for join in ("editable", "fixed"):
        maps = [wf.Patchwork(tiles, seed=seed, join=join) for seed in range(4)]
        assert all(each.refine > 0 for each in maps)
        changed[join] = sum(each.populate_all(SPIRAL).changed for each in maps) / len(maps)
    assert changed["editable"] < changed["fixed"]
    assert changed["editable"] <= 12


def test_soft_masks_that_are_met_stay_met():
    met = [grow(refine, fields=FIELDS).report.soft_masks_met for refine in (False, 2)]
    assert met[1] >= 0.95 * met[0]


def test_factors_of_fields_count_while_grids_are_refined():
    few = wf.Fields(even=wf.Noise(0.2, seed=3)).with_factors({"┼": 0.01})
    cross = PIPES.rules.patterns("┼")[0]
    many, rare = (list(grow(fields=fields).patterns.values()).count(cross) for fields in (None, few))
    assert rare < many


def test_a_saved_patchwork_grows_on_as_if_it_had_never_been_saved(tmp_path):
    patchwork = grow()
    patchwork.save(tmp_path / "map.patchwork")
    again = wf.Patchwork.load(tmp_path / "map.patchwork")
    for each in (patchwork, again):
        each.populate((-1, 0))
    assert again.patterns == patchwork.patterns


@compiled_only
def test_a_witness_is_cut_from_a_world_with_as_many_sweeps(tmp_path):
    for sweeps in (False, 2):
        patchwork = grow(sweeps, join=Witness(chunk=16))
        world = wf.World(PIPES, 5, 16, refine=sweeps)
        assert all(patchwork.tile(cell) == world.tile_at(*cell) for cell in patchwork.cells_of((1, 0)))
        patchwork.save(tmp_path / "map.patchwork")
        again = wf.Patchwork.load(tmp_path / "map.patchwork")
        again.populate((-1, 0))
        assert all(again.tile(cell) == world.tile_at(*cell) for cell in again.cells_of((-1, 0)))


def test_a_witness_is_refined_as_a_world_is():
    assert wf.Patchwork(PIPES, join="witness").refine == count_window_sweeps(PIPES, "auto") > 0


def test_without_stored_activities_grids_are_refined_only_if_asked():
    assert grow("auto").patterns == grow(False).patterns


@compiled_only
def test_stored_activities_are_used():
    tiles = wf.calibrate(PIPES, sweeps=8, rounds=2, seeds=1, size=(16, 16))
    patchwork = wf.Patchwork(tiles, 4, 5)
    patchwork.populate((0, 0))
    plain = wf.Patchwork(tiles, 4, 5, refine=False)
    plain.populate((0, 0))
    assert wf.check(patchwork) == []
    assert patchwork.patterns != plain.patterns
