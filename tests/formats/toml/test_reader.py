"""Tile set files that are wrong: the error says which file, table and line, and what would be right."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import wavefold as wf
from wavefold.errors import TileSetWarning
from wavefold.formats import read_toml
from wavefold.formats.toml.document import MOST_BYTES, Document, format_value

LAWN = 'format = 1\n[tiles.lawn]\nsockets = "grass"\n'
SHEET = '[sheet]\nfile = "art.png"\nsize = [4, 4]\n'
DRAWN = f"format = 1\n{SHEET}[tiles.lawn]\n"
LEARNED = 'format = 1\n[learned]\n[tiles.a]\nvalue = "a"\n'
EAST_NORTH = 'east = [{ here = "a", there = "a" }]\nnorth = [{ here = "a", there = "a" }]\n'


@pytest.fixture
def written(tmp_path):
    """Write a file, and a sheet of 2 x 1 cells of 4 x 4 pixels beside it."""

    def write(text):
        path = tmp_path / "garden.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        Image.new("RGB", (8, 4)).save(tmp_path / "art.png")
        Image.new("RGB", (5, 5)).save(tmp_path / "large.png")
        (tmp_path / "cut.png").write_bytes((tmp_path / "art.png").read_bytes()[:40])
        return path

    return write


LAWN_3, LAWN_4 = (rf"garden\.toml, \[tiles\.lawn\], line {line}: " for line in (3, 4))
REFUSED = {
    # the text
    "no TOML": (LAWN + "weight = \n", r"garden\.toml, line 4, column 10: not valid TOML: Invalid value"),
    "cut off": ('format = 1\nname = "garden', r"garden\.toml, .*: not valid TOML"),
    "two tiles of a name": (LAWN + "[tiles.lawn]\n", r"line 4, column 12: \[tiles\.lawn\] occurs twice"),
    "a key twice": (LAWN + "weight = 1\nweight = 2\n", "line 5, column 11: a key occurs twice"),
    "a huge number": (LAWN + f"weight = {'1' * 5000}\n", "not valid TOML: Exceeds the limit"),
    "nesting": ("a = " + "[" * 50_000, "nested too deeply"),
    "a long key": (".".join("a" * 100_000) + " = 1\n", "line 1: a key has too many parts"),
    "a long key in a table": (
        "format = 1\nx = { " + '"a" . ' * 1000 + "b = 1 }\n",
        "line 2: a key has too many",
    ),
    "no UTF-8": (b"format = 1\nname = '\xe9'\n", "line 2: not valid UTF-8"),
    "UTF-16": (LAWN.encode("utf-16"), "line 1: not valid UTF-8"),
    "size": (b"#" * (MOST_BYTES + 1), "is larger than 8,388,608 bytes"),
    # the whole
    "another file": ('[project]\nname = "x"\n', "not a tile set of wavefold: .*format = 1"),
    "a later format": (LAWN.replace("1", "2"), "line 1: format 2 is unsupported; expected 1"),
    "no number": (LAWN.replace("1", "true"), "line 1: format True is unsupported"),
    "no tiles at all": ("format = 1\n", r"garden\.toml: needs a key 'tiles'"),
    "no tile": ("format = 1\n[tiles]\n", "needs at least one tile"),
    "no table": ("format = 1\ntiles = 3\n", "line 2: tiles must be a table, not 3"),
    "no table of a tile": (
        "format = 1\n[tiles]\nlawn = 3\n",
        r"\[tiles.lawn\], line 3: lawn must be a table",
    ),
    "topology": (
        "format = 1\ntopology = 'sqare'\n[tiles.a]\n",
        "line 2: unknown topology 'sqare'; did you mean 'square'",
    ),
    "name": ("format = 1\nname = 3\n[tiles.a]\n", "line 2: name must be text, in quotes, not 3"),
    "an unknown key": ("format = 1\nlevel = 3\n[tiles.a]\n", "line 2: unknown key 'level'; .*'levels'"),
    "an unknown table": (LAWN + "[sheets]\n", "line 4: unknown key 'sheets'; did you mean 'sheet'"),
    "too many tiles": (
        "format = 1\n[tiles]\n" + "".join(f"t{number} = {{}}\n" for number in range(16_385)),
        "there are 16,385 tiles; at most 16,384",
    ),
    "too many patterns": (
        "format = 1\nlevels = 64\n[tiles]\n"
        + "".join(f't{number} = {{ symmetry = "F" }}\n' for number in range(33)),
        "the tiles have 16,896 patterns.*at most 16,384",
    ),
    # tiles
    "a slip in a key": (LAWN + "weigth = 3\n", LAWN_4 + "unknown key 'weigth'; did you mean 'weight'"),
    "a slip in an inline table": (
        "format = 1\ntiles.lawn = { weigth = 3 }\n",
        r"\[tiles.lawn\], line 2: unknown key 'weigth'",
    ),
    "a bad name": (
        'format = 1\n[tiles."a@b"]\n',
        r"\[tiles.a@b\], line 2: the name of a tile must be text without '@'",
    ),
    "three sockets": (
        LAWN.replace('"grass"', '["a", "b", "c"]'),
        LAWN_3 + r"tile 'lawn' has 3 sockets but square cells have 4 sides \(north, east, south, west\)",
    ),
    "no sockets": (
        LAWN.replace('"grass"', "1.5"),
        LAWN_3 + "sockets must be a word for all sides, .*not 1.5",
    ),
    "an unknown side": (
        LAWN.replace('"grass"', '{ nroth = "a", others = "b" }'),
        LAWN_3 + "sockets: there is no side 'nroth'; did you mean 'north'",
    ),
    "a side missing": (
        LAWN.replace('"grass"', '{ north = "a" }'),
        LAWN_3 + "sockets has no value for the east",
    ),
    "a side twice": (
        LAWN.replace('"grass"', '{ N = "a", north = "a", others = "b" }'),
        LAWN_3 + "sockets names one side twice",
    ),
    "symmetry": (LAWN + 'symmetry = "Y"\n', LAWN_4 + "tile 'lawn': unknown symmetry 'Y'"),
    "orientations": (LAWN + 'symmetry = ["45"]\n', r"tile 'lawn': unknown orientation '45'"),
    "no orientations": (LAWN + "symmetry = []\n", LAWN_4 + "symmetry must be a letter, .*"),
    "weight": (LAWN + "weight = -1\n", LAWN_4 + "weight must be greater than 0, not -1"),
    "weight in words": (LAWN + 'weight = "heavy"\n', LAWN_4 + "weight must be a number, not 'heavy'"),
    "endless weight": (LAWN + "weight = inf\n", LAWN_4 + "weight must be a finite number, not inf"),
    "weights": (LAWN + "weights = [1, 2]\n", LAWN_4 + "there are 2 weights, but the tile has 1 patterns"),
    "weights of nothing": (LAWN + "weights = [0]\n", LAWN_4 + "weights must be numbers above 0"),
    "rises": (
        LAWN + "rises = [0, 0, 9, 0]\n",
        LAWN_4 + r"tile 'lawn' has levels=1; .*from 10 \(a side rises",
    ),
    "five rises": (LAWN + "rises = [0, 0, 0, 0, 0]\n", LAWN_4 + "tile 'lawn' has 5 rises"),
    "falls": (
        LAWN + "rises = -1\n",
        LAWN_4 + "tile 'lawn': rises must be whole numbers of at least 0",
    ),
    "levels": (LAWN + "levels = 65\n", LAWN_4 + "tile 'lawn' has levels=65"),
    "apart": (LAWN + "apart = 1\n", LAWN_4 + "apart must be true or false, not 1"),
    "limits": (
        LAWN + "limits.height = [3, 1]\n",
        LAWN_4 + r"tile 'lawn' has limits \(3, 1\) for field 'height'",
    ),
    "limits of one number": (LAWN + "limits.height = 3\n", LAWN_4 + "limits.height must be two numbers"),
    "no limits at all": (
        LAWN + "limits = []\n",
        LAWN_4 + "limits must be a table, or a list of at most 64 tables",
    ),
    "limits that are no tables": (LAWN + "limits = [3]\n", LAWN_4 + "limits must be a table"),
    "limits that are no table": (LAWN + "limits = 3\n", LAWN_4 + "limits must be a table"),
    "a value": (
        LAWN + "value = 3\n",
        LAWN_4 + r"only tiles of a set with a table \[learned\] may have a value",
    ),
    # neighbours
    "an unknown tile": (
        LAWN + '[[beside]]\nhere = "lawn"\nthere = "lawn"\n[[beside]]\nhere = "lwan"\nthere = "lawn"\n',
        r"garden\.toml, \[\[beside\]\] number 2, line 7: there is no tile 'lwan'; did you mean 'lawn'",
    ),
    "another unknown side": (
        LAWN + '[[beside]]\nhere = "lawn"\nthere = "lawn"\nsides = "nord"\n',
        r"\[\[beside\]\] number 1, line 4: there is no side 'nord'; did you mean 'north'",
    ),
    "half a rule": (
        LAWN + '[[beside]]\nhere = "lawn"\n',
        r"\[\[beside\]\] number 1, line 4: needs a key 'there'",
    ),
    "an empty rule": (
        LAWN + '[[beside]]\nhere = []\nthere = "lawn"\n',
        r"\[\[beside\]\] number 1, line 4: a neighbour rule must name two tiles",
    ),
    "no names": (
        LAWN + '[[beside]]\nhere = 3\nthere = "lawn"\n',
        "line 5: here must be a name or a list of names",
    ),
    "a slip in a rule": (
        LAWN + '[[beside]]\nhere = "lawn"\nthere = "lawn"\nside = "north"\n',
        "line 7: unknown key 'side'; did you mean 'sides'",
    ),
    "a list of no side": (
        LAWN + '[touching]\nnroth = [{ here = "lawn", there = "lawn" }]\n',
        r"garden\.toml, \[touching\], line 5: there is no side 'nroth'",
    ),
    "a list of a side twice": (
        LAWN + "[touching]\nnorth = []\nN = []\n",
        "line 6: side 'north' is listed twice",
    ),
    "a list of an unknown tile": (
        LAWN + '[touching]\nnorth = [{ here = "lawn", there = "lwan" }]\n',
        r"\[touching\], line 5: there is no tile or pattern 'lwan'; did you mean 'lawn'",
    ),
    "half a list": (LAWN + "[touching]\nnorth = []\n", r"\[touching\], line 4: .*list for 'east' or 'west'"),
    "a slip in a list": (
        LAWN + '[touching]\nnorth = [{ here = "lawn", ther = "lawn" }]\n',
        r"\[touching\], line 5: unknown key 'ther'; did you mean 'there'",
    ),
    "lists that disagree": (
        LAWN + '[touching]\neast = []\nnorth = [{ here = "lawn", there = "lawn" }]\nsouth = []\n',
        r"\[touching\], line 4: 'north' and 'south' list different pairs",
    ),
    # pictures
    "no sheet": (
        LAWN + "at = [0, 0]\n",
        LAWN_4 + r"at needs a table \[sheet\]",
    ),
    "half a sheet": ("format = 1\n[sheet]\n[tiles.a]\n", r"\[sheet\], line 2: needs a key 'file'"),
    "a sheet without a file": (
        DRAWN.replace("art", "no"),
        r"\[sheet\], line 2: the picture '.*no\.png' does not exist",
    ),
    "a sheet that was cut off": (
        DRAWN.replace("art", "cut"),
        r"\[sheet\], line 2: .*is not a complete PNG file",
    ),
    "a sheet elsewhere": (
        DRAWN.replace("art", "../art"),
        r"\[sheet\], line 2: a picture must be a PNG file in the same",
    ),
    "cells of no size": (DRAWN.replace("4, 4", "0, 4"), r"\[sheet\], line 4: size must be \[width, height\]"),
    "cells too large": (
        DRAWN.replace("4, 4", "4, 1025"),
        r"\[sheet\], line 2: cells of a sheet must be at most 1,024",
    ),
    "a margin below 0": (
        DRAWN.replace("[4, 4]", "[4, 4]\nmargin = -1"),
        r"\[sheet\], line 5: margin must be a number from 0, not -1",
    ),
    "no flat sheet": (
        'format = 1\ntopology = "hex"\n[tiles.lawn]\nflat_at = [0, 0]\n',
        r"\[tiles.lawn\], line 4: flat_at needs a table \[flat_sheet\]",
    ),
    "a flat sheet without a file": (
        'format = 1\n[flat_sheet]\nfile = "no.png"\nsize = [1, 1]\n[tiles.a]\n',
        r"\[flat_sheet\], line 2: the picture '.*no\.png' does not exist",
    ),
    "an unknown key of the flat sheet": (
        'format = 1\n[flat_sheet]\nfle = "no.png"\n[tiles.a]\n',
        r"\[flat_sheet\], line 3: unknown key 'fle'; did you mean 'file'",
    ),
    "flat pictures for squares": (
        "format = 1\n[tiles.lawn]\nflat_at = [0, 0]\n",
        r"\[tiles.lawn\], line 3: only tiles for hexagons may have flat_at",
    ),
    "no cell of the flat sheet": (
        'format = 1\ntopology = "hex"\n[tiles.lawn]\nflat_at = 3\n',
        r"line 4: flat_at must be a cell of the flat sheet, as \[column, row\]",
    ),
    "outside the sheet": (
        DRAWN + "at = [2, 0]\n",
        r"\[tiles.lawn\], line 6: cell \[2, 0\] is outside the sheet of 2 columns and 1 rows",
    ),
    "no cell": (DRAWN + "at = [1]\n", r"line 6: at must be a cell of the sheet, as \[column, row\]"),
    "no cells": (DRAWN + "at = []\n", r"line 6: at must be a cell of the sheet"),
    "too few cells": (
        DRAWN + 'at = [[0, 0]]\nsymmetry = "turned"\n',
        "at lists 1 pictures, .* has 4 patterns",
    ),
    "pictures of two sizes": (
        DRAWN + 'at = [0, 0]\n[tiles.pond]\npicture = "large.png"\n',
        r"\[tiles.pond\], line 8: the picture 'large.png' has 5 x 5 pixels, but .* 4 x 4 .*the same size",
    ),
    "two kinds of picture": (
        DRAWN + 'at = [0, 0]\ncolour = "#000000"\n',
        "one kind of picture, not at and colour",
    ),
    "a picture elsewhere": (
        LAWN + 'picture = "/art.png"\n',
        LAWN_4 + "a picture must be a PNG file in the same folder",
    ),
    "no colour": (LAWN + 'colour = "greenish"\n', LAWN_4 + 'colour must be a colour such as "#70ac52"'),
    "a model on squares": (DRAWN + "model = [[0, 0]]\n", "line 6: only tiles for cubes may have a model"),
    "a rule that forbids and weighs": (
        LAWN + '[[beside]]\nhere = "lawn"\nthere = "lawn"\nweight = 2\nallowed = false\n',
        r"\[\[beside\]\] number 1, line 4: weight= and allowed=False cannot be combined",
    ),
    "a rule without weight": (
        LAWN + '[[beside]]\nhere = "lawn"\nthere = "lawn"\nweight = 0\n',
        r"\[\[beside\]\] number 1, line 7: weight must be",
    ),
    # groups
    "a group of unknown tiles": (
        LAWN + '[groups]\nall = ["*"]\nwet = ["ponds", "lawn"]\n',
        r"\[groups\], line 6: group 'wet': there is no tile 'ponds'",
    ),
    "a group of groups": (
        LAWN + '[groups]\nall = ["*"]\nwet = ["all"]\n',
        r"\[groups\], line 6: group 'wet' contains the group 'all'",
    ),
    "a group that is a number": (
        LAWN + "[groups]\nwet = 3\n",
        r"\[groups\], line 5: wet must be a name or a list of names",
    ),
    "a group that is named like another tile": (
        LAWN + '[tiles.pond]\n[groups]\npond = "lawn"\n',
        r"\[groups\], line 6: group 'pond' has the name of a tile",
    ),
    "a learned set with groups": (
        LEARNED + '[groups]\nall = "a"\n[touching]\n' + EAST_NORTH,
        r"a learned set must have .* \[groups\]",
    ),
    # learned
    "learned without rules": (LEARNED, r"garden.toml: a learned set must have square cells and \[touching\]"),
    "a learned tile with sockets": (
        LEARNED + 'sockets = "a"\n[touching]\n' + EAST_NORTH,
        r"\[tiles.a\], line 5: a tile of this learned set may have a weight and a value, but no sockets",
    ),
    "a learned tile without a value": (
        LEARNED + "[tiles.b]\n[touching]\n" + EAST_NORTH,
        r"\[tiles.b\], line 5: a tile of this learned set needs a value",
    ),
    "a window too large": (
        LEARNED.replace("[learned]", "[learned]\nn = 6"),
        r"\[learned\], line 3: n must be",
    ),
    "an unknown value": (LEARNED.replace('"a"', "[3]"), r"\[tiles.a\], line 4: value must be text, a number"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_a_bad_file_is_refused_with_its_place_and_the_reason(written, text, message):
    path = written(text)
    with pytest.raises(wf.FormatError, match=message) as caught:
        wf.TileSet.load(path)
    assert str(caught.value).startswith(str(path))


def test_every_problem_is_reported_in_a_sentence_of_its_own(written):
    text = LAWN + "weigth = 3\n[tiles.pond]\nweight = 0\n[tiles.path]\nlevel = 2\n"
    with pytest.raises(wf.FormatError) as caught:
        read_toml(written(text))
    sentences = str(caught.value).splitlines()
    assert [line.partition("garden.toml, ")[2].partition(":")[0] for line in sentences] == [
        "[tiles.lawn], line 4",
        "[tiles.pond], line 6",
        "[tiles.path], line 8",
    ]


def test_only_the_first_problems_of_many_are_reported(written):
    text = "format = 1\n" + "".join(f"[tiles.t{number}]\nsocket = 3\n" for number in range(1000))
    with pytest.raises(wf.FormatError, match=r"line 21: .*\nand 990 more$") as caught:
        read_toml(written(text))
    assert str(caught.value).count("\n") == 10


def test_a_missing_file_or_a_folder_is_refused(tmp_path):
    for path in (tmp_path / "nothing.toml", tmp_path, "a\0b.toml"):
        with pytest.raises(wf.FormatError, match="cannot read"):
            read_toml(path)


@pytest.mark.parametrize("size", [100, 1025])
def test_pictures_of_their_own_have_limits_too(written, size):
    path = written(LAWN + 'picture = "own.png"\n')
    Image.new("L", (size, 1)).save(path.parent / "own.png")
    if size > 1024:
        with pytest.raises(wf.FormatError, match=r"'own\.png' is more than 1,024 pixels across"):
            read_toml(path)
    else:
        assert read_toml(path).tiles[0].picture.shape == (1, 100, 4)


# --- where things stand -----------------------------------------------------------------------------

AWKWARD = '''# a comment with [brackets
format = 1
description = """
[tiles.not] a table
not = "a key"
"""
[tiles."lawn [green]"]  # ] here too
sockets = [
  "a", # north
  'b]',
  ["x"],
]
"we=ight" = { in = [1,
2] }
limits . altitude = [0, 1]

[[beside]]
here = "]"
[[ beside ]]
there = "a"
[tiles.last]
'''


def test_lines_are_found_in_any_toml(tmp_path):
    path = tmp_path / "awkward.toml"
    path.write_text(AWKWARD, "utf-8")
    lawn = ("tiles", "lawn [green]")
    assert Document(path).lines == {
        ("format",): 2,
        ("description",): 3,
        ("tiles",): 7,
        lawn: 7,
        (*lawn, "sockets"): 8,
        (*lawn, "we=ight"): 13,
        (*lawn, "limits"): 15,
        (*lawn, "limits", "altitude"): 15,
        ("beside",): 17,
        ("beside", 0): 17,
        ("beside", 0, "here"): 18,
        ("beside", 1): 19,
        ("beside", 1, "there"): 20,
        ("tiles", "last"): 21,
    }


def said_of(path):
    """The error a file is refused with; nothing if it is read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TileSetWarning)
            read_toml(path)
    except wf.FormatError as error:
        return str(error)
    return ""


