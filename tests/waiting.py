"""Waiting in a browser for what no selector can tell."""

from time import monotonic


def wait_until(page, check, problem):
    """Until it holds, which may take 20 seconds."""
    deadline = monotonic() + 20
    while not check():
        assert monotonic() < deadline, problem
        page.wait_for_timeout(50)
