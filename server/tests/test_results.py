"""Finished maps as files have the bytes that `solution.save` writes."""

import re
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from PIL import Image

import wavefold as wf
from running_server import run_client
from wavefold.plugins.map_formats import list_companions, list_endings
from wavefold_server import Limits, ServiceSettings

SOLVES = "/api/v1/solves"
BODIES = {
    "square": {"tileset": "pipes", "topology": {"width": 6, "height": 5}, "seed": 3, "refine": 2},
    "cube": {"tileset": "blocks", "topology": {"width": 3, "height": 3, "depth": 2}, "refine": False},
}
WRITTEN = list_endings("write")


def make(client, body):
    answer = client.post(SOLVES, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def solve(body, seconds):
    """The map of the library, with the times of the server: some formats hold them."""
    size = body["topology"].values()
    tiles = wf.TileSet.load(body["tileset"])
    grid = wf.CubeGrid(*size) if len(size) == 3 else wf.SquareGrid(*size)
    solution = wf.generate(tiles, grid, seed=body.get("seed", 0), refine=body["refine"])
    return replace(solution, stats=replace(solution.stats, seconds=seconds))


@pytest.fixture(scope="module")
def maps(shared_client):
    """{kind: (id, the same map from the library)}"""
    made = {kind: make(shared_client, body) for kind, body in BODIES.items()}
    return {kind: (each["id"], solve(BODIES[kind], each["seconds"])) for kind, each in made.items()}


@pytest.mark.parametrize("ending", WRITTEN)
@pytest.mark.parametrize("kind", BODIES)
def test_every_format_has_the_bytes_of_the_library(shared_client, maps, tmp_path, kind, ending):
    name, expected = maps[kind]
    path = tmp_path / f"map{ending}"
    answer = shared_client.get(f"{SOLVES}/{name}/result{ending}")
    if answer.status_code == 422:  # not every format can hold every kind of map
        with pytest.raises(wf.WavefoldError, match=re.escape(answer.json()["detail"])):
            expected.save(path)
        return
    expected.save(path)
    assert answer.content == path.read_bytes()
    packed = shared_client.get(f"{SOLVES}/{name}/result{ending}.zip")
    assert packed.headers["content-type"] == "application/zip"
    with ZipFile(BytesIO(packed.content)) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    assert files == {each.name: each.read_bytes() for each in (path, *list_companions(path))}


def test_options_are_those_of_the_format(shared_client, maps, tmp_path):
    name, expected = maps["square"]
    expected.save(tmp_path / "map.png", tile_size=5, scale=2)
    answer = shared_client.get(f"{SOLVES}/{name}/result.png", params={"tile_size": 5, "scale": 2})
    assert answer.content == (tmp_path / "map.png").read_bytes()
    assert answer.headers["content-type"] == "image/png"
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(("ending", "kind"), [("gif", "GIF"), ("webp", "WEBP"), ("apng", "PNG")])
def test_a_small_map_can_be_watched_as_it_is_solved(shared_client, maps, ending, kind):
    name, expected = maps["square"]
    answer = shared_client.get(f"{SOLVES}/{name}/result.{ending}", params={"tile_size": 8})
    with Image.open(BytesIO(answer.content)) as film:
        assert (film.format, film.size) == (kind, (48, 40))
        assert 1 < film.n_frames <= 60
        film.seek(film.n_frames - 1)
        last = film.convert("RGB")
    drawn = expected.image(tile_size=8).convert("RGB")
    assert kind == "WEBP" or last.tobytes() == drawn.tobytes()


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("result.exe", 404, "UnknownFormat"),
        ("result.toml", 404, "UnknownFormat"),
        ("result.zip", 404, "UnknownFormat"),
        ("result.png.exe", 404, "UnknownFormat"),
        ("result.mp4", 404, "UnknownFormat"),
        ("result.png?tile_size=0", 422, "InvalidRequest"),
        ("result.png?tile_size=x", 422, "InvalidRequest"),
        ("result.png?size=4", 422, "InvalidRequest"),
        ("result.png?tile_size=256&scale=64", 422, "LimitExceeded"),
        ("result.gif?tile_size=256", 422, "LimitExceeded"),
        ("result.glb", 422, "ConfigError"),
    ],
)
def test_what_cannot_be_had_is_refused(shared_client, maps, path, status, error):
    answer = shared_client.get(f"{SOLVES}/{maps['square'][0]}/{path}")
    assert (answer.status_code, answer.json()["error"]) == (status, error)


