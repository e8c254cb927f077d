"""A real server on a free port of the loopback address, in a thread, with a data folder of its own."""

import pytest

from running_server import run_client
from wavefold_server import ServiceSettings
from wavefold_server.pool import WorkPool


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


@pytest.fixture
def pool_keys(monkeypatch):
    """The keys of all work that clients ask for, in order: work with the same key is done once for all."""
    keys, run_for = [], WorkPool.run_for

    def note_key(self, request, work, key=None, limit=None):
        keys.append(key)
        return run_for(self, request, work, key, limit)

    monkeypatch.setattr(WorkPool, "run_for", note_key)
    return keys
