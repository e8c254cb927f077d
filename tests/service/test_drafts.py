"""Tiles that are being made, and what they do."""

from base64 import b64encode
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.formats.sheet import encode_png

GARDEN = {
    "name": "garden",
    "tiles": [
        {"name": "lawn", "sockets": "grass", "weight": 3},
        {"name": "path", "sockets": {"north": "path", "south": "path", "others": "grass"}, "symmetry": "I"},
        {"name": "bend", "sockets": ["path", "path", "grass", "grass"], "symmetry": "L", "weight": 0.5},
    ],
}


def change(**changes):
    return {"tables": GARDEN | changes}


def get_tables(client, id):
    return client.get(f"/api/v1/tilesets/{id}/tables").json()


@pytest.mark.parametrize("name", ["castle", "terrain", "medieval", "dungeon"])
def test_a_map_of_a_draft_is_the_map_of_its_tile_set(shared_client, name):
    body = {"tables": get_tables(shared_client, name)["tables"], "width": 12, "height": 10, "seed": 5}
    answer = shared_client.post("/api/v1/drafts", json=body)
    tiles = wf.TileSet.load(name)
    grid = wf.HexGrid.rectangle(12, 10) if tiles.topology == "hex" else wf.SquareGrid(12, 10)
    assert answer.json()["patterns"] == wf.generate(tiles, grid, seed=5, refine=False).patterns.tolist()


def test_other_weights_give_the_map_of_a_tile_set_with_these_weights(shared_client):
    tiles = [tile | {"weight": 1 + number} for number, tile in enumerate(GARDEN["tiles"])]
    body = change(tiles=tiles) | {"width": 16, "height": 16, "seed": 2}
    shared_client.post("/api/v1/drafts", json=change() | {"width": 16, "height": 16})
    answer = shared_client.post("/api/v1/drafts", json=body).json()
    made = wf.TileSet(
        [
            wf.Tile("lawn", ("grass",) * 4, 1),
            wf.Tile("path", ("path", "grass", "path", "grass"), 2, "I"),
            wf.Tile("bend", ("path", "path", "grass", "grass"), 3, "L"),
        ]
    )
    expected = wf.generate(made, wf.SquareGrid(16, 16), seed=2, refine=False)
    assert answer["patterns"] == expected.patterns.tolist()


def test_the_rules_of_a_draft_say_what_may_stand_where(shared_client):
    answer = shared_client.post("/api/v1/drafts/rules", json=change()).json()
    names = [each["name"] for each in answer["patterns"]]
    east, lawn = answer["directions"].index("east"), names.index("lawn")
    side = answer["neighbours"][east]
    found = {names[each] for each in side["rows"][side["class_of"][lawn]]}
    assert found == {"lawn", "path", "bend", "bend@90"}
    assert answer["opposite"][east] == answer["directions"].index("west")
    assert answer["findings"] == []


def test_what_looks_like_a_mistake_is_said(shared_client):
    tiles = [*GARDEN["tiles"], {"name": "stone", "sockets": "stone"}]
    answer = shared_client.post("/api/v1/drafts/rules", json=change(tiles=tiles)).json()
    wrong = [{"name": "bend", "sockets": ["path", "path", "grass", "grass"], "symmetry": "I"}]
    assert "'L' would fit" in str(shared_client.post("/api/v1/drafts/rules", json=change(tiles=wrong)).json())
    assert len(answer["patterns"]) == 8


