"""Tile sets of mxgmn/WaveFunctionCollapse: what is read, what is drawn, what is refused."""

import json
import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from support import draw_patterns
from wavefold.formats import read_mxgmn, subsets
from wavefold.formats.mxgmn import MOST_BYTES, VARIANT_ORIENTATIONS
from wavefold.formats.nodes import MOST_ELEMENTS
from wavefold.tiles import get_ring
from wavefold.tiles.orientation import parse_symmetry

DATA = Path(os.environ["WAVEFOLD_DATA"]) / "mxgmn" if os.environ.get("WAVEFOLD_DATA") else None
needs_data = pytest.mark.skipif(
    DATA is None or not (DATA / "cases.json").is_file(),
    reason="WAVEFOLD_DATA names no folder with mxgmn/cases.json: the public tile sets are NOT tested",
)
NORTH, EAST, SOUTH, WEST = range(4)


def public_cases():
    if DATA is None or not (DATA / "cases.json").is_file():
        return [pytest.param(None, id="no-data")]
    cases = json.loads((DATA / "cases.json").read_text())["tilesets"]
    return [pytest.param(case, id=f"{case['name']}-{case['subset']}") for case in cases]


def read_case(case):
    return read_mxgmn(DATA / "tilesets" / f"{case['name']}.xml", case["subset"])


# --- the public tile sets -----------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize("case", public_cases())
def test_public_tile_sets_have_as_many_patterns_and_pairs_as_they_should(case):
    rules = read_case(case).rules
    assert len(rules) == case["variants"]
    assert rules.allowed.sum(axis=(1, 2)).tolist() == [case["pairs"]] * 4


@needs_data
@pytest.mark.parametrize("case", public_cases())
def test_public_tile_sets_make_valid_maps(case):
    solution = wf.generate(read_case(case), wf.SquareGrid(24, 24), seed=1)
    assert wf.check(solution.problem, solution) == []
    assert solution.image().size[0] % 24 == 0


@needs_data
def test_lines_go_on_across_the_sides_of_drawn_knots():
    tiles = read_mxgmn(DATA / "tilesets" / "Knots.xml", "Standard")
    solution = wf.generate(tiles, wf.SquareGrid(12, 12), seed=3)
    image = np.asarray(solution.image().convert("L")).astype(int)
    side = image.shape[0] // 12
    for cut in range(side, image.shape[0], side):
        assert np.abs(image[cut - 1] - image[cut]).max() < 64
        assert np.abs(image[:, cut - 1] - image[:, cut]).max() < 64


@needs_data
def test_subsets_are_listed_in_the_order_of_the_file():
    assert subsets(DATA / "tilesets" / "Knots.xml")[:3] == ["Standard", "Dense", "Crossless"]
    assert subsets(DATA / "tilesets" / "Rooms.xml") == []


# --- small ones ---------------------------------------------------------------------------------


def picture(seed, side=3):
    """Noise: no two of its turns and mirror images are alike."""
    return np.random.default_rng(seed).integers(0, 256, (side, side, 4), np.uint8)


@pytest.fixture
def written(tmp_path):
    """Write a set and its pictures; the path of the file."""

    def write(text, pictures=("a", "b"), side=3):
        path = tmp_path / "small.xml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        (tmp_path / "small").mkdir(exist_ok=True)
        for seed, name in enumerate(pictures):
            Image.fromarray(picture(seed, side)).save(tmp_path / "small" / f"{name}.png")
        return path

    return write


def small(tiles='<tile name="a"/>\n<tile name="b"/>', neighbors='<neighbor left="a" right="b"/>', more=""):
    return f"<set>\n<tiles>\n{tiles}\n</tiles>\n<neighbors>\n{neighbors}\n</neighbors>\n{more}</set>"


def drawn(tiles, pattern):
    """The picture of one pattern, as a map of one cell shows it."""
    solution = wf.generate(tiles, wf.SquareGrid(1, 1), pins={(0, 0): pattern})
    return np.asarray(solution.image())


