"""Tile sets and samples from bytes: the same as from files, and what could do harm is refused by name."""

import struct
import zlib
from contextlib import suppress
from io import BytesIO

import numpy as np
import pytest
from archives import TOML, TOML_FILES, XML, XML_FILES, noise, png, zipped
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import wavefold as wf
from wavefold.formats.archive import InputLimits
from wavefold.formats.received import learn_received, read_received_tiles
from wavefold.formats.sheet import pack
from wavefold.kernels.host.checkpoint import Stopped, checking
from wavefold.options.values import LimitError

TSX = b"""<tileset name="t" tilewidth="4" tileheight="4" tilecount="2" columns="2">
<image source="../art/sheet.png"/><wangsets><wangset name="w" type="edge"><wangcolor name="a"/>
<wangtile tileid="0" wangid="1,0,1,0,1,0,1,0"/><wangtile tileid="1" wangid="1,0,1,0,1,0,1,0"/>
</wangset></wangsets></tileset>"""
TMX = b"""<map orientation="orthogonal" width="2" height="1" tilewidth="4" tileheight="4">
<tileset firstgid="1" source="sets/t.tsx"/>
<layer name="l" width="2" height="1"><data encoding="csv">1,2</data></layer></map>"""
SHEET = {"art/sheet.png": png(8, 4)}


def save(files, folder):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def assert_same(one, other):
    assert one.rules.digest == other.rules.digest
    assert one.name == other.name
    np.testing.assert_array_equal(one.pictures(), other.pictures())


@pytest.mark.parametrize(
    ("files", "description"),
    [
        (TOML_FILES, "tiles.toml"),
        (XML_FILES, "Path.xml"),
        ({"deep/er/" + name: content for name, content in XML_FILES.items()}, "deep/er/Path.xml"),
        ({"t.tsx": TSX.replace(b"../art", b"art"), **SHEET}, "t.tsx"),
        ({"map.tmx": TMX, "sets/t.tsx": TSX, **SHEET}, "map.tmx"),
    ],
)
def test_an_archive_is_read_as_its_files_would_be(files, description, tmp_path):
    save(files, tmp_path)
    expected = wf.TileSet.load(tmp_path / description)
    received = read_received_tiles(zipped({"README.md": b"hello", **files}))
    assert_same(received.tiles, expected)
    assert received.findings == ()


def test_pictures_may_be_anywhere_in_an_archive_which_is_the_file_that_was_opened(tmp_path):
    files = {"sets/t.tsx": TSX, **SHEET}
    save(files, tmp_path)
    with pytest.raises(wf.FormatError, match=r"'\.\./art/sheet.png' is not a relative path of a picture in"):
        wf.TileSet.load(tmp_path / "sets/t.tsx")
    (tmp_path / "t.zip").write_bytes(zipped(files))
    assert len(wf.TileSet.load(tmp_path / "t.zip")) == 2


@pytest.mark.parametrize("name", ["castle", "blocks"])
def test_bundled_sets_come_back_from_an_archive_of_their_files(name, tmp_path):
    tiles = wf.TileSet.load(name)
    tiles.save(tmp_path / "tiles.toml")
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert_same(read_received_tiles(zipped(files)).tiles, tiles)


def test_a_single_toml_file_without_pictures_needs_no_archive():
    text = b'format = 1\n[tiles.a]\nsockets = "x"\ncolour = "red"\n'
    assert len(read_received_tiles(text).tiles) == 1


def test_what_looks_like_a_mistake_is_returned_and_not_warned_of():
    text = TOML.replace(b'["dirt", "grass"', b'["dirty", "grass"')
    finding, *_ = read_received_tiles(zipped({**TOML_FILES, "tiles.toml": text})).findings
    assert "'dirty' to the north, which nothing matches" in finding


