"""`wavefold world`: a region of an endless world."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

import wavefold as wf
from wavefold.cli import options as cli
from wavefold.cli.commands.world_files import (
    ChunkRange,
    check_files,
    check_size,
    is_streamed,
    parse_region,
    write_arrays,
    write_chunks,
    write_region,
)
from wavefold.cli.constraint_options import constraint_flags
from wavefold.cli.flags import Flags, declared_flags, pick_section
from wavefold.cli.inputs import ProblemFlags, load_configured_tiles
from wavefold.cli.outputs import (
    describe_seconds,
    list_written,
    measure_seconds_in_all,
    path_for_seed,
    print_result,
)
from wavefold.cli.terminal import open_console, print_json, print_table, progress_bar, show_map
from wavefold.errors import ConfigError
from wavefold.options.groups import PictureOptions, WorldOptions
from wavefold.storage.files import collect_reads

if TYPE_CHECKING:
    from wavefold.config import Effective
    from wavefold.reports.seams import Bias

KEPT_CHUNKS = 1 << 14  # in a store
WHOLE_MAP = ("connected", "count", "border", "mirror", "rotational")  # constraints that no world can have
STAGES = ("corner", "edge", "joint", "interior")
CONSTRAINTS = constraint_flags(hidden=WHOLE_MAP)
OWN_FLAGS = declared_flags(
    (WorldOptions, "seed region chunk radius refine preset network spacing store"),
    (PictureOptions, "seams stages export stats bias tile_size objects"),
    cli.LEARNING,
    cli.SUBSET,
    tile_size="chosen to fit",
)


@cli.command(
    "Example: wavefold world meadow --seed 7 --region -4:4,-4:4 -o world.png",
    "wavefold world castle --region 0:8,0:4 --seams -o scroll.gif",
    "wavefold world pipes --export 'chunks/{x}_{y}.tmj' --region 0:2,0:2",
    "wavefold world castle --network mm= --network cc= -o roads.png",
    "wavefold world meadow --store my.world --region -2:2,-2:2 -o part.tmj",
)
def world(
    tileset: cli.TileSetName = None,
    flags: Flags = OWN_FLAGS,
    region: Annotated[
        str, typer.Option(help="Chunks: from:to across, from:to down; `to` is not included.")
    ] = "0:1,0:1",
    preset: cli.Preset = None,
    network: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SIDE", help="Join all roads, which show this side; repeatable.", show_default=False
        ),
    ] = None,
    spacing: Annotated[
        int | None, typer.Option(min=16, help="Cells from town to town of a network.", show_default="32")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the world in this file; without TILESET, open it."),
    ] = None,
    seams: Annotated[bool, typer.Option("--seams", help="Outline the chunks in pictures.")] = False,
    stages: Annotated[
        bool, typer.Option("--stages", help="Tint the windows in which chunk borders are solved.")
    ] = False,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="A file for each chunk, with {x} and {y} in its name; its folder is created."
        ),
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Print statistics of the windows.")] = False,
    bias: Annotated[
        bool, typer.Option("--bias", help="Measure how visible the chunk borders are; takes a while.")
    ] = False,
    config: cli.ConfigFile = None,
    output: cli.Outputs = None,
    as_json: cli.AsJson = False,
    constraints: Any = CONSTRAINTS,
) -> None:
    """Show a part of an endless world: pictures, maps, a moving view, files for chunks, statistics."""
    options = ProblemFlags(tileset, flags, config=config, constraints=tuple(constraints))
    chunks, outputs = parse_region(region), output or []
    in_terminal = not (outputs or export or as_json or stats or bias)
    with collect_reads() as inputs:
        effective = options.load_config()
        world = load_world(effective, options, store, preset, read_network(network, spacing))
    with world:
        check_size(chunks, world.plan.chunk, is_streamed(outputs, export))
        paths = [path_for_seed(path, world.seed) for path in outputs]
        section = effective.config.picture
        picture = {"tile_size": section.tile_size, "objects": section.objects}
        picture |= {"seams": seams, "stages": stages}
        check_files(world, chunks, paths, export, picture, inputs)
        seconds = write_all(world, chunks, paths, export, picture, in_terminal)
        measured = measure(world) if bias else None
    if as_json:
        print_json(collect_data(world, chunks, seconds, measured))
    else:
        print_summary(world, chunks, seconds, measured, stats)


def write_all(
    world: wf.World,
    chunks: ChunkRange,
    paths: Sequence[Path],
    export: str | None,
    picture: dict[str, Any],
    in_terminal: bool,
) -> float:
    """Make the region and write or print it; return the seconds that making it took."""
    started = perf_counter()
    with progress_bar("chunks") as progress:
        if is_streamed(paths, export):
            write_arrays(world, chunks, paths, progress)
            return perf_counter() - started
        solution = world.solution(*chunks.cells(world.plan.chunk), progress)
    seconds = perf_counter() - started
    if export is not None:
        write_chunks(world, solution, chunks, export, picture)
    if in_terminal:
        show_map(solution)
    write_region(world, solution, chunks, paths, picture)
    write_arrays(world, chunks, paths)
    return seconds


def measure(world: wf.World) -> Bias:
    """Measure how visible chunk borders are."""
    from wavefold.reports.seams import measure_bias

    with progress_bar("chunks and plain solves") as progress:
        return measure_bias(world, progress=progress)


# --- the world ------------------------------------------------------------------------------------


def read_network(sides: list[str] | None, spacing: int | None) -> dict[str, Any]:
    """The table of a world's network from its flags."""
    given = {"sides": sides or None, "spacing": spacing}
    return {key: value for key, value in given.items() if value is not None}


