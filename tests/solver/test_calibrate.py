"""Calibrating a tile set: activities that are stored, used, and stale after a change."""

import dataclasses

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only
from wavefold.solver.refine.activities import join_pools, pool_stored
from wavefold.tiles.calibration import digest_calibrated
from wavefold.tiles.turning import find_turned_tiles

pytestmark = compiled_only  # many maps, all made by kernels that others prove in plain Python

CORNER = wf.Tile("corner", ("p", "p", "g", "g"), 0.2, "L")
PATH = wf.Tile("path", ("p", "g", "p", "g"), 1.0, "I")
GRASS = wf.Tile("grass", ("g",) * 4, 2.0)
GRID = wf.SquareGrid(12, 12)


def calibrated(tiles=(CORNER, PATH, GRASS), **options):
    return wf.calibrate(
        wf.TileSet(tiles), **{"sweeps": 4, "rounds": 4, "seeds": 2, "size": (12, 12)} | options
    )


def with_activities(activities, tiles=(CORNER, PATH, GRASS)):
    digest = digest_calibrated(wf.TileSet(tiles))
    return wf.TileSet(tiles, calibration=wf.Calibration(activities, digest))


def refine(tiles, sweeps=6, **options):
    return wf.Solver(wf.Problem(tiles, GRID), 3).run().refine(sweeps, seed=1, **options)


@pytest.fixture(scope="module")
def found():
    return calibrated()


def test_the_copy_says_how_it_was_found_and_what_is_reached(found):
    assert found.sweeps == 4
    assert set(found.activities) == {"corner", "path", "grass"}
    assert (found.calibration.seeds, found.calibration.rounds, found.calibration.size) == (2, 4, (12, 12))
    asked, seen = np.array(list(found.calibration.reached.values())).T
    assert asked.sum() == pytest.approx(1, abs=0.001)
    assert seen.sum() == pytest.approx(1, abs=0.001)


def test_the_same_activities_are_found_again(found):
    assert calibrated().calibration == found.calibration


def test_maps_then_have_what_the_weights_ask_for():
    found = wf.calibrate(wf.TileSet.load("pipes"), sweeps=10, rounds=12, seeds=3, size=(32, 32))
    away = [abs(asked - seen) for asked, seen in found.calibration.reached.values()]
    assert sum(away) / 2 < 0.04


def paths_by_direction(**options):
    """Straight paths and bends, a tile for each way they may lie."""
    weights = dict.fromkeys(("ns", "ew"), 1.0) | dict.fromkeys(("ne", "es", "sw", "nw"), 0.5)
    sides = [
        wf.Tile(name, tuple("p" if side in name else "g" for side in "nesw"), weight)
        for name, weight in weights.items()
    ]
    return wf.TileSet([*sides, wf.Tile("-", ("g",) * 4, 3.0)], **options)


def test_tiles_that_are_alike_when_the_map_is_turned_have_one_activity():
    found = calibrated(paths_by_direction().tiles).activities
    assert found["ns"] == found["ew"]
    assert len({found[name] for name in ("ne", "es", "sw", "nw")}) == 1
    assert found["ns"] != found["ne"]


def test_tiles_with_other_shares_are_not_alike():
    assert find_turned_tiles(paths_by_direction()).tolist() == [0, 0, 2, 2, 2, 2, 6]
    assert find_turned_tiles(paths_by_direction(shares={"ns": 0.3})).tolist() == [0, 1, 2, 2, 2, 2, 6]


def test_activities_that_are_equal_by_accident_make_no_pool():
    stored = np.array([5, 5, 5, 5, 5, 7, 5])
    pools = pool_stored(paths_by_direction(), stored)
    assert pools[0] == pools[1]
    assert pools[2] == pools[3] == pools[4]
    assert len({*pools[[0, 2, 5, 6]].tolist()}) == 4
    split = pool_stored(paths_by_direction(shares={"ns": 0.3}), stored)
    assert split[0] != split[1]
    soft = pool_stored(paths_by_direction(beside=[wf.Beside("ns", "ne", weight=0.5)]), stored)
    assert soft[0] != soft[1]


def test_pools_that_share_a_tile_are_joined():
    joined = join_pools(np.array([0, 0, 1, 2, 3]), np.array([0, 1, 1, 2, 3]))
    assert joined.tolist() == [0, 0, 0, 1, 2]


def test_activities_come_back_from_a_file(found, tmp_path):
    found.save(tmp_path / "set.toml")
    again = wf.TileSet.load(tmp_path / "set.toml")
    assert again.calibration == found.calibration
    assert again.sweeps == 4
    again.save(tmp_path / "again.toml")
    assert (tmp_path / "again.toml").read_text() == (tmp_path / "set.toml").read_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [("weight = 2", "weight = 3"), ("tiles.grass", "tiles.lawn"), ('"fixed"', '"fixed"'), ("[refine]", None)],
    ids=["weight", "name", "nothing", "rule"],
)
def test_what_is_changed_makes_activities_stale(found, tmp_path, old, new):
    path = tmp_path / "set.toml"
    found.save(path)
    text = path.read_text()
    rule = '[[beside]]\nhere = "path"\nthere = "path"\nweight = 0.5\n[refine]'
    path.write_text(text.replace(old, rule if new is None else new))
    if old == new:
        assert wf.TileSet.load(path).activities
        return
    with pytest.warns(wf.TileSetWarning, match="have changed since calibration"):
        changed = wf.TileSet.load(path)
    assert not changed.activities
    assert any("run wavefold calibrate" in each for each in wf.lint(changed))
    assert any("tile 'grass' was removed" in each for each in wf.lint(changed)) == ("grass" in old)


