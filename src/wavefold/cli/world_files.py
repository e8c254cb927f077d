"""Files that `wavefold world` writes: pictures, maps, arrays, a moving view, a file for each chunk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import wavefold as wf
from wavefold.cli import ledger
from wavefold.cli.outputs import check_apart, check_outputs, check_writing, is_animation, write_map
from wavefold.cli.world_place import Place
from wavefold.common.files import cannot_write
from wavefold.errors import ConfigError
from wavefold.formats import SharedTiles, write_tiled_tiles
from wavefold.map_format import find_writer
from wavefold.render.save import write_image

MILLISECONDS = 60  # of a frame
TILED = {".tmj": ".tsj", ".tmx": ".tsx"}  # maps, and their tile sets


def is_zarr(path: Path) -> bool:
    """Whether this is written chunk by chunk."""
    return path.suffix.lower() == ".zarr"


# --- before the work ------------------------------------------------------------------------------


def check_files(
    world: wf.World,
    place: Place,
    outputs: Sequence[Path],
    export: str | None,
    options: dict[str, Any],
    inputs: Sequence[Path],
) -> None:
    """Raise, before any work, for files that could not be written, or that were read."""
    for path in filter(is_zarr, outputs):
        from wavefold.formats.zarr import check_zarr

        check_zarr(path)
    maps = [path for path in outputs if not is_zarr(path)]
    check_outputs(maps)
    x, y, width, height = place.cells(world.plan.chunk)
    if maps:
        sized = maps if options.get("tile_size") else [path for path in maps if path.suffix.lower() != ".png"]
        check_writing(region_problem(world, width, height), sized, options=options, origin=(x, y))
    check_apart([*outputs, *check_export(world, place, export, options)], [world.seed], inputs)


def check_export(world: wf.World, place: Place, export: str | None, options: dict[str, Any]) -> list[Path]:
    """The files of all chunks, if they can be written, and the tile set they share."""
    if export is None:
        return []
    if "{x}" not in export or "{y}" not in export:
        raise ConfigError(
            f"--export {export!r} must have {{x}} and {{y}} in it, such as "
            "chunk_{x}_{y}.tmj: each chunk is a file of its own"
        )
    files = [chunk_file(export, x, y) for x, y in place.chunks]
    each_folder = list({file.parent: file for file in files}.values())
    check_outputs(each_folder, animated=False, folders=True)
    check_writing(region_problem(world, world.plan.chunk, world.plan.chunk), files[:1], options=options)
    tileset = shared_tileset(export)
    return files if tileset is None else [*files, tileset, tileset.with_suffix(".png")]


def region_problem(world: wf.World, width: int, height: int) -> wf.Problem:
    """What a part of the world is a solution of."""
    grid_of = wf.HexGrid.rhombus if world.tiles.topology == "hex" else wf.SquareGrid
    return wf.Problem(world.tiles, grid_of(width, height))


# --- a file for each chunk ------------------------------------------------------------------------


def write_chunks(
    world: wf.World, solution: wf.Solution, place: Place, pattern: str, options: dict[str, Any]
) -> None:
    """A file for each chunk of a region; those for Tiled are maps with borders, and share a tile set."""
    side = world.plan.chunk
    problem = region_problem(world, side, side)
    more = shared_options(solution, pattern, options)
    for x, y in place.chunks:
        left, top = (x - place.left) * side, (y - place.top) * side
        patterns = solution.array[top : top + side, left : left + side].reshape(-1)
        chunk = wf.Solution(problem, patterns, wf.Statistics(), world.seed, (x * side, y * side))
        path = chunk_file(pattern, x, y)
        made_folder(path.parent)
        write_map(chunk, path, world.seed, options, more)


def chunk_file(pattern: str, x: int, y: int) -> Path:
    """Its name."""
    return Path(pattern.replace("{x}", str(x)).replace("{y}", str(y)))


def shared_tileset(pattern: str) -> Path | None:
    """The tile set of all chunks: `to/land_{x}_{y}.tmj` -> `to/land-tiles.tsj`; None but for Tiled."""
    path = Path(pattern)
    if path.suffix.lower() not in TILED:
        return None
    folder = path.parent
    while "{x}" in str(folder) or "{y}" in str(folder):
        folder = folder.parent
    title = path.stem.replace("{x}", "").replace("{y}", "").strip(" _-,.")
    return folder / f"{f'{title}-tiles' if title else 'tiles'}{TILED[path.suffix.lower()]}"


def shared_options(solution: wf.Solution, pattern: str, options: dict[str, Any]) -> dict[str, Any]:
    """Write the tile set that chunks share; what their writer has to be told about it."""
    from wavefold.cli.outputs import in_flags, options_for

    tileset = shared_tileset(pattern)
    if tileset is None:
        return {}
    made_folder(tileset.parent)
    with in_flags():
        size = options_for(Path(pattern), solution.problem, options).get("tile_size")
        tiles: SharedTiles = write_tiled_tiles(solution, tileset, size)
    ledger.note(tileset, tileset.with_suffix(".png"))
    return {"tiles": tiles, "infinite": False}


def made_folder(folder: Path) -> None:
    """Make the last folder of a path, if it is not there."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


# --- the region -----------------------------------------------------------------------------------


def write_arrays(
    world: wf.World,
    place: Place,
    outputs: Sequence[Path],
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write the region into arrays on the disk, one chunk after another."""
    for path in filter(is_zarr, outputs):
        from wavefold.formats.zarr import write_zarr

        write_zarr(world, *place.cells(world.plan.chunk), path, progress)
        ledger.note(path)


def write_region(
    world: wf.World, solution: wf.Solution, place: Place, outputs: Sequence[Path], picture: dict[str, Any]
) -> None:
    """Write the region to every file that holds a whole map, or show it if there is none to write."""
    x, y, _, _ = place.cells(world.plan.chunk)
    if not outputs:
        from wavefold.cli.terminal import show

        show(solution)
    drawn: Any = None
    for path in outputs:
        if path.suffix.lower() == ".png" or is_animation(path):
            from wavefold.world.picture import draw_world

            drawn = drawn or draw_world(world, solution, x, y, **picture)
            save_picture(drawn, path)
            ledger.note(path)
        elif not is_zarr(path):
            write_map(solution, path, world.seed, {"tile_size": picture["tile_size"]})


def save_picture(picture: Any, path: Path) -> None:
    """The whole region, or a view that moves over it."""
    if not is_animation(path):
        write_image(picture, path)
        return
    from wavefold.world.picture import Scroll

    frames = Scroll(picture)
    find_writer(path, "write_animation")(frames, path, [MILLISECONDS] * len(frames))
