"""Checkpoints: checks run in the thread and inside the block that set them, and nowhere else."""

import threading

import pytest

from wavefold.kernels.host import checkpoint as module
from wavefold.kernels.host.checkpoint import (
    Cancelled,
    CancelToken,
    LimitReached,
    Stopped,
    TimeUp,
    checking,
    checkpoint,
    each_checked,
    finish_steps,
    holding,
    limiting,
    slices,
)


def fail():
    raise Stopped("enough")


def test_without_checks_a_checkpoint_does_nothing():
    assert checkpoint() is None


def test_checks_run_from_the_outermost_in_and_end_with_their_block():
    called = []
    with checking(lambda: called.append("outer")):
        with checking(lambda: called.append("inner")):
            checkpoint()
        checkpoint()
    checkpoint()
    assert called == ["outer", "inner", "outer"]


def test_a_check_that_stops_the_work_is_gone_afterwards():
    with pytest.raises(Stopped, match="enough"), checking(fail):
        checkpoint()
    checkpoint()


def test_other_threads_are_not_checked():
    with checking(fail):
        errors = []

        def work():
            try:
                checkpoint()
            except Stopped as error:
                errors.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert errors == []


class Outer(Stopped):
    pass


def raise_outer():
    raise Outer("from outside")


def test_a_limit_of_the_call_differs_from_one_that_a_caller_set():
    with pytest.raises(LimitReached, match="enough"), limiting(fail):
        checkpoint()
    with pytest.raises(Outer), checking(raise_outer), limiting(fail):
        checkpoint()


def test_a_limit_is_that_of_the_call_whose_check_ended_the_work():
    def inner():
        with limiting(lambda: None):
            checkpoint()

    def outer():
        with limiting(fail):
            try:
                inner()
            except LimitReached:
                raise AssertionError("not the limit of the inner call") from None

    with pytest.raises(LimitReached, match="enough"):
        outer()


def test_waiting_for_a_lock_can_be_stopped_and_ends_with_the_lock():
    lock, is_held, release = threading.RLock(), threading.Event(), threading.Event()

    def hold():
        with holding(lock):
            is_held.set()
            release.wait(300)

    thread = threading.Thread(target=hold)
    thread.start()
    is_held.wait(300)
    with pytest.raises(Stopped), checking(fail), holding(lock):
        raise AssertionError("it is held by another thread")
    with checking(release.set), holding(lock):
        assert release.is_set()
    thread.join(300)


def test_slices_cover_everything_with_a_checkpoint_before_each():
    passed = []
    with checking(lambda: passed.append(None)):
        found = [list(range(10))[part] for part in slices(10, 4)]
        items = list(each_checked("abcdefghij", 4))
    assert found == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert "".join(items) == "abcdefghij"
    assert len(passed) == 6


def count_up(log):
    for number in range(3):
        log.append(number)
        yield
    return "done"


def test_steps_go_on_where_a_checkpoint_ended_them():
    log = []
    for _ in range(2):
        with checking(fail), pytest.raises(Stopped):
            finish_steps("counting", lambda: count_up(log))
    assert log == [0, 1]
    assert finish_steps("counting", lambda: count_up(log)) == "done"
    assert log == [0, 1, 2]
    assert finish_steps("counting", lambda: count_up(log)) == "done"
    assert log == [0, 1, 2, 0, 1, 2]


def test_steps_start_over_where_a_step_failed():
    log, errors = [], [KeyboardInterrupt, Stopped]

    def fail_twice():
        log.append("begun")
        yield
        if errors:
            raise errors.pop()
        return "done"

    for error in (Stopped, KeyboardInterrupt):
        with pytest.raises(error):
            finish_steps("failing", fail_twice)
    assert finish_steps("failing", fail_twice) == "done"
    assert log == ["begun"] * 3


def test_only_the_latest_works_that_were_ended_are_kept(monkeypatch):
    monkeypatch.setattr(module, "_unfinished", {})
    for number in range(module.MOST_UNFINISHED + 2):
        with checking(fail), pytest.raises(Stopped):
            finish_steps(number, lambda: count_up([]))
    assert list(module._unfinished) == list(range(2, module.MOST_UNFINISHED + 2))


def test_a_token_ends_work_that_is_cancelled_or_takes_too_long():
    token = CancelToken()
    with checking(token.check):
        checkpoint()
        token.start(seconds=-1)
        with pytest.raises(TimeUp):
            checkpoint()
        token.cancel()
        with pytest.raises(Cancelled):
            checkpoint()
