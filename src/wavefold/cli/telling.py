"""Commands that tell something: audit, tilesets, config, bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wavefold.cli.program import TILESET, AsJson, ConfigFile, Subset, Windows, app


@app.command(
    epilog="Example: wavefold audit medieval --html audit.html\n\n"
    "Exit codes: 0 the audit is done; 1 it proved that no map can be made; 2 wrong usage or bad input."
)
def audit(
    tileset: Annotated[
        str,
        typer.Argument(
            help=TILESET,
            show_default=False,
        ),
    ],
    deep: Annotated[bool, typer.Option("--deep", help="More maps and larger ones; takes longer.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    page: Annotated[
        Path | None,
        typer.Option("--html", help="Write one page with pictures, too (.html).", show_default=False),
    ] = None,
    subset: Subset = None,
    n: Windows = None,
) -> None:
    """Tell what a tile set can and cannot do: dead ends, corners nothing fits, endless maps, advice."""
    from wavefold.cli.audit import Request, examine

    raise typer.Exit(examine(Request(tileset, deep, subset, n, page, as_json)))


@app.command(epilog="Example: wavefold tilesets --thumbnails pictures")
def tilesets(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
    samples: Annotated[
        bool, typer.Option("--samples", help="List the pictures to learn from instead.")
    ] = False,
    thumbnails: Annotated[
        Path | None,
        typer.Option(
            help="A folder for a small map of each, NAME.png; made if need be.", show_default="no pictures"
        ),
    ] = None,
) -> None:
    """List the tile sets that can be used by name."""
    from wavefold.cli.listing import list_samples, list_tilesets

    (list_samples if samples else list_tilesets)(as_json, thumbnails)


@app.command(epilog="Example: wavefold bench --quick --json bench.json")
def bench(
    against: Annotated[
        str | None, typer.Option(help="A folder of reference kernels to compare with.", show_default=False)
    ] = None,
    output: Annotated[
        str, typer.Option("--json", help="The file for the figures: here --json takes a name.")
    ] = "bench.json",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer sizes and repetitions.")] = False,
) -> None:
    """Measure the speed of this machine's solver and write the figures."""
    from wavefold.bench import main as measure

    raise typer.Exit(measure(against, output, quick))


@app.command(epilog="Example: wavefold config --json")
def config(
    as_json: AsJson = False,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="As it would be if nobody had set anything.")
    ] = False,
    path: ConfigFile = None,
) -> None:
    """Show the configuration in force, and where each value comes from."""
    from wavefold.cli.config import show_config

    show_config(as_json, defaults, path)
