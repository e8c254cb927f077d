"""A browser signs in with a key once; from then on a cookie that no script can read does."""

import httpx
import pytest

from running_server import run_client
from wavefold_server import ServiceSettings
from wavefold_server.database import Database
from wavefold_server.keys import ApiKeys

SESSION, TILESETS, WORLDS = "/api/v1/session", "/api/v1/tilesets", "/api/v1/worlds"


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A client of a server that requires keys, and the keys by scope."""
    folder = tmp_path_factory.mktemp("data")
    database = Database(folder)
    keys = {scope: ApiKeys(database).create(scope, scope) for scope in ("read", "write")}
    database.close()
    with run_client(ServiceSettings(data=folder, workers=1)) as client:
        client.keys = keys
        yield client


@pytest.fixture
def visitor(locked):
    """A browser of its own."""
    with httpx.Client(base_url=locked.base_url, timeout=300) as browser:
        browser.keys = locked.keys
        yield browser


def test_without_keys_every_browser_may_write(shared_client):
    assert shared_client.get(SESSION).json() == {"required": False, "scope": "write"}


def test_a_visitor_sees_the_studio_but_nothing_of_the_server(visitor):
    assert visitor.get("/studio/").status_code == 200
    assert visitor.get("/studio/main.js").status_code == 200
    assert visitor.get(SESSION).json() == {"required": True, "scope": None}
    assert visitor.get(TILESETS).status_code == 401
    assert visitor.get("/studiox").status_code == 401


def test_a_browser_at_the_root_is_led_to_the_studio_before_it_has_a_key(visitor):
    led = visitor.get("/", headers={"Accept": "text/html"})
    assert (led.status_code, led.headers["location"]) == (307, "studio/")
    assert visitor.get("/", headers={"Accept": "application/json"}).status_code == 401
    assert visitor.post("/", headers={"Accept": "text/html"}).status_code == 401


@pytest.mark.parametrize("scope", ["read", "write"])
def test_a_key_becomes_a_cookie_that_only_this_server_gets(visitor, scope):
    answer = visitor.post(SESSION, json={"key": visitor.keys[scope]})
    assert answer.json() == {"required": True, "scope": scope}
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert cookie.startswith(f"wavefold_key_{visitor.base_url.port}=")
    assert visitor.get(TILESETS).status_code == 200
    created = visitor.post(WORLDS, json={"tileset": "pipes", "chunk": 24, "refine": False})
    assert created.status_code == (201 if scope == "write" else 403)


def test_a_wrong_key_is_refused_and_sets_no_cookie(visitor):
    answer = visitor.post(SESSION, json={"key": "wf_wrong"})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert visitor.post(SESSION, json={"key": "a b"}).status_code == 422
    assert visitor.get(SESSION).json()["scope"] is None


def test_whoever_signs_out_is_a_stranger_again(visitor):
    visitor.post(SESSION, json={"key": visitor.keys["write"]})
    assert visitor.delete(SESSION).status_code == 204
    assert visitor.get(TILESETS).status_code == 401


def test_pages_of_other_sites_cannot_sign_in_or_use_the_cookie_to_change_anything(visitor):
    elsewhere = {"Origin": "https://evil.example"}
    assert visitor.post(SESSION, json={"key": visitor.keys["write"]}, headers=elsewhere).status_code == 403
    visitor.post(SESSION, json={"key": visitor.keys["write"]})
    assert visitor.post(WORLDS, json={"tileset": "pipes"}, headers=elsewhere).status_code == 403


def test_the_header_counts_before_the_cookie(visitor):
    visitor.post(SESSION, json={"key": visitor.keys["write"]})
    headers = {"Authorization": f"Bearer {visitor.keys['read']}"}
    assert visitor.get(SESSION, headers=headers).json()["scope"] == "read"
