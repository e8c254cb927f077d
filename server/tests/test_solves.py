"""Maps over HTTP have the bytes that the library gives."""

import json
import sqlite3
from errno import ENOSPC
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import wavefold as wf
from raw_http import leave_when
from running_server import run_client
from wavefold_server import Limits, ServiceSettings
from wavefold_server.problems import problem_of
from wavefold_server.solves.routes import choose_media_type

SOLVES = "/api/v1/solves"
PIPES = {
    "tileset": "pipes",
    "topology": {"kind": "square", "width": 12, "height": 8, "wraps": False},
    "seed": 7,
    "refine": False,
}


def make(client, **changes):
    return client.post(SOLVES, json=PIPES | changes)


def refuse(client, **changes):
    """The problem document of a request that cannot be."""
    answer = make(client, **changes)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.json()


def pointers(problem):
    return [each["pointer"] for each in problem["errors"]]


# --- what is made -----------------------------------------------------------------------------------


def test_a_small_map_is_answered_at_once_with_the_bytes_of_the_library(shared_client):
    answer = make(shared_client)
    assert answer.status_code == 200, answer.text
    expected = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(12, 8), seed=7, refine=False)
    assert answer.json()["patterns"] == expected.patterns.tolist()
    assert answer.json()["status"] == "solved"
    assert answer.headers["location"] == f"{SOLVES}/{answer.json()['id']}"


def test_a_map_can_be_read_again_by_its_id(shared_client):
    made = make(shared_client).json()
    assert shared_client.get(f"{SOLVES}/{made['id']}").json() == made


def test_equal_requests_have_equal_answers_apart_from_id_and_seconds(shared_client):
    first, second = (make(shared_client, refine=2).json() for _ in range(2))
    assert first.pop("id") != second.pop("id")
    del first["seconds"], second["seconds"]
    assert first == second


def test_maps_are_refined_as_the_tile_set_recommends_unless_the_request_says_otherwise(shared_client):
    request = {"tileset": "pipes", "topology": {"width": 8, "height": 8}, "seed": -3}
    answer = shared_client.post(SOLVES, json=request).json()
    expected = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(8, 8), seed=-3)
    assert answer["patterns"] == expected.patterns.tolist()
    assert answer["stats"]["refinement"]["sweeps"] == expected.stats.refinement.sweeps > 0


def test_off_means_no_sweeps_as_in_files(shared_client):
    request = {"tileset": "pipes", "topology": {"width": 6, "height": 6}, "seed": 11}
    off, false = (
        shared_client.post(SOLVES, json=request | {"refine": each}).json() for each in ("off", False)
    )
    assert off["patterns"] == false["patterns"]
    assert off["stats"]["refinement"] is None
    assert shared_client.post(SOLVES, json=request | {"refine": "12"}).status_code == 422


HEXAGONS = [
    ({"radius": 3}, wf.HexGrid(3)),
    ({"width": 6, "height": 5}, wf.HexGrid.rectangle(6, 5)),
    ({"width": 6, "height": 5, "form": "rhombus"}, wf.HexGrid.rhombus(6, 5)),
    ({"width": 6, "height": 6, "wraps": True}, wf.HexGrid.rhombus(6, 6, True)),
    ({"width": 6, "height": 5, "layout": "flat"}, wf.HexGrid.rectangle(6, 5, "flat")),
]


@pytest.mark.parametrize(("body", "grid"), HEXAGONS)
def test_hexagons_are_disks_rectangles_and_rhombuses(shared_client, body, grid):
    request = {"tileset": "medieval", "topology": body, "refine": False}
    answer = shared_client.post(SOLVES, json=request)
    expected = wf.generate(wf.TileSet.load("medieval"), grid, refine=False)
    assert answer.json()["patterns"] == expected.patterns.tolist()


def test_cubes_have_a_depth(shared_client):
    request = {"tileset": "blocks", "topology": {"width": 4, "height": 3, "depth": 2}, "refine": False}
    expected = wf.generate(wf.TileSet.load("blocks"), wf.CubeGrid(4, 3, 2), refine=False)
    assert shared_client.post(SOLVES, json=request).json()["patterns"] == expected.patterns.tolist()


