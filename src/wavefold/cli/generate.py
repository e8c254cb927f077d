"""`wavefold generate`: maps, from a name and a size."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import typer

import wavefold as wf
from wavefold.cli import ledger
from wavefold.cli.outputs import (
    check_apart,
    check_outputs,
    check_writing,
    in_flags,
    is_animation,
    is_sheet,
    named_for,
    write_map,
    write_sheet,
)
from wavefold.cli.program import say_json
from wavefold.cli.sources import Task, Wishes
from wavefold.errors import Contradiction, OutOfBudget, WavefoldError

PROGRESS_EVERY = 0.1  # seconds
SHOWN = 12  # files or seeds that are named


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    wishes: Wishes
    outputs: tuple[Path, ...]
    partial: bool
    as_json: bool


class Made(NamedTuple):
    """A map that is finished; itself only as long as somebody needs it."""

    seed: int
    stats: Any
    solution: wf.Solution | None


class Failed(NamedTuple):
    """A map that was not made, why, and what was spent on it."""

    seed: int
    error: Contradiction | OutOfBudget
    stats: Any


@dataclass(slots=True)
class Progress:
    """How far the command has come."""

    made: list[Made] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    seconds: float = 0.0  # spent on solving


def grow(request: Request) -> None:
    """Solve, then write or show. What would fail at the end is checked before the work."""
    ledger.keep()
    with ledger.reading() as inputs:
        task = Task.of(request.wishes)
    options = picture_options(task)
    check_outputs(request.outputs, len(task.seeds))
    check_apart(request.outputs, task.seeds, inputs)
    check_writing(task.problem, request.outputs, len(task.seeds), options)
    progress = Progress()
    for seed in task.seeds:
        solve(task, seed, request, progress)
        if progress.failed and isinstance(progress.failed[-1].error, Contradiction):
            break  # with another seed it is as impossible; out of budget it need not be
    whole = [each.solution for each in progress.made if each.solution is not None]
    for path in request.outputs:
        if is_sheet(path, len(task.seeds)) and whole:
            write_sheet(whole, path, options)
    report(progress, task, request)
    if progress.failed:
        raise failure(progress, task)


def solve(task: Task, seed: int, request: Request, progress: Progress) -> None:
    """One map, and its own files, as soon as it is there."""
    animations = [path for path in request.outputs if is_animation(path)]
    started = perf_counter()
    solver = task.solver(seed)
    recording = None
    if animations:
        from wavefold.render import Recording

        recording = Recording(solver)
    try:
        with compiling(), progress_shown() as shown:
            solution = solver.run(task.budget, shown)
    except (Contradiction, OutOfBudget) as error:
        progress.seconds += perf_counter() - started
        if request.partial:
            keep_partial(task, solver, error, request)
            film(recording, animations, task, seed)
            for path in animations:
                typer.echo(f"wavefold: {named_for(path, seed)} shows how far it came", err=True)
        progress.failed.append(Failed(seed, error, solver.stats))
        return
    progress.seconds += perf_counter() - started
    count = len(task.seeds)
    for path in request.outputs:
        if not is_animation(path) and not is_sheet(path, count):
            write_map(solution, path, seed, picture_options(task))
    film(recording, animations, task, seed)
    is_needed = not request.outputs or any(is_sheet(path, count) for path in request.outputs)
    progress.made.append(Made(seed, solution.stats, solution if is_needed else None))


def film(recording: Any, animations: Sequence[Path], task: Task, seed: int) -> None:
    """The files that show the solve, finished or not."""
    for path in animations:
        with in_flags():
            recording.animation().save(named_for(path, seed), **animation_options(task))
        ledger.note(named_for(path, seed))


def keep_partial(task: Task, solver: wf.Solver, error: WavefoldError, request: Request) -> None:
    """What was decided, with the undecided cells by their entropy; conflicts are marked."""
    from wavefold.map_format import find_format

    if not request.outputs and not request.as_json:
        from wavefold.cli.terminal import show

        show(solver.partial())
    conflicts = [error.cell] if isinstance(error, Contradiction) and error.cell is not None else []
    for path in request.outputs:
        if find_format(path, "write_partial") is not None and not is_sheet(path, len(task.seeds)):
            pictured = path.suffix.lower() in (".png", ".svg")
            extra = {"show": "entropy", "conflicts": conflicts} if pictured else {}
            write_map(solver.partial(), path, solver.seed, picture_options(task), extra)
            typer.echo(f"wavefold: {named_for(path, solver.seed)} holds what was decided", err=True)


def failure(progress: Progress, task: Task) -> WavefoldError:
    """What to end with: the error of the only map; of several, which seeds failed."""
    first = progress.failed[0].error
    if len(task.seeds) == 1 or isinstance(first, Contradiction):
        return first
    seeds = ", ".join(str(each.seed) for each in progress.failed[:SHOWN])
    more = ", …" if len(progress.failed) > SHOWN else ""
    done = f"{len(progress.made):,} of {len(task.seeds):,} maps were made"
    word = "seed" if len(progress.failed) == 1 else "seeds"
    return OutOfBudget(f"{word} {seeds}{more} failed, {done}; {first}")


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
def progress_shown(what: str = "decided") -> Iterator[Callable[[int, int], None] | None]:
    """A line on stderr that is rewritten as cells are decided, and wiped at the end; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    shown_at = perf_counter()  # a map that takes no time shows no progress

    def show(done: int, total: int) -> None:
        nonlocal shown_at
        if perf_counter() - shown_at >= PROGRESS_EVERY:
            shown_at = perf_counter()
            sys.stderr.write(f"\r{done:,} of {total:,} cells {what} ({done / total:.0%})\x1b[K")
            sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def report(progress: Progress, task: Task, request: Request) -> None:
    """What was done: JSON alone, or a line for people (after the map itself, if it was not written)."""
    written = ledger.written()
    if request.as_json:
        say_json(as_data(progress, task, written))
        return
    if not request.outputs:
        from wavefold.cli.terminal import show

        for made in progress.made:
            if len(task.seeds) > 1:
                typer.echo(f"seed {made.seed}")
            if made.solution is not None:
                show(made.solution)
    if progress.made:
        decisions = sum(each.stats.decisions for each in progress.made)
        taken_back = sum(each.stats.backtracks for each in progress.made)
        effort = f"{decisions:,} decisions, {taken_back:,} taken back, {progress.seconds:.2f} s"
        first, last = progress.made[0].seed, progress.made[-1].seed
        seeds = f"seed {first}" if first == last else f"seeds {first} to {last}"
        summary = f"{task.tiles.name or 'map'}, {size_in_words(task)}, {seeds}: {effort}"
        typer.echo(f"{named(written)} — {summary}" if written else summary, err=not written)


