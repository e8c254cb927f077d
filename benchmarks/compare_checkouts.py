"""Compare the speed of two checkouts in one run.

    python benchmarks/compare_checkouts.py BEFORE [AFTER] [WORKLOAD…]

BEFORE and AFTER are folders; AFTER is this checkout, if not given. Both run with this Python and its
packages; kernels are built where a checkout has none. Each workload runs in processes of both in turns, so
that noise of the machine meets both, and ratios are printed. Processor time: the least over seeds, and the
median, of each process; of those, the least.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROUNDS, TURNS, SEEDS = 5, 5, 9


def solve_maps(tiles: str, side: int) -> list[float]:
    """Milliseconds of a map for each seed, on a ready problem."""
    import wavefold as wf

    source = wf.TileSet.load(tiles) if tiles in wf.tilesets() else wf.learn(tiles, n=3)
    problem = wf.Problem(source, wf.SquareGrid(side, side))
    return time_turns([partial(run_solver, problem, seed) for seed in range(SEEDS)])


def run_solver(problem: Any, seed: int) -> None:
    """Solve with a new solver."""
    import wavefold as wf

    wf.Solver(problem, seed).run()


def refine_maps(tiles: str, side: int, sweeps: int = 8) -> list[float]:
    """Milliseconds of a sweep."""
    import wavefold as wf

    solution = wf.generate(wf.TileSet.load(tiles), wf.SquareGrid(side, side), seed=1, refine=False)
    times = time_turns([partial(solution.refine, sweeps, seed=seed) for seed in range(SEEDS)])
    return [each / sweeps for each in times]


def make_small_maps(tiles: str, calls: int = 40) -> list[float]:
    """Milliseconds of a call of `generate` for a small map."""
    import wavefold as wf

    def make() -> None:
        for seed in range(calls):
            wf.generate(source, wf.SquareGrid(8, 8), seed=seed, refine=False)

    source = wf.TileSet.load(tiles)
    return [each / calls for each in time_turns([make])]


def make_chunks(tiles: str, side: int = 3) -> list[float]:
    """Milliseconds of a chunk of a new world."""
    import wavefold as wf

    source = wf.TileSet.load(tiles)
    wf.World(source, seed=0).chunk(0, 0)  # prepares what worlds of a set share

    def make(seed: int) -> None:
        world = wf.World(source, seed=seed)
        for number in range(side * side):
            world.chunk(number % side, number // side)

    return [each / side**2 for each in time_turns([partial(make, seed) for seed in (1, 2)])]


def populate_patchwork(tiles: str) -> list[float]:
    """Milliseconds of a patchwork of nineteen grids."""
    import wavefold as wf

    source = wf.TileSet.load(tiles)

    def make(seed: int) -> None:
        patchwork = wf.Patchwork(source, radius=8, seed=seed)
        patchwork.populate_all([(x, y) for x in range(-2, 3) for y in range(-2, 3)])

    return time_turns([partial(make, seed) for seed in (1, 2)])


def time_turns(calls: list[Callable[[], Any]]) -> list[float]:
    """Milliseconds of each call: the least of some turns, after one that fills caches."""
    least = [float("inf")] * len(calls)
    for _ in range(1 + TURNS):
        for number, call in enumerate(calls):
            started = process_time()
            call()
            least[number] = min(least[number], (process_time() - started) * 1e3)
    return least


SETS = ("pipes", "knots", "castle", "terrain", "circuit", "meadow")
WORKLOADS: dict[str, Callable[[], list[float]]] = {
    **{f"solve {name}": partial(solve_maps, name, 64) for name in SETS},
    **{f"learned {name}": partial(solve_maps, name, 48) for name in ("islands", "metro", "cave")},
    **{f"sweep {name}": partial(refine_maps, name, 64) for name in ("castle", "meadow", "dungeon")},
    **{f"small {name}": partial(make_small_maps, name) for name in ("pipes", "castle")},
    **{f"chunk {name}": partial(make_chunks, name) for name in ("terrain", "castle")},
    "patchwork medieval": partial(populate_patchwork, "medieval"),
}


def compare(before: Path, after: Path, names: list[str]) -> None:
    """Print a line with ratios for each workload."""
    for name in names:
        found: dict[Path, list[tuple[float, float]]] = {before: [], after: []}
        for _ in range(ROUNDS):
            for folder, results in found.items():
                command = [sys.executable, __file__, "--run", name]
                environment = os.environ | {"PYTHONPATH": str(folder / "src")}
                done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
                times = json.loads(done.stdout)
                results.append((min(times), median(times)))
        (least, middle), (new_least, new_middle) = (
            [min(column) for column in zip(*results, strict=True)] for results in found.values()
        )
        print(
            f"{name:20} least {least:8.3f} -> {new_least:8.3f} ms  x{new_least / least:.2f}   "
            f"median {middle:8.3f} -> {new_middle:8.3f} ms  x{new_middle / middle:.2f}",
            flush=True,
        )


def main(arguments: list[str]) -> None:
    """Run one workload in this process, or compare two checkouts."""
    if arguments[:1] == ["--run"]:
        print(json.dumps(WORKLOADS[arguments[1]]()))
        return
    folders = [Path(each).resolve() for each in arguments if each not in WORKLOADS and Path(each).is_dir()]
    names = [each for each in arguments if each in WORKLOADS]
    if not folders or len(folders) + len(names) < len(arguments):
        sys.exit(f"{__doc__}\nWorkloads: {', '.join(WORKLOADS)}")
    here = Path(__file__).resolve().parents[1]
    compare(folders[0], folders[1] if len(folders) > 1 else here, names or list(WORKLOADS))


if __name__ == "__main__":
    main(sys.argv[1:])
