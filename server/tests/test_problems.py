"""Errors as problem documents."""

import json
import sqlite3

import pytest

import wavefold as wf
from wavefold_server.problems import invalid, problem_of

HALF = json.loads('"\\ud800"')  # half of a character, which JSON may contain and UTF-8 may not


def raise_from(error, cause):
    """The error as it is caught."""
    try:
        raise error from cause
    except Exception as caught:
        return caught


def test_half_characters_are_quoted_as_json_has_them():
    assert json.loads(invalid(f"/weights/{HALF}", "no").response().body)["detail"] == f"weights.{HALF}: no"


@pytest.mark.parametrize("place", ["weights", "shares"])
def test_half_characters_in_a_request_are_refused(shared_client, place):
    body = f'{{"tileset": "pipes", "{place}": {{"\\ud800": 0.5}}}}'
    answer = shared_client.post("/api/v1/solves", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


@pytest.mark.parametrize("cause", [OSError(28, "No space left"), sqlite3.OperationalError("disk is full")])
@pytest.mark.parametrize("kind", [wf.WorldError, wf.ConfigError])
def test_a_full_disk_is_one_however_the_library_says_so(kind, cause):
    assert problem_of(raise_from(kind("cannot write /secret/path"), cause)).status == 507


def test_paths_of_the_server_are_not_shown():
    problem = problem_of(raise_from(wf.WorldError("/secret/path is damaged"), sqlite3.DatabaseError("bad")))
    assert (problem.status, problem.error) == (500, "StorageFailed")
    assert "secret" not in json.dumps(problem.to_dict())


def post_text(client, path, text):
    answer = client.post(f"/api/v1/{path}", content=text, headers={"Content-Type": "application/json"})
    return answer.status_code, answer.json()["detail"]


def test_a_body_that_is_not_json_says_where(shared_client):
    status, detail = post_text(shared_client, "solves", '{"seed": 1,}')
    assert status == 400
    assert detail.startswith("the body is not valid JSON at character 11: ")
    assert len(detail) > len("the body is not valid JSON at character 11: ")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("solves", '{"tileset": "pipes", "sed": 1}', "sed: unknown key 'sed'; did you mean 'seed'?"),
        (
            "worlds",
            '{"tileset": "pipes", "chunks": 1}',
            "chunks: unknown key 'chunks'; did you mean 'chunk'?",
        ),
        (
            "patchworks",
            '{"tileset": "pipes", "retries": {"Z": 1}}',
            "retries.Z: unknown key 'Z'; known: ",
        ),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_known_one(shared_client, path, text, expected):
    status, detail = post_text(shared_client, path, text)
    assert status == 422
    assert detail.startswith(expected)


def test_an_unknown_key_of_a_query_is_named_too(shared_client):
    answer = shared_client.get("/api/v1/solves/nothing/result.png?tile_siz=3")
    assert answer.json()["detail"] == "tile_siz: unknown key 'tile_siz'; did you mean 'tile_size'?"


def test_an_unknown_join_is_not_said_to_be_missing(shared_client):
    answer = shared_client.post("/api/v1/patchworks", json={"tileset": "pipes", "radius": 4, "join": "foo"})
    assert (answer.status_code, answer.json()["title"]) == (422, "A named part is unknown or not installed")
    assert "unknown join 'foo'" in answer.json()["detail"]


def test_unknown_paths_and_methods_have_documents(shared_client):
    assert shared_client.get("/nowhere").json()["error"] == "NotFound"
    for path, methods in (("/healthz", "GET, HEAD"), ("/api/v1/worlds", "GET, HEAD, POST")):
        answer = shared_client.put(path)
        assert answer.json()["error"] == "MethodNotAllowed"
        assert answer.headers["allow"] == methods