def load_world(
    effective: Effective,
    options: ProblemFlags,
    store: Path | None,
    preset: str | None,
    network: dict[str, Any],
) -> wf.World:
    """Open the stored world if no tile set is named; otherwise make the one that the options describe."""
    from wavefold.constraints.tables import build_constraint
    from wavefold.fields.presets import preset as load_preset
    from wavefold.worlds.roads import build_network

    if store is not None and options.tileset is None:
        if store.exists():
            return open_stored(options, store, is_described=bool(preset or network))
        if effective.config.generate.tileset is None:
            raise ConfigError(f"no file {str(store)!r}; name a tile set, too, to create it")
    tiles = load_configured_tiles(effective, options)
    section = effective.config.world
    fields = None if preset is None else load_preset(preset, section.seed)
    tables = (*section.constraints, *options.constraints)
    network = section.network | network
    return wf.World(
        tiles,
        section.seed,
        section.chunk,
        fields=effective.driving(tiles, fields),
        store=store,
        keep=KEPT_CHUNKS if store is not None else 0,
        radius=section.corner_radius,
        half_width=section.strip_half_width,
        constraints=tuple(map(build_constraint, tables)),
        network=build_network(network) if network else None,
        refine=False if section.refine == "off" else section.refine,
    )


def open_stored(options: ProblemFlags, store: Path, is_described: bool) -> wf.World:
    """Open a stored world, read-only if the file cannot be written."""
    if is_described or options.constraints or pick_section(options.flags, "world"):
        raise ConfigError(
            f"{store} already has a seed, sizes, fields, sweeps, constraints and a network: leave out these "
            "flags, or name the tile set, too, to check that they match"
        )
    is_writable = os.access(store, os.W_OK) and os.access(store.parent, os.W_OK)
    return wf.World.open(store, keep=KEPT_CHUNKS, readonly=not is_writable)


# --- output -----------------------------------------------------------------------------------------


