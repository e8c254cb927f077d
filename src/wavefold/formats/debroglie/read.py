"""A configuration of DeBroglie as tiles, a grid and a problem."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, Unpack

from numpy.typing import ArrayLike

from wavefold.errors import ConfigError, FormatError, TileSetWarning
from wavefold.fields import Fields
from wavefold.formats.debroglie.document import ConfigDocument, find_unknown, read_document
from wavefold.formats.debroglie.models import build_adjacent, build_overlapping
from wavefold.formats.debroglie.references import Model, read_rotations
from wavefold.formats.debroglie.rotations import Rotations
from wavefold.formats.debroglie.sources import ConfigSource, read_source
from wavefold.options.names import TileLike
from wavefold.options.values import check_path
from wavefold.solver.constraint import ConstraintLike
from wavefold.solver.problem import Problem
from wavefold.tiles import TileSet
from wavefold.topology import CubeGrid, Lattice, SquareGrid, Topology


class TranslatedParts(TypedDict):
    """The content of a configuration besides tiles and grid."""

    pins: dict[Hashable, TileLike]
    constraints: list[ConstraintLike]


class MoreOptions(TypedDict, total=False):
    """The options of `Problem` that a configuration does not set."""

    weights: ArrayLike | None
    masks: ArrayLike | None
    fields: Fields | None
    own_constraints: bool


@dataclass(frozen=True)
class DeBroglieConfig:
    """A configuration of DeBroglie, ready to be solved.

    Attributes
    ----------
    path : the file
    tiles : the tile set, from a sample or from listed rules
    topology : the grid, of the configured size
    output : the file that DeBroglie would write, or None
    notes : sentences about fields that are unsupported, or differ in meaning
    """

    path: Path
    document: ConfigDocument
    source: ConfigSource
    rotations: Rotations
    model: Model
    folder: Path

    @property
    def tiles(self) -> TileSet:
        """The tile set."""
        return self.model.tiles

    @cached_property
    def topology(self) -> Lattice:
        """The grid."""
        document, wraps = self.document, self.document.wraps
        if self.source.kind == "cube":
            return CubeGrid(document.width, document.height, document.depth, wraps)
        return SquareGrid(document.width, document.height, wraps[:2])

    @property
    def output(self) -> Path | None:
        """The file that DeBroglie would write."""
        return None if self.document.dest is None else self.folder / self.document.dest

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Sentences about fields that are unsupported, or differ in meaning."""
        found = [*find_unknown(self.document), *self.source.notes, *self._translate(self.topology).notes]
        if self.document.animate:
            found.append("animate is left out: save an animation as .gif instead")
        return tuple(found)

    def parts(self, topology: Topology | None = None) -> TranslatedParts:
        """`pins` and `constraints` for `generate` or `Problem`, on its grid or another of the same kind."""
        grid = self.topology if topology is None else topology
        if not isinstance(grid, Lattice) or grid.kind != self.topology.kind:
            raise ConfigError(f"{str(self.path)!r} has {self.topology.kind} cells, not those of {grid!r}")
        found = self._translate(grid)
        return {"pins": found.pins, "constraints": found.constraints}

    def problem(self, **options: Unpack[MoreOptions]) -> Problem:
        """The problem on its grid; `options` are other options of `Problem`."""
        return Problem(self.tiles, self.topology, **self.parts(), **options)

    def _translate(self, grid: Lattice) -> Any:
        from wavefold.formats.debroglie.translation import Translation

        parts = self.document, self.source, self.rotations, self.model, grid, repr(str(self.path))
        return Translation(*parts).translate()


def read_debroglie(path: str | os.PathLike[str]) -> DeBroglieConfig:
    """Read a configuration of DeBroglie (.json). Warns about unsupported fields with `TileSetWarning`.

    >>> config = read_debroglie("castle.json")
    >>> solution = generate(config.tiles, config.topology, **config.parts())
    """
    check_path("path", path)
    path = Path(path)
    document = read_document(path)
    folder = path.parent / (document.base_directory or "")
    where = repr(str(path))
    source = read_source(document, path, folder)
    rotations = read_rotations(document, source, where)
    builders = {"adjacent": build_adjacent, "overlapping": build_overlapping}
    kind = document.model.type.lower()
    if kind not in builders:
        raise FormatError(f"{where}, model: type {document.model.type!r} is not adjacent or overlapping")
    if kind == "overlapping" and document.adjacencies:
        raise FormatError(f"{where}: the model 'overlapping' has no adjacencies; use 'adjacent'")
    model = builders[kind](document, source, rotations, where)
    config = DeBroglieConfig(path, document, source, rotations, model, folder)
    for note in config.notes:
        warnings.warn(f"{where}: {note}", TileSetWarning, stacklevel=2)
    return config


def read_debroglie_tiles(path: str | os.PathLike[str]) -> TileSet:
    """Read only the tile set of a configuration; its recommended size is the configured one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TileSetWarning)
        return read_debroglie(path).tiles
