"""Constraints of DeBroglie in ours, with a note where ours ask for something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints import Acyclic, Area, Connected, Count, Loop, MaxRun, PairSeparation, Separation
from wavefold.errors import FormatError, suggest
from wavefold.formats.debroglie.document import ConfigDocument, ConstraintData, PathData, PointData, Reference
from wavefold.formats.debroglie.mirror import MirrorTiles
from wavefold.formats.debroglie.references import Model, check_known, parse_direction, parse_reference
from wavefold.formats.debroglie.rotations import PlacedName, Rotations
from wavefold.formats.debroglie.sources import ConfigSource
from wavefold.tiles import Orientation
from wavefold.topology import Lattice

# The sides of a map: an axis of its array, counted from the last (x is the last), and which end of it.
BORDERS = {"xmin": (1, 0), "xmax": (1, -1), "ymin": (2, 0), "ymax": (2, -1), "zmin": (3, 0), "zmax": (3, -1)}
COMPARISONS = ("atleast", "atmost", "exactly")


@dataclass
class Translation:
    """What a configuration asks of a map on a grid, collected constraint by constraint.

    Attributes
    ----------
    pins : {cell: tiles}
    constraints : ours
    notes : sentences about what is left out, or means something else
    """

    document: ConfigDocument
    source: ConfigSource
    rotations: Rotations
    model: Model
    grid: Lattice
    source_name: str
    pins: dict[Any, Any] = field(default_factory=dict)
    constraints: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    where: str = ""

    def translate(self) -> Translation:
        """Fill in pins, constraints and notes; raises `FormatError` with the place of what is wrong."""
        if self.document.ground is not None:
            self.where = f"{self.source_name}, ground"
            bottom = self.border_mask("zmin" if self.grid.kind == "cube" else "ymax")
            tile = self.name_tiles([self.document.ground])
            self.constraints += [Area(tile, bottom), *self.if_any(Area, tile, ~bottom, ban=True)]
        for index, data in enumerate(self.document.constraints):
            self.where = f"{self.source_name}, constraints[{index}]"
            kind = data.type.lower()
            if kind not in HANDLERS:
                known = suggest(data.type, list(SPELLINGS.values()))
                raise FormatError(f"{self.where}: there is no constraint of type {data.type!r}; {known}")
            HANDLERS[kind](self, data)
        return self

    def note(self, text: str) -> None:
        """Add a note about the constraint at hand."""
        self.notes.append(f"{self.where.partition(', ')[2]}: {text}")

    # --- tiles and cells ------------------------------------------------------------------------

    def parse(self, references: Iterable[Reference], turned: bool = False) -> list[PlacedName]:
        """Tiles of the model; with `turned`, also what a tile becomes that is named without a turn."""
        found: dict[PlacedName, None] = {}
        for reference in references:
            tile = self.rotations.canonical(parse_reference(reference, self.source, self.where))
            check_known(tile.name, dict.fromkeys(each.name for each in self.model.meant), self.where)
            more = self.rotations.every(tile) if turned and "!" not in str(reference) else [tile]
            found |= dict.fromkeys(each for each in more if each == tile or each.name == tile.name)
        return [tile for tile in found if tile in self.model.meant]

    def name_tiles(self, references: Iterable[Reference], turned: bool = False) -> Any:
        """Tiles by the names that constraints and pins take: one, or a list."""
        names = [self.model.meant[tile] for tile in self.parse(references, turned)]
        if not names:
            raise FormatError(f"{self.where}: the model has none of the tiles, as they are turned")
        return names[0] if len(names) == 1 else names

    def tiles_of(self, data: ConstraintData) -> Any:
        """The tiles that a constraint is about."""
        listed = [] if data.tile is None else [data.tile]
        listed += data.tiles or []
        if not listed:
            raise FormatError(f"{self.where}: field 'tiles' is missing")
        return self.name_tiles(listed)

    def cell(self, point: PointData) -> tuple[int, ...]:
        """A cell of the map."""
        cell = (point.x, point.y, point.z)[: len(self.grid.axes)]
        size = self.grid.shape[::-1]
        if not all(0 <= at < length for at, length in zip(cell, size, strict=True)):
            raise FormatError(f"{self.where}: the point {cell} is outside the map of {size} cells")
        return cell

    def border_mask(self, text: str) -> NDArray[np.bool_]:
        """bool [row, column] or [layer, row, column]: the cells along some sides, `xmin, ymax`; or `all`."""
        mask = np.zeros(self.grid.shape, bool)
        for word in filter(None, (each.strip().lower() for each in text.split(","))):
            if word not in ("all", "none", *BORDERS):
                raise FormatError(f"{self.where}: {word!r} is not a side; {suggest(word, list(BORDERS))}")
            for name, (axis, end) in BORDERS.items():
                if word in ("all", name) and axis <= mask.ndim:
                    np.moveaxis(mask, -axis, 0)[end] = True
        return mask

    def if_any(
        self, make: Callable[..., Any], tile: Any, mask: NDArray[np.bool_], **options: Any
    ) -> Iterator[Any]:
        """A constraint about an area, unless it has no cell."""
        if mask.any():
            yield make(tile, mask, **options)

    # --- paths ----------------------------------------------------------------------------------

    def path_of(self, data: ConstraintData) -> dict[str, Any]:
        """The keywords `tiles` or `sides` of a constraint about a path."""
        spec: PathData = data.path_spec or data
        for exits in (spec.exits, spec.path_tiles):
            if isinstance(exits, dict):
                return {"sides": self.exits_of(exits)}
        listed = [] if spec.tile is None else [spec.tile]
        listed += [*(spec.tiles or []), *(spec.path_tiles or [])]
        if not listed:
            raise FormatError(f"{self.where}: a path needs 'tiles' or 'exits'")
        return {"tiles": self.name_tiles(listed, turned=True)}

    def exits_of(self, exits: dict[str, list[str]]) -> dict[Any, tuple[str, ...]]:
        """{tile: sides} of tiles with a path on some sides, and of what they become."""
        sides: dict[PlacedName, set[int]] = {}
        directions = self.grid.directions
        for reference, words in exits.items():
            names = [parse_direction(word, self.where) for word in words]
            for name in names:
                if name not in directions:
                    raise FormatError(f"{self.where}: {self.grid.kind} cells have no side {name!r}")
            for tile, move in product(self.parse([reference]), self.rotations.group):
                moved = self.rotations.move(tile, move)
                if moved in self.model.meant:
                    turned = {self.rotations.move_side(directions.index(name), move) for name in names}
                    sides.setdefault(moved, set()).update(turned)
        return {
            self.model.meant[tile]: tuple(directions[each] for each in sorted(found))
            for tile, found in sides.items()
        }

    def connect(self, data: ConstraintData) -> None:
        """Paths in one piece, or between some cells."""
        spec: PathData = data.path_spec or data
        points = [*(spec.end_points or []), *(spec.relevant_cells or [])]
        path = self.path_of(data)
        if points:
            self.constraints.append(Connected(**path, joins=[self.cell(point) for point in points]))
        if spec.end_point_tiles or spec.relevant_tiles:
            self.note("all path cells are joined, not only those with the tiles that are to be connected")
        if spec.end_point_tiles or spec.relevant_tiles or not points:
            self.constraints.append(Connected(**path))


def add_loop(to: Translation, data: ConstraintData) -> None:
    """No dead ends; DeBroglie also rules out loops that meet in a single cell."""
    path = to.path_of(data)
    to.constraints.append(Connected(**path))
    to.constraints.append(Loop(**path))
    to.note("every path cell lies on a loop, but two loops may meet in one cell")


def add_acyclic(to: Translation, data: ConstraintData) -> None:
    """No loops."""
    to.constraints.append(Acyclic(**to.path_of(data)))


def skip_parity(to: Translation, data: ConstraintData) -> None:
    """It allows the same maps: it only helps DeBroglie's search."""
    to.note("parity is left out: it helps the search of DeBroglie, and forbids no map")


