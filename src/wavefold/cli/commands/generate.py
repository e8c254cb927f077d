"""`wavefold generate`: maps of a tile set."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

import wavefold as wf
from wavefold.cli import options as cli
from wavefold.cli.constraint_options import CONSTRAINTS
from wavefold.cli.flags import Flags, declared_flags
from wavefold.cli.inputs import LoadedProblem, ProblemFlags, generate_document, is_document
from wavefold.cli.outputs import (
    UsageFile,
    check_distinct,
    check_outputs,
    check_writing,
    describe_seconds,
    is_animation,
    is_sheet,
    list_written,
    make_folder,
    measure_seconds_in_all,
    path_for_seed,
    print_result,
    record_written,
    write_map,
    write_sheet,
)
from wavefold.cli.terminal import (
    cell_counter,
    check_watching,
    note,
    print_json,
    show_map,
    show_writing,
    watch_solver,
)
from wavefold.errors import Contradiction, OutOfBudget, WavefoldError
from wavefold.kernels.host.threads import count_threads
from wavefold.options.groups import GenerateOptions, PictureOptions
from wavefold.plugins.map_formats import find_format
from wavefold.storage.files import collect_reads

if TYPE_CHECKING:
    from wavefold.reports.diagnostics import DiagnosticGroup
    from wavefold.solver.budget import Meter

Listener = Callable[[Any], None]  # of a batch
MOST_SEEDS = 12  # named in an error
OWN_FLAGS = declared_flags(
    (GenerateOptions, "size radius seed wrap order choice search refine pin own_constraints budget maps"),
    cli.LEARNING,
    cli.SUBSET,
    (PictureOptions, "tile_size objects renderer priors partial"),
    (GenerateOptions, "diagnostics"),
)


@cli.command(
    "Example: wavefold generate terrain -o map.png -o map.tmx",
    "wavefold generate islands --n 3 --size 48x48 -o grown.gif",
    "Exit codes: 0 done; 1 proved impossible; 2 wrong usage or bad input; 3 out of budget.",
)
def generate(
    tileset: cli.TileSetName = None,
    flags: Flags = OWN_FLAGS,
    pin: cli.Pins = None,
    budget: cli.Budget = None,
    priors: Annotated[
        Path | None,
        typer.Option(
            help="A file that counts the tiles of all maps so far, to favour those that are too rare. It is "
            "read if it exists, and each map is added."
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="If solving fails, write (or show) the cells decided so far.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Show the solve live in the terminal.")] = False,
    memory: Annotated[str, typer.Option(help="Refuse maps that would need more memory than this.")] = "4GB",
    config: cli.ConfigFile = None,
    output: cli.Outputs = None,
    as_json: cli.AsJson = False,
    constraints: Any = CONSTRAINTS,
) -> None:
    """Generate a map: write it in any format, or draw it in the terminal."""
    if watch:
        check_watching()
    flags |= {} if budget is None else {"budget": budget}
    if is_document(tileset):
        more = {"pin": pin or None, "constraint": constraints or None, "config": config, "priors": priors}
        generate_document(Path(str(tileset)), flags | more, output or (), as_json)
        return
    options = ProblemFlags(tileset, flags, tuple(pin or ()), config, memory, tuple(constraints))
    with collect_reads() as inputs:
        loaded = LoadedProblem.load(options)
        outputs = output or find_foreign_outputs(loaded)
        usage = None if priors is None else UsageFile(priors, loaded.tiles)
    inputs += [] if priors is None else [priors]  # it may not exist yet
    check_outputs(outputs, len(loaded.seeds))
    check_writing(loaded.problem, outputs, len(loaded.seeds), loaded.picture_options)
    with options.limit_memory(), loaded.open_diagnostics() as diagnostics:
        check_distinct([*outputs, *diagnostics.paths], loaded.seeds, inputs)
        GenerateRun(loaded, outputs, partial, as_json, diagnostics, usage, watch).run()


def find_foreign_outputs(loaded: LoadedProblem) -> Sequence[Path]:
    """The output file named in a configuration of another program, if its folder exists."""
    path = None if loaded.foreign is None else loaded.foreign.output
    if path is None:
        return ()
    if find_format(path, "write") is None:
        note(f"{path} is not written: no format has this ending; name another file with -o")
        return ()
    make_folder(path.parent, parents=True)
    return (path,)


class FinishedMap(NamedTuple):
    """A finished map; `solution` is None once it is no longer needed."""

    seed: int
    stats: Any
    solution: wf.Solution | None


class FailedMap(NamedTuple):
    """A failed map, its error and its statistics."""

    seed: int
    error: Contradiction | OutOfBudget
    stats: Any


@dataclass(slots=True)
class GenerateRun:
    """The maps of one command: requested, finished and failed."""

    loaded: LoadedProblem
    outputs: Sequence[Path]
    keep_partial: bool
    as_json: bool
    diagnostics: DiagnosticGroup
    usage: UsageFile | None = None
    is_watched: bool = False
    made: list[FinishedMap] = field(default_factory=list)
    failed: list[FailedMap] = field(default_factory=list)
    seconds: float = 0.0  # spent on solving and refining

    def run(self) -> None:
        """Solve, then write or show."""
        count_threads()  # report wrong settings before the search, not after it
        self.count_sweeps()
        for seed in self.loaded.seeds:
            self.solve(seed)
            if self.failed and isinstance(self.failed[-1].error, Contradiction):
                break  # impossible with any seed; out of budget need not be
        solutions = [each.solution for each in self.made if each.solution is not None]
        for path in self.outputs:
            if self.is_sheet(path) and solutions:
                write_sheet(solutions, path, self.loaded.picture_options)
        record_written(*self.diagnostics.paths)
        if self.as_json:
            print_json(self.to_dict())
        else:
            self.print_summary()
        if self.failed:
            raise self.failure()

    def solve(self, seed: int) -> None:
        """Make one map, and write its own files at once."""
        animations = [path for path in self.outputs if is_animation(path)]
        started = perf_counter()
        solver = self.loaded.solver(seed, None if self.usage is None else self.usage.counts)
        recording = wf.Recording(solver) if animations else None
        try:
            solution = self.diagnostics.run(solver, functools.partial(self.make, solver, started, recording))
        except (Contradiction, OutOfBudget) as error:
            self.seconds += perf_counter() - started
            self.failed.append(FailedMap(seed, error, solver.stats))
            if self.keep_partial:
                self.write_partial(solver, error)
                self.write_animations(recording, animations, seed)
                for path in animations:
                    note(f"{path_for_seed(path, seed)} shows the solve up to there")
            return
        self.seconds += perf_counter() - started
        for path in self.outputs:
            if path not in animations and not self.is_sheet(path):
                write_map(solution, path, seed, self.loaded.picture_options)
        self.write_animations(recording, animations, seed)
        if self.usage is not None:
            self.usage.add(solution)
        is_needed = not self.outputs or any(map(self.is_sheet, self.outputs))
        self.made.append(FinishedMap(seed, solution.stats, solution if is_needed else None))

    def make(
        self, solver: wf.Solver, started: float, recording: wf.Recording | None, listener: Listener | None
    ) -> wf.Solution:
        """Solve and refine one map; the recording and the listener receive its events."""
        from wavefold.solver.budget import Meter

        meter = Meter(self.loaded.budget, started)
        with self.show_progress(solver) as progress:
            solution = solver.run_within(meter, progress)
        listeners: list[Listener] = [] if recording is None else [recording.record_sweep]
        listeners += [] if listener is None else [listener]

        def listen(batch: Any) -> None:
            for each in listeners:
                each(batch)

        return self.refine(solution, meter, listen if listeners else None)

    def refine(self, solution: wf.Solution, meter: Meter, listener: Listener | None) -> wf.Solution:
        """Refine a solved map by the configured sweeps."""
        from wavefold.api import refine_solved

        sweeps, left_out = self.count_sweeps()
        with cell_counter("sweeps done") as progress:
            budget = wf.Budget.of(self.loaded.effective.budget)
            left = budget.left_after(meter.spent, solution.stats.decisions)
            refined: wf.Solution = refine_solved(solution, sweeps, left_out, left, progress, listener)
        if refined.provisional:
            done = refined.stats.refinement.sweeps if refined.stats.refinement else 0
            note(f"seed {solution.seed}: out of time after {done} of {sweeps} sweeps of refining")
        return refined

    def count_sweeps(self) -> tuple[int, str]:
        """The number of sweeps for each map, and why there are none by default."""
        return self.loaded.count_sweeps(has_priors=self.usage is not None)

    @contextmanager
    def show_progress(self, solver: wf.Solver) -> Iterator[Callable[[int, int], None] | None]:
        """Show the map while it is solved, or yield a function that counts its cells."""
        if self.is_watched:
            from rich.console import Console

            with watch_solver(solver, Console()):
                yield None
        else:
            with cell_counter() as progress:
                yield progress

    def is_sheet(self, path: Path) -> bool:
        """Whether this one picture holds several maps."""
        return is_sheet(path, len(self.loaded.seeds))

    def write_animations(self, recording: Any, paths: Sequence[Path], seed: int) -> None:
        """Write the animations of the solve, finished or not, at their own scale."""
        given = self.loaded.picture_options
        options = {name: given[name] for name in ("tile_size", "layers", "objects") if name in given}
        for path in paths:
            with show_writing(path_for_seed(path, seed)):
                recording.animation().save(path_for_seed(path, seed), **options)
            record_written(path_for_seed(path, seed))

    def write_partial(self, solver: wf.Solver, error: WavefoldError) -> None:
        """Write or show the decided cells; pictures shade the others by entropy and mark conflicts."""
        if not self.outputs and not self.as_json:
            show_map(solver.partial())
        conflicts = [error.cell] if isinstance(error, Contradiction) and error.cell is not None else []
        for path in self.outputs:
            if find_format(path, "write_partial") is not None and not self.is_sheet(path):
                is_picture = path.suffix.lower() in (".png", ".svg")
                extra = {"show": "entropy", "conflicts": conflicts} if is_picture else {}
                write_map(solver.partial(), path, solver.seed, self.loaded.picture_options, extra)
                note(f"{path_for_seed(path, solver.seed)} has the cells decided so far")

    def failure(self) -> WavefoldError:
        """The error of the only map, or one that names the failed seeds."""
        first, count = self.failed[0].error, len(self.loaded.seeds)
        if count == 1 or isinstance(first, Contradiction):
            return first
        seeds = ", ".join(str(each.seed) for each in self.failed[:MOST_SEEDS])
        more = ", …" if len(self.failed) > MOST_SEEDS else ""
        word = "seed" if len(self.failed) == 1 else "seeds"
        return OutOfBudget(
            f"{word} {seeds}{more} failed, {len(self.made):,} of {count:,} maps were made; {first}"
        )

    def print_summary(self) -> None:
        """Print the maps if no file holds them, and one line about all of them."""
        for made in self.made if not self.outputs else ():
            if len(self.loaded.seeds) > 1:
                typer.echo(f"seed {made.seed}")
            if made.solution is not None:
                show_map(made.solution)
        if not self.made:
            return
        from wavefold.options.values import format_count

        generate = self.loaded.effective.config.generate
        radius, sides = generate.radius, "x".join(map(str, self.loaded.size))
        size = sides if radius is None else f"radius {radius}"
        first, last = self.made[0].seed, self.made[-1].seed
        seeds = f"seed {first}" if first == last else f"seeds {first} to {last}"
        decisions = sum(each.stats.decisions for each in self.made)
        backtracks = sum(each.stats.backtracks for each in self.made)
        undone = f"{backtracks:,} undone" if backtracks else "no backtracking"
        sweeps = max((each.stats.refinement.sweeps for each in self.made if each.stats.refinement), default=0)
        refined = f", {format_count(sweeps, 'sweeps')}" if sweeps else ""
        time = describe_seconds("solved and refined" if sweeps else "solved", self.seconds)
        effort = f"{format_count(decisions, 'decisions')}, {undone}{refined}, {time}"
        refinement = self.made[0].stats.refinement
        left_out = "" if refinement is None else refinement.left_out
        why = f"; not refined, because {left_out}" if left_out else ""
        print_result(f"{self.loaded.tiles.name or 'map'}, {size}, {seeds}: {effort}{why}")

    def to_dict(self) -> dict[str, object]:
        """Plain data; includes the maps unless they were written to files."""
        generate, written = self.loaded.effective.config.generate, list_written()
        data: dict[str, Any] = {}
        if self.failed:
            data = describe_failure(self.failure(), self.failed[0].stats)
            data["failed"] = [each.seed for each in self.failed]
        shape = self.loaded.topology.shape
        data |= {
            "tileset": generate.tileset,
            "size": list(shape[::-1]) if generate.radius is not None else list(self.loaded.size),
            "radius": generate.radius,
            "seed": generate.seed,
            "wrap": generate.wrap,
            "outputs": written,
            "seconds": round(self.seconds, 6),
            "seconds_in_all": round(measure_seconds_in_all(), 6),
            "maps": [{"seed": each.seed, "stats": each.stats.to_dict()} for each in self.made],
        }
        for entry, made in zip(data["maps"], self.made, strict=True):
            if not written and made.solution is not None:
                data["names"] = list(self.loaded.problem.rules.names)
                entry["map"] = made.solution.array.tolist()  # [row][column], indices into names; -1: no cell
        return data


def describe_failure(error: WavefoldError, stats: Any = None) -> dict[str, Any]:
    """Plain data about a failed map."""
    kind = "impossible" if isinstance(error, Contradiction) else "out of budget"
    return {"error": str(error), "kind": kind, "stats": None if stats is None else stats.to_dict()}
