"""Tile sets as bytes, and without the pictures that are missing."""

import pytest

import wavefold as wf
from support import compiled_only
from wavefold.codec import decode_tiles, digest_limits, encode_tiles


@compiled_only
@pytest.mark.parametrize(
    "missing", [(), ("tiles.png",), ("tiles-flat.png",), ("tiles.png", "tiles-flat.png")]
)
def test_rules_do_not_depend_on_the_sheets_that_are_there(missing):
    tiles = wf.TileSet.load("medieval")
    entries = encode_tiles(tiles)
    assert set(entries) == {"tiles.toml", "tiles.png", "tiles-flat.png"}
    left = {name: content for name, content in entries.items() if name not in missing}
    assert decode_tiles(left).rules.digest == tiles.rules.digest


def test_limits_have_a_digest_of_their_own():
    def tiles(high):
        return wf.TileSet(
            [wf.Tile("a", (*"aaaa",), limits={"altitude": (0, high)}), wf.Tile("b", (*"aaaa",))]
        )

    assert digest_limits(tiles(0.5)) == digest_limits(tiles(0.5)) != digest_limits(tiles(0.6))
    assert tiles(0.5).rules.digest == tiles(0.6).rules.digest
