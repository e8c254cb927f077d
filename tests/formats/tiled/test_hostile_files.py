"""Files of Tiled that are damaged, huge or meant to harm: refused in a sentence that says where."""

import base64
import copy
import json
import os
import zlib
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tiled_files import a_layer, a_map, a_set, a_wangset, as_xml, sheet, write

import wavefold as wf
from wavefold.formats import nodes
from wavefold.formats.tiled import map, tileset

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
CELLS = [[1, 2], [3, 1]]
WANG = a_wangset([(0, 1, 0, 2, 0, 1, 0, 2), (0, 1) * 4])


@pytest.fixture
def folder(tmp_path):
    sheet(tmp_path / "sheet.png", 6)
    return tmp_path


def refused(path, message, **options):
    with pytest.raises(wf.FormatError, match=message) as caught:
        wf.TileSet.load(path, **options)
    assert path.name in str(caught.value)


# --- not a file of Tiled ---------------------------------------------------------------------------

NO_FILE = {
    "empty": (b"", "not valid JSON", "not valid XML"),
    "words": (b"grass, sand", "line 1: not valid JSON", "line 1: not valid XML"),
    "a list": (b"[]", r"expected an object .*, not \[\]", "not valid XML"),
    "no text": (b"\xff\xfe\xfd{}", "not valid JSON", "not valid XML"),
    "nesting": (b'{"layers":' + b"[" * 100_000, "nested too deeply", "not valid XML"),
    "many lists": (
        b'{"layers":[' + b"{}," * 200_000 + b"[]]}",
        "at most 200,000 can be read",
        "not valid XML",
    ),
    "not a number": (b'{"width": NaN}', "NaN is not a number", "not valid XML"),
    "a long number": (b'{"width": ' + b"9" * 10_000 + b"}", "not valid JSON", "not valid XML"),
    "another": (b'{"type": "world"}', "is not a file of Tiled; expected", "not valid XML"),
    "another element": (b"<world/>", "not valid JSON", "<world> is not an element of Tiled"),
    "many elements": (b"<map>" + b"<a/>" * 200_001, "not valid JSON", "at most 200,000 elements"),
    "nested elements": (b"<map>" * 1000, "not valid JSON", "nested too deeply"),
    "entities": (
        f'<!DOCTYPE map [<!ENTITY l0 "ha">{LAUGHS}]><map>&l9;</map>'.encode(),
        "not valid JSON",
        "<!DOCTYPE map> is refused",
    ),
}


@pytest.mark.parametrize(("data", "json_says", "xml_says"), NO_FILE.values(), ids=NO_FILE.keys())
def test_what_is_not_a_file_of_tiled_is_refused(folder, data, json_says, xml_says):
    for name, message in (
        ("a.tmj", json_says),
        ("a.tsj", json_says),
        ("a.tmx", xml_says),
        ("a.tsx", xml_says),
    ):
        (folder / name).write_bytes(data)
        refused(folder / name, message)


def test_a_document_type_that_defines_nothing_is_passed_over(folder):
    old = '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">'
    (folder / "a.tmx").write_text(as_xml(a_map(a_layer(CELLS))).replace("<map", f"{old}\n<map", 1))
    assert len(wf.TileSet.load(folder / "a.tmx")) == 3


def test_a_file_of_the_other_kind_is_named(folder):
    for ending in "xj":
        refused(write(folder / f"a.tm{ending}", a_set()), "is a tile set: load it as")
        refused(write(folder / f"a.ts{ending}", a_map(a_layer(CELLS))), "is a map: load it as")


def test_what_cannot_be_opened_is_refused(folder):
    refused(folder / "nothing.tmx", "cannot read")
    (folder / "folder.tmj").mkdir()
    refused(folder / "folder.tmj", "is a directory")
    os.mkfifo(folder / "pipe.tsx")
    refused(folder / "pipe.tsx", "it is not a file")


def test_a_file_that_is_too_large_is_refused(folder, monkeypatch):
    monkeypatch.setattr(nodes, "MOST_BYTES", 100)
    for ending in ("tmx", "tmj"):
        refused(write(folder / f"a.{ending}", a_map(a_layer(CELLS))), "larger than 100 bytes")


# --- maps ---------------------------------------------------------------------------------------


def packed(octets):
    return base64.b64encode(octets).decode()


def small(**layer):
    return a_map(a_layer(CELLS, code="") | layer)


