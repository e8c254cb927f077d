"""Diagnostics receive what happens, and one that fails disturbs neither the map nor the others."""

import warnings

import numpy as np
import pytest

import wavefold as wf
from support import PIPES, install
from wavefold.reports.diagnostics import DiagnosticGroup, open_diagnostics
from wavefold.solver.engine.events import KIND, RESTARTED

GRID = wf.SquareGrid(6, 5)


class Notes(wf.Diagnostic):
    """Remembers all calls."""

    def __init__(self, target=""):
        super().__init__(target)
        self.calls, self.batches = [], []

    def start(self, solver):
        self.calls.append(("start", solver.seed))

    def receive(self, batch):
        self.batches.append(batch)

    def receive_sweep(self, batch):
        self.calls.append("sweep")

    def finish(self, result):
        self.calls.append(("finish", type(result).__name__))

    def close(self):
        self.calls.append("close")


class Fails(Notes):
    """Raises in one method."""

    def __getattribute__(self, name):
        if name == object.__getattribute__(self, "target"):
            raise ValueError("oh")
        return super().__getattribute__(name)


def test_a_diagnostic_receives_the_batches_that_listeners_receive():
    notes, heard = Notes(), []
    wf.generate(PIPES, GRID, 3, diagnostics=[notes], refine=False)
    solver = wf.Solver(wf.Problem(PIPES, GRID), 3)
    solver.listen(heard.append, batches=True)
    solver.run()
    assert notes.calls == [("start", 3), ("finish", "Solution")]  # whoever made it closes it
    assert np.array_equal(np.concatenate(notes.batches), np.concatenate(heard))


def test_sweeps_of_refining_are_received():
    notes = Notes()
    wf.generate(PIPES, GRID, 3, diagnostics=[notes], refine=2)
    assert notes.calls == [("start", 3), "sweep", "sweep", ("finish", "Solution")]


def test_errors_are_received_and_raised():
    notes = Notes()
    with pytest.raises(wf.OutOfBudget):
        wf.generate(PIPES, GRID, 3, budget=2, diagnostics=[notes])
    with pytest.raises(wf.Contradiction):
        wf.generate(wf.TileSet([wf.Tile("a", "xyzw")]), GRID, diagnostics=[notes])
    assert notes.calls[1::2] == [("finish", "OutOfBudget"), ("finish", "Contradiction")]


@pytest.mark.parametrize("method", ["start", "receive", "receive_sweep", "finish"])
def test_a_diagnostic_that_raises_is_left_out_and_the_map_is_made(method):
    fails, notes = Fails(method), Notes()
    with pytest.warns(
        wf.PluginWarning, match="the diagnostic Fails failed: ValueError: oh; it is left out"
    ) as said:
        watched = wf.generate(PIPES, GRID, 3, diagnostics=[fails, notes], refine=1)
    assert len(said) == 1
    assert notes.calls == [("start", 3), "sweep", ("finish", "Solution")]
    assert watched.patterns.tolist() == wf.generate(PIPES, GRID, 3, refine=1).patterns.tolist()


def test_by_name_a_diagnostic_is_made_from_its_target_and_closed(site):
    code = """
        import wavefold as wf

        class Counter(wf.Diagnostic):
            \"""Counts decisions.\"""
            made = []

            def __init__(self, target=""):
                super().__init__(target)
                self.closed = False
                self.made.append(self)

            def close(self):
                self.closed = True
    """
    install(site, "counters", {"diagnostic": {"counter": "Counter"}}, code)
    import counters

    wf.generate(PIPES, GRID, diagnostics=["counter", "counter=a=b"])
    assert [(each.target, each.closed) for each in counters.Counter.made] == [("", True), ("a=b", True)]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            "jsonl=log.jsonl",
            r"diagnostics must be a list, such as \[\"jsonl=log.jsonl\"\], not 'jsonl=log.jsonl'",
        ),
        ([3], "a diagnostic is a name, such as 'jsonl=log.jsonl', or a Diagnostic, not 3"),
        (["jsnol=x"], "unknown diagnostic 'jsnol'; did you mean 'jsonl'"),
        (["jsonl"], "needs a file: jsonl=log.jsonl"),
        (["jsonl=no/such/folder.jsonl"], "there is no folder"),
        (["jsonl=a.jsonl", "jsonl=a.jsonl"], "two diagnostics write 'a.jsonl'"),
        (["otel=somewhere"], "takes console or the URL of a collector, not 'somewhere'"),
    ],
)
def test_bad_diagnostics_are_refused_before_the_solve(asked, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(wf.WavefoldError, match=message):
        wf.generate(PIPES, GRID, diagnostics=asked)
    assert list(tmp_path.iterdir()) == []


def test_a_budget_includes_the_set_up_when_somebody_listens():
    solver = wf.Solver(wf.Problem(PIPES, GRID))
    with open_diagnostics([Notes()]) as group, pytest.raises(wf.OutOfBudget) as caught:
        group.run(solver, lambda _: solver.run(wf.Budget(ms=0)))
    assert caught.value.phase == "setting up"


def test_without_diagnostics_nobody_listens():
    solver = wf.Solver(wf.Problem(PIPES, GRID))
    assert DiagnosticGroup([]).run(solver, lambda listener: (listener, solver.run())[listener is None])


def test_events_of_restarts_are_received():
    notes = Notes()
    hard = wf.TileSet.load("castle")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            search = wf.Ladder(repairs=0, jumps=0, patience=1, restarts=3, exact=False, witness=-1)
            wf.generate(hard, wf.SquareGrid(12, 12), 1, order="random", search=search, diagnostics=[notes])
        except wf.OutOfBudget:
            pass
    assert RESTARTED in np.concatenate(notes.batches)[:, KIND]