def test_a_mask_leaves_cells_out_and_axes_wrap_one_by_one(shared_client):
    rows = ["##..##", "######", "###.##"]
    topology = {"mask": rows, "wraps": [True, False]}
    grid = wf.SquareGrid(6, 3, (True, False), [[sign == "#" for sign in row] for row in rows])
    expected = wf.generate(wf.TileSet.load("pipes"), grid, seed=7, refine=False)
    assert make(shared_client, topology=topology).json()["patterns"] == expected.patterns.tolist()


def test_fields_and_terrain_mean_what_they_mean_in_the_library(shared_client):
    height = wf.Noise(scale=0.2, seed=3)
    fields = {"height": {"noise": {"scale": 0.2, "seed": 3}}, "high": "clamp(height, 0, 1)"}
    answer = make(
        shared_client,
        fields=fields,
        terrain={"weights": {"cross": "high"}, "limits": {"tee": {"height": [0, 1]}}},
    )
    tiles, grid = wf.TileSet.load("pipes"), wf.SquareGrid(12, 8)
    values = wf.Fields(height=height, high=height.clamp(0, 1))
    driven = values.with_limits({"tee": {"height": (0, 1)}}).with_factors({"cross": "high"})
    expected = wf.generate(tiles, grid, seed=7, refine=False, fields=driven)
    assert answer.json()["patterns"] == expected.patterns.tolist()


def test_shares_are_targets_of_refining(shared_client):
    answer = make(shared_client, refine=3, shares={"cross": 0.2}, share_tolerance=0.05)
    expected = wf.generate(
        wf.TileSet.load("pipes"),
        wf.SquareGrid(12, 8),
        seed=7,
        refine=3,
        constraints=[wf.Shares({"cross": 0.2}, tolerance=0.05)],
    )
    assert answer.json()["patterns"] == expected.patterns.tolist()
    assert "cross" in answer.json()["stats"]["refinement"]["shares"]


TILES = {name: wf.TileSet.load(name) for name in ("pipes", "knots")}
cells = st.tuples(st.integers(0, 4), st.integers(0, 3))


@st.composite
def requests(draw):
    """A request, and what it means for `wf.generate`; not every one has a map."""
    name = draw(st.sampled_from(sorted(TILES)))
    tiles = st.sampled_from(sorted(TILES[name].rules.tiles))
    pins = draw(st.dictionaries(cells, tiles, max_size=3))
    tables, constraints = [], []
    if draw(st.booleans()):
        tile, most = draw(tiles), draw(st.integers(0, 4))
        tables.append({"kind": "count", "tile": tile, "at_most": most, "area": [1, 0, 3, 2]})
        constraints.append(wf.Count(tile, at_most=most, area=(1, 0, 3, 2)))
    if draw(st.booleans()):
        tile = draw(tiles)
        tables.append({"kind": "border", "tile": tile, "side": ["north", "east"], "ban": True})
        constraints.append(wf.Border(tile, ["north", "east"], ban=True))
    weights = draw(st.dictionaries(tiles, st.sampled_from([0.5, 2.0, 7.0]), max_size=2))
    row = TILES[name].rules.weights.copy()
    for tile, factor in weights.items():
        row[TILES[name].rules.patterns(tile)] *= factor
    options = {
        "seed": draw(st.integers(-(2**63), 2**64 - 1)),
        "refine": draw(st.sampled_from([False, 0, 2])),
        "propagation": draw(st.sampled_from(["auto", "ac3", "ac4"])),
        "undo": draw(st.sampled_from(["delta", "snapshot"])),
    }
    order = draw(st.sampled_from(["auto", "scanline", "domain"]))
    search = draw(st.sampled_from(["auto", "backtrack", "exact"]))
    wraps = draw(st.booleans())
    body = options | {
        "tileset": name,
        "topology": {"width": 5, "height": 4, "wraps": wraps},
        "pins": [[*cell, tile] for cell, tile in pins.items()],
        "constraints": tables,
        "weights": weights,
        "heuristics": {"order": order},
        "search": {"ladder": search},
    }
    grid = wf.SquareGrid(5, 4, wraps)
    arguments = options | {"pins": pins, "constraints": constraints, "order": order, "search": search}
    return body, (TILES[name], grid), arguments | ({"weights": row} if weights else {})


