"""`wavefold generate`: maps, from a name and a size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import typer

import wavefold as wf
from wavefold.cli.inputs import LoadedProblem, ProblemOptions, watch_reads
from wavefold.cli.options import (
    AsJson,
    Budget,
    ConfigFile,
    Order,
    Outputs,
    Pins,
    Radius,
    Search,
    Seed,
    Size,
    Subset,
    TileSetName,
    Windows,
    Wrap,
    app,
    print_json,
)
from wavefold.cli.outputs import (
    check_distinct,
    check_outputs,
    check_writing,
    errors_in_flags,
    is_animation,
    is_sheet,
    list_files,
    path_for_seed,
    record_written,
    write_map,
    write_sheet,
    written_files,
)
from wavefold.cli.progress import announce_compiling, cell_counter
from wavefold.errors import Contradiction, OutOfBudget, WavefoldError

MOST_SEEDS = 12  # that an error names


@app.command(
    epilog="Example: wavefold generate terrain -o map.png -o map.tmx\n\n"
    "wavefold generate sample.png --n 3 --size 48x48 -o grown.gif\n\n"
    "Exit codes: 0 done; 1 proved impossible; 2 wrong usage or bad input; 3 out of budget."
)
def generate(
    tileset: TileSetName = None,
    size: Size = None,
    radius: Radius = None,
    seed: Seed = None,
    wrap: Wrap = None,
    order: Order = None,
    search: Search = None,
    pin: Pins = None,
    budget: Budget = None,
    count: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000,
            help="Make this many maps, with consecutive seeds. Pictures become one sheet.",
            show_default="1",
        ),
    ] = None,
    n: Windows = None,
    subset: Subset = None,
    tile_size: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Width of a cell, in pixels.",
            show_default="that of the tiles; learned pixels are enlarged: to 384 in all, in Tiled to 8 each",
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="If solving fails, write (or show) the cells decided so far.")
    ] = False,
    memory: Annotated[str, typer.Option(help="Refuse maps that would need more memory than this.")] = "4GB",
    config: ConfigFile = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Generate a map: write it in any format, or draw it in the terminal."""
    flags = {
        "generate.size": size, "generate.radius": radius, "generate.seed": seed, "generate.wrap": wrap,
        "generate.count": count, "generate.subset": subset, "heuristics.order": order, "search": search,
        "budget": budget, "picture.tile_size": tile_size,
    }  # fmt: skip
    options = ProblemOptions(tileset, flags, tuple(pin or ()), n, config, memory)
    run(options, tuple(output or ()), partial, as_json)


class FinishedMap(NamedTuple):
    """A map that was made; `solution` is None once nothing needs it any more."""

    seed: int
    stats: Any
    solution: wf.Solution | None


class FailedMap(NamedTuple):
    """A map that was not made, why, and what was spent on it."""

    seed: int
    error: Contradiction | OutOfBudget
    stats: Any


@dataclass(slots=True)
class Results:
    """All maps of one command."""

    made: list[FinishedMap] = field(default_factory=list)
    failed: list[FailedMap] = field(default_factory=list)
    seconds: float = 0.0  # spent on solving


def run(options: ProblemOptions, outputs: tuple[Path, ...], partial: bool, as_json: bool) -> None:
    """Solve, then write or show. What would fail at the end is checked before the work."""
    with watch_reads() as inputs:
        loaded = LoadedProblem.load(options)
    check_outputs(outputs, len(loaded.seeds))
    check_distinct(outputs, loaded.seeds, inputs)
    check_writing(loaded.problem, outputs, len(loaded.seeds), loaded.picture_options)
    results = Results()
    for seed in loaded.seeds:
        solve(loaded, seed, outputs, results, partial, as_json)
        if results.failed and isinstance(results.failed[-1].error, Contradiction):
            break  # impossible with any seed; out of budget need not be
    solutions = [each.solution for each in results.made if each.solution is not None]
    for path in outputs:
        if is_sheet(path, len(loaded.seeds)) and solutions:
            write_sheet(solutions, path, loaded.picture_options)
    if as_json:
        print_json(as_data(results, loaded, written_files()))
    else:
        print_summary(results, loaded, not outputs)
    if results.failed:
        raise failure(results, loaded)


def solve(
    loaded: LoadedProblem,
    seed: int,
    outputs: Sequence[Path],
    results: Results,
    partial: bool,
    as_json: bool,
) -> None:
    """Make one map, and write its own files at once."""
    animations = [path for path in outputs if is_animation(path)]
    started = perf_counter()
    solver = loaded.solver(seed)
    recording = wf.Recording(solver) if animations else None
    try:
        with announce_compiling(), cell_counter() as progress:
            solution = solver.run(loaded.budget, progress)
    except (Contradiction, OutOfBudget) as error:
        results.seconds += perf_counter() - started
        results.failed.append(FailedMap(seed, error, solver.stats))
        if partial:
            keep_partial(loaded, solver, error, outputs, as_json)
            write_animations(recording, animations, loaded, seed)
            for path in animations:
                typer.echo(f"wavefold: {path_for_seed(path, seed)} shows the solve up to there", err=True)
        return
    results.seconds += perf_counter() - started
    count = len(loaded.seeds)
    for path in outputs:
        if not is_animation(path) and not is_sheet(path, count):
            write_map(solution, path, seed, loaded.picture_options)
    write_animations(recording, animations, loaded, seed)
    is_needed = not outputs or any(is_sheet(path, count) for path in outputs)
    results.made.append(FinishedMap(seed, solution.stats, solution if is_needed else None))


