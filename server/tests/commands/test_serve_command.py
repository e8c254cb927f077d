"""`wavefold serve` and `wavefold keys`: refusals in one line, and keys that are shown once."""

import json
import socket

import pytest
from running import complaint, done_well

from wavefold_server import ServiceSettings
from wavefold_server.database import Database, FolderLock


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--limit", "cell=5"], "--limit: unknown key 'cell' in [service.limits]; did you mean 'cells'?"),
        (["--limit", "cells"], "cells=1000000"),
        (["--limit", "cells=many"], "--limit: cells must be a whole number, not 'many'"),
        (["--allow-host", "http://a"], "--allow-host: 'http://a' is not a host name"),
        (["--allow-origin", "a"], "--allow-origin: 'a' is not an origin"),
        (["--log-format", "jsn"], "did you mean 'json'"),
        (["--host", "0.0.0.0"], "wavefold keys create"),
        (["--host", "0.0.0.0", "--allow-host", "*"], "wavefold keys create"),
        (["--allow-origin", "*"], "every web site"),
        (["--port", "70000"], "--help"),
        (["--data", "file"], "cannot use the data folder 'file'"),
        (["--data", "/proc/here"], "cannot use the data folder '/proc/here'"),
    ],
)
def test_what_cannot_be_served_is_one_line(wavefold, tmp_path, options, words):
    (tmp_path / "file").write_text("")
    port = [] if "--port" in options else ["--port", "0"]
    assert words in complaint(wavefold("serve", *port, *options))


def test_a_port_in_use_and_a_folder_in_use(wavefold, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} of 127.0.0.1 is in use" in complaint(wavefold("serve", "--port", port))
    database = Database(tmp_path / "data")
    lock = FolderLock(tmp_path / "data")
    try:
        refused = complaint(wavefold("serve", "--port", "0", "--data", "data"))
        assert "another wavefold server is using the data folder 'data'" in refused
    finally:
        lock.close()
        database.close()


def test_the_configuration_and_the_environment_are_used(tmp_path, monkeypatch):
    from wavefold.config import load_config

    (tmp_path / "wavefold.toml").write_text(
        '[service]\ndata = "store"\nallow_hosts = ["Maps.example."]\n'
        "[service.limits]\ncells = 7\npixels = 9\n"
    )
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    variables = {"WAVEFOLD_SERVICE_PORT": "9000", "WAVEFOLD_SERVICE_LIMITS": "{ pixels = 10 }"}
    effective = load_config(tmp_path / "wavefold.toml", variables, {"service.limits": {"queue": 3}})
    settings = ServiceSettings.from_config(effective)
    assert (settings.data, settings.port) == (tmp_path / "store", 9000)
    assert "maps.example" in settings.hosts
    limits = settings.limits
    assert (limits.cells, limits.pixels, limits.queue, limits.patterns) == (7, 10, 3, 4096)


# --- keys -----------------------------------------------------------------------------------------


def test_keys_are_made_listed_and_revoked(wavefold):
    made = wavefold("keys", "create", "game", "--scope", "write")
    key = done_well(made).strip()
    assert key.startswith("wf_")
    assert key not in made.stderr
    assert "not shown again" in made.stderr
    (listed,) = json.loads(done_well(wavefold("keys", "list", "--json")))
    assert (listed["name"], listed["scope"]) == ("game", "write")
    assert "game" in done_well(wavefold("keys", "list"))
    assert "last key" in wavefold("keys", "revoke", "game").stderr
    assert "no keys" in wavefold("keys", "list").stderr
    assert "no key called 'game'" in complaint(wavefold("keys", "revoke", "game"))


def test_keys_of_no_server_are_refused(wavefold):
    assert "not a data folder" in complaint(wavefold("keys", "list", "--data", "nowhere"))
    assert "scope" in complaint(wavefold("keys", "create", "a", "--scope", "admin"))


def test_a_folder_with_other_tables_is_refused(wavefold, tmp_path):
    database = Database(tmp_path / "data")
    database.create("CREATE TABLE solves (other TEXT);")
    database.close()
    refused = complaint(wavefold("serve", "--port", "0", "--data", "data"))
    assert "damaged, or was written by another version" in refused