BOMB = packed(zlib.compress(bytes(50_000_000)))
MAPS = {
    "too wide": (small(width=1 << 30, height=1 << 30), "1,073,741,824 x 1,073,741,824 cells; at most 4,194"),
    "no width": (small(width=0), r"width.*0'? is not a whole number from 1"),
    "negative": (small(height=-2), r"height.*-2'? is not a whole number from 1"),
    "short": (small(data=packed(bytes(12))), "unpacks to 12 bytes; expected 16, 4 per cell"),
    "long": (small(data=packed(bytes(20))), "unpacks to more than 16 bytes; expected 16"),
    "no Base64": (small(data="!!!!"), "is not valid Base64"),
    "no zlib": (small(data=packed(bytes(16)), compression="zlib"), "is not valid zlib data"),
    "no gzip": (small(data=packed(zlib.compress(bytes(16))), compression="gzip"), "is not valid gzip data"),
    "bomb": (small(data=BOMB, compression="zlib"), "unpacks to more than 16 bytes"),
    "cut off": (
        small(data=packed(zlib.compress(bytes(16))[:-4]), compression="zlib"),
        "16 bytes, and is cut off; expected 16",
    ),
    "unknown packing": (small(compression="lzma"), "compression 'lzma'; expected zlib, gzip or zstd"),
    "unknown code": (small(encoding="morse"), "'morse' is not csv or base64"),
    "short csv": (a_map(a_layer(CELLS) | {"data": [1, 2, 3]}), "holds 3 cells; expected 2 x 2"),
    "large csv": (a_map(a_layer(CELLS) | {"data": [1, 2, 3, 1 << 32]}), "outside 0 to 4,294,967,295"),
    "strange csv": (a_map(a_layer(CELLS) | {"data": [1, 2, 3, -1]}), "a list of whole numbers"),
    "unknown tile": (a_map(a_layer([[1, 2], [7, 1]])), "tile 7 at column 0, row 1, which is in no"),
    "no tile sets": (a_map(a_layer(CELLS), tilesets=[]), "tile 1 at column 0, row 0, which is in no"),
    "late tile sets": (a_map(a_layer(CELLS), tilesets=[a_set(firstgid=2)]), "a tile 1 at column 0, row 0"),
    "twice": (a_map(a_layer(CELLS), tilesets=[a_set(firstgid=1)] * 2), "one too many"),
    "far chunks": (
        a_map(
            a_layer(CELLS)
            | {"chunks": [{"x": x, "y": 0, "width": 1, "height": 1, "data": [1]} for x in (0, 1 << 30)]}
        ),
        "cells; at most",
    ),
}  # fmt: skip


@pytest.mark.parametrize("ending", [".tmx", ".tmj"])
@pytest.mark.parametrize(("document", "message"), MAPS.values(), ids=MAPS.keys())
def test_a_bad_map_is_refused_with_the_place(folder, document, message, ending):
    path = write(folder / f"map{ending}", document)
    refused(path, message)
    place = r"line \d+: " if ending == ".tmx" else r"layers\[0\]|tilesets\[1\]"
    refused(path, f"{place}.*" + message)


def test_the_field_of_json_is_named(folder):
    refused(write(folder / "map.tmj", small(data=7)), r"map\.tmj', layers\[0\]\.data: 7 is not text")
    refused(
        write(folder / "map.tmj", a_map(a_layer(CELLS), tilesets=[3])),
        r"tilesets\[0\]: expected an object .*, not 3",
    )
    refused(write(folder / "map.tmj", a_map(a_layer(CELLS), layers=3)), r"map\.tmj', layers: 3 is not a list")
    half = a_map(a_layer(CELLS), orientation="\ud800")
    refused(write(folder / "map.tmj", half), "orientation: .* is not text")


def test_groups_cannot_be_nested_without_end(folder):
    node = a_layer(CELLS)
    for _ in range(100):
        node = {"type": "group", "layers": [node]}
    refused(write(folder / "map.tmj", a_map(node)), "nested too deeply; at most 16 groups")


def test_too_many_cells_or_patterns_are_refused(folder, monkeypatch):
    chunk = {"x": 0, "y": 0, "width": 2, "height": 2, "data": [1, 1, 1, 1]}
    path = write(folder / "a.tmj", a_map(a_layer(CELLS) | {"chunks": [chunk] * 3}))
    assert len(wf.TileSet.load(path)) == 1
    monkeypatch.setattr(map, "MOST_CELLS", 8)
    refused(path, "has too many cells in its chunks; at most 8")
    monkeypatch.setattr("wavefold.formats.tiled.learn.MOST_PATTERNS", 2)
    refused(write(folder / "b.tmx", a_map(a_layer(CELLS))), "more than 2 different tiles")


