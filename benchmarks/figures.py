"""Figures and how they are measured: clocks, whole solves over seeds, goals, tables."""

from __future__ import annotations

import inspect
import json
import operator
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, TypeVar

from rich.table import Table
from rich.text import Text

from wavefold.api import default_budget
from wavefold.errors import OutOfBudget
from wavefold.reports.checker import check
from wavefold.solver import Budget, Heuristics, Problem, Solution, Solver, Statistics
from wavefold.solver.engine.engine import Engine

Result = TypeVar("Result")
ToSolve = Problem | Callable[[], Problem]  # a ready problem, or how to make one, which is timed, too

PATIENCE = Budget(ms=60_000)  # the longest acceptable wait
COMPARISONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "=": operator.eq}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. A goal is written as a comparison: "<= 1.05", ">= 3", "= 0"."""

    name: str
    value: float
    unit: str
    goal: str
    how: str

    @property
    def met(self) -> bool | None:
        """Whether the goal was reached; None without a goal."""
        if not self.goal:
            return None
        comparison, limit = self.goal.split()
        return bool(COMPARISONS[comparison](self.value, float(limit)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        value = self.value if isfinite(self.value) else None
        return {**asdict(self), "value": value, "goal": self.goal or None, "met": self.met}

    def text(self) -> Text:
        """The number, and its goal with the verdict."""
        shown = Text(f"{format_number(self.value)} {self.unit}".rstrip())
        if self.met is not None:
            shown.append(
                f"\n{self.goal} {'met' if self.met else 'MISSED'}", "green" if self.met else "bold red"
            )
        return shown


@dataclass(slots=True)
class FigureSection:
    """A table of figures that were measured in one way, or the reason why there are none."""

    key: str
    title: str
    how: str
    remarks: list[str] = field(default_factory=list)
    skipped: str = ""
    _cells: dict[str, dict[str, Figure]] = field(default_factory=dict)  # row -> column -> figure

    def add(
        self, row: str, column: str, value: float, unit: str = "", goal: str = "", *, how: str = ""
    ) -> None:
        """Put a figure into a row and a column; both come into being when first named."""
        figure = Figure(f"{row}: {column}", float(value), unit, goal, how or self.how)
        self._cells.setdefault(row, {})[column] = figure

    @property
    def figures(self) -> list[Figure]:
        """All of them, row by row."""
        return [figure for cells in self._cells.values() for figure in cells.values()]

    def forget_goals(self) -> None:
        """Keep only what must hold at any size: goals of "= 0"."""
        for cells in self._cells.values():
            for column, figure in cells.items():
                cells[column] = replace(figure, goal=figure.goal if figure.goal == "= 0" else "")

    def skip(self, reason: str) -> FigureSection:
        """Leave the section out, and say why."""
        self.skipped = reason
        return self

    def table(self) -> Table:
        """The figures as a table for the terminal."""
        columns = list(dict.fromkeys(column for cells in self._cells.values() for column in cells))
        table = Table(title=self.title, caption=self.how, title_justify="left", caption_justify="left")
        table.add_column("")
        for column in columns:
            table.add_column(column, justify="right")
        for row, cells in self._cells.items():
            table.add_row(row, *(cells[each].text() if each in cells else "" for each in columns))
        return table

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "section": self.key,
            "title": self.title,
            "skipped": self.skipped or None,
            "remarks": self.remarks,
            "figures": [figure.to_dict() for figure in self.figures],
        }


def format_number(value: float) -> str:
    """A number with about three digits that matter."""
    if not isfinite(value):
        return "none"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


# --- clocks -------------------------------------------------------------------------------------------


def measure_time(work: Callable[..., Result], *arguments: Any) -> tuple[float, Result]:
    """Processor time in milliseconds, and what the work gave. Other processes do not count."""
    started = process_time()
    result = work(*arguments)
    return (process_time() - started) * 1e3, result


def take_turns(
    contestants: Mapping[str, Callable[[int], float]], seeds: Sequence[int]
) -> dict[str, list[float]]:
    """Milliseconds of each contestant for each seed, taking turns so that a busy machine is fair to all."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for seed in seeds:
        for name, run in contestants.items():
            times[name].append(run(seed))
    return times


