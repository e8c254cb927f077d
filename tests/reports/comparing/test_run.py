"""Ways to join grids side by side: figures that are the same every time, and a page of them."""

import csv
import json
import re
from io import StringIO

import pytest
from small_maps import AROUND, RADIUS, SETS

import wavefold as wf
from support import compiled_only
from wavefold.plugins.registry import available
from wavefold.reports.comparing.page import compare_page, save_compare_page
from wavefold.reports.comparing.results import (
    COLUMNS,
    COUNTS,
    Case,
    CaseResult,
    Comparison,
    MapResult,
    as_csv,
    as_markdown,
    format_percent,
)
from wavefold.reports.comparing.run import compare, list_cases, rebuild_map

pytestmark = compiled_only  # a comparison makes dozens of maps

GROWING = ["overlap", "editable", "fixed", "whole"]


def small_comparison(tiles="castle", joins=GROWING, seeds=range(3), radius=2, **more):
    cases = list_cases(SETS[tiles], joins, driven=False)
    return compare(SETS[tiles], cases, AROUND[tiles], seeds, radius, **more)


@pytest.fixture(scope="module")
def comparison():
    return small_comparison()


def without_times(data):
    """The same figures on every machine."""
    for case in data["cases"]:
        del case["seconds"]
        for each in case["maps"]:
            del each["seconds"]
    return data


def test_every_join_is_compared_plain_and_driven_and_fixed_with_its_retries():
    tiles = wf.TileSet.load("terrain")
    cases = list_cases(tiles)
    assert {case.join for case in cases} == set(available("join"))
    assert [case.retries for case in cases if case.join == "fixed"] == [1, 3, 1, 3]
    assert {case.preset for case in cases} == {None, "terrain"}
    assert len(cases) == len(set(cases)) == 2 * (len(available("join")) + 1)
    assert Case("fixed", 3, "hex").name == "fixed, retries 3, driven"


def test_tiles_without_limits_are_compared_plain():
    assert {case.preset for case in list_cases(SETS["pipes"])} == {None}
    with pytest.raises(wf.ConfigError, match="no limits"):
        list_cases(SETS["pipes"], plain=False)


def test_counts_are_those_of_the_maps_and_are_the_same_every_time(comparison):
    assert without_times(small_comparison().to_dict()) == without_times(comparison.to_dict())
    for trial in comparison.results:
        for outcome in trial.maps:
            if outcome.made:
                map = rebuild_map(comparison, trial.case, outcome.seed)
                assert {name: getattr(map.report, name) for name in COUNTS} == outcome.counts
                assert outcome.mismatches == len(wf.check(map)) == map.report.mismatches_from_dropped
                assert outcome.flawless == (not map.dropped or not wf.check(map))


def test_steps_tell_how_many_neighbours_were_there(comparison):
    beside = {trial.case.join: trial.by_neighbours() for trial in comparison.results}
    assert {neighbours: len(steps) for neighbours, steps in beside["overlap"].items()} == {0: 3, 1: 12, 2: 12}
    assert list(beside["whole"]) == [0]
    assert len(beside["whole"][0]) == 3  # one for each map


def test_a_map_that_cannot_be_made_is_counted_and_the_rest_goes_on(monkeypatch):
    from wavefold.patchwork.joins import Overlap

    usual = Overlap.populate

    def populate(self, ground, key):
        if ground.seed == 1 and len(ground.patterns) > 25:
            raise wf.OutOfBudget("nothing fits here")
        return usual(self, ground, key)

    monkeypatch.setattr(Overlap, "populate", populate)
    found = small_comparison("pipes", ["overlap"])
    trial = found.results[0]
    assert [outcome.made for outcome in trial.maps] == [True, False, True]
    assert trial.maps[1].error == "nothing fits here"
    assert trial.maps[1].grids == 2
    assert len(trial.maps[1].steps) == 3
    assert not trial.maps[1].steps[-1].at_once
    assert trial.share("made") == pytest.approx(200 / 3)
    page = compare_page(found)
    assert "Maps that failed" in page
    assert "nothing fits here" in page


def test_a_case_in_which_nothing_was_made_has_no_figures():
    trial = CaseResult(Case("overlap"), (MapResult(0, 0.1, "no", 0, dict.fromkeys(COUNTS, 0)),))
    data = trial.to_dict()
    assert data["attempts_per_grid"] is data["seconds"]["median"] is data["per_map"]["changed"] is None
    json.dumps(data, allow_nan=False)


def test_nothing_to_compare_is_refused():
    with pytest.raises(wf.ConfigError, match="at least one"):
        small_comparison(seeds=[])
    with pytest.raises(wf.ConfigError, match="radius"):
        small_comparison(radius=0)


def test_progress_counts_the_maps():
    seen = []
    small_comparison("pipes", ["overlap"], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 4) for number in range(1, 5)]


def test_soft_masks_are_compared_when_driven():
    tiles = wf.TileSet.load("terrain")
    found = compare(tiles, [Case("overlap"), Case("overlap", None, "terrain")], AROUND["pipes"], [3], RADIUS)
    plain, driven = found.results
    assert plain.soft_masks_percent is None
    assert 50 < driven.soft_masks_percent <= 100


# --- as a table and as a page ---------------------------------------------------------------------


def test_tables_have_a_row_for_each_way(comparison):
    lines = as_markdown(comparison).splitlines()
    assert len(lines) == 2 + len(comparison.results)
    assert {line.count("|") for line in lines} == {len(COLUMNS) + 1}
    rows = list(csv.reader(StringIO(as_csv(comparison))))
    assert rows[0] == list(COLUMNS)
    assert [row[0] for row in rows[1:]] == ["overlap", "editable", "fixed", "fixed", "whole"]
    assert all(float(row[3]) == 100 for row in rows[1:])


def test_numbers_for_spreadsheets_have_no_commas():
    slow = MapResult(0, 1234.5, counts=dict.fromkeys(COUNTS, 12_345), mismatches=1_000, grids=1)
    trial = CaseResult(Case("overlap"), (slow,))
    rows = list(csv.reader(StringIO(as_csv(Comparison(SETS["pipes"], 2, ((0, 0),), (0,), (trial,))))))
    assert [float(each) for each in rows[1][3:] if each][-1] == 1_234_500
    assert "12345.0" in rows[1]
    assert "1000" in rows[1]


def test_percents_are_whole_only_if_they_are():
    assert format_percent(100) == "100 %"
    assert format_percent(99.96) == "99.96 %"
    assert format_percent(99.999) == "99.999 %"
    assert format_percent(0.02) == "0.02 %"
    assert format_percent(0) == "0 %"
    assert format_percent(66.66666) == "66.7 %"


def test_the_page_shows_every_way_and_fetches_nothing(comparison, tmp_path):
    page = compare_page(comparison)
    for trial in comparison.results:
        assert trial.case.name in page
    assert page.count("<svg") == 3
    assert page.count("<img") == len(comparison.results)
    assert "<script" not in page
    assert not re.search(r"(src|href)=\"(?!data:)|url\(|@import|https?:", page)
    save_compare_page(comparison, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page


def test_names_on_the_page_are_escaped():
    tiles = wf.TileSet([wf.Tile("a", ("x",) * 4)], name="<b>&")
    page = compare_page(compare(tiles, [Case("overlap"), Case("whole")], [(0, 0), (1, 0)], [0], 1))
    assert "&lt;b&gt;&amp;" in page
    assert "<b>&" not in page
