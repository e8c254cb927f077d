"""`wavefold explain`: why a map is impossible, in words and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

import wavefold as wf
from wavefold.cli import ledger
from wavefold.cli.generate import compiling, picture_options
from wavefold.cli.outputs import check_apart, check_outputs, check_writing, write_map
from wavefold.cli.program import say_json
from wavefold.cli.sources import Task, Wishes
from wavefold.errors import ConfigError

PICTURES = (".png", ".svg")


def say_why(wishes: Wishes, output: Path | None, as_json: bool) -> int:
    """Explain; the exit code is 1 if there is a contradiction."""
    ledger.keep()
    if output is not None:
        if output.suffix.lower() not in PICTURES:
            raise ConfigError(f"cannot draw {str(output)!r}: a conflict is drawn as {' or '.join(PICTURES)}")
        check_outputs([output], animated=False)
    with ledger.reading() as inputs:
        task = Task.of(wishes)
    if output is not None:
        check_apart([output], (0,), inputs)
        check_writing(task.problem, [output], options=picture_options(task))
    with compiling():
        solver = task.solver(0)
        why = solver.explain()
    if output is not None:
        cells = sorted({cell for cell in why.cells if cell >= 0})
        drawn = {"show": "entropy", "conflicts": cells}
        write_map(solver.partial(), output, 0, picture_options(task), drawn)
    if as_json:
        say_json(as_data(why, task, output))
    else:
        typer.echo(str(why))
        if output is not None:
            typer.echo(f"{output} — what is left to each cell; conflicts are marked")
    return int(why.contradictory)


def as_data(why: wf.Explanation, task: Task, output: Path | None) -> dict[str, Any]:
    """Plain data."""
    coordinate = task.topology.coordinate
    return {
        "contradictory": why.contradictory,
        "proved": why.proved,
        "text": str(why),
        "cells": [list(coordinate(cell)) for cell in why.cells if cell >= 0],
        "wishes": [
            {"kind": wish.kind, "text": wish.text, "without_it": remedy}
            for wish, remedy in zip(why.wishes, why.remedies, strict=True)
        ],
        "output": None if output is None else str(output),
    }
