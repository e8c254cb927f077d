"""Refined worlds: pure functions of their position, valid, faithful; files say how they are refined."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from support import PIPES, compiled_only
from wavefold.storage.cache import RESULTS
from wavefold.worlds import refined_base
from wavefold.worlds.refined_base import activity_cache_key, build_blocks, resolve_refining
from wavefold.worlds.window_solver import MARGIN_CELLS, WindowRefiner, WindowSolver

SIDE = 16
POSITIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0)]
FIELDS = wf.Fields(height=wf.Noise(0.1, seed=3).rescaled(0, 2)).with_factors({" ": 2.0, "┼": "height"})


def make(seed=5, **options):
    return wf.World(PIPES, seed, SIDE, refine=1, **options)


@compiled_only
def test_chunks_do_not_depend_on_the_order_in_which_they_are_asked_for():
    one, other = make(), make()
    first = {place: one.chunk(*place).copy() for place in POSITIONS}
    for place in reversed(POSITIONS):
        assert (other.chunk(*place) == first[place]).all()


@compiled_only
def test_chunks_are_the_same_in_several_threads():
    alone, shared = make(fields=FIELDS), make(fields=FIELDS)
    with ThreadPoolExecutor(4) as threads:
        chunks = list(threads.map(lambda place: shared.chunk(*place).copy(), POSITIONS * 2))
    for place, chunk in zip(POSITIONS * 2, chunks, strict=True):
        assert (alone.chunk(*place) == chunk).all()


@compiled_only
@settings(max_examples=8)
@given(st.integers(-(2**70), 2**70), st.integers(-(10**9), 10**9), st.booleans())
def test_every_part_of_a_refined_world_is_valid(seed, x, with_fields):
    world = make(seed, fields=FIELDS if with_fields else None)
    assert wf.check(world, x, -3, 24, 20) == []


@compiled_only
def test_any_two_blocks_of_the_base_fit_beside_each_other():
    blocks = build_blocks(PIPES, resolve_refining(PIPES, 1))
    assert (blocks[:, 0] == blocks[0, 0]).all()
    assert (blocks[:, :, 0] == blocks[0, :, 0]).all()
    for block in blocks:
        around = np.pad(block, 1, mode="wrap")
        problem = wf.Problem(PIPES, wf.SquareGrid(*around.shape[::-1]))
        assert wf.check(problem, around.reshape(-1)) == []


@compiled_only
def test_tiles_of_a_refined_world_are_as_frequent_as_their_weights_ask():
    far = {}
    for refine in (False, 3):
        patterns = wf.World(PIPES, 5, 32, refine=refine).region(0, 0, 96, 96)
        weights = PIPES.rules.weights / PIPES.rules.weights.sum()
        seen = np.bincount(patterns.reshape(-1), minlength=weights.size) / patterns.size
        far[refine] = np.abs(seen - weights).sum() / 2
    assert far[3] < min(0.04, far[False] / 2)


@pytest.mark.slow
def test_two_seeds_have_nothing_in_common_but_chance():
    tiles = wf.learn("islands")
    one, other = (wf.World(tiles, seed, 32, refine=1).region(0, 0, 128, 96) for seed in (1, 2))
    shifted = np.roll(other, (31, 17), (0, 1))
    assert abs((one == other).mean() - (one == shifted).mean()) < 0.05


@compiled_only
def test_the_shares_of_a_world_are_reached():
    world = wf.World(PIPES, 5, 32, refine=3, shares=wf.Shares({"┼": 0.25}))
    assert 0.2 < (world.region(0, 0, 96, 64) == PIPES.rules.patterns("┼")[0]).mean() < 0.3


@compiled_only
def test_what_is_kept_on_disk_makes_no_difference(tmp_path, monkeypatch):
    def make_chunk(**options):
        caches = ("known_blocks", "known_refined_bases", "known_settings", "known_turns")
        for name in caches:
            getattr(refined_base, name).forget()
        return make(**options).chunk(0, 0).tobytes()

    plain = make_chunk()
    monkeypatch.setattr(RESULTS, "folders", [tmp_path])
    assert make_chunk() == plain
    kept = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(kept) == 3
    for path, data in kept.items():
        path.write_bytes(data[: len(data) // 2])
    assert make_chunk() == plain
    assert {path: path.read_bytes()[:16] for path in tmp_path.iterdir()} == {
        path: data[:16] for path, data in kept.items()
    }
    monkeypatch.setattr(refined_base, "find_settings", None)  # nothing is computed again
    monkeypatch.setattr(refined_base, "build_blocks", None)
    monkeypatch.setattr(refined_base, "find_turns", None)
    assert make_chunk() == plain


def test_activities_are_found_again_for_a_group_of_other_tiles():
    crossing, groups = wf.Shares({"lines": 0.2}), ({"lines": ["┼"]}, {"lines": ["─"]})
    one, other = (activity_cache_key(wf.TileSet(PIPES.tiles, groups=each), 1, crossing) for each in groups)
    assert one != other


@pytest.mark.parametrize("refine", [True, "often", -1, 1.5, None])
def test_what_is_no_number_of_sweeps_is_refused(refine):
    with pytest.raises(wf.ConfigError, match="refine must be"):
        wf.World(PIPES, refine=refine)


def test_shares_need_refining():
    with pytest.raises(wf.ConfigError, match="refine=1 or more"):
        wf.World(PIPES, refine=False, shares=wf.Shares({"┼": 0.1}))
    with pytest.raises(wf.ConfigError, match="shares must be"):
        wf.World(PIPES, refine=1, shares={"┼": 0.1})


@compiled_only
def test_a_saved_world_is_refined_as_it_was(tmp_path):
    path = tmp_path / "refined.world"
    shares = wf.Shares({"┼": 0.1})
    with wf.World(PIPES, 5, SIDE, refine=1, shares=shares, store=path) as world:
        world.edit({(3, 3): "┼"})
        region = world.region(0, 0, 20, 20)
        refining = world.parts.refining
    with wf.World.open(path) as again:
        assert again.refine == 1
        assert again.parts.refining.shares.shares == shares.shares
        assert (again.parts.refining.activities == refining.activities).all()
        assert (again.region(0, 0, 20, 20) == region).all()


@compiled_only
def test_a_store_says_itself_how_its_world_is_refined(tmp_path):
    for refine, sweeps in ((False, 0), (2, 2)):
        path = tmp_path / f"{refine}.world"
        with wf.World(PIPES, 5, SIDE, refine=refine, store=path) as world:
            chunk = world.chunk(0, 0).copy()
        with wf.World(PIPES, 5, SIDE, store=path) as again:
            assert again.refine == sweeps
            assert (again.chunk(0, 0) == chunk).all()
        with pytest.raises(wf.WorldError, match="it differs in refine"):
            wf.World(PIPES, 5, SIDE, refine=1, store=path)


@compiled_only
def test_fixed_cells_are_refined_again_only_near_the_others():
    refining = resolve_refining(PIPES, 4)
    before = build_blocks(PIPES, refining)[0]
    plane = np.tile(before, (3, 3))[:20, :20].astype(np.int32)
    fixed = np.ones(plane.shape, bool)
    fixed[:, :6] = False
    after = plane.copy()
    WindowRefiner(refining).refine(WindowSolver(PIPES.rules).shape(plane.shape), after, 1, fixed=fixed)
    assert (after[:, 6 + MARGIN_CELLS :] == plane[:, 6 + MARGIN_CELLS :]).all()
    assert (after[:, 6 : 6 + MARGIN_CELLS] != plane[:, 6 : 6 + MARGIN_CELLS]).any()
    assert wf.check(wf.Problem(PIPES, wf.SquareGrid(20, 20)), after.reshape(-1)) == []


@compiled_only
def test_the_report_counts_proposals():
    world = make()
    world.chunk(0, 0)
    assert 0 < world.report.interior.accepted <= world.report.interior.proposals
    assert world.report.to_dict()["corner"]["proposals"] > 0
