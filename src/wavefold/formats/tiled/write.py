"""Maps for Tiled: the map, its tile set and the sheet of its tiles, as JSON or as XML.

Every pattern is a tile of its own, drawn as it appears: nothing has to be flipped. Its class is the name of
its tile, its property `pattern` the full name, by which an edited map is read again. A part of a world is an
infinite map, whose columns and rows are those of the world.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.files import check_writable, write_files_atomically
from wavefold.errors import ConfigError
from wavefold.formats.document import LARGEST_NUMBER, MOST_BYTES
from wavefold.formats.header import about, as_json, checked_names, encoded
from wavefold.formats.schema import MOST_CELLS
from wavefold.formats.tiled.grid import Chart, chart_of, stagger_of
from wavefold.formats.tiled.serialize import Fields, json_text, xml_text
from wavefold.formats.tiled.tile_sheet import Sheet, check_sheet, sheet_for
from wavefold.formats.topology_codec import first_place
from wavefold.render.limits import Map
from wavefold.solver.problem import Problem

VERSIONS = {"version": "1.10", "tiledversion": "1.10.2"}  # of the format, and of a Tiled that writes it
LAYER, LAYER_NUMBER = "map", "z"
OWN_PROPERTIES = ("content_version", "digest", "origin", "seed", "tileset", "topology", "wavefold", "world")
CHUNK = 16  # cells along the side of a chunk of an infinite map, as Tiled itself saves them

Origin = tuple[int, ...]


class SharedTiles(NamedTuple):
    """A tile set of Tiled that several maps name: its file, and the tiles on its sheet."""

    path: Path
    sheet: Sheet
    digest: str  # of the rules


def write_tiled_map(
    solution: Map,
    path: str | os.PathLike[str],
    tile_size: int | None = None,
    unused: bool | None = None,
    infinite: bool | None = None,
    tiles: SharedTiles | None = None,
) -> None:
    """Write a .tmx or .tmj, and beside it the tile set (.tsx or .tsj) and its picture, named like the map.

    `tile_size` is how many pixels a tile is across. `unused` says whether the tile set has every pattern, to
    draw with, or those of the map only; every one of up to 1,024, if not given. `infinite` says whether the
    map is one without borders, at its place in the world; only a part of a world is, if not given. With
    `tiles`, as from `write_tiled_tiles`, the map names that tile set, and no other is written.
    """
    place = Path(path)
    check_writable(place)
    origin = placed_at(getattr(solution, "origin", None), solution.problem, infinite)
    chart = checked_chart(solution.problem, place, origin)
    tileset, picture = tiled_companions(place)
    sheet = sheet_for(solution, tile_size, unused) if tiles is None else checked_tiles(solution, tiles).sheet
    check_reach(chart, sheet.width, sheet.height)
    source = tileset.name if tiles is None else relative(tiles.path, place)
    data = {} if tiles is not None else tileset_files(solution.problem, sheet, tileset, picture)
    data[place] = encoded(text_for(place)(map_fields(solution, chart, sheet, source, origin is not None)))
    if max(map(len, data.values())) > MOST_BYTES:
        raise ConfigError(f"cannot write {str(path)!r}: the map is too large to be read again from Tiled")
    write_files_atomically(data)


def write_tiled_tiles(
    solution: Map, path: str | os.PathLike[str], tile_size: int | None = None, unused: bool | None = None
) -> SharedTiles:
    """Write a tile set (.tsx or .tsj) and its picture for several maps, whose tiles all stand in this one.

    The options are those of `write_tiled_map`.
    """
    place = Path(path)
    check_name(place)
    sheet = sheet_for(solution, tile_size, unused)
    write_files_atomically(tileset_files(solution.problem, sheet, place, place.with_suffix(".png")))
    return SharedTiles(place, sheet, solution.problem.rules.digest)


def tileset_files(problem: Problem, sheet: Sheet, tileset: Path, picture: Path) -> dict[Path, bytes]:
    """The files of a tile set, the picture first."""
    fields = tileset_fields(problem, sheet, picture.name)
    return {picture: sheet.png, tileset: encoded(text_for(tileset)(fields))}


def text_for(place: Path) -> Any:
    """What writes such a file: JSON or XML."""
    return json_text if place.suffix.lower() in (".tmj", ".tsj") else xml_text


def relative(tileset: Path, place: Path) -> str:
    """How a map names a tile set: by the way from its own folder."""
    return Path(os.path.relpath(tileset, place.parent)).as_posix()


def tiled_companions(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """The files that are written beside a map: its tile set, and the picture of that."""
    place = Path(path)
    ending = ".tsj" if place.name.lower().endswith(".tmj") else ".tsx"
    return place.with_name(f"{place.stem}-tiles{ending}"), place.with_name(f"{place.stem}-tiles.png")


# --- what cannot be written -----------------------------------------------------------------------


def check_tiled_map(
    problem: Problem,
    path: str | os.PathLike[str],
    origin: Origin | None = None,
    tile_size: int | None = None,
) -> None:
    """Raise, before a map is made, for what could not be written later."""
    chart = checked_chart(problem, Path(path), origin)
    check_reach(chart, *check_sheet(problem, tile_size))


def placed_at(origin: Origin | None, problem: Problem, infinite: bool | None) -> Origin | None:
    """Where the first cell of an infinite map lies; None on a map with borders."""
    if not isinstance(infinite, bool | None):
        raise ConfigError(f"infinite must be True or False, not {infinite!r}")
    if infinite is None:
        return origin
    return (origin or (0,) * len(problem.topology.shape or ())) if infinite else None


def checked_chart(problem: Problem, place: Path, origin: Origin | None = None) -> Chart:
    """Where cells stand in Tiled's layers, if they can."""
    check_name(place)
    chart = chart_of(problem.topology, origin)
    if chart.cells[0].size > MOST_CELLS:
        raise ConfigError(f"a map for Tiled has at most {MOST_CELLS:,} cells in a layer")
    return chart


