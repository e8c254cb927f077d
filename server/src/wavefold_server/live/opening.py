"""What a session begins with: a problem and the settings of its solver, from the body of `open`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wavefold.api import default_budget
from wavefold.errors import ConfigError
from wavefold.solver import Budget, Pin, Problem, Solver, bare_problem
from wavefold.tiles import TileSet
from wavefold_server.problems import limit_problem
from wavefold_server.settings import Limits
from wavefold_server.solves.build import build_arguments, build_topology, check_limits
from wavefold_server.solves.models import SolveRequest

PROBLEM_PARTS = ("pins", "constraints", "weights", "masks", "fields", "own_constraints")
LOCK = "lock"  # what explanations call a pin that is one
SOLVER_PARTS = ("seed", "order", "propagation", "search", "undo", "choice")


class Opening(NamedTuple):
    """The parts of `wf.generate`'s work.

    sweeps, has_custom_order : what `count_sweeps` needs to know
    budget : as it was given
    """

    problem: Problem
    solver_parts: dict[str, Any]
    sweeps: int | str
    budget: Budget | int | None

    @property
    def has_custom_order(self) -> bool:
        """Whether somebody wants to see what an order or a choice does, so that "auto" means: not refined."""
        return self.solver_parts.get("order", "auto") != "auto" or self.solver_parts.get("choice") is not None

    def build_solver(self) -> Solver:
        """A solver at its root."""
        return Solver(self.problem, **self.solver_parts)

    def limits_of_run(self) -> Budget:
        """What all runs together may take."""
        return Budget.of(default_budget(self.problem.cell_count) if self.budget is None else self.budget)


def prepare(request: SolveRequest, tiles: TileSet, limits: Limits) -> Opening:
    """Check a request, and build what the session needs."""
    topology = build_topology(request.topology, tiles, limits)
    if topology.cell_count > limits.live_cells:
        detail = f"this map would have {topology.cell_count:,} cells"
        raise limit_problem("live_cells", limits.live_cells, detail)
    if request.search.ladder == "sat":
        raise ConfigError("the search 'sat' has no steps to watch: choose another for a live session")
    check_limits(request, tiles, topology, limits)
    parts = build_arguments(request, tiles, topology)
    own = {name: parts[name] for name in PROBLEM_PARTS if name in parts}
    problem = Problem(tiles, topology, **own) if own else bare_problem(tiles, topology)
    settings = {name: parts[name] for name in SOLVER_PARTS if name in parts}
    return Opening(lock_cells(problem, request.locks), settings, parts["refine"], parts.get("budget"))


def lock_cells(problem: Problem, locks: list[tuple[int, int]]) -> Problem:
    """The problem with pins at these cells, each of one pattern."""
    if not locks:
        return problem
    patterns = len(problem.rules)
    for cell, pattern in locks:
        if pattern >= patterns:
            raise ConfigError(
                f"a lock names pattern {pattern}; patterns are numbered from 0 to {patterns - 1}"
            )
        problem.cell(cell)
    pins = [Pin(cell, problem.rules.names[each], np.array([each]), noun=LOCK) for cell, each in locks]
    return problem.replace(pins=(*problem.pins, *pins))
