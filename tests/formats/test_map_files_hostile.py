"""Whatever a file holds: a map, or an error that is one of ours."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from map_solutions import LATTICES, TILES, on, read

import wavefold as wf
from wavefold.formats import LoadedMap

ENDINGS = ("json", "npz", "csv", "tmx", "tmj")
PLACES = ("holes", "flat disk", "cubes", "rhombus")
SQUARES_ONLY = {"holes": ("ldtk",)}
ORIGINS = {"rhombus": (-3, 5)}  # a part of a world, which is an infinite map in Tiled
ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([-1, 0, 1, 2, 2**31, 2**32, 2**63]),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["", "square", "hex", "cube", "graph", "disk", "#.#", "zlib", "csv", "base64", "even"]),
    st.lists(st.integers(-2, 30), max_size=4),
    st.dictionaries(st.sampled_from(["kind", "width", "name", "value", "id"]), st.integers(0, 5), max_size=3),
)

WORDS = st.sampled_from(["x", "y", "z", "q", "r", "pattern", "0", "1", "-1", "2", "raised", '"'])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Every format of some maps, each in a folder of its own."""
    folder = tmp_path_factory.mktemp("maps")
    for place in PLACES:
        (folder / place).mkdir()
        for ending in (*ENDINGS, *SQUARES_ONLY.get(place, ())):
            solution = on(LATTICES[place])
            solution.origin = ORIGINS.get(place)
            solution.save(folder / place / f"map.{ending}", **SMALL.get(ending, {}))
    return folder


SMALL = {"tmx": {"tile_size": 2}, "tmj": {"tile_size": 2}, "ldtk": {"tile_size": 2}}


def read_or_refuse(path, place):
    """A map, or an error of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", wf.TileSetWarning)
        try:
            drawn = read(path, TILES[LATTICES[place].kind])
        except (wf.FormatError, wf.TileSetError, wf.ConfigError):
            return
    assert isinstance(drawn, LoadedMap)
    assert drawn.patterns.shape == (drawn.topology.cell_count,)
    assert drawn.patterns.dtype == np.int64
    assert -1 <= drawn.patterns.min() <= drawn.patterns.max() < len(drawn.rules)


@given(st.data())
@settings(max_examples=150)
def test_damaged_bytes(files, data):
    place = data.draw(st.sampled_from(PLACES))
    ending = data.draw(st.sampled_from((*ENDINGS, *SQUARES_ONLY.get(place, ()))))
    octets = bytearray((files / place / f"map.{ending}").read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(octets) - 1))
        match data.draw(st.sampled_from(["change", "cut", "insert", "double", "end"])):
            case "change":
                octets[at] = data.draw(st.integers(0, 255))
            case "cut":
                del octets[at : at + data.draw(st.integers(1, 40))]
            case "insert":
                octets[at:at] = data.draw(st.binary(max_size=6))
            case "double":
                octets[at:at] = octets[at : at + data.draw(st.integers(1, 200))]
            case "end":
                del octets[at:]
        if not octets:
            break
    path = files / place / f"damaged.{ending}"
    path.write_bytes(bytes(octets))
    read_or_refuse(path, place)


def mutated(data, value):
    """A document of JSON with some of its values replaced, removed or renamed."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 9)):
        name = data.draw(st.sampled_from(sorted(value)))
        if not data.draw(st.integers(0, 5)):
            return {key: each for key, each in value.items() if key != name}
        return value | {name: mutated(data, value[name])}
    if isinstance(value, list) and value and data.draw(st.integers(0, 9)):
        at = data.draw(st.integers(0, len(value) - 1))
        if not data.draw(st.integers(0, 5)):
            return value[:at] + value[at + 1 :]
        return [*value[:at], mutated(data, value[at]), *value[at + 1 :]]
    if isinstance(value, str) and value.startswith("{") and data.draw(st.booleans()):
        return json.dumps(mutated(data, json.loads(value)))
    return data.draw(ODD_VALUES)


@given(st.data())
@settings(max_examples=200)
def test_fields_that_hold_something_else(files, data):
    place = data.draw(st.sampled_from(PLACES))
    endings = ("json", "tmj", *SQUARES_ONLY.get(place, ()))
    name = f"map.{data.draw(st.sampled_from(endings))}"
    document = json.loads((files / place / name).read_text("utf-8"))
    for _ in range(data.draw(st.integers(1, 3))):
        document = mutated(data, document)
    path = files / place / f"mutated-{name}"
    path.write_text(json.dumps(document))
    read_or_refuse(path, place)


@given(st.data())
@settings(max_examples=60)
def test_tile_sets_that_hold_something_else(files, data):
    place = data.draw(st.sampled_from(PLACES))
    document = json.loads((files / place / "map.tmj").read_text("utf-8"))
    tileset = json.loads((files / place / "map-tiles.tsj").read_text("utf-8"))
    document["tilesets"][0]["source"] = "mutated.tsj"
    (files / place / "mutated.tsj").write_text(json.dumps(mutated(data, tileset)))
    (files / place / "with-mutated.tmj").write_text(json.dumps(document))
    read_or_refuse(files / place / "with-mutated.tmj", place)


@given(st.data())
@settings(max_examples=60)
def test_arrays_that_hold_something_else(files, data):
    place = data.draw(st.sampled_from(PLACES))
    with np.load(files / place / "map.npz") as found:
        arrays = dict(found)
    for _ in range(data.draw(st.integers(1, 2))):
        name = data.draw(st.sampled_from(sorted(arrays)))
        kind = data.draw(st.sampled_from(["f8", "i1", "u8", "U3", "S2", "bool", "M8[s]", "i4,f4", "c16"]))
        shape = data.draw(st.sampled_from([(), (0,), (1,), (7,), (37,), (2, 2), arrays[name].shape]))
        arrays[name] = np.zeros(shape, kind)
    if data.draw(st.booleans()):
        header = json.loads(str(arrays["metadata"])) if arrays["metadata"].dtype.kind == "U" and str(
            arrays["metadata"]
        ).startswith("{") else {}  # fmt: skip
        arrays["metadata"] = np.array(json.dumps(mutated(data, header)))
    np.savez(files / place / "mutated.npz", **arrays)
    read_or_refuse(files / place / "mutated.npz", place)


@given(st.lists(st.lists(WORDS, max_size=4), max_size=6))
@settings(max_examples=100)
def test_tables_that_hold_something_else(files, rows):
    for place, header in (("holes", "x,y,pattern"), ("flat disk", "q,r,pattern"), ("cubes", "x,y,z,pattern")):
        path = files / place / "mutated.csv"
        path.write_text("\n".join([header, *(",".join(row) for row in rows)]))
        read_or_refuse(path, place)
