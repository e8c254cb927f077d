"""One solve after another, and what they took."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from wavefold.api import default_budget
from wavefold.bench.timing import timed
from wavefold.checker import check
from wavefold.errors import OutOfBudget
from wavefold.solver import Budget, Heuristics, Problem, Solution, Solver, Statistics
from wavefold.solver.engine.engine import Engine


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

    def run(self, problem: Problem, seed: int, budget: Budget | None = None, **options: Any) -> float:
        """Count one whole run on a ready problem, in milliseconds: `Solver(problem, seed, …).run()`."""
        return self.run_new(lambda: problem, seed, budget or default_budget(problem.cell_count), **options)

    def run_new(self, make: Callable[[], Problem], seed: int, budget: Budget, **options: Any) -> float:
        """One whole run with a problem of its own, the making included."""
        ms, ended = timed(lambda: solved(make, seed, budget, **options))
        self.stats.append(ended.stats)
        if isinstance(ended, OutOfBudget):
            self.failed += 1
        else:
            self.ms.append(ms)
            self.solutions.append(ended)
        return ms


def solved(make: Callable[[], Problem], seed: int, budget: Budget, **options: Any) -> Solution | OutOfBudget:
    """A map, or that none was found in time."""
    try:
        return Solver(make(), seed, **options).run(budget)
    except OutOfBudget as error:
        return error


def attempts(
    problem: Problem, seeds: Sequence[int], budget: Budget | None = None, **options: Any
) -> Attempts:
    """Whole runs on a ready problem, one per seed, after one that compiles."""
    return fresh_attempts(lambda: problem, seeds, budget, **options)


def fresh_attempts(
    make: Callable[[], Problem], seeds: Sequence[int], budget: Budget | None = None, **options: Any
) -> Attempts:
    """Whole runs, each with its own problem, after one that compiles."""
    done = Attempts()
    limit = budget or default_budget(make().cell_count)
    solved(make, seeds[0], limit, **options)
    for seed in seeds:
        done.run_new(make, seed, limit, **options)
    return done


def prepared_engine(problem: Problem, order: str, seed: int, undo: str = "delta") -> Engine:
    """The kernels and their arrays, ready to search: backtracking only, without a limit."""
    engine = Engine(problem, Heuristics.of(order), undo=undo)
    engine.begin(seed)
    return engine


def search_ms(problem: Problem, order: str, seed: int) -> float:
    """The search alone: no set-up, nothing read out."""
    engine = prepared_engine(problem, order, seed)
    engine.set_limits(backtracks=10 * problem.cell_count)
    return timed(engine.advance)[0]
