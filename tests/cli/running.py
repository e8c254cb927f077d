"""The command as people run it: a process, its output, its exit code."""

import sys

COMMAND = [sys.executable, "-c", "from wavefold.cli import main; main()"]


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
