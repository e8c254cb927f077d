"""Commands that make something: generate, learn, explain, repair."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wavefold.cli.program import (
    TILESET,
    AsJson,
    Budget,
    ConfigFile,
    Order,
    Outputs,
    Pins,
    Radius,
    Search,
    Seed,
    Size,
    Subset,
    Windows,
    Wrap,
    app,
)

TileSetName = Annotated[str | None, typer.Argument(help=TILESET, show_default="what the configuration says")]


@app.command(
    epilog="Example: wavefold generate terrain -o map.png -o map.tmx\n\n"
    "wavefold generate sample.png --n 3 --size 48x48 -o grown.gif\n\n"
    "Exit codes: 0 done; 1 proved impossible; 2 wrong usage or bad input; 3 out of budget."
)
def generate(
    tileset: TileSetName = None,
    size: Size = None,
    radius: Radius = None,
    seed: Seed = None,
    wrap: Wrap = None,
    order: Order = None,
    search: Search = None,
    pin: Pins = None,
    budget: Budget = None,
    count: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=10_000,
            help="So many maps, with the seeds that follow. Pictures become one sheet.",
            show_default="1",
        ),
    ] = None,
    n: Windows = None,
    subset: Subset = None,
    tile_size: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Pixels across a cell.",
            show_default="those of the tiles; a learned pixel is enlarged to fill 384, and in Tiled to 8",
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="If it fails, write (or show) what was decided all the same.")
    ] = False,
    memory: Annotated[str, typer.Option(help="Refuse maps that would need more than this.")] = "4GB",
    config: ConfigFile = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Grow a map: write it in any format, or draw it in the terminal."""
    from wavefold.cli.generate import Request, grow
    from wavefold.cli.sources import Wishes

    flags = {
        "generate.size": size, "generate.radius": radius, "generate.seed": seed, "generate.wrap": wrap,
        "generate.count": count, "generate.subset": subset, "heuristics.order": order, "search": search,
        "budget": budget, "picture.tile_size": tile_size,
    }  # fmt: skip
    wishes = Wishes(tileset, flags, tuple(pin or ()), n, config, memory)
    grow(Request(wishes, tuple(output or ()), partial, as_json))


@app.command(epilog="Example: wavefold learn sample.png --n 3 -o sample.toml")
def learn(
    samples: Annotated[
        list[str],
        typer.Argument(
            help="Pictures, or names that `wavefold tilesets --samples` lists.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The tile set to write (.toml).", show_default=False)
    ] = None,
    n: Windows = None,
    symmetry: Annotated[
        int | None,
        typer.Option(min=1, max=8, help="How many turned and mirrored copies to learn.", show_default="8"),
    ] = None,
    periodic: Annotated[
        bool | None, typer.Option("--periodic/--open", help="Opposite edges of the sample touch, or do not.")
    ] = None,
    ground: Annotated[
        bool | None, typer.Option("--ground/--no-ground", help="The bottom row is ground.")
    ] = None,
    adjacency: Annotated[
        bool, typer.Option("--adjacency", help="Learn what stands beside what, cell by cell, instead.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn a tile set from pictures or drawn maps, and write it."""
    from wavefold.cli.learn import Request, study

    study(Request(tuple(samples), output, n, symmetry, periodic, ground, adjacency, as_json))


@app.command(
    epilog="Example: wavefold explain pipes --size 8x8 --pin 0,0=lamp --pin 1,0=cross -o why.png\n\n"
    "Exit codes: 0 nothing contradicts; 1 it cannot be done, and this is why; 2 wrong usage or bad input."
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
    """Say why a map is impossible: which pins, masks and limits cannot hold together."""
    from wavefold.cli.explain import say_why
    from wavefold.cli.sources import Wishes

    flags = {
        "generate.size": size, "generate.radius": radius, "generate.wrap": wrap, "generate.subset": subset
    }  # fmt: skip
    raise typer.Exit(say_why(Wishes(tileset, flags, tuple(pin or ()), n, config), output, as_json))


@app.command(epilog="Example: wavefold repair edited.tmx --original map.json -o mended.tmx")
def repair(
    drawn: Annotated[
        Path, typer.Argument(metavar="MAP", help="A map that was edited: .json, .npz, .csv, .tmj or .tmx.")
    ],
    tiles: Annotated[
        str | None,
        typer.Option(help="The tile set of the map.", show_default="the one the map names"),
    ] = None,
    original: Annotated[
        Path | None,
        typer.Option(help="The map before it was edited: what differs is kept.", show_default=False),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="X,Y", help="A cell that must stay; may be repeated.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed mends in another way.")] = 0,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Make an edited map valid again, changing as little as possible."""
    from wavefold.cli.repair import Request, mend

    mend(Request(drawn, tiles, original, tuple(keep or ()), seed, tuple(output or ()), as_json))
