"""A file format: the names of patterns row by row, separated by tabs; nothing where a cell is undecided.

The first line has the kind of cells: a map of triangles is read again without being told.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import wavefold as wf
from wavefold.formats import ParsedMap, PatternName
from wavefold.storage.files import read_limited, write_atomically
from wavefold.topology import is_plane, make_box

MOST_BYTES = 1 << 28


def write_rows(solution: wf.Solution | wf.Partial, path: Any) -> None:
    """Write a map, finished or not."""
    check_rows(solution.problem, path)
    topology, names = solution.problem.topology, [*solution.problem.rules.names, ""]  # -1 is the last
    lines = ["\t".join(names[number] for number in row) for row in topology.to_array(solution.patterns)]
    with write_atomically(path) as file:
        file.write("\n".join([topology.kind, *lines, ""]).encode())


def check_rows(problem: wf.Problem, path: Any, origin: Any = None) -> None:
    """Raise for maps that a file cannot hold."""
    topology, shape = problem.topology, problem.topology.shape
    if not is_plane(topology.kind) or shape is None or topology.cell_count != np.prod(shape):
        raise wf.ConfigError(f"cannot write {str(path)!r}: rows are for flat grids with all cells")
    if any(not name or set(name) & set("\t\r\n") for name in problem.rules.names):
        raise wf.ConfigError(f"cannot write {str(path)!r}: the name of a tile is empty or has a tab in it")


def read_rows(path: Any, layer: str | None = None, topology: wf.Topology | None = None) -> ParsedMap:
    """What a file holds. topology : of the map, if it is known; else a grid that does not wrap."""
    try:
        kind, *lines = read_limited(Path(path), MOST_BYTES, "make a smaller map").decode().splitlines()
    except ValueError as error:
        raise wf.FormatError(f"{str(path)!r} is not a file of rows: {error}") from None
    rows = [line.split("\t") for line in lines]
    if not is_plane(kind) or not rows or len({len(row) for row in rows}) != 1:
        raise wf.FormatError(
            f"{str(path)!r} is not a file of rows: expected a kind of cells, then rows of one length"
        )
    grid = topology or make_box(kind, len(rows[0]), len(rows))
    if (grid.kind, grid.shape) != (kind, (len(rows), len(rows[0]))):
        raise wf.FormatError(
            f"{str(path)!r} has {len(rows)} rows of {len(rows[0])} {kind} cells, not {grid!r}"
        )
    numbers: dict[str, int] = {}
    indices = [numbers.setdefault(name, len(numbers)) if name else -1 for row in rows for name in row]
    return ParsedMap(Path(path), grid, [PatternName(name) for name in numbers], np.array(indices, np.int64))


ROWS = wf.MapFormat(
    description="The names of tiles, row by row.",
    endings=(".rows",),
    write=write_rows,
    check=check_rows,
    read=read_rows,
)
