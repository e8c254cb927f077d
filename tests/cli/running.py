"""Running the command: in this process, which is quick, or in one of its own, as people do."""

import contextlib
import io
import os
import subprocess
import sys
from unittest import mock

COMMAND = [sys.executable, "-m", "wavefold"]
WIDTH = "100"


class Screen(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def run_here(arguments, folder, environment, err=io.TextIOWrapper):
    """Run the command in this process, as if it were one of its own that was started in `folder`."""
    from wavefold.cli.app import run

    arguments = [str(argument) for argument in arguments]
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    streams = [stream(io.BytesIO(), encoding, write_through=True) for stream in (io.TextIOWrapper, err)]
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, {"COLUMNS": WIDTH, **environment}),
        contextlib.redirect_stdout(streams[0]),
        contextlib.redirect_stderr(streams[1]),
    ):
        try:
            code = run(arguments)
        except SystemExit as end:
            code = end.code
    stdout, stderr = (stream.buffer.getvalue().decode() for stream in streams)
    return subprocess.CompletedProcess(arguments, code, stdout, stderr)


def run_apart(arguments, folder, environment=()):
    """Run the command in a process of its own."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "COLUMNS": WIDTH, "PYTHONIOENCODING": "utf-8", **dict(environment)},
    )


def run_python(code, folder=None, *arguments):
    """Run a few lines of Python in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def complaint(done, code=2):
    """The one sentence on stderr of a command that failed."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("wavefold: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def done_well(done):
    """What a command printed that did what it should."""
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout
