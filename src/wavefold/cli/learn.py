"""`wavefold learn`: a tile set from pictures or drawn maps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

import wavefold as wf
from wavefold.cli.program import say_json
from wavefold.common.files import check_writable
from wavefold.errors import ConfigError
from wavefold.map_format import endings_with, find_format


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    samples: tuple[str, ...]
    output: Path | None
    n: int | None
    symmetry: int | None
    periodic: bool | None
    ground: bool | None
    adjacency: bool
    as_json: bool


def study(request: Request) -> None:
    """Learn, write, tell."""
    if request.output is not None:
        if find_format(request.output, "write_tiles") is None:
            known = endings_with("write_tiles")
            raise ConfigError(f"cannot write {str(request.output)!r}: a tile set ends in {', '.join(known)}")
        check_writable(request.output)
    tiles = learned(request)
    if request.output is not None:
        tiles.save(request.output)
        if any(tile.picture is not None and isinstance(value, str) for tile, value in values_of(tiles)):
            note = f"{request.output} holds the names of the tiles, not their pictures"
            typer.echo(f"wavefold: note: {note}", err=True)
    if request.as_json:
        say_json(as_data(tiles, request))
        return
    where = f"{request.output} — " if request.output else ""
    typer.echo(f"{where}{len(tiles)} patterns learned from {', '.join(request.samples)}")
    if request.output is None:
        typer.echo("nothing was written; name a file with -o, such as -o set.toml", err=True)


def values_of(tiles: Any) -> Iterable[tuple[wf.Tile, Any]]:
    """Tiles, and what each stands for."""
    return zip(tiles.tiles, tiles.values, strict=True)


def learned(request: Request) -> Any:
    """The tile set; what was not said is left to `wf.learn`."""
    source: Any = request.samples[0] if len(request.samples) == 1 else list(request.samples)
    if request.adjacency:
        given = {"--n": request.n, "--symmetry": request.symmetry, "--ground": request.ground}
        for flag, value in given.items():
            if value is not None:
                raise ConfigError(f"{flag} is for windows of pictures; --adjacency learns cell by cell")
        return wf.learn_adjacency(source, periodic=bool(request.periodic))
    return wf.learn(source, request.n, request.symmetry, request.periodic, request.ground)


def as_data(tiles: Any, request: Request) -> dict[str, Any]:
    """Plain data about what was learned."""
    return {
        "samples": list(request.samples),
        "output": None if request.output is None else str(request.output),
        "patterns": len(tiles),
        "n": tiles.n,
        "symmetry": tiles.symmetry,
        "periodic": tiles.periodic,
        "ground": tiles.ground_pattern is not None,
        "weights": tiles.rules.weights.tolist(),
    }
