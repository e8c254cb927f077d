"""The header of map files as plain data and back: tiles, topology, origin."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.errors import ConfigError, FormatError
from wavefold.formats.loaded import ParsedMap
from wavefold.formats.schema import (
    FORMAT,
    LATTICE_NOTES,
    MOST_CELLS,
    VERSION,
    CubeNote,
    GraphNote,
    HexNote,
    MapHeader,
    SquareNote,
)
from wavefold.options.values import Mask, parse_wraps
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.topology import Graph, Lattice, Topology, get_lattice_class

LatticeNote = SquareNote | HexNote | CubeNote
Note = LatticeNote | GraphNote

MOST_SLOTS = 1 << 26  # cells times neighbours of the busiest, in graphs that are read
MOST_NESTED = 8
FARTHEST = 1 << 53  # cells from the origin of a world: exact in every reader of JSON


def make_header(solution: Map, timings: bool = False) -> dict[str, Any]:
    """The header of a map, as in the schema. Without timings it is the same on every machine."""
    problem = solution.problem
    statistics = getattr(solution, "stats", None)
    counts = None if statistics is None else statistics.to_dict()
    if counts is not None and not timings:
        del counts["seconds"]
    seed = getattr(solution, "seed", None)
    origin = getattr(solution, "origin", None)
    return {
        "format": FORMAT,
        "version": VERSION,
        "wavefold": __version__,
        "content_version": CONTENT_VERSION,
        "seed": None if seed is None else int(seed),
        "tileset": {
            "name": find_tileset_name(problem),
            "digest": problem.rules.digest,
            "topology": problem.rules.topology,
            "patterns": len(problem.rules),
        },
        "topology": encode_topology(problem.topology),
        "origin": find_array_origin_in_world(problem.topology, origin),
        **({} if origin is None else {"world": True}),
        "statistics": counts,
    }


def decode_header(header: MapHeader, source: Path, where: str = "") -> ParsedMap:
    """Inverse of `make_header`: the map without its cells. where: the part of the file, for messages."""
    where = f"{str(source)!r}{where}"
    grid = decode_topology(header.topology, f"{where}, topology")
    origin = None
    if header.world and header.origin is not None:
        origin = find_world_origin(grid, header.origin, f"{where}, origin")
    tileset, no_cells = header.tileset, np.empty(0, np.int64)
    return ParsedMap(source, grid, [], no_cells, tileset.name, tileset.digest, header.seed, origin)


def find_tileset_name(problem: Problem) -> str:
    """The name of the tile set, if it has one."""
    return str(getattr(problem.tiles, "name", "") or "")


def check_names(names: Sequence[str]) -> Sequence[str]:
    """The names of patterns; raises `ConfigError` unless they are unique."""
    if len(set(names)) != len(names) or "" in names:
        raise ConfigError("every pattern needs a name of its own to be written to a file")
    return names


def to_json_value(value: Any) -> Any:
    """The value of a learned pattern for JSON; None if JSON cannot hold it."""
    if isinstance(value, tuple):
        parts = [to_json_value(each) for each in value]
        return None if None in parts else parts
    if isinstance(value, str | bool | int) or (isinstance(value, float) and abs(value) < float("inf")):
        return value
    return None


def to_json(value: object) -> str:
    """One line, always the same for the same value."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def encode_utf8(text: str) -> bytes:
    """UTF-8; JSON and Python can hold half a character, which no file can."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"{text[error.start]!r} in a name cannot be written as UTF-8") from None


# --- topologies -----------------------------------------------------------------------------------


def encode_topology(topology: Topology) -> dict[str, Any]:
    """A topology as plain data, without defaults."""
    note: dict[str, Any] = {"kind": topology.kind}
    if isinstance(topology, Graph):
        edges = [[encode_cell(each) for each in edge] for edge in topology.edges]
        return note | {"cells": [encode_cell(cell) for cell in topology.cells], "edges": edges}
    if not isinstance(topology, Lattice) or topology.kind not in LATTICE_NOTES:
        raise ConfigError(
            f"a {type(topology).__name__} cannot be written to a file; squares, hexes, cubes and graphs can"
        )
    note |= topology.parameters
    wraps = list(parse_wraps(topology.wraps, "xyz"[: len(topology.axes)]))
    if any(wraps):
        note["wraps"] = wraps
    if topology.mask is not None:
        note["mask"] = encode_mask(Mask.of(topology.mask, topology.shape).array)
    return note


def decode_topology(note: Note, where: str) -> Topology:
    """The topology that a file describes; raises if it is too large, with `where` first in the message."""
    try:
        if isinstance(note, GraphNote):
            return build_graph(note)
        size = prod(build_lattice(note).shape)
        if size > MOST_CELLS:
            raise ConfigError(f"it has room for {size:,} cells; at most {MOST_CELLS:,} can be read")
        return build_lattice(note) if note.mask is None else build_lattice(note, decode_mask(note.mask))
    except ConfigError as error:
        raise FormatError(f"{where}: {error}") from None


def build_lattice(note: LatticeNote, mask: NDArray[np.bool_] | None = None) -> Lattice:
    """The grid, with this mask; missing sizes are reported by the grid."""
    parameters = note.model_dump(exclude={"kind", "wraps", "mask"})
    grid: Any = get_lattice_class(note.kind)
    return grid(**parameters, wraps=tuple(note.wraps), mask=mask)  # type: ignore[no-any-return]


def build_graph(note: GraphNote) -> Graph:
    """The graph; raises if a cell has too many edges."""
    edges = [[decode_cell(each) for each in edge] for edge in note.edges]
    graph = Graph(edges, cells=[decode_cell(cell) for cell in note.cells])
    if graph.cell_count * 2 * sum(graph.slots) > MOST_SLOTS:
        raise ConfigError("a cell of the graph has too many edges for a graph of this size")
    return graph


def find_array_origin(topology: Topology) -> list[int] | None:
    """The coordinate of the first place in the array of a lattice; there need not be a cell."""
    if topology.shape is None:
        return None
    numbers = topology.to_array(np.arange(topology.cell_count), missing=-1)
    position = np.argwhere(numbers == 0)[0][::-1]
    first: Any = topology.coordinate(0)
    return [int(here - index) for here, index in zip(first, position.tolist(), strict=True)]


def find_array_origin_in_world(topology: Topology, origin: tuple[int, ...] | None) -> list[int] | None:
    """The same in the world that the map was cut from, where its cell (0, 0) lies at this origin."""
    first = find_array_origin(topology)
    if first is None or origin is None:
        return first
    return [int(here + there) for here, there in zip(first, origin, strict=True)]


def find_world_origin(topology: Topology, first: list[int], where: str) -> tuple[int, ...]:
    """The origin in a world that puts the start of the map's array at `first`; `where` begins messages."""
    alone = find_array_origin(topology)
    if alone is None or len(first) != len(alone) or max(map(abs, first)) > FARTHEST:
        raise FormatError(f"{where}: {first} is not the position of a cell")
    return tuple(there - here for here, there in zip(alone, first, strict=True))