@given(st.text(alphabet=" \n[]{}=\"'#.,\\abtiles1", max_size=60))
def test_any_text_is_read_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "any.toml"
    path.write_text("format = 1\n[tiles.a]\n" + text, "utf-8")
    said = said_of(path)
    assert not said or said.startswith(str(path))


simple = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["a", "north", "X", "#000000", ""])
nested = st.recursive(
    simple, lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(), each, max_size=2)
)
KEYS = ["sockets", "weight", "weights", "symmetry", "levels", "rises", "apart", "limits", "value"]
PICTURE_KEYS = ["at", "model", "picture", "colour"]


@given(
    st.dictionaries(st.sampled_from(KEYS + PICTURE_KEYS), nested, max_size=4), st.sampled_from(["", SHEET])
)
def test_any_values_are_read_or_refused(tmp_path_factory, keys, sheet):
    path = tmp_path_factory.mktemp("any") / "any.toml"
    Image.fromarray(np.zeros((4, 8, 4), np.uint8)).save(path.parent / "art.png")
    lines = (f"{name} = {format_value(value)}\n" for name, value in without_none(keys).items())
    path.write_text(f"format = 1\n{sheet}[tiles.a]\n{''.join(lines)}", "utf-8")
    said = said_of(path)
    assert not said or said.startswith(f"{path}, [tiles.a], line ")


def without_none(value):
    if isinstance(value, dict):
        return {name: without_none(each) for name, each in value.items() if each is not None}
    return [without_none(each) for each in value if each is not None] if isinstance(value, list) else value


# --- lint ---------------------------------------------------------------------------------------


def test_findings_are_warnings_that_name_the_file_and_point_to_the_caller(written):
    path = written(LAWN + '[tiles.path]\nsockets = ["gras", "grass", "grass", "grass"]\n')
    with pytest.warns(TileSetWarning, match=r"garden\.toml: tile 'path' shows 'gras' to the north") as caught:
        wf.TileSet.load(path)
    assert [warning.filename for warning in caught] == [__file__]