def test_the_audit_of_a_draft_suggests_tiles(shared_client):
    walls = [
        {"name": "gate", "sockets": ["path", "wall", "path", "wall"], "symmetry": "I"},
        {"name": "wall", "sockets": ["grass", "wall", "grass", "wall"], "symmetry": "I"},
    ]
    report = shared_client.post("/api/v1/drafts/audit", json=change(tiles=GARDEN["tiles"][:2] + walls)).json()
    assert report["patterns"] == 7
    assert "wall" in report["suggestions"][0]["sockets"]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"tiles": []}, "there are no tiles"),
        ({"tiles": [{"sockets": "a"}]}, "tile 1 has no name"),
        ({"tiles": [{"name": "a"}, {"name": "a"}]}, "tile 2 is called 'a', as another is"),
        ({"tiles": [{"name": "a", "weight": 0}]}, "above 0"),
        ({"tiles": [{"name": "a", "sockets": ["x"]}]}, "sides"),
        ({"tiles": [{"name": "a", "sokets": "x"}]}, "unknown key 'sokets'"),
        ({"tiles": "all"}, "must be a list of tables"),
        ({"topology": "cube", "tiles": [{"name": "a"}]}, "squares or hexagons"),
        ({"tiles": [{"name": "a"}], "beside": [{"here": "a", "there": "b"}]}, "'b'"),
    ],
)
def test_what_cannot_be_a_draft_is_refused_in_words(shared_client, tables, words):
    answer = shared_client.post("/api/v1/drafts", json={"tables": tables})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_tiles_of_which_nothing_fits_are_a_contradiction(shared_client):
    body = {"tables": {"tiles": [{"name": "a", "sockets": ["x", "y", "z", "w"]}]}}
    answer = shared_client.post("/api/v1/drafts", json=body)
    assert (answer.status_code, answer.json()["error"]) == (409, "Contradiction")


@pytest.mark.parametrize("name", ["castle", "medieval", "terrain", "knots", "blocks"])
def test_a_tile_set_as_tables_can_be_uploaded_again(client, name):
    tables = get_tables(client, name)
    stored = client.post("/api/v1/tilesets", json=tables).json()
    assert stored["digest"] == wf.TileSet.load(name).rules.digest
    assert get_tables(client, stored["id"]) == tables


@pytest.mark.parametrize(
    "body",
    [b"{", b'{"files": {}}', b'{"tables": 3}', b'{"tables": {}, "files": {"a.png": "?"}}', b"{" * 9999],
)
def test_json_that_is_not_a_tile_set_is_refused(shared_client, body):
    headers = {"Content-Type": "application/json"}
    answer = shared_client.post("/api/v1/tilesets", content=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"] == "FormatError"


def test_a_tile_set_is_downloaded_as_an_archive_that_can_be_uploaded(client, tmp_path):
    data = client.get("/api/v1/tilesets/castle/tiles.zip").content
    assert client.post("/api/v1/tilesets", content=data).status_code == 201
    with ZipFile(BytesIO(data)) as archive:
        archive.extractall(tmp_path)
    assert wf.TileSet.load(tmp_path / "tiles.toml").rules.digest == wf.TileSet.load("castle").rules.digest


def encode_picture(pixels):
    return b64encode(encode_png(pixels)).decode()


def striped(width, height):
    """Grass with a road from west to east, two cells wide and one high, the second turned."""
    cell = np.full((height, width, 4), (90, 160, 70, 255), np.uint8)
    cell[height // 3 : 2 * height // 3] = (200, 180, 120, 255)
    return np.concatenate([cell, cell.transpose(1, 0, 2)], axis=1)


def test_a_sheet_is_cut_into_tiles_whose_edges_fit(shared_client):
    body = {"pictures": {"roads": encode_picture(striped(12, 12))}, "width": 12, "height": 12}
    answer = shared_client.post("/api/v1/drafts/pictures", json=body).json()
    first, second = answer["tables"]["tiles"]
    assert (first["name"], second["name"]) == ("roads 1", "roads 2")
    assert first["sockets"] == ["edge 1", "edge 2", "edge 1", "edge 2"]
    assert second["sockets"] == ["edge 2", "edge 1", "edge 2", "edge 1"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"pictures": {"a": "?"}}, 422, "not base64"),
        ({"pictures": {"a": "aGVsbG8="}}, 422, "not a picture"),
        ({"pictures": {"a": encode_picture(np.zeros((4, 300, 4), np.uint8))}}, 422, "300 x 4 pixels"),
        ({"pictures": {"a": encode_picture(np.zeros((3000, 3000, 4), np.uint8))}}, 422, "3000 x 3000"),
        (
            {"pictures": {"a": encode_picture(np.zeros((8, 8, 4), np.uint8))}, "width": 8, "height": 8},
            422,
            "0 tiles",
        ),
    ],
)
def test_pictures_that_cannot_be_tiles_are_refused_in_words(shared_client, body, status, words):
    answer = shared_client.post("/api/v1/drafts/pictures", json=body)
    assert answer.status_code == status
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("topology", ["square", "hex", "square-8", "hex-64"])
def test_a_starter_makes_maps_at_once(shared_client, topology):
    tables = shared_client.get(f"/api/v1/drafts/bases/starter-{topology}").json()["tables"]
    answer = shared_client.post("/api/v1/drafts", json={"tables": tables, "width": 64, "height": 64})
    rules = shared_client.post("/api/v1/drafts/rules", json={"tables": tables}).json()
    assert len(set(answer.json()["patterns"])) > 6
    assert rules["findings"] == []


