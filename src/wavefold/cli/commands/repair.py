"""`wavefold repair`: make an edited map valid again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.commands.generate import describe_failure
from wavefold.cli.constraint_options import CONSTRAINTS
from wavefold.cli.flags import Flags, declared_flags
from wavefold.cli.inputs import build_constraints, load_tiles, parse_cell
from wavefold.cli.options import AsJson, Outputs, TileSetOfMap, command
from wavefold.cli.outputs import (
    check_distinct,
    check_outputs,
    check_writing,
    identify_file,
    list_written,
    print_result,
    write_map,
)
from wavefold.cli.terminal import cell_counter, note, print_json
from wavefold.errors import ConfigError
from wavefold.options.groups import GenerateOptions
from wavefold.plugins.map_formats import find_format, list_companions
from wavefold.storage.files import collect_reads

MOST_CHANGES = 12  # listed in the summary
OWN_FLAGS = declared_flags((GenerateOptions, "own_constraints"))


@command("Example: wavefold repair edited.tmx --original map.json -o repaired.tmx")
def repair(
    edited: Annotated[
        Path, typer.Argument(metavar="MAP", help="An edited map: .json, .npz, .csv, .tmj, .tmx or .ldtk.")
    ],
    tiles: TileSetOfMap = None,
    original: Annotated[
        Path | None, typer.Option(help="The map before the edit: cells that differ are kept.")
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option(metavar="X,Y", help="A cell that must not change; can be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed repairs in another way.")] = 0,
    flags: Flags = OWN_FLAGS,
    output: Outputs = None,
    as_json: AsJson = False,
    constraints: Any = CONSTRAINTS,
) -> None:
    """Make an edited map valid again, changing as few cells as possible."""
    outputs = output or ()
    check_outputs(outputs, animated=False)
    kept_cells = [parse_cell(text, "--keep") for text in keep or ()]
    with collect_reads() as inputs:
        drawn = wf.read_map(edited, None if tiles is None else load_tiles(tiles))
        kept = [to_local(drawn, cell) for cell in kept_cells]
        if original is not None:
            kept += find_edits(drawn, edited, original)
    check_files(edited, outputs, seed, inputs)
    # A part of a world is not a whole map, which is what the tile set's own constraints are about.
    is_whole = drawn.origin is None and flags.get("generate.own_constraints", True)
    given = build_constraints(constraints)
    problem = wf.Problem(drawn.tiles, drawn.topology, constraints=given, own_constraints=is_whole)
    check_writing(problem, outputs, origin=drawn.origin)
    budget = wf.default_budget(problem.cell_count)
    try:
        with cell_counter("cells open") as progress:
            result = wf.repair(problem, drawn.patterns, kept, seed, budget, progress)
    except (wf.Contradiction, wf.OutOfBudget) as error:
        if as_json:
            stats = getattr(error, "stats", None)
            print_json({"map": str(edited), **describe_failure(error, stats), "outputs": []})
        raise
    result.solution.origin = drawn.origin
    if drawn.seed is not None:  # by which objects stay where they were
        result.solution.seed = drawn.seed
    for path in outputs:
        write_map(result.solution, path, seed, {})
    if as_json:
        print_json(collect_data(result, edited, list_written()))
    else:
        print_summary(result)


# --- before the work ------------------------------------------------------------------------------


def find_edits(drawn: wf.LoadedMap, path: Path, original: Path) -> list[Any]:
    """The cells with another pattern than before; erased cells are filled freely."""
    before = wf.read_map(original, drawn.tiles)
    if before.topology != drawn.topology:
        raise ConfigError(f"{original} has another shape than {path}")
    if None not in (before.origin, drawn.origin) and before.origin != drawn.origin:
        raise ConfigError(f"{original} is another part of its world than {path}")
    changed = drawn.differences(before)
    return [cell for cell in changed if drawn.patterns[drawn.topology.cell_at(cell)] >= 0]


def to_local(drawn: wf.LoadedMap, cell: tuple[int, ...]) -> tuple[int, ...]:
    """A cell's coordinate in the map; in a part of a world, `cell` is in world coordinates."""
    if drawn.origin is None or len(drawn.origin) != len(cell):
        return cell
    return tuple(there - here for here, there in zip(drawn.origin, cell, strict=True))


def from_local(solution: wf.Solution, cell: int) -> list[int]:
    """Inverse of `to_local`, for a cell by its index."""
    local: Any = solution.problem.topology.coordinate(cell)
    if solution.origin is None:
        return list(local)
    return [here + there for here, there in zip(solution.origin, local, strict=True)]


def check_files(edited: Path, outputs: Sequence[Path], seed: int, inputs: Iterable[Path]) -> None:
    """Raise if an input would be overwritten; the edited map may be, if it has no other content."""
    own = {identify_file(file) for file in (edited, *list_companions(edited))}
    others = [file for file in inputs if identify_file(file) not in own]
    check_distinct(outputs, (seed,), others)
    found = find_format(edited, "read")
    more = found.extras(edited) if found is not None and found.extras is not None else ""
    for path in outputs if more else ():
        if own & {identify_file(file) for file in (path, *list_companions(path))}:
            raise ConfigError(
                f"{edited} has {more}, which would be lost in {path}; choose another name for -o"
            )
        if find_format(path, "read") is found:
            note(f"warning: {edited} has {more}, which will not be in {path}")


# --- after it -------------------------------------------------------------------------------------


def collect_data(result: wf.Repair, path: Path, written: list[str]) -> dict[str, Any]:
    """Return the result as plain data."""
    solution = result.solution
    names = solution.problem.rules.names
    return {
        "map": str(path),
        "outputs": written,
        "broken": len(result.broken),
        "changed": [
            {"cell": from_local(solution, cell), "pattern": names[solution.patterns[cell]]}
            for cell in result.changed
        ],
    }


def print_summary(result: wf.Repair) -> None:
    """Print how many cells did not fit, and the first changed cells."""
    solution = result.solution
    broken = "1 cell" if len(result.broken) == 1 else f"{len(result.broken):,} cells"
    changed = "1 was" if len(result.changed) == 1 else f"{len(result.changed):,} were"
    print_result(f"{broken} did not fit, {changed} changed", aside=False)
    for cell in result.changed[:MOST_CHANGES]:
        position = solution.problem.topology.describe(cell)
        if solution.origin is not None:
            position = "({})".format(", ".join(map(str, from_local(solution, cell))))
        typer.echo(f"  {position}: {solution.problem.rules.names[solution.patterns[cell]]}")
    if len(result.changed) > MOST_CHANGES:
        typer.echo(f"  and {len(result.changed) - MOST_CHANGES:,} more")
    if not list_written():
        typer.echo("nothing was written; name a file with -o", err=True)
