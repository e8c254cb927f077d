"""The Typer application that commands are added to, their exit codes, and the options that several share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from wavefold._version import __version__
from wavefold.cli.flags import declared_flags, describe_option, expand_flags
from wavefold.options.groups import GenerateOptions, LearnOptions
from wavefold.options.names import FieldPreset
from wavefold.options.option import find_option

# Exit codes, beside 0.
IMPOSSIBLE, WRONG, OUT_OF_BUDGET, INTERNAL, INTERRUPTED = 1, 2, 3, 70, 130


def create_command(**options: Any) -> typer.Typer:
    """A command, or a group of commands, that looks and fails like the others."""
    return typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **options,
    )


app = create_command(
    name="wavefold",
    help="Generate maps from tiles: Wave Function Collapse at native speed.",
    epilog="Example: wavefold generate meadow --size 60x34 --seed 7 -o map.png",
    no_args_is_help=True,
)


def command(*epilog: str, group: typer.Typer = app) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorator that adds a command; its help ends with these lines."""
    return lambda function: group.command(epilog="\n\n".join(epilog))(expand_flags(function))


def print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"wavefold {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Options before the command."""


# --- arguments and flags ---------------------------------------------------------------------------

TILESET = describe_option(find_option(GenerateOptions, "tileset"))
TileSetName = Annotated[str | None, typer.Argument(help=TILESET, show_default="from the configuration")]
RequiredTileSet = Annotated[str, typer.Argument(help=TILESET)]
TileSetOfMap = Annotated[
    str | None, typer.Option(help="The tile set of the map.", show_default="the one the map names")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="The configuration file.", show_default="wavefold.toml, if there is one"),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option("-o", "--output", help="A file to write; its ending selects the format. Can be repeated."),
]
TileSetFile = Annotated[Path | None, typer.Option("-o", "--output", help="The tile set to write (.toml).")]
Page = Annotated[Path | None, typer.Option("--html", help="Also write a page with pictures (.html).")]
Pins = Annotated[
    list[str] | None,
    typer.Option(
        "--pin",
        metavar="X,Y=TILE",
        help="Fix a cell to a tile, or to a colour of a learned set (3,4=#2850c8, 3,4=navy); repeatable.",
    ),
]
Budget = Annotated[
    str | None,
    typer.Option(
        help="Give up after this much: 50ms, 2s, or a number of decisions.", show_default="generous"
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(help=f"Fields that drive the map, by name: {' or '.join(get_args(FieldPreset))}."),
]

LEARNING = (LearnOptions, "n symmetry periodic ground scale colours")
SUBSET = (GenerateOptions, "subset")
TILESET_FLAGS = declared_flags(LEARNING, SUBSET)  # how a tile set is learned or read