def test_a_draft_is_stored_with_what_was_drawn_and_what_it_began_as(client):
    tables = client.get("/api/v1/drafts/bases/castle").json()["tables"]
    red = {"width": 24, "height": 24, "palette": ["#ff0000"], "pixels": [0] * 576}
    tables["tiles"][0] |= {"drawn": red, "weight": 3}
    stored = client.post("/api/v1/drafts/tileset", json={"tables": tables, "base": "castle"})
    assert stored.status_code == 201
    again = get_tables(client, stored.json()["id"])
    assert again["tables"]["objects"].keys() == wf_objects("castle")
    picture = client.get(f"/api/v1/tilesets/{stored.json()['id']}/tiles/meadow.png").content
    assert Image.open(BytesIO(picture)).convert("RGB").getpixel((3, 3)) == (255, 0, 0)
    wall = [
        client.get(f"/api/v1/tilesets/{id}/tiles/wall.png").content for id in ("castle", stored.json()["id"])
    ]
    assert wall[0] == wall[1]


def wf_objects(name):
    return {each.name for each in wf.TileSet.load(name).objects}


@pytest.mark.parametrize(
    "drawn",
    [
        {},
        {"width": 1, "height": 1, "palette": ["#000000"], "pixels": [1]},
        {"width": 1, "height": 1, "palette": ["red"], "pixels": [0]},
        [1],
    ],
)
def test_a_draft_with_damaged_pictures_is_refused(shared_client, drawn):
    tables = {"tiles": [{"name": "a", "sockets": "x", "drawn": drawn}]}
    answer = shared_client.post("/api/v1/drafts/tileset", json={"tables": tables})
    assert (answer.status_code, answer.json()["error"]) == (422, "FormatError")


def test_a_draft_as_python_code_makes_the_same_map(shared_client, tmp_path, monkeypatch):
    body = change(beside=[{"here": "bend", "there": "bend", "allowed": False}])
    body |= {"width": 12, "height": 12, "seed": 4}
    monkeypatch.chdir(tmp_path)
    found = {}
    exec(shared_client.post("/api/v1/drafts/python", json=body).text, found)
    answer = shared_client.post("/api/v1/drafts", json=body).json()
    assert found["solution"].patterns.tolist() == answer["patterns"]
    assert (tmp_path / "map.png").exists()


@pytest.mark.parametrize("name", ["blocks", "unknown", "starter-cube"])
def test_only_flat_drawn_sets_can_be_begun_with(shared_client, name):
    answer = shared_client.get(f"/api/v1/drafts/bases/{name}")
    assert answer.status_code == (422 if name == "blocks" else 404)
