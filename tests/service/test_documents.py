"""Documents of the studio are packed and opened: what comes out of a link or file is what went in."""

import json
from io import BytesIO

import pytest
from PIL import Image

from running_server import run_client
from wavefold.service import ServiceSettings
from wavefold.service.documents.passing import LONGEST_LINK, deflate, inflate

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
        {"link": "AAAA"}, {"link": "not base64!"}, {"link": 7}, {"link": deflate({"version": 9})}, [], 7, {},
        DOCUMENT | {"version": 2}, DOCUMENT | {"view": "../x"}, DOCUMENT | {"commands": "all"},
        DOCUMENT | {"tileset": {"id": "missing", "files": "????"}},
        DOCUMENT | {"tileset": {"id": "missing", "files": "UEsDBA=="}},
    ],
)  # fmt: skip
def test_what_is_damaged_is_refused_in_words(shared_client, packed):
    refused = unpack(shared_client, packed)
    assert (refused.status_code, refused.json()["error"]) == (422, "DamagedDocument")
    assert refused.json()["title"] == "This link or file is damaged"


def test_a_link_that_inflates_to_gigabytes_is_refused():
    bomb = deflate({"x": "a" * (5 << 20)})
    assert len(bomb) < 10_000
    with pytest.raises(ValueError, match="too long"):
        inflate(bomb)
