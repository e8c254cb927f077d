"""A tile set: named tiles for one kind of topology, compiled to rules on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from inspect import signature
from math import fsum
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.options.groups import MOST_SWEEPS
from wavefold.options.names import RecommendedOrder, TileSetName, TopologyKind
from wavefold.options.values import parse_in_range
from wavefold.plugins import upward
from wavefold.plugins.map_formats import find_function, find_writer, list_endings
from wavefold.plugins.registry import available, find_plugin, is_offered
from wavefold.storage.files import note_read
from wavefold.tiles.calibration import Calibration
from wavefold.tiles.groups import parse_groups
from wavefold.tiles.map_object import MapObject, check_objects
from wavefold.tiles.neighbour_rules import Beside, parse_rules
from wavefold.tiles.orientation import Orientation, Symmetry
from wavefold.tiles.pattern_table import PatternTable
from wavefold.tiles.rules import Relation, Rules, parse_weights
from wavefold.tiles.tile import Pattern, Pixels, Tile, choose_flat_art
from wavefold.tiles.tileset_arguments import (
    check_constraints,
    check_order,
    check_pictures,
    check_shares,
    check_size,
    check_text,
    check_tiles,
    check_topology,
)
from wavefold.topology import make_single_cell

if TYPE_CHECKING:  # the solver imports tile sets
    from wavefold.solver.constraint import ConstraintLike

Constraints: TypeAlias = "tuple[ConstraintLike, ...]"


class LoadOptions(TypedDict, total=False):
    """The options of the formats of tile sets, of which each takes some; see `TileSet.load`."""

    subset: str | None
    wangset: str | None
    layer: str | Sequence[str] | None
    periodic: bool


class TileSet:
    """A set of tiles and the rules for which of them may touch.

    Parameters
    ----------
    tiles : the tiles, with distinct names
    topology : the kind of cells: "square", "hex" or "cube"
    beside : neighbour rules. They allow more pairs than the sockets do, or forbid some; forbidding rules are
        applied last. Rules with a weight neither allow nor forbid: refining prefers or avoids their pairs
    allowed : a function (a, b, direction) -> bool of two patterns: may b stand in that direction of a? It is
        called, from both sides, for each pair that sockets and neighbour rules allow
    allowed_at : a function (pattern, fields) -> bool: may the pattern stand where the fields have these
        values?
    groups : names for several tiles, such as {"water": ["sea", "coast-*"]}. Members are tiles, full names of
        patterns, or wildcards (`*`, `?`, `[…]`). A group is valid wherever the name of a tile is
    description : one line of text
    size : the recommended size of a map, in cells: [columns, rows], for cubes [columns, rows, layers]
    order : the recommended order, "scanline" or "spiral"; None: least entropy
    sweeps : the recommended number of refining sweeps
    shares : {tile, pattern or group: share of cells}: the shares that refining aims at instead of the
        weights. Patterns that are not named divide the rest by weight
    calibration : the result of `wavefold.calibrate`
    constraints : constraints of all maps of the set, such as `Connected("floor")`. Worlds and patchworks
        ignore them
    objects : objects placed on tiles, such as trees. If several objects fit in a cell, the first is placed

    If no tile has sockets and no rule allows a pair, all pairs are allowed except those that rules forbid.

    >>> chess = TileSet([Tile("white", ("a", "a", "b", "b")), Tile("black", ("b", "b", "a", "a"))])
    >>> chess.rules
    Rules(2 patterns of 2 tiles, 4 relations)
    """

    def __init__(
        self,
        tiles: Iterable[Tile],
        topology: TopologyKind = "square",
        name: str = "",
        *,
        beside: Iterable[Beside] = (),
        allowed: Callable[[Pattern, Pattern, str], bool] | None = None,
        allowed_at: Callable[..., object] | None = None,
        groups: Mapping[str, str | Sequence[str]] | None = None,
        description: str = "",
        size: Sequence[int] | None = None,
        order: RecommendedOrder | None = None,
        sweeps: int | None = None,
        shares: Mapping[str, float] | None = None,
        calibration: Calibration | None = None,
        objects: Iterable[MapObject] = (),
        constraints: Iterable[ConstraintLike] = (),
    ) -> None:
        self.name = check_text("name", name)
        self.description = check_text("description", description)
        self.topology = check_topology(topology)
        self.size = None if size is None else check_size(size, topology)
        self.order = check_order(order)
        self.sweeps = None if sweeps is None else parse_in_range("sweeps", sweeps, 0, MOST_SWEEPS)
        if calibration is not None and not isinstance(calibration, Calibration):
            raise TileSetError(f"calibration must be the result of wavefold.calibrate, not {calibration!r}")
        self.calibration = calibration
        if not isinstance(tiles, Iterable):
            raise TileSetError(
                f"a tile set needs a list of tiles such as [Tile('road', sockets)], not {tiles!r}"
            )
        self.tiles = tuple(tiles)
        self.beside = parse_rules(beside)
        for word, function in (("allowed", allowed), ("allowed_at", allowed_at)):
            if function is not None and not callable(function):
                raise TileSetError(f"{word} must be a function, not {function!r}")
        self.allowed = allowed
        self.allowed_at = allowed_at
        check_tiles(self.tiles, self.topology)
        self.groups = parse_groups({} if groups is None else groups)
        self.pattern_table = PatternTable(self.tiles, self.topology, self.groups)
        self.patterns = self.pattern_table.patterns
        check_pictures(self.tiles, self.patterns)
        self.shares = {} if shares is None else check_shares(shares, self.pattern_table.build_rules([]))
        self._constraints: Constraints | Callable[[], Constraints] = check_constraints(constraints)
        self.objects = check_objects(objects, self.pattern_table.build_rules([])) if objects else ()

    @property
    def constraints(self) -> tuple[ConstraintLike, ...]:
        """The constraints of all maps of the set."""
        if callable(self._constraints):
            self._constraints = self._constraints()
        return self._constraints

    @constraints.setter
    def constraints(self, constraints: Constraints | Callable[[], Constraints]) -> None:
        """Set the constraints, or a function that returns them: creating constraints imports the solver."""
        self._constraints = constraints

    @overload
    @classmethod
    def load(cls, source: TileSetName | PathLike[str], **options: Unpack[LoadOptions]) -> TileSet: ...

    @overload
    @classmethod
    def load(cls, source: TileSetName | PathLike[str], **options: object) -> TileSet: ...

    @classmethod
    def load(cls, source: TileSetName | PathLike[str], **options: object) -> TileSet:
        """Load a bundled tile set by its name (see `wavefold.tilesets()`), or a file.

        The ending of the file selects the reader. `options` are passed to it: `subset="…"` for mxgmn's .xml,
        `wangset="…"` for Tiled's .tsx and .tsj, `layer="…"` and `periodic=True` for its .tmx and .tmj.
        """
        name = source if isinstance(source, str) else fspath(source) if isinstance(source, PathLike) else None
        if not isinstance(name, str):
            raise TileSetError(f"a tile set is loaded by its name or path, not {source!r}")
        if is_offered("tileset", name):
            plugin = find_plugin("tileset", name)
            tiles = call_reader(plugin.load(), (), options, name)
            plugin.check_result(tiles, TileSet)
            return tiles
        read_tiles = find_function(name, "read_tiles")
        if read_tiles is not None:
            note_read(name)
            return call_reader(read_tiles, (name,), options, name)
        endings, hint = ", ".join(list_endings("read_tiles")), suggest(name, available("tileset"))
        stop = "" if hint.endswith("?") else "."
        raise TileSetError(f"there is no tile set {name!r}; {hint}{stop} Files end in {endings}")

    def save(self, path: str | PathLike[str]) -> None:
        """Write the tile set to a file; the ending selects the format. `load` reads it back."""
        find_writer(path, "write_tiles")(self, path)

    def with_objects(self, objects: Iterable[MapObject]) -> Self:
        """Return a copy with exactly these objects. Maps of the same seed stay the same."""
        found = copy(self)
        found.objects = check_objects(objects, self.rules)
        return found

    def with_pattern_weights(self, weights: ArrayLike) -> Self:
        """Return a copy with these weights [pattern]. The rules are not compiled again."""
        found = copy(self)
        found.__dict__["rules"] = self.rules.with_weights(weights)
        found.__dict__.pop("asked_weights", None)
        return found

    @classmethod
    def from_allowed(
        cls,
        names: Sequence[str],
        allowed: ArrayLike,
        weights: ArrayLike | None = None,
        topology: TopologyKind = "square",
        pictures: Sequence[NDArray[np.uint8]] | None = None,
    ) -> TileSet:
        """Make a tile set from a table bool [direction, a, b]: may b stand in that direction of a?"""
        return TableTileSet(names, allowed, weights, topology, pictures)

    def __repr__(self) -> str:
        title = f"{self.name!r}: " if self.name else ""
        return f"TileSet({title}{len(self.tiles)} tiles, {len(self.patterns)} patterns, {self.topology})"

    def _repr_html_(self) -> str | None:
        return upward.represent_tiles(self)

    def __len__(self) -> int:
        return len(self.patterns)

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the sides of a cell, in the order of sockets."""
        return self.pattern_table.directions

    @property
    def opposite(self) -> list[int]:
        """[side] -> the side of the neighbour that faces it."""
        return list(self.pattern_table.opposite)

    @cached_property
    def rules(self) -> Rules:
        """The compiled rules."""
        soft = self.pattern_table.weigh_pairs(self.beside)
        return self.pattern_table.build_rules(self._relations(), self._pattern_weights(), soft, self.order)

    @cached_property
    def asked_weights(self) -> NDArray[np.float64]:
        """float64 [pattern]: the weights that refining aims at, from `shares` and the weights of the rules.

        A share is divided among its patterns by weight.
        """
        weights = self.rules.weights.copy()
        whole = fsum(weights)
        rest = np.ones(len(weights), bool)
        for name, share in self.shares.items():
            patterns = self.rules.patterns(name)
            weights[patterns] *= share * whole / fsum(self.rules.weights[patterns])
            rest[patterns] = False
        if self.shares and rest.any():
            left = max(0.0, 1.0 - fsum(self.shares.values()))
            weights[rest] *= left * whole / fsum(weights[rest])
        return weights

    @property
    def activities(self) -> Mapping[str, float]:
        """{tile: activity} from the calibration; empty if the set has changed since."""
        found = self.calibration
        return found.activities if found is not None and found.fits(self) else {}

    def _relations(self) -> list[Relation]:
        """One relation per side; subclasses may override it."""
        return self.pattern_table.relate(self.beside, self.allowed)

    def _pattern_weights(self) -> Sequence[float]:
        """[pattern] -> weight; subclasses may override it."""
        return [pattern.tile.weight for pattern in self.patterns]

    def art(self, number: int, flat: bool = False) -> tuple[Pixels | None, Orientation]:
        """The picture of a pattern, and the orientation in which to draw it.

        flat : use the picture for flat-top hexagons
        """
        pattern = self.patterns[number]
        picture = choose_flat_art(pattern.tile) if flat else pattern.tile.picture
        if callable(picture):
            try:
                return picture(pattern), Orientation()
            except Exception as error:
                raise TileSetError(f"the picture of {pattern.name!r} cannot be drawn: {error!r}") from error
        if isinstance(picture, tuple):
            tile_of = self.pattern_table.tile_of
            return picture[number - tile_of.index(tile_of[number])], Orientation()
        return picture, pattern.orientation

    def pictures(self, tile_size: int | None = None) -> NDArray[np.uint8]:
        """uint8 [pattern, row, column, RGBA]: the picture of each pattern, in its orientation.

        Cells are `tile_size` pixels across; by default as large as the tiles' pictures. Hexagons are
        pointy-top, cubes are seen from the southeast and above; pixels around them are transparent.
        """
        pictures: NDArray[np.uint8] = upward.draw_tiles(self, tile_size)
        return pictures

    @property
    def symmetries(self) -> dict[str, Symmetry]:
        """{tile: its symmetry}."""
        return self.pattern_table.symmetries


