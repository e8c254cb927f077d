"""Tile sets as bytes, and without the pictures that are missing."""

import json
from io import BytesIO

import numpy as np
import pytest

import wavefold as wf
from wavefold.fields import Noise
from wavefold.fields.expression import MOST_NESTED
from wavefold.formats.sections import (
    decode_expression,
    decode_fields,
    decode_tiles,
    digest_tiles,
    encode_expression,
    encode_fields,
    encode_tiles,
)


@pytest.fixture(scope="module")
def tiles():
    """Some tiles of a set with two sheets; all of them would take seconds to draw."""
    medieval = wf.TileSet.load("medieval")
    return wf.TileSet(medieval.tiles[:12], "hex", name="part of medieval")


@pytest.fixture(scope="module")
def entries(tiles):
    found = encode_tiles(tiles)
    assert set(found) == {"tiles.toml", "tiles.png", "tiles-flat.png"}
    assert b"at = [\n" in found["tiles.toml"]  # positions that take several lines
    return found


@pytest.mark.parametrize(
    "missing", [(), ("tiles.png",), ("tiles-flat.png",), ("tiles.png", "tiles-flat.png")]
)
def test_rules_do_not_depend_on_the_sheets_that_are_there(tiles, entries, missing):
    left = {name: content for name, content in entries.items() if name not in missing}
    found = decode_tiles(left)
    assert found.rules.digest == tiles.rules.digest
    assert all((tile.picture is None) == ("tiles.png" in missing) for tile in found.tiles)


def test_limits_count_only_with_fields():
    def tiles(high):
        return wf.TileSet(
            [wf.Tile("a", (*"aaaa",), limits={"altitude": (0, high)}), wf.Tile("b", (*"aaaa",))]
        )

    same, again, other = tiles(0.5), tiles(0.5), tiles(0.6)
    assert digest_tiles(same, "fields") == digest_tiles(again, "fields") != digest_tiles(other, "fields")
    assert digest_tiles(same, None) == digest_tiles(other, None)
    assert tiles(0.5).rules.digest == tiles(0.6).rules.digest


def hills():
    """Tiles with everything a file can say about them."""
    picture = np.arange(4 * 4 * 4, dtype=np.uint8).reshape(4, 4, 4)
    return wf.TileSet(
        [
            wf.Tile("sea", None, 2.5, levels=3, limits={"height": (0.0, 0.5)}, picture=picture),
            wf.Tile(
                "coast-1", None, symmetry="L", apart=True, limits=({"level": (1.0, 2.0)},), picture=picture
            ),
        ],
        name="hills\u2028and\x85seas",
        groups={"water": ["sea", "coast-*"]},
        beside=[wf.Beside("sea", "coast-1"), wf.Beside("sea", "sea", weight=2.0)],
        constraints=[wf.Count("sea", at_most=3), wf.Connected(["sea"], joins=[(0, 0), (1, 2)])],
        objects=[wf.MapObject("tree", "water", picture=picture[:3], jitter=0.2)],
        size=[8, 6],
        description="one\ntwo",
        sweeps=3,
        shares={"water": 0.5},
    )


KINDS = {
    "objects and constraints": hills,
    "activities": lambda: wf.TileSet.load("terrain"),
    "cubes": lambda: wf.TileSet.load("blocks"),
    "learned": lambda: wf.learn("seabed"),
    "values": lambda: wf.learn_adjacency([["sea", 1, 2.5], [True, "", "land@x"]]),
    "table": lambda: wf.TileSet.from_allowed(["a", "b"], np.ones((4, 2, 2), bool), [1, 3]),
    "function": lambda: wf.TileSet(
        [wf.Tile("a", (*"xyxy",), symmetry="turned"), wf.Tile("b", (*"xxyy",))],
        allowed=lambda here, there, side: here.tile.name != there.tile.name or side == "north",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_tile_set_comes_back_the_same(kind):
    tiles = KINDS[kind]()
    entries = encode_tiles(tiles)
    found = decode_tiles(entries)
    assert encode_tiles(found) == entries
    assert found.rules.digest == tiles.rules.digest
    for name in ("name", "description", "size", "topology", "groups", "activities", "shares", "objects"):
        assert getattr(found, name) == getattr(tiles, name)
    assert list(map(repr, found.constraints)) == list(map(repr, tiles.constraints))
    assert [tile.limits for tile in found.tiles] == [tile.limits for tile in tiles.tiles]
    np.testing.assert_array_equal(found.pictures(), tiles.pictures())


# --- fields in files: the same again, and nothing that a file should not do -----------------------


def test_an_expression_comes_back():
    expression = (Noise(0.05, seed=3) * 2 - 1).clamp(-0.5, 0.5)
    encoded = json.loads(json.dumps(encode_expression("height", expression)))
    assert decode_expression(encoded) == expression


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 980, 100_000])
def test_what_is_nested_too_deeply_is_refused(depth):
    data = ["number", 1.0]
    for _ in range(depth):
        data = ["abs", data]
    with pytest.raises(wf.WorldError, match="nested too deeply"):
        decode_expression(data)


def test_the_deepest_expression_comes_back():
    expression = Noise(0.05)
    for _ in range(MOST_NESTED):
        expression = expression + 1
    fields = wf.Fields(height=expression)
    assert decode_fields(encode_fields(fields)).digest == fields.digest


def test_a_header_that_claims_more_than_there_is_is_refused_before_anything_is_allocated():
    entries = encode_fields(wf.Fields(height=np.zeros((3, 5))))
    content = BytesIO()
    np.lib.format.write_array_header_1_0(
        content, {"descr": "<f8", "fortran_order": False, "shape": (50_000, 50_000)}
    )
    with pytest.raises(ValueError, match="its size is not what its header says"):
        decode_fields(entries | {"field height": content.getvalue() + bytes(120)})
