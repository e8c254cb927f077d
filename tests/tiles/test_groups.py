"""Groups of tiles: one name for several, wherever the name of a tile may stand."""

import numpy as np
import pytest

import wavefold as wf
from wavefold.solver.shares import Shares

ROAD = wf.Tile("road", ("r", "g", "r", "g"), symmetry="I")
TILES = (wf.Tile("sea"), wf.Tile("coast-low"), wf.Tile("coast-high"), wf.Tile("land"))
GROUPS = {"water": ["sea", "coast-*"], "dry": "land"}


def shore(groups=GROUPS, **options):
    return wf.TileSet(TILES, groups=groups, **options)


def test_a_group_means_the_patterns_of_its_tiles():
    tiles = wf.TileSet([*TILES, ROAD], groups={"ways": ["road", "l?nd"], "one": ["road@90"]})
    names = np.array(tiles.rules.names)
    assert names[tiles.rules.patterns("ways")].tolist() == ["land", "road", "road@270"]
    assert names[tiles.rules.patterns("one")].tolist() == ["road@270"]  # looks the same


def test_a_group_may_extend_the_tile_of_its_name():
    tiles = shore({"sea": ["sea", "coast-*"]})
    assert tiles.rules.patterns("sea").tolist() == [0, 1, 2]
    assert tiles.rules.patterns("sea@0").tolist() == [0]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["sea"], "groups must be a dict"),
        ({"water": ["see"]}, "group 'water': there is no tile 'see'; did you mean 'sea'"),
        ({"water": ["coats-*"]}, "group 'water': no tile matches 'coats-\\*'; did you mean 'coast-"),
        ({"water": []}, "group 'water' is empty"),
        ({"water": 3}, "group 'water' must be a list of tiles"),
        ({"water": ["sea", 3]}, "group 'water' must be a list of tiles"),
        ({"land": ["sea"]}, "group 'land' has the name of a tile that is not a member"),
        ({"wa*": ["sea"]}, "the name of a group"),
        ({"sea@90": ["sea"]}, "the name of a group"),
        ({"wet": ["sea"], "all": ["wet"]}, "group 'all' contains the group 'wet'; list the tiles"),
    ],
)
def test_groups_that_mean_nothing_are_refused(groups, message):
    with pytest.raises(wf.TileSetError, match=message):
        shore(groups)


def test_unknown_names_suggest_groups():
    with pytest.raises(wf.TileSetError, match="did you mean 'water'"):
        shore().rules.patterns("watr")


def test_groups_stand_in_pins_constraints_fields_and_neighbour_rules():
    tiles = shore(beside=[wf.Beside("dry", "water", allowed=False)])
    grid = wf.SquareGrid(8, 8)
    height = np.arange(64) % 8 / 8
    fields = wf.Fields(height=height).with_limits({"water": {"height": (0, 0.4)}}).with_factors({"dry": 3.0})
    problem = wf.Problem(
        tiles, grid, {(0, 0): "water"}, constraints=[wf.Count("water", at_least=8)], fields=fields
    )
    assert not problem.rules.allowed[:, 3, :3].any()
    assert len(wf.Problem(tiles, grid, {(0, 0): ["dry", "water"]}).domains)
    solution = wf.generate(tiles, grid, pins={(0, 0): "water"}, constraints=[wf.Count("dry", at_most=0)])
    assert "land" not in solution.values


def test_shares_name_groups():
    solution = wf.generate(wf.TileSet(TILES, groups=GROUPS), wf.SquareGrid(12, 12), seed=1)
    refined = solution.refine(4, shares=Shares({"water": 0.5}))
    assert refined.stats.shares["water"].asked == pytest.approx(0.5)
    assert set(refined.stats.shares) == {"water", "land"}


def test_an_edit_with_a_group_outlives_the_group(tmp_path):
    world = wf.World(shore(), seed=1, chunk=16)
    world.edit({(3, 4): "water"})
    assert world.tile_at(3, 4) != "land"
    assert world.edits[0]["wanted"] == [[3, 4, ["sea", "coast-low", "coast-high"]]]
