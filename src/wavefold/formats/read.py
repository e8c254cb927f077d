"""Maps from files, by their ending."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from wavefold.errors import ConfigError, FormatError
from wavefold.formats.loaded import LoadedMap, match_patterns
from wavefold.map_format import endings_with, find_function
from wavefold.tiles import Rules, TileSet
from wavefold.topology import Topology


def read_map(
    path: str | os.PathLike[str],
    tiles: TileSet | Rules | None = None,
    layer: str | None = None,
    *,
    topology: Topology | None = None,
) -> LoadedMap:
    """A map from a file: .json, .npz, .csv, or Tiled's .tmx and .tmj, edited by hand or not.

    Parameters
    ----------
    tiles : the tiles it is made of; if not given, the bundled set that the file names
    layer : the name of the tile layer to read, for Tiled; the lowest visible one, if not given
    topology : where the cells are, if the file does not say so (a .csv does not hold which edges wrap)

    Raises `FormatError` for a file that is not what it claims, or that names unknown patterns; warns with
    `TileSetWarning` if the rules of the tile set have changed since the map was made.
    """
    read = find_function(path, "read")
    if read is None:
        endings = ", ".join(endings_with("read"))
        raise FormatError(f"cannot read {str(path)!r} as a map: known endings are {endings}")
    if not isinstance(topology, Topology | None):
        raise ConfigError(f"the topology must be a grid, as SquareGrid(64, 48), not {topology!r}")
    file = read(Path(path), layer, topology)
    if topology is not None and file.topology != topology:
        if file.topology.cell_count != topology.cell_count or not same_places(file.topology, topology):
            raise FormatError(f"{str(path)!r} is a map of {file.topology!r}, not of {topology!r}")
        file = file._replace(topology=topology)
    return match_patterns(file, tiles)


def same_places(one: Topology, other: Topology) -> bool:
    """Whether cells of the same number have the same coordinates: only what touches may differ."""
    here, there = getattr(one, "coordinates", None), getattr(other, "coordinates", None)
    if here is None or there is None or one.kind != other.kind:
        return False
    return bool(np.array_equal(here, there))