def test_options_of_the_format_are_passed_on_and_others_refused():
    subset = XML.replace(b"</set>", b'<subsets><subset name="s"><tile name="a"/></subset></subsets></set>')
    data = zipped({**XML_FILES, "Path.xml": subset})
    assert [tile.name for tile in read_received_tiles(data, subset="s").tiles.tiles] == ["a"]
    with pytest.raises(wf.ConfigError, match="unknown option 'subst'; did you mean 'subset'"):
        read_received_tiles(data, subst="s")
    with pytest.raises(wf.ConfigError, match="option 'most_patterns'; known: none"):
        read_received_tiles(TOML, most_patterns=1)


# --- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {"a.png": png(1, 1)},
            "has no description of a tile set; expected one file with the ending .toml, .xml",
        ),
        ({}, "has no description of a tile set"),
        ({"a.toml": TOML, "b.toml": TOML}, r"has 2 descriptions of tile sets \('a.toml', 'b.toml'\)"),
        ({"a.toml": TOML, "b.xml": XML}, "has 2 descriptions of tile sets"),
        ({"tiles.toml": TOML}, "the picture 'art/sheet.png' does not exist"),
        ({"Path.xml": XML}, "needs the picture 'Path/a.png', which does not exist"),
        ({"tiles.toml": TOML, "art/sheet.png": b"text"}, "'art/sheet.png' has an unsupported picture format"),
        ({"tiles.toml": TOML, "art/sheet.png": png(8, 4)[:45]}, "not a complete"),
        ({"tiles.toml": b"\xff", **SHEET}, "not valid UTF-8"),
    ],
)
def test_an_archive_must_be_one_complete_tile_set(files, problem):
    with pytest.raises(wf.FormatError, match=problem):
        read_received_tiles(zipped(files))


def test_xml_without_an_archive_is_refused_with_advice():
    with pytest.raises(wf.FormatError, match="send a zip archive with the file and its pictures"):
        read_received_tiles(XML)


def test_a_doctype_with_entities_is_refused():
    bomb = b'<!DOCTYPE set [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + XML
    with pytest.raises(wf.FormatError, match=r"<!DOCTYPE set> is refused; remove it"):
        read_received_tiles(zipped({**XML_FILES, "Path.xml": bomb}))


@pytest.mark.parametrize("path", ["/etc/hostname", "art/sheet.png"])
def test_a_constraint_cannot_name_a_file(path):
    text = TOML + b'\n[[constraints]]\nkind = "area"\ntile = "lawn"\narea = "%s"\n' % path.encode()
    with pytest.raises(wf.FormatError, match=f"a constraint names the file '{path}'; list its area instead"):
        read_received_tiles(zipped({**TOML_FILES, "tiles.toml": text}))


def test_pictures_of_tiles_outside_of_the_archive_are_not_found(tmp_path):
    outside = tmp_path / "a.png"
    outside.write_bytes(png(4, 4))
    text = TOML.replace(b"art/sheet.png", str(outside).encode())
    with pytest.raises(wf.FormatError, match="a picture must be a PNG file in the same folder"):
        read_received_tiles(zipped({**TOML_FILES, "tiles.toml": text}))
    reach = TSX.replace(b"../art/sheet.png", b"../" * 20 + str(outside).encode())
    with pytest.raises(wf.FormatError, match="which does not exist"):
        read_received_tiles(zipped({"sets/t.tsx": reach, **SHEET}))


# --- limits ---------------------------------------------------------------------------------------


def png_that_claims(width, height):
    """A picture whose header says more than there is."""
    data = bytearray(png(1, 1))
    struct.pack_into(">II", data, 16, width, height)
    struct.pack_into(">I", data, 29, zlib.crc32(bytes(data[12:29])))
    return bytes(data)


@pytest.mark.parametrize("size", [(60_000, 60_000), (20_000, 5_000), (3_000, 3_000)])
def test_a_picture_that_claims_too_many_pixels_is_refused_before_it_is_decoded(size):
    bomb = png_that_claims(*size)
    with pytest.raises(LimitError, match="pixels; at most 4,194,304 are accepted") as caught:
        read_received_tiles(zipped({**TOML_FILES, "art/sheet.png": bomb}))
    assert caught.value.limit == "pixels"
    with pytest.raises(LimitError, match="pixels; at most 4,194,304 are accepted"):
        learn_received(bomb)


