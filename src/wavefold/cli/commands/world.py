"""`wavefold world`: a part of an endless world, from a name and a region."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

import wavefold as wf
from wavefold.cli.commands.world_files import (
    ChunkRange,
    check_files,
    check_size,
    is_zarr,
    parse_region,
    write_arrays,
    write_chunks,
    write_region,
)
from wavefold.cli.commands.world_report import as_data, print_summary
from wavefold.cli.inputs import ProblemOptions, load_configured_tiles, watch_reads
from wavefold.cli.options import (
    AsJson,
    ConfigFile,
    Outputs,
    Subset,
    TileSetName,
    TileSize,
    Windows,
    app,
    print_json,
)
from wavefold.cli.outputs import path_for_seed, written_files
from wavefold.cli.progress import announce_compiling, item_bar
from wavefold.errors import ConfigError

if TYPE_CHECKING:
    from wavefold.config import Effective
    from wavefold.world.bias import Bias

KEPT_CHUNKS = 1 << 14  # in a store


@app.command(
    epilog="Example: wavefold world meadow --seed 7 --region -4:4,-4:4 -o world.png\n\n"
    "wavefold world castle --region 0:8,0:4 --seams -o scroll.gif\n\n"
    "wavefold world pipes --export 'chunks/{x}_{y}.tmj' --region 0:2,0:2\n\n"
    "wavefold world meadow --store my.world --region -2:2,-2:2 -o part.tmj"
)
def world(
    tileset: TileSetName = None,
    seed: Annotated[
        int | None, typer.Option(help="Same seed, same world, on every machine.", show_default="0")
    ] = None,
    region: Annotated[
        str, typer.Option(help="Chunks, as from:to across, from:to down; `to` is not included.")
    ] = "0:1,0:1",
    chunk: Annotated[
        int | None, typer.Option(min=6, help="Width and height of a chunk, in cells.", show_default="64")
    ] = None,
    radius: Annotated[
        int | None,
        typer.Option(min=2, help="How far windows reach around chunk corners, in cells.", show_default="11"),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="Fields, by name: terrain or hex. Tiles stay within their limits.", show_default=False
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the world in this file; without TILESET, open it.",
            show_default=False,
        ),
    ] = None,
    seams: Annotated[bool, typer.Option("--seams", help="Outline the chunks in pictures.")] = False,
    stages: Annotated[
        bool, typer.Option("--stages", help="Tint the windows in which chunk borders are solved.")
    ] = False,
    export: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A file for each chunk, with {x} and {y} in its name; its folder is created.",
            show_default=False,
        ),
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Print statistics of the windows.")] = False,
    bias: Annotated[
        bool, typer.Option("--bias", help="Measure how visible the chunk borders are; takes a while.")
    ] = False,
    tile_size: TileSize = None,
    n: Windows = None,
    subset: Subset = None,
    config: ConfigFile = None,
    output: Outputs = None,
    as_json: AsJson = False,
) -> None:
    """Show a part of an endless world: pictures, maps, a moving view, files for chunks, statistics."""
    flags = {
        "generate.subset": subset, "world.seed": seed, "picture.tile_size": tile_size,
        **size_flags(chunk, radius),
    }  # fmt: skip
    shown = WorldOutputs(seams, stages, export, stats, bias, tuple(output or ()), as_json)
    run(ProblemOptions(tileset, flags, n=n, config=config), region, preset, store, shown)


@dataclass(frozen=True, slots=True)
class WorldOutputs:
    """What to show or write of the region."""

    seams: bool
    stages: bool
    export: str | None
    stats: bool
    bias: bool
    paths: tuple[Path, ...]
    as_json: bool

    @property
    def in_terminal(self) -> bool:
        """Whether the map itself is printed, because nothing else was asked for."""
        return not (self.paths or self.export or self.as_json or self.stats or self.bias)

    @property
    def is_streamed(self) -> bool:
        """Whether the region is written chunk by chunk, so that it need not fit into memory."""
        return bool(self.paths) and all(map(is_zarr, self.paths)) and self.export is None


def run(
    options: ProblemOptions, region: str, preset: str | None, store: Path | None, shown: WorldOutputs
) -> None:
    """Make the region, then write and measure it. What would fail at the end is checked before."""
    chunks = parse_region(region)
    radius = options.flags["world.corner_radius"]
    with watch_reads() as inputs, announce_compiling(), errors_in_own_flags(radius):
        effective = options.load_config()
        world = open_stored(options, store, preset) or create_world(effective, options, store, preset)
    with world:
        check_size(chunks, world.plan.chunk, shown.is_streamed)
        paths = [path_for_seed(path, world.seed) for path in shown.paths]
        tile_size = effective.config.picture.tile_size
        check_files(world, chunks, paths, shown.export, {"tile_size": tile_size}, inputs)
        seconds = write_all(world, chunks, paths, shown, tile_size)
        measured = measure(world) if shown.bias else None
    if shown.as_json:
        print_json(as_data(world, chunks, written_files(), seconds, measured))
    else:
        print_summary(world, chunks, written_files(), seconds, measured, shown.stats)


def write_all(
    world: wf.World, chunks: ChunkRange, paths: Sequence[Path], shown: WorldOutputs, tile_size: int | None
) -> float:
    """Make the region and write or print it; return the seconds that making it took."""
    started = perf_counter()
    with item_bar("chunks") as progress:
        if shown.is_streamed:
            write_arrays(world, chunks, paths, progress)
            return perf_counter() - started
        solution = world.solution(*chunks.cells(world.plan.chunk), progress)
    seconds = perf_counter() - started
    options = {"tile_size": tile_size}
    if shown.export is not None:
        write_chunks(world, solution, chunks, shown.export, options)
    if paths or shown.in_terminal:
        picture = options | {"seams": shown.seams, "stages": shown.stages}
        write_region(world, solution, chunks, paths, picture)
    write_arrays(world, chunks, paths)
    return seconds


def measure(world: wf.World) -> Bias:
    """Measure how visible chunk borders are."""
    from wavefold.world.bias import measure_bias

    with item_bar("chunks and plain solves") as progress:
        return measure_bias(world, progress=progress)


# --- the world ------------------------------------------------------------------------------------


def size_flags(chunk: int | None, radius: int | None) -> dict[str, int | None]:
    """Configuration flags for the sizes of a plan; a small chunk gets a radius that fits it."""
    if radius is None and chunk is not None and chunk < 24:
        radius = (chunk - 2) // 2
    return {
        "world.chunk": chunk,
        "world.corner_radius": radius,
        "world.strip_half_width": None if radius is None else radius - 1,
    }


@contextmanager
def errors_in_own_flags(radius: Any) -> Iterator[None]:
    """Let errors name the flag that was given, not the configuration key that it sets."""
    try:
        yield
    except ConfigError as error:
        if radius is None:
            raise
        raise ConfigError(re.sub("--corner-radius|corner_radius", "--radius", str(error))) from error


def open_stored(options: ProblemOptions, store: Path | None, preset: str | None) -> wf.World | None:
    """The world of an existing file, if no tile set is named; None if a new world is to be made."""
    if store is None or options.tileset is not None or not store.exists():
        return None
    sizes = [value for name, value in options.flags.items() if name.startswith("world.")]
    if preset is not None or any(value is not None for value in sizes):
        raise ConfigError(
            f"{store} already has a seed, sizes and fields: leave these flags out; or name the tile set, "
            "too, to check that it is that world"
        )
    return wf.World.open(store, keep=KEPT_CHUNKS)


def create_world(
    effective: Effective, options: ProblemOptions, store: Path | None, preset: str | None
) -> wf.World:
    """A new world; the fields of a preset depend on its seed."""
    from wavefold.fields.presets import preset as load_preset

    tiles = load_configured_tiles(effective, options)
    section = effective.config.world
    fields = None if preset is None else load_preset(preset, section.seed)
    return wf.World(
        tiles,
        section.seed,
        section.chunk,
        fields=effective.driving(tiles, fields),
        store=store,
        keep=KEPT_CHUNKS if store is not None else 0,
        radius=section.corner_radius,
        half_width=section.strip_half_width,
    )