def check_reach(chart: Chart, width: int, height: int) -> None:
    """Raise if an infinite map lies where Tiled, whose tiles have this size, loses count."""
    column, row = chart.corner
    across = max(abs(column), abs(column + chart.width)) + CHUNK
    down = max(abs(row), abs(row + chart.height)) + CHUNK
    if max(across * width, down * height) > LARGEST_NUMBER:
        raise ConfigError(
            f"column {column:,}, row {row:,} is too far away for Tiled, which counts pixels with 32 bits; "
            "save the map as .json or .npz, or with infinite=False"
        )


def check_name(place: Path) -> None:
    """Raise for a name by which on some machine the map could not name the files beside it."""
    if set(place.name) & set(":\\"):
        raise ConfigError(f"choose a name without ':' and '\\' for the map, not {place.name!r}")


def checked_tiles(solution: Map, tiles: SharedTiles) -> SharedTiles:
    """The shared tiles, if they are those of the map and have all of its patterns."""
    if tiles.digest != solution.problem.rules.digest:
        raise ConfigError(f"the tile set {str(tiles.path)!r} has the tiles of other rules than the map")
    missing = np.setdiff1d(solution.patterns[solution.patterns >= 0], tiles.sheet.patterns)
    if missing.size:
        name = solution.problem.rules.names[int(missing[0])]
        raise ConfigError(
            f"the tile set {str(tiles.path)!r} does not have {name!r}; write it with unused=True"
        )
    return tiles


# --- what the files say, as JSON has it -----------------------------------------------------------


def tileset_fields(problem: Problem, sheet: Sheet, picture: str) -> Fields:
    """The tile set."""
    rules = problem.rules
    checked_names(rules.names)
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
        "name": about_name(problem),
        "tilewidth": sheet.width,
        "tileheight": sheet.height,
        "tilecount": len(sheet.patterns),
        "columns": sheet.columns,
        "margin": 0,
        "spacing": 0,
        "image": picture,
        "imagewidth": sheet.picture.width,
        "imageheight": sheet.picture.height,
        "tiles": tiles,
    }


def about_name(problem: Problem) -> str:
    """Tiled wants a tile set to have a name."""
    return str(getattr(problem.tiles, "name", "") or "tiles")


