"""Refined patchworks: valid with every join, faithful to pins and fields; files say how grids are refined."""

import pytest

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.patchwork.joins.seamless import Witness
from wavefold.world.refined_base import count_window_sweeps

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
    assert patchwork.dropped or wf.check(patchwork) == []


def test_refining_changes_grids_but_not_their_pins():
    plain, refined = grow(False, presets=PRESETS), grow(presets=PRESETS)
    assert plain.patterns != refined.patterns
    assert [refined.tile(cell) for cell in PRESETS] == list(PRESETS.values())


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
    patchwork.save(tmp_path / "map.json")
    again = wf.Patchwork.load(tmp_path / "map.json")
    for each in (patchwork, again):
        each.populate((-1, 0))
    assert again.patterns == patchwork.patterns


@compiled_only
def test_a_witness_is_cut_from_a_world_with_as_many_sweeps(tmp_path):
    for sweeps in (False, 2):
        patchwork = grow(sweeps, join=Witness(chunk=16))
        world = wf.World(PIPES, 5, 16, refine=sweeps)
        assert all(patchwork.tile(cell) == world.tile_at(*cell) for cell in patchwork.cells_of((1, 0)))
        patchwork.save(tmp_path / "map.json")
        again = wf.Patchwork.load(tmp_path / "map.json")
        again.populate((-1, 0))
        assert all(again.tile(cell) == world.tile_at(*cell) for cell in again.cells_of((-1, 0)))


def test_a_witness_is_refined_as_a_world_is(refined):
    assert wf.Patchwork(PIPES, join="witness").refine == count_window_sweeps(PIPES, "auto") > 0


def test_without_stored_activities_grids_are_refined_only_if_asked(refined):
    assert grow("auto").patterns == grow(False).patterns


@compiled_only
def test_stored_activities_are_used(refined):
    tiles = wf.calibrate(PIPES, sweeps=8, rounds=2, seeds=1, size=(16, 16))
    patchwork = wf.Patchwork(tiles, 4, 5)
    patchwork.populate((0, 0))
    plain = wf.Patchwork(tiles, 4, 5, refine=False)
    plain.populate((0, 0))
    assert wf.check(patchwork) == []
    assert patchwork.patterns != plain.patterns
