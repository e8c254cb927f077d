"""Worlds over HTTP are those of the library; edits are there when they are acknowledged."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

import wavefold as wf
from raw_http import open_connection
from running_server import run_client
from waiting import wait_until
from wavefold.worlds.edits import revisions
from wavefold_server import ServiceSettings
from wavefold_server.settings import Limits

WORLDS = "/api/v1/worlds"
PIPES = {"tileset": "pipes", "seed": 7, "chunk": 24, "refine": False}
NOWHERE = f"{WORLDS}/nowhere"


def library_world():
    return wf.World(wf.TileSet.load("pipes"), 7, 24, refine=False)


def create(client, **more):
    answer = client.post(WORLDS, json=PIPES | more)
    assert answer.status_code == 201, answer.text
    return f"{WORLDS}/{answer.json()['id']}"


def edit(client, world, *cells, status=200, headers=None, **more):
    answer = client.post(
        f"{world}/edits", json={"cells": [list(each) for each in cells]} | more, headers=headers
    )
    assert answer.status_code == status, answer.text
    return answer.json()


def get_tile(client, world, path="2/0/0", status=200, headers=None, **query):
    answer = client.get(f"{world}/tiles/{path}.png", params=query, headers=headers)
    assert answer.status_code == status, answer.text
    return answer


# --- worlds -------------------------------------------------------------------------------------


def test_a_new_world_is_at_revision_0_and_can_be_read_by_its_id(shared_client):
    answer = shared_client.post(WORLDS, json=PIPES)
    assert answer.status_code == 201
    body = answer.json()
    assert (body["revision"], body["seed"], body["chunk"], body["topology"]) == (0, 7, 24, "square")
    assert answer.headers["location"] == f"{WORLDS}/{body['id']}"
    assert shared_client.get(answer.headers["location"]).json() == body
    assert body["id"] in [each["id"] for each in shared_client.get(WORLDS).json()["worlds"]]


def test_worlds_are_listed_page_by_page_newest_first(client):
    made = [create(client).rpartition("/")[2] for _ in range(3)]
    first = client.get(WORLDS, params={"limit": 2}).json()
    second = client.get(WORLDS, params={"limit": 2, "before": first["next"]}).json()
    assert [each["id"] for page in (first, second) for each in page["worlds"]] == made[::-1]
    assert second["next"] is None


def test_whatever_a_world_takes_can_be_asked_for(shared_client):
    world = create(
        shared_client,
        tileset="terrain",
        preset="terrain",
        pins=[[0, 0, ["beach-oobo", "beach-obbb"]]],
        weights={"beach-oobo": 2.0},
        chunk=48,
    )
    assert get_tile(shared_client, world, "4/0/0").headers["x-wavefold-tile"] == "exact"
    roads = create(shared_client, tileset="castle", chunk=48, network={"sides": ["mm="], "spacing": 24})
    assert shared_client.get(roads).json()["topology"] == "square"
    apart = [{"kind": "separation", "tile": "house", "distance": 4}]
    assert create(shared_client, tileset="meadow", chunk=48, constraints=apart)
    heights = {"height": {"noise": {"scale": 0.1}}}
    assert create(shared_client, network={}, fields={}, constraints=[], pins=[])
    assert create(shared_client, fields=heights, terrain={"weights": {"cross": "1 + height"}})


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"tileset": "pipe"}, "pipes"),
        ({"chunk": 3}, "chunk"),
        ({"chunk": 4096}, "cells"),
        ({"seed": "x"}, "seed"),
        ({"pins": [[0, 0, "croos"]]}, "/pins/0"),
        ({"pins": [[0, 0, 0, "cross"]]}, "pins"),
        ({"pins": [[0, 0, "cross"], [0, 0, "wall"]]}, "twice"),
        ({"preset": "mars"}, "/preset"),
        ({"preset": "terrain", "fields": {"height": 1}}, "not both"),
        ({"network": {"side": "x"}}, "network"),
        ({"constraints": [{"kind": "nothing"}]}, "constraints"),
        ({"radius": 99}, "too small"),
        ({"tileset": "blocks"}, "cube tiles"),
        ({"walls": 3}, "/walls"),
    ],
)
def test_a_world_that_cannot_be_is_refused(shared_client, change, what):
    answer = shared_client.post(WORLDS, json=PIPES | change)
    assert answer.status_code in (404, 409, 422), answer.text
    assert what in answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_world_of_cubes_is_a_mistake_in_the_body(shared_client):
    answer = shared_client.post(WORLDS, json=PIPES | {"tileset": "blocks"})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/tileset")


@pytest.mark.parametrize(
    "path", ["chunks/0/0.json", "chunks/0/0.csv", "region.csv?x0=0&y0=0&width=9&height=9"]
)
def test_equal_reads_have_equal_keys_until_the_next_edit(shared_client, pool_keys, path):
    world = create(shared_client)
    assert shared_client.get(f"{world}/{path}").status_code == 200
    before = pool_keys[-1]
    edit(shared_client, world, (0, 0, "cross"))
    assert [shared_client.get(f"{world}/{path}").status_code for _ in range(2)] == [200, 200]
    assert pool_keys[-1] == pool_keys[-2] is not None
    assert pool_keys[-1] != before


def test_fields_that_would_take_for_ever_are_refused(shared_client):
    fields = {"f0": {"noise": {"scale": 0.1}}} | {f"f{n}": f"f{n - 1} * f{n - 1}" for n in range(1, 31)}
    answer = shared_client.post(WORLDS, json=PIPES | {"fields": fields})
    assert (answer.status_code, answer.json()["limit"]) == (422, "field_operations")


def test_no_more_worlds_than_the_limit(tmp_path):
    with run_client(ServiceSettings(data=tmp_path, workers=2, limits=Limits(worlds=1))) as client:
        world = create(client)
        answer = client.post(WORLDS, json=PIPES)
        assert (answer.status_code, answer.json()["limit"], answer.json()["maximum"]) == (422, "worlds", 1)
        assert client.delete(world).status_code == 204
        assert create(client)


def test_the_limit_holds_for_worlds_that_are_created_at_once(tmp_path):
    settings = ServiceSettings(data=tmp_path, workers=2, limits=Limits(worlds=2))
    with run_client(settings) as client, ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(lambda _: client.post(WORLDS, json=PIPES), range(12)))
        assert sorted(each.status_code for each in answers) == [201] * 2 + [422] * 10
        assert {each.json()["limit"] for each in answers if each.status_code == 422} == {"worlds"}
        assert len(client.get(WORLDS).json()["worlds"]) == 2
        assert len(list((tmp_path / "worlds").glob("*.world"))) == 2


def test_a_deleted_world_is_gone_with_its_file(tmp_path):
    with run_client(ServiceSettings(data=tmp_path, workers=2)) as client:
        world = create(client)
        get_tile(client, world)
        assert list((tmp_path / "worlds").iterdir())
        assert client.delete(world).status_code == 204
        assert not list((tmp_path / "worlds").iterdir())
        get_tile(client, world, status=404)
        assert client.delete(world).status_code == 404


@pytest.mark.parametrize("path", ["", "/tiles/0/0/0.png", "/edits", "/changes?since=0", "/events", "/report"])
def test_a_world_that_does_not_exist_is_not_found(shared_client, path):
    answer = shared_client.get(f"{NOWHERE}{path}")
    assert (answer.status_code, answer.json()["error"]) == (404, "NotFound")
    edit(shared_client, NOWHERE, (0, 0, "cross"), status=404)
    assert shared_client.post(f"{NOWHERE}/undo").status_code == 404


def test_a_restart_keeps_worlds_edits_and_revisions(tmp_path):
    settings = ServiceSettings(data=tmp_path, workers=2, limits=Limits(open_worlds=1))
    with run_client(settings) as client:
        worlds = [create(client, seed=seed) for seed in range(3)]
        for world in worlds:
            edit(client, world, (3, 3, "cross"))
        tiles = [get_tile(client, world).content for world in worlds]
    (tmp_path / "worlds" / "orphan.world").write_bytes(b"from a server that was stopped")
    with run_client(settings) as client:
        assert [get_tile(client, world).content for world in worlds] == tiles
        assert [client.get(world).json()["revision"] for world in worlds] == [1, 1, 1]
        assert client.post(f"{worlds[0]}/undo").json()["revision"] == 2
    assert not (tmp_path / "worlds" / "orphan.world").exists()


# --- map tiles ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["2/0/0", "3/-2/5", "0/1/-1", "-4/0/0"])
def test_a_map_tile_has_the_bytes_of_the_library(shared_client, path):
    answer = get_tile(shared_client, create(shared_client), path)
    expected = wf.draw_map_tile(library_world(), *map(int, path.split("/")))
    assert answer.content == expected.png
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-wavefold-tile"] == expected.how


def test_a_map_tile_is_asked_for_again_by_its_etag(shared_client):
    world = create(shared_client)
    answer = get_tile(shared_client, world)
    assert answer.headers["cache-control"] == "no-cache"
    tag = answer.headers["etag"]
    assert tag.startswith('"')
    same = get_tile(shared_client, world, status=304, headers={"If-None-Match": f'"x", {tag}'})
    assert (same.content, same.headers["etag"]) == (b"", tag)
    get_tile(shared_client, world, status=200, headers={"If-None-Match": '"another"'})


def test_a_map_tile_that_is_encoded_already_is_answered_alike(shared_client):
    world = create(shared_client)

    def ask(**query):
        answer = get_tile(shared_client, world, "3/1/1", **query)
        headers = {
            name: value for name, value in answer.headers.items() if name not in ("date", "x-request-id")
        }
        return answer.content, headers

    assert ask() == ask()
    assert ask(revision=0) == ask(revision=0)
    metrics = shared_client.get("/metrics").text
    assert 'wavefold_cache_total{result="hit"}' in metrics
    assert 'route="/api/v1/worlds/{id}/tiles/{z}/{x}/{y}.png"' in metrics


def test_a_map_tile_of_a_revision_never_changes(shared_client):
    world = create(shared_client)
    before = get_tile(shared_client, world, revision=0)
    assert before.headers["cache-control"] == "public, max-age=31536000, immutable"
    far = get_tile(shared_client, world, "2/9/9")
    edit(shared_client, world, (3, 3, "cross"))
    now = get_tile(shared_client, world)
    assert now.content != before.content
    assert get_tile(shared_client, world, revision=0).content == before.content
    assert get_tile(shared_client, world, revision=1).content == now.content
    get_tile(shared_client, world, "2/9/9", status=304, headers={"If-None-Match": far.headers["etag"]})
    shared_client.post(f"{world}/undo")
    assert get_tile(shared_client, world).content == before.content


def test_a_tile_that_may_show_more_later_says_so_and_is_not_fixed(shared_client):
    world = create(shared_client, chunk=64)
    mean = get_tile(shared_client, world, "-2/0/0", revision=0)
    assert (mean.headers["x-wavefold-tile"], mean.headers["x-wavefold-share"]) == ("mean", "0.0000")
    assert mean.headers["cache-control"] == "no-cache"
    far = get_tile(shared_client, world, "-9/0/0", revision=0)
    assert far.headers["x-wavefold-tile"] == "mean"
    assert "immutable" in far.headers["cache-control"]  # so far away, no chunk is ever looked for
    get_tile(shared_client, world, "-1/0/0")
    sampled = get_tile(shared_client, world, "-2/0/0", revision=0)
    assert (sampled.headers["x-wavefold-tile"], sampled.headers["x-wavefold-share"]) == ("sampled", "0.2500")


def test_with_keys_tiles_are_kept_by_browsers_only(tmp_path):
    from wavefold_server.database import Database
    from wavefold_server.keys import ApiKeys

    database = Database(tmp_path)
    key = ApiKeys(database).create("somebody", "write")
    database.close()
    headers = {"Authorization": f"Bearer {key}"}
    with run_client(ServiceSettings(data=tmp_path, workers=2), headers=headers) as client:
        answer = get_tile(client, create(client), revision=0)
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"


@pytest.mark.parametrize(
    ("path", "status", "what"),
    [
        ("7/0/0", 422, "from -16 to 6"),
        ("-17/0/0", 422, "from -16 to 6"),
        ("0/99999999999999/0", 422, "too far away"),
        ("6/0/-99999999999999999999999999", 422, "too far away"),
        ("x/0/0", 422, "z"),
        ("0/0/1e3", 422, "y"),
        ("0/0/0.png?revision=1", 404, "there is no revision 1"),
        ("0/0/0.png?revision=-1", 422, "revision"),
    ],
)
def test_map_tiles_that_do_not_exist_are_refused(shared_client, path, status, what):
    world = create(shared_client)
    answer = shared_client.get(f"{world}/tiles/{path}{'' if '?' in path else '.png'}")
    assert answer.status_code == status
    assert what in answer.json()["detail"]


def test_a_revision_that_is_no_longer_known_is_gone(shared_client, monkeypatch):
    monkeypatch.setattr(revisions, "MOST_CHANGES", 1)
    world = create(shared_client)
    for x in (0, 4):
        edit(shared_client, world, (x, 0, "cross"))
    answer = get_tile(shared_client, world, status=410, revision=0)
    assert (answer.json()["error"], answer.json()["oldest_revision"]) == ("RevisionGone", 1)
    assert shared_client.get(f"{world}/changes?since=0").status_code == 410


# --- edits --------------------------------------------------------------------------------------


def test_edits_are_those_of_the_library(shared_client):
    world, expected = create(shared_client), library_world()
    made = expected.edit({(5, 5): "cross"}, reach=9)
    answer = edit(shared_client, world, (5, 5, "cross"), reach=9)
    box = expected.changes(0)[0].box
    assert answer == {"revision": 1, "kind": "edit", "box": list(box), "cells": len(made.settled)}
    assert shared_client.get(f"{world}/edits").json() == {
        "revision": 1,
        "edits": expected.edits,
        "next": None,
    }
    assert shared_client.post(f"{world}/undo").json()["kind"] == "undo"
    assert shared_client.post(f"{world}/redo").json()["revision"] == 3
    answer = shared_client.post(f"{world}/redo")
    assert (answer.status_code, answer.json()["error"]) == (409, "WorldError")


def test_edits_are_listed_page_by_page_oldest_first(shared_client):
    world, expected = create(shared_client), library_world()
    for x in (0, 5, 10):
        edit(shared_client, world, (x, 0, "cross"))
        expected.edit({(x, 0): "cross"})
    first = shared_client.get(f"{world}/edits", params={"limit": 2}).json()
    second = shared_client.get(f"{world}/edits", params={"limit": 2, "after": first["next"]}).json()
    assert first["edits"] + second["edits"] == expected.edits
    assert (len(first["edits"]), second["next"]) == (2, None)


def test_an_edit_can_ask_for_a_revision(shared_client):
    world = create(shared_client)
    edit(shared_client, world, (0, 0, "cross"), revision=0)
    conflict = edit(shared_client, world, (4, 4, "cross"), revision=0, status=409)
    assert (conflict["error"], conflict["revision"]) == ("RevisionConflict", 1)
    edit(shared_client, world, (4, 4, "cross"), headers={"If-Match": '"0"'}, status=412)
    edit(shared_client, world, (4, 4, "cross"), headers={"If-Match": "soon"}, status=412)
    edit(shared_client, world, (4, 4, "cross"), headers={"If-Match": '"1"'})
    assert shared_client.post(f"{world}/undo", json={"revision": 1}).status_code == 409
    assert shared_client.post(f"{world}/undo", json={"revision": 2}).status_code == 200


@pytest.mark.parametrize(
    ("cells", "status", "what"),
    [
        ([[5, 5, "croos"]], 422, "cross"),
        ([[5, "x", "cross"]], 422, "cells"),
        ([[5, 5]], 422, "cells"),
        ([], 422, "cells"),
        ([[1 << 50, 0, "cross"]], 422, "too far away"),
        ([[5, 5, "cross"], [6, 5, "wall"]], 409, "impossible to have"),
    ],
)
def test_an_edit_that_cannot_be_made_changes_nothing(shared_client, cells, status, what):
    world = create(shared_client)
    answer = shared_client.post(f"{world}/edits", json={"cells": cells})
    assert answer.status_code == status, answer.text
    assert what in answer.json()["detail"]
    assert answer.json()["advice"]
    if status == 409:
        assert answer.json()["error"] == "Contradiction"
    assert shared_client.get(world).json()["revision"] == 0


# --- changes ------------------------------------------------------------------------------------


def test_changes_say_what_was_there_before_and_after(shared_client):
    world, expected = create(shared_client), library_world()
    edit(shared_client, world, (5, 5, "cross"))
    expected.edit({(5, 5): "cross"})
    shared_client.post(f"{world}/undo")
    page = shared_client.get(f"{world}/changes", params={"since": 0}).json()
    assert page["revision"] == 2
    assert page["changes"][0]["changed"] == expected.changes(0)[0].to_dict()["cells"]
    rest = shared_client.get(f"{world}/changes", params={"since": 1}).json()
    assert rest["changes"] == page["changes"][1:]
    assert shared_client.get(f"{world}/changes", params={"since": 2}).json() == {"revision": 2, "changes": []}
    unknown = shared_client.get(f"{world}/changes", params={"since": 3})
    assert (unknown.status_code, "out" in unknown.json()["advice"]) == (404, False)  # since is required
    first = shared_client.get(f"{world}/changes", params={"since": 0, "limit": 1}).json()
    assert (first["revision"], len(first["changes"])) == (1, 1)


def read_events(stream, count):
    """The next events of a stream, as (kind, id, data)."""
    events, fields = [], {}
    for line in stream:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif "data" in fields:
            events.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
            fields = {}
            if len(events) == count:
                break
    return events


def test_a_reader_is_told_of_changes_and_of_those_it_missed(shared_client):
    world = create(shared_client)
    with shared_client.stream("GET", f"{world}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        edit(shared_client, world, (5, 5, "cross"))
        assert [each[:2] for each in read_events(lines, 1)] == [("change", "1")]
        edit(shared_client, world, (9, 9, "cross"))
        shared_client.post(f"{world}/undo")
        kinds = [(each[1], each[2]["kind"]) for each in read_events(lines, 2)]
        assert kinds == [("2", "edit"), ("3", "undo")]
    # A browser cannot set the header when it connects first, so the address may say it.
    for query, headers in (
        ("", {"Last-Event-ID": "1"}),
        ("?since=1", {}),
        ("?since=0", {"Last-Event-ID": "1"}),
    ):
        with shared_client.stream("GET", f"{world}/events{query}", headers=headers) as stream:
            missed = read_events(stream.iter_lines(), 2)
            assert [each[1] for each in missed] == ["2", "3"]
            assert missed[0][2]["box"] is not None


def test_a_reader_is_told_that_the_world_is_deleted(shared_client):
    world = create(shared_client)
    with shared_client.stream("GET", f"{world}/events") as stream:
        lines = stream.iter_lines()
        shared_client.delete(world)
        ((kind, _, data),) = read_events(lines, 1)
        assert (kind, data["error"]) == ("end", "NotFound")


def test_a_report_counts_windows(shared_client):
    world = create(shared_client)
    get_tile(shared_client, world)
    report = shared_client.get(f"{world}/report").json()
    assert report["report"]["interior"]["solved"] >= 1
    assert set(report["stored"]) == {"read", "written", "dropped", "damaged"}


# --- chunks and regions -------------------------------------------------------------------------


def test_a_chunk_has_the_patterns_of_the_library(shared_client):
    world, expected = create(shared_client), library_world()
    before = expected.chunk(1, -2).tolist()
    answer = shared_client.get(f"{world}/chunks/1/-2.json").json()
    assert answer == {"x": 1, "y": -2, "chunk": 24, "revision": 0, "patterns": before}
    edit(shared_client, world, (30, -40, "cross"))
    expected.edit({(30, -40): "cross"})
    assert shared_client.get(f"{world}/chunks/1/-2.json").json()["patterns"] == expected.chunk(1, -2).tolist()
    then = shared_client.get(f"{world}/chunks/1/-2.json", params={"revision": 0}).json()
    assert (then["revision"], then["patterns"]) == (0, before)
    assert shared_client.get(f"{world}/chunks/1/-2.json", params={"revision": 2}).status_code == 404


@pytest.mark.parametrize("ending", ["npz", "png", "tmj", "json", "tmx.zip"])
def test_a_region_has_the_bytes_of_the_library(shared_client, ending, tmp_path):
    world = create(shared_client)
    answer = shared_client.get(
        f"{world}/region.{ending}", params={"x0": -5, "y0": 3, "width": 20, "height": 9, "tile_size": 8}
    )
    assert answer.status_code == 200, answer.text
    if ending == "tmx.zip":
        assert answer.content[:2] == b"PK"
        return
    path = tmp_path / f"map.{ending}"
    sized = {} if ending in ("npz", "json") else {"tile_size": 8}
    library_world().solution(-5, 3, 20, 9).save(path, **sized)
    assert answer.content == path.read_bytes()


@pytest.mark.parametrize("ending", ["npz", "png"])
def test_a_chunk_as_a_file_is_its_region(shared_client, ending):
    world = create(shared_client)
    chunk = shared_client.get(f"{world}/chunks/-1/2.{ending}")
    place = {"x0": -24, "y0": 48, "width": 24, "height": 24}
    assert chunk.content == shared_client.get(f"{world}/region.{ending}", params=place).content


@pytest.mark.parametrize(
    ("path", "status", "what"),
    [
        ("region.png?x0=0&y0=0&width=0&height=4", 422, "width"),
        ("region.png?x0=0&y0=0&width=2000&height=2000", 422, "cells"),
        ("region.png?x0=0&y0=0&width=1000&height=1000&tile_size=64", 422, "pixels"),
        ("region.png?x0=99999999999999&y0=0&width=1&height=1", 422, "too far away"),
        ("region.mp3?x0=0&y0=0&width=1&height=1", 404, "mp3"),
        ("region.gif?x0=0&y0=0&width=1&height=1", 404, "gif"),
        ("region.png?x0=0&y0=0&width=1&height=1&revision=9", 404, "there is no revision 9"),
        ("region.png?x0=0", 422, "y0"),
        ("chunks/99999999999999/0.json", 422, "too far away"),
        ("chunks/99999999999999/0.png", 422, "too far away"),
        ("chunks/0/x.json", 422, "y"),
        ("chunks/0/0.exe", 404, "exe"),
    ],
)
def test_parts_that_cannot_be_had_are_refused(shared_client, path, status, what):
    answer = shared_client.get(f"{create(shared_client)}/{path}")
    assert answer.status_code == status, answer.text
    assert what in answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def wait_for_requests(client, count):
    """Until so many are being answered, besides the one that asks."""
    wait_until(lambda: f"wavefold_requests_running {count + 1}.0" in client.get("/metrics").text)


def test_a_client_that_met_a_conflict_can_try_again_before_the_other(client, monkeypatch):
    monkeypatch.setattr("wavefold_server.turns.RETRY_SECONDS", 60)
    world = create(client)
    with ThreadPoolExecutor(1) as threads, httpx.Client(base_url=client.base_url, timeout=300) as other:
        body = {"cells": [[0, 0, "cross"]]}
        assert client.post(f"{world}/edits", json=body).json()["revision"] == 1
        assert other.post(f"{world}/edits", json=body | {"revision": 0}).status_code == 409
        waiting = threads.submit(client.post, f"{world}/edits", json={"cells": [[9, 9, "cross"]]})
        wait_for_requests(other, 1)
        retried = other.post(f"{world}/edits", json={"cells": [[15, 15, "cross"]], "revision": 1})
        assert (retried.status_code, retried.json()["revision"]) == (200, 2)
        assert waiting.result(60).json()["revision"] == 3


# --- what may go wrong --------------------------------------------------------------------------


def test_a_damaged_file_is_reported_without_its_path(tmp_path):
    settings = ServiceSettings(data=tmp_path, workers=2)
    with run_client(settings) as client:
        world = create(client)
    (file,) = (tmp_path / "worlds").glob("*.world")
    file.write_bytes(b"not a world at all, not even a database of SQLite")
    with run_client(settings) as client:
        answer = client.get(world)
        assert (answer.status_code, answer.json()["error"]) == (409, "Damaged")
        assert world.rpartition("/")[2] in answer.json()["detail"]
        assert str(tmp_path) not in answer.text
        assert client.delete(world).status_code == 204


def test_a_full_disk_is_said_so(client, monkeypatch):
    world = create(client)

    def write_log(*_):
        error = sqlite3.OperationalError("database or disk is full")
        raise wf.WorldError("could not be written") from error

    monkeypatch.setattr("wavefold.worlds.store.store.Store.write_log", write_log)
    answer = client.post(f"{world}/edits", json={"cells": [[0, 0, "cross"]]})
    assert (answer.status_code, answer.json()["error"]) == (507, "DiskFull")
    monkeypatch.undo()
    assert client.get(world).json()["revision"] == 0


def test_a_reader_who_leaves_ends_the_work_that_nobody_else_waits_for(tmp_path):
    with run_client(ServiceSettings(data=tmp_path, workers=2)) as client:
        slow = create(client, tileset="castle", chunk=768)
        with open_connection(client.base_url) as connection:
            connection.sendall(f"GET {slow}/tiles/0/0/0.png HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            wait_until(lambda: "wavefold_quick_queue 1.0" in client.get("/metrics").text)
        wait_until(lambda: "wavefold_quick_queue 0.0" in client.get("/metrics").text)
        assert client.get(f"{slow}/report").json()["report"]["interior"]["solved"] == 0
