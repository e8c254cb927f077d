"""The tile set of a sheet as Tiled has it, for one map or shared by several."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wavefold.errors import ConfigError
from wavefold.formats.header import check_names, find_tileset_name
from wavefold.formats.pattern_sheet import TileSheet, check_name, draw_tile_sheet
from wavefold.formats.tiled.document import VERSIONS, Fields, encode_document, properties
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.storage.files import write_files_atomically
from wavefold.storage.png import encode_png


class SharedTiles(NamedTuple):
    """A tile set of Tiled that several maps name: its file, and the tiles on its sheet."""

    path: Path
    sheet: TileSheet
    digest: str  # of the rules


def write_tiled_tiles(
    solution: Map, path: str | os.PathLike[str], tile_size: int | None = None, unused: bool | None = None
) -> SharedTiles:
    """Write a tile set (.tsx or .tsj) and its picture for several maps, all of whose tiles are in this one.

    The options are those of `write_tiled_map`.
    """
    path = Path(path)
    check_name(path)
    sheet = draw_tile_sheet(solution, tile_size, unused)
    write_files_atomically(tileset_files(solution.problem, sheet, path, path.with_suffix(".png")))
    return SharedTiles(path, sheet, solution.problem.rules.digest)


def tileset_files(problem: Problem, sheet: TileSheet, tileset: Path, picture: Path) -> dict[Path, bytes]:
    """The files of a tile set, the picture first."""
    fields = tileset_fields(problem, sheet, picture.name)
    png = encode_png(sheet.pixels)
    return {picture: png, tileset: encode_document(fields, tileset)}


def check_shared_tiles(solution: Map, tiles: SharedTiles) -> None:
    """Raise unless shared tiles have the map's rules and all of its patterns."""
    if tiles.digest != solution.problem.rules.digest:
        raise ConfigError(f"the tile set {str(tiles.path)!r} has the tiles of other rules than the map")
    missing = np.setdiff1d(solution.patterns[solution.patterns >= 0], tiles.sheet.patterns)
    if missing.size:
        name = solution.problem.rules.names[int(missing[0])]
        raise ConfigError(
            f"the tile set {str(tiles.path)!r} does not have {name!r}; write it with unused=True"
        )


def tileset_fields(problem: Problem, sheet: TileSheet, picture: str) -> Fields:
    """The tile set."""
    rules = problem.rules
    check_names(rules.names)
    tiles = [
        {
            "id": number,
            "type": rules.tiles[rules.tile_of[pattern]],
            "probability": float(rules.weights[pattern]),
            "properties": properties({"pattern": rules.names[pattern]}),
        }
        for number, pattern in enumerate(sheet.patterns)
    ]
    return {
        "type": "tileset",
        **VERSIONS,
        "name": find_tileset_name(problem) or "tiles",  # Tiled requires a name
        "tilewidth": sheet.width,
        "tileheight": sheet.height,
        "tilecount": len(sheet.patterns),
        "columns": sheet.columns,
        "margin": 0,
        "spacing": 0,
        "image": picture,
        "imagewidth": sheet.pixels.shape[1],
        "imageheight": sheet.pixels.shape[0],
        "tiles": tiles,
    }
