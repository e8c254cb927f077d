"""A test that hangs ends: all stacks are printed, and the others run."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent

HANGING = """
import re, threading
import pytest

def wait_in_a_thread():
    threading.Event().wait()

@pytest.fixture
def stuck():
    yield
    threading.Event().wait()

def test_that_waits_for_another_thread():
    thread = threading.Thread(target=wait_in_a_thread, daemon=True)
    thread.start()
    thread.join()

def test_that_lets_no_other_thread_run():
    re.match("(a+)+$", "a" * 60 + "b")

def test_that_fails_and_cannot_clean_up(stuck):
    assert not "a failure"

def test_that_passes():
    pass
"""

LEAVING = """
import threading

def keep_waiting():
    threading.Event().wait()

def test_that_leaves_a_thread():
    threading.Thread(target=keep_waiting).start()
"""


def run_tests(folder, code, *options):
    """What pytest prints about these tests, run as those of this suite, but for less time."""
    (folder / "test_it.py").write_text(code)
    command = [sys.executable, "-m", "pytest", "-c", TESTS.parent / "pyproject.toml", "-p", "time_limits"]
    command += ["-o", "faulthandler_timeout=1", "-o", "addopts=", "-p", "no:cacheprovider"]
    command += ["-p", "xdist.plugin", *options, "test_it.py"]
    environment = os.environ | {"PYTHONPATH": str(TESTS), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stdout + done.stderr


def test_a_worker_that_hangs_is_ended_and_reported_and_the_others_run(tmp_path):
    printed = run_tests(tmp_path, HANGING, "-n", "1")
    for name in ("waits_for_another_thread", "lets_no_other_thread_run", "fails_and_cannot_clean_up"):
        assert f"::test_that_{name}'" in printed
    assert printed.count("node down: Not properly terminated") == 3
    assert printed.count("Timeout (0:00:01)!") >= 3  # under load, also while a process ends
    for name in ("wait_in_a_thread", "test_that_lets_no_other_thread_run", "stuck"):
        assert f"in {name}" in printed
    assert "1 passed" in printed


def test_a_thread_that_never_ends_does_not_keep_the_suite_from_ending(tmp_path):
    printed = run_tests(tmp_path, LEAVING, "-n", "0")
    assert "1 passed" in printed
    assert "in keep_waiting" in printed