def write_animations(recording: Any, paths: Sequence[Path], loaded: LoadedProblem, seed: int) -> None:
    """Write the files that show the solve, finished or not. They choose a scale of their own."""
    given = loaded.picture_options
    options = {name: given[name] for name in ("tile_size", "layers") if name in given}
    for path in paths:
        with errors_in_flags():
            recording.animation().save(path_for_seed(path, seed), **options)
        record_written(path_for_seed(path, seed))


def keep_partial(
    loaded: LoadedProblem, solver: wf.Solver, error: WavefoldError, outputs: Sequence[Path], as_json: bool
) -> None:
    """Write or show the decided cells; pictures shade the others by entropy and mark conflicts."""
    from wavefold.map_format import find_format

    if not outputs and not as_json:
        from wavefold.cli.terminal import show_map

        show_map(solver.partial())
    conflicts = [error.cell] if isinstance(error, Contradiction) and error.cell is not None else []
    for path in outputs:
        if find_format(path, "write_partial") is not None and not is_sheet(path, len(loaded.seeds)):
            is_picture = path.suffix.lower() in (".png", ".svg")
            extra = {"show": "entropy", "conflicts": conflicts} if is_picture else {}
            write_map(solver.partial(), path, solver.seed, loaded.picture_options, extra)
            name = path_for_seed(path, solver.seed)
            typer.echo(f"wavefold: {name} has the cells decided so far", err=True)


def failure(results: Results, loaded: LoadedProblem) -> WavefoldError:
    """The error to end with: that of the only map; of several, which seeds failed."""
    first = results.failed[0].error
    if len(loaded.seeds) == 1 or isinstance(first, Contradiction):
        return first
    seeds = ", ".join(str(each.seed) for each in results.failed[:MOST_SEEDS])
    more = ", …" if len(results.failed) > MOST_SEEDS else ""
    done = f"{len(results.made):,} of {len(loaded.seeds):,} maps were made"
    word = "seed" if len(results.failed) == 1 else "seeds"
    return OutOfBudget(f"{word} {seeds}{more} failed, {done}; {first}")


def print_summary(results: Results, loaded: LoadedProblem, show_maps: bool) -> None:
    """Print the maps if no file holds them, and one line about all of them."""
    if show_maps:
        from wavefold.cli.terminal import show_map

        for made in results.made:
            if len(loaded.seeds) > 1:
                typer.echo(f"seed {made.seed}")
            if made.solution is not None:
                show_map(made.solution)
    if not results.made:
        return
    first, last = results.made[0].seed, results.made[-1].seed
    seeds = f"seed {first}" if first == last else f"seeds {first} to {last}"
    summary = f"{loaded.tiles.name or 'map'}, {describe_size(loaded)}, {seeds}: {describe_effort(results)}"
    written = written_files()
    typer.echo(f"{list_files(written)} — {summary}" if written else summary, err=not written)


def describe_effort(results: Results) -> str:
    """`823 decisions, no backtracking, 0.02 s`."""
    decisions = sum(each.stats.decisions for each in results.made)
    backtracks = sum(each.stats.backtracks for each in results.made)
    undone = f"{backtracks:,} undone" if backtracks else "no backtracking"
    return f"{decisions:,} decisions, {undone}, {results.seconds:.2f} s"


def describe_size(loaded: LoadedProblem) -> str:
    generate = loaded.effective.config.generate
    return f"radius {generate.radius}" if generate.radius is not None else "x".join(map(str, generate.size))


def as_data(results: Results, loaded: LoadedProblem, written: list[str]) -> dict[str, Any]:
    """Plain data, with the maps themselves unless files hold them."""
    generate = loaded.effective.config.generate
    data: dict[str, Any] = {}
    if results.failed:
        data = failure_data(failure(results, loaded), results.failed[0].stats)
        data["failed"] = [each.seed for each in results.failed]
    data |= {
        "tileset": generate.tileset,
        "size": list(loaded.topology.shape[::-1]) if generate.radius is not None else list(generate.size),
        "radius": generate.radius,
        "seed": generate.seed,
        "wrap": generate.wrap,
        "outputs": written,
        "seconds": round(results.seconds, 6),
        "maps": [{"seed": each.seed, "stats": each.stats.to_dict()} for each in results.made],
    }
    for entry, made in zip(data["maps"], results.made, strict=True):
        if not written and made.solution is not None:
            data["names"] = list(loaded.problem.rules.names)
            entry["map"] = made.solution.array.tolist()  # [row][column], indices into names; -1: no cell
    return data


def failure_data(error: WavefoldError, stats: Any = None) -> dict[str, Any]:
    """Plain data about a map that was not made."""
    kind = "impossible" if isinstance(error, Contradiction) else "out of budget"
    return {"error": str(error), "kind": kind, "stats": None if stats is None else stats.to_dict()}
