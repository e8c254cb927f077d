"""Whatever bytes arrive, the server answers or closes, logs no error of its own, and goes on."""

import random

import pytest

from raw_http import open_connection, read_all
from running_server import run_client
from wavefold_server import Limits, ServiceSettings

METHODS = [
    "GET",
    "GET",
    "POST",
    "POST",
    "PUT",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "BREW",
    "get",
    "CONNECT",
]
TARGETS = [
    "/healthz",
    "/docs",
    "/openapi.json",
    "/metrics?a=b",
    "/api/v1/solves",
    "/api/v1/tilesets",
    "/api/v1/worlds",
    "/api/v1/worlds/1/tiles/0/0/0.png?revision=x",
    "/api/v1/live",
    "/api/v1/solves/%00",
    "//",
    "*",
    "/%ff%fe",
    "/../etc/passwd",
    "/api/v1/tilesets/..%2f..%2fwavefold.db",
    "/api/v1/worlds/%0d%0aX:1/edits",
    "http://x/",
]
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
)
HEADERS = [
    "Host: localhost",
    "Host: [::1]",
    "Host: evil",
    "Origin: null",
    "Origin: http://localhost",
    UPGRADE,
    "Authorization: Bearer x",
    "Authorization: \xff",
    "Content-Length: 5",
    "Content-Length: 99999999999999999999",
    "Content-Length: -1",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip",
    "Accept: text/csv;q=x",
    "Content-Type: application/json",
    "Content-Type: application/zip",
    "Content-Type: image/png",
    "Content-Type: multipart/form-data; boundary=x",
    "X-Request-ID: a\tb",
    "Expect: 100-continue",
    "If-None-Match: *",
    "Last-Event-ID: \x01",
    "Range: bytes=0-1",
    "Access-Control-Request-Method: POST",
]
BODIES = [
    b"", b"{}", b"[]", b"null", b"\x00" * 50, b"5\r\nhello\r\n0\r\n\r\n", b"FFFFFFFFFFFF\r\n",
    b"PK\x03\x04junk", b'{"tileset": 5, "seed": 1e400}', b"\xff\xfe", b"{" * 1000,
    b'{"tileset":"pipes","seed":' + b"9" * 5000 + b"}",
]  # fmt: skip


def make_request(chance):
    """A request that is wrong in several ways, mostly."""
    lines = chance.sample(HEADERS, chance.randint(0, 5)) + (
        ["Host: localhost"] if chance.random() < 0.7 else []
    )
    first = f"{chance.choice(METHODS)} {chance.choice(TARGETS)} HTTP/1.{chance.choice('01111')}"
    return "\r\n".join([first, *lines, "", ""]).encode("latin-1") + chance.choice(BODIES)


@pytest.mark.parametrize("seed", range(3))
def test_bytes_that_make_no_sense_do_no_harm(tmp_path, caplog, seed):
    chance = random.Random(seed)
    limits = Limits(body_seconds=0.2, idle_seconds=0.2)
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as client:
        for _ in range(150):
            request = make_request(chance)
            with open_connection(client.base_url) as connection:
                connection.sendall(request)
                is_finished = chance.random() < 0.9
                if is_finished:
                    connection.shutdown(1)
                answer = read_all(connection) if is_finished else b""
            assert b"HTTP/1.1 500" not in answer, request
            assert b"Traceback" not in answer, request
        assert client.get("/healthz").status_code == 200
    assert [each.getMessage() for each in caplog.records if each.levelname == "ERROR"] == []
