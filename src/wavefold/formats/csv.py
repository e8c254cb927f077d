"""Maps as CSV tables: one line per cell, coordinates first.

A table holds neither the tile set nor which edges wrap: to read it, pass the tiles, and the topology if it
does not follow from the coordinates.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from io import StringIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, FormatError
from wavefold.formats.header import (
    check_names,
    encode_utf8,
    find_array_origin,
    format_coordinate,
    to_json_value,
)
from wavefold.formats.loaded import ParsedMap, PatternName, refuse_layer
from wavefold.formats.nodes import read_bytes
from wavefold.formats.schema import MOST_CELLS
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.plugins.map_formats import MapFormat
from wavefold.solver.solution import Map
from wavefold.storage.files import check_writable, write_atomically
from wavefold.topology import Topology, get_lattice_class, is_lattice, list_lattice_kinds

PATTERN_COLUMN = "pattern"


# --- writing --------------------------------------------------------------------------------------


def write_csv_map(solution: Map, path: str | os.PathLike[str]) -> None:
    """Write the map as a table. Where a cell is undecided all fields but its coordinates are empty."""
    check_writable(path)
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)  # names may hold anything
    writer.writerows(list_table_rows(solution))
    data = encode_utf8(text.getvalue())
    with write_atomically(path) as file:
        file.write(data)


def list_table_rows(solution: Map) -> Iterator[list[Any]]:
    """The header and every line."""
    problem = solution.problem
    rules, topology = problem.rules, problem.topology
    check_names(rules.names)
    if not is_lattice(topology.kind) and not topology.has_named_cells:
        raise ConfigError(f"cells of kind {topology.kind!r} cannot be written as a table")
    extra = ["value"] if rules.values is not None else []
    yield [*name_axis_columns(topology.kind), PATTERN_COLUMN, "tile", "number", *extra]
    about: list[list[Any]] = []
    for number, name in enumerate(rules.names):
        value = [format_pattern_value(rules.values[number])] if rules.values is not None else []
        about.append([name, rules.tiles[rules.tile_of[number]], number, *value])
    about.append([""] * (3 + len(extra)))  # -1 is the last
    origin = getattr(solution, "origin", None)
    for cell, number in each_checked(enumerate(solution.patterns.tolist())):
        coordinate: Any = topology.coordinate(cell)
        if origin is not None:
            coordinate = [here + there for here, there in zip(coordinate, origin, strict=True)]
        yield [*([format_coordinate(coordinate)] if topology.kind == "graph" else coordinate), *about[number]]


def name_axis_columns(kind: str) -> tuple[str, ...]:
    """The columns that hold the coordinates of a cell; on graphs the one that holds its name."""
    return get_lattice_class(kind).axis_letters if is_lattice(kind) else ("cell",)


def format_pattern_value(value: Any) -> str:
    """The value of a learned pattern; colours as #rrggbb, with two more digits for opacity."""
    listed = to_json_value(value)
    if isinstance(listed, list) and len(listed) in (3, 4):
        if all(type(each) is int and 0 <= each < 256 for each in listed):
            return f"#{bytes(listed).hex()}"
    return str(value)


# --- reading --------------------------------------------------------------------------------------


def read_csv_map(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """The map in a table; the topology is detected from its coordinates unless given."""
    refuse_layer(path, layer)
    try:
        text = read_bytes(path).decode("utf-8-sig")
        lines = csv.reader(StringIO(text, newline=""), strict=True)
        header = next(lines, [])
        kind = detect_kind(path, header, topology)
        rows = [(lines.line_num, row) for row in lines if row]
    except csv.Error as error:
        raise FormatError(f"{str(path)!r}, line {lines.line_num}: not valid CSV: {error}") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"{str(path)!r}: not valid UTF-8: {error.reason}") from None
    if not rows or len(rows) > MOST_CELLS:
        raise FormatError(f"{str(path)!r} has {len(rows):,} cells; expected 1 to {MOST_CELLS:,}")
    for line, row in rows:
        if len(row) != len(header):
            raise FormatError(f"{str(path)!r}, line {line}: has {len(row)} fields; expected {len(header)}")
    axes, column = [header.index(each) for each in name_axis_columns(kind)], header.index(PATTERN_COLUMN)
    origin = None
    if kind == "graph":
        grid, cells = find_graph_cells(path, rows, axes[0], topology)
    else:
        grid, cells, origin = find_lattice_cells(path, kind, rows, axes, topology)
    words: dict[str, int] = {}
    numbers = np.full(grid.cell_count, -1, np.int64)
    for cell, (_, row) in zip(cells, rows, strict=True):
        numbers[cell] = words.setdefault(row[column], len(words)) if row[column] else -1
    return ParsedMap(path, grid, [PatternName(name) for name in words], numbers, origin=origin)


