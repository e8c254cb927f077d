"""`wavefold learn`: a tile set from pictures or drawn maps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.options import AsJson, Windows, app
from wavefold.cli.outputs import check_ending, print_result, record_written
from wavefold.cli.terminal import note, print_json
from wavefold.errors import ConfigError
from wavefold.map_format import endings_with


@app.command(epilog="Example: wavefold learn islands --n 3 -o islands.toml")
def learn(
    samples: Annotated[
        list[str], typer.Argument(help="Pictures, or names listed by `wavefold tilesets --samples`.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The tile set to write (.toml).")
    ] = None,
    n: Windows = None,
    symmetry: Annotated[
        int | None,
        typer.Option(min=1, max=8, help="How many turned and mirrored copies to learn.", show_default="8"),
    ] = None,
    periodic: Annotated[
        bool | None, typer.Option("--periodic/--open", help="Whether opposite edges of the sample touch.")
    ] = None,
    ground: Annotated[
        bool | None, typer.Option("--ground/--no-ground", help="Whether the bottom row is ground.")
    ] = None,
    adjacency: Annotated[
        bool, typer.Option("--adjacency", help="Learn which cells are adjacent, instead of windows.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn a tile set from pictures or drawn maps, and write it."""
    windows: dict[str, Any] = {"n": n, "symmetry": symmetry, "periodic": periodic, "ground": ground}
    check_ending(output, "a tile set", endings_with("write_tiles"))
    source: Any = samples[0] if len(samples) == 1 else samples
    tiles: Any = learn_adjacency(source, windows) if adjacency else wf.learn(source, **windows)
    if output is not None:
        tiles.save(output)
        record_written(output)
        if has_unsaved_pictures(tiles):
            note(f"note: {output} has the names of the tiles, not their pictures")
    if as_json:
        print_json(as_data(tiles, samples, output))
        return
    print_result(f"{len(tiles)} patterns learned from {', '.join(samples)}", aside=False)
    if output is None:
        typer.echo("nothing was written; name a file with -o, such as -o set.toml", err=True)


def learn_adjacency(source: Any, windows: dict[str, Any]) -> Any:
    """Learn cell by cell, where options of windows make no sense."""
    for name in ("n", "symmetry", "ground"):
        if windows[name] is not None:
            raise ConfigError(f"--{name} is for windows of pictures; --adjacency learns cell by cell")
    return wf.learn_adjacency(source, periodic=bool(windows["periodic"]))


def has_unsaved_pictures(tiles: Any) -> bool:
    """Whether its values are named tiles with pictures, which a tile set file cannot hold."""
    pairs = zip(tiles.tiles, tiles.values, strict=True)
    return any(tile.picture is not None and isinstance(value, str) for tile, value in pairs)


def as_data(tiles: Any, samples: list[str], output: Path | None) -> dict[str, Any]:
    """Plain data about what was learned."""
    return {
        "samples": samples,
        "output": None if output is None else str(output),
        "patterns": len(tiles),
        "n": tiles.n,
        "symmetry": tiles.symmetry,
        "periodic": tiles.periodic,
        "ground": tiles.ground_pattern is not None,
        "weights": tiles.rules.weights.tolist(),
    }
