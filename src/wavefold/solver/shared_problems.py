"""Problems that maps share: of the same tiles on the same grid, without further arguments."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from wavefold.solver.memory import count_cells, estimate_map_memory
from wavefold.solver.problem import Problem
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import Rules, TileSet
from wavefold.topology import Lattice, Topology

MOST_KEPT_CELLS = 1 << 12  # of a problem that stays for the next call
MOST_KEPT_PROBLEMS, MOST_KEPT_BYTES = 8, 64 << 20


def estimate_bytes(problem: Problem) -> int:
    """The estimated memory of a problem, with the arrays that engines reuse."""
    return estimate_map_memory(problem.rules, problem.cell_count)


_small_problems: BoundedCache[Problem] = BoundedCache(MOST_KEPT_BYTES, estimate_bytes, MOST_KEPT_PROBLEMS)
_large_problems: WeakValueDictionary[tuple[int, Topology], Problem] = WeakValueDictionary()


def make_problem(tiles: TileSet | Rules, topology: Topology, **options: Any) -> Problem:
    """Make a problem from the arguments of `Problem`. Without arguments it is shared, see `bare_problem`."""
    is_bare = all(options.get(name) is None for name in ("pins", "weights", "masks", "fields"))
    constraints = options.get("constraints", ())
    if (
        is_bare
        and isinstance(constraints, tuple)
        and not constraints
        and options.get("own_constraints", True)
    ):
        return bare_problem(tiles, topology)
    return Problem(tiles, topology, **options)


def bare_problem(tiles: TileSet | Rules, topology: Topology) -> Problem:
    """The problem of these tiles on this grid, shared by all maps with these arguments.

    Large problems are kept while they or their maps are in use. The last small problems are always kept,
    because building the problem would take most of the time of a small map.
    """
    if not isinstance(topology, Lattice):  # others need not have a hash
        return Problem(tiles, topology)
    name = id(tiles), topology
    if count_cells(topology) <= MOST_KEPT_CELLS:
        return _small_problems.get(name, lambda: Problem(tiles, topology))
    problem = _large_problems.get(name)
    if problem is None or problem.tiles is not tiles:  # an id may be used again
        problem = _large_problems[name] = Problem(tiles, topology)
    return problem
