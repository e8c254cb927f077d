"""A server in a process of its own: how it starts, what it refuses, how it stops."""

import json
import os
import signal
import socket
import threading

import httpx
import pytest
from raw_http import open_connection, read_all
from serving_process import serve, wait_until

from running_server import run_client, run_server
from wavefold.service import Limits, ServiceSettings
from wavefold.service.serving import ServiceServer, describe_access, open_listener

LARGE = {"tileset": "castle", "topology": {"width": 120, "height": 120}, "seed": 1, "refine": 1_000}


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_server_that_is_stopped_finishes_what_runs_and_ends_well(tmp_path):
    with serve(tmp_path / "data") as (process, address), httpx.Client(base_url=address, timeout=60) as client:
        wait_until(lambda: client.get("/readyz").status_code == 200)
        answers = []
        request = {"tileset": "pipes", "topology": {"width": 120, "height": 120}, "seed": 1}
        thread = threading.Thread(
            target=lambda: answers.append(httpx.post(f"{address}/api/v1/solves", json=request, timeout=60))
        )
        thread.start()
        wait_until(lambda: "requests_running 2.0" in client.get("/metrics").text or answers)
        process.send_signal(signal.SIGTERM)
        thread.join(60)
        assert answers[0].status_code == 200
        assert process.wait(30) == 0
        messages = [json.loads(line)["message"] for line in process.stderr.read().splitlines()]
        assert messages[-2:] == ["stopping", "stopped"] or messages[-1] == "stopped"


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_second_interrupt_ends_at_once(tmp_path):
    with serve(tmp_path, "--limit", "grace_seconds=60") as (process, address):
        connection = open_connection(address)  # a request whose body never comes
        connection.sendall(b"POST /api/v1/solves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        wait_until(lambda: "requests_running 2.0" in httpx.get(f"{address}/metrics").text)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: "shutting down" in httpx.get(f"{address}/readyz").text)
        assert httpx.get(f"{address}/healthz").status_code == 200
        assert httpx.get(f"{address}/api/v1/tilesets").json()["error"] == "Busy"
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        connection.close()


# --- connections ----------------------------------------------------------------------------------


def test_silent_and_slow_connections_are_closed(tmp_path):
    settings = ServiceSettings(data=tmp_path, workers=1, limits=Limits(idle_seconds=0.2))
    with run_server(settings) as address:
        half = b"GET /healthz HTTP/1.1\r\nHost: local"
        whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for sent in (b"", half, whole, whole + half):
            with open_connection(address) as connection:
                connection.sendall(sent)
                assert read_all(connection).count(b"HTTP/1.1 200") == sent.count(whole)


def test_a_reader_that_stops_reading_is_cut_off(tmp_path):
    limits = Limits(idle_seconds=0.2, body_seconds=0.2)
    settings = ServiceSettings(data=tmp_path, workers=1, limits=limits)
    with run_client(settings) as client, open_connection(client.base_url) as connection:
        for _ in range(400):  # answers that are never read
            try:
                connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            except OSError:
                break
        wait_until(lambda: "wavefold_connections 1.0" in httpx.get(f"{client.base_url}/metrics").text)


@pytest.mark.parametrize(
    "lines",
    [
        b"Content-Length: 5\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Sec-WebSocket-Key: short\r\n",
        b"Host: x\r\n",
    ],
)
def test_handshakes_that_are_not_valid_leave_no_connection_behind(tmp_path, lines, caplog):
    upgrade = (
        b"GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    with run_client(ServiceSettings(data=tmp_path, workers=1)) as client:
        for _ in range(3):
            with open_connection(client.base_url) as connection:
                connection.sendall(upgrade + lines + b"\r\nhello")
                connection.settimeout(5)
                read_all(connection)
        wait_until(lambda: "wavefold_connections 1.0" in httpx.get(f"{client.base_url}/metrics").text)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


# --- what is refused at the start -----------------------------------------------------------------


def test_addresses_that_cannot_be_used(tmp_path):
    import wavefold as wf

    with open_listener(ServiceSettings(data=tmp_path, port=0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(wf.ConfigError, match=f"port {port} of 127.0.0.1 is in use"):
            open_listener(ServiceSettings(data=tmp_path, port=port))
    with pytest.raises(wf.ConfigError, match=r"does not have the address 192\.0\.2\.1"):
        open_listener(ServiceSettings(data=tmp_path, host="192.0.2.1", port=0))
    with pytest.raises(wf.ConfigError, match="--host"):
        open_listener(ServiceSettings(data=tmp_path, host="no such host", port=0))


def test_answers_on_a_connection_do_not_wait_for_each_other(tmp_path):
    settings = ServiceSettings(data=tmp_path, port=0)
    with (
        open_listener(settings) as listener,
        socket.create_connection(listener.getsockname()),
        listener.accept()[0] as connection,
    ):
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_who_may_use_a_server_is_said_plainly(tmp_path):
    local, exposed = ServiceSettings(data=tmp_path), ServiceSettings(data=tmp_path, host="0.0.0.0")
    assert "loopback only" in describe_access(local, False)
    assert "API key" in describe_access(exposed, True)
    assert "ANYBODY" in describe_access(exposed, False)


def test_the_start_leaves_nothing_behind_if_it_fails(tmp_path):
    import wavefold as wf

    settings = ServiceSettings(data=tmp_path, host="0.0.0.0", port=0)
    for _ in range(2):
        with pytest.raises(wf.ConfigError, match="wavefold keys create"):
            ServiceServer(settings).run()
    with run_client(settings.model_copy(update={"host": "127.0.0.1"})) as client:
        assert client.get("/readyz").status_code == 200
