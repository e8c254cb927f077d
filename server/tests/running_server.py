"""A real server on a free port of the loopback address, in a thread, for tests."""

import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import httpx

from waiting import PATIENCE, wait_until
from wavefold_server import Limits, ServiceSettings
from wavefold_server.app import create_app
from wavefold_server.openapi import describe_api
from wavefold_server.serving import ServiceServer

# No request is too late because the machine is busy, unless a test sets a limit itself.
PATIENT = dict.fromkeys(("quick_seconds", "job_seconds", "world_seconds"), PATIENCE)


@cache
def read_document():
    """The OpenAPI document, which takes a second to make: modules that list its operations share it."""
    return describe_api(create_app(ServiceSettings(data=Path("unused"))))


def be_patient(settings, port):
    """The same settings with more time for everything but what a test limits."""
    given = {name: getattr(settings.limits, name) for name in settings.limits.model_fields_set}
    return settings.model_copy(update={"port": port, "limits": Limits(**PATIENT | given)})


@contextmanager
def run_server(settings, port=0):
    """The address of a server that runs as long as the block; 0: on any free port."""
    server = ServiceServer(be_patient(settings, port))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive())
    assert server.started, "the server did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://localhost:{port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


@contextmanager
def run_client(settings, **options):
    """A client of a server that runs as long as the block."""
    with (
        run_server(settings) as address,
        httpx.Client(base_url=address, timeout=PATIENCE, **options) as client,
    ):
        yield client
