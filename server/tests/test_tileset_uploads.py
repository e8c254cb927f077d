"""Uploads: archives, single files and samples become tile sets; whatever could do harm is refused."""

import zipfile
from contextlib import ExitStack
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from raw_http import open_connection
from running_server import run_client
from waiting import wait_until
from wavefold.tiles.learning.samples import find_sample_path
from wavefold_server import ServiceSettings
from wavefold_server.settings import Limits

URL = "/api/v1/tilesets"
TOML = b'format = 1\nname = "two"\n[tiles.a]\nsockets = "x"\ncolour = "red"\n[tiles."b/c ?"]\nsockets = "x"\n'
PADDED = TOML + b"#" * 8_000  # not small
XML = b"""<set><tiles><tile name="a"/><tile name="b" symmetry="I"/></tiles><neighbors>
<neighbor left="a" right="a"/><neighbor left="a" right="b"/></neighbors></set>"""
DOCTYPE = b'<!DOCTYPE set [<!ENTITY a "b">]>'
AREA = b'[[constraints]]\nkind = "area"\ntile = "a"\narea = "/etc/hostname"\n'


@pytest.fixture
def client(shared_client):
    return shared_client


def png(width=4, height=4, colours=1):
    """A picture with so many colours at random."""
    content, values = BytesIO(), np.random.default_rng(0).integers(0, colours, (height, width), np.uint8)
    Image.fromarray(values * np.uint8(255 // colours)).save(content, "PNG")
    return content.getvalue()


def zipped(files, method=zipfile.ZIP_DEFLATED):
    content = BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def limited(tmp_path, **limits):
    """A client of a server with these limits."""
    return run_client(ServiceSettings(data=tmp_path / "data", workers=2, limits=Limits(**limits)))


def upload(client, data, **options):
    answer = client.post(URL, content=data, params=options)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def assert_problem(answer, status, error, **members):
    assert answer.status_code == status, answer.text
    problem = answer.json()
    assert problem["error"] == error, problem
    assert members.items() <= problem.items()
    return problem["detail"]


def solve(client, tileset, seed=3):
    grid = {"width": 9, "height": 7}
    answer = client.post("/api/v1/solves", json={"tileset": tileset, "topology": grid, "seed": seed})
    assert answer.status_code == 200, answer.text
    return answer.json()["patterns"]


# --- stored ---------------------------------------------------------------------------------------


def test_an_archive_of_a_saved_set_gives_the_maps_of_the_library(client, tmp_path):
    tiles = wf.TileSet.load("pipes")
    tiles.save(tmp_path / "tiles.toml")
    found = upload(client, zipped({path.name: path.read_bytes() for path in tmp_path.iterdir()}))
    assert (found["origin"], found["digest"], found["name"]) == ("uploaded", tiles.rules.digest, "pipes")
    assert found["findings"] == []
    assert solve(client, found["id"]) == wf.generate(tiles, wf.SquareGrid(9, 7), 3).patterns.tolist()


def test_mxgmn_sets_are_uploaded_with_their_pictures(client):
    data = zipped({"Set.xml": XML, "Set/a.png": png(), "Set/b.png": png()})
    assert upload(client, data)["pattern_count"] == 3
    assert upload(client, data, name="mine")["name"] == "mine"


def test_a_sample_is_learned_with_its_options(client):
    data = find_sample_path("cave").read_bytes()
    found = upload(client, data, n=2, symmetry=1, periodic=False, name="cave")
    expected = wf.learn(find_sample_path("cave"), n=2, symmetry=1, periodic=False)
    assert (found["origin"], found["digest"]) == ("learned", expected.rules.digest)
    assert client.get(f"{URL}/{found['id']}").json()["patterns"][0]["value"] == list(expected.values[0])


def test_what_looks_like_a_mistake_is_mentioned(client):
    found = upload(client, TOML.replace(b'"x"', b'["x", "y", "x", "x"]', 1))
    assert "'y' to the east" in found["findings"][0]


def test_the_same_tile_set_is_stored_once_however_it_is_packed(client):
    files = {"Set.xml": XML, "Set/a.png": png(), "Set/b.png": png()}
    first = client.post(URL, content=zipped(files), params={"name": "packed"})
    again = client.post(
        URL, content=zipped({"x.md": b"", **files}, zipfile.ZIP_STORED), params={"name": "packed"}
    )
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert again.headers["location"] == f"{URL}/{first.json()['id']}"


def test_names_of_tiles_may_have_any_letters(client):
    tile = client.get(f"{URL}/{upload(client, TOML)['id']}").json()["tiles"][1]
    assert tile["name"] == "b/c ?"
    assert client.get(tile["picture"]).status_code == 200


def test_a_restart_keeps_uploads_and_their_maps(tmp_path):
    settings = ServiceSettings(data=tmp_path / "data", workers=2)
    with run_client(settings) as client:
        found = upload(client, TOML)
        before = solve(client, found["id"])
    with run_client(settings) as client:
        del found["findings"]
        assert client.get(URL).json()["tilesets"][-1] == found
        assert solve(client, found["id"]) == before


@pytest.mark.parametrize(
    "kind", ["application/zip", "text/plain; charset=utf-8", "application/octet-stream", None]
)
def test_the_content_counts_and_not_what_it_is_said_to_be(client, kind):
    answer = client.post(URL, content=TOML, headers={"Content-Type": kind} if kind else {})
    assert answer.status_code in (200, 201)


# --- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "error", "detail"),
    [
        (b"", "InvalidRequest", "the body is empty"),
        (b"\xff\x00", "FormatError", "neither a zip archive nor UTF-8 text"),
        (b"format = 1", "FormatError", "needs a key 'tiles'"),
        (XML, "FormatError", "send a zip archive"),
        (zipped({"a.txt": b""}), "FormatError", "no description of a tile set"),
        (zipped({"../a.toml": TOML}), "FormatError", "'../a.toml' is not a path inside"),
        (zipped({"a.toml": TOML})[:-30], "FormatError", "not a complete zip archive"),
        (
            zipped({"Set.xml": b'<!DOCTYPE set [<!ENTITY a "b">]>' + XML}),
            "FormatError",
            "<!DOCTYPE set> is refused",
        ),
        (png()[:40], "FormatError", "complete"),
        (
            TOML + b'[[constraints]]\nkind = "area"\ntile = "a"\narea = "/etc/hostname"',
            "FormatError",
            "names the file",
        ),
    ],
)
def test_a_damaged_or_harmful_file_is_refused_with_what_is_wrong(client, data, error, detail):
    assert detail in assert_problem(client.post(URL, content=data), 422, error)


def test_other_kinds_of_bodies_are_refused(client):
    headers = {"Content-Type": "application/msword"}
    assert_problem(client.post(URL, content=b"x", headers=headers), 415, "UnsupportedMediaType")


@pytest.mark.parametrize(
    ("data", "options", "error"),
    [
        (png(8, 8, 3), {"n": 9}, "InvalidRequest"),
        (png(8, 8, 3), {"subset": "x"}, "ConfigError"),
        (TOML, {"n": 2}, "ConfigError"),
        (TOML, {"m": 2}, "InvalidRequest"),
        (TOML, {"name": ""}, "InvalidRequest"),
        (png(8, 8, 3), {"symmetry": "some"}, "InvalidRequest"),
    ],
)
def test_options_that_cannot_be_are_refused(client, data, options, error):
    assert_problem(client.post(URL, content=data, params=options), 422, error)


def png_that_claims(width, height):
    """A picture whose header says more than there is."""
    content = BytesIO()
    Image.new("1", (width, height)).save(content, "PNG")
    return content.getvalue()


@pytest.mark.parametrize(
    ("data", "limits", "status"),
    [
        (TOML, {"upload_bytes": 20}, 413),
        (zipped({"a.toml": TOML, "b.txt": bytes(1000)}), {"unpacked_bytes": 900}, 413),
        (png_that_claims(3000, 3000), {"pixels": 8_000_000}, 413),
        (zipped({"a.toml": TOML, "a.png": png_that_claims(3000, 3000)}), {"pixels": 8_000_000}, 413),
        (png(20, 20, 9), {"patterns": 50}, 422),
        (TOML, {"patterns": 1}, 422),
        (TOML, {"tilesets": 0}, 422),
    ],
)
def test_every_limit_is_named(tmp_path, data, limits, status):
    ((name, value),) = limits.items()
    with limited(tmp_path, **limits) as client:
        assert_problem(client.post(URL, content=data), status, "LimitExceeded", limit=name, maximum=value)


def test_a_bomb_is_refused_by_its_ratio(client):
    answer = client.post(URL, content=zipped({"a.toml": bytes(1 << 20)}))
    assert_problem(answer, 413, "LimitExceeded", limit="ratio")


def test_learning_ends_when_its_time_is_up(tmp_path):
    with limited(tmp_path, quick_seconds=0.01) as client:
        answer = client.post(URL, content=png(1500, 1500, 2), params={"symmetry": 8})
        assert_problem(answer, 422, "LimitExceeded", limit="quick_seconds")


def test_too_many_uploads_at_once_are_asked_to_come_back(client, monkeypatch):
    monkeypatch.setattr("wavefold_server.transfer.MOST_AT_ONCE", 0)
    answer = client.post(URL, content=PADDED)
    assert_problem(answer, 503, "Busy")
    assert answer.headers["retry-after"] == "5"


def begin_upload(client, content):
    """A connection on which the rest of an upload never comes."""
    connection = open_connection(client.base_url)
    head = f"POST {URL} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(content) + 1}\r\n\r\n"
    connection.sendall(head.encode() + content)
    return connection


def wait_for_requests(client, count):
    """Until so many are being answered, besides the one that asks."""
    wait_until(lambda: f"wavefold_requests_running {count + 1}.0" in client.get("/metrics").text)


def test_slow_uploads_do_not_keep_others_out(client):
    with ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(begin_upload(client, b"f"))
        wait_for_requests(client, 12)
        upload(client, TOML)


def test_uploads_in_memory_are_limited_by_their_bytes_together(tmp_path, monkeypatch):
    monkeypatch.setattr("wavefold_server.transfer.MOST_AT_ONCE", 1)
    with limited(tmp_path, upload_bytes=len(PADDED), upload_values=1) as client:
        with begin_upload(client, PADDED[:-1]):
            wait_for_requests(client, 1)
            assert_problem(client.post(URL, content=PADDED), 503, "Busy")
            upload(client, TOML)  # there is always room for what is small
        wait_for_requests(client, 0)
        upload(client, PADDED)


def test_json_with_too_many_values_is_refused_however_it_is_announced(tmp_path):
    data = b'{"tables":{"tiles":[' + b",".join([b"[]"] * 100) + b"]}}"
    with limited(tmp_path, upload_values=100) as client:
        for kind in ("application/json", "application/octet-stream", "text/plain"):
            answer = client.post(URL, content=data, headers={"Content-Type": kind})
            assert_problem(answer, 413, "LimitExceeded", limit="upload_values", maximum=100)
        utf_16 = client.post(URL, content=data.decode().encode("utf-16-le"))
        assert_problem(utf_16, 422, "FormatError")
        assert "UTF-8" in utf_16.json()["detail"]
