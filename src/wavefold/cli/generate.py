"""`wavefold generate`: maps, from a name and a size."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

import wavefold as wf
from wavefold.cli.outputs import check_outputs, is_animation, named_for, write
from wavefold.cli.sources import Task, Wishes
from wavefold.errors import Contradiction, OutOfBudget, WavefoldError

__all__ = ["Request", "compiling", "grow", "progress_shown"]

PROGRESS_EVERY = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    wishes: Wishes
    outputs: tuple[Path, ...]
    partial: bool
    as_json: bool


def grow(request: Request) -> None:
    """Solve, then write or show. What would fail at the end is checked before the work."""
    task = Task.of(request.wishes)
    check_outputs(request.outputs, len(task.seeds))
    started = perf_counter()
    maps: list[wf.Solution] = []
    for seed in task.seeds:
        maps.append(solve(task, seed, request))
    seconds = perf_counter() - started
    written = [
        str(name)
        for path in request.outputs
        if not is_animation(path)
        for name in write(maps, path, picture_options(task))
    ]
    moving = [path for path in request.outputs if is_animation(path)]
    written += [str(named_for(path, seed)) for path in moving for seed in task.seeds]
    report(maps, task, request, written, seconds)


def solve(task: Task, seed: int, request: Request) -> wf.Solution:
    """One map, and the animations of how it came about."""
    animations = [path for path in request.outputs if is_animation(path)]
    solver = task.solver(seed)
    recording = None
    if animations:
        from wavefold.render import Recording

        recording = Recording(solver)
    with compiling(), progress_shown() as progress:
        try:
            solution = solver.run(task.budget, progress)
        except (Contradiction, OutOfBudget) as error:
            if request.partial:
                save_partial(solver, error, request, picture_options(task))
            raise
    if recording is not None:
        for path in animations:
            recording.animation().save(named_for(path, seed), **animation_options(task))
    return solution


def save_partial(solver: wf.Solver, error: WavefoldError, request: Request, options: dict[str, Any]) -> None:
    """What was decided, with the undecided cells by their entropy; conflicts are marked."""
    from wavefold.plugins import available

    conflicts = [error.cell] if isinstance(error, Contradiction) and error.cell is not None else []
    for path in request.outputs:
        ending = path.suffix.lower()
        if ending in available("partial_writer"):
            pictured = ending in (".png", ".svg")
            extra = options | {"show": "entropy", "conflicts": conflicts} if pictured else {}
            solver.partial().save(named_for(path, solver.seed), **extra)
            typer.echo(f"wavefold: {path} holds what was decided", err=True)


def picture_options(task: Task) -> dict[str, Any]:
    """How pictures are drawn; what is not set is left to the renderer."""
    return {name: value for name, value in task.effective.picture_parts().items() if value is not None}


def animation_options(task: Task) -> dict[str, Any]:
    """The same for moving pictures, which choose a size of their own."""
    options = picture_options(task)
    return {name: options[name] for name in ("tile_size", "layers") if name in options}


@contextmanager
def compiling() -> Iterator[None]:
    """Say why the first solve ever takes longer than all that follow."""
    from wavefold.kernels.jit import is_warm

    warm = is_warm()
    if not warm:
        typer.echo("compiling the kernels, once: about fifteen seconds…", err=True)
    yield
    if not warm:
        typer.echo("…done", err=True)


@contextmanager
def progress_shown() -> Iterator[Callable[[int, int], None] | None]:
    """A line on stderr that is rewritten as cells are decided, and wiped at the end; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown_at = perf_counter()  # a map that takes no time shows no progress

    def show(decided: int, total: int) -> None:
        nonlocal shown_at
        if perf_counter() - shown_at >= PROGRESS_EVERY:
            shown_at = perf_counter()
            sys.stderr.write(f"\r{decided:,} of {total:,} cells ({decided / total:.0%})\x1b[K")
            sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def report(maps: list[wf.Solution], task: Task, request: Request, written: list[str], seconds: float) -> None:
    """What was done: JSON alone, or a line for people (after the map itself, if it was not written)."""
    if request.as_json:
        typer.echo(json.dumps(as_data(maps, task, written, seconds), ensure_ascii=False))
        return
    if not written:
        from wavefold.cli.terminal import show

        for solution in maps:
            show(solution)
    decisions = sum(each.stats.decisions for each in maps)
    taken_back = sum(each.stats.backtracks for each in maps)
    effort = f"{decisions:,} decisions, {taken_back:,} taken back, {seconds:.2f} s"
    seeds = f"seed {task.seeds[0]}" if len(maps) == 1 else f"seeds {task.seeds[0]} to {task.seeds[-1]}"
    summary = f"{task.tiles.name or 'map'}, {size_in_words(task)}, {seeds}: {effort}"
    typer.echo(f"{', '.join(written)} — {summary}" if written else summary, err=not written)


def size_in_words(task: Task) -> str:
    generate = task.effective.config.generate
    return f"radius {generate.radius}" if generate.radius is not None else "x".join(map(str, generate.size))


def as_data(maps: list[wf.Solution], task: Task, written: list[str], seconds: float) -> dict[str, Any]:
    """Plain data; it carries the first map itself unless a file does."""
    generate = task.effective.config.generate
    data: dict[str, Any] = {
        "tileset": generate.tileset,
        "size": list(task.topology.shape[::-1]),
        "radius": generate.radius,
        "seed": generate.seed,
        "wrap": generate.wrap,
        "outputs": written,
        "seconds": round(seconds, 6),
        "maps": [{"seed": each.seed, "stats": each.stats.to_dict()} for each in maps],
    }
    if not written:
        data["names"] = list(maps[0].problem.rules.names)
        for entry, solution in zip(data["maps"], maps, strict=True):
            entry["map"] = solution.array.tolist()  # [row][column], indices into names; -1: no cell
    return data
