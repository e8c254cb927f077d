"""Tile sets of Tiled with Wang sets: what matches what, how tiles turn, their names and pictures."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tiled_files import SIDE, a_set, a_wangset, picture, sheet, write

import wavefold as wf
from support import draw_patterns
from wavefold.formats import read_tiled_tileset, wangsets

# Where the eight numbers of a Wang id stand around a tile: top, top right, right, …
RING = ((0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0))
KINDS = {"corner": (1, 3, 5, 7), "edge": (0, 2, 4, 6), "mixed": tuple(range(8))}
ALL_CORNERS = [(0, a, 0, b, 0, c, 0, d) for a, b, c, d in product((1, 2), repeat=4)]


@pytest.fixture(params=[".tsx", ".tsj"])
def written(request, tmp_path):
    """Write a set and its sheet; the path of the file."""

    def put(document, tiles=16, **cut):
        sheet(tmp_path / "sheet.png", tiles, **cut)
        return write(tmp_path / f"set{request.param}", document)

    return put


# --- what matches what --------------------------------------------------------------------------


def around(wang_id, kind):
    """[row, column] the colours of a tile where they are on it; -1 where sets of this kind have none."""
    places = np.full((3, 3), -1)
    for number, place in enumerate(RING):
        if number in KINDS[kind]:
            places[place] = wang_id[number]
    return places


def placed(places, pattern):
    """The same, mirrored and turned as a pattern's name says."""
    way = pattern.partition("@")[2] or "0"
    turned = places[:, ::-1] if way.startswith("m") else places
    return np.rot90(turned, -int(way.lstrip("m") or 0) // 90)


wang_ids = st.tuples(*[st.integers(0, 2)] * 8)
turns = st.fixed_dictionaries({"hflip": st.booleans(), "vflip": st.booleans(), "rotate": st.booleans()})


@given(st.sampled_from(list(KINDS)), st.lists(wang_ids, min_size=1, max_size=6), turns)
def test_sides_match_exactly_if_they_show_the_same_colours_where_they_touch(
    tmp_path_factory, kind, ids, allowed
):
    folder = tmp_path_factory.mktemp("wang")
    sheet(folder / "sheet.png", 6)
    document = a_set(wangsets=[a_wangset(ids, kind=kind)], transformations=allowed)
    kept = {f"tile {n}": each for n, each in enumerate(ids) if (around(each, kind) > 0).any()}
    if not kept:
        with pytest.raises(wf.FormatError, match="no tile"):
            read_tiled_tileset(write(folder / "set.tsx", document))
        return
    rules = read_tiled_tileset(write(folder / "set.tsx", document)).rules
    assert rules.tiles == tuple(kept)
    shown = [placed(around(kept[name.partition("@")[0]], kind), name) for name in rules.names]
    for (a, here), (b, there) in product(enumerate(shown), repeat=2):
        assert rules.allowed[1, a, b] == (here[:, 2] == there[:, 0]).all()
        assert rules.allowed[2, a, b] == (here[2] == there[0]).all()
        assert rules.allowed[3, b, a] == rules.allowed[1, a, b]
        assert rules.allowed[0, b, a] == rules.allowed[2, a, b]


def test_four_tiles_agree_on_the_corner_they_share(written):
    tiles = wf.TileSet.load(written(a_set(16, wangsets=[a_wangset(ALL_CORNERS)])))
    solution = wf.generate(tiles, wf.SquareGrid(12, 9), seed=4)
    ids = np.array([[ALL_CORNERS[int(name.split()[1])] for name in row] for row in solution.values])
    top_right, bottom_right, bottom_left, top_left = (ids[..., place] for place in (1, 3, 5, 7))
    assert (bottom_right[:-1, :-1] == bottom_left[:-1, 1:]).all()
    assert (bottom_right[:-1, :-1] == top_left[1:, 1:]).all()
    assert (bottom_right[:-1, :-1] == top_right[1:, :-1]).all()
    assert len(np.unique(ids.reshape(-1, 8), axis=0)) > 8
    assert solution.image().size == (12 * SIDE, 9 * SIDE)


@pytest.mark.parametrize(
    ("kind", "wang_id", "sockets"),
    [
        ("corner", (0, 2, 0, 2, 0, 1, 0, 1), ("grass|sand>", "sand|sand", "grass|sand<", "grass|grass")),
        ("edge", (1, 0, 2, 0, 0, 0, 2, 0), ("grass", "sand", "-", "sand")),
        ("mixed", (2, 1, 2, 1, 2, 1, 0, 2), ("grass|sand|sand<", "grass|sand|grass", "grass|sand|grass",
                                             "grass|-|sand>")),
        ("corner", (9, 1, 9, 1, 9, 0, 9, 1), None),
    ],
)  # fmt: skip
def test_sockets_are_written_in_the_authors_words(written, kind, wang_id, sockets):
    path = written(a_set(wangsets=[a_wangset([wang_id], kind=kind)]))
    if sockets is None:
        with pytest.raises(wf.FormatError, match=r"wangid.*8 numbers of colours from 1 to 2"):
            read_tiled_tileset(path)
    else:
        assert read_tiled_tileset(path).tiles[0].sockets == sockets


def test_colours_of_any_name_stay_apart(written):
    names = ("a|b", "a", "b|c", "c", "up>", "up_", "-", "", "a")
    edges = [(number, 0) * 4 for number in range(1, len(names) + 1)]
    path = written(a_set(9, wangsets=[a_wangset(edges, names, "edge")]))
    tiles = read_tiled_tileset(path)
    assert tiles.tiles[7].sockets == ("colour 8",) * 4
    assert (tiles.rules.allowed == np.eye(9, dtype=bool)).all()


# --- how tiles turn -----------------------------------------------------------------------------

TURNS = {
    (): "0",
    ("hflip",): "0 m",
    ("vflip",): "0 m180",
    ("hflip", "vflip"): "0 180 m m180",
    ("rotate",): "0 90 180 270",
    ("rotate", "hflip"): "0 90 180 270 m m90 m180 m270",
    ("rotate", "vflip"): "0 90 180 270 m m90 m180 m270",
}


@pytest.mark.parametrize(("allowed", "ways"), TURNS.items())
def test_transformations_become_orientations(written, allowed, ways):
    names = ("hflip", "vflip", "rotate", "preferuntransformed")
    document = a_set(
        wangsets=[a_wangset([(0, 1, 0, 1, 0, 1, 0, 1)])],
        transformations={name: name in allowed for name in names},
    )
    tiles = read_tiled_tileset(written(document))
    assert tiles.tiles[0].symmetry == tuple(ways.split())
    for pixels, name in zip(draw_patterns(tiles, SIDE), tiles.rules.names, strict=True):
        assert (pixels == placed(picture(0), name)).all()


def test_a_tile_that_is_preferred_as_drawn_leaves_the_turned_ones_out(written):
    straight, bend = (1, 0, 2, 0, 1, 0, 2, 0), (1, 0, 1, 0, 2, 0, 2, 0)
    upright = straight[2:] + straight[:2]
    document = a_set(
        wangsets=[a_wangset([straight, upright, bend], kind="edge")],
        transformations={"rotate": True, "preferuntransformed": True},
    )
    assert [tile.symmetry for tile in read_tiled_tileset(written(document)).tiles] == [
        ("0",), ("0",), ("0", "90", "180", "270"),
    ]  # fmt: skip


def test_a_turn_that_changes_nothing_is_no_pattern_of_its_own(written, tmp_path):
    document = a_set(
        wangsets=[a_wangset([(0, 1, 0, 1, 0, 1, 0, 1)])], transformations={"rotate": True, "hflip": True}
    )
    path = written(document)
    Image.new("RGB", (3 * SIDE, 2 * SIDE), "green").save(tmp_path / "sheet.png")
    assert len(read_tiled_tileset(path)) == 1


# --- names and weights --------------------------------------------------------------------------


def test_tiles_are_called_what_their_author_calls_them(written):
    named = [
        {"id": 0, "type": "meadow"},
        {"id": 1, "class": "rock", "type": "no"},
        {"id": 2, "type": "rock", "properties": [{"name": "name", "type": "string", "value": " pebble "}]},
        {"id": 3, "type": "wall"},
        {"id": 4, "type": "wall"},
        {"id": 5, "type": "tile 6"},
    ]
    ids = [(0, 1, 0, 1, 0, 1, 0, 1)] * 7
    tiles = read_tiled_tileset(written(a_set(9, tiles=named, wangsets=[a_wangset(ids)])))
    names = [tile.name for tile in tiles.tiles]
    assert names == ["meadow", "rock", "pebble", "wall 3", "wall 4", "tile 6", "tile 6'"]
    assert tiles.name == "set, land"


def test_a_tile_weighs_its_probability_times_those_of_its_colours(written):
    wangset = a_wangset([(0, 1, 0, 2, 0, 2, 0, 1), (0, 1, 0, 1, 0, 1, 0, 1), (0, 1, 0, 3, 0, 0, 0, 0)], "abc")
    wangset["colors"][1]["probability"] = 0.5
    wangset["colors"][2]["probability"] = 0
    tiles = [{"id": 0, "probability": 3}, {"id": 1, "probability": 0.25}]
    found = read_tiled_tileset(written(a_set(tiles=tiles, wangsets=[wangset]))).tiles
    assert [(tile.name, tile.weight) for tile in found] == [("tile 0", 0.75), ("tile 1", 0.25)]


def test_a_tile_of_no_probability_is_left_out_and_does_not_stand_in_for_turned_ones(written):
    straight = (1, 0, 2, 0, 1, 0, 2, 0)
    wangset = a_wangset([straight, straight[2:] + straight[:2]], kind="edge")
    document = a_set(
        tiles=[{"id": 1, "probability": 0}],
        wangsets=[wangset],
        transformations={"rotate": True, "preferuntransformed": True},
    )
    assert read_tiled_tileset(written(document)).rules.names == ("tile 0", "tile 0@90", "tile 0@270")


# --- pictures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("margin", "spacing", "columns"), [(0, 0, 3), (2, 1, 3), (1, 3, 2), (2, 2, 0)])
def test_tiles_are_cut_where_they_are(written, margin, spacing, columns):
    ids = [(0, 1, 0, 1, 0, 1, 0, 1)] * 6
    document = a_set(margin=margin, spacing=spacing, columns=columns, wangsets=[a_wangset(ids)])
    path = written(document, 6, columns=columns or 3, margin=margin, spacing=spacing)
    assert (draw_patterns(read_tiled_tileset(path), SIDE) == [picture(number) for number in range(6)]).all()


def test_a_colour_can_be_seen_through(written, tmp_path):
    path = written(a_set(transparentcolor="#ff00fe", wangsets=[a_wangset([(0, 1) * 4])]))
    pixels = np.zeros((2 * SIDE, 3 * SIDE, 3), np.uint8)
    pixels[0, :2] = (255, 0, 254)
    Image.fromarray(pixels).save(tmp_path / "sheet.png")
    shown = draw_patterns(read_tiled_tileset(path), SIDE)[0]
    assert shown[0, :, 3].tolist() == [0, 0, 255, 255]
    assert (shown[1:, :, 3] == 255).all()


def test_tiles_may_have_a_picture_each_or_a_part_of_one(written, tmp_path):
    for number in (0, 7):
        Image.fromarray(picture(number)).save(tmp_path / f"{number}.png")
    document = {
        "type": "tileset",
        "name": "collection",
        "columns": 0,
        "tilecount": 3,
        "tilewidth": SIDE,
        "tileheight": SIDE,
        "grid": {"orientation": "orthogonal", "width": 1, "height": 1},
        "tiles": [
            {"id": 0, "image": "0.png"},
            {"id": 7, "image": "7.png", "type": "rock"},
            {"id": 9, "image": "sheet.png", "x": SIDE, "y": SIDE, "width": SIDE, "height": SIDE},
        ],
    }
    wangset = a_wangset([(0, 1) * 4] * 3)
    for each, number in zip(wangset["wangtiles"], (0, 7, 9), strict=True):
        each["tileid"] = number
    tiles = read_tiled_tileset(written(document | {"wangsets": [wangset]}))
    assert tiles.rules.names == ("tile 0", "rock", "tile 9")
    assert (draw_patterns(tiles, SIDE) == [picture(0), picture(7), picture(4)]).all()


# --- which Wang set -----------------------------------------------------------------------------


def test_one_of_several_wang_sets_is_chosen_by_its_name(written):
    grass, road = a_wangset([(0, 1) * 4]), a_wangset([(0, 0) * 4, (1, 0) * 4], kind="edge", name="road")
    path = written(a_set(wangsets=[grass, road]))
    assert wangsets(path) == ["land", "road"]
    tiles = wf.TileSet.load(path, wangset="road")
    assert tiles.name == "set, road"
    assert tiles.rules.names == ("tile 1",)
    with pytest.raises(
        wf.FormatError, match="2 Wang sets; choose one, such as wangset='land'; known: land, road"
    ):
        wf.TileSet.load(path)
    with pytest.raises(wf.FormatError, match="no Wang set 'raod'; did you mean 'road'"):
        wf.TileSet.load(path, wangset="raod")


def test_without_a_wang_set_the_message_says_what_to_do(written):
    with pytest.raises(wf.FormatError, match=r"has no Wang set and so no rules; .* load its \.tmx or \.tmj"):
        wf.TileSet.load(written(a_set()))


def test_files_of_older_versions_are_recognised(written):
    with pytest.raises(wf.FormatError, match=r"before 1\.5"):
        read_tiled_tileset(written(a_set(wangsets=[a_wangset([]) | {"cornercolors": "x"}])))


def test_isometric_tile_sets_are_refused(written):
    document = a_set(
        wangsets=[a_wangset([(0, 1) * 4])], grid={"orientation": "isometric", "width": 8, "height": 4}
    )
    with pytest.raises(wf.FormatError, match="for isometric maps; only orthogonal"):
        read_tiled_tileset(written(document))
