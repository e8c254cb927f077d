"""Compile the kernels ahead of time: when an image is built, before tests run, or at the start of a game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from wavefold.api import generate
from wavefold.constraints import Count
from wavefold.errors import ConfigError, Contradiction, OutOfBudget
from wavefold.fields import Fields, preset
from wavefold.kernels.jit import COMPILED, STORE
from wavefold.kernels.listeners import listen_to_compiler
from wavefold.kernels.on_demand import prepare_all
from wavefold.patchwork import Patchwork
from wavefold.solver import Heuristics, Ladder, Problem, Solver
from wavefold.tiles import TileSet, learn, samples
from wavefold.topology import SquareGrid
from wavefold.world import World

STEPS = 3_000  # decisions; enough for everything to be called


@dataclass(frozen=True)
class WarmupReport:
    """Where compiled kernels are.

    folder : None if they could not be kept
    kernels, bytes : in the folder, now
    compiled : names of the kernels that were compiled by this call, and in how many seconds
    """

    folder: Path | None
    kernels: int
    bytes: int
    compiled: tuple[str, ...]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self) | {"folder": None if self.folder is None else str(self.folder)}


def warmup(everything: bool = False) -> WarmupReport:
    """Compile what maps, worlds and patchworks need, so that nobody waits for it later.

    everything : also what few problems need, such as `propagation="ac4"`, combined orders and callbacks
    Raises `ConfigError` where Numba is switched off.
    """
    if not COMPILED:
        raise ConfigError("there is nothing to compile: Numba is switched off by NUMBA_DISABLE_JIT")
    compiled: list[str] = []
    started = perf_counter()
    with listen_to_compiler(lambda name: compiled.append(name) if name else None):
        solve_common()
        if everything:
            solve_rare()
    folder, kernels, size = STORE.usage()
    return WarmupReport(folder, kernels, size, tuple(compiled), round(perf_counter() - started, 2))


def solve_common() -> None:
    """Small problems of the usual kinds: few patterns, many, a learned sample; a world, a patchwork."""
    small = SquareGrid(12, 12)
    castle, terrain = TileSet.load("castle"), TileSet.load("terrain")
    for tiles in (castle, terrain, learn(samples()[0])):
        generate(tiles, small)
    limited = Problem(castle, small, constraints=[Count(castle.tiles[0].name, at_most=1)])
    run_briefly(Solver(limited, 1))
    repairing = Ladder(patience=0, jumps=1, repairs=1, restarts=1)
    run_briefly(Solver(Problem(castle, SquareGrid(24, 24)), 1, "entropy", search=repairing))
    fields = Fields(**preset("terrain")).with_factors({terrain.tiles[0].name: lambda _fields: 1.0})
    World(terrain, chunk=24, fields=fields).chunk(0, 0)
    Patchwork(TileSet.load("medieval"), radius=3, presets=True).populate((0, 0))


def solve_rare() -> None:
    """Every way to propagate, to undo and to choose."""
    problem = Problem(TileSet.load("castle"), SquareGrid(8, 8))
    for undo in ("delta", "snapshot"):
        run_briefly(Solver(problem, 1, "entropy", "ac4", undo=undo))
    solver = Solver(problem, 1, Heuristics(order="both", central=True, degree=1.0))
    solver.step()
    solver.undo()
    solver.entropy()
    run_briefly(Solver(problem, 1, choice=lambda *numbers: numbers[2]))
    prepare_all()


def run_briefly(solver: Solver) -> None:
    """Solve, or try to."""
    with suppress(Contradiction, OutOfBudget):
        solver.run(STEPS)
