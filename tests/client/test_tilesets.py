"""Tile sets of a server."""

import wavefold as wf


def test_the_bundled_tile_sets_are_listed(client):
    assert client.tilesets.list() == wf.tilesets()
