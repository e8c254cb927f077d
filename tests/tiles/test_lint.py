"""What looks like a mistake is found; what is only unusual is not."""

import os
from pathlib import Path

import numpy as np
import pytest

import wavefold as wf
from wavefold.formats import read_mxgmn
from wavefold.tiles.lint import MOST_FINDINGS

DATA = Path(os.environ["WAVEFOLD_DATA"]) / "mxgmn" if os.environ.get("WAVEFOLD_DATA") else None
GRASS, PATH = (112, 172, 82), (196, 162, 108)


# --- sides --------------------------------------------------------------------------------------


def test_a_socket_that_nothing_matches_is_found_with_the_nearest():
    tiles = wf.TileSet([wf.Tile("lawn", ("grass",) * 4), wf.Tile("path", ("gras", "grass", "grass", "rock"))])
    assert wf.lint(tiles) == [
        "tile 'path' shows 'gras' to the north, which nothing matches; did you mean 'grass'?",
        "tile 'path' shows 'rock' to the west, which nothing matches",
    ]


def test_a_side_is_only_found_if_no_turn_of_it_meets_anything():
    plug = wf.Tile("plug", ("x", "a", "a", "a"), symmetry="turned")
    hole = wf.Tile("hole", ("a", "a", "x", "a"))
    assert wf.lint(wf.TileSet([plug, hole])) == []


def test_a_border_that_several_tiles_share_is_meant():
    sea = [wf.Tile(name, ("coast", "sea", "sea", "sea")) for name in ("bay", "cape")]
    sea.append(wf.Tile("sea", ("sea",) * 4))
    assert wf.lint(wf.TileSet(sea)) == []
    assert wf.lint(wf.TileSet(sea[1:])) == ["tile 'cape' shows 'coast' to the north, which nothing matches"]


def test_above_and_below_have_their_own_words():
    tower = wf.Tile("tower", (*"aaaa", "top", "rock"))
    assert wf.lint(wf.TileSet([tower], "cube")) == [
        "tile 'tower' shows 'top' above, which nothing matches",
        "tile 'tower' shows 'rock' below, which nothing matches",
    ]


def test_sockets_with_a_direction_need_their_mirror_image():
    one = wf.Tile("wall", ("wall>", "", "", ""), symmetry="turned")
    assert wf.lint(wf.TileSet([one])) == [
        "tile 'wall' shows 'wall>' to the north, which nothing matches; did you mean 'wall<'?"
    ]
    assert wf.lint(wf.TileSet([one, wf.Tile("end", ("wall<", "", "", ""), symmetry="turned")])) == []


def test_heights_that_never_meet_are_found():
    slope = wf.Tile("slope", ("up", "", "up", ""), levels=2, rises=(1, 0, 0, 0))
    assert wf.lint(wf.TileSet([slope])) == [
        "tile 'slope' shows 'up' to the north and south, but heights or rules exclude everything that matches"
    ]


def test_tiles_that_keep_apart_need_another_kind():
    lonely = wf.TileSet([wf.Tile("tree", ("grass",) * 4, apart=True)])
    assert len(wf.lint(lonely)) == 1
    assert wf.lint(wf.TileSet([*lonely.tiles, wf.Tile("lawn", ("grass",) * 4)])) == []


def test_rules_can_give_a_side_what_its_socket_does_not():
    odd = wf.Tile("odd", ("x", "a", "a", "a"))
    plain = wf.Tile("plain", ("a",) * 4)
    assert len(wf.lint(wf.TileSet([odd, plain]))) == 1
    assert wf.lint(wf.TileSet([odd, plain], beside=[wf.Beside("odd", "plain", "north")])) == []


def test_tiles_without_sockets_are_not_mentioned():
    assert wf.lint(wf.learn([[0, 1, 2], [3, 4, 5]], n=2, periodic=False)) == []


def test_no_more_findings_are_listed_than_anyone_reads():
    found = wf.lint(wf.TileSet([wf.Tile(f"t{number}", (*f"{number:04d}",)) for number in range(0, 9999, 7)]))
    assert len(found) <= MOST_FINDINGS + 1
    crowd = wf.TileSet([wf.Tile(f"t{number}", (f"s{number}", "", "", "")) for number in range(500)])
    assert len(wf.lint(crowd)) == MOST_FINDINGS + 1
    assert wf.lint(crowd)[-1] == "there are more findings"


# --- letters ------------------------------------------------------------------------------------