# --- files that name others ---------------------------------------------------------------------

ABSOLUTE = ("/etc/passwd", "C:\\windows\\win.ini", "C:win.ini", "\\\\server\\share", "")


@pytest.mark.parametrize("name", ABSOLUTE)
def test_paths_lead_only_from_the_file_itself(folder, name):
    for ending in ("tmx", "tmj"):
        outside = a_map(a_layer(CELLS), tilesets=[{"firstgid": 1, "source": name}])
        refused(write(folder / f"map.{ending}", outside), "is not a path of a tile set relative to this file")
        refused(
            write(folder / f"map.{ending}", a_map(a_layer(CELLS), tilesets=[a_set(firstgid=1, image=name)])),
            "is not a relative path of a picture in the folder",
        )


@pytest.fixture
def elsewhere(tmp_path_factory):
    """A picture in a folder of its own."""
    picture = tmp_path_factory.mktemp("elsewhere") / "sheet.png"
    sheet(picture, 6)
    return picture


@pytest.mark.parametrize("ending", ["tsx", "tsj", "tmx", "tmj"])
def test_pictures_lie_in_the_folder_of_the_file_or_deeper(folder, elsewhere, ending):
    def written(name):
        document = a_set(wangsets=[WANG], firstgid=1, image=name)
        if ending.startswith("tm"):
            document = a_map(a_layer(CELLS), tilesets=[document])
        return write(folder / f"any.{ending}", document)

    (folder / "art").mkdir()
    sheet(folder / "art" / "sheet.png", 6)
    assert wf.TileSet.load(written("art/sheet.png"))
    assert wf.TileSet.load(written("art/../sheet.png"))
    out = os.path.relpath(elsewhere, folder)
    refused(written(out), "is not a relative path of a picture in the folder of this file or deeper; move")
    (folder / "link.png").symlink_to(elsewhere)
    refused(
        written("link.png"),
        "'link.png' is not a relative path of a picture in the folder of this file or deeper",
    )
    (folder / "linked").symlink_to(elsewhere.parent, target_is_directory=True)
    refused(written("linked/sheet.png"), "'linked/sheet.png' is not a relative path of a picture")
    (folder / "inside.png").symlink_to(folder / "art" / "sheet.png")
    assert wf.TileSet.load(written("inside.png"))


def test_a_tile_set_elsewhere_has_its_pictures_in_its_own_folder_or_that_of_the_map(folder, elsewhere):
    sets = elsewhere.parent
    path = write(
        folder / "map.tmj",
        a_map(a_layer(CELLS), tilesets=[{"firstgid": 1, "source": os.path.relpath(sets / "a.tsx", folder)}]),
    )
    write(sets / "a.tsx", a_set())
    assert wf.TileSet.load(path)
    write(sets / "a.tsx", a_set(image=os.path.relpath(folder / "sheet.png", sets)))
    assert wf.TileSet.load(path)
    (sets.parent / "sheet.png").write_bytes(elsewhere.read_bytes())
    write(sets / "a.tsx", a_set(image="../sheet.png"))
    with pytest.raises(
        wf.FormatError, match=r"a\.tsx', line 2: .*'../sheet.png' is not a relative path of a picture"
    ):
        wf.TileSet.load(path)


@pytest.mark.parametrize("name", ["gone.tsx", "folder", "x" * 5000, "a\0b", "pipe"])
def test_missing_tile_sets_are_named_where_they_are_asked_for(folder, name):
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    path = write(folder / "map.tmj", a_map(a_layer(CELLS), tilesets=[{"firstgid": 1, "source": name}]))
    refused(path, r"tilesets\[0\]\.source names a tile set .*, which does not exist")


