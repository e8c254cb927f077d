"""Hooks of pytest: nothing hangs, neither a test that has failed nor a thread that it leaves behind."""

import faulthandler
import sys

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key


def limit_time(config, file):
    """If this process has not gone on in time, print all stacks and end it."""
    if seconds := float(config.getini("faulthandler_timeout")):
        faulthandler.dump_traceback_later(seconds, exit=True, file=file)


# pytest itself limits the time of a test, but not after it has failed.
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item):
    limit_time(item.config, item.config.stash[fault_handler_stderr_fd_key])


def pytest_unconfigure(config):
    limit_time(config, sys.__stderr__)