def picture(side, arms, width=None, grain=6, seed=0):
    """A path on grass that leaves by these sides, with a little noise."""
    pixels = np.empty((side, side, 4), np.uint8)
    pixels[:] = (*GRASS, 255)
    wide = width or max(1, side // 4)
    low = (side - wide) // 2
    lane = slice(low, low + wide)
    reach = {
        "N": (slice(0, low + wide), lane),
        "E": (lane, slice(low, side)),
        "S": (slice(low, side), lane),
        "W": (lane, slice(0, low + wide)),
    }
    for arm in arms:
        pixels[reach[arm]] = (*PATH, 255)
    noise = np.random.default_rng(seed).integers(-grain, grain + 1, (side, side, 1))
    pixels[..., :3] = np.clip(pixels[..., :3] + noise, 0, 255)
    return pixels


RIGHT = {"NESW": "XIT\\LF", "NS": "ITF", "NE": "LF", "NEW": "TF", "": "XITL\\F", "N": "TF", "NW": "F"}


@pytest.mark.parametrize("side", [3, 8, 15, 16, 24, 48])
@pytest.mark.parametrize("arms", RIGHT)
def test_a_letter_is_mentioned_if_the_drawing_contradicts_it_and_only_then(side, arms):
    for letter in "XITL\\F":
        tile = wf.Tile("path", symmetry=letter, picture=picture(side, arms))
        fits = letter in RIGHT[arms] or (letter == "I" and arms == "NS")
        assert (wf.lint(wf.TileSet([tile])) == []) == fits, (arms, letter)


@pytest.mark.parametrize("letter", "XI")
@pytest.mark.parametrize("width", [1, 2, 5])
def test_even_a_thin_bend_is_no_cross(letter, width):
    bend = wf.Tile("bend", symmetry=letter, picture=picture(32, "NE", width))
    (text,) = wf.lint(wf.TileSet([bend]))
    turned = "turned by 90 degrees" if letter == "X" else "turned by 180 degrees"
    assert text == (
        f"tile 'bend' has symmetry {letter!r}, so it should look the same {turned}, "
        "but its picture changes a lot; 'L' would fit"
    )


def test_a_line_one_pixel_off_the_middle_is_let_pass():
    for side, width in ((16, 1), (16, 3), (17, 2)):
        assert wf.lint(wf.TileSet([wf.Tile("line", symmetry="I", picture=picture(side, "NS", width))])) == []


def test_a_bend_drawn_the_wrong_way_round_is_told_how_to_turn():
    tile = wf.Tile("bend", symmetry="L", picture=picture(16, "NW"))
    (text,) = wf.lint(wf.TileSet([tile]))
    assert text.endswith("rotate the picture by 90 degrees, or use 'F'")
    right = np.rot90(tile.picture, -1)  # clockwise
    assert wf.lint(wf.TileSet([wf.Tile("bend", symmetry="L", picture=right)])) == []


def test_a_flower_does_not_break_a_symmetry():
    lawn = picture(16, "")
    lawn[3, 4] = (250, 244, 220, 255)
    lawn[10:12, 2:4] = (226, 110, 120, 255)
    assert wf.lint(wf.TileSet([wf.Tile("flowers", symmetry="X", picture=lawn)])) == []


def test_what_cannot_be_seen_does_not_count():
    hidden = picture(16, "NE")
    hidden[..., 3] = 0
    assert wf.lint(wf.TileSet([wf.Tile("air", symmetry="X", picture=hidden)])) == []


def test_sockets_must_keep_what_the_letter_promises():
    bend = wf.Tile("bend", ("pipe", "pipe", "wall", "wall"), symmetry="I")
    assert wf.lint(wf.TileSet([bend])) == [
        "tile 'bend' has symmetry 'I', so it should look the same turned by 180 degrees, but its north side "
        "would show 'wall' instead of 'pipe'; 'L' would fit"
    ]
    for letter in "LF":
        assert wf.lint(wf.TileSet([wf.Tile("bend", bend.sockets, symmetry=letter)])) == []


def test_rises_must_keep_it_too():
    ramp = wf.Tile("ramp", ("a",) * 6, symmetry="X", levels=3, rises=(1, 1, 0, 0, 0, 0))
    assert any("would rise by" in text for text in wf.lint(wf.TileSet([ramp], "hex")))


def test_words_and_lists_promise_nothing():
    for symmetry in ("fixed", "turned", (0, 90), "F"):
        assert wf.lint(wf.TileSet([wf.Tile("bend", symmetry=symmetry, picture=picture(16, "NE"))])) == []


def test_pictures_of_each_pattern_promise_nothing():
    own = tuple(picture(16, "N", seed=seed) for seed in range(4))
    assert wf.lint(wf.TileSet([wf.Tile("end", symmetry="L", picture=own)])) == []


@pytest.mark.parametrize("name", wf.tilesets())
def test_there_is_nothing_to_find_in_bundled_sets(name):
    assert wf.lint(wf.TileSet.load(name)) == []


@pytest.mark.skipif(DATA is None or not DATA.is_dir(), reason="WAVEFOLD_DATA names no folder with mxgmn")
@pytest.mark.parametrize("name", ["Castle", "Circuit", "Knots", "Rooms"])
def test_there_is_nothing_to_find_in_public_sets(name):
    assert wf.lint(read_mxgmn(DATA / "tilesets" / f"{name}.xml")) == []


@pytest.mark.parametrize("given", ["pipes", None])
def test_what_is_not_a_tile_set_is_refused(given):
    with pytest.raises(wf.TileSetError, match="lint needs a TileSet"):
        wf.lint(given)
