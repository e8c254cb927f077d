"""The Typer application that commands are added to, and the options that several of them share.

Also errors of the library in terms of these options.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from wavefold._version import __version__
from wavefold.options.groups import GenerateOptions, PictureOptions
from wavefold.options.option import find_option


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


def declared_flag(group: type, name: str, *, help: str, **about: Any) -> Any:
    """A flag with the bounds of a declared option. `{names}` in its help stands for the names it knows."""
    declared = find_option(group, name)
    if int in declared.parts:
        about |= {"min": declared.option.low, "max": declared.option.high}
    return typer.Option(help=help.format(names=", ".join(map(str, declared.names))), **about)


# --- options with the same meaning in every command; None: use the configuration ---------------------------

TILESET = "A name listed by `wavefold tilesets`, a tile set file, or a picture to learn from."
TileSetName = Annotated[str | None, typer.Argument(help=TILESET, show_default="from the configuration")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]
Size = Annotated[
    str | None,
    typer.Option(
        help="Columns x rows (x layers, for cubes), in cells.",
        show_default="what the tile set recommends, or 64x64",
    ),
]
Radius = Annotated[
    int | None, declared_flag(GenerateOptions, "radius", help="For hexagons: rings around the centre cell.")
]
Seed = Annotated[int | None, typer.Option(help="Same seed, same map, on every machine.", show_default="0")]
Maps = Annotated[
    int | None,
    declared_flag(
        GenerateOptions, "maps", help="Make this many maps, with consecutive seeds.", show_default="1"
    ),
]
Wrap = Annotated[
    bool | None,
    typer.Option("--wrap/--no-wrap", help="Join opposite edges: the map tiles the plane.", show_default="no"),
]
Order = Annotated[
    str | None,
    declared_flag(
        GenerateOptions,
        "order",
        help="Which cell comes next: {names}, or one of a plugin.",
        show_default="auto",
    ),
]
Choice = Annotated[
    str | None,
    declared_flag(
        GenerateOptions,
        "choice",
        help="Which tile a cell becomes: {names}, or one of a plugin.",
        show_default="by weight",
    ),
]
Search = Annotated[
    str | None,
    declared_flag(
        GenerateOptions,
        "search",
        help="What to do at a dead end: {names}.",
        show_default="auto",
    ),
]
Refine = Annotated[
    str | None,
    typer.Option(
        metavar="SWEEPS",
        help="Refine the map in this many sweeps, until weights mean what they say; auto or off.",
        show_default="auto: what the tile set recommends; none beside --order, --choice or --priors",
    ),
]
RefineWindows = Annotated[
    str | None,
    typer.Option(
        "--refine",
        metavar="SWEEPS",
        help="Refine each window of the world in this many sweeps, so that no border shows; auto or off.",
        show_default="auto: what suits the tile set",
    ),
]
RefineGrids = Annotated[
    str,
    typer.Option(
        "--refine",
        metavar="SWEEPS",
        help="Refine each grid in this many sweeps after it was joined; auto or off.",
        show_default="auto: what suits the tile set, if activities are stored with it",
    ),
]
Pins = Annotated[
    list[str] | None,
    typer.Option(
        "--pin",
        metavar="X,Y=TILE",
        help="Fix a cell to a tile, or to a colour of a learned set (3,4=#2850c8, 3,4=navy); repeatable.",
    ),
]
OwnConstraints = Annotated[
    bool | None,
    typer.Option(
        "--own-constraints/--no-own-constraints",
        help="Whether the constraints of the tile set hold.",
        show_default="yes",
        rich_help_panel="Constraints",
    ),
]
Budget = Annotated[
    str | None,
    typer.Option(
        help="Give up after this much: 50ms, 2s, or a number of decisions.", show_default="generous"
    ),
]
LEARNING = "Learning from a picture"
Windows = Annotated[
    int | None,
    typer.Option(
        "--n", help="Width of the windows to learn, in cells.", show_default="3", rich_help_panel=LEARNING
    ),
]
Symmetry = Annotated[
    str | None,
    typer.Option(
        metavar="1…8",
        help="How many turned and mirrored copies to learn: 1 as drawn, 2 with mirror images, 8 all.",
        show_default="auto: by what occurs in the picture",
        rich_help_panel=LEARNING,
    ),
]
Periodic = Annotated[
    bool | None,
    typer.Option(
        "--periodic/--open",
        help="Whether opposite edges of the picture touch.",
        show_default="yes",
        rich_help_panel=LEARNING,
    ),
]
Ground = Annotated[
    bool | None,
    typer.Option(
        "--ground/--no-ground",
        help="Whether the bottom row is ground.",
        show_default="no",
        rich_help_panel=LEARNING,
    ),
]
Scale = Annotated[
    str | None,
    typer.Option(
        metavar="auto|N",
        help="Undo upscaling: pixels are blocks of N x N, or of a size that is found; 1: keep every pixel.",
        show_default="auto, where it is certain",
        rich_help_panel=LEARNING,
    ),
]
Colours = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Reduce the picture to N colours.",
        show_default="all",
        rich_help_panel=LEARNING,
    ),
]


def learn_options(
    n: int | None,
    symmetry: str | None,
    periodic: bool | None,
    ground: bool | None,
    scale: str | None,
    colours: int | None,
) -> dict[str, Any]:
    """Keyword arguments of `wf.learn` that were given as flags."""
    given: dict[str, Any] = {"n": n, "periodic": periodic, "ground": ground, "colours": colours}
    for name, text in (("symmetry", symmetry), ("scale", scale)):
        given[name] = int(text) if text is not None and text.isascii() and text.isdigit() else text
    return {name: value for name, value in given.items() if value is not None}


Subset = Annotated[
    str | None, typer.Option(help="Use only this subset of an mxgmn .xml file.", show_default="all tiles")
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="The configuration file.", show_default="wavefold.toml, if there is one"),
]
Outputs = Annotated[
    list[Path] | None,
    typer.Option("-o", "--output", help="A file to write; its ending selects the format. Can be repeated."),
]
TileSize = Annotated[
    int | None,
    declared_flag(
        PictureOptions, "tile_size", help="Width of a cell, in pixels.", show_default="chosen to fit"
    ),
]
Diagnostics = Annotated[
    list[str] | None,
    typer.Option(
        "--diagnostic",
        metavar="NAME[=TARGET]",
        help="Pass on what happens while maps are made: jsonl=FILE, otel, or one of a plugin; repeatable.",
    ),
]
Objects = Annotated[
    bool | None,
    typer.Option(
        "--objects/--no-objects",
        help="Draw and write the objects of the tile set, such as trees.",
        show_default="on",
    ),
]
Renderer = Annotated[
    str | None,
    declared_flag(
        PictureOptions,
        "renderer",
        help="What draws .png files: {names}, or one of a plugin.",
        show_default="tiles",
    ),
]


# --- errors ------------------------------------------------------------------------------------------------

# Exit codes, beside 0.
IMPOSSIBLE, WRONG, OUT_OF_BUDGET, INTERNAL, INTERRUPTED = 1, 2, 3, 70, 130
