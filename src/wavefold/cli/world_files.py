"""Files that `wavefold world` writes: pictures, maps, a moving view, a file for each chunk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import wavefold as wf
from wavefold.cli import ledger
from wavefold.cli.outputs import check_apart, check_outputs, is_animation
from wavefold.cli.world_place import Place
from wavefold.errors import ConfigError
from wavefold.formats.maps import companions
from wavefold.plugins import find
from wavefold.render.save import check_place, write_image

__all__ = ["check_files", "write_chunks", "write_region"]

MILLISECONDS = 60  # of a frame
ZARR = ".zarr"


def check_files(outputs: Sequence[Path], export: str | None, place: Place, inputs: Sequence[Path]) -> None:
    """Raise, before any work, for files that could not be written, or that were read."""
    for path in outputs:
        if path.suffix.lower() == ZARR:
            from wavefold.world.arrays import load_zarr

            load_zarr()
            check_place(path / "zarr.json" if path.is_dir() else path)
        else:
            check_outputs([path])
    files: list[Path] = []
    if export is not None:
        if "{x}" not in export or "{y}" not in export:
            raise ConfigError(
                f"--export {export!r} must have {{x}} and {{y}} in it, such as "
                "chunk_{x}_{y}.tmj: each chunk is a file of its own"
            )
        files = [chunk_file(export, x, y) for x, y in place.chunks]
        check_outputs(files[:1], animated=False)
    check_apart([*outputs, *files], [0], inputs)


def write_chunks(world: wf.World, place: Place, pattern: str | None) -> None:
    """A file for each chunk."""
    side = world.plan.chunk
    for x, y in place.chunks if pattern is not None else ():
        path = chunk_file(str(pattern), x, y)
        world.solution(x * side, y * side, side, side).save(path)
        ledger.note(path, *companions(path))


def chunk_file(pattern: str, x: int, y: int) -> Path:
    """Its name."""
    return Path(pattern.replace("{x}", str(x)).replace("{y}", str(y)))


def write_region(world: wf.World, place: Place, outputs: Sequence[Path], picture: dict[str, Any]) -> None:
    """Write the region to every file, or show it if there is none."""
    x, y, width, height = place.cells(world.plan.chunk)
    solution = world.solution(x, y, width, height)
    if not outputs:
        from wavefold.cli.terminal import show

        show(solution)
    drawn: Any = None
    for path in outputs:
        ending = path.suffix.lower()
        if ending == ".png" or is_animation(path):
            from wavefold.world.drawing import draw_world

            drawn = drawn or draw_world(world, solution, x, y, **picture)
            save_picture(drawn, path)
        elif ending == ZARR:
            from wavefold.world.arrays import write_zarr

            write_zarr(world, solution, x, y, path)
        else:
            solution.save(path)
        ledger.note(path, *companions(path))


def save_picture(picture: Any, path: Path) -> None:
    """The whole region, or a view that moves over it."""
    if not is_animation(path):
        write_image(picture, path)
        return
    from wavefold.world.drawing import Scroll

    frames = Scroll(picture)
    find("animation_writer", path.suffix.lower())(frames, path, [MILLISECONDS] * len(frames))
