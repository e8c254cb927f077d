"""Work that several threads share."""

import os
import subprocess
import sys
import threading
from itertools import chain

import pytest

import wavefold as wf
from wavefold.kernels.host.checkpoint import Stopped, checking
from wavefold.kernels.host.threads import MOST_THREADS, count_threads, run_in_threads, single_thread


def run_all(pieces, threads):
    """The pieces that were done, by worker."""
    numbers, done = iter(range(pieces)), [[] for _ in range(threads)]

    def step(worker):
        number = next(numbers, None)
        if number is None:
            return False
        done[worker].append(number)
        return True

    run_in_threads(step, threads)
    return done


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_piece_is_done_once(threads):
    done = run_all(500, threads)
    assert sorted(chain.from_iterable(done)) == list(range(500))


def test_several_threads_work_at_once():
    meeting = threading.Barrier(3, timeout=300)
    left = iter(range(3))

    def step(_worker):
        if next(left, None) is None:
            return False
        meeting.wait()
        return True

    run_in_threads(step, 3)


def test_an_error_of_any_thread_reaches_the_caller():
    begun = threading.Event()

    def step(worker):
        if worker:
            begun.set()
            raise ZeroDivisionError
        return not begun.wait(300)

    with pytest.raises(ZeroDivisionError):
        run_in_threads(step, 2)


def test_a_checkpoint_ends_all_threads():
    steps = []

    def step(worker):
        steps.append(worker)
        return True

    def check():
        if len(steps) > 10:
            raise Stopped("enough")

    with checking(check), pytest.raises(Stopped):
        run_in_threads(step, 3)
    ended = len(steps)
    assert run_all(5, 2)
    assert len(steps) == ended


def test_the_number_of_threads_can_be_set(monkeypatch):
    monkeypatch.setenv("WAVEFOLD_THREADS", "3")
    assert count_threads() == 3
    with single_thread():
        assert count_threads() == 1
    assert count_threads() == 3
    monkeypatch.setenv("WAVEFOLD_THREADS", " ")
    assert 1 <= count_threads() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5", str(MOST_THREADS + 1), "9" * 5000])
def test_a_number_of_threads_that_makes_no_sense_is_refused(text, monkeypatch):
    monkeypatch.setenv("WAVEFOLD_THREADS", text)
    with pytest.raises(
        wf.ConfigError, match=f"WAVEFOLD_THREADS must be a number from 1 to 256, not '{text}'"
    ):
        count_threads()


FORK = """
import os
from wavefold.kernels.host.threads import run_in_threads
def run():
    numbers, done = iter(range(100)), []
    def step(worker):
        number = next(numbers, None)
        done.append(number)
        return number is not None
    run_in_threads(step, 2)
    return sum(1 for each in done if each is not None)
assert run() == 100
child = os.fork()
if child == 0:
    os._exit(0 if run() == 100 else 1)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_has_threads_of_its_own():
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=300)


LATE = """
import threading, time
from wavefold.kernels.host.threads import run_in_threads
def run():
    numbers = iter(range(100))
    run_in_threads(lambda worker: next(numbers, None) is not None, 3)
    return next(numbers, None)
if WARM:
    run()
def late():
    threading.main_thread().join()
    time.sleep(0.1)
    assert run() is None
    print("done", flush=True)
threading.Thread(target=late).start()
"""


@pytest.mark.parametrize("warm", [True, False])
def test_work_goes_on_alone_while_python_ends(warm):
    done = subprocess.run(
        [sys.executable, "-c", LATE.replace("WARM", str(warm))], check=True, timeout=300, capture_output=True
    )
    assert (done.stdout.strip(), done.stderr) == (b"done", b"")


def test_a_wrong_number_of_threads_is_an_error_before_the_search(monkeypatch):
    monkeypatch.setenv("WAVEFOLD_THREADS", "nonsense")
    tiles = wf.TileSet.load("pipes")
    with pytest.raises(wf.ConfigError, match="WAVEFOLD_THREADS"):
        wf.generate(tiles, wf.SquareGrid(4, 4))
    with pytest.raises(wf.ConfigError, match="WAVEFOLD_THREADS"):
        wf.World(tiles, refine=4).chunk(0, 0)


def test_a_server_with_a_wrong_number_of_threads_does_not_start(tmp_path):
    command = [sys.executable, "-m", "wavefold", "serve", "--port", "0", "--data", str(tmp_path)]
    environment = os.environ | {"WAVEFOLD_THREADS": "nonsense"}
    done = subprocess.run(command, check=False, timeout=300, capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert "WAVEFOLD_THREADS must be a number" in done.stderr
    assert "Traceback" not in done.stderr
