"""A client of a server with a data folder of its own."""

import pytest

from running_server import run_server
from waiting import PATIENCE
from wavefold.client import Client
from wavefold_server import Limits, ServiceSettings

LIMITS = Limits(quick_cells=1_000)  # larger maps are jobs


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of one server for a whole module."""
    settings = ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=2, limits=LIMITS)
    with run_server(settings) as address:
        yield address


@pytest.fixture(scope="module")
def client(address):
    """A client of that server."""
    with Client(address, timeout=PATIENCE) as client:
        yield client
