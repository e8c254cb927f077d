"""`wavefold world`: a part of an endless world, from a name and a place."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import typer

import wavefold as wf
from wavefold.cli.generate import compiling
from wavefold.cli.outputs import check_outputs, is_animation
from wavefold.cli.sources import Wishes, tiles_of
from wavefold.config import Effective, load_config
from wavefold.errors import ConfigError
from wavefold.fields.presets import preset as fields_of
from wavefold.plugins import find
from wavefold.render.save import check_place, write_image
from wavefold.world.bias import Bias, measure_bias

__all__ = ["Request", "explore", "with_sizes"]

REGION = re.compile(r"\s*(-?\d{1,9}):(-?\d{1,9})\s*,\s*(-?\d{1,9}):(-?\d{1,9})\s*")
MOST_CELLS = 1 << 24
MILLISECONDS = 60  # of a frame
ZARR = ".zarr"
STAGES = ("corner", "edge", "joint", "interior")


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    wishes: Wishes
    region: str
    preset: str | None
    seams: bool
    stages: bool
    export: str | None
    stats: bool
    bias: bool
    outputs: tuple[Path, ...]
    as_json: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Which chunks are looked at; the last are not included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def chunks(self) -> list[tuple[int, int]]:
        """All of them, row by row."""
        return [(x, y) for y in range(self.top, self.bottom) for x in range(self.left, self.right)]

    def cells(self, side: int) -> tuple[int, int, int, int]:
        """The first cell, the width and the height."""
        width, height = (self.right - self.left) * side, (self.bottom - self.top) * side
        return self.left * side, self.top * side, width, height


def with_sizes(chunk: int | None, radius: int | None) -> dict[str, int | None]:
    """Flags for the sizes of a plan; what is not given suits what is."""
    if radius is None and chunk is not None and chunk < 24:
        radius = (chunk - 2) // 2
    return {
        "world.chunk": chunk,
        "world.corner_radius": radius,
        "world.strip_half_width": None if radius is None else radius - 1,
    }


def explore(request: Request) -> None:
    """Make the region, then write it, count it, measure it. What would fail at the end is checked before."""
    place = read_region(request.region)
    effective = configured(request)
    tiles = tiles_of(effective, request.wishes)
    side = effective.config.world.chunk
    check_size(place, side)
    check_files(request)
    with compiling():
        world = opened(effective, tiles, request)
        started = perf_counter()
        with counting("chunks") as progress:
            world.region(*place.cells(side), progress)  # what is written finds it made
        seconds = perf_counter() - started
        written = write_files(world, place, effective, request)
        measured = None
        if request.bias:
            with counting("chunks and plain solves") as progress:
                measured = measure_bias(world, progress=progress)
    if request.as_json:
        typer.echo(json.dumps(as_data(world, place, written, seconds, measured), ensure_ascii=False))
        return
    tell(world, place, request, written, seconds, measured)


def configured(request: Request) -> Effective:
    """The configuration with the flags of this command; fields of a preset follow the world's seed."""
    wishes = request.wishes
    effective = load_config(wishes.config, flags={"generate.tileset": wishes.tileset, **wishes.flags})
    terrain = effective.config.terrain
    if terrain.limits or terrain.weights:
        typer.echo("wavefold: note: worlds do not read [terrain] yet; limits of the tiles hold", err=True)
    return effective


def opened(effective: Effective, tiles: wf.TileSet, request: Request) -> wf.World:
    """The world, with the fields that were asked for."""
    section = effective.config.world
    if request.preset is not None:
        fields: wf.Fields | None = wf.Fields(**fields_of(request.preset, section.seed))
    else:
        fields = effective.fields if effective.fields.names else None
    return wf.World(
        tiles,
        section.seed,
        section.chunk,
        fields=fields,
        radius=section.corner_radius,
        half_width=section.strip_half_width,
    )


def write_files(world: wf.World, place: Place, effective: Effective, request: Request) -> list[str]:
    """Write or show the region as was asked for; the names of what was written."""
    x, y, width, height = place.cells(world.plan.chunk)
    written = [str(path) for path in exported(world, place, request.export)]
    looked_at = not (request.as_json or request.stats or request.bias or written)
    if not request.outputs and not looked_at:
        return written
    solution = world.solution(x, y, width, height)
    if not request.outputs:
        from wavefold.cli.terminal import show

        show(solution)
    picture: Any = None
    for path in request.outputs:
        ending = path.suffix.lower()
        if ending == ".png" or is_animation(path):
            from wavefold.world.drawing import draw_world

            size = effective.config.picture.tile_size
            options: Any = {"tile_size": size, "seams": request.seams, "stages": request.stages}
            picture = picture or draw_world(world, solution, x, y, **options)
            save_picture(picture, path)
        elif ending == ZARR:
            from wavefold.world.arrays import write_zarr

            write_zarr(world, solution, x, y, path)
        else:
            solution.save(path)
        written.append(str(path))
    return written


