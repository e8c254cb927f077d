"""The tests of windows while a map is refined."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels import constants as c
from wavefold.kernels.host.bitsets import unpack_bits
from wavefold.kernels.refine.structs import WindowTests
from wavefold.solver.engine.propagator_table import tabulate_propagators
from wavefold.solver.problem import Problem
from wavefold.solver.propagators import Network, Propagator, Tally, TwinCells, find_propagators


def build_tests(problem: Problem, propagators: tuple[Propagator, ...]) -> WindowTests:
    """The arrays that kernels test windows with."""
    table = tabulate_propagators(propagators)
    path_side = stack_sides([each.sides for each in propagators if isinstance(each, Network)])
    nodes = problem.cell_count * max(1, path_side.shape[1]) if len(table["propagator"]) else 0
    tallies = sum(isinstance(each, Tally) for each in propagators)
    members = unpack_bits(table["group"], len(problem.rules)) if table["group"].size else table["group"]
    return WindowTests(
        propagator=table["propagator"],
        member=members.astype(np.uint8),
        area=table["area"],
        barrier=table["barrier"],
        path_side=path_side,
        count=np.zeros((tallies, 3), np.int64),
        reached=np.zeros(nodes + 1, np.int64),
        frontier=np.zeros(nodes, np.int32),
        parent=np.zeros(nodes, np.int32),
        waiting=np.zeros(nodes, np.int32),
    )


def stack_sides(sides: list[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """uint32 [network, node, pattern]: the sides of all networks, with as many nodes as the largest."""
    nodes = max((len(each) for each in sides), default=0)
    padded = [np.pad(each, ((0, nodes - len(each)), (0, 0))) for each in sides]
    return np.stack(padded) if padded else np.zeros((0, 0, 0), np.uint32)


def find_untestable(problem: Problem) -> Any:
    """A constraint for which a window of a map cannot be tested, or None."""
    for constraint in problem.constraints:
        propagators = find_propagators(constraint, problem)
        if propagators is None or not all(map(is_testable, propagators)):
            return constraint
    return None


def is_testable(propagator: Propagator) -> bool:
    """Whether it can be tested near a window. Symmetric maps change in several places at once."""
    if isinstance(propagator, Network):
        # Of the cells to be reached, only those that are the same in every map.
        is_fixed = propagator.starts is not None and propagator.starts is propagator.goals
        is_joined = propagator.goal == c.REACHED and is_fixed and propagator.at_most is None
        return propagator.goal in (c.CONNECTED, c.DRAINED) or is_joined
    return not isinstance(propagator, TwinCells)