def named(written: Sequence[str]) -> str:
    """All files, or the first and the last of many."""
    if len(written) <= SHOWN:
        return ", ".join(written)
    return f"{', '.join(written[: SHOWN - 1])}, … {written[-1]} ({len(written):,} files)"


def size_in_words(task: Task) -> str:
    generate = task.effective.config.generate
    return f"radius {generate.radius}" if generate.radius is not None else "x".join(map(str, generate.size))


def as_data(progress: Progress, task: Task, written: list[str]) -> dict[str, Any]:
    """Plain data; it carries the maps themselves unless files do. What failed comes first."""
    generate = task.effective.config.generate
    data: dict[str, Any] = {}
    if progress.failed:
        data = failure_data(failure(progress, task), progress.failed[0].stats)
        data["failed"] = [each.seed for each in progress.failed]
    data |= {
        "tileset": generate.tileset,
        "size": list(task.topology.shape[::-1]) if generate.radius is not None else list(generate.size),
        "radius": generate.radius,
        "seed": generate.seed,
        "wrap": generate.wrap,
        "outputs": written,
        "seconds": round(progress.seconds, 6),
        "maps": [{"seed": each.seed, "stats": each.stats.to_dict()} for each in progress.made],
    }
    for entry, made in zip(data["maps"], progress.made, strict=True):
        if not written and made.solution is not None:
            data["names"] = list(task.problem.rules.names)
            entry["map"] = made.solution.array.tolist()  # [row][column], indices into names; -1: no cell
    return data


def failure_data(error: WavefoldError, stats: Any = None) -> dict[str, Any]:
    """Plain data about a map that was not made."""
    kind = "impossible" if isinstance(error, Contradiction) else "out of budget"
    return {"error": str(error), "kind": kind, "stats": None if stats is None else stats.to_dict()}
