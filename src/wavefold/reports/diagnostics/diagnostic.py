"""The base class of diagnostics, and a group of them around one solve.

By name, a diagnostic is written as "NAME" or "NAME=TARGET", such as "jsonl=log.jsonl": in
`generate(diagnostics=…)`, in a configuration and on the command line.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wavefold.errors import ConfigError, Contradiction, PluginWarning, WavefoldError, describe_error
from wavefold.plugins.registry import find
from wavefold.solver import Solution, Solver, Statistics
from wavefold.solver.engine.events import Batch


class Diagnostic:
    """Receives the events of solves. Derive from it, and override what you need.

    For each map, `start` is called, then `receive` with each batch of events, then `finish`; after the last
    map, `close`. It has no effect on the map. If one of these methods raises, there is a `PluginWarning`, and
    the diagnostic gets no further events; only a `WavefoldError` from `start` is raised.

    target : the text after its name, "log.jsonl" of "jsonl=log.jsonl"; may be empty
    paths : the files it writes, so that no other output takes their names
    """

    paths: tuple[Path, ...] = ()

    def __init__(self, target: str = "") -> None:
        self.target = target

    def start(self, solver: Solver) -> None:
        """A map begins; the solver has its `problem` and `seed`."""

    def receive(self, batch: Batch) -> None:
        """Events, int32 [row, (kind, cell, pattern, decision)], as for `Solver.listen`."""

    def receive_sweep(self, batch: Batch) -> None:
        """A sweep of refining ended: the replaced cells, perhaps none, with its number as decision."""
        self.receive(batch)

    def finish(self, result: Solution | BaseException) -> None:
        """The map is finished; or it failed with this error."""

    def close(self) -> None:
        """No more maps follow."""


class DiagnosticGroup:
    """Several diagnostics. One that fails is left out with a warning; the solve continues."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = list(diagnostics)

    @property
    def paths(self) -> list[Path]:
        """The files of all diagnostics."""
        return [path for each in self.diagnostics for path in each.paths]

    def run(self, solver: Solver, make: Callable[[Callable[[Batch], None] | None], Solution]) -> Solution:
        """The map that `make` makes with the solver; `make` takes a listener for refining, or None."""
        if not self.diagnostics:
            return make(None)
        self._call("start", solver)
        stop = solver.listen(self._receive, batches=True)
        try:
            solution = make(self._receive_sweep)
        except BaseException as error:
            self._call("finish", error)
            raise
        finally:
            stop()
        self._call("finish", solution)
        return solution

    def _receive(self, batch: Batch) -> None:
        self._call("receive", batch)

    def _receive_sweep(self, batch: Batch) -> None:
        self._call("receive_sweep", batch)

    def _call(self, method: str, argument: Any) -> None:
        for each in tuple(self.diagnostics):
            try:
                getattr(each, method)(argument)
            except Exception as error:
                if method == "start" and isinstance(error, WavefoldError):
                    raise
                self.diagnostics.remove(each)
                warn_failed(each, error)


@contextmanager
def open_diagnostics(diagnostics: Iterable[str | Diagnostic]) -> Iterator[DiagnosticGroup]:
    """Diagnostics given by name or as objects; those given by name are created, and closed at the end."""
    if isinstance(diagnostics, str) or not isinstance(diagnostics, Iterable):
        raise ConfigError(f'diagnostics must be a list, such as ["jsonl=log.jsonl"], not {diagnostics!r}')
    made = [(parse_diagnostic(each), isinstance(each, str)) for each in diagnostics]
    group = DiagnosticGroup(each for each, _ in made)
    for path in group.paths:
        if group.paths.count(path) > 1:
            raise ConfigError(f"two diagnostics write {str(path)!r}; choose another name for one of them")
    try:
        yield group
    finally:
        for each, is_ours in made:
            if is_ours:
                try:
                    each.close()
                except Exception as error:
                    warn_failed(each, error)


def parse_diagnostic(diagnostic: object) -> Diagnostic:
    """The diagnostic for "NAME" or "NAME=TARGET"; an object is returned unchanged."""
    if isinstance(diagnostic, Diagnostic):
        return diagnostic
    if not isinstance(diagnostic, str):
        raise ConfigError(
            f"a diagnostic is a name, such as 'jsonl=log.jsonl', or a Diagnostic, not {diagnostic!r}"
        )
    name, _, target = diagnostic.partition("=")
    made: Diagnostic = find("diagnostic", name)(target)
    return made


def read_stats(solver: Solver | None, result: object) -> Statistics | None:
    """The statistics of a solve, if it has any."""
    if isinstance(result, Contradiction) and solver is not None:
        return solver.stats
    stats = getattr(result, "stats", None)
    return stats if isinstance(stats, Statistics) else None


def warn_failed(diagnostic: Diagnostic, error: Exception) -> None:
    """Warn that a diagnostic raised an error."""
    message = f"the diagnostic {type(diagnostic).__name__} failed: {describe_error(error)}; it is left out"
    warnings.warn(message, PluginWarning, stacklevel=3)
