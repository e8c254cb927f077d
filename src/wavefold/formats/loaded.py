"""A map that comes back from a file: names become patterns of a tile set."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError, FormatError, TileSetError, TileSetWarning, suggest
from wavefold.plugins import available
from wavefold.solver import Partial, Problem, Solution
from wavefold.tiles import Orientation, Rules, TileSet, ring_of
from wavefold.topology import Topology

Indices = NDArray[np.int64]  # [cell]


class PatternName(NamedTuple):
    """What a file calls a pattern, and how it is turned beyond that."""

    name: str
    turned: Orientation = Orientation()


class ParsedMap(NamedTuple):
    """What a file holds, in its own names: what `MapFormat.read` returns."""

    source: Path
    topology: Topology
    names: list[PatternName]
    indices: Indices  # [cell] into `names`; -1 where the file has nothing
    tileset: str = ""
    digest: str = ""
    seed: int | None = None
    origin: tuple[int, ...] | None = None  # where cell (0, 0) lies in a world


class LoadedMap:
    """A map read from a file, valid or not: to repair, to continue, or to take pins from.

    Attributes
    ----------
    source, tiles, topology, seed : the file, and what it says the map was made with
    patterns : int64 [cell], in the topology's order; -1 where the file has nothing
    origin : where the map's cell (0, 0) lies in the world it was cut from; None if the file does not say
    """

    def __init__(
        self,
        source: Path,
        tiles: TileSet | Rules,
        topology: Topology,
        patterns: Indices,
        seed: int | None = None,
        origin: tuple[int, ...] | None = None,
    ) -> None:
        self.source = source
        self.tiles = tiles
        self.topology = topology
        self.patterns = patterns
        self.seed = seed
        self.origin = origin

    def __repr__(self) -> str:
        known = int((self.patterns >= 0).sum())
        return f"LoadedMap({str(self.source)!r}, {self.topology!r}, {known} of {self.patterns.size} cells)"

    @property
    def rules(self) -> Rules:
        """The rules of the tiles."""
        return rules_of(self.tiles)

    @property
    def array(self) -> NDArray[np.int64]:
        """`patterns` as [row, column] or [layer, row, column]."""
        return self.topology.to_array(self.patterns, missing=-1)

    @property
    def names(self) -> list[str | None]:
        """[cell] the full names of patterns."""
        words = [*self.rules.names, None]  # -1 is the last
        return [words[number] for number in self.patterns.tolist()]

    @cached_property
    def pins(self) -> dict[Any, str]:
        """What the file holds, for `Problem(pins=...)`: {coordinate: name}, each name one pattern."""
        words = {number: exact_name(self.rules, number) for number in set(self.patterns.tolist()) - {-1}}
        known = np.flatnonzero(self.patterns >= 0).tolist()
        return {self.topology.coordinate(cell): words[int(self.patterns[cell])] for cell in known}

    def problem(self, **options: Any) -> Problem:
        """The tiles on the topology, with nothing pinned; `options` are those of `Problem`."""
        return Problem(self.tiles, self.topology, **options)

    def differences(
        self, original: LoadedMap | Solution | Partial | str | os.PathLike[str] | ArrayLike
    ) -> list[Any]:
        """The coordinates of cells that differ from the original: what was edited.

        The original is a map, a file, or an array of patterns. A cell that was emptied counts.
        """
        if isinstance(original, str | os.PathLike):
            from wavefold.formats.read import read_map

            original = read_map(original, self.tiles, topology=self.topology)
        before = [*self._names_in(original)]
        changed = [cell for cell, (new, old) in enumerate(zip(self.names, before, strict=True)) if new != old]
        return [self.topology.coordinate(cell) for cell in changed]

    def _names_in(self, original: Any) -> Iterable[str | None]:
        """[cell] the names of patterns in another map of the same cells."""
        names: tuple[str, ...] = self.rules.names
        patterns = original
        if isinstance(original, LoadedMap | Solution | Partial):
            other = original if isinstance(original, LoadedMap) else original.problem
            if other.topology != self.topology:
                raise ConfigError(
                    f"only maps of the same cells can be compared, not {self.topology!r} with "
                    f"{other.topology!r}"
                )
            names, patterns = other.rules.names, original.patterns
        array = np.asarray(patterns)
        if array.dtype.kind not in "iu" or array.shape != self.patterns.shape:
            raise ConfigError(
                f"the original must hold {self.patterns.size} numbers of patterns, one per cell; "
                f"got {array.dtype} {array.shape}"
            )
        if array.size and not -1 <= int(array.min()) <= int(array.max()) < len(names):
            raise ConfigError(f"the original holds patterns outside -1 to {len(names) - 1}")
        words = [*names, None]
        return [words[number] for number in array.tolist()]


def rules_of(tiles: TileSet | Rules) -> Rules:
    """The rules, of a tile set or bare."""
    return tiles.rules if isinstance(tiles, TileSet) else tiles


def exact_name(rules: Rules, number: int) -> str:
    """A name that means this pattern only: a bare one may be a tile's, or a value's, and mean several."""
    name = rules.names[number]
    return name if rules.patterns(name).tolist() == [number] else f"{name}@0"


# --- from a file's names to patterns --------------------------------------------------------------


def match_patterns(file: ParsedMap, tiles: TileSet | Rules | None = None) -> LoadedMap:
    """The map in numbers of these tiles; of the bundled set the file names, if none are given."""
    chosen = load_named_tiles(file) if tiles is None else tiles
    if not isinstance(chosen, TileSet | Rules):
        raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('pipes'), not {tiles!r}")
    rules = rules_of(chosen)
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
            f"{str(file.source)!r} was made with other rules than the tile set{title} has now: its cells may "
            "not fit each other; wavefold.repair fixes that",
            TileSetWarning,
            stacklevel=3,
        )
    return LoadedMap(file.source, chosen, file.topology, found[file.indices], file.seed, file.origin)


def load_named_tiles(file: ParsedMap) -> TileSet:
    """The bundled tile set that the file names."""
    if file.tileset in available("tileset"):
        return TileSet.load(file.tileset)
    names = f"the tile set {file.tileset!r}, which is not a bundled one" if file.tileset else "no tile set"
    raise TileSetError(f"{str(file.source)!r} names {names}; pass the tiles, as read_map(…, tiles=…)")


def find_pattern(
    file: ParsedMap, tiles: TileSet | Rules, names: dict[str, int], word: PatternName, cell: int
) -> int:
    """The pattern that a name in a file means; raises `FormatError` with the cell."""
    place = f"{str(file.source)!r}, {file.topology.describe(cell)}"
    number = names.get(word.name)
    if number is None:  # another spelling, such as road@180 for what looks as drawn
        try:
            several = rules_of(tiles).patterns(word.name).tolist()
        except TileSetError:
            known = suggest(word.name, names)
            raise FormatError(f"{place}: the tile set has no pattern {word.name!r}; {known}") from None
        if len(several) > 1:
            examples = ", ".join(rules_of(tiles).names[each] for each in several[:4])
            raise FormatError(f"{place}: {word.name!r} may be any of {examples}, …; name one of them")
        number = int(several[0])
    if word.turned == Orientation():
        return number
    return turn_pattern(tiles, number, word.turned, place)


def turn_pattern(tiles: TileSet | Rules, number: int, turn: Orientation, place: str) -> int:
    """The pattern that a pattern becomes when it is flipped or turned by hand."""
    name = rules_of(tiles).names[number]
    if isinstance(tiles, TileSet):
        ring, pattern = ring_of(tiles.topology), tiles.patterns[number]
        orientation = turn.after(pattern.orientation, ring.sides)
        symmetry = tiles.symmetries[pattern.tile.name]
        variant = symmetry.variant_of.get(orientation)
        if variant is not None:
            for other, each in enumerate(tiles.patterns):
                same = each.tile.name == pattern.tile.name and each.level == pattern.level
                if same and each.orientation == symmetry.variants[variant]:
                    return other
        spelled = ring.spell(turn)
        raise FormatError(
            f"{place}: {name!r} was flipped or turned ({spelled}), and the tile set has no such pattern; "
            f"{pattern.tile.name!r} can be placed in {len(symmetry.variants)} ways"
        )
    raise FormatError(f"{place}: {name!r} was flipped or turned, and bare rules have no orientations")
