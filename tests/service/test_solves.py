"""Maps over HTTP have the bytes that the library gives."""

import wavefold as wf

PIPES = {
    "tileset": "pipes",
    "topology": {"kind": "square", "width": 12, "height": 8, "wraps": False},
    "seed": 7,
}


def test_a_small_map_is_answered_at_once_with_the_bytes_of_the_library(client):
    answer = client.post("/api/v1/solves", json=PIPES | {"refine": False})
    assert answer.status_code == 200, answer.text
    expected = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(12, 8), seed=7, refine=False)
    assert answer.json()["patterns"] == expected.patterns.tolist()
    assert answer.json()["status"] == "solved"


def test_a_map_can_be_read_again_by_its_id(client):
    made = client.post("/api/v1/solves", json=PIPES).json()
    assert client.get(f"/api/v1/solves/{made['id']}").json() == made


def test_an_unknown_tile_set_is_refused_with_the_nearest_name(client):
    answer = client.post("/api/v1/solves", json=PIPES | {"tileset": "pipe"})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert "pipes" in answer.json()["advice"]


def test_a_map_that_is_too_large_names_the_limit(client):
    answer = client.post("/api/v1/solves", json=PIPES | {"topology": {"width": 5000, "height": 5000}})
    assert answer.status_code == 422
    assert answer.json()["limit"] == "cells"


def test_unknown_keys_are_refused_with_their_place(client):
    answer = client.post("/api/v1/solves", json=PIPES | {"sed": 7})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/sed"
