"""Tiles that become one another when the whole set is turned or mirrored."""

import wavefold as wf
from wavefold.tiles.turning import find_turned_tiles

CORNERS = [a + b + c + d for a in "gw" for b in "gw" for c in "gw" for d in "gw"]


def by_water(corners):
    return 4.0 if corners == "gggg" else 0.5 + corners.count("w")


def shores(weight=by_water, beside=()):
    """A tile for each combination of grass and water at the corners: nw, ne, sw, se."""
    tiles = [wf.Tile(each, (each[:2], each[1::2], each[2:], each[::2]), weight(each)) for each in CORNERS]
    return wf.TileSet(tiles, beside=beside)


def pools(tiles):
    found = {}
    for tile, first in zip(tiles.tiles, find_turned_tiles(tiles), strict=True):
        found.setdefault(first, set()).add(tile.name)
    return list(found.values())


def test_tiles_drawn_in_every_direction_are_found():
    found = pools(shores())
    assert {"ggww", "wwgg", "gwgw", "wgwg"} in found
    assert {"gggw", "ggwg", "gwgg", "wggg"} in found
    assert {"gwwg", "wggw"} in found
    assert {"gggg"} in found


def test_weights_tell_directions_apart():
    found = pools(shores(lambda each: by_water(each) + (each == "ggww")))
    assert {"ggww"} in found
    assert {"gwgw", "wgwg"} in found


def test_soft_pairs_tell_directions_apart():
    found = pools(shores(beside=[wf.Beside("ggww", "gggg", "north", weight=0.5)]))
    assert {"ggww"} in found
    assert {"gwgw", "wgwg"} in found


def test_sets_without_symmetry_and_tiles_that_are_turned_stay_as_they_are():
    road = wf.Tile("road", ("r", "g", "r", "g"), symmetry="I")
    assert pools(wf.TileSet([road, wf.Tile("grass", ("g",) * 4, symmetry="X")])) == [{"road"}, {"grass"}]
    sky = wf.TileSet(
        [wf.Tile("sky", weight=2), wf.Tile("ground")], beside=[wf.Beside("ground", "sky", "north")]
    )
    assert pools(sky) == [{"sky"}, {"ground"}]
