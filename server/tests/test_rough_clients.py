"""Clients that are rude, confused or gone: each gets a proper answer, and none costs anything afterwards."""

import json

import pytest

from raw_http import exchange, open_connection, read_all
from waiting import wait_until

API = "/api/v1"
LONG = {"tileset": "castle", "topology": {"width": 100, "height": 100}, "refine": 1_000}
HUGE = "9" * 30
IDS = [
    "%00",
    "%ff%fe",
    "%ED%A0%80",
    "..",
    "%2e%2e",
    "..%2f..%2fetc%2fpasswd",
    "a%2fb",
    "-",
    "%0d%0aX:%201",
    "a" * 65,
]
KINDS = ["tilesets", "solves", "worlds", "patchworks"]


@pytest.fixture(scope="module")
def world(shared_client):
    answer = shared_client.post(f"{API}/worlds", json={"tileset": "pipes", "chunk": 24, "refine": False})
    return answer.headers["location"]


def send(client, target, method="GET", headers=()):
    """(status, headers, body) of a request that is sent as it is."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", ""]
    head, _, body = exchange(client.base_url, "\r\n".join(lines).encode()).partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    return int(first.split()[1]), dict(line.lower().split(": ", 1) for line in rest), body


def check_refusal(answer, *statuses):
    """A problem document with one of these statuses, and nothing of the inside."""
    status, headers, body = answer
    assert status in statuses, body
    assert headers["content-type"] == "application/problem+json"
    assert "x" not in headers
    assert json.loads(body)["status"] == status
    assert b"Traceback" not in body


@pytest.mark.parametrize("kind", KINDS)
def test_ids_that_are_paths_or_no_text_lead_nowhere(shared_client, kind):
    for id in IDS:
        for path in (id, f"{id}/events", f"{id}/tiles/0/0/0.png", f"{id}/result.png", f"{id}/atlas.png"):
            check_refusal(send(shared_client, f"{API}/{kind}/{path}"), 404, 422)


@pytest.mark.parametrize(
    "path",
    ["-17/0/0", "7/0/0", f"0/{HUGE}/0", f"-{HUGE}/0/0", f"0/0/-{HUGE}", f"0/{'9' * 5000}/0", "0/1e3/0",
     "0/x/0", "6/9223372036854775807/-9223372036854775808"],
)  # fmt: skip
def test_map_tiles_that_cannot_be_are_refused(shared_client, world, path):
    check_refusal(send(shared_client, f"{world}/tiles/{path}.png"), 404, 422)


@pytest.mark.parametrize("query", ["revision=-1", f"revision={HUGE}", "revision=", "revision=0&revision=9"])
def test_revisions_that_cannot_be_are_refused(shared_client, world, query):
    check_refusal(send(shared_client, f"{world}/tiles/0/0/0.png?{query}"), 404, 422)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "OPTIONS", "CONNECT", "BREW"])
def test_methods_that_a_path_does_not_have_are_refused(shared_client, world, method):
    for path in ("/healthz", f"{API}/worlds", f"{world}/tiles/0/0/0.png"):
        check_refusal(send(shared_client, path, method), 405)


def test_head_is_get_without_the_body(shared_client, world):
    path = f"{world}/tiles/2/0/0.png"
    (status, headers, body), (_, expected, whole) = (
        send(shared_client, path, "HEAD"),
        send(shared_client, path),
    )
    assert (status, body, headers["content-length"]) == (200, b"", str(len(whole)))
    assert headers["etag"] == expected["etag"]


@pytest.mark.parametrize("header", ["Range: bytes=0-9", "Accept: text/plain", "If-None-Match: \u00ff, W/"])
def test_headers_that_are_not_supported_are_passed_over(shared_client, world, header):
    status, _, body = send(shared_client, f"{world}/tiles/2/0/0.png", headers=[header])
    assert (status, body[:4]) == (200, b"\x89PNG")


def test_headers_without_end_are_refused(shared_client):
    with open_connection(shared_client.base_url) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        with pytest.raises(ConnectionError):
            connection.sendall((b"X: " + b"a" * 65_000 + b"\r\n") * 1_000)


@pytest.mark.parametrize(
    "sent", ["\x16\x03\x01\x02", "GET /healthz\r\n\r\n", "GET /\u00fc HTTP/1.1\r\nHost: localhost\r\n\r\n",
             "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"]
)  # fmt: skip
def test_what_is_not_http_has_a_problem_document_too(shared_client, sent):
    head, _, body = exchange(shared_client.base_url, sent.encode()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert json.loads(body)["error"] == "InvalidRequest"


def test_requests_that_come_at_once_are_answered_in_their_order(shared_client):
    one = b"GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
    found = exchange(
        shared_client.base_url,
        one % (b"/healthz", b"") + one % (b"/nowhere", b"") + one % (b"/readyz", b"Connection: close\r\n"),
    )
    assert [each[:3] for each in found.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200"]


# --- clients that leave ---------------------------------------------------------------------------


def count(client, name):
    """A figure of the server."""
    line = next(line for line in client.get("/metrics").text.splitlines() if line.startswith(name))
    return float(line.rpartition(" ")[2])


def test_connections_that_open_and_close_leave_nothing(shared_client):
    for _ in range(5):
        opened = [open_connection(shared_client.base_url) for _ in range(100)]
        for number, connection in enumerate(opened):
            if number % 2:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: local")
            connection.close()
    wait_until(lambda: count(shared_client, "wavefold_connections") == 1)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("solves", LONG | {"topology": {"width": 60, "height": 60}, "refine": 200}),
        ("tilesets/castle/audit", {"deep": True}),
    ],
)
def test_work_that_nobody_waits_for_ends(shared_client, path, body):
    content = json.dumps(body).encode()
    head = f"POST {API}/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with open_connection(shared_client.base_url) as connection:
        connection.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        wait_until(lambda: count(shared_client, "wavefold_requests_running") == 2)
    for pool in ("quick", "job"):
        wait_until(lambda pool=pool: count(shared_client, f"wavefold_{pool}_queue") == 0)
    assert shared_client.get(f"{API}/solves").json()["solves"] == []


def test_readers_of_events_that_leave_or_never_read_cost_nothing(shared_client, world):
    request = f"GET {world}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    readers = [open_connection(shared_client.base_url) for _ in range(20)]
    for reader in readers:
        reader.sendall(request)
    wait_until(lambda: count(shared_client, "wavefold_requests_running") == 21)
    answer = shared_client.post(f"{world}/edits", json={"cells": [[1, 1, "cross"]]})
    assert answer.status_code == 200
    for reader in readers:
        reader.close()
    wait_until(lambda: count(shared_client, "wavefold_requests_running") == 1)


def test_half_a_body_is_not_half_a_request(shared_client):
    head = f"POST {API}/worlds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    before = shared_client.get(f"{API}/worlds").json()
    with open_connection(shared_client.base_url) as connection:
        connection.sendall(f'{head}Content-Length: 100\r\n\r\n{{"tileset": "pipes"}}'.encode())
        connection.shutdown(1)
        assert not read_all(connection).startswith(b"HTTP/1.1 2")
    assert shared_client.get(f"{API}/worlds").json() == before
