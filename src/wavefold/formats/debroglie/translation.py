"""Translates the constraints of DeBroglie, with notes about differences in meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints import Acyclic, Area, Connected, Count, Loop, MaxRun, PairSeparation, Separation
from wavefold.errors import FormatError, suggest
from wavefold.formats.debroglie.document import ConfigDocument, ConstraintData, PathData, PointData, Reference
from wavefold.formats.debroglie.references import Model, parse_direction, parse_reference
from wavefold.formats.debroglie.rotations import MirrorTiles, PlacedName, Rotations
from wavefold.formats.debroglie.sources import ConfigSource
from wavefold.tiles import Orientation
from wavefold.topology import Lattice

# The sides of a map: an axis of its array, counted from the last (x is the last), and which end of it.
MAP_SIDES = {
    "xmin": (1, 0),
    "xmax": (1, -1),
    "ymin": (2, 0),
    "ymax": (2, -1),
    "zmin": (3, 0),
    "zmax": (3, -1),
}
COMPARISONS = ("atleast", "atmost", "exactly")


class UnknownTiles(FormatError):
    """None of the tiles of a constraint are in the model."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedArea(Area):
    """An area that messages name as in the configuration.

    place : such as "in the area of 'ground'"
    """

    place: str = ""

    def where(self) -> str:
        """The area, in words."""
        return f"{'' if self.ban else 'everywhere '}{self.place}"


