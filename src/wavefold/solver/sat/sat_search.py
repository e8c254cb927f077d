"""Search with an external SAT solver: complete, and strong if every choice depends on all others.

The seed determines which pattern each cell tries first. The same seed gives the same map only with the same
version of python-sat.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, Contradiction, OutOfBudget, PluginError
from wavefold.kernels.host.checkpoint import POLL_SECONDS, checkpoint, each_checked
from wavefold.solver.budget import Meter
from wavefold.solver.constraint import has_clauses
from wavefold.solver.engine.engine import Engine
from wavefold.solver.explanation import explain
from wavefold.solver.heuristics import Heuristics
from wavefold.solver.problem import Pin, Problem
from wavefold.solver.sat.sat_encoding import SatFormula
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics

SKETCH_DECISIONS = 2  # per cell, for a first map by our own search
SLICE_CONFLICTS = 2000  # between two checks of the budget; they end with restarts, so maps depend on it
VARIABLES_AT_ONCE = 1 << 14  # created between two checks of the budget; all of a large map take seconds


def solve_with_sat(
    problem: Problem,
    seed: int,
    meter: Meter,
    domains: NDArray[np.uint64],
    pins: Sequence[Pin],
) -> Solution:
    """Solve a problem, starting from these domains [cell, word].

    A conflict counts as a backtrack. The SAT solver can be stopped only before a restart, so it may exceed a
    limit by hundreds of conflicts, sometimes by thousands (about a second); `decisions` are checked every
    2,000 conflicts. Limits never change a finished map. Raises `Contradiction` if no map exists, and
    `OutOfBudget` if a limit is reached.

    meter : the meter of the run
    pins : pins and bans already in `domains`, for the explanation of a contradiction
    """
    solver_class = load_solver_class()
    for constraint in problem.constraints:
        if not has_clauses(constraint) and not has_clauses(constraint, "cuts"):
            raise ConfigError(
                f"search='sat' cannot use the constraint {constraint!r}: it has no method "
                "clauses(problem, variable); use another search, such as 'auto' or 'exact'"
            )
    with solver_class() as sat:
        return SatSearch(problem, seed, meter, sat, domains, pins).solve()


def load_solver_class() -> Any:
    """Import the SAT solver of python-sat. Raises `PluginError` if it is not installed."""
    try:
        from pysat.solvers import Glucose4
    except ImportError:
        raise PluginError(
            "search='sat' needs python-sat, which is not installed: "
            'pip install "wavefold[exact]" (the package pysat is unrelated)'
        ) from None
    return Glucose4


class SatSearch:
    """The search for a solution of one problem with one SAT solver, within a budget."""

    def __init__(
        self,
        problem: Problem,
        seed: int,
        meter: Meter,
        sat: Any,
        domains: NDArray[np.uint64],
        pins: Sequence[Pin],
    ) -> None:
        self._pins = pins
        self._problem, self._seed, self._meter, self._sat = problem, seed, meter, sat
        self._started = perf_counter()
        self._seconds = {"setup": 0.0, "search": 0.0}
        self._engine = Engine(problem, Heuristics.of("scanline"))
        self._engine.root = self._engine.root_of(domains)
        self._root = Partial(problem, self._engine.root.words[: domains.size])

    def solve(self) -> Solution:
        """Write the formula and search until a map satisfies all constraints."""
        if self._engine.root.empty_cell >= 0:
            raise self._contradiction()
        formula = self._write_formula()
        self._sat.set_phases(formula.first_choices(self._draw_sketch(), self._seed))
        self._seconds["setup"] = perf_counter() - self._started
        while self._is_satisfiable():
            patterns = formula.patterns(self._sat.get_model())
            if not self._cut(formula, patterns):
                return Solution(self._problem, patterns, self._read_stats(), self._seed)
        raise self._contradiction()

    def _cut(self, formula: SatFormula, patterns: NDArray[np.int64]) -> bool:
        """Exclude a map if it breaks a constraint; return whether it does."""
        is_broken = False
        constraints: tuple[Any, ...] = self._problem.constraints
        for constraint in constraints:
            if not has_clauses(constraint):
                clauses = list(constraint.cuts(self._problem, patterns, formula))
                is_broken |= bool(clauses)
                self._sat.append_formula(clauses)
        return is_broken

    def _write_formula(self) -> SatFormula:
        """Build the formula and add all its clauses to the SAT solver."""
        formula = SatFormula(self._problem, self._root.possible)
        for variable in range(1, formula.variable_count, VARIABLES_AT_ONCE):
            self._sat.add_clause([variable, -variable])  # always true; creates all variables up to this one
            self._check_budget()
        for cell in range(self._problem.cell_count):
            for clause in formula.cell_clauses(cell):
                self._sat.add_clause(clause)
            self._check_budget()
        self._sat.add_clause([-formula.never])
        constraints: tuple[Any, ...] = self._problem.constraints
        for constraint in constraints:
            if has_clauses(constraint):
                self._sat.append_formula(each_checked(constraint.clauses(self._problem, formula)))
        return formula

    def _draw_sketch(self) -> NDArray[np.int64]:
        """Solve with our own search within a small budget; returns int64 [cell], -1 where undecided.

        The SAT solver starts from this sketch and changes little, so that most cells follow the weights.
        """
        engine, cells = self._engine, self._problem.cell_count
        engine.begin(self._seed)
        engine.set_limits(SKETCH_DECISIONS * cells, cells)
        engine.advance()
        return Partial(self._problem, engine.domains).patterns

    def _is_satisfiable(self) -> bool:
        """Search for a model in a second thread, so that a time limit and Ctrl-C can interrupt it."""
        answer = None
        with ThreadPoolExecutor(1) as pool:
            while answer is None:
                self._check_budget()
                left = self._meter.last_backtrack - self._read_stats().backtracks
                self._sat.conf_budget(min(SLICE_CONFLICTS, left))
                job = pool.submit(self._sat.solve_limited, expect_interrupt=True)
                try:
                    while wait([job], POLL_SECONDS).not_done and self._meter.remaining() != 0:
                        checkpoint()
                finally:
                    self._sat.interrupt()
                answer = job.result()
                self._sat.clear_interrupt()
                self._seconds["search"] = perf_counter() - self._started - self._seconds["setup"]
        return bool(answer)

    def _read_stats(self) -> Statistics:
        counts = self._sat.accum_stats()
        return Statistics(
            decisions=counts["decisions"],
            contradictions=counts["conflicts"],
            backtracks=counts["conflicts"],
            restarts=counts["restarts"],
            rungs=("sat",),
            seconds=dict(self._seconds),
        )

    def _check_budget(self) -> None:
        stats = self._read_stats()
        if reason := self._meter.reason_to_stop(stats.decisions, stats.backtracks):
            text = f"{reason} of the SAT solver; raise the budget, or try another seed or search"
            raise OutOfBudget(text, self._root, stats)
        checkpoint()

    def _contradiction(self) -> Contradiction:
        problem, pins, where = self._problem, tuple(self._pins), self._engine.root.empty_cell
        why = partial(explain, problem, pins, proved=True)
        return Contradiction(cell=where if where >= 0 else None, why=why)
