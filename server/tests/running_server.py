"""A real server on a free port of the loopback address, in a thread, for tests."""

import threading
from contextlib import contextmanager

import httpx

from waiting import PATIENCE, wait_until
from wavefold_server import Limits
from wavefold_server.serving import ServiceServer

# No request is too late because the machine is busy, unless a test sets a limit itself.
PATIENT = dict.fromkeys(("quick_seconds", "job_seconds", "world_seconds"), PATIENCE)


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
