"""Twenty large bodies at once, for every operation: others are answered soon, memory is bounded.

The server has as many threads as one on a large machine: they share one interpreter.
"""

import io
import json
import signal
import subprocess
import sys
import threading
from base64 import b64encode
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from time import sleep
from urllib.parse import urlsplit

import pytest
from PIL import Image

from running_server import read_document
from serving_process import serve
from wavefold_server import Limits
from wavefold_server.database import Database
from wavefold_server.gate import SESSION, UPLOADS
from wavefold_server.keys import ApiKeys
from wavefold_server.openapi import operations

pytestmark = pytest.mark.slow
AT_ONCE, THREADS = 20, 16
LONGEST = 0.5  # seconds to answer /healthz
MOST_MEMORY = 1 << 30
BODIES = [
    (path, method.upper())
    for path, method, operation in operations(read_document())
    if "requestBody" in operation
]
FIELDS = ("document", "tables", "pins", "sample", "steps", "grids", "cells", "pictures", "constraints")
PIECES = ("[]", "{}", '{"":0}', '""', "[1,2]", "12345")
HEADERS = {"Content-Type": "application/json"}
# In a process of its own: the threads that send must not delay it.
WATCH = """
import signal, sys, time, http.client
connection, longest = http.client.HTTPConnection(sys.argv[1], timeout=60), 0.0
def stop(*_):
    print(longest)
    sys.exit()
signal.signal(signal.SIGTERM, stop)
print("begun", flush=True)
while True:
    began = time.perf_counter()
    connection.request("GET", "/healthz")
    assert connection.getresponse().read()
    longest = max(longest, time.perf_counter() - began)
    time.sleep(0.01)
"""