@dataclass
class Translation:
    """The pins and constraints of a configuration on a grid.

    Attributes
    ----------
    pins : {cell: tiles}
    constraints : of wavefold
    notes : sentences about unsupported parts, and parts with another meaning
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
        """Fill in pins, constraints and notes; raises `FormatError` with the place of an error."""
        if self.document.ground is not None:
            self.where = f"{self.source_name}, ground"
            bottom = self.border_mask("zmin" if self.grid.kind == "cube" else "ymax")
            tile = self.name_tiles([self.document.ground])
            self.add_area(tile, bottom, "in the area of 'ground'")
            self.add_area(tile, ~bottom, "outside the area of 'ground'", ban=True)
        for index, data in enumerate(self.document.constraints):
            self.where = f"{self.source_name}, constraints[{index}]"
            kind = data.type.lower()
            if kind not in HANDLERS:
                known = suggest(data.type, list(SPELLINGS.values()))
                raise FormatError(f"{self.where}: unknown type of constraint {data.type!r}; {known}")
            try:
                HANDLERS[kind](self, data)
            except UnknownTiles:
                if needs_tile(self, data):
                    raise
                self.note("left out, because none of its tiles are in the model")
        return self

    def note(self, text: str) -> None:
        """Add a note about the current constraint."""
        self.notes.append(f"{self.place}: {text}")

    @property
    def place(self) -> str:
        """The current constraint, without the file."""
        return self.where.removeprefix(f"{self.source_name}, ")

    # --- tiles and cells ------------------------------------------------------------------------

    def parse(self, references: Iterable[Reference], turned: bool = False) -> list[PlacedName]:
        """Tiles of the model; with `turned`, also all turned versions of tiles named without a turn.

        Unknown tiles are noted and left out.
        """
        found: dict[PlacedName, None] = {}
        for reference in references:
            tile = self.rotations.canonical(parse_reference(reference, self.source, self.where))
            more = self.rotations.every(tile) if turned and "!" not in str(reference) else [tile]
            there = [each for each in more if each.name == tile.name and each in self.model.meant]
            if not there:
                self.note(f"unknown tile {reference!r} is ignored; {self.suggest(reference)}")
            found |= dict.fromkeys(there)
        return list(found)

    def suggest(self, reference: Reference) -> str:
        """The end of a message about an unknown tile."""
        return suggest(reference, dict.fromkeys(each.name for each in self.model.meant))

    def name_tiles(self, references: list[Reference], turned: bool = False) -> Any:
        """One name or a list of names, for constraints and pins."""
        names = [self.model.meant[tile] for tile in self.parse(references, turned)]
        if not names:
            raise self.without_tiles(references)
        return names[0] if len(names) == 1 else names

    def without_tiles(self, references: Sequence[Reference]) -> UnknownTiles:
        """Return the error for unknown tiles."""
        names, known = " or ".join(map(repr, references)), self.suggest(references[0])
        return UnknownTiles(f"{self.where}: unknown tile {names}, which the map must have; {known}")

    def tiles_of(self, data: ConstraintData) -> Any:
        """The tiles of a constraint."""
        listed = [] if data.tile is None else [data.tile]
        listed += data.tiles or []
        if not listed and data.tiles is None:
            raise FormatError(f"{self.where}: field 'tiles' is missing")
        if not listed:
            raise self.empty_field("tiles", data.tiles)
        return self.name_tiles(listed)

    def empty_field(self, name: str, value: Any) -> FormatError:
        """Return the error for an empty field."""
        sides = ' and its sides, such as {"line": ["x+", "x-"]}' if isinstance(value, dict) else ""
        return FormatError(f"{self.where}: field {name!r} is empty; name a tile{sides}")

    def cell(self, point: PointData) -> tuple[int, ...]:
        """A cell of the map."""
        cell = (point.x, point.y, point.z)[: len(self.grid.axes)]
        size = self.grid.shape[::-1]
        if not all(0 <= at < length for at, length in zip(cell, size, strict=True)):
            raise FormatError(f"{self.where}: the point {cell} is outside the map of {size} cells")
        return cell

    def border_mask(self, text: str) -> NDArray[np.bool_]:
        """bool [row, column] or [layer, row, column]: the cells along sides such as `xmin, ymax` or `all`."""
        mask = np.zeros(self.grid.shape, bool)
        for word in filter(None, (each.strip().lower() for each in text.split(","))):
            if word not in ("all", "none", *MAP_SIDES):
                raise FormatError(f"{self.where}: {word!r} is not a side; {suggest(word, list(MAP_SIDES))}")
            for name, (axis, end) in MAP_SIDES.items():
                if word in ("all", name) and axis <= mask.ndim:
                    np.moveaxis(mask, -axis, 0)[end] = True
        return mask

    def add_area(self, tile: Any, mask: NDArray[np.bool_], place: str, ban: bool = False) -> None:
        """Require or ban a tile in an area; an empty area has no effect."""
        if mask.any():
            self.constraints.append(PlacedArea(tile, mask, ban, place))

    # --- paths ----------------------------------------------------------------------------------

    def path_of(self, data: ConstraintData) -> dict[str, Any]:
        """The argument `tiles` or `sides` of a path constraint."""
        spec: PathData = data.path_spec or data
        for exits in (spec.exits, spec.path_tiles):
            if exits and isinstance(exits, dict):
                return {"sides": self.exits_of(exits)}
        listed = [] if spec.tile is None else [spec.tile]
        listed += [*(spec.tiles or []), *(spec.path_tiles or [])]
        if not listed:
            for name, value in (("exits", spec.exits), ("pathTiles", spec.path_tiles), ("tiles", spec.tiles)):
                if value is not None:
                    raise self.empty_field(name, value)
            raise FormatError(f"{self.where}: a path needs 'tiles' or 'exits'")
        return {"tiles": self.name_tiles(listed, turned=True)}

    def exits_of(self, exits: dict[str, list[str]]) -> dict[Any, tuple[str, ...]]:
        """{tile: sides with a path}, with all turned versions."""
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
        if not sides:
            raise self.without_tiles([*exits])
        return {
            self.model.meant[tile]: tuple(directions[each] for each in sorted(found))
            for tile, found in sides.items()
        }

    def connect(self, data: ConstraintData) -> None:
        """Connect the whole path, or some of its cells."""
        spec: PathData = data.path_spec or data
        points = list_points(spec)
        path = self.path_of(data)
        listed = [*(spec.end_point_tiles or []), *(spec.relevant_tiles or [])]
        known = self.parse(listed, turned=True)
        if points:
            self.constraints.append(Connected(**path, joins=[self.cell(point) for point in points]))
        elif listed and not known:
            raise self.without_tiles(listed)
        if known:
            self.note("all path cells are connected, not only those with the named tiles")
        if known or not points:
            self.constraints.append(Connected(**path))


def add_loop(to: Translation, data: ConstraintData) -> None:
    """Forbid dead ends. DeBroglie also forbids loops that meet in a single cell."""
    path = to.path_of(data)
    to.constraints.append(Connected(**path))
    to.constraints.append(Loop(**path))
    to.note("every path cell lies on a loop, but two loops may meet in one cell")


def add_acyclic(to: Translation, data: ConstraintData) -> None:
    """Forbid loops."""
    to.constraints.append(Acyclic(**to.path_of(data)))


def skip_parity(to: Translation, data: ConstraintData) -> None:
    """Skip parity, which speeds up DeBroglie's search and allows the same maps."""
    to.note("parity is left out: it only speeds up DeBroglie's search")


