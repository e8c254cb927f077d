"""Constraints that hold everywhere in a world: how far they reach, and a base that keeps them.

A world has no end and is made window by window. So a constraint must be about cells that are near each
other: then a window keeps it if its rim is as wide as the constraint reaches, and if no other window of its
stage is that near. The base is searched with the constraints, on a torus wider than their reach.
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
from wavefold.worlds.base import plane_key

FARTHEST = 256  # steps: more would need chunks of more than a thousand cells
PROBE = 4096, 2  # cells of a map on which the reach of constraints is measured
SMALL_SIDES = (12, 8, 6, 4, 3, 2)  # of a torus, if none of the usual ones is found; at least what is needed
REFUTED = 8  # the largest open map that is tried to prove that nothing exists
KEPT = 16  # bases in memory

# By rules and constraints, with the constraints: while they are here, no other has their `repr`.
known_bases: BoundedCache[tuple[tuple[Any, ...], NDArray[np.int64]]] = BoundedCache(KEPT)


def parse_constraints(tiles: TileSet, constraints: object) -> tuple[Any, ...]:
    """The constraints of a world. Raises ConfigError for one that is not about cells near each other."""
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
                f"{describe(constraint)}: that is about a whole map, and a world has no end",
                advice="constraints of a world are about cells near each other: Separation, PairSeparation, "
                "MaxRun, Parallel, Room. To join roads everywhere, use network=wf.RoadNetwork(...); for how "
                "much there is of a tile, shares=; for what lies where, fields=",
                flag_advice="constraints of a world are about cells near each other: --separation, "
                "--max-run, --parallel, --room. To join roads everywhere, use --network; for what lies "
                "where, --preset",
            )
    return given


def find_reach(tiles: TileSet, constraints: tuple[Any, ...]) -> int:
    """The largest distance, in steps, of cells that can contradict each other; 1 by the rules alone."""
    found = [measure_reach(tiles, each) or 1 for each in constraints]
    for reach, constraint in zip(found, constraints, strict=True):
        if reach > FARTHEST:
            raise ConfigError(
                f"{describe(constraint)}: cells up to {reach} steps apart are too far for a world; at most "
                f"{FARTHEST} are possible"
            )
    return max(found, default=1)


def measure_reach(tiles: TileSet, constraint: Any) -> int | None:
    """How far a constraint reaches; None if it is about a whole map, or unknown."""
    if isinstance(constraint, SymmetricMap):  # for any shape of the probe
        return None
    probe = Problem(tiles, make_box(tiles.topology, *PROBE), own_constraints=False)
    propagators = find_propagators(constraint, probe)
    if not propagators:
        return None
    reaches = [reach_of(each) for each in propagators]
    return None if None in reaches else max(each for each in reaches if each is not None)


def reach_of(propagator: Propagator) -> int | None:
    """The largest distance of cells that can break a rule together; None: unlimited."""
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
    """A constraint in a window with its rim: rooms may go on outside."""

    constraint: Any

    def propagators(self, problem: Problem) -> tuple[Propagator, ...]:
        """The propagators of the constraint."""
        return tuple(
            replace(each, open_border=True) if isinstance(each, AreaSize) else each
            for each in self.constraint.propagators(problem)
        )

    def violations(self, problem: Problem, patterns: NDArray[np.int64]) -> list[str]:
        """None for a window; `find_violations` checks regions."""
        return find_violations(self.constraint, problem, patterns)

    def message(self) -> str:
        """The message of the constraint."""
        return describe(self.constraint)


def find_violations(constraint: Any, problem: Problem, patterns: NDArray[Any]) -> list[str]:
    """The violations in a rectangle of a world [cell]; rooms at its border are not too small."""
    smallest = getattr(constraint, "smallest", 1)
    if smallest == 1:
        return list(constraint.violations(problem, patterns))
    neighbour = problem.graph.neighbour
    tiles = np.isin(patterns, problem.patterns_named(constraint.tile))
    at_border = (neighbour == NOWHERE).any(axis=1) & tiles
    # Everything joined with the border is removed, so that only whole rooms are left.
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
    """[row, column] a repeating map that keeps the constraints; a pure function of the arguments.

    Raises WorldError if there is none, or none was found.
    """
    key = (plane_key(tiles), repr(constraints))
    return known_bases.get(key, lambda: (constraints, search_base(tiles, constraints, reach)))[1]


def search_base(tiles: TileSet, constraints: tuple[Any, ...], reach: int) -> NDArray[np.int64]:
    """See `find_constrained_base`. The torus must be wider than the reach of contradictions around it."""
    least = reach + 2
    for side in (each for each in bases.SIDES if each >= least):
        found = solve_torus(constrain(tiles, side, side, constraints))
        if found is not None:
            return found
    for side in dict.fromkeys(max(least, each) for each in SMALL_SIDES):
        attempt = solve_completely(constrain(tiles, side, side, constraints), 0)
        if attempt.patterns is not None:
            return attempt.patterns.astype(np.int64).reshape(side, side)
    raise WorldError(explain_missing(tiles, constraints))


def constrain(
    tiles: TileSet, width: int, height: int, constraints: tuple[Any, ...], wraps: bool = True
) -> Problem:
    """A problem of the plane with constraints."""
    problem = build_plane_problem(tiles, make_box(tiles.topology, width, height, wraps=wraps))
    return problem.replace(constraints=constraints)


def solve_torus(problem: Problem) -> NDArray[np.int64] | None:
    """A map of a problem, if a short search finds one."""
    cells = problem.cell_count
    for seed in range(1, bases.SEEDS + 1):
        budget = Budget(
            decisions=bases.DECISIONS + bases.DECISIONS_PER_CELL * cells, backtracks=bases.CONFLICTS
        )
        try:
            return np.asarray(Solver(problem, seed).run(budget).array)
        except OutOfBudget:
            continue
        except Contradiction:
            return None
    return None


def explain_missing(tiles: TileSet, constraints: tuple[Any, ...]) -> str:
    """Why there is no world with these constraints, as far as known."""
    listed = "; ".join(map(describe, constraints))
    for side in range(1, REFUTED + 1):
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
                f"there is no world with these constraints ({listed}): not even {side} x {side} cells of "
                "these tiles keep them"
            )
    return (
        f"no map that repeats over the plane was found with these constraints ({listed}), and a world starts "
        "from one; loosen them"
    )


def describe(constraint: Any) -> str:
    """A constraint in a message, by its author's description if there is one."""
    message = getattr(constraint, "message", None)
    return str(message()) if callable(message) else repr(constraint)
