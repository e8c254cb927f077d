"""What programs take before they do anything, and what is spent around kernels on small maps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from timeit import repeat
from typing import Any

from benchmarks.data import Setup
from benchmarks.figures import FigureSection, measure_time, prepare_engine, run_probe
from wavefold.kernels import constants as c
from wavefold.kernels import search
from wavefold.kernels.host.library import SCOPES
from wavefold.kernels.units import COMPILED
from wavefold.solver import Problem, Solver
from wavefold.tiles import TileSet
from wavefold.topology import HexGrid, SquareGrid

START_HOW = "processor time of fresh processes, the start of Python included; the least of {runs} runs"


def measure_start(setup: Setup) -> FigureSection:
    """Imports, commands and the server, each in processes of their own."""
    runs = setup.effort.start_runs
    section = FigureSection("start", "Start", START_HOW.format(runs=runs))

    def measure(probe: Callable[..., dict[str, float]], *arguments: str) -> float:
        return min(run_probe(probe, *arguments)["seconds"] for _ in range(runs))

    def add(row: str, seconds: float, without: float, goal: str) -> None:
        section.add(row, "time", seconds, "s")
        section.add(row, "beyond imports", seconds - without, "s", goal)

    numpy = measure(import_packages, "numpy")
    add("import numpy, wavefold", measure(import_packages, "numpy", "wavefold"), numpy, "<= 0.05")
    section.add("wavefold --help", "time", measure(run_command, "--help"), "s", "<= 0.2")
    with TemporaryDirectory() as folder:
        picture = str(Path(folder, "map.png"))
        terrain = measure(run_command, "generate", "terrain", "-o", picture)
        add("wavefold generate terrain -o map.png; without NumPy", terrain, numpy, "<= 0.6")
        served = measure(serve_until_ready, folder)
        imports = measure(import_packages, "fastapi", "numpy")
        add("wavefold serve, until /readyz; without FastAPI and NumPy", served, imports, "<= 0.5")
    return section


def import_packages(*names: str) -> dict[str, float]:
    """The processor time of a process that only imports."""
    from importlib import import_module
    from time import process_time

    for name in names:
        import_module(name)
    return {"seconds": process_time()}


def run_command(*arguments: str) -> dict[str, float]:
    """The processor time of a process that runs a command."""
    import os
    import sys
    from contextlib import redirect_stderr, redirect_stdout, suppress
    from runpy import run_module
    from time import process_time

    sys.argv = ["wavefold", *arguments]

    with (
        open(os.devnull, "w", encoding="utf-8") as nothing,
        redirect_stdout(nothing),
        redirect_stderr(nothing),
        suppress(SystemExit),
    ):
        run_module("wavefold", run_name="__main__")
    return {"seconds": process_time()}


def serve_until_ready(folder: str) -> dict[str, float]:
    """The processor time of a server up to its first answer at /readyz. The process ends here."""
    import json
    import os
    import socket
    import sys
    from runpy import run_module
    from threading import Thread
    from time import process_time, sleep

    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()

    def ask() -> bool:
        try:
            with socket.create_connection(address) as connection:
                connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return connection.recv(64).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def wait() -> None:
        while not ask():
            sleep(0.01)
        print(json.dumps({"seconds": process_time()}), flush=True)
        os._exit(0)

    Thread(target=wait, daemon=True).start()
    sys.argv = ["wavefold", "serve", "--port", str(address[1]), "--data", folder]
    run_module("wavefold", run_name="__main__")
    raise AssertionError("the server ended before it was ready")


SMALL_SIDE = 16
SMALL_MAPS = 30  # in a row: one is too short for the clock
GOALS = {"pipes": 0.12, "castle": 0.12, "meadow": 0.25, "knots": 0.25}  # processor ms
SMALL_SETS = (*GOALS, "terrain", "dungeon", "circuit", "medieval")
CALLS = 20_000
SMALL_HOW = (
    f"{SMALL_SIDE}x{SMALL_SIDE}, Solver(problem, seed).run() on a ready problem, {SMALL_MAPS} seeds in a "
    "row, per map: processor time; outside kernels: wall-clock time less that of the calls of the library; a "
    "call: wall-clock time of `advance`, which returns at once; the least of {turns} turns"
)


def measure_small_maps(setup: Setup) -> FigureSection:
    """Small maps of bundled sets, and one call of a kernel."""
    turns = 3 * setup.effort.start_runs
    section = FigureSection("small", "Small maps and calls", SMALL_HOW.format(turns=turns))
    if not COMPILED:
        return section.skip("kernels are not compiled")
    for name in SMALL_SETS:
        tiles = TileSet.load(name)
        side = SMALL_SIDE
        grid = HexGrid.rectangle(side, side) if tiles.topology == "hex" else SquareGrid(side, side)
        problem = Problem(tiles, grid)
        solve_small(problem)
        ms = min(measure_time(solve_small, problem)[0] for _ in range(turns)) / SMALL_MAPS
        section.add(name, "time", ms, "ms", f"<= {GOALS[name]}" if name in GOALS else "")
        with clock_kernels() as clock:
            outside = min(measure_outside(problem, clock) for _ in range(turns)) / SMALL_MAPS
        section.add(name, "outside kernels", outside, "ms", "<= 0.05")
    section.add("a call with four structs", "time", measure_call(turns), "µs", "<= 1")
    return section


def solve_small(problem: Problem) -> None:
    """A map for each of some seeds."""
    for seed in range(SMALL_MAPS):
        Solver(problem, seed).run()


def measure_outside(problem: Problem, clock: Counter[str]) -> float:
    """Milliseconds of `solve_small` that are not spent in kernels."""
    clock.clear()
    started = perf_counter()
    solve_small(problem)
    return (perf_counter() - started - clock.total()) * 1e3


@contextmanager
def clock_kernels() -> Iterator[Counter[str]]:
    """{kernel: seconds spent in it} while this lasts."""
    spent: Counter[str] = Counter()
    calls = {name: scope["call"] for name, scope in SCOPES.items()}

    def time_call(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            started = perf_counter()
            result = call(*arguments)
            spent[name] += perf_counter() - started  # type: ignore[assignment]
            return result

        return run

    for name, call in calls.items():
        SCOPES[name]["call"] = time_call(name, call)
    try:
        yield spent
    finally:
        for name, call in calls.items():
            SCOPES[name]["call"] = call


def measure_call(turns: int) -> float:
    """Microseconds of a call that does nothing."""
    engine = prepare_engine(Problem(TileSet.load("pipes"), SquareGrid(4, 4)), "entropy", 0)
    structs = (engine.wave, engine.queue, engine.table, engine.graph)
    engine.state[c.WORK_LEFT] = -1
    return min(repeat(lambda: search.advance(*structs), number=CALLS, repeat=turns)) / CALLS * 1e6
