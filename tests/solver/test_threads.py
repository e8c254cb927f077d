"""One thread at a time; cancelling may come from any."""

import threading

import pytest

import wavefold as wf
from support import CASTLE, PIPES, pigeons
from wavefold.kernels.units import COMPILED
from wavefold.solver.engine.engine import Engine
from wavefold.solver.solver import ThreadGuard


class Worker(threading.Thread):
    """Runs a solver and keeps what came of it."""

    def __init__(self, solver):
        super().__init__(daemon=True)
        self.solver = solver
        self.error = self.solution = None

    def run(self):
        try:
            self.solution = self.solver.run()
        except BaseException as error:
            self.error = error


def held_up(problem, **options):
    """A solver whose first choice of a tile waits for us; with the two events of that."""
    inside, go_on = threading.Event(), threading.Event()

    def choice(cell, pattern, weight):
        inside.set()
        go_on.wait(300)
        return weight

    return wf.Solver(problem, 0, "entropy", choice=choice, **options), inside, go_on


def test_a_run_in_another_thread_can_be_cancelled_and_goes_on_later():
    solver, inside, go_on = held_up(wf.Problem(CASTLE, wf.SquareGrid(6, 6)))
    worker = Worker(solver)
    worker.start()
    assert inside.wait(300)
    solver.cancel()
    go_on.set()
    worker.join(300)
    assert isinstance(worker.error, wf.OutOfBudget)
    assert "cancelled" in str(worker.error)
    assert worker.error.stats.decisions <= 1
    unhindered = wf.Solver(solver.problem, 0, "entropy", choice=lambda cell, pattern, weight: weight)
    assert solver.run().patterns.tolist() == unhindered.run().patterns.tolist()


def test_a_search_that_would_take_for_ever_can_be_cancelled():
    solver = wf.Solver(pigeons(14), search="backtrack")
    worker = Worker(solver)
    worker.start()
    while solver.stats.decisions < (1000 if COMPILED else 20):
        assert worker.is_alive()
    solver.cancel()
    worker.join(300)
    assert not worker.is_alive()
    assert "cancelled" in str(worker.error)


@pytest.mark.parametrize("action", ["run", "step", "undo", "pin", "ban"])
def test_a_second_thread_is_refused_with_advice(action):
    solver, inside, go_on = held_up(wf.Problem(PIPES, wf.SquareGrid(4, 4)))
    worker = Worker(solver)
    worker.start()
    assert inside.wait(300)
    arguments = ((0, 0), " ") if action in ("pin", "ban") else ()
    with pytest.raises(wf.WavefoldError, match="already running, in another thread"):
        getattr(solver, action)(*arguments)
    go_on.set()
    worker.join(300)
    assert wf.check(solver.problem, worker.solution) == []


def test_stepping_goes_on_after_a_cancellation():
    solver = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 4)), 0, "entropy")
    solver.cancel()
    for _ in range(40):
        try:
            solver.step()
        except wf.OutOfBudget:
            continue
    assert solver.status == "solved"


def test_a_claim_begins_without_a_cancellation_that_came_too_late():
    guard = ThreadGuard()
    assert not guard.cancel()
    with guard:
        assert guard.cancel()
        assert guard.is_cancelled
    guard.is_cancelled = True  # as by a thread that was slow to look
    with guard:
        assert not guard.is_cancelled


def test_a_thread_that_reads_counts_waits_for_the_set_up_of_another(monkeypatch):
    solver, engines, inside = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 4)), 0), [], threading.Event()

    def make_slowly(*arguments, **options):
        engines.append(Engine(*arguments, **options))
        inside.set()
        reader.join(0.1)  # it is waiting for us
        return engines[-1]

    reader = threading.Thread(target=lambda: inside.wait(300) and solver.stats, daemon=True)
    monkeypatch.setattr("wavefold.solver.solver.Engine", make_slowly)
    reader.start()
    solver.run()
    reader.join(300)
    assert len(engines) == 1


def test_solvers_of_one_problem_may_work_in_several_threads():
    problem = wf.Problem(CASTLE, wf.SquareGrid(8, 8))
    workers = [Worker(wf.Solver(problem, seed, "entropy")) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
    for seed, worker in enumerate(workers):
        alone = wf.Solver(problem, seed, "entropy").run()
        assert worker.solution.patterns.tolist() == alone.patterns.tolist()
