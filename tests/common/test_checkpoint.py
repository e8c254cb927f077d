"""Checkpoints: checks run in the thread and inside the block that set them, and nowhere else."""

import threading

import pytest

from wavefold.common.checkpoint import Stopped, checking, checkpoint


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
