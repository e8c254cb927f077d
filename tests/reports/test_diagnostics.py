"""Diagnostics receive what happens, and one that fails disturbs neither the map nor the others."""

import json
import sys
import warnings

import numpy as np
import pytest

import wavefold as wf
from support import CHESS, PIPES, install
from wavefold.reports.diagnostics import DiagnosticGroup, JsonLines, Spans, open_diagnostics
from wavefold.solver.engine.events import KIND, RESTARTED
from wavefold.testing import DiagnosticContract

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
        wf.PluginWarning, match="the diagnostic Fails failed and is ignored: ValueError: oh"
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
        ([3], "a diagnostic must be a name, such as 'jsonl=log.jsonl', or a Diagnostic, not 3"),
        (["jsnol=x"], "unknown diagnostic 'jsnol'; did you mean 'jsonl'"),
        (["jsonl"], "needs a file: jsonl=log.jsonl"),
        (["jsonl=no/such/folder.jsonl"], "there is no folder"),
        (["jsonl=a.jsonl", "jsonl=a.jsonl"], "two diagnostics write 'a.jsonl'"),
        (["otel=somewhere"], "must be console or the URL of a collector, not 'somewhere'"),
    ],
)
def test_bad_diagnostics_are_refused_before_the_solve(asked, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(wf.WavefoldError, match=message):
        wf.generate(PIPES, GRID, diagnostics=asked)
    assert list(tmp_path.iterdir()) == []


def test_a_budget_includes_the_set_up_of_diagnostics():
    solver = wf.Solver(wf.Problem(PIPES, GRID))
    with open_diagnostics([Notes()]) as group, pytest.raises(wf.OutOfBudget) as caught:
        group.run(solver, lambda _: solver.run(wf.Budget(ms=0)))
    assert caught.value.phase == "setting up"


def test_without_diagnostics_there_is_no_listener():
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


# --- a log as lines of JSON: complete, the same every time, readable at any moment ----------------


class TestJsonLines(DiagnosticContract):
    @pytest.fixture
    def make(self, tmp_path):
        return lambda: JsonLines(str(tmp_path / "log.jsonl"))


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_lines_tell_the_whole_solve(tmp_path):
    path = tmp_path / "log.jsonl"
    solution = wf.generate(PIPES, wf.SquareGrid(4, 3), 7, diagnostics=[f"jsonl={path}"], refine=2)
    start, *batches, first, second, finish = read(path)
    assert (start["type"], start["seed"], start["cells"]) == ("start", 7, 12)
    assert start["topology"] == "SquareGrid(4, 3)"
    names = start["patterns"]
    left = {cell: set(range(len(names))) for cell in range(12)}
    for batch in batches:
        assert batch["type"] == "batch"
        for kind, cell, patterns in batch["events"]:
            assert kind in ("chosen", "removed")
            if kind == "removed":
                left[cell] -= set(patterns)
    assert all(len(patterns) == 1 for patterns in left.values())
    now = {cell: pattern for cell, (pattern,) in left.items()}
    for number, sweep in enumerate((first, second), 1):
        assert (sweep["type"], sweep["sweep"]) == ("sweep", number)
        now |= {cell: pattern for _, cell, (pattern,) in sweep["events"]}
    assert [now[cell] for cell in range(12)] == solution.patterns.tolist()
    assert finish["result"] == "solved"
    assert finish["stats"]["decisions"] == solution.stats.decisions


def test_two_logs_of_one_seed_differ_only_in_seconds(tmp_path):
    logs = []
    for number in range(2):
        path = tmp_path / f"{number}.jsonl"
        wf.generate(PIPES, wf.SquareGrid(4, 3), 7, diagnostics=[f"jsonl={path}"])
        *lines, finish = read(path)
        del finish["stats"]["seconds"]
        logs.append([*lines, finish])
    assert logs[0] == logs[1]


def test_failures_are_the_last_line(tmp_path):
    path = tmp_path / "log.jsonl"
    pins = {(0, 0): "white", (1, 0): "white"}
    with pytest.raises(wf.Contradiction):
        wf.generate(CHESS, wf.SquareGrid(3, 3), pins=pins, diagnostics=[f"jsonl={path}"])
    finish = read(path)[-1]
    assert finish["result"] == "impossible"
    assert "white" in finish["error"]
    with pytest.raises(wf.OutOfBudget):
        wf.generate(PIPES, wf.SquareGrid(9, 9), budget=3, diagnostics=[f"jsonl={path}"])
    finish = read(path)[-1]
    assert (finish["result"], finish["stats"]["decisions"]) == ("out of budget", 3)


def test_lines_are_in_the_file_as_soon_as_they_are_written(tmp_path):
    log = JsonLines(str(tmp_path / "log.jsonl"))
    solver = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 3)))
    log.start(solver)
    solver.listen(log.receive, batches=True)
    solver.step()
    assert [line["type"] for line in read(tmp_path / "log.jsonl")] == ["start", "batch"]
    log.close()


