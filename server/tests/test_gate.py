"""What is refused before a route sees it."""

import asyncio
from types import SimpleNamespace

import pytest

from raw_http import exchange, status_of
from running_server import run_client
from wavefold_server import Limits, ServiceSettings
from wavefold_server.access import AccessLog
from wavefold_server.database import Database
from wavefold_server.keys import ApiKeys
from wavefold_server.metrics import Metrics

SOLVES = "/api/v1/solves"


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A client of a server with tight limits, without a key, that one other site may call."""
    limits = Limits(body_bytes=100, upload_bytes=200)
    settings = ServiceSettings(
        data=tmp_path_factory.mktemp("data"), workers=1, limits=limits, origins=("https://maps.example",)
    )
    with run_client(settings) as client:
        yield client


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A client without a key, of a server that requires one, and the keys by scope."""
    folder = tmp_path_factory.mktemp("data")
    database = Database(folder)
    keys = {scope: ApiKeys(database).create(scope, scope) for scope in ("read", "write")}
    database.close()
    settings = ServiceSettings(data=folder, workers=1, origins=("https://maps.example",))
    with run_client(settings) as client:
        client.bearer = {scope: {"Authorization": f"Bearer {key}"} for scope, key in keys.items()}
        yield client


def problem(answer, status, error):
    """The problem document of an answer, which must have this status and error."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["error"] == error
    return answer.json()


# --- the name of the server -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["localhost", "LocalHost:8317", "localhost.", "localhost.:80", "127.0.0.1:1", "[::1]", "[::1]:8317"],
)
def test_names_of_this_machine_are_answered(strict, host):
    assert strict.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8317", "localhost.evil.example", "localhost..", "127.0.0.2", "0", "[::]"],
)
def test_other_names_are_refused(strict, host):
    document = problem(strict.get("/healthz", headers={"Host": host}), 403, "UnknownHost")
    assert "--allow-host" in document["advice"]


@pytest.mark.parametrize(
    "host", ["", "localhost:", "localhost:x", "a@localhost", "local host", "[::1", "::1", "/"]
)
def test_what_is_not_a_name_is_refused(strict, host):
    problem(strict.get("/healthz", headers={"Host": host}), 400, "UnknownHost")


def test_a_request_needs_exactly_one_host_header(strict):
    for lines in (b"", b"Host: localhost\r\nHost: evil.example\r\n"):
        answer = exchange(strict.base_url, b"GET /healthz HTTP/1.0\r\n" + lines + b"\r\n")
        assert status_of(answer) == 400


def test_a_whole_address_as_the_target_leads_nowhere(strict):
    for target in (b"http://evil.example/metrics", b"http://localhost/healthz", b"*"):
        request = b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert status_of(exchange(strict.base_url, request)) == 404


def test_a_further_name_can_be_allowed(tmp_path):
    with run_client(ServiceSettings(data=tmp_path, workers=1, hosts=("maps.example.org",))) as client:
        assert client.get("/healthz", headers={"Host": "Maps.Example.org:443"}).status_code == 200
        assert client.get("/healthz", headers={"Host": "localhost"}).status_code == 403


# --- other sites ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://[::1", "https://maps.example.evil", ""]
)
def test_other_sites_may_not_change_anything(strict, origin):
    problem(strict.post(SOLVES, headers={"Origin": origin}, json={}), 403, "ForeignOrigin")


def test_own_pages_and_allowed_sites_may(strict):
    own = f"http://{strict.base_url.netloc.decode()}"
    for origin in (own, own.upper().replace("HTTP", "http"), "https://maps.example"):
        problem(strict.post(SOLVES, headers={"Origin": origin}, json={}), 422, "InvalidRequest")


def test_a_preflight_needs_no_key_and_a_refusal_can_be_read_by_the_page(locked):
    origin = {"Origin": "https://maps.example"}
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    preflight = locked.options(SOLVES, headers=origin | asked)
    assert preflight.status_code == 200
    assert "authorization" in preflight.headers["access-control-allow-headers"]
    refused = locked.get(SOLVES + "/1", headers=origin)
    assert refused.status_code == 401
    assert refused.headers["access-control-allow-origin"] == "https://maps.example"
    foreign = locked.options(SOLVES, headers=asked | {"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in foreign.headers


# --- keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/openapi.json"])
def test_public_pages_need_no_key(locked, path):
    assert locked.get(path).status_code == 200
    assert locked.head(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/metrics", "//metrics", "/%6detrics", "/docs/", "/docs/../metrics", "/healthz/", "/HEALTHZ", "/",
     "/docs%00", "/api/v1/tilesets", "/healthz%2f..%2fmetrics", "/healthz;/metrics"],
)  # fmt: skip
def test_everything_else_needs_one(locked, path):
    answer = locked.get(path, follow_redirects=False)
    problem(answer, 401, "Unauthorized")
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_public_pages_can_only_be_read_without_a_key(locked):
    problem(locked.post("/healthz"), 401, "Unauthorized")


def test_scopes(locked):
    assert locked.get("/api/v1/tilesets", headers=locked.bearer["read"]).status_code == 200
    problem(locked.post(SOLVES, headers=locked.bearer["read"], json={}), 403, "Forbidden")
    problem(locked.post(SOLVES, headers=locked.bearer["write"], json={}), 422, "InvalidRequest")


@pytest.mark.parametrize("header", ["Bearer", "Basic abc", "Bearer wf_wrong", "Bearer \xff", "wf_x", ""])
def test_wrong_keys(locked, header):
    problem(locked.get("/metrics", headers={"Authorization": header.encode("latin-1")}), 401, "Unauthorized")


# --- bodies ---------------------------------------------------------------------------------------


def test_a_body_that_is_announced_too_long_is_refused(strict):
    document = problem(strict.post(SOLVES, content=b" " * 101), 413, "LimitExceeded")
    assert (document["limit"], document["maximum"]) == ("body_bytes", 100)


def test_a_length_of_many_digits_is_refused(strict):
    head = b"POST /api/v1/solves HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"9" * 19 + b"\r\n\r\n"
    with_close = head.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    assert status_of(exchange(strict.base_url, with_close)) in (400, 413)


@pytest.mark.parametrize(
    ("path", "media", "limit"),
    [(SOLVES, "application/json", "body_bytes"), ("/api/v1/tilesets", "application/zip", "upload_bytes")],
)
def test_a_body_without_a_length_is_counted(strict, path, media, limit):
    parts = (b" " * 50 for _ in range(5))
    answer = strict.post(path, content=parts, headers={"Content-Type": media})
    assert problem(answer, 413, "LimitExceeded")["limit"] == limit


def test_a_body_that_does_not_arrive_is_answered(tmp_path):
    head = (
        b"POST /api/v1/solves HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
    )
    with run_client(ServiceSettings(data=tmp_path, workers=1, limits=Limits(body_seconds=0.3))) as client:
        answer = exchange(client.base_url, head)
    assert status_of(answer) == 408
    assert b'"limit": "body_seconds"' in answer


# --- what every answer has ------------------------------------------------------------------------


def test_head_is_get_without_a_body(strict):
    full, head = strict.get("/healthz"), strict.head("/healthz")
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(full.content))


@pytest.mark.parametrize("path", ["/healthz", "/nowhere", "/metrics"])
def test_answers_are_protected(strict, path):
    headers = strict.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cross-origin-resource-policy"] == "cross-origin"  # since a site is allowed
    assert "server" not in headers


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [("order-7.a_B", True), ("x" * 64, True), ("x" * 65, False), ("a b", False), ('a"', False)],
)
def test_a_sane_request_id_is_kept_and_others_are_replaced(strict, given, is_kept):
    answered = strict.get("/healthz", headers={"X-Request-ID": given}).headers["x-request-id"]
    assert (answered == given) is is_kept
    assert answered


def test_a_server_on_more_connections_than_allowed_says_so(tmp_path):
    settings = ServiceSettings(data=tmp_path, workers=1, limits=Limits(connections=1))
    with run_client(settings) as client:
        assert client.get("/api/v1/tilesets").status_code == 200
        with run_second(client) as second:
            assert problem(second.get("/api/v1/tilesets"), 503, "Busy")
            assert second.get("/healthz").status_code == 200


def run_second(client):
    """Another connection to the same server."""
    import httpx

    return httpx.Client(base_url=client.base_url, timeout=client.timeout)


# --- WebSockets -----------------------------------------------------------------------------------


def handshake(client, path="/api/v1/live", **options):
    """The status of the answer to a handshake, and its body; 101 if it succeeded."""
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    try:
        with connect(f"ws://{client.base_url.netloc.decode()}{path}", **options) as socket:
            return 101, socket.subprotocol
    except InvalidStatus as error:
        return error.response.status_code, error.response.body


def test_a_websocket_needs_a_key_that_may_write(locked):
    assert handshake(locked)[0] == 401
    read, write = (locked.bearer[scope]["Authorization"] for scope in ("read", "write"))
    status, body = handshake(locked, additional_headers={"Authorization": read})
    assert status == 403
    assert b"may only read" in body
    assert handshake(locked, additional_headers={"Authorization": write})[0] == 101


def test_browsers_send_the_key_as_a_protocol_and_never_get_it_back(locked):
    key = locked.bearer["write"]["Authorization"].removeprefix("Bearer ")
    assert handshake(locked, subprotocols=["wavefold", f"key.{key}"]) == (101, "wavefold")
    assert handshake(locked, subprotocols=["wavefold", "key.wf_wrong"])[0] == 401


def test_pages_of_other_sites_cannot_open_a_websocket(strict):
    assert handshake(strict, origin="https://evil.example")[0] == 403
    assert handshake(strict, origin="null")[0] == 403
    assert handshake(strict, origin="https://maps.example")[0] == 101


# --- caches ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "expected"), [(None, "public, max-age=9"), ("game", "private, max-age=9")])
def test_what_needs_a_key_is_not_for_shared_caches(key, expected):
    sent, service = [], SimpleNamespace(running=0, metrics=Metrics())

    async def answer(scope, receive, send):
        scope["wavefold.key"] = key
        headers = [(b"cache-control", b"public, max-age=9")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def collect(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    asyncio.run(AccessLog(answer, lambda: service)(scope, None, collect))
    assert dict(sent[0]["headers"])[b"cache-control"].decode() == expected
