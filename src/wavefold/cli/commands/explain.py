"""`wavefold explain`: why a map is impossible, in words and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.inputs import LoadedProblem, ProblemOptions, watch_reads
from wavefold.cli.options import (
    AsJson,
    ConfigFile,
    Pins,
    Radius,
    Size,
    Subset,
    TileSetName,
    Windows,
    Wrap,
    app,
    print_json,
)
from wavefold.cli.outputs import check_distinct, check_outputs, check_writing, write_map
from wavefold.cli.progress import announce_compiling
from wavefold.errors import ConfigError

PICTURES = (".png", ".svg")


@app.command(
    epilog="Example: wavefold explain pipes --size 8x8 --pin 0,0=lamp --pin 1,0=cross -o why.png\n\n"
    "Exit codes: 0 no contradiction; 1 impossible, and this is why; 2 wrong usage or bad input."
)
def explain(
    tileset: TileSetName = None,
    size: Size = None,
    radius: Radius = None,
    wrap: Wrap = None,
    pin: Pins = None,
    n: Windows = None,
    subset: Subset = None,
    config: ConfigFile = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A picture of the conflict (.png or .svg).", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain why a map is impossible: which pins, masks and limits contradict each other."""
    flags = {
        "generate.size": size, "generate.radius": radius, "generate.wrap": wrap, "generate.subset": subset
    }  # fmt: skip
    raise typer.Exit(run(ProblemOptions(tileset, flags, tuple(pin or ()), n, config), output, as_json))


def run(options: ProblemOptions, output: Path | None, as_json: bool) -> int:
    """Explain; return exit code 1 if there is a contradiction."""
    if output is not None:
        if output.suffix.lower() not in PICTURES:
            raise ConfigError(f"cannot draw {str(output)!r}: a conflict is drawn as {' or '.join(PICTURES)}")
        check_outputs([output], animated=False)
    with watch_reads() as inputs:
        loaded = LoadedProblem.load(options)
    if output is not None:
        check_distinct([output], (0,), inputs)
        check_writing(loaded.problem, [output], options=loaded.picture_options)
    with announce_compiling():
        solver = loaded.solver(0)
        explanation = solver.explain()
    if output is not None:
        cells = sorted({cell for cell in explanation.cells if cell >= 0})
        extra = {"show": "entropy", "conflicts": cells}
        write_map(solver.partial(), output, 0, loaded.picture_options, extra)
    if as_json:
        print_json(as_data(explanation, loaded, output))
    else:
        typer.echo(str(explanation))
        if output is not None:
            typer.echo(f"{output} — the patterns left to each cell; conflicts are marked")
    return int(explanation.contradictory)


def as_data(explanation: wf.Explanation, loaded: LoadedProblem, output: Path | None) -> dict[str, Any]:
    """Plain data."""
    coordinate = loaded.topology.coordinate
    requirements = [
        {"kind": each.kind, "text": each.text, "without_it": remedy}
        for each, remedy in zip(explanation.requirements, explanation.remedies, strict=True)
    ]
    return {
        "contradictory": explanation.contradictory,
        "proved": explanation.proved,
        "text": str(explanation),
        "cells": [list(coordinate(cell)) for cell in explanation.cells if cell >= 0],
        "requirements": requirements,
        "wishes": requirements,  # its former name
        "output": None if output is None else str(output),
    }