def fill(piece, size, most):
    """Text of a list, with this many bytes and values at most."""
    values = 1 + sum(map(piece.count, ",[{"))
    return "[" + ",".join([piece] * min(size // (len(piece) + 1), most // values)) + "]"


def hostile_bodies(path):
    """Bodies that cost much: beyond the limits, and just within them."""
    limits, is_upload = Limits(), path in UPLOADS
    size = (limits.upload_bytes if is_upload else limits.body_bytes) - 1_000
    most = (limits.upload_values if is_upload else limits.body_values) - 100
    yield fill("[]", size, size)
    for field in FIELDS:
        for piece in PIECES if field in ("document", "tables", "pins") else PIECES[:1]:
            yield f'{{"tileset":"pipes","{field}":{fill(piece, size, most)}}}'
    yield f'{{"tables":{{"tiles":{fill("{}", size, most)}}}}}'
    yield f'{{"document":{{"version":1,"view":"map","commands":{fill("[]", size, most)}}}}}'
    unknown = (f'"{number}":0' for number in range(min(size // 12, most)))
    yield f"{{{','.join(unknown)}}}"
    yield '{"tileset":"' + "\\n" * (size // 2 - 100) + '"}'
    yield "[" * size


def draw_large():
    """A small file with many pixels."""
    with io.BytesIO() as file:
        Image.new("RGB", (4_096, 4_096)).save(file, "PNG")
        return file.getvalue()


def costly_files():
    """Small files that take much memory or time: {name: (media type, content)}."""
    keys = "".join(f"a.k{number} = 1\n" for number in range(250_000))
    return {
        "picture": ("image/png", draw_large()),
        "lists": ("application/toml", f"a = {fill('{}', 4_190_000, 4_190_000)}".encode()),
        "keys": ("application/toml", keys.encode()),
    }


def costly_drafts():
    """Drafts that are valid and large: {path: body}."""
    tiles = [{"name": f"t{number}", "sockets": [f"s{number} {side}" for side in range(4)]}
             for number in range(4_000)]  # fmt: skip
    tables = {"format": 1, "tiles": tiles}
    pictures = {"a.png": b64encode(draw_large()).decode()}
    return {
        "/api/v1/drafts": {"tables": tables, "width": 30, "height": 30},
        "/api/v1/drafts/rules": {"tables": tables},
        "/api/v1/drafts/tileset": {"tables": tables},
        "/api/v1/drafts/pictures": {"topology": "square", "pictures": pictures, "width": 16, "height": 16},
    }


def post(address, path, method, body, statuses=None, headers=HEADERS):
    """Send a request, and note the status of its answer; 0 if there is none."""
    connection, status = HTTPConnection(urlsplit(address).netloc, timeout=120), 0
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        status = answer.status
    except OSError:
        pass
    finally:
        connection.close()
    if statuses is not None:
        statuses.add(status)


@contextmanager
def sending(send):
    """Call this in as many threads as bodies are sent at once, until the end of the block and theirs."""
    threads = [threading.Thread(target=send) for _ in range(AT_ONCE)]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        for each in threads:
            each.join()


def measure_health(address, work):
    """How long /healthz takes at most while something is done, in seconds."""
    command = [sys.executable, "-c", WATCH, urlsplit(address).netloc]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        assert watch.stdout.readline() == "begun\n"
        try:
            work()
        finally:
            watch.terminate()
        return float(watch.stdout.readline())


def load(address, path, method, statuses):
    """Send each hostile body twenty times at once."""
    for body in hostile_bodies(path):
        with sending(partial(post, address, path, method, body.encode(), statuses)):
            pass


def read_peak(process):
    """The most memory that a process has used, in bytes."""
    return int(Path(f"/proc/{process.pid}/status").read_text().partition("VmHWM:")[2].split()[0]) << 10


def check_costly(folder, path, body, kind):
    """Send a body that is within all limits twenty times at once."""
    with serve(folder, "--workers", str(THREADS)) as (process, address):

        def work():
            with sending(partial(post, address, path, "POST", body, headers={"Content-Type": kind})):
                pass

        longest, peak = measure_health(address, work), read_peak(process)
        print(f"{path}, {kind}: /healthz {longest:.3f} s, memory {peak / (1 << 20):.0f} MiB")
        assert peak < MOST_MEMORY
        assert longest < LONGEST


def check_load(folder, path, method, allowed):
    statuses = set()
    with serve(folder, "--workers", str(THREADS)) as (process, address):
        path = path.replace("{id}", "pipes" if "tilesets" in path else "unknown")
        longest = measure_health(address, partial(load, address, path, method, statuses))
        peak = read_peak(process)
        print(f"{method} {path}: /healthz {longest:.3f} s, memory {peak / (1 << 20):.0f} MiB, {statuses}")
        assert statuses <= allowed
        assert peak < MOST_MEMORY
        assert longest < LONGEST
        body = list(hostile_bodies(path))[1].encode()
        with sending(partial(post, address, path, method, body)):
            sleep(0.3)
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize(("path", "method"), BODIES)
def test_others_are_answered_while_large_bodies_arrive(tmp_path, path, method):
    check_load(tmp_path, path, method, {200, 201, 400, 404, 409, 413, 422, 503})


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("path", [SESSION, "/api/v1/solves"])
def test_callers_without_a_key_cannot_send_much(tmp_path, path):
    database = Database(tmp_path)
    ApiKeys(database).create("one", "write")
    database.close()
    check_load(tmp_path, path, "POST", {0, 401, 413})


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("name", ["picture", "lists", "keys"])
def test_others_are_answered_while_costly_files_are_read(tmp_path, name):
    kind, body = costly_files()[name]
    check_costly(tmp_path, "/api/v1/tilesets", body, kind)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "path", [f"/api/v1/drafts{each}" for each in ("", "/rules", "/tileset", "/pictures")]
)
def test_others_are_answered_while_costly_drafts_are_compiled(tmp_path, path):
    check_costly(tmp_path, path, json.dumps(costly_drafts()[path]).encode(), HEADERS["Content-Type"])