def save_picture(picture: Any, path: Path) -> None:
    """The whole region, or a view that moves over it."""
    if not is_animation(path):
        write_image(picture, path)
        return
    from wavefold.world.drawing import Scroll

    frames = Scroll(picture)
    find("animation_writer", path.suffix.lower())(frames, path, [MILLISECONDS] * len(frames))


def exported(world: wf.World, place: Place, pattern: str | None) -> Iterator[Path]:
    """A file for each chunk."""
    side = world.plan.chunk
    for x, y in place.chunks if pattern is not None else ():
        path = chunk_file(str(pattern), x, y)
        world.solution(x * side, y * side, side, side).save(path)
        yield path


def chunk_file(pattern: str, x: int, y: int) -> Path:
    return Path(pattern.replace("{x}", str(x)).replace("{y}", str(y)))


def read_region(text: str) -> Place:
    """`-4:4,-2:2` -> eight chunks across, four down."""
    found = REGION.fullmatch(text)
    if found is None:
        raise ConfigError(
            f"--region {text!r} is no region: write chunks as from:to,from:to, such as -4:4,-4:4"
        )
    left, right, top, bottom = map(int, found.groups())
    if right <= left or bottom <= top:
        raise ConfigError(f"--region {text!r} is empty: each number after a colon must be larger")
    return Place(left, right, top, bottom)


def check_size(place: Place, side: int) -> None:
    _, _, width, height = place.cells(side)
    if width * height > MOST_CELLS:
        raise ConfigError(
            f"a region of {len(range(place.left, place.right)):,} x {len(range(place.top, place.bottom)):,} "
            f"chunks has {width * height:,} cells, more than {MOST_CELLS:,}; make it smaller"
        )


def check_files(request: Request) -> None:
    """Raise, before any work, for files that could not be written."""
    for path in request.outputs:
        if path.suffix.lower() == ZARR:
            from wavefold.world.arrays import load_zarr

            load_zarr()
            check_place(path / "zarr.json" if path.is_dir() else path)
        else:
            check_outputs([path])
    if request.export is not None:
        if "{x}" not in request.export or "{y}" not in request.export:
            raise ConfigError(
                f"--export {request.export!r} must have {{x}} and {{y}} in it, such as "
                "chunk_{x}_{y}.tmj: each chunk is a file of its own"
            )
        check_outputs([chunk_file(request.export, 0, 0)], animated=False)


@contextmanager
def counting(noun: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr, wiped at the end; only on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(noun), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(noun)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def as_data(
    world: wf.World, place: Place, written: list[str], seconds: float, measured: Bias | None
) -> dict[str, Any]:
    """Plain data."""
    plan = world.plan
    data: dict[str, Any] = {
        "tileset": world.tiles.name,
        "topology": world.tiles.topology,
        "seed": world.seed,
        "region": [place.left, place.right, place.top, place.bottom],
        "chunk": plan.chunk,
        "radius": plan.radius,
        "half_width": plan.half_width,
        "outputs": written,
        "seconds": round(seconds, 6),
        "report": world.report.to_dict(),
    }
    if measured is not None:
        data["bias"] = measured.to_dict()
    return data


def tell(
    world: wf.World,
    place: Place,
    request: Request,
    written: list[str],
    seconds: float,
    measured: Bias | None,
) -> None:
    """What was done, for people."""
    across, down = place.right - place.left, place.bottom - place.top
    size = f"{across} x {down} chunks of {world.plan.chunk} cells"
    names = ", ".join(written) if len(written) <= 4 else f"{written[0]} to {written[-1]}"
    summary = f"{world.tiles.name or 'world'}, seed {world.seed}, {size}: {seconds:.2f} s"
    silent = not (written or request.stats or request.bias)
    typer.echo(f"{names} — {summary}" if written else summary, err=silent)
    if request.stats:
        for line in statistics(world, across * down, seconds):
            typer.echo(line)
    if measured is not None:
        for line in bias_lines(measured):
            typer.echo(line)


def statistics(world: wf.World, chunks: int, seconds: float) -> Iterator[str]:
    """What became of the windows, stage by stage."""
    report = world.report
    yield f"{'windows':10}{'renewed':>9}{'swept':>9}{'kept':>9}   small windows, kept"
    for name in STAGES:
        stage = getattr(report, name)
        small = f"{stage.small_windows:,}, {stage.small_windows_kept:,}" if stage.small_windows else "–"
        yield f"{name:10}{stage.renewed:9,}{stage.swept:9,}{stage.kept:9,}   {small}"
    yield f"{seconds / chunks * 1e3:.1f} ms a chunk; the base {world.certificate}"


def bias_lines(measured: Bias) -> Iterator[str]:
    """How far apart kinds of cells are, beside what chance makes of it."""
    yield (
        f"total variation between samples of {measured.chunks} chunks with {measured.cells:,} cells; "
        "in brackets: how many times the distance of two samples of interiors"
    )
    yield f"{'':30}{'patterns':>16}{'pairs':>16}"
    for each in measured.comparisons:
        cells = [f"{one.distance:.3f} ({one.ratio:.2f}x)" for one in (each.patterns, each.pairs)]
        yield f"{f'{each.one} – {each.other}':30}{cells[0]:>16}{cells[1]:>16}"
