"""Events as lines of JSON, one for each batch."""

from __future__ import annotations

import json
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from wavefold._version import CONTENT_VERSION
from wavefold.errors import ConfigError, Contradiction, OutOfBudget
from wavefold.reports.diagnostics.diagnostic import Diagnostic, read_stats
from wavefold.solver import Solution, Solver
from wavefold.solver.engine.events import CELL, DECISION, EVENT_KINDS, KIND, NOTHING, PATTERN, Batch
from wavefold.storage.files import cannot_write, check_writable


class JsonLines(Diagnostic):
    """Writes each batch of events as a line of JSON, "jsonl=FILE".

    A line has a "type": "start" (seed, cells, names of patterns), "batch" (how many decisions were made, and
    events [kind, cell, patterns]), "sweep" (the same for a sweep of refining) or "finish" (the result and
    statistics). All but the seconds in the last line are the same on every machine. Lines are written at
    once: a killed solve leaves them.
    """

    def __init__(self, target: str = "") -> None:
        super().__init__(target)
        if not target:
            raise ConfigError("the diagnostic 'jsonl' needs a file: jsonl=log.jsonl")
        check_writable(target)
        self.paths = (Path(target),)
        self._file: IO[str] | None = None
        self._solver: Solver | None = None
        self._sweeps = 0  # of this map

    def start(self, solver: Solver) -> None:
        """Write the seed, the number of cells and the names of patterns."""
        if self._file is None:
            try:
                self._file = open(self.target, "w", 1, "utf-8", newline="\n")  # noqa: SIM115 until `close`
            except OSError as error:
                raise cannot_write(Path(self.target), error) from error
        problem, self._solver, self._sweeps = solver.problem, solver, 0
        self._write(
            type="start",
            seed=solver.seed,
            content_version=CONTENT_VERSION,
            topology=repr(problem.topology),
            cells=problem.cell_count,
            patterns=list(problem.rules.names),
        )

    def receive(self, batch: Batch) -> None:
        """Write a batch."""
        self._write(type="batch", decision=int(batch[0, DECISION]), events=list_events(batch))

    def receive_sweep(self, batch: Batch) -> None:
        """Write the cells that a sweep replaced."""
        self._sweeps += 1
        self._write(type="sweep", sweep=self._sweeps, events=list_events(batch))

    def finish(self, result: Solution | BaseException) -> None:
        """Write the result."""
        stats = read_stats(self._solver, result)
        entry = {"type": "finish", "result": name_result(result), "stats": stats and stats.to_dict()}
        self._write(**entry if isinstance(result, Solution) else entry | {"error": str(result)})
        self._solver = None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, **entry: Any) -> None:
        if self._file is not None:
            self._file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")


def list_events(batch: Batch) -> list[list[Any]]:
    """[[kind, cell, patterns], …]: rows that differ only in their pattern are one event."""
    return [
        [EVENT_KINDS[kind], cell, [row[PATTERN] for row in rows if row[PATTERN] != NOTHING]]
        for (kind, cell), rows in groupby(batch.tolist(), key=itemgetter(KIND, CELL))
    ]


def name_result(result: object) -> str:
    """The result of a solve, in a word or two."""
    names = {Solution: "solved", Contradiction: "impossible", OutOfBudget: "out of budget"}
    return names.get(type(result), "failed")
