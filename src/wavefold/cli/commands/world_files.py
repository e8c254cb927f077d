"""The region of `wavefold world`, and its files: maps, arrays, one file per chunk."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import wavefold as wf
from wavefold.cli.outputs import (
    check_distinct,
    check_outputs,
    check_writing,
    choose_writer_options,
    is_animation,
    make_folder,
    record_written,
    write_map,
)
from wavefold.cli.terminal import show_writing
from wavefold.errors import ConfigError
from wavefold.plugins.map_formats import find_writer

MILLISECONDS = 60  # of a frame
TILED = {".tmj": ".tsj", ".tmx": ".tsx"}  # maps, and their tile sets
NUMBER = r"(-?\d{1,13})"  # enough for 2**40 cells either way, with chunks of any size
REGION = re.compile(rf"\s*{NUMBER}:{NUMBER}\s*,\s*{NUMBER}:{NUMBER}\s*")
MOST_CELLS = 1 << 24  # in memory
MOST_STREAMED = 1 << 32  # on the disk, written chunk by chunk


# --- the region -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChunkRange:
    """A rectangle of chunks, in chunk coordinates; `right` and `bottom` are not included."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def chunks(self) -> list[tuple[int, int]]:
        """(cx, cy) of every chunk, row by row."""
        return [(x, y) for y in range(self.top, self.bottom) for x in range(self.left, self.right)]

    def cells(self, side: int) -> tuple[int, int, int, int]:
        """(x, y, width, height) in cells, for chunks of `side` cells."""
        width, height = (self.right - self.left) * side, (self.bottom - self.top) * side
        return self.left * side, self.top * side, width, height


def parse_region(text: str) -> ChunkRange:
    """`-4:4,-2:2` -> eight chunks across, four down."""
    found = REGION.fullmatch(text)
    if found is None:
        raise ConfigError(
            f"--region {text!r} is not a region: write chunks as from:to,from:to, such as -4:4,-4:4"
        )
    left, right, top, bottom = map(int, found.groups())
    if right <= left or bottom <= top:
        raise ConfigError(f"--region {text!r} is empty: the number after each colon must be the larger one")
    return ChunkRange(left, right, top, bottom)


def check_size(region: ChunkRange, side: int, streamed: bool = False) -> None:
    """Raise if the region is too large, or beyond the end of a world."""
    from wavefold.worlds.plan import MOST_COORDINATE

    _, _, width, height = region.cells(side)
    if max(map(abs, (region.left, region.right, region.top, region.bottom))) * side > MOST_COORDINATE:
        raise ConfigError(
            f"--region is too far away: a world extends 2**40 cells in each direction, which is "
            f"{MOST_COORDINATE // side:,} chunks of {side}"
        )
    most = MOST_STREAMED if streamed else MOST_CELLS
    if width * height > most:
        advice = "" if streamed else f", or write only a .zarr, which may have {MOST_STREAMED:,}"
        raise ConfigError(
            f"a region of {region.right - region.left:,} x {region.bottom - region.top:,} chunks has "
            f"{width * height:,} cells, more than {most:,}; make it smaller{advice}"
        )


# --- before the work ------------------------------------------------------------------------------


def is_zarr(path: Path) -> bool:
    """Whether this format is written chunk by chunk."""
    return path.suffix.lower() == ".zarr"


def is_streamed(paths: Sequence[Path], export: str | None) -> bool:
    """Whether the region is written chunk by chunk only, without being kept in memory."""
    return bool(paths) and all(map(is_zarr, paths)) and export is None


def check_files(
    world: wf.World,
    region: ChunkRange,
    outputs: Sequence[Path],
    export: str | None,
    options: dict[str, Any],
    inputs: Sequence[Path],
) -> None:
    """Raise, before any work, for files that cannot be written, or that are inputs."""
    for path in filter(is_zarr, outputs):
        from wavefold.formats.zarr import check_zarr

        check_zarr(path)
    maps = [path for path in outputs if not is_zarr(path)]
    check_outputs(maps)
    x, y, width, height = region.cells(world.plan.chunk)
    if maps:
        sized = maps if options.get("tile_size") else [path for path in maps if path.suffix.lower() != ".png"]
        check_writing(build_region_problem(world, width, height), sized, options=options, origin=(x, y))
    check_distinct([*outputs, *check_export(world, region, export, options)], [world.seed], inputs)