def call_reader(
    make: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, object], name: str
) -> TileSet:
    """Call a reader of tile sets. Raises TileSetError for an option that it does not have."""
    known = [each for each in signature(make).parameters if each not in ("path", "source")]
    for option in options:
        if option not in known:
            hint = suggest(option, known) if known else "it has no options"
            raise TileSetError(f"{name!r} has no option {option!r}; {hint}")
    tiles: TileSet = make(*arguments, **options)
    return tiles


def get_rules(tiles: TileSet | Rules) -> Rules:
    """The rules of a tile set, or the rules themselves."""
    if not isinstance(tiles, TileSet | Rules):
        raise TileSetError(f"tiles must be a TileSet such as TileSet.load('pipes'), not {tiles!r}")
    return tiles.rules if isinstance(tiles, TileSet) else tiles


class TableTileSet(TileSet):
    """A tile set defined by a table.

    Attributes
    ----------
    table : bool [direction, a, b]: may b stand in that direction of a?
    """

    def __init__(
        self,
        names: Sequence[str],
        allowed: ArrayLike,
        weights: ArrayLike | None,
        topology: str,
        pictures: Sequence[NDArray[np.uint8]] | None,
    ) -> None:
        lattice = make_single_cell(check_topology(topology))
        try:
            table = np.asarray(allowed, bool)
        except ValueError as error:
            raise TileSetError(f"the table is not an array [direction, pattern, pattern]: {error}") from None
        if pictures is not None and len(pictures) != len(names):
            raise TileSetError(f"there are {len(names)} tiles but {len(pictures)} pictures")
        opposite = lattice.opposite_sides()
        sides = len(opposite)
        if table.shape != (sides, len(names), len(names)):
            raise TileSetError(
                f"the table has shape {table.shape}; {len(names)} tiles on {topology} cells "
                f"need {(sides, len(names), len(names))}: direction, pattern, pattern"
            )
        for side, back in enumerate(opposite):
            if (table[side] != table[back].T).any():
                here, there = np.argwhere(table[side] != table[back].T)[0]
                raise TileSetError(
                    f"the table contradicts itself: {names[there]!r} to the {lattice.directions[side]} of "
                    f"{names[here]!r} is {table[side, here, there]}, but {names[here]!r} to the "
                    f"{lattice.directions[back]} of {names[there]!r} is {table[back, there, here]}"
                )
        self.table = table
        numbers = parse_weights(np.ones(len(names)) if weights is None else weights, names).tolist()
        art: Sequence[NDArray[np.uint8] | None] = [None] * len(names) if pictures is None else pictures
        super().__init__(
            (
                Tile(name, None, weight, picture=picture)
                for name, weight, picture in zip(names, numbers, art, strict=True)
            ),
            topology,
        )

    def _relations(self) -> list[Relation]:
        return [Relation.from_allowed(side) for side in self.table]
