"""Tiles, their patterns, and checks of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.options.names import SymmetryName
from wavefold.tiles.orientation import Orientation, Ring, get_ring, parse_symmetry
from wavefold.topology import get_lattice_class, list_drawn_directions

Pixels: TypeAlias = NDArray[np.uint8]  # [row, column, RGB or RGBA]
# One picture that is rotated and mirrored as needed; one picture per pattern; or a function of the pattern.
Art: TypeAlias = "Pixels | tuple[Pixels, ...] | Callable[[Pattern], Pixels]"

FieldLimits: TypeAlias = Mapping[str, tuple[float, float]]  # {field: (lowest, highest)}, both included

MOST_LEVELS = 64


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile, with its sockets, symmetry and picture.

    Attributes
    ----------
    sockets : one word per side, clockwise in the topology's order of directions: north, east, south, west on
        squares; northeast, east, … on hexagons; north, east, south, west, up, down on cubes. Two sides match
        if their sockets are equal. `wall>` matches only `wall<`, its mirror image. If cells point several
        ways, like triangles, the sockets are those of a cell that points the first way. None: the neighbour
        rules of the tile set (`beside`) define what may touch this tile
    weight : the relative frequency of each pattern of the tile
    symmetry : "fixed": only as drawn. "turned": in all rotations. A letter, X I L T \\ or F: the distinct
        rotations and mirror images of that letter. Or a list of orientations: ("0", "90", "m", "m90"),
        degrees clockwise, `m` for mirrored left to right before the rotation
    picture : uint8 [row, column, RGB or RGBA]; a tuple with one picture per pattern; or a function of the
        Pattern
    levels : the number of heights. The tile has a pattern at each height at which its highest side is still
        within this range
    rises : how far each side lies above the tile's own height; by default 0
    apart : whether the tile may not touch itself, in any orientation and at any height
    limits : {field: (lowest, highest)}: where the tile may stand, in problems with fields. One of several
        such dicts must hold. The name `level` stands for the height of the pattern
    meets : groups of sides that are joined inside the tile, for paths (see `Connected`): (("north", "south"),
        ("east", "west")) for a bridge. A side in no group is joined with no other; by default all are joined
    flat_picture : the picture for flat-top hexagons; by default `picture`, rotated
    """

    name: str
    sockets: tuple[str, ...] | None = None
    weight: float = 1.0
    symmetry: SymmetryName | str | Sequence[str | int] = "fixed"
    picture: Art | None = field(default=None, compare=False, repr=False)
    levels: int = 1
    rises: tuple[int, ...] = ()
    apart: bool = False
    limits: FieldLimits | Sequence[FieldLimits] = field(default_factory=dict, hash=False)
    flat_picture: Art | None = field(default=None, compare=False, repr=False)
    meets: tuple[tuple[str, ...], ...] = ()


class Pattern(NamedTuple):
    """A tile in one orientation, at one height."""

    name: str
    tile: Tile
    orientation: Orientation
    level: int
    sockets: tuple[str, ...] | None  # [side] after rotation; "" on sides that the cell does not have
    heights: tuple[int, ...]  # [side]
    meets: tuple[int, ...] = ()  # groups of sides that are joined inside, as bits; empty: all sides


def choose_flat_art(tile: Tile) -> Art | None:
    """The picture for flat-top hexagons: `flat_picture`, or the attribute `flat` of a picture function."""
    if tile.flat_picture is None and callable(tile.picture):
        found: Art | None = getattr(tile.picture, "flat", None)
        return found
    return tile.flat_picture


def expand_tile(tile: Tile, topology: str) -> Iterator[Pattern]:
    """Yield the patterns of a tile: each of its orientations at each of its heights."""
    ring, grid = get_ring(topology), get_lattice_class(topology)
    drawn, sides = grid.drawn_sides(), range(len(grid.steps))
    rises = tile.rises or (0,) * len(drawn)
    for orientation in parse_symmetry(tile.symmetry, ring, tile.name).variants:
        drawn_at = {ring.move_side(side, orientation): place for place, side in enumerate(drawn)}
        sockets = tile.sockets
        if sockets is not None:
            sockets = tuple(sockets[drawn_at[side]] if side in drawn_at else "" for side in sides)
            if orientation.mirrored:
                sockets = tuple(flip_socket(each) for each in sockets[: ring.sides]) + sockets[ring.sides :]
        meets = turn_groups(tile, list_drawn_directions(topology), drawn, orientation, ring)
        above = [rises[drawn_at[side]] if side in drawn_at else 0 for side in sides]
        for level in range(tile.levels - max(rises)):
            heights = tuple(level + rise for rise in above)
            yield Pattern(
                tile.name + format_suffix(orientation, level, tile.levels, ring),
                tile,
                orientation,
                level,
                sockets,
                heights,
                meets,
            )


def turn_groups(
    tile: Tile, compass: Sequence[str], drawn: Sequence[int], orientation: Orientation, ring: Ring
) -> tuple[int, ...]:
    """The groups of `Tile.meets` in this orientation, as bits."""
    return tuple(
        sum(1 << ring.move_side(drawn[list(compass).index(side)], orientation) for side in group)
        for group in tile.meets
    )