def test_a_file_that_cannot_be_written_ends_the_solve_before_it_begins(tmp_path):
    folder = tmp_path / "log.jsonl"
    log = JsonLines(str(folder))
    folder.mkdir()
    with pytest.raises(wf.ConfigError, match="cannot write"):
        wf.generate(PIPES, wf.SquareGrid(3, 3), diagnostics=[log])


# --- solves as OpenTelemetry spans ----------------------------------------------------------------


trace = pytest.importorskip("opentelemetry.trace", reason="install opentelemetry-sdk to test spans")
sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="install opentelemetry-sdk to test spans")


@pytest.fixture
def exporter(monkeypatch):
    """What the process would send, with a provider that the program around wavefold configured."""
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), sdk.TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter


@pytest.mark.usefixtures("exporter")
class TestSpans(DiagnosticContract):
    @pytest.fixture
    def make(self):
        return Spans


def test_a_map_is_a_span_with_its_attempts_and_refining_inside(exporter):
    tracer = trace.get_tracer_provider().get_tracer("program")
    with tracer.start_as_current_span("request"):
        solution = wf.generate(PIPES, wf.SquareGrid(5, 4), 7, diagnostics=["otel"], refine=2)
    attempt, refine, whole, request = exporter.get_finished_spans()
    names = [each.name for each in (attempt, refine, whole)]
    assert names == ["wavefold.attempt", "wavefold.refine", "wavefold.generate"]
    assert attempt.parent.span_id == refine.parent.span_id == whole.context.span_id
    assert whole.parent.span_id == request.context.span_id
    assert whole.attributes["wavefold.seed"] == 7
    assert whole.attributes["wavefold.cells"] == 20
    assert whole.attributes["wavefold.decisions"] == solution.stats.decisions
    assert attempt.attributes["wavefold.events.chosen"] == solution.stats.decisions
    assert refine.attributes["wavefold.sweeps"] == 2
    assert whole.start_time <= attempt.start_time <= attempt.end_time == refine.start_time
    assert refine.start_time <= refine.end_time <= whole.end_time
    assert whole.status.is_ok
    assert whole.instrumentation_scope.name == "wavefold"


def test_restarts_begin_a_new_span_and_repairs_are_events(exporter):
    few = {"repairs": 2, "repairs_per_cell": 0, "jumps": 0, "patience": 1, "restarts": 2}
    castle, search = wf.TileSet.load("castle"), wf.Ladder(**few, exact=False, witness=-1)
    with pytest.raises(wf.OutOfBudget):
        wf.generate(castle, wf.SquareGrid(16, 16), 1, order="random", search=search, diagnostics=["otel"])
    *attempts, whole = exporter.get_finished_spans()
    restarts = whole.attributes["wavefold.restarts"]
    assert [each.attributes["wavefold.attempt"] for each in attempts] == list(range(1, restarts + 2))
    assert sum(len(each.events) for each in attempts) == whole.attributes["wavefold.repairs"] > 0


def test_failures_are_errors_with_their_reason(exporter):
    pins = {(0, 0): "white", (1, 0): "white"}
    with pytest.raises(wf.Contradiction):
        wf.generate(CHESS, wf.SquareGrid(3, 3), pins=pins, diagnostics=["otel"])
    whole = exporter.get_finished_spans()[-1]
    assert not whole.status.is_ok
    assert "white" in whole.status.description
    assert whole.events[-1].name == "exception"


def test_the_console_shows_spans_without_a_provider(capsys):
    wf.generate(PIPES, wf.SquareGrid(3, 3), diagnostics=["otel=console"])
    assert '"name": "wavefold.generate"' in capsys.readouterr().err


def test_without_a_provider_there_is_a_warning():
    with pytest.warns(wf.PluginWarning, match="no tracer provider is configured"):
        wf.generate(PIPES, wf.SquareGrid(3, 3), diagnostics=["otel"])


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(wf.PluginError, match=r"needs opentelemetry.exporter.*: install wavefold\[otel\]"):
        Spans("http://localhost:4318/v1/traces")
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(wf.PluginError, match=r"needs OpenTelemetry: install wavefold\[otel\]"):
        Spans()