def test_one_line_holds_turned_and_mirrored_as_well(written):
    rules = read_mxgmn(
        written(small('<tile name="a" symmetry="L"/>', '<neighbor left="a 3" right="a"/>'))
    ).rules
    assert rules.names == ("a", "a@270", "a@180", "a@90")
    assert np.argwhere(rules.allowed[EAST]).tolist() == [[0, 3], [1, 2], [2, 1], [3, 0]]
    assert np.argwhere(rules.allowed[NORTH]).tolist() == [[0, 1], [1, 0], [2, 3], [3, 2]]
    assert (rules.allowed[WEST] == rules.allowed[EAST].T).all()
    assert (rules.allowed[SOUTH] == rules.allowed[NORTH].T).all()


def moved(pixels, action):
    """A picture after one of the eight actions: turned counter-clockwise, then mirrored."""
    turned = np.rot90(pixels, action % 4)
    return turned[:, ::-1] if action >= 4 else turned


def symmetric_picture(letter, seed):
    """Noise that looks the same after exactly the actions that leave a tile of this class as it is."""
    alike = parse_symmetry(letter, get_ring("square"), "").variant_of
    keeps = [
        number
        for number, action in enumerate(VARIANT_ORIENTATIONS)
        if alike[get_ring("square").parse(action)] == 0
    ]
    return np.max([moved(picture(seed), action) for action in keeps], axis=0)


@pytest.mark.parametrize("right", list("XILTF\\"))
@pytest.mark.parametrize("left", list("XILTF\\"))
def test_what_may_touch_is_the_drawn_pair_turned_and_mirrored_and_nothing_else(written, left, right):
    kinds = f'<tile name="a" symmetry="{left}"/><tile name="b" symmetry="{right}"/>'
    art = [symmetric_picture(left, 0), symmetric_picture(right, 1)]
    for action in range(8):
        other = (3 * action + 1) % 8
        path = written(small(kinds, f'<neighbor left="a {action}" right="b {other}"/>'))
        for name, pixels in zip("ab", art, strict=True):
            Image.fromarray(pixels).save(path.parent / "small" / f"{name}.png")
        tiles = read_mxgmn(path)
        shown = draw_patterns(tiles, 3)
        pair = np.hstack([moved(art[0], action), moved(art[1], other)])
        expected = {(each.shape, each.tobytes()) for each in (moved(pair, move) for move in range(8))}
        allowed = tiles.rules.allowed
        for (a, here), (b, there) in product(enumerate(shown), repeat=2):
            beside, upright = np.hstack([here, there]), np.vstack([there, here])
            assert allowed[EAST, a, b] == ((beside.shape, beside.tobytes()) in expected)
            assert allowed[NORTH, a, b] == ((upright.shape, upright.tobytes()) in expected)


def test_a_bare_name_means_every_variant_and_a_full_name_one(written):
    text = small('<tile name="a" symmetry="T" weight="2.5"/><tile name="b" symmetry="?"/>')
    tiles = read_mxgmn(written(text))
    assert tiles.rules.tiles == ("a", "b")
    assert tiles.rules.tile_of.tolist() == [0, 0, 0, 0, 1]
    assert tiles.rules.weights.tolist() == [2.5, 2.5, 2.5, 2.5, 1.0]
    assert tiles.rules.patterns("a").tolist() == [0, 1, 2, 3]
    assert tiles.rules.patterns("a@90").tolist() == [3]
    assert tiles.rules.patterns("a@0").tolist() == [0]


def test_variants_are_drawn_turned_the_way_their_names_say(written):
    tiles = read_mxgmn(written(small('<tile name="a" symmetry="L"/>', '<neighbor left="a" right="a"/>')))
    for turn in range(4):
        assert (drawn(tiles, f"a@{turn * 90}") == np.rot90(picture(0), -turn)).all()