def format_suffix(orientation: Orientation, level: int, levels: int, ring: Ring) -> str:
    """The suffix of a pattern's name: `@90` or `@m90`, with levels `@r1l2`; empty for the tile as drawn."""
    if levels == 1:
        return "" if orientation == Orientation() else f"@{ring.spell(orientation)}"
    parts = [
        "m" if orientation.mirrored else "",
        f"r{orientation.turn}" if orientation.turn else "",
        f"l{level}" if level else "",
    ]
    return f"@{''.join(parts)}" if any(parts) else ""


def parse_suffix(text: str, ring: Ring) -> tuple[Orientation, int] | None:
    """Inverse of `format_suffix`; None if invalid. Rotations may be written in degrees or in steps."""
    found = re.fullmatch(r"(.*?)(?:l(\d{1,2}))?", text)
    orientation = ring.parse(found[1] or "0") if found and text else None
    return None if orientation is None or found is None else (orientation, int(found[2] or 0))


def flip_socket(socket: Any) -> Any:
    """The mirror image of a socket, which is also the socket it matches: `wall<` for `wall>`."""
    if isinstance(socket, str) and socket[-1:] in ("<", ">"):
        return socket[:-1] + ("<" if socket[-1] == ">" else ">")
    return socket


def check_tile(tile: object, compass: tuple[str, ...], topology: str) -> None:
    """Raise TileSetError if a tile is invalid."""
    if not isinstance(tile, Tile):
        raise TileSetError(f"a tile set needs tiles such as Tile('road', sockets), not {tile!r}")
    if not isinstance(tile.name, str) or not tile.name or "@" in tile.name:
        raise TileSetError(f"the name of a tile must be text without '@', not {tile.name!r}")
    if isinstance(tile.weight, bool) or not isinstance(tile.weight, Real):
        raise TileSetError(f"tile {tile.name!r} has weight {tile.weight!r}; it must be a number above 0")
    if tile.sockets is not None:
        check_sockets(tile, compass, topology)
    rises = tile.rises
    if not isinstance(rises, tuple | list) or any(type(each) is not int or each < 0 for each in rises):
        raise TileSetError(f"tile {tile.name!r}: rises must be whole numbers of at least 0, not {rises!r}")
    if rises and len(rises) != len(compass):
        raise TileSetError(
            f"tile {tile.name!r} has {len(rises)} rises but {topology} cells have {len(compass)} sides "
            f"({', '.join(compass)})"
        )
    if not isinstance(tile.apart, bool):
        raise TileSetError(f"tile {tile.name!r} has apart={tile.apart!r}; it must be True or False")
    check_meets(tile, compass)
    highest = max(rises, default=0)
    if type(tile.levels) is not int or not highest < tile.levels <= MOST_LEVELS:
        raise TileSetError(
            f"tile {tile.name!r} has levels={tile.levels!r}; it must be a whole number from {highest + 1} "
            f"(a side rises by {highest}) to {MOST_LEVELS}"
        )
    check_limits(tile)


def check_sockets(tile: Tile, compass: tuple[str, ...], topology: str) -> None:
    """Raise unless a tile has one hashable socket per side."""
    try:
        sockets = tuple(tile.sockets or ())
        hash(sockets)
    except TypeError:
        raise TileSetError(
            f"tile {tile.name!r}: sockets must be a list with one socket per side, not {tile.sockets!r}"
        ) from None
    if len(sockets) != len(compass):
        raise TileSetError(
            f"tile {tile.name!r} has {len(sockets)} sockets but {topology} cells have "
            f"{len(compass)} sides ({', '.join(compass)})"
        )


def check_meets(tile: Tile, compass: tuple[str, ...]) -> None:
    """Raise unless `meets` consists of groups of sides and lists no side twice."""
    groups = tile.meets
    is_row = isinstance(groups, tuple | list) and all(isinstance(group, tuple | list) for group in groups)
    sides = [side for group in groups for side in group] if is_row else [groups]
    if not is_row or len({*map(str, sides)}) < len(sides) or any(side not in compass for side in sides):
        raise TileSetError(
            f"tile {tile.name!r} has meets={groups!r}; it must list each side at most once, in groups "
            f'such as [["{compass[0]}", "{compass[len(compass) // 2]}"]]; the sides are {", ".join(compass)}'
        )


def check_limits(tile: Tile) -> None:
    """Raise unless the limits of a tile are ranges of numbers."""
    several = [tile.limits] if isinstance(tile.limits, Mapping) else tile.limits
    is_row = isinstance(several, list | tuple) and len(several) > 0
    if not is_row or not all(isinstance(each, Mapping) for each in several):
        raise TileSetError(
            f"tile {tile.name!r}: limits must be {{field: (low, high)}}, or a list of these, "
            f"not {tile.limits!r}"
        )
    for name, pair in [pair for each in several for pair in each.items()]:
        try:
            low, high = (float(each) for each in pair)
        except (TypeError, ValueError, OverflowError):
            low, high = 1.0, 0.0
        if not (isinstance(name, str) and low <= high):
            raise TileSetError(
                f"tile {tile.name!r} has limits {pair!r} for field {name!r}; they must be two numbers, "
                "the lower one first"
            )
