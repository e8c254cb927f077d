"""The program that commands belong to, and the options several of them share."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from wavefold._version import __version__

app = typer.Typer(
    name="wavefold",
    help="Grow maps from tiles: Wave Function Collapse at native speed.",
    epilog="Example: wavefold generate meadow --size 60x34 --seed 7 -o map.png",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def say_json(data: Any) -> None:
    """One line of JSON; letters that the terminal has no signs for are written as numbers."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    typer.echo(json.dumps(data, ensure_ascii=not encoding.startswith("utf")))


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wavefold {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """What stands before the command."""


# --- options that mean the same wherever they stand; None is what the configuration says -----------------

AsJson = Annotated[bool, typer.Option("--json", help="Print what was done as JSON, and nothing else.")]
Size = Annotated[
    str | None,
    typer.Option(help="Cells across x cells down (x layers, for cubes).", show_default="64x64"),
]
Radius = Annotated[
    int | None, typer.Option(min=0, help="For hexagons: rings around the middle.", show_default=False)
]
Seed = Annotated[int | None, typer.Option(help="Same seed, same map, on every machine.", show_default="0")]
Wrap = Annotated[
    bool | None,
    typer.Option("--wrap/--no-wrap", help="Join opposite edges: the map tiles the plane.", show_default="no"),
]
Order = Annotated[
    str | None,
    typer.Option(
        help="Which cell next: auto, entropy, domain, scanline, spiral or random.", show_default="auto"
    ),
]
Search = Annotated[
    str | None,
    typer.Option(
        help="What to do in a dead end: auto, backtrack, backjump, repair, restart, exact or sat.",
        show_default="auto",
    ),
]
Pins = Annotated[
    list[str] | None,
    typer.Option(
        "--pin",
        metavar="X,Y=TILE",
        help="What a cell must be: a tile, or a colour of a learned set (3,4=#2850c8); may be repeated.",
        show_default=False,
    ),
]
Budget = Annotated[
    str | None,
    typer.Option(
        help="Give up after this much: 50ms, 2s, or a number of decisions.", show_default="generous"
    ),
]
Windows = Annotated[
    int | None, typer.Option("--n", help="Cells across a window, when learning.", show_default="3")
]
Subset = Annotated[
    str | None, typer.Option(help="Only this subset of an mxgmn .xml file.", show_default="all tiles")
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", help="The configuration to read.", show_default="wavefold.toml, if there is one"
    ),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option(
        "-o", "--output", help="A file to write; its ending chooses the format.", show_default=False
    ),
]
TILESET = "A name that `wavefold tilesets` lists, a tile set file, or a picture to learn from."