def test_mirrored_variants_keep_the_name_and_are_drawn_mirrored(written):
    tiles = read_mxgmn(written(small('<tile name="a" symmetry="F"/>', '<neighbor left="a 7" right="a"/>')))
    assert tiles.rules.names[4:] == ("a@m", "a@m90", "a@m180", "a@m270")
    assert tiles.rules.patterns("a").tolist() == list(range(8))
    assert tiles.rules.patterns("a@m").tolist() == [4]
    for variant, pattern in enumerate(tiles.rules.names[4:]):
        assert (drawn(tiles, pattern) == np.rot90(picture(0), variant)[:, ::-1]).all()
    solution = wf.generate(tiles, wf.SquareGrid(1, 1), pins={(0, 0): "a@m90"})
    assert solution.values.tolist() == [["a"]]


def test_unique_pictures_are_drawn_as_they_are(written):
    text = (
        small('<tile name="a" symmetry="L"/>').replace("<set>", '<set unique="True">').replace('"b"', '"a"')
    )
    tiles = read_mxgmn(written(text, ("a 0", "a 1", "a 2", "a 3")))
    assert tiles.rules.names == ("a", "a@270", "a@180", "a@90")
    assert tiles.rules.patterns("a").tolist() == [0, 1, 2, 3]
    for variant, name in enumerate(("a@0", "a@270", "a@180", "a@90")):
        assert (drawn(tiles, name) == picture(variant)).all()


def test_a_subset_keeps_only_its_tiles(written):
    listed = '<subsets><subset name="alone"><tile name="b"/></subset></subsets>'
    path = written(
        small(neighbors='<neighbor left="a" right="b"/><neighbor left="b" right="b"/>', more=listed)
    )
    tiles = read_mxgmn(path, "alone")
    assert tiles.rules.names == ("b",)
    assert tiles.rules.allowed.all()
    assert (drawn(tiles, "b") == picture(1)).all()


# --- what is refused ----------------------------------------------------------------------------

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMB = f'<!DOCTYPE set [<!ENTITY l0 "ha">{LAUGHS}]>\n<set>&l9;</set>'