# --- masks as text, cells of graphs as lists ------------------------------------------------------


def encode_mask(mask: NDArray[np.bool_]) -> list[Any]:
    """Rows of # and dots; layers of rows, if there are layers."""
    if mask.ndim > 2:
        return [encode_mask(layer) for layer in mask]
    return ["".join(row) for row in np.where(mask, "#", ".").tolist()]


def decode_mask(rows: list[Any]) -> NDArray[np.bool_]:
    """Inverse of `encode_mask`."""
    if rows and isinstance(rows[0], list):
        layers = [decode_mask(layer) for layer in rows]
        if len({layer.shape for layer in layers}) > 1:
            raise ConfigError("the layers of the mask are not all of one size")
        return np.stack(layers)
    if len({len(row) for row in rows}) != 1 or set("".join(rows)) - set("#."):
        raise ConfigError("the mask must be rows of # and dots, all of the same length")
    return np.array([[sign == "#" for sign in row] for row in rows], bool)


def encode_cell(value: Any) -> Any:
    """The name of a graph's cell for JSON; tuples become lists."""
    if isinstance(value, tuple):
        return [encode_cell(each) for each in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    raise ConfigError(
        f"the cell {value!r} of the graph cannot be written to a file; names, whole numbers and tuples can"
    )


def decode_cell(value: Any, depth: int = 0) -> Any:
    """Inverse of `encode_cell`."""
    if depth > MOST_NESTED:
        raise ConfigError("a cell of the graph is nested too deeply")
    if isinstance(value, list):
        return tuple(decode_cell(each, depth + 1) for each in value)
    if value is None or isinstance(value, str | bool | int):
        return value
    raise ConfigError(f"a cell of a graph is text, a whole number or a list of them, not {value!r}")


def format_coordinate(coordinate: Any) -> str:
    """A cell of a graph in one field of a table: a name unchanged, anything else as JSON."""
    return coordinate if isinstance(coordinate, str) else to_json(encode_cell(coordinate))