def least_times(contestants: Mapping[str, Callable[[int], float]], seeds: Sequence[int]) -> dict[str, float]:
    """The least milliseconds of each contestant, after a turn that fills caches and is not counted."""
    return {name: min(each[1:]) for name, each in take_turns(contestants, [seeds[0], *seeds]).items()}


def median_ratio(times: Mapping[str, Sequence[float]], above: str, below: str) -> float:
    """The median of one contestant over another, turn by turn."""
    return median(one / other for one, other in zip(times[above], times[below], strict=True))


def run_probe(probe: Callable[..., dict[str, float]], *arguments: Any) -> dict[str, float]:
    """Call a function in a new process; the numbers it returns.

    The process gets the source of the function and nothing else, so the function has its imports inside.
    """
    code = (
        f"from __future__ import annotations\n{inspect.getsource(probe)}\n"
        f"import json; print(json.dumps({probe.__name__}(*{arguments!r})))"
    )
    checkout = Path(__file__).parents[1]  # the process imports `benchmarks`, too
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True, cwd=checkout
    )
    numbers: dict[str, float] = json.loads(done.stdout)
    return numbers


@dataclass(slots=True)
class Attempts:
    """What solving with several seeds gave."""

    ms: list[float] = field(default_factory=list)  # of successful runs
    solutions: list[Solution] = field(default_factory=list)
    stats: list[Statistics] = field(default_factory=list)  # of all runs
    failed: int = 0

    @property
    def median_ms(self) -> float:
        """Of the runs that succeeded; not a number if none did."""
        return median(self.ms) if self.ms else float("nan")

    def total(self, name: str) -> int:
        """A count of the statistics, summed over all runs."""
        return sum(getattr(each, name) for each in self.stats)

    def needing(self, name: str) -> int:
        """How many runs had more than none of this."""
        return sum(getattr(each, name) > 0 for each in self.stats)

    def violations(self) -> int:
        """What the independent checker finds wrong with the maps, in all."""
        return sum(len(check(each.problem, each)) for each in self.solutions)

    def run(self, problem: ToSolve, seed: int, budget: Budget | None = None, **options: Any) -> float:
        """Count one whole run, in milliseconds: `Solver(problem, seed, …).run()`."""
        ms, ended = measure_time(lambda: solve_within(problem, seed, budget, **options))
        self.stats.append(ended.stats or Statistics())
        if isinstance(ended, OutOfBudget):
            self.failed += 1
        else:
            self.ms.append(ms)
            self.solutions.append(ended)
        return ms


def solve_within(
    problem: ToSolve, seed: int, budget: Budget | None, **options: Any
) -> Solution | OutOfBudget:
    """A map, or that none was found in time."""
    ready = problem if isinstance(problem, Problem) else problem()
    try:
        return Solver(ready, seed, **options).run(budget or default_budget(ready.cell_count))
    except OutOfBudget as error:
        return error


def run_attempts(
    problem: ToSolve, seeds: Sequence[int], budget: Budget | None = None, **options: Any
) -> Attempts:
    """Whole runs, one per seed, after one that is not counted; on a ready problem, or each on a new one."""
    done = Attempts()
    solve_within(problem, seeds[0], budget, **options)
    for seed in seeds:
        done.run(problem, seed, budget, **options)
    return done


def run_on(problem: ToSolve, **options: Any) -> Callable[[int], float]:
    """A contestant that makes whole runs: the seed in, milliseconds out."""
    return lambda seed: Attempts().run(problem, seed, PATIENCE, **options)


def prepare_engine(problem: Problem, order: str, seed: int, undo: str = "delta") -> Engine:
    """The kernels and their arrays, ready to search: backtracking only, without a limit."""
    engine = Engine(problem, Heuristics.of(order), undo=undo)
    engine.begin(seed)
    engine.complete_queue()
    return engine


def measure_search_ms(problem: Problem, order: str, seed: int) -> float:
    """The search alone: no set-up, nothing read out."""
    engine = prepare_engine(problem, order, seed)
    engine.set_limits(backtracks=10 * problem.cell_count)
    return measure_time(engine.advance)[0]
