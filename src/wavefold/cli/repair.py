"""`wavefold repair`: an edited map made valid again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

import wavefold as wf
from wavefold.cli import ledger
from wavefold.cli.generate import compiling, failure_data, progress_shown
from wavefold.cli.outputs import check_apart, check_outputs, check_writing, write_map
from wavefold.cli.program import say_json
from wavefold.cli.sources import ground_of, load_tiles, read_place
from wavefold.errors import ConfigError

TILED = (".tmj", ".tmx")
SHOWN = 12  # changed cells told by their place


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    drawn: Path
    tiles: str | None
    original: Path | None
    keep: tuple[str, ...]
    seed: int
    outputs: tuple[Path, ...]
    as_json: bool


def mend(request: Request) -> None:
    """Read, repair, write, tell."""
    ledger.keep()
    check_outputs(request.outputs, animated=False)
    wanted = [read_place(text, "--keep") for text in request.keep]
    with ledger.reading() as inputs:
        tiles = None if request.tiles is None else load_tiles(request.tiles)
        drawn = read_drawn(request.drawn, tiles)
        keep = [inside(drawn, place) for place in wanted] + edited(drawn, request)
    check_files(request, inputs)
    masks = ground_of(drawn.tiles, drawn.topology)
    problem = wf.Problem(drawn.tiles, drawn.topology, masks=masks)
    check_writing(problem, request.outputs, origin=drawn.origin)
    budget = wf.default_budget(problem.cell_count)
    try:
        with compiling(), progress_shown("open") as progress:
            mended = wf.repair(problem, drawn.patterns, keep, request.seed, budget, progress)
    except (wf.Contradiction, wf.OutOfBudget) as error:
        if request.as_json:
            stats = getattr(error, "stats", None)
            say_json({"map": str(request.drawn), **failure_data(error, stats), "outputs": []})
        raise
    mended.solution.origin = drawn.origin
    for path in request.outputs:
        write_map(mended.solution, path, request.seed, {})
    tell(mended, request, ledger.written())


def edited(drawn: wf.LoadedMap, request: Request) -> list[Any]:
    """The cells somebody gave another pattern; those that were erased are to be filled."""
    if request.original is None:
        return []
    before = wf.read_map(request.original, drawn.tiles)
    if before.topology != drawn.topology:
        raise ConfigError(f"{request.original} has another shape than {request.drawn}")
    if None not in (before.origin, drawn.origin) and before.origin != drawn.origin:
        raise ConfigError(f"{request.original} lies elsewhere in its world than {request.drawn}")
    changed = drawn.differences(before)
    return [cell for cell in changed if drawn.patterns[drawn.topology.cell_at(cell)] >= 0]


def inside(drawn: wf.LoadedMap, place: tuple[int, ...]) -> tuple[int, ...]:
    """The coordinate in the map of what lies there; parts of a world are spoken of as the world does."""
    if drawn.origin is None or len(drawn.origin) != len(place):
        return place
    return tuple(there - here for here, there in zip(drawn.origin, place, strict=True))


def coordinate(solution: wf.Solution, cell: int) -> list[int]:
    """The reverse: where a cell of the map lies."""
    place: Any = solution.problem.topology.coordinate(cell)
    if solution.origin is None:
        return list(place)
    return [here + there for here, there in zip(solution.origin, place, strict=True)]


def read_drawn(path: Path, tiles: wf.TileSet | None) -> wf.LoadedMap:
    """The map; what it lacks is told in the words of the command line."""
    try:
        return wf.read_map(path, tiles)
    except wf.TileSetError as error:
        raise ConfigError(
            str(error).replace("give them, as read_map(…, tiles=…)", "give them with --tiles")
        ) from error


def check_files(request: Request, inputs: Iterable[Path]) -> None:
    """Raise if a file would be lost that is read; the map itself may be, if it holds nothing but a map."""
    from wavefold.formats.tiled.extras import more_than_a_map
    from wavefold.map_format import companions

    own = {ledger.same_file(file) for file in (request.drawn, *companions(request.drawn))}
    others = [file for file in inputs if ledger.same_file(file) not in own]
    check_apart(request.outputs, (request.seed,), others)
    more = more_than_a_map(request.drawn)
    for path in request.outputs if more else ():
        if own & {ledger.same_file(file) for file in (path, *companions(path))}:
            raise ConfigError(
                f"{request.drawn} has {more}, which would be lost in {path}; choose another name for -o"
            )
        if path.suffix.lower() in TILED:
            typer.echo(
                f"wavefold: warning: {request.drawn} has {more}, which will not be in {path}", err=True
            )


def tell(mended: wf.Repair, request: Request, written: list[str]) -> None:
    """What was broken, what was changed."""
    topology, names = mended.solution.problem.topology, mended.solution.problem.rules.names
    if request.as_json:
        data: dict[str, Any] = {
            "map": str(request.drawn),
            "outputs": written,
            "broken": len(mended.broken),
            "changed": [
                {"cell": coordinate(mended.solution, cell), "pattern": names[mended.solution.patterns[cell]]}
                for cell in mended.changed
            ],
        }
        say_json(data)
        return
    where = f"{', '.join(written)} — " if written else ""
    typer.echo(f"{where}{counted(len(mended.broken))} did not fit, {were(len(mended.changed))} changed")
    for cell in mended.changed[:SHOWN]:
        place = topology.describe(cell)
        if mended.solution.origin is not None:
            place = "({})".format(", ".join(map(str, coordinate(mended.solution, cell))))
        typer.echo(f"  {place}: {names[mended.solution.patterns[cell]]}")
    if len(mended.changed) > SHOWN:
        typer.echo(f"  and {len(mended.changed) - SHOWN:,} more")
    if not written:
        typer.echo("nothing was written; name a file with -o", err=True)


def counted(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{cells:,} cells"


def were(cells: int) -> str:
    return "1 was" if cells == 1 else f"{cells:,} were"