def map_fields(solution: Map, chart: Chart, sheet: Sheet, tileset: str, infinite: bool) -> Fields:
    """The map."""
    topology = solution.problem.topology
    hexagonal = {
        "hexsidelength": sheet.side,
        "staggeraxis": stagger_of(topology),
        "staggerindex": chart.stagger,
    }
    return {
        "type": "map",
        **VERSIONS,
        "orientation": "hexagonal" if chart.stagger else "orthogonal",
        "renderorder": "right-down",
        "width": chart.width,
        "height": chart.height,
        "tilewidth": sheet.width,
        "tileheight": sheet.height,
        "infinite": infinite,
        **(hexagonal if chart.stagger else {}),
        "nextlayerid": len(chart.cells) + 1,
        "nextobjectid": 1,
        "properties": properties(notes(solution, chart, infinite)),
        "tilesets": [{"firstgid": 1, "source": tileset}],
        "layers": list(layers_of(solution, chart, sheet, infinite)),
    }


def notes(solution: Map, chart: Chart, infinite: bool) -> dict[str, str]:
    """What the map was made with. All of it is text: Tiled keeps numbers in 32 bits, seeds are longer."""
    header = about(solution)
    origin = getattr(solution, "origin", None)
    first = list(chart.origin)
    if infinite:  # column 0, row 0 is that of the world: what has to be told is where the map begins
        first = first_place(solution.problem.topology, origin) or first
    elif origin is not None:
        first = [here + there for here, there in zip(first, origin, strict=True)]
    return {
        "content_version": str(header["content_version"]),
        "digest": header["tileset"]["digest"],
        "origin": as_json(first),
        "seed": "" if header["seed"] is None else str(header["seed"]),
        "tileset": header["tileset"]["name"],
        "topology": as_json(header["topology"]),
        "wavefold": header["wavefold"],
        **({} if origin is None else {"world": "true"}),
    }


def layers_of(solution: Map, chart: Chart, sheet: Sheet, infinite: bool) -> Iterator[Fields]:
    """The cells as numbers of tiles, from 1; 0 where there is no cell, or an undecided one."""
    tile = np.zeros(len(solution.problem.rules) + 1, np.int64)
    tile[sheet.patterns] = np.arange(1, len(sheet.patterns) + 1)
    tiles = tile[np.append(solution.patterns, -1)]
    stacked = len(solution.problem.topology.shape or ()) == 3
    for number, cells in enumerate(chart.cells):
        layer: Fields = {
            "type": "tilelayer",
            "id": number + 1,
            "name": f"{LAYER} {number}" if stacked else LAYER,
            "x": 0,
            "y": 0,
            "width": chart.width,
            "height": chart.height,
            "opacity": 1,
            "visible": True,
        }
        if stacked:
            layer["properties"] = properties({LAYER_NUMBER: str(number)})
        if infinite:
            yield layer | chunked(tiles[cells], chart.corner)
        else:
            yield layer | {"data": tiles[cells].ravel().tolist()}


def chunked(tiles: NDArray[np.int64], corner: tuple[int, int]) -> Fields:
    """The cells of an infinite layer in chunks, cut as Tiled cuts them; those without a tile are left out."""
    left, top = (each - each % CHUNK for each in corner)
    after = [-(far % CHUNK) % CHUNK for far in (corner[1] + len(tiles), corner[0] + tiles.shape[1])]
    whole = np.pad(tiles, ((corner[1] - top, after[0]), (corner[0] - left, after[1])))
    chunks = [
        {
            "x": left + x,
            "y": top + y,
            "width": CHUNK,
            "height": CHUNK,
            "data": whole[y : y + CHUNK, x : x + CHUNK].ravel().tolist(),
        }
        for y in range(0, len(whole), CHUNK)
        for x in range(0, whole.shape[1], CHUNK)
        if whole[y : y + CHUNK, x : x + CHUNK].any()
    ]
    height, width = whole.shape
    return {"startx": left, "starty": top, "width": width, "height": height, "chunks": chunks}


def properties(values: Mapping[str, str]) -> list[Fields]:
    """Custom properties, in the order Tiled keeps them."""
    return [{"name": name, "type": "string", "value": values[name]} for name in sorted(values)]
