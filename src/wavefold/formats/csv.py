"""Maps as CSV tables: one line per cell, coordinates first.

A table contains neither the tile set nor the wrapped edges. To read one, pass the tiles, and the topology if
the coordinates do not determine it.
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
    """Write the map as a table. Undecided cells have empty fields after their coordinates."""
    check_writable(path)
    text = StringIO(newline="")
    # Names are quoted, because they may contain commas and line ends.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerows(list_table_rows(solution))
    data = encode_utf8(text.getvalue())
    with write_atomically(path) as file:
        file.write(data)


def list_table_rows(solution: Map) -> Iterator[list[Any]]:
    """The header and one row per cell."""
    problem = solution.problem
    rules, topology = problem.rules, problem.topology
    check_names(rules.names)
    if not is_lattice(topology.kind) and not topology.has_named_cells:
        raise ConfigError(f"a table cannot hold {topology.kind!r} cells, which have no coordinates")
    extra = ["value"] if rules.values is not None else []
    yield [*name_axis_columns(topology.kind), PATTERN_COLUMN, "tile", "number", *extra]
    fields: list[list[Any]] = []  # [pattern]
    for number, name in enumerate(rules.names):
        value = [format_pattern_value(rules.values[number])] if rules.values is not None else []
        fields.append([name, rules.tiles[rules.tile_of[number]], number, *value])
    fields.append([""] * (3 + len(extra)))  # at index -1: undecided cells
    origin = getattr(solution, "origin", None)
    for cell, number in each_checked(enumerate(solution.patterns.tolist())):
        coordinate: Any = topology.coordinate(cell)
        if origin is not None:
            coordinate = [own + offset for own, offset in zip(coordinate, origin, strict=True)]
        columns = [format_coordinate(coordinate)] if topology.kind == "graph" else coordinate
        yield [*columns, *fields[number]]


def name_axis_columns(kind: str) -> tuple[str, ...]:
    """The names of the columns for coordinates; on graphs, of the column for cell names."""
    return get_lattice_class(kind).axis_letters if is_lattice(kind) else ("cell",)


def format_pattern_value(value: Any) -> str:
    """The value of a learned pattern as text: colours as #rrggbb or #rrggbbaa."""
    listed = to_json_value(value)
    if isinstance(listed, list) and len(listed) in (3, 4):
        if all(type(each) is int and 0 <= each < 256 for each in listed):
            return f"#{bytes(listed).hex()}"
    return str(value)


# --- reading --------------------------------------------------------------------------------------


def read_csv_map(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """Read the map in a table; without a topology, detect it from the coordinates."""
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
    names: dict[str, int] = {}
    indices = np.full(grid.cell_count, -1, np.int64)
    for cell, (_, row) in zip(cells, rows, strict=True):
        indices[cell] = names.setdefault(row[column], len(names)) if row[column] else -1
    return ParsedMap(path, grid, [PatternName(name) for name in names], indices, origin=origin)


def detect_kind(path: Path, header: list[str], topology: Topology | None) -> str:
    """The kind of cells that the columns of the header imply; the kind of `topology`, if they fit it."""
    if len(set(header)) == len(header) and PATTERN_COLUMN in header:
        kinds = sorted([*list_lattice_kinds(), "graph"], key=lambda kind: -len(name_axis_columns(kind)))
        for kind in kinds if topology is None else [topology.kind, *kinds]:
            if set(name_axis_columns(kind)) <= set(header):
                return kind
    raise FormatError(
        f"{str(path)!r}, line 1: expected the columns x,y,pattern (or x,y,z or q,r), each once; "
        f"found {','.join(header)[:60]!r}"
    )


def find_graph_cells(
    path: Path, rows: list[tuple[int, list[str]]], column: int, topology: Topology | None
) -> tuple[Topology, list[int]]:
    """The graph, and the cell number on each line. The graph must be given, because a table has no edges."""
    if topology is None or topology.kind != "graph":
        raise FormatError(
            f"{str(path)!r} has the cells of a graph without its edges; pass the graph as topology=…"
        )
    number = {format_coordinate(topology.coordinate(cell)): cell for cell in range(topology.cell_count)}
    cells: dict[int, int] = {}
    for line, row in rows:
        cell = number.get(row[column], -1)
        if cell < 0 or cell in cells:
            raise FormatError(
                f"{str(path)!r}, line {line}: cell {row[column]!r} occurs twice or is not in the graph"
            )
        cells[cell] = line
    return topology, list(cells)


def find_lattice_cells(
    path: Path, kind: str, rows: list[tuple[int, list[str]]], axes: list[int], topology: Topology | None
) -> tuple[Topology, list[int], tuple[int, ...] | None]:
    """The topology, the cell number on each line, and the origin of a part of a world."""
    found: dict[tuple[int, ...], int] = {}
    for line, row in rows:
        texts = [row[axis] for axis in axes]
        if not all(re.fullmatch(r"-?[0-9]{1,15}", text) for text in texts):
            raise FormatError(
                f"{str(path)!r}, line {line}: coordinates must be whole numbers, not {', '.join(texts)[:60]}"
            )
        cell = tuple(int(text) for text in texts)
        if cell in found:
            raise FormatError(f"{str(path)!r}, line {line}: cell {cell} is also on line {found[cell]}")
        found[cell] = line
    coordinates = np.array(list(found))
    if topology is not None and topology.kind != kind:
        raise FormatError(f"{str(path)!r} has {kind} cells, but the topology is {topology!r}")
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
    """The position of the map in a world, or None.

    A map is a part of a world if it is a full box that does not begin at 0, or if cells lie outside the given
    topology.
    """
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
    """The numbers of the cells at these coordinates, looked up together."""
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
        grid.cell_at(tuple(coordinates[int(numbers.argmin())].tolist()))  # raises an error with the reason
    return [int(each) for each in numbers]


CSV = MapFormat(
    description="Tables of tile names.", endings=(".csv",), write=write_csv_map, read=read_csv_map
)
