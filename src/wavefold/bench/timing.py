"""Clocks and whole solves: processor time in this process, probes in fresh processes, runs over seeds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import process_time
from typing import Any, TypeVar

from wavefold.api import default_budget
from wavefold.checker import check
from wavefold.errors import OutOfBudget
from wavefold.solver import Budget, Heuristics, Problem, Solution, Solver, Statistics
from wavefold.solver.engine.engine import Engine

Result = TypeVar("Result")


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


def median_ratio(times: Mapping[str, Sequence[float]], above: str, below: str) -> float:
    """The median of one contestant over another, turn by turn."""
    return median(one / other for one, other in zip(times[above], times[below], strict=True))


def run_probe(probe: str, *arguments: Any, **environment: str) -> dict[str, float]:
    """Call a function of `wavefold.bench.probes` in a new process; the numbers it prints."""
    code = f"from wavefold.bench import probes; probes.{probe}(*{arguments!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
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

    def run(self, problem: Problem, seed: int, budget: Budget | None = None, **options: Any) -> float:
        """Count one whole run on a ready problem, in milliseconds: `Solver(problem, seed, …).run()`."""
        return self.run_new(lambda: problem, seed, budget or default_budget(problem.cell_count), **options)

    def run_new(self, make: Callable[[], Problem], seed: int, budget: Budget, **options: Any) -> float:
        """One whole run with a problem of its own, the making included."""
        ms, ended = measure_time(lambda: solve_within(make, seed, budget, **options))
        self.stats.append(ended.stats)
        if isinstance(ended, OutOfBudget):
            self.failed += 1
        else:
            self.ms.append(ms)
            self.solutions.append(ended)
        return ms


def solve_within(
    make: Callable[[], Problem], seed: int, budget: Budget, **options: Any
) -> Solution | OutOfBudget:
    """A map, or that none was found in time."""
    try:
        return Solver(make(), seed, **options).run(budget)
    except OutOfBudget as error:
        return error


def run_attempts(
    problem: Problem, seeds: Sequence[int], budget: Budget | None = None, **options: Any
) -> Attempts:
    """Whole runs on a ready problem, one per seed, after one that compiles."""
    return run_fresh_attempts(lambda: problem, seeds, budget, **options)


def run_fresh_attempts(
    make: Callable[[], Problem], seeds: Sequence[int], budget: Budget | None = None, **options: Any
) -> Attempts:
    """Whole runs, each with its own problem, after one that compiles."""
    done = Attempts()
    limit = budget or default_budget(make().cell_count)
    solve_within(make, seeds[0], limit, **options)
    for seed in seeds:
        done.run_new(make, seed, limit, **options)
    return done


def prepare_engine(problem: Problem, order: str, seed: int, undo: str = "delta") -> Engine:
    """The kernels and their arrays, ready to search: backtracking only, without a limit."""
    engine = Engine(problem, Heuristics.of(order), undo=undo)
    engine.begin(seed)
    return engine


def measure_search_ms(problem: Problem, order: str, seed: int) -> float:
    """The search alone: no set-up, nothing read out."""
    engine = prepare_engine(problem, order, seed)
    engine.set_limits(backtracks=10 * problem.cell_count)
    return measure_time(engine.advance)[0]
