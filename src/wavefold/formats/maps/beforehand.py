"""What can be told about the files of a map before there is a map."""

from __future__ import annotations

import os
from pathlib import Path

from wavefold.formats.maps.glb import check_glb
from wavefold.formats.maps.json_map import check_json
from wavefold.formats.maps.tiled_writer import check_tiled_map, tiled_companions
from wavefold.solver.problem import Problem

TILED = (".tmj", ".tmx")


def companions(path: str | os.PathLike[str]) -> tuple[Path, ...]:
    """The files that saving a map under this name writes besides, in the same folder."""
    return tiled_companions(path) if Path(path).suffix.lower() in TILED else ()


def check_writing(
    problem: Problem,
    path: str | os.PathLike[str],
    tile_size: int | None = None,
    origin: tuple[int, ...] | None = None,
) -> None:
    """Raise now what saving a map of this problem would raise in any case, after all the work.

    `origin` is where a part of a world lies.
    """
    ending = Path(path).suffix.lower()
    if ending in TILED:
        check_tiled_map(problem, path, tile_size, origin)
    elif ending == ".glb":
        check_glb(problem)
    elif ending == ".json":
        check_json(problem)
