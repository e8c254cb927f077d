"""A log as lines of JSON: complete, the same every time, readable at any moment."""

import json

import pytest

import wavefold as wf
from support import CHESS, PIPES
from wavefold.reports.diagnostics import JsonLines
from wavefold.testing import DiagnosticContract


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