def test_all_pictures_of_an_archive_together_are_limited():
    with pytest.raises(LimitError, match=r"up to 'Path/b.png', .* together has 32 pixels; at most 20"):
        read_received_tiles(zipped(XML_FILES), limits=InputLimits(pixels=20))


@pytest.mark.parametrize(
    "data",
    [zipped(TOML_FILES), zipped(XML_FILES), zipped({"map.tmx": TMX, "sets/t.tsx": TSX, **SHEET})],
)
def test_patterns_are_limited_in_every_format(data):
    count = len(read_received_tiles(data).tiles)
    assert read_received_tiles(data, limits=InputLimits(patterns=count))
    with pytest.raises(LimitError, match=f"{count - 1}") as caught:
        read_received_tiles(data, limits=InputLimits(patterns=count - 1))
    assert caught.value.limit == "patterns"


def test_a_picture_that_is_named_many_times_takes_memory_once():
    cells = ",".join(["[0, 0]"] * 8)
    text = TOML.replace(b'symmetry = "I"\nat = [1, 0]', b'symmetry = "F"\nat = [%s]' % cells.encode())
    tiles = read_received_tiles(zipped({**TOML_FILES, "tiles.toml": text})).tiles
    assert len({id(picture) for picture in tiles.tiles[1].picture}) == 1


def test_models_that_name_one_cell_without_end_are_refused():
    layers = ",".join(["[0, 0]"] * 17)
    sheet = '[sheet]\nfile = "s.png"\nsize = [1024, 1024]\n'
    text = f'format = 1\ntopology = "cube"\n{sheet}[tiles.a]\nmodel = [{layers}]'
    with pytest.raises(
        wf.FormatError, match="all models and pictures of objects together may have at most 16,777,216"
    ):
        read_received_tiles(zipped({"a.toml": text, "s.png": png(1024, 1024)}))


def test_a_file_that_is_too_large_is_refused_whatever_it_is():
    for read in (read_received_tiles, learn_received):
        with pytest.raises(LimitError, match="has 11 bytes; at most 10 are accepted"):
            read(b"format = 1 ", limits=InputLimits(size=10))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[constraints]]\nkind = "count"\ntile = "a"\n' * 257, "257 constraints; at most 256 are allowed"),
        ("".join(f'[objects.o{each}]\non = "a"\n' for each in range(257)), "257 objects; at most 256"),
        (f"[tiles.b]\nlimits = [{'{h = [0, 1]},' * 65}]\n", "a list of at most 64 tables"),
        ("[tiles.b]\n" + "".join(f"k{each} = 1\n" for each in range(20)), "and 10 more"),
        ("".join(f"k{each}=1\n" for each in range(1 << 18)), "has too many keys; at most 262,144"),
    ],
)
def test_files_with_more_than_any_tile_set_needs_are_refused(text, problem):
    with pytest.raises(wf.FormatError, match=problem):
        read_received_tiles(f'format = 1\n[tiles.a]\nsockets = "x"\n{text}'.encode())


def test_a_description_is_smaller_than_an_archive_may_be():
    with pytest.raises(LimitError, match=r"'tiles.toml' has [0-9]+ bytes; at most 10 are accepted") as caught:
        read_received_tiles(zipped(TOML_FILES), limits=InputLimits(text=10))
    assert caught.value.limit == "text"


def test_equal_pictures_share_a_cell_without_being_copied():
    picture = np.zeros((4, 4, 4), np.uint8)
    packed = pack([picture, picture + np.uint8(1), picture, picture.copy()])
    assert packed.cells == [(0, 0), (1, 0), (0, 0), (0, 0)]


