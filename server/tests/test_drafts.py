"""Tiles that are being made, and what they do."""

from base64 import b64encode
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.formats.archive import InputLimits
from wavefold.kernels.host.checkpoint import Cancelled, checking
from wavefold.storage.png import encode_png
from wavefold_server.drafts.models import PicturesRequest
from wavefold_server.drafts.pictures import cut_tiles, list_cells

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
        ({"tiles": []}, "needs at least one tile"),
        ({"tiles": [{"sockets": "a"}]}, "tile 1 has no name"),
        ({"tiles": [{"name": "a"}, {"name": "a"}]}, "tile 2 has the name of another"),
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
        ({"pictures": {"a": "aGVsbG8="}}, 422, "unsupported picture format"),
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


@pytest.mark.parametrize("name", ["blocks", "unknown", "starter-cube"])
def test_only_flat_drawn_sets_can_be_begun_with(shared_client, name):
    answer = shared_client.get(f"/api/v1/drafts/bases/{name}")
    assert answer.status_code == (422 if name == "blocks" else 404)


def test_a_base_that_was_deleted_is_no_base_any_more(client):
    id = client.post("/api/v1/tilesets", json=get_tables(client, "castle")).json()["id"]
    assert client.get(f"/api/v1/drafts/bases/{id}").status_code == 200
    client.delete(f"/api/v1/tilesets/{id}")
    assert client.get(f"/api/v1/drafts/bases/{id}").status_code == 404


# --- requests that mean harm -----------------------------------------------------------------------

JSON = {"Content-Type": "application/json"}
HOSTILE = [
    '"tiles": [{"name": "half \\ud800", "sockets": "x"}]',
    '"tiles": [{"name": "a", "sockets": "x", "half \\ud800": 1}]',
    '"tiles": [{"name": "a", "sockets": "x", "weight": ' + "9" * 400 + "}]",
    '"tiles": [{"name": "a", "sockets": "x", "weight": 1e999}]',
    '"tiles": [{"name": "a", "sockets": "x", "weight": NaN}]',
    '"tiles": [{"name": "a", "sockets": "x", "limits": ' + "[" * 300 + "]" * 300 + "}]",
    '"tiles": [{"name": "a", "sockets": "x"}], "sheet": {"size": [1e999, 16]}',
]


@pytest.mark.parametrize("route", ["", "/rules", "/audit", "/tileset"])
@pytest.mark.parametrize("tables", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_tables_are_refused_and_no_fault_of_the_server(shared_client, route, tables):
    answer = shared_client.post(f"/api/v1/drafts{route}", content=f'{{"tables": {{{tables}}}}}', headers=JSON)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"] == "InvalidRequest"


@pytest.mark.parametrize(
    "change",
    [
        {"sheet": {"size": [16.5, 16]}}, {"sheet": {"size": [0, 16]}}, {"sheet": {"size": [129, 16]}},
        {"sheet": {"size": "ab"}}, {"sheet": {}}, {"tiles": [{"name": "a", "at": {}}]},
        {"tiles": [{"name": "a", "at": []}]}, {"tiles": [{"name": "a", "at": [-1, 99]}]},
        {"tiles": [{"name": "a", "at": [1 << 63, 0]}]}, {"tiles": [{"name": "a", "at": [[0.5, 0]]}]},
    ],
)  # fmt: skip
def test_places_of_pictures_that_make_no_sense_are_refused(shared_client, change):
    tables = shared_client.get("/api/v1/drafts/bases/castle").json()["tables"] | change
    answer = shared_client.post("/api/v1/drafts/tileset", json={"tables": tables, "base": "castle"})
    assert (answer.status_code, answer.json()["error"]) == (422, "FormatError")


def test_drawn_tiles_are_counted_before_they_are_enlarged(shared_client):
    dot = {"width": 1, "height": 1, "palette": ["#000000"], "pixels": [0]}
    sheet = {"file": "tiles.png", "size": [128, 128]}
    for count, limit in [(5_000, "patterns"), (2_000, "pixels")]:
        tiles = [{"name": f"t{number}", "sockets": "x", "drawn": dot} for number in range(count)]
        body = {"tables": {"tiles": tiles, "sheet": sheet}}
        refused = shared_client.post("/api/v1/drafts/tileset", json=body).json()
        assert (refused["error"], refused["limit"]) == ("LimitExceeded", limit)


def test_pictures_are_counted_together(shared_client):
    large = encode_picture(np.zeros((3_000, 3_000, 4), np.uint8))
    body = {"pictures": {"a": large, "b": large}, "width": 100, "height": 100}
    refused = shared_client.post("/api/v1/drafts/pictures", json=body)
    assert (refused.status_code, refused.json()["limit"]) == (413, "pixels")
    noise = np.arange(40 * 40 * 4, dtype=np.uint16).view(np.uint8).reshape(40, 80, 4) | 1
    pictures = {name: encode_picture(noise[:, start:]) for name, start in [("a", 0), ("b", 1)]}
    refused = shared_client.post(
        "/api/v1/drafts/pictures", json={"pictures": pictures, "width": 3, "height": 3}
    )
    assert "more than 512 tiles in these pictures" in refused.json()["detail"]


def test_cutting_ends_when_the_client_has_left():
    def cancel():
        raise Cancelled("the client has left")

    body = PicturesRequest(pictures={"a": encode_picture(striped(12, 12))}, width=12, height=12)
    with checking(cancel):
        with pytest.raises(Cancelled):
            list_cells(striped(12, 12), 1, 1)
        with pytest.raises(Cancelled):
            cut_tiles(body, InputLimits())


def test_cells_of_a_sheet_are_listed_once_in_order_without_empty_ones():
    sheet = np.full((4, 7, 4), 255, np.uint8)
    sheet[:2, 2:4] = 0
    sheet[2:, :2] = 9
    cells = list_cells(sheet, 2, 2)
    assert [cell.flat[0] for cell in cells] == [255, 9]
    assert all(cell.shape == (2, 2, 4) for cell in cells)


def test_an_edge_that_is_seen_from_its_other_end_has_the_mirrored_socket():
    slope = np.full((10, 10, 4), 255, np.uint8)
    slope[:, :5, :3] = 0
    (tile,) = cut_tiles(PicturesRequest(pictures={"a": encode_picture(slope)}), InputLimits()).tiles
    assert tile.sockets == ("edge 1>", "edge 2", "edge 1<", "edge 3")


@pytest.mark.parametrize("route", ["", "/rules", "/audit", "/pictures", "/tileset"])
def test_bodies_that_are_not_announced_as_json_are_refused(shared_client, route):
    headers = {"Content-Type": "text/plain"}
    answer = shared_client.post(f"/api/v1/drafts{route}", content='{"tables": {}}', headers=headers)
    assert answer.status_code == 415


def test_what_is_wrong_with_a_large_body_has_a_pointer(shared_client):
    answer = shared_client.post("/api/v1/drafts/pictures", json={"pictures": {"a": 7}})
    assert answer.json()["errors"][0]["pointer"] == "/pictures/a"
    broken = shared_client.post("/api/v1/drafts/tileset", content="{", headers=JSON)
    assert (broken.status_code, broken.json()["error"]) == (400, "InvalidRequest")
