"""`wavefold world`: a part of an endless world, from a name and a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import wavefold as wf
from wavefold.cli import ledger
from wavefold.cli.generate import compiling
from wavefold.cli.outputs import named_for
from wavefold.cli.program import say_json
from wavefold.cli.sources import Wishes, tiles_of
from wavefold.cli.world_files import check_files, is_zarr, write_arrays, write_chunks, write_region
from wavefold.cli.world_place import check_size, read_region
from wavefold.cli.world_telling import as_data, counting, tell
from wavefold.config import Effective, load_config
from wavefold.errors import ConfigError
from wavefold.fields.presets import preset as fields_of
from wavefold.world.bias import measure_bias

KEPT_CHUNKS = 1 << 14  # in a store


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    wishes: Wishes
    region: str
    preset: str | None
    store: Path | None
    seams: bool
    stages: bool
    export: str | None
    stats: bool
    bias: bool
    outputs: tuple[Path, ...]
    as_json: bool

    @property
    def is_shown(self) -> bool:
        """Whether the world itself is the answer, because nothing else was asked for."""
        return not (self.outputs or self.export or self.as_json or self.stats or self.bias)

    @property
    def is_streamed(self) -> bool:
        """Whether the region is written chunk by chunk, so that it need not fit into memory."""
        return bool(self.outputs) and all(map(is_zarr, self.outputs)) and self.export is None


def with_sizes(chunk: int | None, radius: int | None) -> dict[str, int | None]:
    """Flags for the sizes of a plan; what is not given suits what is."""
    if radius is None and chunk is not None and chunk < 24:
        radius = (chunk - 2) // 2
    return {
        "world.chunk": chunk,
        "world.corner_radius": radius,
        "world.strip_half_width": None if radius is None else radius - 1,
    }


@contextmanager
def in_own_flags(radius: Any) -> Iterator[None]:
    """What is refused in here is told with the flag that was given, not with the field it fills."""
    try:
        yield
    except ConfigError as error:
        if radius is None:
            raise
        raise ConfigError(re.sub("--corner-radius|corner_radius", "--radius", str(error))) from error


def explore(request: Request) -> None:
    """Make the region, then write it, count it, measure it. What would fail at the end is checked before."""
    ledger.keep()
    place = read_region(request.region)
    with ledger.reading() as inputs, compiling(), in_own_flags(request.wishes.flags["world.corner_radius"]):
        flags = {"generate.tileset": request.wishes.tileset, **request.wishes.flags}
        effective = load_config(request.wishes.config, flags=flags)
        world = stored(request) or made(effective, request)
    with world:
        check_size(place, world.plan.chunk, request.is_streamed)
        outputs = [named_for(path, world.seed) for path in request.outputs]
        options = {"tile_size": effective.config.picture.tile_size}
        check_files(world, place, outputs, request.export, options, inputs)
        started = perf_counter()
        with counting("chunks") as progress:
            if request.is_streamed:
                write_arrays(world, place, outputs, progress)
            else:
                solution = world.solution(*place.cells(world.plan.chunk), progress)
        seconds = perf_counter() - started
        if not request.is_streamed:
            if request.export is not None:
                write_chunks(world, solution, place, request.export, options)
            if outputs or request.is_shown:
                picture = options | {"seams": request.seams, "stages": request.stages}
                write_region(world, solution, place, outputs, picture)
            write_arrays(world, place, outputs)
        measured = None
        if request.bias:
            with counting("chunks and plain solves") as progress:
                measured = measure_bias(world, progress=progress)
    if request.as_json:
        say_json(as_data(world, place, ledger.written(), seconds, measured))
        return
    tell(world, place, ledger.written(), seconds, measured, request.stats)


def stored(request: Request) -> wf.World | None:
    """The world that is kept in a file, if it is asked for by this name alone."""
    wishes = request.wishes
    if request.store is None or wishes.tileset is not None or not request.store.exists():
        return None
    about = [value for name, value in wishes.flags.items() if name.startswith("world.")]
    if request.preset is not None or any(value is not None for value in about):
        raise ConfigError(
            f"{request.store} knows its seed, its sizes and its fields: leave these flags out; or name the "
            "tile set, too, to be told whether it is that world"
        )
    return wf.World.open(request.store, keep=KEPT_CHUNKS)


def made(effective: Effective, request: Request) -> wf.World:
    """A new world; fields of a preset follow its seed."""
    tiles = tiles_of(effective, request.wishes)
    section = effective.config.world
    preset = None if request.preset is None else fields_of(request.preset, section.seed)
    return wf.World(
        tiles,
        section.seed,
        section.chunk,
        fields=effective.driving(tiles, preset),
        store=request.store,
        keep=KEPT_CHUNKS if request.store is not None else 0,
        radius=section.corner_radius,
        half_width=section.strip_half_width,
    )
