"""Maps as NumPy arrays: `numpy.load` opens them, without pickles, and the same map gives the same bytes.

`patterns` [cell], `array` [row, column], `names` [pattern], `coordinates` [cell, axis], `values` (colours of
learned sets) [pattern, channel], and `metadata`, a JSON text. Only patterns, names and metadata are read.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, FormatError
from wavefold.formats.header import check_names, decode_header, encode_utf8, make_header, to_json
from wavefold.formats.loaded import ParsedMap, PatternName, refuse_layer
from wavefold.formats.nodes import parse_json
from wavefold.formats.schema import MapHeader, parse_fields
from wavefold.plugins.map_formats import MapFormat
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.storage.archive import inflate, write_zip
from wavefold.storage.files import open_to_read, write_atomically
from wavefold.storage.parsing import encode_array, parse_array
from wavefold.topology import Topology

MOST_BYTES = 64 << 20  # of one array, unpacked
MOST_NAMES = 1 << 16


# --- writing --------------------------------------------------------------------------------------


def write_npz_map(solution: Map, path: str | os.PathLike[str]) -> None:
    """Write the map as arrays. Nothing is compressed: compressors differ from machine to machine."""
    arrays = make_arrays(solution)
    entries = ((f"{name}.npy", encode_array(array)) for name, array in arrays.items())
    with write_atomically(path) as file:
        write_zip(file, entries, zipfile.ZIP_STORED)


def make_arrays(solution: Map) -> dict[str, NDArray[Any]]:
    """Every array of the file, with the lowest byte of numbers first."""
    problem = solution.problem
    topology, patterns = problem.topology, solution.patterns.astype("<i4")
    metadata = to_json(make_header(solution))
    encode_utf8(metadata + "".join(check_names(problem.rules.names)))
    arrays = {"patterns": patterns, "names": np.array(problem.rules.names).astype("<U")}
    if any(name.endswith("\0") for name in problem.rules.names):
        raise ConfigError("a name that ends in a zero byte cannot be written to an array")
    if topology.shape is not None:
        arrays["array"] = topology.to_array(patterns, missing=-1).astype("<i4")
        arrays["coordinates"] = make_coordinates(solution)
    values = colours(problem)
    if values is not None:
        arrays["values"] = values
    return arrays | {"metadata": np.array(metadata).astype("<U")}


def make_coordinates(solution: Map) -> NDArray[Any]:
    """[cell, axis]; a world is larger than 32 bits can count."""
    coordinates = np.asarray(getattr(solution.problem.topology, "coordinates", None), "<i4")
    origin = getattr(solution, "origin", None)
    return coordinates if origin is None else (coordinates + np.array(origin, np.int64)).astype("<i8")


def colours(problem: Problem) -> NDArray[np.uint8] | None:
    """uint8 [pattern, channel]: the colours of patterns, if they have any."""
    values = problem.rules.values
    if values is None or not all(isinstance(each, tuple) and len(each) in (3, 4) for each in values):
        return None
    try:
        return np.array(values, np.uint8)
    except (TypeError, ValueError, OverflowError):  # tuples of something else
        return None


# --- reading --------------------------------------------------------------------------------------


def read_npz_map(path: Path, layer: str | None = None, topology: Topology | None = None) -> ParsedMap:
    """The map in a file of arrays."""
    refuse_layer(path, layer)
    with open_to_read(path) as file:
        metadata = read_member(file, path, "metadata", "U", 0)
        patterns = read_member(file, path, "patterns", "iu", 1)
        names = read_member(file, path, "names", "U", 1)
    where = ", metadata"
    header = parse_fields(MapHeader, parse_json(path, encode_metadata(path, metadata)).fields, path, where)
    found = decode_header(header, path, where)
    cells = found.topology.cell_count
    if patterns.shape != (cells,):
        raise FormatError(
            f"{str(path)!r}, patterns: holds {patterns.size:,} cells; the topology has {cells:,}"
        )
    if names.size > MOST_NAMES:
        raise FormatError(f"{str(path)!r}, names: holds {names.size:,} names; at most {MOST_NAMES:,}")
    if patterns.size and not -1 <= int(patterns.min()) <= int(patterns.max()) < names.size:
        raise FormatError(f"{str(path)!r}, patterns: holds numbers outside -1 to {names.size - 1}")
    words = [PatternName(str(name)) for name in names.tolist()]
    return found._replace(names=words, indices=patterns.astype(np.int64))


def encode_metadata(path: Path, metadata: NDArray[Any]) -> bytes:
    """The metadata as the bytes of a JSON file."""
    try:
        return str(metadata[()]).encode()
    except UnicodeEncodeError:
        raise FormatError(f"{str(path)!r}, metadata: holds half a character") from None


def read_member(file: IO[bytes], path: Path, name: str, kinds: str, dimensions: int) -> NDArray[Any]:
    """One array; raises if it is of another kind or too large, whatever its header claims."""
    try:
        with zipfile.ZipFile(file) as archive:
            array = parse_array(inflate(archive, archive.getinfo(f"{name}.npy"), MOST_BYTES + 1))
    except KeyError:
        raise FormatError(
            f"{str(path)!r}: the file ends in .npz but is not a wavefold map: array {name!r} is missing"
        ) from None
    except zipfile.BadZipFile as error:
        raise FormatError(
            f"{str(path)!r}: the file ends in .npz but is not a NumPy archive: {str(error).lower()}"
        ) from None
    except Exception as error:  # damaged archives and headers raise anything
        raise FormatError(f"{str(path)!r}, {name}: not a valid NumPy array: {error}") from None
    if array.dtype.kind not in kinds or array.ndim != dimensions:
        wanted = {"U": "text", "iu": "whole numbers"}[kinds]
        raise FormatError(
            f"{str(path)!r}, {name}: must be {wanted} in {dimensions} dimensions; "
            f"found {array.dtype} {array.shape}"
        )
    return array


NPZ = MapFormat(description="NumPy arrays.", endings=(".npz",), write=write_npz_map, read=read_npz_map)
