"""`wavefold serve` in a process of its own, for tests that end it."""

import json
import subprocess
import sys
from contextlib import contextmanager
from time import monotonic, sleep


@contextmanager
def serve(folder, *options):
    """A process that serves, and its address."""
    command = [sys.executable, "-m", "wavefold", "serve", "--data", str(folder), "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        first = process.stderr.readline()
        while '"serving"' not in first:
            assert first, "the server did not start"
            first = process.stderr.readline()
        yield process, json.loads(first)["address"]
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def wait_until(condition, seconds=30):
    """Ask again and again; fails if it takes too long."""
    deadline = monotonic() + seconds
    while not condition():
        assert monotonic() < deadline
        sleep(0.02)
