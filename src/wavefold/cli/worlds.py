"""The command that shows endless worlds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wavefold.cli.program import TILESET, AsJson, ConfigFile, Outputs, Subset, Windows, app


@app.command(
    epilog="Example: wavefold world meadow --seed 7 --region -4:4,-4:4 -o world.png\n\n"
    "wavefold world castle --region 0:8,0:4 --seams -o scroll.gif\n\n"
    "wavefold world pipes --export 'chunks/{x}_{y}.tmj' --region 0:2,0:2\n\n"
    "wavefold world meadow --store my.world --region -2:2,-2:2 -o part.tmj"
)
def world(
    tileset: Annotated[
        str | None, typer.Argument(help=TILESET, show_default="what the configuration says")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same world, on every machine.", show_default="0")
    ] = None,
    region: Annotated[
        str, typer.Option(help="Chunks from:to across, from:to down; the last are not included.")
    ] = "0:1,0:1",
    chunk: Annotated[
        int | None, typer.Option(min=6, help="Cells along the side of a chunk.", show_default="64")
    ] = None,
    radius: Annotated[
        int | None,
        typer.Option(min=2, help="How far windows reach around where chunks meet.", show_default="11"),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(help="Fields by name: terrain or hex. Tiles keep to their limits.", show_default=False),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the world in this file; without TILESET: open it.",
            show_default=False,
        ),
    ] = None,
    seams: Annotated[bool, typer.Option("--seams", help="Outline the chunks in pictures.")] = False,
    stages: Annotated[
        bool, typer.Option("--stages", help="Tint the windows that borders are made in.")
    ] = False,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A file for each chunk, with {x} and {y} in its name; its folder is made.",
            show_default=False,
        ),
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Tell what became of the windows.")] = False,
    bias: Annotated[
        bool, typer.Option("--bias", help="Measure how visible the scheme is; takes a while.")
    ] = False,
    tile_size: Annotated[
        int | None, typer.Option(min=1, help="Pixels across a cell.", show_default="what fits")
    ] = None,
    n: Windows = None,
    subset: Subset = None,
    config: ConfigFile = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Show a part of an endless world: pictures, maps, a moving view, files for chunks, figures."""
    from wavefold.cli.sources import Wishes
    from wavefold.cli.world import Request, explore, with_sizes

    flags = {
        "generate.subset": subset, "world.seed": seed, "picture.tile_size": tile_size,
        **with_sizes(chunk, radius),
    }  # fmt: skip
    wishes = Wishes(tileset, flags, n=n, config=config)
    outputs = tuple(output or ())
    explore(Request(wishes, region, preset, store, seams, stages, export, stats, bias, outputs, as_json))