def test_pictures_that_are_missing_or_damaged_are_named(folder):
    path = write(folder / "set.tsx", a_set(wangsets=[WANG]))
    whole = (folder / "sheet.png").read_bytes()
    for length in (0, 20, 60, len(whole) // 2):
        (folder / "sheet.png").write_bytes(whole[:length])
        refused(path, r"line 2: image of <tileset .*sheet\.png', which is not a complete picture")
    (folder / "sheet.png").unlink()
    refused(path, r"names a picture .*sheet\.png', which does not exist")


def test_pictures_of_too_many_pixels_are_refused_before_they_are_decoded(folder, monkeypatch):
    path = write(folder / "set.tsj", a_set(wangsets=[WANG]))
    Image.new("1", (20_000, 20_000)).save(folder / "sheet.png")
    refused(path, r"image (is 20,000 x 20,000 pixels|.*which is not a complete picture: Image size)")
    monkeypatch.setattr(tileset, "MOST_PIXELS", 50)
    sheet(folder / "sheet.png", 6)
    refused(path, "may have 50 in total")


def test_a_picture_too_small_for_its_tiles_is_refused(folder):
    sheet(folder / "sheet.png", 1)
    wangset = a_wangset([(0, 1) * 4] * 5)
    refused(
        write(folder / "set.tsj", a_set(wangsets=[wangset])), "image is 12 x 4 pixels, too small for tile 3"
    )
    refused(write(folder / "set.tsx", a_set(tilewidth=5000, wangsets=[WANG])), "from 1 to 1,024")


def test_a_tile_inside_the_file_is_refused(folder):
    text = as_xml(a_set(wangsets=[WANG])).replace('source="sheet.png"', 'format="png"')
    (folder / "set.tsx").write_text(text)
    refused(folder / "set.tsx", "'' is not a relative path of a picture")


# --- tile sets ----------------------------------------------------------------------------------

SETS = {
    "number": ({"tiles": [{"id": "x"}]}, "'x' is not a whole number from 0"),
    "twice": ({"tiles": [{"id": 1}, {"id": 1}]}, "has the number 1 of an earlier"),
    "at sign": (
        {"tiles": [{"id": 1, "type": "a@b"}]},
        "has the type 'a@b'; names of tiles must not contain '@'",
    ),
    "probability": ({"tiles": [{"id": 1, "probability": -1}]}, "is not a number of at least 0"),
    "many": ({"tiles": [{"id": 1, "probability": "1e999"}]}, "is not a number of at least 0"),
    "colour": ({"transparentcolor": "pink"}, "'pink' is not a colour such as #ff00ff"),
    "kind": ({"wangsets": [WANG | {"type": "round"}]}, "'round' is not corner, edge or mixed"),
    "short id": ({"wangsets": [a_wangset([(1, 2)])]}, "is not 8 numbers of colours from 1 to 2, or 0"),
    "twice in": (
        {"wangsets": [WANG | {"wangtiles": [{"tileid": 1, "wangid": [1] * 8}] * 2}]},
        "names tile 1, like an earlier one",
    ),
    "unknown": ({"wangsets": [a_wangset([(0, 1) * 4] * 7)]}, "names tile 6, which is not in the tile set"),
    "colours": ({"wangsets": [a_wangset([], ["x"] * 256)]}, "more than 255 colours"),
    "none left": ({"wangsets": [a_wangset([(0, 0) * 4])]}, "has no tile with a probability above 0"),
    "two of a name": ({"wangsets": [WANG, WANG]}, "2 Wang sets called 'land'"),
}


@pytest.mark.parametrize("ending", [".tsx", ".tsj"])
@pytest.mark.parametrize(("fields", "message"), SETS.values(), ids=SETS.keys())
def test_a_bad_tile_set_is_refused_with_the_place(folder, fields, message, ending):
    document = a_set(**({"wangsets": [WANG]} | fields))
    refused(write(folder / f"set{ending}", document), message, wangset="land")


def test_probabilities_must_not_vanish_together(folder):
    wangset = a_wangset([(0, 1) * 4])
    wangset["colors"][0]["probability"] = 1e-200
    refused(
        write(folder / "set.tsj", a_set(wangsets=[wangset])), "probabilities whose product is 0 for tile 0"
    )


def test_too_many_patterns_are_refused(folder, monkeypatch):
    monkeypatch.setattr("wavefold.formats.tiled.wang.MOST_PATTERNS", 7)
    document = a_set(wangsets=[WANG], transformations={"rotate": True})
    refused(write(folder / "set.tsx", document), "more than 7 tiles")


# --- anything at all ----------------------------------------------------------------------------

SOUND = {
    "map": a_map(
        a_layer(CELLS, properties=[{"name": "p", "value": "v"}]),
        {"type": "group", "name": "g", "visible": True, "layers": [a_layer([[4, 5]], "up", "zlib")]},
        a_layer([[6]], "bad", properties=[{"name": "wavefold", "type": "string", "value": "never"}]),
        a_layer(CELLS, "far") | {"chunks": [{"x": 0, "y": 0, "width": 1, "height": 1, "data": [1]}]},
        tilesets=[
            a_set(firstgid=1, tiles=[{"id": 0, "type": "grass", "probability": 0.5}]),
            {"firstgid": 9, "name": "c", "tiles": [{"id": 0, "image": "sheet.png", "x": 1, "width": 3}]},
        ],
    ),
    "tileset": a_set(
        margin=0,
        transparentcolor="#ff00ff",
        tiles=[
            {"id": 0, "type": "grass", "probability": 0.5, "properties": [{"name": "name", "value": "g"}]}
        ],
        grid={"orientation": "orthogonal"},
        transformations={"hflip": True, "vflip": False, "rotate": True, "preferuntransformed": True},
        wangsets=[WANG],
    ),
}
anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 9),
    st.sampled_from([-1 << 63, 1 << 31, 1 << 64, 0.5, -1.0, 1e308]),
    st.sampled_from(["", "0", "a@b", "sheet.png", "..", "\ud800", "\0", "zlib", "csv", "xml", "elements"]),
    st.sampled_from(["base64", "mixed", "group", [], {}, [1], [[]], {"a": 1}, [{}], [None]]),
)


