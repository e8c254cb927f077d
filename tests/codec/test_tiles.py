"""Tile sets as bytes, and without the pictures that are missing."""

import pytest

import wavefold as wf
from wavefold.codec import decode_tiles, digest_limits, encode_tiles


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


def test_limits_have_a_digest_of_their_own():
    def tiles(high):
        return wf.TileSet(
            [wf.Tile("a", (*"aaaa",), limits={"altitude": (0, high)}), wf.Tile("b", (*"aaaa",))]
        )

    assert digest_limits(tiles(0.5)) == digest_limits(tiles(0.5)) != digest_limits(tiles(0.6))
    assert tiles(0.5).rules.digest == tiles(0.6).rules.digest
