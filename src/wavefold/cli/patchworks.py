"""Commands about maps grown grid by grid: build one, compare the ways to join."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from wavefold.cli.program import TILESET, AsJson, Outputs, Subset, Windows, app

patchwork = typer.Typer(
    name="patchwork",
    help="Maps grown grid by grid, each made to fit its neighbours: build one, compare the ways to join.",
    epilog="Example: wavefold patchwork build medieval --seed 351921 -o map.png",
    no_args_is_help=True,
)
app.add_typer(patchwork)

TileSetName = Annotated[str, typer.Argument(help=TILESET)]
Grids = Annotated[
    str,
    typer.Option(
        metavar="GRIDS",
        help='How many, ring by ring; or "ring 2" for all up to there; or their keys: "0,0 0,-1 1,-1".',
    ),
]
Radius = Annotated[int, typer.Option(min=1, max=128, help="Of a grid: cells around its centre.")]
Preset = Annotated[
    str | None,
    typer.Option(help="Fields that drive the map, by name: hex or terrain.", show_default="no fields"),
]
Presets = Annotated[
    bool,
    typer.Option("--grass-and-water", help="Begin with a grass centre and a water side (medieval tiles)."),
]


@patchwork.command(
    epilog="Example: wavefold patchwork build --seed 351921 -o map.png -o grow.gif\n\n"
    "wavefold patchwork build castle --join fixed --radius 5 --grids 'ring 1' -o castle.png\n\n"
    "wavefold patchwork build --driven --json --save map.json\n\n"
    "Exit codes: 0 done; 2 wrong usage or bad input; 3 a grid could not be made to fit."
)
def build(
    tileset: TileSetName = "medieval",
    seed: Annotated[int, typer.Option(help="Same seed and same grids, same map, on every machine.")] = 0,
    join: Annotated[
        str, typer.Option(help="How grids are joined: fixed, overlap, editable, whole or witness.")
    ] = "overlap",
    grids: Grids = "19",
    radius: Radius = 8,
    retries: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Seeds to try in each phase.", show_default="3, 5 and 2"),
    ] = None,
    driven: Annotated[
        bool, typer.Option("--driven", help="The same as --preset hex, or terrain for squares.")
    ] = False,
    preset: Preset = None,
    presets: Presets = False,
    outlines: Annotated[
        bool, typer.Option("--outlines/--no-outlines", help="Draw lines between grids.")
    ] = True,
    marks: Annotated[
        bool, typer.Option("--marks/--no-marks", help="Mark changed and dropped cells, with a legend.")
    ] = True,
    levels: Annotated[
        bool, typer.Option("--levels/--no-levels", help="Shade the land by its height.")
    ] = True,
    tile_size: Annotated[
        int | None, typer.Option(min=1, help="Pixels across a cell.", show_default="what fits")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the map in a .json file, to grow on.", show_default=False),
    ] = None,
    n: Windows = None,
    subset: Subset = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Build a map grid by grid: a picture, a film of its growth, a file in any map format."""
    from wavefold.cli.patchwork_build import Request, construct
    from wavefold.cli.patchwork_source import Source

    source = Source(tileset, n, subset, grids, radius, preset, driven, presets)
    picture = {"outlines": outlines, "marks": marks, "levels": levels, "tile_size": tile_size}
    construct(Request(source, seed, join, retries, picture, save, tuple(output or ()), as_json))


@patchwork.command(
    epilog="Example: wavefold patchwork compare --seeds 100 --html joins.html\n\n"
    "wavefold patchwork compare castle --radius 5 --grids 'ring 1' --joins overlap,fixed -o joins.csv"
)
def compare(
    tileset: TileSetName = "medieval",
    seeds: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many maps for each way, with seeds from --seed on.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    joins: Annotated[str, typer.Option(help="All, or names with commas: overlap,fixed.")] = "all",
    grids: Grids = "19",
    radius: Radius = 8,
    retries: Annotated[
        str, typer.Option(metavar="N,N", help="Seeds per phase to compare for the join fixed.")
    ] = "1,3",
    fields: Annotated[
        str, typer.Option(help="Maps without fields, driven by them, or both: plain, driven, both.")
    ] = "both",
    preset: Preset = None,
    presets: Presets = False,
    page: Annotated[
        Path | None,
        typer.Option("--html", help="Write one page with drawings, too (.html).", show_default=False),
    ] = None,
    n: Windows = None,
    subset: Subset = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", help="The table as .csv, .md, .json or .html.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the ways to join grids, with the same seeds: success, changes, drops, time."""
    from wavefold.cli.patchwork_compare import Request, contrast
    from wavefold.cli.patchwork_source import Source

    source = Source(tileset, n, subset, grids, radius, preset, False, presets)
    outputs = (*(output or ()), *([page] if page else ()))
    contrast(Request(source, seeds, seed, joins, retries, fields, page, outputs, as_json))
