"""Make the map of a request, in a thread of a pool: plan it, solve it, and say what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from wavefold import Diagnostic
from wavefold.api import PROBLEM_OPTIONS, Generation, prepare_generation
from wavefold.errors import Contradiction, OutOfBudget, WavefoldError
from wavefold.solver import Budget, LimitReached, Meter, Solution, Statistics, limiting, make_problem
from wavefold.solver import Problem as MapProblem
from wavefold.tiles import TileSet
from wavefold.topology import Topology
from wavefold_server.metrics import Metrics
from wavefold_server.problems import Problem, invalid, problem_of
from wavefold_server.solves.build import build_arguments, build_topology, check_limits, is_quick
from wavefold_server.solves.models import SolveRequest
from wavefold_server.solves.replay import has_log, make_logged

if TYPE_CHECKING:
    from wavefold_server.service import Service

EXPLAIN_MS = 3_000.0  # the most that finding a reason may take
SHOW_EVERY = 0.1  # seconds between two looks at the solver
MOST_TRIED = 1 << 22  # cells x constraints, to find the constraint that an error is about


@dataclass(frozen=True)
class SolvePlan:
    """A map that could be made: the request was valid."""

    generation: Generation
    is_quick: bool
    replay: Callable[[], Solution] | None = None  # makes the map of a session from its log

    @property
    def problem(self) -> MapProblem:
        """What must hold."""
        return self.generation.solver.problem


class SolveProgress:
    """How far a map is. One thread writes; others read whatever is there."""

    def __init__(self) -> None:
        self.is_running = False
        self.state = (0, 0, 0)  # work done and all work, in cells; decisions
        self._shown_at = 0.0

    def watch(self, generation: Generation) -> Any:
        """A function for `Generation.run`, which looks at the solver now and then."""
        self.is_running = True
        self.state = (0, generation.solver.problem.cell_count * (1 + generation.sweeps), 0)

        def show(done: int, everything: int) -> None:
            now = monotonic()
            if now - self._shown_at >= SHOW_EVERY or done == everything:
                self._shown_at = now
                self.state = (done, everything, generation.solver.stats.decisions)

        return show


def plan_solve(service: Service, request: SolveRequest) -> SolvePlan:
    """Everything but the search. Raises a `Problem` for what cannot be."""
    tiles = service.tilesets.load(request.tileset)
    topology = build_topology(request.topology, tiles, service.limits)
    check_limits(request, tiles, topology, service.limits)
    arguments = build_arguments(request, tiles, topology)
    try:
        generation = prepare_generation(tiles, topology, **arguments)
    except WavefoldError as error:
        raise locate_error(error, request, tiles, topology, arguments) from error
    replay = partial(make_logged, request, tiles, service.limits) if has_log(request) else None
    return SolvePlan(generation, is_quick(request, tiles, topology, service.limits), replay)


def locate_error(
    error: WavefoldError, request: SolveRequest, tiles: TileSet, topology: Topology, arguments: dict[str, Any]
) -> Exception:
    """The error with a pointer to the constraint that causes it, if one does by itself."""
    constraints = arguments.get("constraints", ())
    if len(constraints) * topology.cell_count > MOST_TRIED:
        return error
    others = {name: value for name, value in arguments.items() if name in PROBLEM_OPTIONS}
    for index, constraint in enumerate(constraints):
        try:
            make_problem(tiles, topology, **(others | {"constraints": (constraint,)}))
        except WavefoldError as found:
            if str(found) == str(error):
                is_given = index < len(request.constraints)
                return invalid(f"/constraints/{index}" if is_given else "/shares", str(error))
    return error


def run_plan(
    plan: SolvePlan,
    metrics: Metrics,
    progress: SolveProgress | None = None,
    diagnostics: Sequence[Diagnostic] = (),
) -> Solution:
    """The map. Raises a `Problem` if there is none; `Stopped`, if the thread is to end."""
    show = (progress or SolveProgress()).watch(plan.generation)
    try:
        solution = plan.generation.run(show, diagnostics) if plan.replay is None else plan.replay()
    except (Contradiction, OutOfBudget) as error:
        outcome = "impossible" if isinstance(error, Contradiction) else "out_of_budget"
        metrics.solves.labels(outcome).inc()
        raise describe_failure(error, plan.problem) from error
    metrics.solves.labels("solved").inc()
    metrics.backtracks.inc(solution.stats.backtracks)
    metrics.repairs.inc(solution.stats.repairs)
    return solution


# --- failures ---------------------------------------------------------------------------------------


def describe_failure(error: Contradiction | OutOfBudget, problem: MapProblem) -> Problem:
    """The problem document, with all that is known as data."""
    if isinstance(error, Contradiction):
        return describe_contradiction(error, problem)
    found, stats = problem_of(error), error.stats or Statistics()
    decided = 0 if error.partial is None else int((error.partial.patterns >= 0).sum())
    found.more = {"phase": error.phase, "decided": decided, "cells": problem.cell_count}
    found.more["stats"] = count_stats(stats)
    return found


def describe_contradiction(error: Contradiction, problem: MapProblem) -> Problem:
    """The problem document, with the reason if it can be found soon enough."""
    try:
        with limiting(Meter(Budget(ms=EXPLAIN_MS)).check_time):
            explanation = error.explanation
    except LimitReached:
        error, explanation = Contradiction("nothing fits; the reason was not found in time"), None
    found = problem_of(error)
    nothing = {"requirements": [], "cells": [], "proved": False}
    known = nothing if explanation is None else explanation.to_dict(problem.topology.coordinate)
    found.more = {"explanation": known}
    return found


def count_stats(stats: Statistics) -> dict[str, Any]:
    """Statistics without times: the same on every machine."""
    return {name: value for name, value in stats.to_dict().items() if name != "seconds"}
