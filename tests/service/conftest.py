"""A real server on a free port of the loopback address, in a thread, with a data folder of its own."""

import threading
from contextlib import contextmanager
from time import monotonic, sleep

import httpx
import pytest
import uvicorn

from wavefold.service import ServiceSettings, create_app


@contextmanager
def run_server(settings):
    """The address of a server that runs as long as the block."""
    config = uvicorn.Config(
        create_app(settings), settings.host, port=0, log_config=None, ws="websockets-sansio", lifespan="on"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = monotonic() + 30
    while not server.started and thread.is_alive() and monotonic() < deadline:
        sleep(0.005)
    assert server.started, "the server did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://localhost:{port}"
    finally:
        server.should_exit = True
        thread.join(30)


@contextmanager
def run_client(settings, **options):
    """A client of a server that runs as long as the block."""
    with run_server(settings) as address, httpx.Client(base_url=address, timeout=30, **options) as client:
        yield client


@pytest.fixture
def settings(tmp_path):
    """Two threads and the usual limits."""
    return ServiceSettings(data=tmp_path / "data", workers=2)


@pytest.fixture
def client(settings):
    """A client of a server that runs as long as the test."""
    with run_client(settings) as client:
        yield client


@pytest.fixture(scope="module")
def shared_client(tmp_path_factory):
    """A client of one server for a whole module: for tests that only read, or that do not disturb others."""
    with run_client(ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=2)) as client:
        yield client
