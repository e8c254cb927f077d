"""Settings that suit a set, and new tiles that would fill corners nothing fits."""

import pytest
from obvious import failing_pairs

import wavefold as wf
from support import CASTLE, HEX_RIVERS, TOWERS
from wavefold.reports.auditing.advice import advise, suggest_tiles
from wavefold.reports.auditing.corners import SubComplete, list_corner_pairs
from wavefold.reports.auditing.trials import Trial


@pytest.mark.parametrize("tiles", [CASTLE, HEX_RIVERS, TOWERS])
def test_a_suggested_tile_fills_as_many_corners_as_it_says(tiles):
    pairs = list_corner_pairs(tiles.topology)
    found = suggest_tiles(tiles)
    assert found
    before = failing_pairs(tiles, pairs)
    for each in found:
        assert 0 < each.fills <= each.failing_before
        assert each.failing_after == each.failing_before - each.fills
        new = wf.Tile("suggested", each.sockets, symmetry="turned")
        better = wf.TileSet([*tiles.tiles, new], tiles.topology)
        after = {
            asked for asked in failing_pairs(better, pairs) if max(asked[0][1], asked[1][1]) < len(tiles)
        }
        assert len(after & before) < len(before)
    fills = [each.fills for each in found]
    assert fills == sorted(fills, reverse=True)


def test_the_one_missing_tile_of_a_set_is_suggested():
    """Straight pipes only: where two meet around a corner, nothing fits. A bend or a crossing would."""
    tiles = wf.TileSet([wf.Tile("wall", (*"----",)), wf.Tile("pipe", (*"o-o-",), symmetry=(0, 90))])
    best = suggest_tiles(tiles)[0]
    assert (best.failing_before, best.failing_after) == (4, 0)
    assert "oo" in "".join(best.sockets + best.sockets)


def test_suggestions_respect_levels():
    tiles = wf.TileSet(
        [wf.Tile("low", (*"gggg",), levels=2), wf.Tile("rim", (*"gggg",), levels=2, rises=(1, 1, 0, 0))]
    )
    for each in suggest_tiles(tiles):
        assert min(each.rises) == 0
        assert max(each.rises) <= 1


@pytest.mark.parametrize(
    "tiles",
    [
        wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[wf.Beside("a", "b", "east")]),
        wf.TileSet([wf.Tile("a", (1, "x", None, 2.5)), wf.Tile("b", ("x", 1, 2.5, None))]),
    ],
    ids=["neighbour rules", "sockets that are no words"],
)
def test_sets_without_text_sockets_get_no_suggestion(tiles):
    assert suggest_tiles(tiles) == []


def trial(order, plain, contradictions=0.0):
    return Trial(16, order, 4, plain, 4, contradictions, 1.0)


def test_the_order_with_fewest_failures_is_advised():
    chosen = advise([trial("entropy", 4, 3.0), trial("scanline", 4, 1.0)], 3, None, "square")
    assert (chosen.order, chosen.search, chosen.window, chosen.chunk) == ("scanline", "backtrack", 16, 32)
    chosen = advise([trial("entropy", 3), trial("scanline", 1)], 12, None, "square")
    assert (chosen.order, chosen.search, chosen.window, chosen.chunk) == ("entropy", "auto", 8, 64)
    chosen = advise(
        [trial("entropy", 4), trial("scanline", 0)], None, SubComplete(True, (), "southeast", 0, 4, ()), "hex"
    )
    assert (chosen.order, chosen.search) == ("scanline:southeast", "backtrack")
