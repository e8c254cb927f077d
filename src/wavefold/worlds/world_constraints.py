"""Constraints that hold everywhere in a world: their reach, and a base that satisfies them.

A world is generated window by window, so a constraint must be local: it holds if the rim of each window is as
wide as the reach of the constraint, and other windows of the same stage are farther away. The base is solved
with the constraints, on a torus larger than their reach.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints.base import PropagatedConstraint
from wavefold.constraints.symmetric_maps import SymmetricMap
from wavefold.errors import ConfigError, Contradiction, OutOfBudget, WorldError
from wavefold.kernels.constants import NOWHERE
from wavefold.solver import Budget, Problem, Solver
from wavefold.solver.propagators import AreaSize, DistanceLimit, Propagator, RunLimit, find_propagators
from wavefold.solver.search.certificate import build_plane_problem, solve_completely
from wavefold.solver.shares import Shares
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import TileSet
from wavefold.tiles.tileset_arguments import find_fault
from wavefold.topology import make_box
from wavefold.worlds import base as bases
from wavefold.worlds.base import plane_cache_key

MOST_REACH = 256  # steps; more would need chunks of more than a thousand cells
PROBE = 4096, 2  # cells of a map on which the reach of constraints is measured
SMALL_SIDES = (12, 8, 6, 4, 3, 2)  # of a torus, if the usual sizes have no solution
MOST_REFUTED = 8  # cells across an open map, for a proof that no map exists
MOST_CACHED = 16  # bases

# The constraints are kept alive, so that their `repr` in the key stays unique.
known_constrained_bases: BoundedCache[tuple[tuple[Any, ...], NDArray[np.int64]]] = BoundedCache(MOST_CACHED)


def parse_constraints(tiles: TileSet, constraints: object) -> tuple[Any, ...]:
    """Parse the constraints of a world. Raises ConfigError for a constraint that is not local."""
    if not isinstance(constraints, Iterable):
        raise ConfigError(f"constraints must be a list, not {constraints!r:.80}")
    given = tuple(constraints)
    for constraint in given:
        if isinstance(constraint, Shares):
            raise ConfigError("the shares of a world are given as World(…, shares=…)")
        if fault := find_fault(constraint):
            raise ConfigError(fault)
        if measure_reach(tiles, constraint) is None:
            raise ConfigError(
                f"{get_message(constraint)}: a world cannot have a constraint on a whole map",
                advice="use local constraints: Separation, PairSeparation, MaxRun, Parallel or Room. "
                "network=wf.RoadNetwork(...) joins roads everywhere, shares= sets how frequent tiles are, "
                "and fields= where they are",
                flag_advice="use local constraints: --separation, --max-run, --parallel or --room. "
                "--network joins roads everywhere, and --preset sets where tiles are",
            )
    return given


def find_reach(tiles: TileSet, constraints: tuple[Any, ...]) -> int:
    """Return the largest distance, in steps, of cells that can contradict each other; 1 by rules alone."""
    found = [measure_reach(tiles, each) or 1 for each in constraints]
    for reach, constraint in zip(found, constraints, strict=True):
        if reach > MOST_REACH:
            raise ConfigError(
                f"{get_message(constraint)}: a constraint of a world can concern cells at most {MOST_REACH} "
                f"steps apart, not {reach}"
            )
    return max(found, default=1)


def measure_reach(tiles: TileSet, constraint: Any) -> int | None:
    """Return the reach of a constraint; None if it concerns a whole map, or is unknown."""
    if isinstance(constraint, SymmetricMap):  # not defined for the shape of the probe
        return None
    probe = Problem(tiles, make_box(tiles.topology, *PROBE), own_constraints=False)
    propagators = find_propagators(constraint, probe)
    if not propagators:
        return None
    reaches = [find_propagator_reach(each) for each in propagators]
    return None if None in reaches else max(each for each in reaches if each is not None)


def find_propagator_reach(propagator: Propagator) -> int | None:
    """Return the largest distance of cells that a propagator concerns together; None: unlimited."""
    if propagator.area is not None:
        return None
    match propagator:
        case DistanceLimit(distance=distance, across=None):
            return distance
        case RunLimit(most=most):
            return most + 1
        case AreaSize(least=least, most=most):
            return max(least, most or 0) + 1
    return None


@dataclass(frozen=True, slots=True)
class WindowConstraint(PropagatedConstraint):
    """A constraint in a window with its rim; rooms may continue outside."""

    constraint: Any

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """Return the propagators of the constraint."""
        return tuple(
            replace(each, open_border=True) if isinstance(each, AreaSize) else each
            for each in self.constraint.propagators(problem)
        )

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """Return the violations in a region; see `find_violations`."""
        return find_violations(self.constraint, problem, patterns)

    def message(self) -> str:
        """Return the message of the constraint."""
        return get_message(self.constraint)


def find_violations(constraint: Any, problem: Problem, patterns: NDArray[Any]) -> list[str]:
    """Find violations in a rectangle of a world [cell]; rooms at its border may continue outside."""
    smallest = getattr(constraint, "smallest", 1)
    if smallest == 1:
        return list(constraint.violations(problem, patterns))
    neighbour = problem.graph.neighbour
    tiles = np.isin(patterns, problem.patterns_named(constraint.tile))
    at_border = (neighbour == NOWHERE).any(axis=1) & tiles
    # Remove all rooms connected to the border, so that only complete rooms are left.
    while True:
        beyond = at_border[neighbour] & (neighbour != NOWHERE)
        larger = at_border | (tiles & beyond.any(axis=1))
        if (larger == at_border).all():
            break
        at_border = larger
    other = np.flatnonzero(~np.isin(np.arange(len(problem.rules)), problem.patterns_named(constraint.tile)))
    found = list(replace(constraint, smallest=1).violations(problem, patterns))
    if other.size:
        found += constraint.violations(problem, np.where(at_border, other[0], patterns))
    return found


def find_constrained_base(tiles: TileSet, constraints: tuple[Any, ...], reach: int) -> NDArray[np.int64]:
    """Return a repeating map [row, column] that satisfies the constraints; a pure function.

    Raises WorldError if there is none, or none was found.
    """
    key = (plane_cache_key(tiles), repr(constraints))
    return known_constrained_bases.get(key, lambda: (constraints, search_base(tiles, constraints, reach)))[1]


def search_base(tiles: TileSet, constraints: tuple[Any, ...], reach: int) -> NDArray[np.int64]:
    """Search a torus larger than the reach, so that it does not contradict itself."""
    least = reach + 2
    for side in (each for each in bases.SIDES if each >= least):
        found = solve_torus(build_constrained_problem(tiles, side, side, constraints))
        if found is not None:
            return found
    for side in dict.fromkeys(max(least, each) for each in SMALL_SIDES):
        attempt = solve_completely(build_constrained_problem(tiles, side, side, constraints), 0)
        if attempt.patterns is not None:
            return attempt.patterns.astype(np.int64).reshape(side, side)
    raise WorldError(explain_missing(tiles, constraints))


def build_constrained_problem(
    tiles: TileSet, width: int, height: int, constraints: tuple[Any, ...], wraps: bool = True
) -> Problem:
    """Build a problem of the plane with constraints."""
    problem = build_plane_problem(tiles, make_box(tiles.topology, width, height, wraps=wraps))
    return problem.replace(constraints=constraints)


def solve_torus(problem: Problem) -> NDArray[np.int64] | None:
    """Solve a problem by a short search; None if it finds no map."""
    cells = problem.cell_count
    for seed in range(1, bases.SEEDS + 1):
        budget = Budget(
            decisions=bases.DECISIONS + bases.DECISIONS_PER_CELL * cells, backtracks=bases.MOST_CONFLICTS
        )
        try:
            return np.asarray(Solver(problem, seed).run(budget).array)
        except OutOfBudget:
            continue
        except Contradiction:
            return None
    return None


def explain_missing(tiles: TileSet, constraints: tuple[Any, ...]) -> str:
    """Explain why there is no world with these constraints, as far as known."""
    listed = "; ".join(map(get_message, constraints))
    for side in range(1, MOST_REFUTED + 1):
        problem = build_plane_problem(tiles, make_box(tiles.topology, side, side)).replace(constraints=())
        fitting = []
        for constraint in constraints:
            try:
                find_propagators(constraint, problem)
            except ConfigError:  # larger than the map
                continue
            fitting.append(constraint)
        if fitting and solve_completely(problem.replace(constraints=tuple(fitting)), 0).is_proof:
            return (
                f"there is no world with these constraints ({listed}): not even {side} x {side} cells "
                "satisfy them"
            )
    return (
        f"no repeating map was found with these constraints ({listed}), and a world needs one; relax the "
        "constraints"
    )


def get_message(constraint: Any) -> str:
    """Return the message of a constraint, or its repr if it has none."""
    message = getattr(constraint, "message", None)
    return str(message()) if callable(message) else repr(constraint)