def add_border(to: Translation, data: ConstraintData) -> None:
    """Require or ban tiles along the sides of the map, or everywhere else."""
    cells = find_border_cells(to, data)
    to.add_area(to.tiles_of(data), cells, f"in the area of {to.place}", data.ban)


def find_border_cells(to: Translation, data: ConstraintData) -> NDArray[np.bool_]:
    """bool [row, column] or [layer, row, column]: the cells of a border."""
    mask = to.border_mask("all" if data.sides is None else data.sides)
    mask &= ~to.border_mask(data.exclude_sides or "none")
    return ~mask if data.invert_area else mask


def add_fixed_tile(to: Translation, data: ConstraintData) -> None:
    """Require a tile in a cell, or anywhere on the map."""
    tiles = to.tiles_of(data)
    if data.point is None:
        to.constraints.append(Count(tiles, at_least=1))
        return
    cell = to.cell(data.point)
    both = (to.pins.setdefault(cell, tiles), tiles)
    before, now = ({*each} if isinstance(each, list) else {each} for each in both)
    if before != now:
        raise FormatError(f"{to.where}: the cell {cell} has two fixed tiles")


def add_runs(to: Translation, data: ConstraintData) -> None:
    """Limit the number of tiles in a row, along some axes."""
    letters = to.grid.axis_letters
    axes: list[str | None] = [each.lower() for each in data.axes] if data.axes else [None]
    for axis in axes:
        if axis is not None and axis not in letters:
            raise FormatError(f"{to.where}: {axis!r} is not an axis: {', '.join(letters)}")
        to.constraints.append(MaxRun(to.tiles_of(data), data.max_count, axis))


def add_mirror(to: Translation, axis: str) -> None:
    """Require mirror symmetry."""
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
    """Limit the number of tiles."""
    least, most = parse_count_limits(to, data)
    to.constraints.append(Count(to.tiles_of(data), least, most))
    if data.eager:
        to.note("eager is left out: it changes the search, not the allowed maps")


def parse_count_limits(to: Translation, data: ConstraintData) -> tuple[int, int | None]:
    """The least and the most that a comparison allows."""
    word = str(data.comparison).lower()
    word = COMPARISONS[int(word)] if word in ("0", "1", "2") else word
    if word not in COMPARISONS:
        raise FormatError(f"{to.where}: comparison {data.comparison!r} is not atLeast, atMost or exactly")
    return 0 if word == "atmost" else data.count, None if word == "atleast" else data.count


def needs_tile(to: Translation, data: ConstraintData) -> bool:
    """Whether a constraint requires one of its tiles in every map."""
    spec, kind = data.path_spec or data, data.type.lower()
    if kind == "count":
        return parse_count_limits(to, data)[0] > 0
    if kind == "border":
        return not data.ban and bool(find_border_cells(to, data).any())
    return kind == "fixedtile" or bool(list_points(spec))


def list_points(spec: PathData) -> list[PointData]:
    """The cells that a path must connect."""
    return [*(spec.end_points or []), *(spec.relevant_cells or [])]


def add_separation(to: Translation, data: ConstraintData) -> None:
    """Require a distance between tiles."""
    tiles = to.tiles_of(data)
    if data.min_distance > 1:
        to.constraints.append(Separation(tiles, data.min_distance))


def add_pair_separation(to: Translation, data: ConstraintData) -> None:
    """Require a distance between two sets of tiles."""
    if not data.tiles1 or not data.tiles2:
        raise FormatError(f"{to.where}: needs 'tiles1' and 'tiles2'")
    first, second = to.name_tiles(data.tiles1), to.name_tiles(data.tiles2)
    if data.min_distance > 1:
        to.constraints.append(PairSeparation(first, second, data.min_distance))


Handler = Callable[[Translation, ConstraintData], None]
HANDLER_OF_TYPE: dict[str, Handler] = {
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
    "maxConsectuive": add_runs,  # misspelled on a page of DeBroglie's documentation
    "mirror": lambda to, data: add_mirror(to, "x"),
    "mirrorX": lambda to, data: add_mirror(to, "x"),
    "mirrorY": lambda to, data: add_mirror(to, "y"),
    "count": add_count,
    "separation": add_separation,
    "pairSeparation": add_pair_separation,
}
SPELLINGS = {name.lower(): name for name in HANDLER_OF_TYPE}
HANDLERS = {name.lower(): handler for name, handler in HANDLER_OF_TYPE.items()}
