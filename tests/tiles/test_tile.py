"""Tiles: turned, mirrored, at their heights; and what no tile can be."""

import pytest

import wavefold as wf
from support import HEX_RIVERS, TOWERS


def test_a_tile_stands_at_every_level_that_holds_its_highest_side():
    slope = wf.Tile("slope", ("g",) * 4, levels=4, rises=(2, 0, 0, 0), symmetry=("0", "90"))
    tiles = wf.TileSet([slope])
    assert [pattern.name for pattern in tiles.patterns] == ["slope", "slope@l1", "slope@r1", "slope@r1l1"]
    assert [pattern.heights for pattern in tiles.patterns] == [
        (2, 0, 0, 0),
        (3, 1, 1, 1),
        (0, 2, 0, 0),
        (1, 3, 1, 1),
    ]
    assert tiles.rules.patterns("slope").tolist() == [0, 1, 2, 3]
    assert tiles.rules.patterns("slope@90l1").tolist() == [3]
    with pytest.raises(wf.TileSetError, match="no tile 'slope@l2'"):
        tiles.rules.patterns("slope@l2")


def test_an_asymmetric_side_fits_only_its_mirror_image():
    ramp = wf.Tile("ramp", ("ramp>", "flat", "ramp<", "flat"))
    tiles = wf.TileSet([ramp, wf.Tile("other", ("ramp>", "flat", "ramp>", "flat"))])
    allowed = tiles.rules.allowed[0]  # what may stand to the north
    assert allowed.tolist() == [[True, False], [True, False]]


def test_mirrored_tiles_show_mirrored_sockets():
    tiles = wf.TileSet([wf.Tile("t", ("a>", "b", "c", "d<"), symmetry=("0", "m", "m90"))])
    assert tiles.patterns[1].sockets == ("a<", "d>", "c", "b")
    assert tiles.patterns[2].sockets == ("b", "a<", "d>", "c")


def test_faces_above_and_below_stay_when_a_cube_turns():
    tiles = wf.TileSet([wf.Tile("t", (*"abcduv",), symmetry="turned")], "cube")
    assert [pattern.sockets for pattern in tiles.patterns][1] == (*"dabcuv",)


@pytest.mark.parametrize(
    ("tile", "message"),
    [
        (wf.Tile("a", ("s",) * 4, rises=(1, 0, 0)), "3 rises but square cells have 4 sides"),
        (wf.Tile("a", ("s",) * 4, rises=(1, 0, 0, 0)), "levels=1; it must be a whole number from 2"),
        (wf.Tile("a", ("s",) * 4, rises=(-1, 0, 0, 0)), "rises must be whole numbers of at least 0"),
        (wf.Tile("a", ("s",) * 4, levels=0), "levels=0"),
        (wf.Tile("a", ("s",) * 4, levels=2.5), "levels=2.5"),
        (wf.Tile("a", ("s",) * 4, levels=10**9), "levels=1000000000"),
        (wf.Tile("a", ("s",) * 4, limits={"wet": (2, 1)}), "the lower one first"),
        (wf.Tile("a", ("s",) * 4, limits={"wet": 3}), "two numbers"),
        (wf.Tile("a", ("s",) * 4, limits=[1]), "limits must be {field: "),
    ],
)
def test_what_no_tile_can_be_is_refused(tile, message):
    with pytest.raises(wf.TileSetError, match=message):
        wf.TileSet([tile])


def test_turning_goes_clockwise():
    tiles = wf.TileSet([wf.Tile("arrow", ("n", "e", "s", "w"), symmetry=(0, 90, 270))])
    assert [pattern.name for pattern in tiles.patterns] == ["arrow", "arrow@90", "arrow@270"]
    assert tiles.patterns[1].sockets == ("w", "n", "e", "s")
    assert tiles.patterns[2].sockets == ("e", "s", "w", "n")


def test_hexagons_turn_by_sixty_degrees_and_cubes_around_the_vertical():
    assert [pattern.name for pattern in HEX_RIVERS.patterns[7:10]] == ["river", "river@60", "river@120"]
    room = next(pattern for pattern in TOWERS.patterns if pattern.name == "room@90")
    assert room.sockets == (*".-.-##",)


def test_sides_that_meet_inside_are_turned_and_mirrored_with_the_tile():
    tile = wf.Tile("bend", ("r",) * 4, symmetry="F", meets=(("north", "east"), ("south",)))
    groups = {pattern.name: pattern.meets for pattern in wf.TileSet([tile]).patterns}
    north, east, south, west = 1, 2, 4, 8
    assert groups["bend"] == (north | east, south)
    assert groups["bend@90"] == (east | south, west)
    assert groups["bend@m"] == (north | west, south)


@pytest.mark.parametrize("meets", [[["north", "up"]], [["north"], ["north"]], "north", ["north", "south"]])
def test_groups_of_sides_that_make_no_sense_are_refused(meets):
    with pytest.raises(wf.TileSetError, match="must list each side at most once"):
        wf.TileSet([wf.Tile("bridge", ("r",) * 4, meets=meets)])


def test_sides_that_meet_are_kept_in_files(tmp_path):
    tiles = wf.TileSet([wf.Tile("bridge", ("r",) * 4, meets=(("north", "south"), ("east", "west")))])
    tiles.save(tmp_path / "bridges.toml")
    assert wf.TileSet.load(tmp_path / "bridges.toml").tiles[0].meets == (("north", "south"), ("east", "west"))
