"""Jobs outlive the server, are computed once, and can be cancelled."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import pytest

import waiting
import wavefold as wf
from raw_http import leave_when
from running_server import run_client
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold_server import Limits, ServiceSettings
from wavefold_server.database import Database
from wavefold_server.solves.jobs import SolveQueue
from wavefold_server.solves.run import run_plan
from wavefold_server.solves.store import SolveStore

SOLVES = "/api/v1/solves"
PIPES = {"tileset": "pipes", "topology": {"width": 9, "height": 7}, "seed": 5, "refine": False}
ASYNC = {"Prefer": "respond-async"}


def expect(seed=5):
    tiles = wf.TileSet.load("pipes")
    return wf.generate(tiles, wf.SquareGrid(9, 7), seed=seed, refine=False).patterns.tolist()


def queue(client, **changes):
    """The id of a new job."""
    answer = client.post(SOLVES, json=PIPES | changes, headers=ASYNC)
    assert answer.status_code == 202, answer.text
    assert answer.headers["preference-applied"] == "respond-async"
    return answer.json()["id"]


def wait_until(client, name, *statuses):
    """The answer about a job as soon as it has one of these statuses."""

    def ask():
        answer = client.get(f"{SOLVES}/{name}").json()
        return answer if answer["status"] in statuses else None

    return waiting.wait_until(ask)


def wait_for_requests(client, count):
    """Until so many are being answered, besides the one that asks."""
    waiting.wait_until(lambda: f"wavefold_requests_running {count + 1}.0" in client.get("/metrics").text)


class Doorkeeper:
    """Instead of `run_plan`: solves wait until the door is open, with checkpoints meanwhile."""

    def __init__(self):
        self.open, self.begun = threading.Event(), []

    def __call__(self, plan, metrics, progress=None, diagnostics=()):
        if progress is not None:
            progress.watch(plan.generation)
        self.begun.append(plan.generation.solver.seed)
        while not self.open.wait(0.005):
            checkpoint()
        return run_plan(plan, metrics, progress, diagnostics)

    def wait_for(self, count):
        waiting.wait_until(lambda: len(self.begun) >= count)


@pytest.fixture
def door(monkeypatch):
    keeper = Doorkeeper()
    monkeypatch.setattr("wavefold_server.solves.jobs.run_plan", keeper)
    monkeypatch.setattr("wavefold_server.solves.solves.run_plan", keeper)
    yield keeper
    keeper.open.set()


@contextmanager
def serve(folder, **limits):
    """A client of a server with one thread for jobs, which stops at once."""
    chosen = Limits(**{"grace_seconds": 0.0} | limits)
    with run_client(ServiceSettings(data=folder, workers=2, limits=chosen)) as client:
        yield client


def test_a_client_may_prefer_a_job_and_find_its_map_later(client):
    answer = wait_until(client, queue(client), "solved")
    assert answer["patterns"] == expect()


def test_a_large_map_becomes_a_job(tmp_path):
    with serve(tmp_path, quick_cells=62) as client:
        answer = client.post(SOLVES, json=PIPES)
        assert answer.status_code == 202
        assert answer.headers["location"] == f"{SOLVES}/{answer.json()['id']}"
        assert wait_until(client, answer.json()["id"], "solved")["patterns"] == expect()


@pytest.mark.parametrize("sweeps", [0, 64])
def test_many_sweeps_make_a_map_large(tmp_path, sweeps):
    with serve(tmp_path, quick_cells=63) as client:
        answer = client.post(SOLVES, json=PIPES | {"refine": sweeps})
        assert answer.status_code == (202 if sweeps else 200)


def test_a_client_may_wait_for_a_job(client):
    answer = client.post(SOLVES, json=PIPES, headers={"Prefer": "wait=300"})
    assert answer.status_code == 200
    assert answer.json()["patterns"] == expect()
    assert answer.headers["preference-applied"] == "wait=300"


def test_a_job_that_takes_longer_than_its_client_waits_goes_on(tmp_path, door):
    with serve(tmp_path, quick_seconds=0.1) as client:
        answer = client.post(SOLVES, json=PIPES, headers={"Prefer": "wait=300"})
        assert answer.status_code == 202
        door.open.set()
        assert wait_until(client, answer.json()["id"], "solved")


def test_a_job_without_a_map_has_the_problem_document(client):
    impossible = {"pins": [[0, 0, "cross"], [1, 0, "wall"]]}
    name = queue(client, **impossible)
    answer = wait_until(client, name, "failed")
    waited = client.post(SOLVES, json=PIPES | impossible, headers={"Prefer": "wait=300"})
    assert waited.status_code == answer["error"]["status"] == 409
    document = waited.json()
    assert document.pop("id") != name
    assert document == answer["error"]


def test_a_bad_request_is_refused_before_it_becomes_a_job(client):
    answer = client.post(SOLVES, json=PIPES | {"pins": [[0, 0, "crss"]]}, headers=ASYNC)
    assert answer.status_code == 422
    assert client.get(SOLVES).json()["solves"] == []


# --- the queue --------------------------------------------------------------------------------------


def test_equal_jobs_are_computed_once_and_have_ids_of_their_own(tmp_path, door):
    with serve(tmp_path) as client:
        names = [queue(client) for _ in range(3)]
        door.open.set()
        answers = [wait_until(client, name, "solved") for name in names]
        assert [answer["patterns"] for answer in answers] == [expect()] * 3
        assert len(set(names)) == 3
        assert door.begun == [5]


def test_equal_requests_that_are_waited_for_are_computed_once(tmp_path, door):
    with serve(tmp_path) as client, ThreadPoolExecutor(3) as threads:
        clients = [threads.submit(client.post, SOLVES, json=PIPES) for _ in range(3)]
        door.wait_for(1)
        wait_for_requests(client, 3)
        door.open.set()
        answers = [each.result().json() for each in clients]
    assert len({answer["id"] for answer in answers}) == 3
    assert {tuple(answer["patterns"]) for answer in answers} == {tuple(expect())}
    assert door.begun == [5]


def test_a_full_queue_says_when_to_try_again(tmp_path, door):
    with serve(tmp_path, jobs=2) as client:
        for seed in range(2):
            queue(client, seed=seed)
        answer = client.post(SOLVES, json=PIPES, headers=ASYNC)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        door.open.set()


def test_a_running_job_shows_its_progress(tmp_path, door):
    with serve(tmp_path) as client:
        name = queue(client)
        answer = wait_until(client, name, "running")
        assert answer["progress"] == {"done": 0, "all": 63, "decisions": 0}
        assert client.get(SOLVES).json()["solves"][0]["status"] == "running"
        door.open.set()


# --- cancelling -------------------------------------------------------------------------------------


def test_jobs_that_wait_and_jobs_that_run_can_be_cancelled(tmp_path, door):
    with serve(tmp_path) as client:
        running, waiting = queue(client, seed=1), queue(client, seed=2)
        door.wait_for(1)
        for name in (waiting, running):
            answer = client.post(f"{SOLVES}/{name}/cancel")
            assert (answer.status_code, answer.json()) == (200, {"id": name, "status": "cancelled"})
        door.open.set()
        assert wait_until(client, queue(client, seed=3), "solved")
        assert door.begun == [1, 3]
        assert client.get(f"{SOLVES}/{running}").json()["status"] == "cancelled"


def test_cancelling_one_of_two_equal_jobs_leaves_the_other(tmp_path, door):
    with serve(tmp_path) as client:
        first, second = queue(client), queue(client)
        door.wait_for(1)
        client.post(f"{SOLVES}/{first}/cancel")
        door.open.set()
        assert wait_until(client, second, "solved")["patterns"] == expect()
        assert client.get(f"{SOLVES}/{first}").json()["status"] == "cancelled"


def test_a_finished_map_cannot_be_cancelled(client):
    made = client.post(SOLVES, json=PIPES).json()
    assert client.post(f"{SOLVES}/{made['id']}/cancel").json() == made
    assert client.post(f"{SOLVES}/nothing/cancel").status_code == 404


def test_deleting_a_job_ends_it(tmp_path, door):
    with serve(tmp_path) as client:
        name = queue(client)
        door.wait_for(1)
        assert client.delete(f"{SOLVES}/{name}").status_code == 204
        assert client.get(f"{SOLVES}/{name}").status_code == 404
        metrics = client.get("/metrics").text
        assert 'wavefold_solves_total{outcome="cancelled"} 1.0' in metrics


def test_a_client_that_waited_for_a_job_and_left_cancels_it(tmp_path, door):
    with serve(tmp_path) as client:
        leave_when(lambda: door.begun, client.base_url, SOLVES, PIPES, "Prefer: wait=300\r\n")
        name = client.get(SOLVES).json()["solves"][0]["id"]
        wait_until(client, name, "cancelled")


# --- restarts ---------------------------------------------------------------------------------------


def test_a_restart_in_the_middle_of_a_job_gives_the_same_bytes(tmp_path, door):
    with serve(tmp_path) as client:
        names = [queue(client, seed=seed) for seed in (3, 1, 2)]
        cancelled = queue(client, seed=9)
        client.post(f"{SOLVES}/{cancelled}/cancel")
        door.wait_for(1)
    door.open.set()
    with serve(tmp_path) as client:
        for name, seed in zip(names, (3, 1, 2), strict=True):
            assert wait_until(client, name, "solved")["patterns"] == expect(seed)
        assert client.get(f"{SOLVES}/{cancelled}").json()["status"] == "cancelled"
    assert door.begun == [3, 3, 1, 2]  # the first once more, then in their order


def test_a_running_job_has_a_moment_to_finish_when_the_server_ends(tmp_path, door, monkeypatch):
    stop = SolveQueue.stop

    async def stop_and_open(jobs, seconds):
        door.open.set()
        await stop(jobs, 60 * seconds)

    monkeypatch.setattr(SolveQueue, "stop", stop_and_open)
    with serve(tmp_path, grace_seconds=300.0) as client:
        running, waiting = queue(client, seed=1), queue(client, seed=2)
        door.wait_for(1)
    door.open.clear()
    with serve(tmp_path) as client:
        assert client.get(f"{SOLVES}/{running}").json()["status"] == "solved"
        assert client.get(f"{SOLVES}/{waiting}").json()["status"] != "solved"
        door.open.set()
        assert wait_until(client, waiting, "solved")["patterns"] == expect(2)


def test_a_job_during_which_the_server_dies_again_and_again_is_given_up(tmp_path, door):
    with serve(tmp_path) as client:
        name = queue(client)
        door.wait_for(1)
        client.get("/healthz")
    from wavefold_server.database import Database

    database = Database(tmp_path)
    database.write("UPDATE solves SET status = 'running', attempts = 3")  # as after kill -9
    database.close()
    with serve(tmp_path) as client:
        answer = client.get(f"{SOLVES}/{name}").json()
        assert answer["status"] == "failed"
        assert answer["error"]["error"] == "InternalError"


def test_a_map_that_cannot_be_stored_yet_is_stored_later(tmp_path, monkeypatch):
    from wavefold_server.solves import jobs
    from wavefold_server.solves.store import SolveStore

    finish, failed = SolveStore.finish, threading.Event()

    def fail_once(self, *arguments):
        if not failed.is_set():
            failed.set()
            raise OSError("no space left on device")
        finish(self, *arguments)

    monkeypatch.setattr(SolveStore, "finish", fail_once)
    monkeypatch.setattr(jobs, "RETRY", 0.01)
    with serve(tmp_path) as client:
        assert wait_until(client, queue(client), "solved")["patterns"] == expect()
    assert failed.is_set()


def test_the_time_of_the_server_limits_a_job(tmp_path, door):
    with serve(tmp_path, job_seconds=0.05) as client:
        answer = wait_until(client, queue(client), "failed")
        assert answer["error"].items() >= {"limit": "job_seconds", "status": 422}.items()


def test_an_unexpected_failure_says_nothing_about_the_inside_and_the_next_job_runs(client, monkeypatch):
    from wavefold_server.solves import jobs

    queued = threading.Event()

    def fail(*_):
        queued.wait(300)
        raise RuntimeError("a secret of the server")

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "plan_solve", fail)
        job = queue(client)
        queued.set()
        answer = wait_until(client, job, "failed")
    assert answer["error"]["error"] == "InternalError"
    assert "secret" not in str(answer)
    assert wait_until(client, queue(client), "solved")


def test_an_audit_does_not_wait_for_jobs(tmp_path, door):
    with serve(tmp_path) as client:
        queue(client)
        door.wait_for(1)
        answer = client.post("/api/v1/tilesets/knots/audit", json={"deep": True, "ms": 1})
        assert answer.json()["error"] == "OutOfBudget"


def test_cancelled_jobs_are_dropped_as_others_are(tmp_path, door):
    with serve(tmp_path, stored_solves=2) as client:
        names = [queue(client, seed=seed) for seed in range(5)]
        for name in names:
            assert client.post(f"{SOLVES}/{name}/cancel").json()["status"] == "cancelled"
        assert [each["id"] for each in client.get(SOLVES).json()["solves"]] == names[:2:-1]


def test_stored_jobs_are_counted_again_after_a_failed_write(tmp_path, monkeypatch):
    database = Database(tmp_path)
    store, request = SolveStore(database, 40, 1 << 30), SimpleNamespace(tileset="pipes", seed=0)
    names = [store.add("{}", request) for _ in range(43)]
    for name in names[:40]:
        store.cancel(name)
    with monkeypatch.context() as patch:
        patch.setattr(store, "_count_finished", partial(fail_after, store._count_finished))
        with pytest.raises(OSError, match="disk"):
            store.cancel(names[40])
    for name in names[41:]:
        store.cancel(name)
    ((count,),) = database.read("SELECT count(*) FROM solves WHERE status = 'cancelled'")
    database.close()
    assert count <= 40


def fail_after(work, *values):
    """Do it, then fail."""
    work(*values)
    raise OSError("the disk is full")
