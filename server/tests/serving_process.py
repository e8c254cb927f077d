"""`wavefold serve` in a process of its own, for tests that end it."""

import json
import subprocess
import sys
from contextlib import contextmanager

from running_server import PATIENT


@contextmanager
def serve(folder, *options):
    """A process that serves, and its address."""
    command = [sys.executable, "-m", "wavefold", "serve", "--data", str(folder), "--port", "0"]
    command += [part for name, value in PATIENT.items() for part in ("--limit", f"{name}={value}")]
    command += options
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