def collect_data(
    world: wf.World, chunks: ChunkRange, seconds: float, measured: Bias | None
) -> dict[str, Any]:
    """Return the result as plain data."""
    plan = world.plan
    data: dict[str, Any] = {
        "tileset": world.tiles.name,
        "topology": world.tiles.topology,
        "seed": world.seed,
        "region": [chunks.left, chunks.right, chunks.top, chunks.bottom],
        "chunk": plan.chunk,
        "radius": plan.radius,
        "half_width": plan.half_width,
        "refine": world.refine,
        "outputs": list_written(),
        "seconds": round(seconds, 6),
        "seconds_in_all": round(measure_seconds_in_all(), 6),
        "report": world.report.to_dict(),
    }
    if measured is not None:
        data["bias"] = measured.to_dict()
    return data


def print_summary(
    world: wf.World, region: ChunkRange, seconds: float, measured: Bias | None, stats: bool
) -> None:
    """Print one line about the region, and statistics with --stats."""
    across, down = region.right - region.left, region.bottom - region.top
    size = f"{across} x {down} chunks of {world.plan.chunk} cells"
    summary = f"{world.tiles.name or 'world'}, seed {world.seed}, {size}: {describe_seconds('made', seconds)}"
    print_result(summary, aside=not stats and measured is None)
    lines = [*(format_statistics(world, across * down, seconds) if stats else ())]
    for line in [*lines, *(format_bias(measured) if measured is not None else ())]:
        typer.echo(line)
    if measured is not None:
        print_features(measured)


def format_statistics(world: wf.World, chunks: int, seconds: float) -> Iterator[str]:
    """The outcome of the windows, by stage."""
    report = world.report
    yield f"{'windows':10}{'solved':>9}{'in blocks':>11}{'unchanged':>11}{'refined':>9}   blocks, unchanged"
    for name in STAGES:
        stage = getattr(report, name)
        blocks = f"{stage.blocks:,}, {stage.blocks_unchanged:,}" if stage.blocks else "–"
        counts = f"{stage.solved:9,}{stage.solved_in_blocks:11,}{stage.unchanged:11,}{stage.refined:9,}"
        yield f"{name:10}{counts}   {blocks}"
    proposals = sum(getattr(report, name).proposals for name in STAGES)
    if proposals:
        accepted = sum(getattr(report, name).accepted for name in STAGES)
        from wavefold.options.values import format_count

        sweeps = format_count(world.refine, "sweeps")
        yield f"refined in {sweeps} a window: {proposals:,} proposals, {accepted / proposals:.0%} accepted"
    if report.soft_masks_asked:
        total, met = report.soft_masks_asked, report.soft_masks_met
        yield f"fields: {met:,} of {total:,} cells follow them ({met / total:.2%})"
    yield f"{seconds / chunks * 1e3:.1f} ms a chunk; the base {world.certificate}"


def format_bias(measured: Bias) -> Iterator[str]:
    """The distances between kinds of lines, compared with chance."""
    yield (
        f"total variation between samples of {measured.chunks} chunks with {measured.cells:,} cells; "
        "in brackets: how many times the distance of two samples of interiors"
    )
    yield f"{'':30}{'patterns':>16}{'pairs':>16}{'words across':>16}"
    for each in measured.comparisons:
        cells = [f"{one.distance:.3f} ({one.ratio:.2f}x)" for one in (each.patterns, each.pairs, each.words)]
        yield f"{f'{each.one} – {each.other}':30}{cells[0]:>16}{cells[1]:>16}{cells[2]:>16}"


def print_features(measured: Bias) -> None:
    """A table of lines, edges and areas near borders, by their distance from them."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for each in measured.features:
        title = (
            "areas of 4 to 32 cells" if each.way == "near" else f"{each.kind} of {each.length} cells or more"
        )
        distance = "{} to {} cells away".format(*each.distances)
        rows.setdefault((title, each.way), {})[distance] = str(each)
    distances = list(dict.fromkeys(name for row in rows.values() for name in row))
    table = [(*title, *(row[name] for name in distances)) for title, row in rows.items()]
    heading = "how many times as frequent near a border as in the middle of chunks, with the noise of that"
    print_table(open_console(), heading, ("", "", *distances), table, len(table), left=2)
