"""The whole audit: figures that are known, plain data, progress, bad input."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from obvious import quick_audit

import wavefold as wf
from support import CASTLE, CHESS, HEX_RIVERS, PIPES, TOWERS, compiled_only, mark_slow
from wavefold.reports.auditing.corners import count_corners, count_fits, count_triples_without
from wavefold.reports.auditing.side_kinds import SideKinds

DATA = Path(os.environ.get("WAVEFOLD_DATA", "")) / "mxgmn" / "tilesets"
PUBLIC = sorted(DATA.glob("*.xml")) if "WAVEFOLD_DATA" in os.environ else []

NORTHEAST, EAST, SOUTHEAST = 0, 1, 2


@pytest.fixture(scope="module")
def medieval():
    return SideKinds(wf.TileSet.load("medieval"))


def test_medieval_has_25_kinds_of_sides_and_924_states(medieval):
    assert medieval.count == 25
    assert len(medieval.tiles) == 924


def test_of_medieval_pairs_512_are_impossible_and_49_fragile(medieval):
    (corner,) = count_corners(medieval, [(NORTHEAST, EAST)])
    assert (corner.combinations, corner.impossible, corner.fragile) == (625, 512, 49)


def test_of_medieval_triples_15343_are_impossible_and_13590_without_grass_on_the_ground(medieval):
    (corner,) = count_corners(medieval, [(NORTHEAST, EAST, SOUTHEAST)])
    assert (corner.combinations, corner.impossible) == (15_625, 15_343)
    assert count_triples_without(medieval)["grass at level 0"] == 13_590


def test_left_out_kinds_are_those_of_all_three_sides(medieval):
    counts = count_fits(medieval, (NORTHEAST, EAST, SOUTHEAST))
    labels = [medieval.labels[side] for side in (NORTHEAST, EAST, SOUTHEAST)]
    impossible = sum(
        "road at level 2" not in (labels[0][a], labels[1][b], labels[2][c])
        for a, b, c in np.argwhere(counts == 0).tolist()
    )
    assert count_triples_without(medieval)["road at level 2"] == impossible


@compiled_only
def test_the_report_on_medieval_has_the_same_figures():
    report = quick_audit("medieval").to_dict()
    keys = ("patterns", "side_kinds", "impossible_pairs", "fragile_pairs", "impossible_triples")
    assert [report[key] for key in keys] == [924, 25, 512, 49, 15_343]
    assert report["impossible_triples_without"]["grass at level 0"] == 13_590
    assert report["certificate"]["verdict"] == "periodic"
    assert report["never_appear"] == []


@pytest.mark.parametrize("tiles", [CHESS, PIPES, CASTLE, HEX_RIVERS, TOWERS])
def test_a_report_is_plain_data(tiles):
    report = wf.audit(tiles)
    data = report.to_dict()
    assert list(json.loads(json.dumps(data))) == list(data)
    assert data["patterns"] == len(tiles)
    assert data["tiles"] == len(tiles.tiles)
    assert data["verdict"] == report.verdict
    assert data["seconds"] > 0
    assert set(np.array(data["certificate"]["base"], object).ravel()) <= set(tiles.rules.names)
    assert repr(report).startswith("Audit('tile set': ")
    assert (len(report.dead_ends), len(report.fragile_sides)) == tuple(
        sum(side["verdict"] in verdicts for side in data["sides"])
        for verdicts in (("impossible", "dead end"), ("fragile",))
    )


def test_verdicts_in_words():
    assert wf.audit(CHESS).verdict == "cannot fail row by row from the northwest"
    assert "maps were solved" in wf.audit(CASTLE).verdict
    assert wf.audit(wf.TileSet([wf.Tile("odd", (*"abcd",))])).verdict == "impossible"


def test_a_map_is_kept_to_look_at():
    example = wf.audit(PIPES).example
    assert wf.check(example.problem, example) == []
    assert wf.audit(wf.TileSet([wf.Tile("odd", (*"abcd",))])).example is None


def test_progress_goes_through_every_stage_in_order():
    seen = []
    wf.audit(CHESS, progress=lambda done, total, what: seen.append((done, total, what)))
    assert [done for done, _, _ in seen] == sorted(done for done, _, _ in seen)
    assert seen[0] == (0, 9, "sides and corners")
    assert {done for done, _, _ in seen} == set(range(9))


def test_the_progress_callback_may_stop_the_audit():
    def stop(done, total, what):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wf.audit(CHESS, progress=stop)


@compiled_only
def test_a_deep_audit_finds_what_a_quick_one_does_and_tries_more():
    quick, deep = wf.audit(PIPES), wf.audit(PIPES, deep=True)
    assert deep.deep
    assert quick.sides == deep.sides
    assert quick.pairs == deep.pairs
    assert len(deep.trials) > len(quick.trials)


@compiled_only
@pytest.mark.parametrize("name", mark_slow(wf.tilesets(), 3))
def test_a_quick_audit_of_a_bundled_set_makes_every_map(name):
    report = quick_audit(name)
    assert report.certificate.verdict == "periodic"
    assert all(trial.full == trial.runs for trial in report.trials)


@compiled_only
def test_a_learned_set_can_be_quick_audit():
    report = wf.audit(wf.learn("kilim"))
    assert report.suggestions == ()  # there are no sockets to tell them in
    assert report.certificate.verdict == "periodic"
    json.dumps(report.to_dict())


@pytest.mark.skipif(not PUBLIC, reason="WAVEFOLD_DATA does not name the folder of public tile sets")
@compiled_only
@pytest.mark.parametrize("path", PUBLIC, ids=lambda path: path.stem)
def test_public_tile_sets(path):
    report = wf.audit(wf.TileSet.load(path))
    assert report.certificate.verdict == "periodic"
    assert all(trial.full == trial.runs for trial in report.trials)
    assert report.unplaceable == ()
    json.dumps(report.to_dict())


@pytest.mark.parametrize("value", [None, "pipes", 42, [wf.Tile("a", (*"aaaa",))]])
def test_only_tile_sets_can_be_quick_audit(value):
    with pytest.raises(wf.TileSetError, match="an audit needs a TileSet"):
        wf.audit(value)


def test_a_set_of_one_tile_is_quick_audit():
    report = wf.audit(wf.TileSet([wf.Tile("sea", ("water",) * 4)]))
    assert report.verdict == "cannot fail row by row from the northwest"
    assert report.certificate.size == (1, 1)
    assert report.correlation == (1.0,)


def test_sockets_may_be_anything_that_can_be_told_apart():
    tiles = wf.TileSet([wf.Tile("a", (1, None, 1, None)), wf.Tile("b", (1, None, 1, None))])
    data = json.loads(json.dumps(wf.audit(tiles).to_dict()))
    assert data["patterns"] == 2
