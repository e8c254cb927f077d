"""Tile sets over HTTP: listed, described, drawn, uploaded, audited and deleted."""

import json
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from running_server import run_client
from wavefold_server import Limits, ServiceSettings

URL = "/api/v1/tilesets"
TOML = b'format = 1\nname = "two"\n[tiles.a]\nsockets = "x"\ncolour = "red"\n[tiles."b/c ?"]\nsockets = "x"\n'


@pytest.fixture
def client(shared_client):
    return shared_client


def upload(client, data, **options):
    answer = client.post(URL, content=data, params=options)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def pixels(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    return np.asarray(Image.open(BytesIO(answer.content)).convert("RGBA"))


def assert_problem(answer, status, error, **members):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["error"] == error
    assert members.items() <= problem.items()


# --- listed and described -------------------------------------------------------------------------


def test_bundled_sets_are_listed_with_what_one_chooses_by(client):
    listed = {each["id"]: each for each in client.get(URL).json()["tilesets"]}
    assert set(listed) >= set(wf.tilesets())
    for name in ("pipes", "blocks", "medieval"):
        tiles, found = wf.TileSet.load(name), listed[name]
        assert found["digest"] == tiles.rules.digest
        assert (found["tile_count"], found["pattern_count"]) == (len(tiles.tiles), len(tiles))
        assert (found["topology"], found["origin"]) == (tiles.topology, "bundled")
        assert found["certificate"]["verdict"] == "periodic"
        assert found["worlds"] == (name != "blocks")
    assert "worlds are flat" in listed["blocks"]["certificate"]["text"]


def test_a_set_is_described_down_to_its_patterns(client):
    castle, found = wf.TileSet.load("castle"), client.get(f"{URL}/castle").json()
    assert [each["name"] for each in found["patterns"]] == list(castle.rules.names)
    assert [each["weight"] for each in found["patterns"]] == castle.rules.weights.tolist()
    assert [each["sockets"] for each in found["patterns"]] == [list(each.sockets) for each in castle.patterns]
    bridge = next(each for each in found["tiles"] if each["name"] == "bridge")
    tile = next(each for each in castle.tiles if each.name == "bridge")
    assert bridge["sockets"] == dict(zip(castle.directions, tile.sockets, strict=True))
    assert bridge["meets"] == [list(group) for group in tile.meets]
    assert [castle.patterns[number].tile.name for number in bridge["patterns"]] == ["bridge"] * 2
    assert found["groups"].keys() == castle.groups.keys()
    assert client.get(f"{URL}/dungeon").json()["constraints"][0]["kind"] == "connected"


def test_the_atlas_has_every_pattern_where_the_index_says(client):
    for name in ("pipes", "blocks"):
        index = client.get(f"{URL}/{name}").json()["atlas"]
        atlas, pictures = pixels(client.get(index["url"])), wf.TileSet.load(name).pictures()
        high, wide = index["height"], index["width"]
        assert atlas.shape[:2] == (index["rows"] * high, index["columns"] * wide)
        for number in (0, 7, len(pictures) - 1):
            row, column = divmod(number, index["columns"])
            cut = atlas[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
            np.testing.assert_array_equal(cut, pictures[number])


def test_models_of_cubes_are_where_the_index_says(client):
    index = client.get(f"{URL}/blocks").json()["voxels"]
    sheet, blocks = pixels(client.get(index["url"])), wf.TileSet.load("blocks")
    high, wide = index["height"], index["width"] * index["depth"]
    number = blocks.rules.patterns("tree")[0]
    row, column = divmod(number, index["columns"])
    cut = sheet[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
    layers = np.stack(np.split(cut, index["depth"], axis=1))
    np.testing.assert_array_equal(layers, blocks.patterns[number].tile.picture)


def test_only_cubes_have_voxels(client):
    assert client.get(f"{URL}/pipes").json()["voxels"] is None
    answer = client.get(f"{URL}/pipes/voxels.png")
    assert_problem(answer, 422, "ConfigError")
    assert "square" in answer.json()["detail"]


def test_a_tile_is_drawn_as_the_library_draws_it(client):
    tiles = wf.TileSet.load("pipes")
    shown = pixels(client.get(f"{URL}/pipes/tiles/bend.png", params={"size": 12}))
    turned = pixels(client.get(f"{URL}/pipes/tiles/bend@90.png", params={"size": 12}))
    first, second = tiles.rules.patterns("bend")[:2]
    np.testing.assert_array_equal(shown, tiles.pictures(12)[first])
    np.testing.assert_array_equal(turned, tiles.pictures(12)[second])


def test_a_picture_that_the_browser_has_is_not_sent_again(client):
    first = client.get(f"{URL}/pipes/sample.png")
    tag = first.headers["etag"]
    assert pixels(first).shape[1] >= 200
    again = client.get(f"{URL}/pipes/sample.png", headers={"If-None-Match": f'"x", W/{tag}'})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(f"{URL}/pipes/sample.png", params={"seed": 3}, headers={"If-None-Match": tag})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/nothing"), ("GET", "/nothing/atlas.png"), ("GET", "/nothing/sample.png"),
        ("GET", "/nothing/tiles/a.png"), ("GET", "/pipes/tiles/crner.png"), ("POST", "/nothing/audit"),
        ("DELETE", "/nothing"), ("GET", "/nothing/voxels.png"),
    ],
)  # fmt: skip
def test_what_does_not_exist_is_404(client, method, path):
    assert_problem(client.request(method, URL + path), 404, "NotFound")


@pytest.mark.parametrize("size", ["0", "1000", "a"])
def test_sizes_of_pictures_are_checked(client, size):
    assert_problem(client.get(f"{URL}/pipes/atlas.png", params={"size": size}), 422, "InvalidRequest")


def test_an_atlas_that_would_be_too_large_is_refused_with_a_size_that_fits(client):
    answer = client.get(f"{URL}/medieval/atlas.png", params={"size": 500})
    assert_problem(answer, 422, "ConfigError")
    assert "try size=" in answer.json()["detail"]


# --- audited --------------------------------------------------------------------------------------


def test_an_audit_is_the_report_of_the_library(client):
    found = client.post(f"{URL}/pipes/audit").json()
    expected = json.loads(json.dumps(wf.audit(wf.TileSet.load("pipes")).to_dict()))
    for key in ("verdict", "sides", "pairs", "triples", "certificate", "correlation"):
        assert found[key] == expected[key]


def test_an_audit_ends_when_its_budget_does(client):
    answer = client.post(f"{URL}/knots/audit", json={"deep": True, "ms": 1})
    assert_problem(answer, 422, "OutOfBudget", detail="the audit was stopped after 1 ms")
    assert "seed" not in answer.json()["advice"]  # an audit has none
    assert_problem(client.post(f"{URL}/knots/audit", json={"ms": 0}), 422, "InvalidRequest")
    assert_problem(client.post(f"{URL}/knots/audit", json={"depp": True}), 422, "InvalidRequest")


# --- deleted --------------------------------------------------------------------------------------


def test_an_upload_can_be_deleted_and_uploaded_again(client):
    found = upload(client, TOML, name="to delete")
    url = f"{URL}/{found['id']}"
    assert client.delete(url).status_code == 204
    assert_problem(client.get(url), 404, "NotFound")
    assert_problem(client.delete(url), 404, "NotFound")
    assert upload(client, TOML, name="to delete")["id"] == found["id"]
    assert client.get(url).status_code == 200


def test_a_set_that_a_world_is_made_of_is_kept(client):
    found = upload(client, TOML, name="a world")
    world = client.post("/api/v1/worlds", json={"tileset": found["id"], "chunk": 64})
    assert world.status_code == 201, world.text
    answer = client.delete(f"{URL}/{found['id']}")
    assert_problem(answer, 409, "InUse")
    assert world.json()["id"] in answer.json()["detail"]
    assert client.delete(f"/api/v1/worlds/{world.json()['id']}").status_code == 204
    assert client.delete(f"{URL}/{found['id']}").status_code == 204


def test_a_set_that_a_job_waits_for_is_kept(tmp_path):
    limits = Limits(quick_cells=0)  # every map is a job
    with run_client(ServiceSettings(data=tmp_path / "data", workers=1, limits=limits)) as client:
        found = upload(client, TOML)
        body = {"tileset": found["id"], "topology": {"width": 1000, "height": 1000}}
        jobs = [client.post("/api/v1/solves", json={**body, "seed": seed}).json()["id"] for seed in range(2)]
        answer = client.delete(f"{URL}/{found['id']}")
        assert_problem(answer, 409, "InUse")
        assert any(job in answer.json()["detail"] for job in jobs)


def test_a_set_that_a_finished_map_is_drawn_with_is_kept(client):
    found = upload(client, TOML, name="a map")
    body = {"tileset": found["id"], "topology": {"width": 3, "height": 3}, "refine": False}
    solve = f"/api/v1/solves/{client.post('/api/v1/solves', json=body).json()['id']}"
    answer = client.delete(f"{URL}/{found['id']}")
    assert_problem(answer, 409, "InUse")
    assert solve.rpartition("/")[2] in answer.json()["detail"]
    assert client.get(f"{solve}/result.svg").status_code == 200
    assert client.delete(solve).status_code == 204
    assert client.delete(f"{URL}/{found['id']}").status_code == 204


def test_what_comes_with_wavefold_cannot_be_deleted(client):
    assert_problem(client.delete(f"{URL}/pipes"), 403, "Forbidden")
