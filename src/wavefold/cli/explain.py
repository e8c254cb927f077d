"""`wavefold explain`: why a map is impossible, in words and as a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

import wavefold as wf
from wavefold.cli.generate import compiling, picture_options
from wavefold.cli.outputs import check_outputs
from wavefold.cli.sources import Task, Wishes
from wavefold.errors import ConfigError

__all__ = ["say_why"]

PICTURES = (".png", ".svg")


def say_why(wishes: Wishes, output: Path | None, as_json: bool) -> int:
    """Explain; the exit code is 1 if there is a contradiction."""
    if output is not None:
        if output.suffix.lower() not in PICTURES:
            raise ConfigError(f"cannot draw {str(output)!r}: a conflict is drawn as {' or '.join(PICTURES)}")
        check_outputs([output], animated=False)
    task = Task.of(wishes)
    with compiling():
        solver = task.solver(0)
        why = solver.explain()
    if output is not None:
        cells = sorted({cell for cell in why.cells if cell >= 0})
        solver.partial().save(output, show="entropy", conflicts=cells, **picture_options(task))
    if as_json:
        typer.echo(json.dumps(as_data(why, task, output), ensure_ascii=False))
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
