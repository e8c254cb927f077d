"""The files of DeBroglie: how they are spelled, what is reported, what is refused."""

import json
import warnings

import pytest
from debroglie_files import PIPES, PIXELS, TILES, load, write_pictures
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from wavefold.formats.debroglie.document import strip_comments


@pytest.fixture
def folder(tmp_path):
    write_pictures(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    write_pictures(folder := tmp_path_factory.mktemp("pictures"))
    return folder


def test_comments_and_trailing_commas_are_read_and_letters_may_be_of_any_case(folder):
    text = """{ // a comment, with "quotes"
        "SRC": "sample.png", "dest": "out.png", /* several
        lines */ "WIDTH": 5, "height": 4, "model": {"Type": "adjacent",},
        "tiles": [{"value": "#c8b478", "comment": "http://a // b"},],
    }"""
    config = load(folder, text)
    assert config.topology == wf.SquareGrid(5, 4)
    assert config.notes == ()
    assert strip_comments('{"a": "// no", "b": [1, 2,],} // yes') == '{"a": "// no", "b": [1, 2]} '


def test_sizes_and_wraps_are_those_of_the_file_with_shorthands(folder):
    plain = load(folder, {"src": "sample.png", "dest": "x.png"})
    assert plain.topology == wf.SquareGrid(48, 48)
    wrapped = load(folder, PIXELS | {"periodic": True, "periodicY": False})
    assert wrapped.topology == wf.SquareGrid(9, 8, wraps=(True, False))
    assert wrapped.output == folder / "out.png"
    (folder / "deeper").mkdir()
    (folder / "deeper" / "config.json").write_text(json.dumps(PIXELS | {"baseDirectory": ".."}))
    config = wf.read_debroglie(folder / "deeper" / "config.json")
    assert config.output.resolve() == folder / "out.png"


def test_what_is_not_understood_is_reported_by_name(folder):
    document = PIXELS | {
        "padTile": 1,
        "animate": True,
        "colour": 3,
        "tiles": [{"value": "#c8b478", "changeFrequency": -0.9}],
    }
    with pytest.warns(wf.TileSetWarning) as found:
        config = load(folder, document)
    assert [str(each.message).partition(": ")[2] for each in found] == list(config.notes)
    text = "\n".join(config.notes)
    assert "padTile is ignored: an experiment" in text
    assert "colour is ignored: an unknown field" in text
    assert "tiles[0].changeFrequency is ignored: an old spelling" in text
    assert "animate is left out" in text


ERRORS = {
    "not JSON": ("{", "not valid JSON"),
    "a map of ours": ({"format": "wavefold map"}, "is a map of wavefold, not a configuration of DeBroglie"),
    "no sample": ({"dest": "x.png"}, "field 'src', the sample, is missing"),
    "a model": (PIXELS | {"src": "model.vox"}, r"'model.vox' has an unsupported ending; .*MagicaVoxel"),
    "no file": (PIXELS | {"src": "nothing.png"}, r"cannot read the picture .*nothing.png.*No such file"),
    "a type": (PIXELS | {"width": "ten"}, "width must be a whole number"),
    "a source": (PIXELS | {"srcType": "film"}, "'film' is not sample, bitmapSet or voxSet"),
    "a model type": (PIXELS | {"model": {"type": "even"}}, "type 'even' is not adjacent or overlapping"),
    "sides of windows": (
        PIXELS | {"model": {"type": "overlapping", "nX": 2, "nY": 3}},
        "nX and nY must be equal",
    ),
    "large windows": (
        PIXELS | {"model": {"type": "overlapping", "n": 99}},
        r"json.*, model: n must be a whole number from 1 to 5, not 99",
    ),
    "windows of tiles": (
        PIPES | {"model": {"type": "overlapping"}},
        "needs a picture or a map of Tiled as a sample",
    ),
    "a letter": (
        PIPES | {"tiles": [TILES[0] | {"tileSymmetry": "Y"}]},
        "tileSymmetry 'Y' of tile 'blank' is not",
    ),
    "a turn": (PIXELS | {"rotationalSymmetry": 3}, "rotationalSymmetry 3 does not fit square cells"),
    "turns": (
        PIXELS | {"tiles": [{"value": "#c8b478", "rotateCw": "#0d2572"}]},
        "needs a symmetry that is not enabled",
    ),
    "a treatment": (PIXELS | {"rotationTreatment": "guess"}, "'guess' is not one of unchanged, missing"),
    "a colour": (PIXELS | {"tiles": [{"value": "sand?", "multiplyFrequency": 1}]}, "'sand.' is not a colour"),
    "a factor": (
        PIXELS | {"tiles": [{"value": "#c8b478", "multiplyFrequency": "much"}]},
        "'much' is not a number",
    ),
    "no factor": (
        PIXELS | {"tiles": [{"value": "#c8b478"}, {"value": "#0d2572", "multiplyFrequency": 0}]},
        r"config\.json', tiles\[1\]: multiplyFrequency 0 is not a number above 0, .* a count of exactly 0",
    ),
    "no factor of windows": (
        PIXELS
        | {
            "model": {"type": "overlapping"},
            "tiles": [{"value": "#0d2572", "multiplyFrequency": "0%"}],
        },
        r"config\.json', tiles\[0\]: multiplyFrequency '0%' is not a number above 0",
    ),
    "small factors": (
        PIPES | {"tiles": [*TILES, *[TILES[1] | {"multiplyFrequency": 1e-200}] * 2]},
        r"config\.json', tiles: multiplyFrequency makes a frequency 0 or infinite; use factors nearer to 1",
    ),
    "large factors of windows": (
        PIXELS
        | {
            "model": {"type": "overlapping"},
            "tiles": [{"value": "#c8b478", "multiplyFrequency": "1e300"}] * 2,
        },
        r"config\.json', tiles: multiplyFrequency makes a frequency 0 or infinite",
    ),
    "a reference": (
        PIPES | {"adjacencies": [{"left": ["line!45"], "right": ["line"]}]},
        "'line!45' is not a tile",
    ),
    "a tile": (
        PIPES | {"adjacencies": [{"left": ["lime"], "right": ["line"]}]},
        "no tile 'lime'; did you mean 'line'",
    ),
    "half a pair": (PIPES | {"adjacencies": [{"left": ["line"]}]}, "needs left and right, up and down"),
    "no layers": (
        PIPES | {"adjacencies": [{"above": ["line"], "below": ["line"]}]},
        "no sides above and below",
    ),
    "nothing": (PIPES | {"autoAdjacency": False}, "needs a sample or adjacencies"),
    "both": (
        PIXELS
        | {"model": {"type": "overlapping"}, "adjacencies": [{"left": ["#c8b478"], "right": ["#c8b478"]}]},
        "the model 'overlapping' has no adjacencies",
    ),
}


@pytest.mark.parametrize(("document", "message"), ERRORS.values(), ids=ERRORS)
def test_what_is_wrong_is_named_with_its_place(document, message, folder):
    with pytest.raises(wf.FormatError, match=message):
        load(folder, document)


WHOLE = PIPES | {
    "model": {"type": "adjacent", "n": 2},
    "ground": "blank",
    "adjacencies": [{"left": ["line", "tee!90"], "right": ["corner!x180"]}],
    "constraints": [
        {"type": "edgedPath", "exits": {"line": ["x+", "x-"]}, "endPoints": [{"x": 1, "y": 2}]},
        {"type": "border", "tile": "blank", "sides": "xmin, ymax", "excludeSides": "ymin", "ban": True},
        {"type": "count", "tiles": ["tee"], "comparison": "atMost", "count": 3},
        {"type": "maxConsecutive", "tiles": ["line"], "axes": ["x"]},
        {"type": "loop", "pathSpec": {"type": "path", "tiles": ["line"]}},
    ],
}
WINDOWS = PIXELS | {
    "model": {"type": "overlapping", "n": 2},
    "ground": "#c8b478",
    "tiles": [{"value": "#0d2572", "multiplyFrequency": "50%"}],
    "constraints": [
        {"type": "border", "tile": "#0d2572", "sides": "xmin"},
        {"type": "fixedTile", "tile": "#0d2572", "point": {"x": 1, "y": 2}},
        {"type": "path", "tiles": ["#0d2572", "#123456"], "endPoints": [{"x": 1, "y": 2}]},
        {"type": "count", "tile": "#123456", "comparison": "atMost", "count": 3},
    ],
}
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["line!", "!x", "line!90", "blank", "x+", "xmin,", "overlapping", "voxSet", "X", ""]),
    st.lists(st.one_of(st.integers(-2, 9), st.text(max_size=3)), max_size=3),
    st.dictionaries(st.sampled_from(["x", "type", "tile", "line"]), st.integers(0, 5), max_size=2),
)


def change(data, value):
    """A document with one of its values replaced, removed or added to."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        name = data.draw(st.sampled_from(sorted(value)))
        if not data.draw(st.integers(0, 5)):
            return {key: each for key, each in value.items() if key != name}
        return value | {name: change(data, value[name])}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        at = data.draw(st.integers(0, len(value) - 1))
        return [*value[:at], change(data, value[at]), *value[at + 1 :]]
    return data.draw(ODD)


@pytest.mark.parametrize("document", [WHOLE, WINDOWS], ids=["tiles", "windows"])
@given(st.data())
@settings(max_examples=200)
def test_whatever_a_file_holds_it_is_read_or_refused_with_an_error_of_ours(pictures, document, data):
    for _ in range(data.draw(st.integers(1, 3))):
        document = change(data, document)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wf.TileSetWarning)
        try:
            config = load(pictures, document)
            config.parts(wf.SquareGrid(7, 6))
        except wf.WavefoldError:
            return
    assert len(config.tiles) > 0