def test_reading_rules_can_be_stopped():
    rules = "".join('[[beside]]\nhere = ["a", "b"]\nthere = "a"\n' for _ in range(20))
    text = f"format = 1\n[tiles.a]\n[tiles.b]\n{rules}".encode()
    passed = []

    def stop():
        passed.append(1)
        if len(passed) > 10:
            raise Stopped("enough")

    with pytest.raises(Stopped), checking(stop):
        read_received_tiles(text)


# --- samples --------------------------------------------------------------------------------------


def test_a_sample_is_learned_as_from_a_file():
    path = wf.tiles.learning.samples.find_sample_path("cave")
    expected = wf.learn(path, n=2, symmetry=1)
    received = learn_received(path.read_bytes(), n=2, symmetry=1)
    assert received.tiles.rules.digest == expected.rules.digest
    assert received.findings == ()


def test_advice_about_a_sample_is_returned():
    cave = Image.open(wf.tiles.learning.samples.find_sample_path("cave")).convert("RGB")
    content = BytesIO()
    cave.resize((cave.width * 3, cave.height * 3), Image.Resampling.NEAREST).save(content, "PNG")
    (advice,) = learn_received(content.getvalue(), n=2).findings
    assert "the picture is upscaled" in advice


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"n": 9}, wf.TileSetError, "n must be a whole number from 1 to 5, not 9"),
        ({"m": 3}, wf.ConfigError, "option 'm'"),
        ({"most_patterns": 3}, wf.ConfigError, "option 'most_patterns'"),
    ],
)
def test_options_of_learning_are_checked(options, error, problem):
    with pytest.raises(error, match=problem):
        learn_received(noise(8, 8), **options)


def test_patterns_of_a_sample_are_limited():
    with pytest.raises(LimitError, match="more than 60 patterns"):
        learn_received(noise(20, 20), limits=InputLimits(patterns=60), n=2)


@pytest.mark.parametrize("kind", ["PNG", "BMP", "JPEG"])
def test_samples_are_of_a_few_kinds(kind):
    content = BytesIO()
    Image.new("RGB", (8, 8)).save(content, kind)
    assert len(learn_received(content.getvalue()).tiles) == 1


def test_a_sample_of_another_kind_is_refused():
    content = BytesIO()
    Image.new("RGB", (8, 8)).save(content, "TIFF")
    with pytest.raises(wf.FormatError, match="unsupported picture format; save it as PNG"):
        learn_received(content.getvalue())


# --- damaged --------------------------------------------------------------------------------------

WHOLE = [
    zipped(TOML_FILES),
    zipped(TOML_FILES, 0),
    zipped(XML_FILES, 0),
    zipped({"map.tmx": TMX, "sets/t.tsx": TSX, **SHEET}, 0),
    TOML,
]


@given(
    st.sampled_from(WHOLE),
    st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=8),
    st.floats(0, 1),
    st.binary(max_size=20),
)
def test_damaged_bytes_give_a_tile_set_or_one_of_our_errors(whole, changes, cut, tail):
    data = bytearray(whole if cut > 0.5 else whole[: int(len(whole) * 2 * cut)])
    for position, byte in changes:
        if data:
            data[position % len(data)] = byte
    for read in (read_received_tiles, learn_received):
        with suppress(wf.WavefoldError):
            assert len(read(bytes(data) + tail).tiles.rules) > 0


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 255)), max_size=6), st.integers(0, 200))
def test_damaged_pictures_give_a_tile_set_or_one_of_our_errors(changes, length):
    data = bytearray(noise(6, 6))
    for position, byte in changes:
        data[position % len(data)] = byte
    with suppress(wf.WavefoldError):
        assert len(learn_received(bytes(data[:length])).tiles.rules) > 0
    with suppress(wf.WavefoldError):
        files = {**TOML_FILES, "art/sheet.png": bytes(data)}
        assert len(read_received_tiles(zipped(files, 0)).tiles.rules) > 0
