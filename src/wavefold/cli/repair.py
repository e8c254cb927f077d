"""`wavefold repair`: an edited map made valid again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

import wavefold as wf
from wavefold.cli.generate import compiling
from wavefold.cli.outputs import check_outputs, write
from wavefold.cli.sources import load_tiles, read_place
from wavefold.errors import ConfigError

__all__ = ["Request", "mend"]

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
    check_outputs(request.outputs, animated=False)
    keep = [read_place(text, "--keep") for text in request.keep]
    tiles = None if request.tiles is None else load_tiles(request.tiles)
    drawn = wf.read_map(request.drawn, tiles)
    if request.original is not None:
        before = wf.read_map(request.original, drawn.tiles)
        if before.topology != drawn.topology:
            raise ConfigError(f"{request.original} has another shape than {request.drawn}")
        keep += drawn.differences(before)
    problem = wf.Problem(drawn.tiles, drawn.topology)
    with compiling():
        mended = wf.repair(problem, drawn.patterns, keep=keep, seed=request.seed)
    written = [str(name) for path in request.outputs for name in write([mended.solution], path, {})]
    tell(mended, request, written)


def tell(mended: wf.Repair, request: Request, written: list[str]) -> None:
    """What was broken, what was changed."""
    topology, names = mended.solution.problem.topology, mended.solution.problem.rules.names
    if request.as_json:
        data: dict[str, Any] = {
            "map": str(request.drawn),
            "outputs": written,
            "broken": len(mended.broken),
            "changed": [
                {"cell": list(topology.coordinate(cell)), "pattern": names[mended.solution.patterns[cell]]}  # type: ignore[call-overload]
                for cell in mended.changed
            ],
        }
        typer.echo(json.dumps(data, ensure_ascii=False))
        return
    where = f"{', '.join(written)} — " if written else ""
    typer.echo(f"{where}{len(mended.broken)} cells did not fit, {len(mended.changed)} were changed")
    for cell in mended.changed[:SHOWN]:
        typer.echo(f"  {topology.describe(cell)}: {names[mended.solution.patterns[cell]]}")
    if len(mended.changed) > SHOWN:
        typer.echo(f"  and {len(mended.changed) - SHOWN} more")
    if not written:
        typer.echo("nothing was written; name a file with -o", err=True)
