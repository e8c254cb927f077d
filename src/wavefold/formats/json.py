"""Maps as JSON in the documented schema, readable and with small differences between versions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, FormatError
from wavefold.formats.header import (
    check_names,
    decode_header,
    encode_utf8,
    make_header,
    to_json,
    to_json_value,
)
from wavefold.formats.loaded import ParsedMap, PatternName, refuse_layer
from wavefold.formats.nodes import MOST_BYTES, MOST_ELEMENTS, parse_json, read_bytes
from wavefold.formats.schema import MapDocument, parse_fields
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.options.values import check_flag, shorten
from wavefold.plugins.map_formats import MapFormat
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map, Solution
from wavefold.storage.files import check_writable, write_atomically
from wavefold.storage.parsing import measure_json
from wavefold.tiles import TileSet
from wavefold.tiles.objects import PlacedObject
from wavefold.topology import Topology

TOO_LARGE = "the map is too large to be read again as JSON; save it as .npz"


# --- writing --------------------------------------------------------------------------------------


def write_json_map(
    solution: Map, path: str | os.PathLike[str], timings: bool = False, objects: bool = True
) -> None:
    """Write the map as JSON; with `timings` also the duration of the solve, which varies between runs.

    `objects` are listed after the cells, if the tile set has some.
    """
    check_flag("objects", objects)
    check_writable(path)
    data = encode_utf8("\n".join(json_lines(solution, timings, objects)) + "\n")
    if len(data) > MOST_BYTES or measure_json(data)[0] > MOST_ELEMENTS:
        raise ConfigError(TOO_LARGE)
    with write_atomically(path) as file:
        file.write(data)


def check_json(problem: Problem, path: str | os.PathLike[str], origin: Any = None, **options: Any) -> None:
    """Raise, before a map is made, if it is too large: a cell takes at least a digit and a comma."""
    if 2 * problem.cell_count > MOST_BYTES:
        raise ConfigError(TOO_LARGE)


def json_lines(solution: Map, timings: bool, objects: bool = True) -> Iterator[str]:
    """The file: a line for each field, each entry of the palette, each row of cells, each object."""
    problem = solution.problem
    check_names(problem.rules.names)
    used = np.unique(solution.patterns)
    used = used[used >= 0]
    yield "{"
    for name, value in make_header(solution, timings).items():
        yield f'  "{name}": {to_json(value)},'
    yield '  "palette": ['
    yield ",\n".join(f"    {entry}" for entry in palette_lines(problem, used.tolist()))
    yield "  ],"
    listed = list(object_lines(solution)) if objects else []
    rows = [*cell_lines(problem.topology, np.searchsorted(used, solution.patterns), solution.patterns >= 0)]
    yield from rows[:-1]
    yield rows[-1] + ("," if listed else "")
    yield from listed
    yield "}"


def palette_lines(problem: Problem, used: list[int]) -> Iterator[str]:
    """The patterns of the map, in the order of the tile set."""
    rules = problem.rules
    for number in used:
        entry = {"pattern": rules.names[number], "tile": rules.tiles[rules.tile_of[number]]}
        value = None if rules.values is None else to_json_value(rules.values[number])
        yield to_json(entry if value is None else entry | {"value": value})


def cell_lines(topology: Topology, numbers: NDArray[np.int64], known: NDArray[np.bool_]) -> Iterator[str]:
    """The cells: one row of the map on each line, an empty line between layers."""
    words = np.array([*map(str, range(int(numbers.max(initial=-1)) + 1)), "null"])
    cells = np.where(known, numbers, len(words) - 1)
    if topology.shape is None:
        yield f'  "cells": [{",".join(words[cells])}]'
        return
    array = topology.to_array(cells, missing=len(words) - 1)
    layers = array if array.ndim == 3 else array[None]
    yield '  "cells": [' + "[" * (array.ndim - 2)
    for number, layer in enumerate(layers):
        if number:
            yield "    ],["
        rows = [f"    [{','.join(words[row])}]" for row in each_checked(layer, 16)]
        yield ",\n".join(rows)
    yield "  ]" + "]" * (array.ndim - 2)


def object_lines(solution: Map) -> Iterator[str]:
    """The objects, each on a line; nothing if the tile set has none."""
    tiles = solution.problem.tiles
    if isinstance(solution, Solution) and isinstance(tiles, TileSet) and tiles.objects:
        entries = (
            to_json({"object": each.name, "cell": each.coordinate, "position": each.position})
            for each in each_checked(solution.objects)
        )
        yield '  "objects": ['
        yield ",\n".join(f"    {entry}" for entry in entries)
        yield "  ]"


# --- reading --------------------------------------------------------------------------------------


def read_json_map(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """The map in a JSON file."""
    refuse_layer(path, layer)
    document = parse_fields(MapDocument, parse_json(path, read_bytes(path)).fields, path)
    file = decode_header(document, path)
    grid = file.topology
    shape = grid.shape or (grid.cell_count,)
    numbers = np.array(flatten_rows(path, document.cells, shape, len(document.palette), "cells"), np.int64)
    if grid.shape is not None:
        found, order = numbers.reshape(shape), grid.to_array(np.arange(grid.cell_count), missing=-1)
        check_outside(path, found, order)
        numbers = np.empty(grid.cell_count, np.int64)
        numbers[order[order >= 0]] = found[order >= 0]
    placed = [PlacedObject(each.object, tuple(each.cell), tuple(each.position)) for each in document.objects]
    names = [PatternName(entry.pattern) for entry in document.palette]
    return file._replace(names=names, indices=numbers, objects=tuple(placed))


def flatten_rows(path: Path, rows: Any, shape: tuple[int, ...], entries: int, where: str) -> list[int]:
    """Nested lists of exactly this shape as one list of indices in the palette; -1 for null."""
    if not isinstance(rows, list) or len(rows) != shape[0]:
        found = f"{len(rows)} of them" if isinstance(rows, list) else shorten(rows)
        raise FormatError(f"{str(path)!r}, {where}: must be a list of {shape[0]}; found {found}")
    if len(shape) > 1:
        parts = (flatten_rows(path, row, shape[1:], entries, f"{where}[{n}]") for n, row in enumerate(rows))
        return [number for part in parts for number in part]
    for index, each in enumerate(rows):
        if each is not None and (type(each) is not int or not 0 <= each < entries):
            raise FormatError(
                f"{str(path)!r}, {where}[{index}]: must be null or an index in the palette, 0 to "
                f"{entries - 1}; found {shorten(each)}"
            )
    return [-1 if each is None else each for each in rows]


def check_outside(path: Path, found: NDArray[np.int64], order: NDArray[np.int64]) -> None:
    """Raise if there is a pattern where the topology has no cell."""
    wrong = np.argwhere((order < 0) & (found >= 0))
    if wrong.size:
        index = "".join(f"[{each}]" for each in wrong[0].tolist())
        raise FormatError(f"{str(path)!r}, cells{index}: must be null; the topology has no cell there")


def read_json_tiles(path: str | os.PathLike[str]) -> TileSet:
    """The tile set of a configuration of DeBroglie: the only JSON that holds one."""
    from wavefold.formats.debroglie.read import read_debroglie_tiles

    return read_debroglie_tiles(path)


JSON = MapFormat(
    description="Maps as JSON, with their tiles; configurations of DeBroglie.",
    endings=(".json",),
    write=write_json_map,
    options=("objects",),
    check=check_json,
    read=read_json_map,
    read_tiles=read_json_tiles,
)