def test_maps_begin_with_stored_activities_unless_they_are_stale():
    plain, few = (
        wf.TileSet([CORNER, PATH, GRASS]),
        with_activities({"grass": -4.0, "path": 0.0, "corner": 0.0}),
    )
    lawns = [refine(tiles, 1).usage()["grass"] for tiles in (plain, few)]
    assert lawns[1] < lawns[0] - 10
    heavier = dataclasses.replace(GRASS, weight=2.5)
    stale = wf.TileSet([CORNER, PATH, heavier], calibration=few.calibration)
    without = wf.TileSet([CORNER, PATH, heavier])
    assert (refine(stale).patterns == refine(without).patterns).all()
    bare = [refine(tiles, calibrate=False).patterns for tiles in (plain, few)]
    assert (bare[0] == bare[1]).all()


def test_a_set_aims_at_its_shares():
    tiles = wf.TileSet([CORNER, PATH, GRASS], groups={"paved": ["corner", "path"]}, shares={"paved": 0.9})
    asked = {name: share.asked for name, share in refine(tiles).stats.shares.items()}
    assert asked["grass"] == pytest.approx(0.1, abs=0.01)
    assert tiles.asked_weights.sum() == pytest.approx(tiles.rules.weights.sum())
    plain = wf.TileSet([CORNER, PATH, GRASS])
    assert refine(tiles).usage()["grass"] < refine(plain).usage()["grass"]


def test_shares_come_back_from_a_file_and_make_other_activities_stale(tmp_path):
    few = with_activities({"grass": -4.0, "path": 0.0, "corner": 0.0})
    few.shares = {"grass": 0.25}
    few.save(tmp_path / "set.toml")
    with pytest.warns(wf.TileSetWarning, match="calibrate again"):
        again = wf.TileSet.load(tmp_path / "set.toml")
    assert again.shares == {"grass": 0.25}
    assert again.activities == {}


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"grass": 1.5}, "the share of 'grass' must be"),
        ({"grass": 0.7, "path": 0.4}, "the total is 1.1;"),
        (["grass"], "must be a dict"),
        ({"grass": True}, "the share of 'grass' must be"),
        ({"gras": 0.5}, "no tile 'gras'.*grass"),
        ({"path": 0.2, "path@90": 0.1}, "named twice, by 'path@90'"),
    ],
)
def test_shares_of_a_set_are_checked(shares, message):
    with pytest.raises(wf.TileSetError, match=message):
        wf.TileSet([CORNER, PATH, GRASS], shares=shares)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[refine]\nshares = {gras = 0.5}", r"\[refine\], line 9: .*no tile 'gras'; did you mean 'grass'"),
        ("[refine]\nshares = {grass = 0.5, rest = 0.7}", r"\[refine\], line 9: .*the total is 1.2"),
        (
            "[activities]\ngras = 0.5\n[refine]\ndigest = 'DIGEST'",
            r"\[activities\], line 9: .*no tile 'gras'",
        ),
    ],
)
def test_unknown_names_in_a_file_are_errors_that_name_the_line(tmp_path, table, message):
    text = "format = 1\n[tiles.grass]\n[tiles.rock]\n[tiles.moss]\n[groups]\nrest = ['rock', 'moss']\n\n"
    path = tmp_path / "set.toml"
    path.write_text(text)
    path.write_text(text + table.replace("DIGEST", digest_calibrated(wf.TileSet.load(path))))
    with pytest.raises(wf.FormatError, match=message):
        wf.TileSet.load(path)


def test_shares_of_a_set_with_listed_pairs_come_back_from_a_file(tmp_path):
    tiles = wf.TileSet([PATH, GRASS], allowed=lambda a, b, side: a is b, shares={"grass": 0.25})
    tiles.save(tmp_path / "set.toml")
    assert wf.TileSet.load(tmp_path / "set.toml").shares == {"grass": 0.25}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: wf.calibrate(wf.learn_adjacency(np.eye(4, dtype=int))), "only drawn tile sets"),
        (lambda: wf.calibrate("castle"), "only drawn tile sets"),
        (lambda: calibrated(sweeps=0), "sweeps must be a whole number from 1"),
        (lambda: calibrated(rounds=0), "rounds must be a whole number from 1"),
        (lambda: calibrated(seeds=1.5), "seeds must be a whole number from 1"),
        (lambda: calibrated(size=(4,)), r"\[columns, rows\]"),
        (lambda: calibrated(progress=5), "progress must be a function"),
        (lambda: wf.Calibration({"a": float("nan")}, ""), "the activity of 'a' must be from"),
        (
            lambda: wf.TileSet([GRASS], calibration={"grass": 1}),
            "calibration must be the result of wavefold.calibrate",
        ),
        (lambda: wf.TileSet([GRASS], sweeps=-1), "sweeps must be a whole number from 0"),
    ],
)
def test_bad_input_has_a_clear_answer(make, message):
    with pytest.raises(wf.WavefoldError, match=message):
        make()