@settings(max_examples=60)
@given(requests())
def test_every_request_gives_the_map_of_the_library_which_passes_the_checker(shared_client, drawn):
    body, (tiles, grid), arguments = drawn
    answer = shared_client.post(SOLVES, json=body)
    try:
        expected = wf.generate(tiles, grid, **arguments)
    except wf.Contradiction:
        assert answer.status_code == 409
    except wf.ConfigError:  # such as a border of a map that wraps
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["pointer"].startswith("/constraints/")
    else:
        assert answer.json()["patterns"] == expected.patterns.tolist()
        assert wf.check(expected.problem, expected) == []


# --- what fails -------------------------------------------------------------------------------------


def test_a_proved_contradiction_says_which_requirements_cannot_hold_together(shared_client):
    answer = make(shared_client, pins=[[0, 0, "cross"], [1, 0, "wall"]])
    assert answer.status_code == 409
    problem = answer.json()
    assert problem["error"] == "Contradiction"
    assert problem["explanation"]["proved"]
    assert [each["kind"] for each in problem["explanation"]["requirements"]] == ["pin", "pin"]
    assert problem["explanation"]["cells"] == [[0, 0], [1, 0]]


def test_a_budget_that_is_used_up_says_how_far_the_map_was(shared_client):
    problem = refuse(shared_client, budget={"decisions": 3})
    assert problem["error"] == "OutOfBudget"
    assert problem["stats"]["decisions"] == 3
    assert 0 < problem["decided"] < problem["cells"] == 96


def test_the_time_of_the_server_limits_what_a_client_waits_for(tmp_path, monkeypatch):
    def solve_forever(*_):
        from wavefold.kernels.host.checkpoint import checkpoint

        while True:
            checkpoint()

    monkeypatch.setattr("wavefold_server.solves.solves.run_plan", solve_forever)
    limits = Limits(quick_seconds=0.05)
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as client:
        assert refuse(client)["limit"] == "quick_seconds"