def detect_kind(path: Path, header: list[str], topology: Topology | None) -> str:
    """The kind of cells that the column names in the first line imply; that of `topology`, if they fit it."""
    if len(set(header)) == len(header) and PATTERN_COLUMN in header:
        kinds = sorted([*list_lattice_kinds(), "graph"], key=lambda kind: -len(name_axis_columns(kind)))
        for kind in kinds if topology is None else [topology.kind, *kinds]:
            if set(name_axis_columns(kind)) <= set(header):
                return kind
    raise FormatError(
        f"{str(path)!r}, line 1: must name the columns x,y,pattern (or x,y,z or q,r), each once; "
        f"found {','.join(header)[:60]!r}"
    )


def find_graph_cells(
    path: Path, rows: list[tuple[int, list[str]]], column: int, topology: Topology | None
) -> tuple[Topology, list[int]]:
    """The number of the cell on each line; a table has no edges, so the graph must be given."""
    if topology is None or topology.kind != "graph":
        raise FormatError(
            f"{str(path)!r} holds cells of a graph, but not its edges; pass the graph as topology=…"
        )
    number = {format_coordinate(topology.coordinate(cell)): cell for cell in range(topology.cell_count)}
    cells: dict[int, int] = {}
    for line, row in rows:
        cell = number.get(row[column], -1)
        if cell < 0 or cell in cells:
            raise FormatError(
                f"{str(path)!r}, line {line}: {row[column]!r} is not a cell of the graph, or occurs twice"
            )
        cells[cell] = line
    return topology, list(cells)


def find_lattice_cells(
    path: Path, kind: str, rows: list[tuple[int, list[str]]], axes: list[int], topology: Topology | None
) -> tuple[Topology, list[int], tuple[int, ...] | None]:
    """The topology, the number of the cell on each line, and where in a world they all are."""
    found: dict[tuple[int, ...], int] = {}
    for line, row in rows:
        words = [row[axis] for axis in axes]
        if not all(re.fullmatch(r"-?[0-9]{1,15}", word) for word in words):
            raise FormatError(f"{str(path)!r}, line {line}: {', '.join(words)[:60]} are not coordinates")
        cell = tuple(int(word) for word in words)
        if cell in found:
            raise FormatError(f"{str(path)!r}, line {line}: the cell {cell} is also on line {found[cell]}")
        found[cell] = line
    coordinates = np.array(list(found))
    if topology is not None and topology.kind != kind:
        raise FormatError(f"{str(path)!r} contains {kind} cells, but the topology is {topology!r}")
    try:
        origin = detect_origin(kind, coordinates, topology)
        if origin is not None:
            coordinates = coordinates - origin
        grid = topology or get_lattice_class(kind).containing(coordinates, MOST_CELLS)
        return grid, find_cells(grid, coordinates), origin
    except ConfigError as error:
        raise FormatError(f"{str(path)!r}: {error}") from None


def detect_origin(
    kind: str, coordinates: NDArray[np.int64], topology: Topology | None
) -> tuple[int, ...] | None:
    """The position of (0, 0) if the map is a part of a world: a full box that begins elsewhere, or cells
    outside of the given topology."""
    low, spans = coordinates.min(axis=0), np.ptp(coordinates, axis=0) + 1
    if topology is not None:
        first = find_array_origin(topology)
        assert first is not None  # only lattices have coordinates like these
        fits = ((low >= first) & (low + spans <= np.add(first, topology.shape[::-1]))).all()  # type: ignore[index]
        return None if fits else tuple(int(each) for each in low - first)
    full = prod(spans.tolist()) == len(coordinates)
    counts_from_middle = (get_lattice_class(kind).of_width(3).coordinates < 0).any()
    elsewhere = low.any() if full else low.min() < 0 and not counts_from_middle
    return tuple(low.tolist()) if elsewhere else None


def find_cells(grid: Topology, coordinates: NDArray[np.int64]) -> list[int]:
    """The numbers of the cells at these coordinates, looked up all at once."""
    origin = find_array_origin(grid)
    assert origin is not None  # only lattices have coordinates like these
    order = grid.to_array(np.arange(grid.cell_count), missing=-1)
    index = tuple((coordinates - origin).T[::-1])
    inside = np.all(
        [(each >= 0) & (each < span) for each, span in zip(index, order.shape, strict=True)], axis=0
    )
    numbers = np.full(len(coordinates), -1, np.int64)
    numbers[inside] = order[tuple(each[inside] for each in index)]
    if (numbers < 0).any():
        grid.cell_at(tuple(coordinates[int(numbers.argmin())].tolist()))  # raises the reason
    return [int(each) for each in numbers]


CSV = MapFormat(
    description="Tables of tile names.", endings=(".csv",), write=write_csv_map, read=read_csv_map
)