REFUSED = {
    "no XML": ("road, river", r"small\.xml', line 1: not valid XML"),
    "cut off": (small()[:40], r"line \d+: not valid XML"),
    "empty": ("", "not valid XML"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><set/>', "not valid XML"),
    "another root": ("<map/>", "<map> is not a tile set; expected <set>"),
    "no tiles": ("<set><neighbors/></set>", "<set> has no <tiles>"),
    "no tile": (small(tiles=""), "has no <tile>"),
    "no neighbors": ('<set><tiles><tile name="a"/></tiles></set>', "<set> has no <neighbors>"),
    "no name": (small("<tile/>"), "line 3: <tile> has no attribute 'name'"),
    "bad name": (small('<tile name="../a"/>'), "line 3: .*needs a name without"),
    "two of a name": (
        small('<tile name="a"/>\n<tile name="a"/>'),
        "line 4: .*the same name as the tile on line 3",
    ),
    "unknown tile": (
        small('<tile name="road"/>', '<neighbor left="rod" right="road"/>'),
        "did you mean 'road'",
    ),
    "unknown turned tile": (
        small('<tile name="road"/>', '<neighbor left="rod 1" right="road"/>'),
        "line 6: .*unknown tile 'rod'; did you mean 'road'",
    ),
    "variant 8": (small(neighbors='<neighbor left="a 8" right="b"/>'), "variant '8' of 'a'; .* 0 to 7"),
    "variant one": (small(neighbors='<neighbor left="a one" right="b"/>'), "variant 'one' of 'a'"),
    "one-sided": (small(neighbors='<neighbor left="a"/>'), "has no attribute 'right'"),
    "entities": (BOMB, "line 1: <!DOCTYPE set> is refused"),
    "entities in UTF-16": (BOMB.encode("utf-16"), "<!DOCTYPE set> is refused"),
    "nesting": ("<set>" * 1000, "nested too deeply"),
    "crowd": ("<set>" + "<a/>" * (MOST_ELEMENTS + 1), "at most 200,000 elements"),
    "size": (b" " * (MOST_BYTES + 1), "is larger than"),
} | {
    f"weight {weight}": (small(f'<tile name="a" weight="{weight}"/>'), f"has weight '{weight}'; .*above 0")
    for weight in ("0", "-1", "heavy", "nan", "inf", "")
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_bad_file_is_refused_with_the_reason(written, text, message):
    with pytest.raises(wf.FormatError, match=message) as caught:
        read_mxgmn(written(text))
    assert "small.xml" in str(caught.value)


def test_too_many_variants_are_refused_before_their_table_is_made(written):
    crowd = "".join(f'<tile name="t{number}" symmetry="F"/>' for number in range(1000))
    with pytest.raises(wf.FormatError, match="8,000 tile variants"):
        read_mxgmn(written(small(crowd, '<neighbor left="t0" right="t1"/>')))


def test_a_missing_file_or_a_folder_is_refused(tmp_path):
    for path in (tmp_path / "nothing.xml", tmp_path):
        with pytest.raises(wf.FormatError, match="cannot read"):
            read_mxgmn(path)


def test_an_unknown_subset_is_refused_with_the_nearest(written):
    path = written(
        small(more='<subsets><subset name="Dense"/><subset name="Odd"><tile name="c"/></subset></subsets>')
    )
    assert subsets(path) == ["Dense", "Odd"]
    with pytest.raises(wf.FormatError, match="no subset 'dens'; did you mean 'Dense'"):
        read_mxgmn(path, "dens")
    with pytest.raises(wf.FormatError, match="no subset 'x'; known: Dense, Odd"):
        read_mxgmn(path, "x")
    with pytest.raises(wf.FormatError, match='<subset name="Dense"> lists no <tile>'):
        read_mxgmn(path, "Dense")
    with pytest.raises(wf.FormatError, match='<tile name="c"> is not one of <tiles>'):
        read_mxgmn(path, "Odd")


def test_missing_pictures_are_named(written):
    with pytest.raises(wf.FormatError, match=r"line 4: .*b\.png', which does not exist"):
        read_mxgmn(written(small(), ("a",)))


def test_pictures_that_are_links_to_another_folder_are_refused(written, tmp_path):
    path = written(small())
    outside = tmp_path.with_name(f"{tmp_path.name}-outside")
    path.with_suffix("").rename(outside)
    path.with_suffix("").symlink_to(outside, target_is_directory=True)
    with pytest.raises(wf.FormatError, match=r"line 3: .*a\.png', which is outside the folder of the file"):
        read_mxgmn(path)


def test_pictures_must_be_of_one_size(written):
    path = written(small())
    written(small(), ("b",), side=4)
    with pytest.raises(wf.FormatError, match=r"b\.png' of 4 x 4 pixels, but 'a\.png' has 3 x 3"):
        read_mxgmn(path)


@pytest.mark.parametrize(("width", "height"), [(3, 4), (1025, 1025)])
def test_pictures_must_be_small_squares(written, width, height):
    path = written(small())
    Image.new("RGB", (width, height)).save(path.parent / "small" / "a.png")
    with pytest.raises(
        wf.FormatError, match=f"{width} x {height} pixels; pictures must be square, and at most 1024"
    ):
        read_mxgmn(path)


@pytest.mark.parametrize("length", [0, 20, 60])
def test_damaged_pictures_are_named(written, length):
    path = written(small())
    damaged = path.parent / "small" / "b.png"
    damaged.write_bytes(damaged.read_bytes()[:length])
    with pytest.raises(wf.FormatError, match=r"b\.png', which is not a complete PNG file"):
        read_mxgmn(path)


# --- by name or by path ---------------------------------------------------------------------------


@needs_data
def test_a_tile_set_file_is_loaded_by_its_ending():
    tiles = wf.TileSet.load(DATA / "tilesets" / "Knots.xml", subset="Standard")
    assert len(tiles.rules) == 9


def test_a_file_of_an_unknown_ending_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(wf.TileSetError, match=r"Files end in .*\.xml"):
        wf.TileSet.load(tmp_path / "tiles.doc")
