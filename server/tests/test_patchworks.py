"""Patchworks over HTTP have the cells that the library gives, and are stored after each change."""

import threading
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from time import sleep

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from raw_http import leave_when
from running_server import run_client
from wavefold.kernels.host.checkpoint import Cancelled, checkpoint
from wavefold_server import Limits, ServiceSettings

PATCHWORKS = "/api/v1/patchworks"
PIPES = {"tileset": "pipes", "radius": 2, "seed": 7, "refine": False}
GRIDS = [[0, 0], [1, 0], [0, 1]]
BOMB = {"f0": {"noise": {"scale": 0.1}}} | {f"f{n}": f"f{n - 1} * f{n - 1}" for n in range(1, 31)}


def create(client, **changes):
    answer = client.post(PATCHWORKS, json=PIPES | changes)
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"{PATCHWORKS}/{answer.json()['id']}"
    return f"{PATCHWORKS}/{answer.json()['id']}"


def populate(client, path, grids=GRIDS, **more):
    answer = client.post(f"{path}/populate", json={"grids": grids, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def refuse(answer, status, error):
    """The problem document of a request that cannot be."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["error"] == error
    return answer.json()


def make_alike(**changes):
    """The patchwork that the library makes."""
    options = PIPES | changes
    map = wf.Patchwork(wf.TileSet.load(options.pop("tileset")), **options)
    map.populate_all([tuple(key) for key in GRIDS])
    return map


def read_cells(client, path):
    """{cell: pattern} of all grids."""
    cells = {}
    for gx, gz in client.get(path).json()["keys"]:
        grid = client.get(f"{path}/grids/{gx}/{gz}").json()
        cells |= {(x, y): pattern for x, y, pattern in grid["cells"]}
    return cells


# --- what is made -----------------------------------------------------------------------------------


@pytest.mark.parametrize("join", ["fixed", "overlap", "editable", "whole", "witness"])
def test_grids_are_those_of_the_library(shared_client, join):
    path = create(shared_client, join=join)
    change = populate(shared_client, path)
    map = make_alike(join=join)
    assert {(x, y): pattern for x, y, pattern in change["cells"]} == map.patterns
    assert read_cells(shared_client, path) == map.patterns
    assert [grid["key"] for grid in change["grids"]] == GRIDS
    found = shared_client.get(path).json()
    assert found["revision"] == change["revision"] == 1
    assert found["cells"] == len(map.patterns)
    assert [tuple(key) for key in found["expandable"]] == map.expandable()


def test_grids_one_by_one_are_the_same_as_all_at_once(shared_client):
    path = create(shared_client)
    for key in GRIDS:
        populate(shared_client, path, [key])
    assert read_cells(shared_client, path) == make_alike().patterns
    assert shared_client.get(path).json()["revision"] == 3


def test_a_change_lists_cells_of_neighbours_that_it_changed(shared_client):
    path = create(shared_client, join="editable", tileset="castle")
    known = {}
    for key in GRIDS:
        known |= {(x, y): pattern for x, y, pattern in populate(shared_client, path, [key])["cells"]}
        assert known == read_cells(shared_client, path)


def test_changed_and_dropped_cells_are_those_of_the_library(shared_client):
    options = {"tileset": "castle", "radius": 4, "seed": 3, "join": "fixed", "retries": {"attempts": 1}}
    path, map = create(shared_client, **options), make_alike(**options)
    keys, changed = [[0, 0], [1, 0], [0, 1], [1, 1], [-1, 0], [0, -1]], []
    for key in keys:
        answer = populate(shared_client, path, [key])
        changed += answer["changed"]
    map.populate_all([tuple(key) for key in keys[3:]])
    assert {tuple(cell) for cell in changed} == set(map.changed)
    assert {tuple(cell) for cell in answer["dropped"]} == set(map.dropped)
    assert [tuple(key) for key in answer["expandable"]] == map.expandable()
    grids = [shared_client.get(f"{path}/grids/{gx}/{gz}").json() for gx, gz in keys]
    assert {tuple(cell) for grid in grids for cell in grid["changed"]} == set(map.changed)
    assert {tuple(cell) for grid in grids for cell in grid["dropped"]} == set(map.dropped)


def test_a_copy_changes_without_its_original(shared_client):
    path = create(shared_client)
    populate(shared_client, path, GRIDS[:2])
    answer = shared_client.post(f"{path}/copy")
    assert answer.status_code == 201
    copy = answer.headers["location"]
    populate(shared_client, copy, GRIDS[2:])
    assert read_cells(shared_client, copy) == make_alike().patterns
    assert len(shared_client.get(path).json()["keys"]) == 2
    refuse(shared_client.post(f"{PATCHWORKS}/none/copy"), 404, "NotFound")


def test_old_drafts_make_room_for_new_ones_unless_changed_lately(tmp_path, monkeypatch):
    monkeypatch.setattr("wavefold_server.patchworks.patchworks.OPEN", 2)  # in memory
    limits = Limits(patchwork_drafts=2)
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as client:
        kept = create(client)
        drafts = [create(client, draft=True) for _ in range(2)]
        populate(client, drafts[0], GRIDS[:1])
        drafts.append(create(client, draft=True))
        drafts += [client.post(f"{kept}/copy?draft=true").headers["location"] for _ in range(3)]
        listed = client.get(PATCHWORKS).json()["patchworks"]
        assert {f"{PATCHWORKS}/{each['id']}": each["draft"] for each in listed} == {
            kept: False, drafts[0]: True, drafts[2]: True, drafts[4]: True, drafts[5]: True
        }  # fmt: skip


def test_options_are_those_of_the_library(shared_client):
    presets = [[0, 0, "cross"], [1, 0, ["tee", "cross"]]]
    path = create(shared_client, retries={"attempts": 2}, presets=presets, refine=1)
    populate(shared_client, path)
    map = make_alike(retries={"attempts": 2}, presets={(0, 0): "cross", (1, 0): ["tee", "cross"]}, refine=1)
    assert read_cells(shared_client, path) == map.patterns


def test_fields_drive_a_patchwork(shared_client):
    path = create(shared_client, tileset="terrain", preset="terrain")
    populate(shared_client, path)
    report = shared_client.get(f"{path}/report").json()
    assert report["soft_masks_asked"] > 0


def test_a_disk_is_rebuilt_as_the_library_does_it(shared_client):
    path, map = create(shared_client), make_alike()
    populate(shared_client, path)
    answer = shared_client.post(f"{path}/rebuild", json={"cell": [0, 0], "radius": 2})
    assert answer.status_code == 200, answer.text
    changed = map.rebuild((0, 0), 2)
    assert [(x, y) for x, y, _ in answer.json()["cells"]] == list(changed)
    assert read_cells(shared_client, path) == map.patterns


def test_the_report_is_that_of_the_library(shared_client):
    path = create(shared_client)
    populate(shared_client, path)
    report, wanted = shared_client.get(f"{path}/report").json(), make_alike().report.to_dict()
    for each in (report, wanted, *report["grids"], *wanted["grids"]):
        each.pop("seconds")
    assert report.pop("revision") == 1
    for mine, theirs in zip(report["grids"], wanted["grids"], strict=True):
        assert mine == theirs | {"key": list(theirs["key"])}
    assert {**report, "grids": 0} == {**wanted, "grids": 0}


def test_the_picture_is_that_of_the_library(shared_client):
    path, map = create(shared_client), make_alike()
    populate(shared_client, path)
    answer = shared_client.get(f"{path}/picture.png", params={"tile_size": 8, "marks": True})
    assert answer.headers["content-type"] == "image/png"
    image = Image.open(BytesIO(answer.content))
    assert np.array_equal(np.asarray(image), np.asarray(map.image(tile_size=8, marks=True)))
    again = shared_client.get(
        f"{path}/picture.png",
        params={"tile_size": 8, "marks": True},
        headers={"If-None-Match": answer.headers["etag"]},
    )
    assert again.status_code == 304


@pytest.mark.parametrize("ending", ["json", "npz", "csv", "tmj", "svg", "png"])
def test_files_have_the_bytes_of_the_library(shared_client, ending, tmp_path):
    path, target = create(shared_client), tmp_path / f"map.{ending}"
    populate(shared_client, path)
    answer = shared_client.get(f"{path}/map.{ending}")
    assert answer.status_code == 200, answer.text
    make_alike().solution().save(target)
    assert answer.content == target.read_bytes()


@pytest.mark.parametrize("file", ["grids/0/0", "picture.png", "map.csv"])
def test_equal_reads_have_equal_keys_until_the_next_change(client, pool_keys, file):
    path = create(client)
    populate(client, path, [[0, 0]])
    pool_keys.clear()
    assert [client.get(f"{path}/{file}").status_code for _ in range(2)] == [200, 200]
    assert pool_keys[0] == pool_keys[1] is not None
    populate(client, path, [[1, 0]])
    assert client.get(f"{path}/{file}").status_code == 200
    assert pool_keys[-1] != pool_keys[0]


def test_patchworks_are_listed_newest_first_and_deleted(client):
    first, second = create(client), create(client, seed=8)
    page = client.get(PATCHWORKS, params={"limit": 1}).json()
    assert [each["seed"] for each in page["patchworks"]] == [8]
    rest = client.get(PATCHWORKS, params={"before": page["next"]}).json()
    assert [each["seed"] for each in rest["patchworks"]] == [7]
    assert rest["next"] is None
    assert client.delete(first).status_code == 204
    refuse(client.get(first), 404, "NotFound")
    refuse(client.delete(first), 404, "NotFound")
    assert client.get(second).status_code == 200


# --- what is stored ---------------------------------------------------------------------------------


def test_a_restart_keeps_patchworks_which_grow_on_as_before(settings):
    with run_client(settings) as client:
        path = create(client)
        populate(client, path, GRIDS[:2])
        picture = client.get(f"{path}/picture.png").content
    with run_client(settings) as client:
        assert client.get(path).json()["revision"] == 1
        assert client.get(f"{path}/picture.png").content == picture
        populate(client, path, GRIDS[2:])
        assert read_cells(client, path) == make_alike().patterns


def test_what_fails_changes_nothing(shared_client):
    path = create(shared_client, presets=[[0, 0, "cross"], [20, 0, "no such tile"]][:1])
    populate(shared_client, path, [[0, 0]])
    before = read_cells(shared_client, path)
    far = shared_client.post(f"{path}/populate", json={"grids": [[1, 0], [9, 9]]})
    assert "touches no populated grid" in refuse(far, 422, "ConfigError")["detail"]
    assert shared_client.get(path).json()["revision"] == 1
    assert read_cells(shared_client, path) == before
    populate(shared_client, path, GRIDS[1:])


def test_changes_that_come_at_once_are_made_one_after_another(shared_client):
    path = create(shared_client, join="witness")
    keys = [[x, y] for x in range(4) for y in range(3)]
    with ThreadPoolExecutor(6) as threads:
        changes = list(threads.map(lambda key: populate(shared_client, path, [key]), keys))
    assert sorted(change["revision"] for change in changes) == list(range(1, 13))
    found = shared_client.get(path).json()
    assert sorted(found["keys"]) == sorted(keys)
    assert found["cells"] == 12 * 25


def test_a_change_may_name_the_revision_it_is_for(shared_client):
    path = create(shared_client)
    populate(shared_client, path, [[0, 0]], revision=0)
    late = shared_client.post(f"{path}/populate", json={"grids": [[1, 0]], "revision": 0})
    assert refuse(late, 409, "RevisionConflict")["revision"] == 1
    populate(shared_client, path, [[1, 0]], revision=1)


def test_a_change_that_takes_too_long_is_dropped(tmp_path):
    limits = Limits(quick_seconds=1e-9)
    with run_client(ServiceSettings(data=tmp_path, workers=2)) as client:
        path = create(client)
    with run_client(ServiceSettings(data=tmp_path, workers=2, limits=limits)) as client:
        late = client.post(f"{path}/populate", json={"grids": GRIDS})
        assert refuse(late, 422, "LimitExceeded")["limit"] == "quick_seconds"
        assert client.get(path).json()["revision"] == 0


@pytest.fixture
def endless(monkeypatch):
    """Making grids never ends, except at a checkpoint. When it began, and how it ended."""
    begun, ended = threading.Event(), threading.Event()

    def populate_all(patchwork, keys, progress=None):
        begun.set()
        try:
            while True:
                checkpoint()
                sleep(0.001)
        except Cancelled:
            ended.set()
            raise

    with monkeypatch.context() as patch:
        patch.setattr(wf.Patchwork, "populate_all", populate_all)
        yield begun, ended


def leave_early(client, path, begun):
    """Ask for grids, and close the connection when this holds, before they are there."""
    leave_when(begun, client.base_url, f"{path}/populate", {"grids": [[0, 0]]})


def test_a_client_that_leaves_cancels_its_change(client, endless):
    begun, ended = endless
    path = create(client)
    leave_early(client, path, begun.is_set)
    assert ended.wait(300)
    assert client.get(path).json()["revision"] == 0


def test_a_client_that_waits_for_its_turn_may_leave_too(client, endless):
    begun, ended = endless
    path = create(client)
    may_leave = threading.Event()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(leave_early, client, path, may_leave.is_set)
        assert begun.wait(300)
        leave_early(client, path, lambda: "wavefold_requests_running 3.0" in client.get("/metrics").text)
        assert client.get(path).json()["revision"] == 0  # readers do not wait
        may_leave.set()
        first.result(300)
    assert ended.wait(300)
    begun.clear()
    leave_early(client, path, begun.is_set)  # it is the turn of the next


def test_a_full_disk_is_said_and_changes_nothing(client, monkeypatch):
    path = create(client)
    populate(client, path, [[0, 0]])

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("wavefold_server.patchworks.store.PatchworkStore.change", fail)
        refuse(client.post(f"{path}/populate", json={"grids": [[1, 0]]}), 507, "DiskFull")
    assert client.get(path).json()["keys"] == [[0, 0]]
    populate(client, path, GRIDS[1:])
    assert read_cells(client, path) == make_alike().patterns


def test_a_tile_set_that_a_patchwork_needs_cannot_be_deleted(client, tmp_path):
    tiles = wf.TileSet([wf.Tile("a", ("x", "x", "x", "x")), wf.Tile("b", ("x", "x", "x", "x"))], name="two")
    tiles.save(tmp_path / "two.toml")
    uploaded = client.post(
        "/api/v1/tilesets",
        content=(tmp_path / "two.toml").read_bytes(),
        headers={"content-type": "application/toml"},
    )
    assert uploaded.status_code == 201, uploaded.text
    address = f"/api/v1/tilesets/{uploaded.json()['id']}"
    path = create(client, tileset=uploaded.json()["id"])
    refuse(client.delete(address), 409, "InUse")
    client.delete(path)
    assert client.delete(address).status_code == 204


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "error", "word"),
    [
        ({"join": "glue"}, "PluginError", "glue"),
        ({"radius": 0}, "InvalidRequest", "radius"),
        ({"radius": 129}, "InvalidRequest", "radius"),
        ({"tileset": "blocks"}, "TileSetError", "hex or square"),
        ({"presets": True}, "TileSetError", "medieval"),
        ({"presets": [[0, 0, "no such tile"]]}, "InvalidRequest", "no such tile"),
        ({"presets": [[0, 0, "cross"], [0, 0, "cross"]]}, "InvalidRequest", "twice"),
        ({"presets": [[0, 0, 1, "cross"]]}, "InvalidRequest", "presets"),
        ({"retries": {"attempts": 0}}, "InvalidRequest", "attempts"),
        ({"preset": "no such preset"}, "InvalidRequest", "preset"),
        ({"fields": BOMB}, "LimitExceeded", "operations"),
        ({"refine": 100_000}, "LimitExceeded", "sweeps"),
        ({"unknown": 1}, "InvalidRequest", "unknown"),
    ],
)
def test_patchworks_that_cannot_be_are_refused(shared_client, changes, error, word):
    problem = refuse(shared_client.post(PATCHWORKS, json=PIPES | changes), 422, error)
    assert word in problem["detail"]


def test_an_unknown_tile_set_is_refused(shared_client):
    refuse(shared_client.post(PATCHWORKS, json=PIPES | {"tileset": "nots"}), 404, "NotFound")


@pytest.mark.parametrize(
    ("body", "error", "word"),
    [
        ({"grids": []}, "InvalidRequest", "grids"),
        ({"grids": [[0]]}, "InvalidRequest", "grids"),
        ({"grids": [[0, 1 << 41]]}, "InvalidRequest", "grids"),
        ({"grids": [[1 << 40, 0]]}, "ConfigError", "out of reach"),
        ({"grids": [[0, 0], [0, 0]]}, "ConfigError", "listed twice"),
        ({"grids": [[0, 0], [5, 5]]}, "ConfigError", "touches no populated grid"),
    ],
)
def test_grids_that_cannot_be_are_refused(shared_client, body, error, word):
    path = create(shared_client)
    problem = refuse(shared_client.post(f"{path}/populate", json=body), 422, error)
    assert word in problem["detail"]


def test_a_proof_that_nothing_fits_is_told(shared_client):
    path = create(shared_client, tileset="pipes", presets=[[0, 0, "cross"], [1, 0, "wall"]])
    problem = refuse(shared_client.post(f"{path}/populate", json={"grids": [[0, 0]]}), 409, "Contradiction")
    assert "presets" in problem["detail"]


def test_what_is_not_there_cannot_be_rebuilt_drawn_or_exported(shared_client):
    path = create(shared_client)
    rebuilt = shared_client.post(f"{path}/rebuild", json={"cell": [0, 0]})
    assert "not populated" in refuse(rebuilt, 422, "ConfigError")["detail"]
    refuse(shared_client.get(f"{path}/picture.png"), 422, "ConfigError")
    refuse(shared_client.get(f"{path}/map.json"), 422, "ConfigError")
    refuse(shared_client.get(f"{path}/grids/0/0"), 404, "NotFound")
    populate(shared_client, path, [[0, 0]])
    refuse(shared_client.get(f"{path}/map.doc"), 404, "UnknownFormat")
    for missing in ("", "/report", "/picture.png", "/map.json", "/grids/0/0"):
        refuse(shared_client.get(f"{PATCHWORKS}/nothing{missing}"), 404, "NotFound")
    refuse(shared_client.post(f"{PATCHWORKS}/nothing/populate", json={"grids": [[0, 0]]}), 404, "NotFound")


def test_limits_are_named(tmp_path):
    limits = Limits(patchworks=1, patchwork_grids=2, cells=75, pixels=10_000)
    with run_client(ServiceSettings(data=tmp_path, workers=2, limits=limits)) as client:
        large = client.post(PATCHWORKS, json=PIPES | {"radius": 5})
        assert refuse(large, 422, "LimitExceeded")["limit"] == "cells"
        path = create(client)
        second = client.post(PATCHWORKS, json=PIPES)
        assert refuse(second, 422, "LimitExceeded")["limit"] == "patchworks"
        many = client.post(f"{path}/populate", json={"grids": GRIDS})
        assert refuse(many, 422, "LimitExceeded")["limit"] == "patchwork_grids"
        populate(client, path, GRIDS[:2])
        picture = client.get(f"{path}/picture.png", params={"tile_size": 64})
        assert refuse(picture, 422, "LimitExceeded")["limit"] == "pixels"
