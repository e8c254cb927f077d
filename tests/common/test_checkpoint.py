"""Checkpoints: checks run in the thread and inside the block that set them, and nowhere else."""

import threading
from contextlib import suppress

import pytest

import wavefold as wf
from support import CASTLE, HEX_RIVERS, compiled_only
from wavefold.common import checkpoint as module
from wavefold.common.checkpoint import (
    Cancelled,
    CancelToken,
    Stopped,
    TimeUp,
    checking,
    checkpoint,
    finish_steps,
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


def make_world():
    return wf.World(CASTLE, chunk=16, radius=4)


def make_patchwork():
    return wf.Patchwork(HEX_RIVERS, radius=3)


def generate_chunk(world):
    return world.chunk(0, 0).tolist()


def edit_chunk(world):
    world.chunk(0, 0)
    if not world.edits:
        world.edit({(5, 5): CASTLE.tiles[0].name})
    return world.chunk(0, 0).tolist()


def populate_two(patchwork):
    for key in ((0, 0), (1, 0)):
        if key not in patchwork.grids:
            patchwork.populate(key)
    return sorted(patchwork.patterns.items())


@compiled_only
@pytest.mark.parametrize(
    ("make", "work"),
    [(make_world, generate_chunk), (make_world, edit_chunk), (make_patchwork, populate_two)],
)
def test_what_was_stopped_anywhere_can_be_done_again_by_the_same_object(make, work, monkeypatch):
    monkeypatch.setattr("wavefold.kernels.constants.WORK_SLICE", 40)
    passed = []
    with checking(lambda: passed.append(None)):
        whole = work(make())
    assert len(passed) > 100
    for stop_at in range(1, len(passed), len(passed) // 6):
        left, thing = [None] * stop_at, make()

        def stop(left=left):
            if left:
                left.pop()
            else:
                fail()

        with suppress(Stopped), checking(stop):
            work(thing)
        assert work(thing) == whole


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
