"""The findings in sentences."""

import pytest

import wavefold as wf
from support import CASTLE, CHESS, HEX_RIVERS, PIPES, TOWERS
from wavefold.reports.auditing.report import grade_audit, list_unplaceable_tiles, name_scan_start, summarize

SETS = {
    "chess": CHESS,
    "pipes": PIPES,
    "castle": CASTLE,
    "rivers": HEX_RIVERS,
    "towers": TOWERS,
    "odd": wf.TileSet([wf.Tile("odd", (*"abcd",))]),
}


@pytest.fixture(scope="module")
def reports():
    return {name: wf.audit(tiles) for name, tiles in SETS.items()}


def test_summaries_say_the_verdict_first(reports):
    assert summarize(reports["pipes"])[0] == (
        "Solving row by row from the northwest cannot fail: some pattern always fits."
    )
    assert summarize(reports["odd"])[0].startswith("No map is possible: it is proved that 2 x 2 cells")
    assert "trial maps were solved" in summarize(reports["castle"])[0]
    assert [grade_audit(reports[name]) for name in ("pipes", "odd")] == ["good", "bad"]


def test_where_a_scan_starts_is_named_as_people_would(reports):
    assert name_scan_start(reports["chess"]) == "northwest"
    assert name_scan_start(reports["rivers"]) in reports["rivers"].tiles.directions
    assert " at the " in name_scan_start(reports["towers"])


def test_tiles_that_cannot_appear_are_counted():
    report = wf.audit(wf.TileSet([*PIPES.tiles, wf.Tile("plug", (*"abcd",))]))
    assert list_unplaceable_tiles(report) == ["plug"]
    assert summarize(report)[-1].startswith("1 tile cannot appear inside a map")