def add_border(to: Translation, data: ConstraintData) -> None:
    """Tiles along the sides of the map, or everywhere else."""
    mask = to.border_mask("all" if data.sides is None else data.sides)
    mask &= ~to.border_mask(data.exclude_sides or "none")
    area = ~mask if data.invert_area else mask
    to.constraints += to.if_any(Area, to.tiles_of(data), area, ban=data.ban)


def add_fixed_tile(to: Translation, data: ConstraintData) -> None:
    """A tile in a cell; without one, somewhere."""
    tiles = to.tiles_of(data)
    if data.point is None:
        to.constraints.append(Count(tiles, at_least=1))
        return
    cell = to.cell(data.point)
    if cell in to.pins:
        raise FormatError(f"{to.where}: the cell {cell} has two fixed tiles")
    to.pins[cell] = tiles


def add_runs(to: Translation, data: ConstraintData) -> None:
    """At most so many in a row, along some axes."""
    letters = to.grid.axis_letters
    axes: list[str | None] = [each.lower() for each in data.axes] if data.axes else [None]
    for axis in axes:
        if axis is not None and axis not in letters:
            raise FormatError(f"{to.where}: {axis!r} is not an axis: {', '.join(letters)}")
        to.constraints.append(MaxRun(to.tiles_of(data), data.max_count, axis))


