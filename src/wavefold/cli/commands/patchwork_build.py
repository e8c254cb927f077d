"""`wavefold patchwork build`: one map, as pictures, files and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.commands.patchwork import (
    GridRadius,
    Grids,
    PatchworkSource,
    PatchworkTiles,
    Preset,
    Presets,
    patchwork,
)
from wavefold.cli.inputs import watch_reads
from wavefold.cli.options import AsJson, Outputs, Subset, TileSize, Windows, print_json
from wavefold.cli.outputs import (
    check_distinct,
    check_outputs,
    errors_in_flags,
    is_animation,
    list_files,
    record_written,
    written_files,
)
from wavefold.cli.progress import announce_compiling, item_bar
from wavefold.common.files import check_writable
from wavefold.errors import ConfigError
from wavefold.map_format import companions, find_writer
from wavefold.plugins import BUILT_IN, find

if TYPE_CHECKING:
    from wavefold.patchwork.state import Snapshot

PICTURE = ".png"
SAVED = ".json"


@patchwork.command(
    epilog="Example: wavefold patchwork build --seed 351921 -o map.png -o grow.gif\n\n"
    "wavefold patchwork build castle --join fixed --radius 5 --grids 'ring 1' -o castle.png\n\n"
    "wavefold patchwork build --driven --json --save map.json\n\n"
    "Exit codes: 0 done; 2 wrong usage or bad input; 3 a grid could not be made to fit."
)
def build(
    tileset: PatchworkTiles = "medieval",
    seed: Annotated[int, typer.Option(help="Same seed and same grids, same map, on every machine.")] = 0,
    join: Annotated[
        str, typer.Option(help=f"How grids are joined, by name: {', '.join(BUILT_IN['join'])}.")
    ] = "overlap",
    grids: Grids = "19",
    radius: GridRadius = 8,
    retries: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Seeds to try in each phase.", show_default="3, 5 and 2"),
    ] = None,
    driven: Annotated[
        bool, typer.Option("--driven", help="Same as --preset hex, or --preset terrain for square tiles.")
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
    tile_size: TileSize = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save the map in a .json file, to be extended later.", show_default=False
        ),
    ] = None,
    n: Windows = None,
    subset: Subset = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Build a map grid by grid: a picture, an animation of the build, a file in any map format."""
    source = PatchworkSource(tileset, n, subset, grids, radius, preset, driven, presets)
    picture = {"outlines": outlines, "marks": marks, "levels": levels, "tile_size": tile_size}
    run(source, seed, join, retries, picture, save, tuple(output or ()), as_json)


def run(
    source: PatchworkSource,
    seed: int,
    join: str,
    retries: int | None,
    picture: dict[str, Any],
    save: Path | None,
    outputs: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Build the map, then write it. What would fail at the end is checked before."""
    from wavefold.patchwork.picture import record_growth

    find("join", join)
    check_save(save)
    check_outputs(outputs)
    with watch_reads() as inputs:
        tiles = source.load()
    check_distinct([*outputs, *([save] if save else [])], [0], inputs)
    keys = source.keys(tiles)
    fields = source.fields(tiles, seed)
    map = wf.Patchwork(tiles, source.radius, seed, join, retries, fields, source.presets)
    with announce_compiling(), item_bar("grids") as progress:
        steps = record_growth(map, keys, progress)
    if save is not None:
        map.save(save)
        record_written(save)
    with errors_in_flags():
        for path in outputs:
            write(map, steps, path, picture)
    if not (outputs or save or as_json):
        from wavefold.cli.terminal import show_map

        show_map(map.solution())
    if as_json:
        print_json(as_data(map, source, written_files()))
    else:
        print_summary(map, written_files(), source.tileset)


def check_save(path: Path | None) -> None:
    """Raise, before any work, if the map could not be saved there."""
    if path is None:
        return
    if path.suffix.lower() != SAVED:
        raise ConfigError(f"cannot save {str(path)!r}: a patchwork is saved as a {SAVED} file")
    check_writable(path)


def write(map: wf.Patchwork, steps: Sequence[Snapshot], path: Path, picture: dict[str, Any]) -> None:
    """Write a picture, an animation, or the map in another format."""
    from wavefold.patchwork.picture import GrowthFrames, draw_patchwork
    from wavefold.render.draw import write_image

    if is_animation(path):
        frames = GrowthFrames(map, steps, **picture)
        find_writer(path, "write_animation")(frames, path, frames.milliseconds)
    elif path.suffix.lower() == PICTURE:
        write_image(draw_patchwork(map, **picture, legend=picture["marks"]), path)
    else:
        map.solution().save(path)
    record_written(path, *companions(path))


def as_data(map: wf.Patchwork, source: PatchworkSource, written: list[str]) -> dict[str, Any]:
    """Plain data, with the map itself unless files hold it."""
    data: dict[str, Any] = {
        "tileset": source.tileset,
        "topology": map.tiles.topology,
        "seed": map.seed,
        "join": map.join.name,
        "radius": map.radius,
        "grids": [list(key) for key in map.grids],
        "retries": {name: getattr(map.retries, name) for name in ("attempts", "replace", "drop")},
        "fields": source.fields_name(map.tiles),
        "presets": [[*cell, tile] for cell, tile in map.pins.items()],
        "changed": [list(cell) for cell in map.changed],
        "dropped": [list(cell) for cell in map.dropped],
        "violations": [violation.text for violation in wf.check(map)],
        "outputs": written,
        "report": map.report.to_dict(),
    }
    if not written:
        data["names"] = list(map.rules.names)
        data["map"] = [[*cell, pattern] for cell, pattern in sorted(map.patterns.items())]
    return data


def print_summary(map: wf.Patchwork, written: Sequence[str], tileset: str) -> None:
    """One line about the map, and one about dropped cells."""
    name = map.tiles.name or Path(tileset).stem
    summary = f"{name}, seed {map.seed}, {map.join.name}: {map.report}"
    typer.echo(f"{list_files(written)} — {summary}" if written else summary, err=not written)
    if map.dropped:
        torn = map.report.mismatches_from_dropped
        sides = "one side does not fit" if torn == 1 else f"{torn:,} sides do not fit"
        cells = "one cell was" if len(map.dropped) == 1 else f"{len(map.dropped):,} cells were"
        typer.echo(f"{cells} dropped, {sides}: red rings in pictures", err=not written)
