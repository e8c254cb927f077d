"""Success over many seeds, at full size: what the documents promise. Minutes."""

import pytest
from small_maps import SPIRAL

import wavefold as wf
from support import compiled_only
from wavefold.patchwork.arguments import build_fields

SEEDS = 500

pytestmark = [pytest.mark.slow, compiled_only]


def grown_maps(join):
    tiles = wf.TileSet.load("medieval")
    for seed in range(SEEDS):
        made = wf.Patchwork(tiles, seed=seed, join=join)
        yield made, made.populate_all(SPIRAL)


@pytest.mark.parametrize("join", ["whole", "overlap", "editable", "witness"])
def test_nineteen_grids_always_fit(join):
    for made, report in grown_maps(join):
        assert report.cells == 4123
        assert report.dropped == report.replaced == 0
        assert not wf.check(made)


def test_fixed_neighbours_are_mended_or_given_up():
    dropped = 0
    for made, report in grown_maps("fixed"):
        assert len(wf.check(made)) == report.mismatches_from_dropped
        dropped += report.dropped
    assert dropped <= SEEDS // 4  # of 9,500 grids


def test_editable_changes_at_most_twelve_cells_of_a_refined_map_and_fewer_than_fixed():
    tiles = wf.TileSet.load("medieval")
    for preset in (None, "hex"):
        changed = {}
        for join in ("editable", "fixed"):
            cells = [
                wf.Patchwork(
                    tiles, seed=seed, join=join, fields=build_fields(tiles, preset, seed)
                ).populate_all(SPIRAL).changed
                for seed in range(100)
            ]  # fmt: skip
            changed[join] = sum(cells) / len(cells)
        assert changed["editable"] <= 12
        assert changed["editable"] < changed["fixed"]