def test_a_full_disk_is_not_the_fault_of_the_client(client, monkeypatch):
    def fail(*_):
        raise sqlite3.OperationalError("database or disk is full")

    name = make(client).json()["id"]
    monkeypatch.setattr("wavefold_server.solves.store.SolveStore.add", fail)
    for headers in ({}, {"Prefer": "respond-async"}):
        answer = client.post(SOLVES, json=PIPES, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (507, "DiskFull")
    assert client.get(f"{SOLVES}/{name}").status_code == 200


def test_a_file_that_a_full_disk_cannot_hold_is_not_the_fault_of_the_client():
    error = wf.ConfigError("cannot write 'map.png'")
    error.__cause__ = OSError(ENOSPC, "no space left on device")
    assert problem_of(error).status == 507


# --- what is refused --------------------------------------------------------------------------------


def test_an_unknown_tile_set_is_refused_with_the_nearest_name(shared_client):
    answer = make(shared_client, tileset="pipe")
    assert answer.status_code == 404
    assert "pipes" in answer.json()["advice"]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"sed": 7}, "/sed"),
        ({"seed": 1.0}, "/seed"),
        ({"seed": True}, "/seed"),
        ({"seed": 2**64}, "/seed"),
        ({"refine": True}, "/refine"),
        ({"topology": {"kind": "hex"}}, "/topology/kind"),
        ({"topology": {"width": 0}}, "/topology/width"),
        ({"topology": {"radius": 3}}, "/topology"),
        ({"topology": {"depth": 3}}, "/topology"),
        ({"topology": {"form": "disk"}}, "/topology"),
        ({"topology": {"layout": "flat"}}, "/topology"),
        ({"topology": {"wraps": 1}}, "/topology/wraps"),
        ({"topology": {"width": 2, "height": 1, "mask": ["#"]}}, "/topology"),
        ({"topology": {"width": 2, "height": 1, "mask": ["#x"]}}, "/topology"),
        ({"topology": {"mask": [["#"], "#"]}}, "/topology/mask"),
        ({"pins": [[0, 0, "cross"], [1, 0, "crss"]]}, "/pins/1"),
        ({"pins": [[12, 0, "cross"]]}, "/pins/0"),
        ({"pins": [[10**30, 0, "cross"]]}, "/pins/0"),
        ({"pins": [[0, "cross"]]}, "/pins/0"),
        ({"pins": [[0, 0, None]]}, "/pins/0"),
        ({"pins": [[0, 0, "cross"], [5, 5, "tee"], [0, 0, "tee"]]}, "/pins/2"),
        ({"constraints": [{"kind": "conected"}]}, "/constraints/0"),
        ({"constraints": [{"tile": "cross"}]}, "/constraints/0"),
        ({"constraints": [{"kind": "count", "tile": "cross", "at_mots": 2}]}, "/constraints/0"),
        ({"constraints": [{"kind": "mirror"}, {"kind": "count", "tile": "x"}]}, "/constraints/1"),
        ({"constraints": [{"kind": "count", "tile": "cross", "at_most": 10**20}]}, "/constraints/0"),
        ({"constraints": [{"kind": "area", "tile": "cross", "area": "/etc/passwd"}]}, "/constraints/0"),
        ({"constraints": [{"kind": "count", "tile": "cross", "area": "a.png"}]}, "/constraints/0"),
        ({"constraints": [{"kind": "mirror", "axis": []}]}, "/constraints/0"),
        ({"constraints": [{"kind": "acyclic"}] * 65}, "/constraints"),
        ({"fields": {"height": {"picture": "a.png"}}}, "/fields/height/picture"),
        ({"fields": {"a": "b", "b": "a"}}, "/fields/a"),
        ({"fields": {"a": "b"}}, "/fields/a"),
        ({"fields": {f"f{i}": 1.0 for i in range(33)}}, "/fields"),
        ({"terrain": {"weights": {"cross": "height"}}}, "/terrain/weights/cross"),
        ({"weights": {"cross": -1}}, "/weights/cross"),
        ({"heuristics": {"order": "best"}}, "/heuristics/order"),
        ({"heuristics": {"bias": 1.0}}, "/heuristics/bias"),
        ({"search": {"ladder": "magic"}}, "/search/ladder"),
        ({"budget": {"ms": -1}}, "/budget/ms"),
        ({"shares": {"cross": 2}}, "/shares"),
        ({"shares": {"nothing": 0.5}, "refine": 2}, "/shares/nothing"),
        ({"weights": {"crss": 2.0}}, "/weights/crss"),
        ({"terrain": {"weights": {"crss": 2.0}}}, "/terrain/weights/crss"),
        ({"fields": {"a": 1.0}, "terrain": {"limits": {"crss": {"a": [0, 1]}}}}, "/terrain/limits/crss"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_by_a_pointer(shared_client, changes, pointer):
    problem = refuse(shared_client, **changes)
    assert pointers(problem)[0] == pointer
    assert problem["detail"]


def test_unknown_tiles_in_heuristics_are_refused_by_name(shared_client):
    assert "'crss'" in refuse(shared_client, heuristics={"caps": {"crss": 2.0}})["detail"]


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({"topology": {"width": 5000, "height": 5000}}, "cells"),
        ({"refine": 1001}, "sweeps"),
        ({"topology": {"width": 200, "height": 200}, "search": {"ladder": "sat"}}, "quick_cells"),
        ({"fields": {"a": {"noise": {"scale": 0.1}}} | {
            chr(98 + i): "+".join([chr(97 + i)] * 40) for i in range(6)}}, "field_operations"),
    ],
)  # fmt: skip
def test_limits_are_named(shared_client, changes, limit):
    problem = refuse(shared_client, **changes)
    assert problem["limit"] == limit
    assert problem["maximum"] > 0