def test_a_picture_that_is_too_large_is_refused_with_a_size_that_fits(shared_client):
    body = {"tileset": "pipes", "topology": {"width": 200, "height": 150}, "refine": False}
    made = shared_client.post(SOLVES, json=body, headers={"Prefer": "wait=10"}).json()
    url = f"{SOLVES}/{made['id']}/result.png"
    advised = re.search(r"tile_size=(\d+)", shared_client.get(url).json()["detail"])
    assert shared_client.get(url, params={"tile_size": int(advised[1]) + 1}).status_code == 422
    assert shared_client.get(url, params={"tile_size": advised[1]}).status_code == 200


def test_a_map_that_does_not_exist_has_no_result(shared_client):
    assert shared_client.get(f"{SOLVES}/nothing/result.png").status_code == 404


def test_a_job_without_a_map_has_no_result(client):
    body = BODIES["square"] | {"pins": [[0, 0, "cross"], [1, 0, "wall"]]}
    client.post(SOLVES, json=body, headers={"Prefer": "wait=10"})
    (job,) = client.get(SOLVES).json()["solves"]
    answer = client.get(f"{SOLVES}/{job['id']}/result.png")
    assert (answer.status_code, answer.json()["error"]) == (409, "NotSolved")


def test_large_maps_are_not_animated(tmp_path):
    limits = Limits(quick_cells=29)
    with run_client(ServiceSettings(data=tmp_path, workers=2, limits=limits)) as client:
        made = client.post(SOLVES, json=BODIES["square"], headers={"Prefer": "wait=10"}).json()
        answer = client.get(f"{SOLVES}/{made['id']}/result.gif")
        assert (answer.status_code, answer.json()["limit"]) == (422, "quick_cells")
        assert client.get(f"{SOLVES}/{made['id']}/result.png").status_code == 200


def test_a_result_is_the_same_after_a_restart_and_nothing_is_left_on_the_disk(settings):
    with run_client(settings) as client:
        name = make(client, BODIES["square"])["id"]
        before = client.get(f"{SOLVES}/{name}/result.json").content
    (settings.data / "result-left-by-kill").mkdir()
    with run_client(settings) as client:
        assert client.get(f"{SOLVES}/{name}/result.json").content == before
        assert list(settings.data.glob("result-*")) == []


def test_a_tile_set_that_has_changed_since_is_noticed(client, monkeypatch):
    name = make(client, BODIES["square"])["id"]
    other = wf.TileSet.load("knots")
    monkeypatch.setattr("wavefold_server.tilesets.library.TileSetLibrary.load", lambda *_: other)
    answer = client.get(f"{SOLVES}/{name}/result.png")
    assert (answer.status_code, answer.json()["error"]) == (410, "TileSetChanged")


def test_maps_of_an_uploaded_picture_outlive_a_restart_and_keep_their_tile_set(settings):
    picture = BytesIO()
    pixels = Image.new("RGB", (6, 6), "white")
    pixels.paste("black", (1, 1, 4, 4))
    pixels.save(picture, "PNG")
    body = {"topology": {"width": 8, "height": 8}, "refine": False, "pins": [[2, 3, [0, 0, 0]]]}
    with run_client(settings) as client:
        uploaded = client.post("/api/v1/tilesets", content=picture.getvalue())
        body["tileset"] = uploaded.json()["id"]
        made = make(client, body)
        before = client.get(f"{SOLVES}/{made['id']}/result.png").content
    expected = wf.generate(wf.learn(pixels), wf.SquareGrid(8, 8), pins={(2, 3): (0, 0, 0)}, refine=False)
    assert made["patterns"] == expected.patterns.tolist()
    with run_client(settings) as client:
        assert client.get(f"{SOLVES}/{made['id']}/result.png").content == before
        assert client.delete(f"/api/v1/tilesets/{body['tileset']}").status_code == 409
        assert client.get(f"{SOLVES}/{made['id']}/result.png").content == before
        client.delete(f"{SOLVES}/{made['id']}")
        assert client.delete(f"/api/v1/tilesets/{body['tileset']}").status_code == 204
