"""A real server on a free port of the loopback address, in a thread, for tests."""

import threading
from contextlib import contextmanager
from time import monotonic, sleep

import httpx

from wavefold.service.serving import ServiceServer


@contextmanager
def run_server(settings, port=0):
    """The address of a server that runs as long as the block; 0: on any free port."""
    server = ServiceServer(settings.model_copy(update={"port": port}))
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