def test_maps_that_need_too_much_memory_are_refused(tmp_path):
    limits = Limits(memory_bytes=1000)
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as client:
        assert refuse(client)["limit"] == "memory_bytes"


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"{", JSON, 400),
        (b"", JSON, 422),
        (b"[]", JSON, 422),
        (b'{"tileset": "\xff"}', JSON, 400),
        (b'{"tileset": "pipes", "budget": {"ms": NaN}}', JSON, 422),
        (b'{"tileset": "pipes", "constraints": [{"kind": "slope", "at_most": NaN}]}', JSON, 422),
        (b'{"tileset": "pipes", "seed": ' + b"9" * 5000 + b"}", JSON, 400),
        (b"[" * 100_000, JSON, 400),
        (b'{"tileset": "pipes", "constraints": [{"kind": ' + b"[" * 500 + b"]" * 500 + b"}]}", JSON, 422),
        (json.dumps(PIPES).encode(), {"content-type": "text/plain"}, 415),
        (json.dumps(PIPES).encode(), {}, 415),
        (b" " * 2_000_000, JSON, 413),
    ],
)
def test_what_is_not_a_json_object_is_refused(shared_client, content, headers, status):
    answer = shared_client.post(SOLVES, content=content, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


# --- reading ----------------------------------------------------------------------------------------


def test_lists_have_pages_with_the_newest_first(client):
    made = [make(client, seed=seed).json()["id"] for seed in range(5)]
    first = client.get(SOLVES, params={"limit": 3}).json()
    assert [each["id"] for each in first["solves"]] == made[:1:-1]
    second = client.get(SOLVES, params={"limit": 3, "before": first["next"]}).json()
    assert [each["id"] for each in second["solves"]] == made[1::-1]
    assert second["next"] is None
    assert second["solves"][0].items() >= {"status": "solved", "tileset": "pipes", "seed": 1}.items()


@pytest.mark.parametrize("limits", [Limits(stored_solves=2), Limits(stored_bytes=500)])
def test_the_oldest_maps_are_dropped_when_there_are_too_many(tmp_path, limits):
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as client:
        made = [make(client, seed=seed).json()["id"] for seed in range(3)]
        assert [client.get(f"{SOLVES}/{each}").status_code for each in made] == [404, 200, 200]


def test_several_are_dropped_at_once_so_that_this_is_rare(tmp_path):
    limits = Limits(stored_solves=40)
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as client:
        made, stored = [], []
        for seed in range(46):
            made.append(make(client, seed=seed, topology={"width": 2, "height": 2}).json()["id"])
            stored.append(len(client.get(SOLVES, params={"limit": 500}).json()["solves"]))
        listed = [each["id"] for each in client.get(SOLVES, params={"limit": 500}).json()["solves"]]
    assert stored == [*range(1, 41), 38, 39, 40, 38, 39, 40]
    assert listed == made[: -len(listed) - 1 : -1]


def test_a_map_can_be_deleted(shared_client):
    name = make(shared_client).json()["id"]
    assert shared_client.delete(f"{SOLVES}/{name}").status_code == 204
    assert shared_client.get(f"{SOLVES}/{name}").status_code == 404
    assert shared_client.delete(f"{SOLVES}/{name}").status_code == 404


def test_solves_are_counted(client):
    make(client)
    make(client, pins=[[0, 0, "cross"], [1, 0, "wall"]])
    text = client.get("/metrics").text
    assert 'wavefold_solves_total{outcome="solved"} 1.0' in text
    assert 'wavefold_solves_total{outcome="impossible"} 1.0' in text


def test_a_client_that_leaves_ends_its_work(settings, monkeypatch):
    from threading import Event

    from wavefold.kernels.host.checkpoint import Stopped, checkpoint

    began, ended = Event(), Event()

    def solve_forever(*_):
        began.set()
        try:
            while True:
                checkpoint()
        except Stopped:
            ended.set()
            raise

    monkeypatch.setattr("wavefold_server.solves.solves.run_plan", solve_forever)
    with run_client(settings) as client:
        leave_when(began.is_set, client.base_url, SOLVES, PIPES)
        assert ended.wait(300)


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/html, */*;q=0.8", "application/json"),
        ("image/png, */*", "image/png"),
        ("*/*, image/png", "image/png"),
        ("Image/PNG; q=0.9 , text/csv;q=1.0", "text/csv"),
        ("application/json, image/png", "application/json"),
        ("image/*", "image/png"),
        ("image/png;q=0, image/*", "image/svg+xml"),
        ("image/png;q=0", "application/json"),
        ("image/png;q=x,;;,", "image/png"),
    ],
)
def test_the_format_is_the_one_that_is_preferred(accept, expected):
    assert choose_media_type(accept) == expected


def test_a_picture_is_answered_to_whoever_accepts_one(client):
    answer = client.post("/api/v1/solves", json=PIPES, headers={"Accept": "image/png, */*"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert answer.content == client.get(f"{answer.headers['Location']}/result.png").content
    assert client.post("/api/v1/solves", json=PIPES, headers={"Accept": "*/*"}).json()["status"] == "solved"


def test_options_of_results_are_in_the_query(client):
    made = client.post("/api/v1/solves", json=PIPES).json()
    answer = client.get(f"/api/v1/solves/{made['id']}/result.png?tile_size=3&objects=false")
    solution = wf.generate(wf.TileSet.load("pipes"), wf.SquareGrid(12, 8), seed=7, refine=False)
    expected = solution.image(tile_size=3)
    with Image.open(BytesIO(answer.content)) as picture:
        assert np.array_equal(np.asarray(picture), np.asarray(expected))
