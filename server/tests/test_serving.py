"""A server in a process of its own: how it starts, what it refuses, how it stops."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from threading import Event

import httpx
import pytest

from raw_http import exchange, open_connection, read_all
from running_server import run_client, run_server
from serving_process import serve
from waiting import wait_until
from wavefold_server import Limits, ServiceSettings
from wavefold_server.serving import ServiceServer, describe_access, open_listener

LARGE = {"tileset": "castle", "topology": {"width": 120, "height": 120}, "seed": 1, "refine": 1_000}


def get(address, path):
    """An answer on a connection of its own."""
    return httpx.get(f"{address}{path}", timeout=300)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_server_that_is_stopped_finishes_what_runs_and_ends_well(tmp_path):
    with (
        serve(tmp_path / "data") as (process, address),
        httpx.Client(base_url=address, timeout=300) as client,
    ):
        wait_until(lambda: client.get("/readyz").status_code == 200)
        answers = []
        request = {"tileset": "pipes", "topology": {"width": 120, "height": 120}, "seed": 1}
        thread = threading.Thread(
            target=lambda: answers.append(httpx.post(f"{address}/api/v1/solves", json=request, timeout=300))
        )
        thread.start()
        wait_until(lambda: "requests_running 2.0" in client.get("/metrics").text or answers)
        process.send_signal(signal.SIGTERM)
        thread.join(300)
        assert answers[0].status_code == 200
        assert process.wait(300) == 0
        messages = [json.loads(line)["message"] for line in process.stderr.read().splitlines()]
        assert messages[-2:] == ["stopping", "stopped"] or messages[-1] == "stopped"


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_second_interrupt_ends_at_once(tmp_path):
    with serve(tmp_path, "--limit", "grace_seconds=300") as (process, address):
        connection = open_connection(address)  # a request whose body never comes
        connection.sendall(b"POST /api/v1/solves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
        wait_until(lambda: "requests_running 2.0" in get(address, "/metrics").text)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: "shutting down" in get(address, "/readyz").text)
        assert get(address, "/healthz").status_code == 200
        assert get(address, "/api/v1/tilesets").json()["error"] == "Busy"
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
        connection.close()


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_the_last_line_of_the_studio_is_its_address_also_when_pages_load(tmp_path):
    command = [sys.executable, "-m", "wavefold", "studio", "--no-browser", "--port", "0", "--data", tmp_path]
    variables = os.environ | {"WAVEFOLD_SERVICE_LOG_FORMAT": "text"}
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=variables)
    try:
        lines = [server.stderr.readline()]
        while "studio" not in lines[-1].split():
            assert lines[-1], "the server did not start"
            lines.append(server.stderr.readline())
        address = lines[-1].split()[1]
        assert httpx.get(address).status_code == 200
        assert httpx.get(address + "no-such-page").status_code == 404
        server.send_signal(signal.SIGINT)
        after = server.communicate(timeout=30)[1].splitlines()
    finally:
        server.kill()
        server.wait()
    assert [line.split()[2] for line in after] == ["stopping", "stopped"]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_it_serves_is_one_line_and_no_announcement(tmp_path, number):
    code = f"""
import os, signal, sys
from contextlib import contextmanager

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
from wavefold.__main__ import main
from wavefold_server.serving import ServiceServer

@contextmanager
def handling_signals(server, really=ServiceServer._handling_signals):
    with really(server):
        os.kill(os.getpid(), {int(number)})
        yield

ServiceServer._handling_signals = handling_signals
sys.argv = ["wavefold", "serve", "--port", "0", "--data", "data"]
sys.exit(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == "wavefold: interrupted; nothing was written\n"
    assert done.returncode == 128 + number


# --- connections ----------------------------------------------------------------------------------


def test_silent_and_slow_connections_are_closed(tmp_path):
    settings = ServiceSettings(data=tmp_path, workers=1, limits=Limits(idle_seconds=0.2))
    with run_server(settings) as address:
        half = b"GET /healthz HTTP/1.1\r\nHost: local"
        whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for sent in (b"", half, whole, whole + half):
            # Until it is answered: on a busy machine, a client may be too late by itself.
            wait_until(lambda sent=sent: exchange(address, sent).count(b"HTTP/1.1 200") == sent.count(whole))


def test_a_reader_that_stops_reading_is_cut_off(tmp_path):
    limits = Limits(idle_seconds=0.2, body_seconds=0.2)
    settings = ServiceSettings(data=tmp_path, workers=1, limits=limits)
    with run_client(settings) as client, open_connection(client.base_url) as connection:
        for _ in range(400):  # answers that are never read
            try:
                connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            except OSError:
                break
        wait_until(lambda: "wavefold_connections 1.0" in get(client.base_url, "/metrics").text)


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
                read_all(connection)
        wait_until(lambda: "wavefold_connections 1.0" in get(client.base_url, "/metrics").text)
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


def test_a_server_releases_memory_when_its_work_is_done(tmp_path, monkeypatch):
    released = Event()
    monkeypatch.setattr("wavefold_server.memory.QUIET_SECONDS", 0.0)
    monkeypatch.setattr("wavefold_server.serving.release_memory", released.set)
    with run_client(ServiceSettings(data=tmp_path, workers=1)) as client:
        assert not released.is_set()
        client.post(
            "/api/v1/solves", json={"tileset": "pipes", "topology": {"width": 4, "height": 4}}
        ).raise_for_status()
        assert released.wait(30)
