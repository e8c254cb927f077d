"""Waiting for conditions: as long as it takes on a busy machine, unless something hangs."""

from time import monotonic, sleep

PATIENCE = 300  # seconds


def wait_until(condition, problem="this takes too long", pause=0.01, wait=sleep):
    """Ask again and again until the condition holds, which is returned; `wait` takes the pause between."""
    deadline = monotonic() + PATIENCE
    while not (found := condition()):
        assert monotonic() < deadline, problem
        wait(pause)
    return found


def wait_in_browser(page, condition, problem):
    """Until it holds in a page, which goes on meanwhile: for what no selector can tell."""
    wait_until(condition, problem, 50, page.wait_for_timeout)