def add_mirror(to: Translation, axis: str) -> None:
    """The same on both sides of the middle."""
    rules, meant = to.model.tiles.rules, to.model.meant
    half = Orientation(to.rotations.sides // 2 if axis == "y" else 0, True)
    tile_of = np.full(len(rules), -1, np.int64)
    for number, name in enumerate(meant.values()):
        tile_of[rules.patterns(name)] = number
    order = {tile: number for number, tile in enumerate(meant)}
    moved = [to.rotations.move(tile, half) for tile in meant]
    image = np.array([-1 if each is None else order.get(each, -1) for each in moved], np.int64)
    to.constraints.append(MirrorTiles(axis, tile_of, image))


def add_count(to: Translation, data: ConstraintData) -> None:
    """At least, at most or exactly so many."""
    word = str(data.comparison).lower()
    word = COMPARISONS[int(word)] if word in ("0", "1", "2") else word
    if word not in COMPARISONS:
        raise FormatError(f"{to.where}: comparison {data.comparison!r} is not atLeast, atMost or exactly")
    least = 0 if word == "atmost" else data.count
    most = None if word == "atleast" else data.count
    to.constraints.append(Count(to.tiles_of(data), least, most))
    if data.eager:
        to.note("eager is left out: it is about when tiles are chosen, not about which maps are allowed")


def add_separation(to: Translation, data: ConstraintData) -> None:
    """Tiles at least so many steps apart."""
    if data.min_distance > 1:
        to.constraints.append(Separation(to.tiles_of(data), data.min_distance))


def add_pair_separation(to: Translation, data: ConstraintData) -> None:
    """Two kinds of tiles at least so many steps apart."""
    if not data.tiles1 or not data.tiles2:
        raise FormatError(f"{to.where}: needs 'tiles1' and 'tiles2'")
    first, second = to.name_tiles(data.tiles1), to.name_tiles(data.tiles2)
    if data.min_distance > 1:
        to.constraints.append(PairSeparation(first, second, data.min_distance))


Handler = Callable[[Translation, ConstraintData], None]
SPELLED: dict[str, Handler] = {
    "path": Translation.connect,
    "edgedPath": Translation.connect,
    "connected": Translation.connect,
    "edgedConnected": Translation.connect,
    "loop": add_loop,
    "edgedLoop": add_loop,
    "acyclic": add_acyclic,
    "edgedAcyclic": add_acyclic,
    "parity": skip_parity,
    "border": add_border,
    "fixedTile": add_fixed_tile,
    "maxConsecutive": add_runs,
    "maxConsectuive": add_runs,  # as a page of DeBroglie has it
    "mirror": lambda to, data: add_mirror(to, "x"),
    "mirrorX": lambda to, data: add_mirror(to, "x"),
    "mirrorY": lambda to, data: add_mirror(to, "y"),
    "count": add_count,
    "separation": add_separation,
    "pairSeparation": add_pair_separation,
}
SPELLINGS = {name.lower(): name for name in SPELLED}
HANDLERS = {name.lower(): handler for name, handler in SPELLED.items()}
