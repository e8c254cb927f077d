"""Maps from files: formats parse pattern names, and this module matches them with a tile set."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, FormatError, TileSetError, TileSetWarning, suggest
from wavefold.options.values import check_path
from wavefold.plugins.map_formats import find_function, list_endings
from wavefold.plugins.registry import is_offered
from wavefold.solver import Partial, Problem, Solution
from wavefold.solver.problem import ProblemOptions
from wavefold.storage.files import note_read
from wavefold.tiles import Orientation, Rules, TileSet, get_ring, get_rules
from wavefold.tiles.objects import PlacedObject
from wavefold.topology import Topology

Indices = NDArray[np.int64]  # [cell]


class PatternName(NamedTuple):
    """The name of a pattern in a file, and a turn that was applied to it."""

    name: str
    turned: Orientation = Orientation()


class ParsedMap(NamedTuple):
    """The result of `MapFormat.read`: the content of a file, before its names are matched with a tile set."""

    source: Path
    topology: Topology
    names: list[PatternName]
    indices: Indices  # [cell] into `names`; -1 for empty cells
    tileset: str = ""
    digest: str = ""
    seed: int | None = None
    origin: tuple[int, ...] | None = None  # the position of cell (0, 0) in a world
    objects: tuple[PlacedObject, ...] = ()


@dataclass(eq=False, repr=False)
class LoadedMap:
    """A map read from a file. It may be invalid: repair it, continue it, or use its pins.

    Attributes
    ----------
    source, tiles, topology, seed : the file, and the parameters of its map
    patterns : int64 [cell] in the order of the topology; -1 for empty cells
    origin : for a part of a world, the position of cell (0, 0) in the world
    objects : the objects on the tiles; only .json files list them
    """

    source: Path
    tiles: TileSet | Rules
    topology: Topology
    patterns: Indices
    seed: int | None = None
    origin: tuple[int, ...] | None = None
    objects: tuple[PlacedObject, ...] = ()

    def __repr__(self) -> str:
        known = int((self.patterns >= 0).sum())
        return f"LoadedMap({str(self.source)!r}, {self.topology!r}, {known} of {self.patterns.size} cells)"

    @property
    def rules(self) -> Rules:
        """The rules of the tiles."""
        return get_rules(self.tiles)

    @property
    def array(self) -> NDArray[np.int64]:
        """`patterns` as [row, column] or [layer, row, column]."""
        return self.topology.to_array(self.patterns, missing=-1)

    @property
    def names(self) -> list[str | None]:
        """[cell] the full names of patterns; None for empty cells."""
        names = [*self.rules.names, None]  # at index -1: empty cells
        return [names[number] for number in self.patterns.tolist()]

    @cached_property
    def pins(self) -> dict[Hashable, str]:
        """The decided cells as {coordinate: exact pattern name}, for `Problem(pins=...)`."""
        names = {number: find_exact_name(self.rules, number) for number in set(self.patterns.tolist()) - {-1}}
        known = np.flatnonzero(self.patterns >= 0).tolist()
        return {self.topology.coordinate(cell): names[int(self.patterns[cell])] for cell in known}

    def problem(self, **options: Unpack[ProblemOptions]) -> Problem:
        """A problem with these tiles and this topology, without pins; `options` are those of `Problem`."""
        return Problem(self.tiles, self.topology, **options)

    def differences(
        self, original: LoadedMap | Solution | Partial | str | os.PathLike[str] | ArrayLike
    ) -> list[Hashable]:
        """The coordinates of the cells that differ from the original, including emptied cells.

        The original is a map, a file, or an array of patterns.
        """
        if isinstance(original, str | os.PathLike):
            original = read_map(original, self.tiles, topology=self.topology)
        before = [*self._names_in(original)]
        changed = [cell for cell, (new, old) in enumerate(zip(self.names, before, strict=True)) if new != old]
        return [self.topology.coordinate(cell) for cell in changed]

    def _names_in(self, original: Any) -> Iterable[str | None]:
        """[cell] the pattern names of another map with the same cells."""
        names: tuple[str, ...] = self.rules.names
        patterns = original
        if isinstance(original, LoadedMap | Solution | Partial):
            other = original if isinstance(original, LoadedMap) else original.problem
            if other.topology != self.topology:
                raise ConfigError(
                    f"only maps with the same cells can be compared, not {self.topology!r} with "
                    f"{other.topology!r}"
                )
            names, patterns = other.rules.names, original.patterns
        array = np.asarray(patterns)
        if array.dtype.kind not in "iu" or array.shape != self.patterns.shape:
            raise ConfigError(
                f"the original must be an array of {self.patterns.size} pattern numbers, one per cell; "
                f"got {array.dtype} {array.shape}"
            )
        if array.size and not -1 <= int(array.min()) <= int(array.max()) < len(names):
            raise ConfigError(f"the original has pattern numbers outside -1 to {len(names) - 1}")
        listed = [*names, None]
        return [listed[number] for number in array.tolist()]


def read_map(
    path: str | os.PathLike[str],
    tiles: TileSet | Rules | None = None,
    layer: str | None = None,
    *,
    topology: Topology | None = None,
) -> LoadedMap:
    """Read a map from a file, edited or not. `wavefold plugins map_format` lists the formats.

    Parameters
    ----------
    tiles : the tiles of the map; by default, the bundled set that the file names
    layer : the name of the tile layer to read, for Tiled and LDtk. The default is the lowest visible layer
        in Tiled, and the layer `Tiles` or else the first one in LDtk
    topology : the grid, if the file does not define it; a .csv file does not store wrapped edges

    Raises `FormatError` if the file is invalid or names unknown patterns. Warns with `TileSetWarning` if the
    rules of the tile set have changed since the map was made.
    """
    check_path("path", path)
    read = find_function(path, "read")
    if read is None:
        endings = ", ".join(list_endings("read"))
        raise FormatError(f"cannot read {str(path)!r} as a map: unknown ending; known: {endings}")
    if not isinstance(topology, Topology | None):
        raise ConfigError(f"topology must be a grid such as SquareGrid(64, 48), not {topology!r}")
    note_read(path)
    file = read(Path(path), layer, topology)
    if topology is not None and file.topology != topology:
        if not have_same_coordinates(file.topology, topology):
            raise FormatError(f"{str(path)!r} is a map of {file.topology!r}, not of {topology!r}")
        file = file._replace(topology=topology)
    return match_patterns(file, tiles)


def have_same_coordinates(one: Topology, other: Topology) -> bool:
    """Whether cells with the same number have the same coordinates; their neighbours may differ."""
    here, there = getattr(one, "coordinates", None), getattr(other, "coordinates", None)
    if here is None or there is None:
        return False
    return one.kind == other.kind and np.array_equal(here, there)


def refuse_layer(path: Path, layer: str | None) -> None:
    """Raise if a layer is named for a format without layers."""
    if layer is not None:
        raise ConfigError(f"{str(path)!r} has no layers; leave out layer, which is for Tiled and LDtk")


def find_exact_name(rules: Rules, number: int) -> str:
    """A name that means only this pattern; a plain name may mean a tile or a value with several patterns."""
    name = rules.names[number]
    return name if rules.patterns(name).tolist() == [number] else f"{name}@0"


# --- from a file's names to patterns --------------------------------------------------------------


def match_patterns(file: ParsedMap, tiles: TileSet | Rules | None = None) -> LoadedMap:
    """The map in pattern numbers of these tiles; by default, of the bundled set that the file names."""
    chosen = load_named_tiles(file) if tiles is None else tiles
    if not isinstance(chosen, TileSet | Rules):
        raise TileSetError(f"tiles must be a TileSet such as TileSet.load('pipes'), not {tiles!r}")
    rules = get_rules(chosen)
    if rules.topology not in ("graph", file.topology.kind):
        raise TileSetError(
            f"{str(file.source)!r} has {file.topology.kind} cells, but these tiles are drawn for "
            f"{rules.topology} cells"
        )
    names = {name: number for number, name in reversed(list(enumerate(rules.names)))}
    found = np.full(len(file.names) + 1, -1, np.int64)  # the last is for empty cells
    used, first = np.unique(file.indices, return_index=True)
    for index, cell in zip(used.tolist(), first.tolist(), strict=True):
        if index >= 0:
            found[index] = find_pattern(file, chosen, names, file.names[index], cell)
    if file.digest and file.digest != rules.digest:
        title = f" {file.tileset!r}" if file.tileset else ""
        warnings.warn(
            f"{str(file.source)!r} was made with other rules than the tile set{title} has now; some cells "
            "may not fit: use wavefold.repair",
            TileSetWarning,
            stacklevel=3,
        )
    patterns = found[file.indices]
    return LoadedMap(file.source, chosen, file.topology, patterns, file.seed, file.origin, file.objects)


def load_named_tiles(file: ParsedMap) -> TileSet:
    """The bundled tile set that the file names."""
    if is_offered("tileset", file.tileset):
        return TileSet.load(file.tileset)
    names = f"the tile set {file.tileset!r}, which is not a bundled one" if file.tileset else "no tile set"
    raise TileSetError(
        f"{str(file.source)!r} names {names}",
        advice="pass the tiles: read_map(…, tiles=…)",
        flag_advice="pass the tiles with --tiles",
    )


def find_pattern(
    file: ParsedMap, tiles: TileSet | Rules, numbers: dict[str, int], wanted: PatternName, cell: int
) -> int:
    """The pattern that a name in a file means; raises `FormatError` with the cell."""
    where = f"{str(file.source)!r}, {file.topology.describe(cell)}"
    number = numbers.get(wanted.name)
    if number is None:  # another spelling, such as road@180 for a symmetric tile
        try:
            several = get_rules(tiles).patterns(wanted.name).tolist()
        except TileSetError:
            known = suggest(wanted.name, numbers)
            raise FormatError(f"{where}: the tile set has no pattern {wanted.name!r}; {known}") from None
        if len(several) > 1:
            examples = ", ".join(get_rules(tiles).names[each] for each in several[:4])
            raise FormatError(f"{where}: {wanted.name!r} may be any of {examples}, …; name one of them")
        number = int(several[0])
    return number if wanted.turned == Orientation() else turn_pattern(tiles, number, wanted.turned, where)


def turn_pattern(tiles: TileSet | Rules, number: int, turn: Orientation, where: str) -> int:
    """The pattern that results from turning another one in an editor."""
    name = get_rules(tiles).names[number]
    if not isinstance(tiles, TileSet):
        raise FormatError(f"{where}: {name!r} was flipped or turned, but bare rules have no orientations")
    ring, pattern = get_ring(tiles.topology), tiles.patterns[number]
    symmetry = tiles.symmetries[pattern.tile.name]
    variant = symmetry.variant_of.get(turn.after(pattern.orientation, ring.sides))
    if variant is not None:
        wanted = (pattern.tile.name, pattern.level, symmetry.variants[variant])
        for other, each in enumerate(tiles.patterns):
            if (each.tile.name, each.level, each.orientation) == wanted:
                return other
    raise FormatError(
        f"{where}: {name!r} was flipped or turned ({ring.spell(turn)}), but the tile set has no such "
        f"pattern; {pattern.tile.name!r} has {len(symmetry.variants)} orientations"
    )