def check_export(
    world: wf.World, region: ChunkRange, export: str | None, options: dict[str, Any]
) -> list[Path]:
    """The files of all chunks and the tile set they share; raise if they cannot be written."""
    if export is None:
        return []
    if "{x}" not in export or "{y}" not in export:
        raise ConfigError(
            f"--export {export!r} must contain {{x}} and {{y}}, as in chunk_{{x}}_{{y}}.tmj: each chunk "
            "becomes a file of its own"
        )
    files = [name_chunk_file(export, x, y) for x, y in region.chunks]
    each_folder = list({file.parent: file for file in files}.values())
    check_outputs(each_folder, animated=False, folders=True)
    check_writing(build_region_problem(world, world.plan.chunk, world.plan.chunk), files[:1], options=options)
    tileset = name_shared_tileset(export)
    return files if tileset is None else [*files, tileset, tileset.with_suffix(".png")]


def build_region_problem(world: wf.World, width: int, height: int) -> wf.Problem:
    """The problem that the region of the world solves."""
    from wavefold.topology import make_box

    return wf.Problem(world.tiles, make_box(world.tiles.topology, width, height), own_constraints=False)


# --- a file for each chunk ------------------------------------------------------------------------


def write_chunks(
    world: wf.World, solution: wf.Solution, region: ChunkRange, pattern: str, options: dict[str, Any]
) -> None:
    """Write a file for each chunk of a region; those for Tiled are finite maps that share a tile set."""
    side = world.plan.chunk
    problem = build_region_problem(world, side, side)
    more = write_shared_tiles(solution, pattern, options)
    for x, y in region.chunks:
        left, top = (x - region.left) * side, (y - region.top) * side
        patterns = solution.array[top : top + side, left : left + side].reshape(-1)
        chunk = wf.Solution(problem, patterns, wf.Statistics(), world.seed, (x * side, y * side))
        path = name_chunk_file(pattern, x, y)
        make_folder(path.parent)
        write_map(chunk, path, world.seed, options, more)


def name_chunk_file(pattern: str, x: int, y: int) -> Path:
    """The file of chunk (x, y)."""
    return Path(pattern.replace("{x}", str(x)).replace("{y}", str(y)))


def name_shared_tileset(pattern: str) -> Path | None:
    """The tile set of all chunks: `to/map_{x}_{y}.tmj` -> `to/map-tiles.tsj`; None for other formats."""
    path = Path(pattern)
    if path.suffix.lower() not in TILED:
        return None
    folder = path.parent
    while "{x}" in str(folder) or "{y}" in str(folder):
        folder = folder.parent
    title = path.stem.replace("{x}", "").replace("{y}", "").strip(" _-,.")
    return folder / f"{f'{title}-tiles' if title else 'tiles'}{TILED[path.suffix.lower()]}"


def write_shared_tiles(solution: wf.Solution, pattern: str, options: dict[str, Any]) -> dict[str, Any]:
    """Write the tile set that chunks share; return the options that make their writer use it."""
    from wavefold.formats import write_tiled_tiles

    tileset = name_shared_tileset(pattern)
    if tileset is None:
        return {}
    make_folder(tileset.parent)
    size = choose_writer_options(Path(pattern), solution.problem, options).get("tile_size")
    tiles = write_tiled_tiles(solution, tileset, size)
    record_written(tileset, tileset.with_suffix(".png"))
    return {"tiles": tiles, "infinite": False}


# --- the whole region -----------------------------------------------------------------------------


def write_arrays(
    world: wf.World,
    region: ChunkRange,
    outputs: Sequence[Path],
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write the region into arrays on disk, chunk by chunk."""
    for path in filter(is_zarr, outputs):
        from wavefold.formats.zarr import write_zarr

        write_zarr(world, *region.cells(world.plan.chunk), path, progress)
        record_written(path)


def write_region(
    world: wf.World,
    solution: wf.Solution,
    region: ChunkRange,
    outputs: Sequence[Path],
    picture: dict[str, Any],
) -> None:
    """Write the region to every file that holds a whole map."""
    x, y, _, _ = region.cells(world.plan.chunk)
    drawn: Any = None
    for path in outputs:
        if path.suffix.lower() == ".png" or is_animation(path):
            from wavefold.worlds.picture import draw_world

            with show_writing(path):
                drawn = drawn or draw_world(world, solution, x, y, **picture)
                save_picture(drawn, path)
            record_written(path)
        elif not is_zarr(path):
            write_map(solution, path, world.seed, {name: picture[name] for name in ("tile_size", "objects")})


def save_picture(picture: Any, path: Path) -> None:
    """Write a picture of the whole region, or a view that moves over it."""
    if not is_animation(path):
        from wavefold.render.draw import write_image

        write_image(picture, path)
        return
    from wavefold.worlds.picture import Scroll

    frames = Scroll(picture)
    find_writer(path, "write_animation")(frames, path, [MILLISECONDS] * len(frames))
