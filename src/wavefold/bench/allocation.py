"""No allocation: a search neither asks Numba nor Python for memory, however long it is."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numba
import numpy as np
from numba.core.runtime.nrt import rtsys

from wavefold.bench.attempts import prepared_engine
from wavefold.bench.figures import Section
from wavefold.bench.rulesets import usual_tiles
from wavefold.bench.setup import Setup
from wavefold.kernels.jit import COMPILED
from wavefold.solver import Problem
from wavefold.solver.engine.engine import Engine
from wavefold.topology import SquareGrid

HOW = (
    "one call of engine.advance for a whole {side}x{side} map; allocations: Numba's own statistics "
    "around it; bytes: the peak that tracemalloc saw during it; control: a kernel that allocates 100 arrays"
)


def no_allocation(setup: Setup) -> Section:
    """Both orders; and a control, so that a zero means something."""
    side = 4 * setup.effort.map_side
    name, tiles = usual_tiles(setup.reference)
    section = Section("allocation", f"No allocation while searching: {name}", HOW.format(side=side))
    if not COMPILED:
        return section.skip("kernels are not compiled")
    problem = Problem(tiles, SquareGrid(side, side))
    for order in ("scanline", "entropy"):
        prepared_engine(problem, order, 0).advance()
        measure_search(section, prepared_engine(problem, order, 1), order)
        measure_bytes(section, prepared_engine(problem, order, 1), order)
    wasteful: Any = numba.njit(allocate)
    wasteful(1)  # compiles
    section.add("control", "allocations", allocations_of(lambda: wasteful(100)), "", ">= 100")
    return section


def measure_search(section: Section, engine: Engine, order: str) -> None:
    """Allocations in compiled code."""
    count = allocations_of(engine.advance)
    section.add(order, "decisions", engine.decision_count)
    section.add(order, "allocations", count, "", "= 0")


def measure_bytes(section: Section, engine: Engine, order: str) -> None:
    """Bytes that Python and NumPy allocate around the kernels."""
    tracemalloc.start()
    engine.advance()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    section.add(order, "peak bytes", peak)
    section.add(order, "bytes per decision", peak / max(1, engine.decision_count), "", "< 1")


def allocations_of(call: Callable[[], object]) -> int:
    """How often compiled code asked for memory during a call."""
    runtime = import_module("numba.core.runtime._nrt_python")  # counts only while it is told to
    runtime.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    call()
    after = rtsys.get_allocation_stats()
    runtime.memsys_disable_stats()
    return int(after.alloc - before.alloc + after.mi_alloc - before.mi_alloc)


def allocate(times: int) -> float:
    """A kernel as it should not be, once it is compiled."""
    total = 0.0
    for number in range(times):
        total += np.full(64, number)[number % 64]
    return total