def places(value, path=()):
    """The path of every part of a document."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from places(part, (*path, key))


@st.composite
def mutated(draw, kind):
    """A sound document with a few parts replaced, removed, doubled or exchanged."""
    document = copy.deepcopy(SOUND[kind])
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(sorted(places(document), key=str)))
        if not path:
            continue
        around = document
        for key in path[:-1]:
            around = around[key]
        action = draw(st.sampled_from(["replace", "replace", "remove", "double"]))
        if action == "remove":
            del around[path[-1]]
        elif action == "double" and isinstance(around, list):
            around.insert(path[-1], copy.deepcopy(around[path[-1]]))
        else:
            around[path[-1]] = copy.deepcopy(draw(anything))
    return document


def loads_or_refuses(path):
    try:
        assert len(wf.TileSet.load(path).rules) > 0
    except (wf.FormatError, wf.TileSetError) as error:
        str(error).encode("utf-8", "backslashreplace")
        return
    for layer in ("up", "far") if path.suffix in (".tmj", ".tmx") else ():
        with suppress(wf.FormatError, wf.TileSetError):
            wf.TileSet.load(path, layer=layer, periodic=True)


@pytest.fixture(scope="module")
def one_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    sheet(folder / "sheet.png", 6)
    return folder


def test_the_sound_documents_are_sound(one_folder):
    for ending in "xj":
        assert len(wf.TileSet.load(write(one_folder / f"a.tm{ending}", SOUND["map"]))) == 3
        assert len(wf.TileSet.load(write(one_folder / f"a.ts{ending}", SOUND["tileset"]))) > 1


@given(st.sampled_from(list(SOUND)).flatmap(mutated))
def test_json_of_any_shape_is_read_or_refused(one_folder, document):
    for ending in (".tmj", ".tsj"):
        path = one_folder / f"any{ending}"
        path.write_text(json.dumps(document), encoding="utf-8")
        loads_or_refuses(path)


@given(st.sampled_from(list(SOUND)), st.randoms(use_true_random=False), st.integers(1, 4))
def test_xml_of_any_shape_is_read_or_refused(one_folder, kind, random, changes):
    text = as_xml(SOUND[kind])
    for _ in range(changes):
        values = [at for at, sign in enumerate(text) if sign == '"']
        start = random.choice(values)
        end = text.find('"', start + 1)
        word = random.choice(
            ["", "-1", "0", "9", "x", "4294967297", "1e400", "nan", "csv", "base64", "a@b", "../"]
        )
        text = (
            text[: start + 1]
            + word
            + (text[end:] if random.random() < 0.9 and end > 0 else text[start + 2 :])
        )
    for ending in (".tmx", ".tsx"):
        (one_folder / f"any{ending}").write_text(text, encoding="utf-8")
        loads_or_refuses(one_folder / f"any{ending}")


@given(st.sampled_from(list(SOUND)), st.sampled_from("xj"), st.data())
def test_a_file_with_damaged_bytes_is_read_or_refused(one_folder, kind, form, data):
    path = one_folder / f"damaged.t{kind[0] if kind == 'map' else 's'}{form}"
    write(path, SOUND[kind])
    octets = bytearray(path.read_bytes())
    for place in data.draw(st.lists(st.integers(0, len(octets) - 1), min_size=1, max_size=4)):
        octets[place] = data.draw(st.integers(0, 255))
    path.write_bytes(octets[: data.draw(st.integers(0, len(octets)))] if data.draw(st.booleans()) else octets)
    loads_or_refuses(path)


def test_a_long_row_of_numbers_is_read_quickly(folder):
    side = 600
    cells = np.arange(side * side).reshape(side, side) % 6 + 1
    for ending in ("tmx", "tmj"):
        assert len(wf.TileSet.load(write(folder / f"large.{ending}", a_map(a_layer(cells))))) == 6
