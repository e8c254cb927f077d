"""Documents of the studio are packed and opened: what comes out of a link or file is what went in."""

import json
import zlib
from base64 import b64encode, urlsafe_b64encode
from io import BytesIO

import pytest
from PIL import Image

import wavefold as wf
from running_server import run_client
from wavefold.errors import FormatError
from wavefold.formats.sections import encode_tiles
from wavefold.formats.toml.tables import encode_tables
from wavefold_server import Limits, ServiceSettings
from wavefold_server.documents.links import LONGEST_LINK, MOST_INFLATED, decode_link, encode_link
from wavefold_server.tilesets.library import digest_files

DOCUMENT = {
    "version": 1,
    "view": "map",
    "beginning": {"request": {"tileset": "castle"}},
    "commands": [{"do": "seed"}],
}
JSON = {"Content-Type": "application/json"}


def pack(client, document=DOCUMENT, tileset="castle"):
    answer = client.post("/api/v1/documents", json={"document": document, "tileset": tileset})
    assert answer.status_code == 200, answer.text
    return answer.json()


def unpack(client, packed):
    return client.post("/api/v1/documents/open", content=json.dumps(packed), headers=JSON)


def upload_sample(client, side=5):
    image = Image.new("RGB", (side, side), "white")
    for place in range(side * side if side > 9 else side):
        image.putpixel((place % side, place * 3 // side % side), (20, place * 7919 % 251, 160))
    file = BytesIO()
    image.save(file, "PNG")
    png = {"Content-Type": "image/png"}
    return client.post("/api/v1/tilesets?n=2&name=Mine", content=file.getvalue(), headers=png).json()["id"]


def test_a_link_brings_the_document_back(shared_client):
    packed = pack(shared_client, DOCUMENT | {"solve": {"tileset": "castle"}, "edits": [1]})
    opened = unpack(shared_client, {"link": packed["link"]}).json()
    assert opened == {"document": DOCUMENT | {"edits": [1]}, "changes": []}
    assert packed["whole"]
    assert packed["document"]["solve"] == {"tileset": "castle"}
    assert set(packed["document"]["tileset"]) == {"id", "name", "digest"}


def test_a_file_brings_the_document_back(shared_client):
    assert unpack(shared_client, pack(shared_client)["document"]).json()["document"] == DOCUMENT


def test_what_is_too_long_has_no_link(shared_client):
    noise = [{"do": "pin", "cells": [(n * 7919) % 65_537 for n in range(20_000)]}]
    packed = pack(shared_client, DOCUMENT | {"commands": noise})
    assert packed["link"] is None
    assert unpack(shared_client, packed["document"]).json()["document"]["commands"] == noise


def test_another_version_or_other_rules_are_named_and_it_still_opens(shared_client):
    packed = pack(shared_client)["document"]
    packed |= {"content": 1, "wavefold": "0.0.1", "tileset": packed["tileset"] | {"digest": "0" * 32}}
    opened = unpack(shared_client, packed).json()
    assert opened["document"] == DOCUMENT
    assert "wavefold 0.0.1" in opened["changes"][0]
    assert "castle" in opened["changes"][1]


def test_a_tile_set_of_ones_own_travels_along(shared_client, tmp_path):
    id = upload_sample(shared_client)
    packed = pack(shared_client, tileset=id)
    assert packed["whole"], "a small sample fits into a link"
    with run_client(ServiceSettings(data=tmp_path, workers=1)) as other:
        assert other.get(f"/api/v1/tilesets/{id}").status_code == 404
        assert unpack(other, {"link": packed["link"]}).status_code == 200
        assert other.get(f"/api/v1/tilesets/{id}").json()["name"] == "Mine"


def test_a_large_tile_set_is_left_out_of_the_link_but_not_of_the_file(shared_client, tmp_path):
    id = upload_sample(shared_client, 48)
    packed = pack(shared_client, tileset=id)
    assert not packed["whole"]
    assert len(packed["link"]) < LONGEST_LINK
    with run_client(ServiceSettings(data=tmp_path, workers=1)) as other:
        refused = unpack(other, {"link": packed["link"]})
        assert (refused.status_code, refused.json()["error"]) == (422, "TileSetMissing")
        assert "file" in refused.json()["advice"]
        assert unpack(other, packed["document"]).status_code == 200


@pytest.mark.parametrize(
    "packed",
    [
        {"link": "AAAA"}, {"link": "not base64!"}, {"link": "é"}, {"link": 7}, {"link": None},
        {"link": encode_link({"version": 9})}, [], 7, {},
        DOCUMENT | {"version": 2}, DOCUMENT | {"view": "../x"}, DOCUMENT | {"commands": "all"},
        DOCUMENT | {"tileset": {"id": "missing", "files": "????"}},
        DOCUMENT | {"tileset": {"id": "missing", "files": "UEsDBA=="}},
    ],
)  # fmt: skip
def test_what_is_damaged_is_refused_in_words(shared_client, packed):
    refused = unpack(shared_client, packed)
    assert (refused.status_code, refused.json()["error"]) == (422, "DamagedDocument")
    assert refused.json()["title"] == "This link or file is damaged"


def nest(depth):
    """Lists in each other, as JSON."""
    return "[" * depth + "]" * depth


HOSTILE = [
    json.dumps(DOCUMENT | {"edits": "half \ud800"}),
    json.dumps(DOCUMENT | {"half \ud800": 1}),
    json.dumps(DOCUMENT)[:-1] + f', "edits": {nest(100)}}}',
    json.dumps(DOCUMENT)[:-1] + f', "edits": {nest(300)}}}',
    json.dumps(DOCUMENT)[:-1] + f', "edits": {nest(900)}}}',
    json.dumps(DOCUMENT)[:-1] + f', "edits": {nest(100_000)}}}',
    json.dumps(DOCUMENT)[:-1] + ', "edits": 1e999}',
    json.dumps(DOCUMENT)[:-1] + ', "edits": NaN}',
    json.dumps(DOCUMENT)[:-1] + f', "edits": {"9" * 400}}}',
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_document_is_refused_and_no_fault_of_the_server(shared_client, text):
    opened = shared_client.post("/api/v1/documents/open", content=text, headers=JSON)
    assert (opened.status_code, opened.json()["error"]) == (422, "DamagedDocument")
    packed = shared_client.post("/api/v1/documents", content=f'{{"document": {text}}}', headers=JSON)
    assert packed.status_code in (400, 422)
    assert packed.json()["error"] == "InvalidRequest"


def test_a_link_that_inflates_to_gigabytes_is_refused():
    stream = zlib.compressobj(9, wbits=-15)
    data = stream.compress(b"[" + b" " * (MOST_INFLATED + 9) + b"]") + stream.flush()
    with pytest.raises(FormatError, match="too long"):
        decode_link(urlsafe_b64encode(data).decode())
    assert encode_link({"x": "a" * (MOST_INFLATED + 9)}) is None


def embed(tiles, id):
    """A document with this tile set, under this id."""
    files = b64encode(json.dumps(encode_tables(tiles)).encode()).decode()
    return DOCUMENT | {"tileset": {"id": id, "files": files}}


def list_uploads(client):
    found = client.get("/api/v1/tilesets").json()["tilesets"]
    return [each["name"] for each in found if each["origin"] != "bundled"]


@pytest.mark.parametrize("name", ["a", "a" * 5_000])
def test_a_tile_set_in_a_document_that_is_refused_is_not_stored(shared_client, name):
    tiles = wf.TileSet([wf.Tile(name, ("x",) * 4)], name="intruder")
    refused = unpack(shared_client, embed(tiles, "0" * 24))
    assert (refused.status_code, refused.json()["error"]) == (422, "DamagedDocument")
    assert "intruder" not in list_uploads(shared_client)


def test_words_in_a_document_are_limited_as_in_uploads(shared_client):
    tiles = wf.TileSet([wf.Tile("a" * 5_000, ("x",) * 4)], name="intruder")
    refused = unpack(shared_client, embed(tiles, digest_files(encode_tiles(tiles))))
    assert "more than 200 letters" in refused.json()["detail"]
    assert "intruder" not in list_uploads(shared_client)


def test_a_tile_set_in_a_document_has_the_limits_of_the_server(tmp_path):
    tiles = wf.TileSet([wf.Tile(str(number), ("x",) * 4) for number in range(20)])
    limits = Limits(patterns=10)
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as client:
        refused = unpack(client, embed(tiles, "0" * 24)).json()
    assert (refused["error"], refused["limit"]) == ("LimitExceeded", "patterns")


def test_a_document_of_megabytes_is_packed_and_opened(shared_client):
    """One with many strokes: more than other requests may have."""
    strokes = [{"do": "paint", "pixels": "7" * 4_096} for _ in range(400)]
    packed = pack(shared_client, DOCUMENT | {"commands": strokes})
    assert unpack(shared_client, packed["document"]).json()["document"]["commands"] == strokes


def test_documents_in_memory_are_limited_by_their_bytes_together(shared_client, monkeypatch):
    monkeypatch.setattr("wavefold_server.transfer.MOST_AT_ONCE", 0)
    refused = unpack(shared_client, DOCUMENT | {"note": "a" * 8_000})
    assert (refused.status_code, refused.json()["error"]) == (503, "Busy")
