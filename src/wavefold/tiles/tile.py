"""A tile: what its author drew, and what its sides show."""

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
# One picture, turned and mirrored as needed; or one for each pattern, never turned; or a function of it.
Art: TypeAlias = "Pixels | tuple[Pixels, ...] | Callable[[Pattern], Pixels]"

Range: TypeAlias = Mapping[str, tuple[float, float]]  # {field: (lowest, highest)}

MOST_LEVELS = 64


@dataclass(frozen=True, slots=True)
class Tile:
    """What the author drew, and what each of its sides shows.

    Attributes
    ----------
    sockets : one word per side, clockwise in the topology's order of directions: north, east, south, west on
        squares; northeast, east, … on hexagons; north, east, south, west, up, down on cubes. If cells point
        several ways, as triangles do, a tile is drawn for those that point the first way. Two sides match if
        their sockets are equal; one that ends in `>` matches only the same with `<`, its mirror image.
        None: neighbour rules, `TileSet(beside=...)`, say what may touch this tile
    weight : how often, compared with others; it counts for each pattern of the tile
    symmetry : "fixed": placed only as drawn. "turned": in every turn. A letter, X I L T \\ or F: turned and
        mirrored like that letter, without those that look the same. Or a list: ("0", "90", "m", "m90"),
        degrees clockwise, `m` for mirrored left to right first
    picture : uint8 [row, column, RGB or RGBA]; or one per pattern; or a function of the Pattern
    levels : how many heights there are; the tile stands at each that keeps its highest side among them
    rises : how far each side lies above the tile's own height; none does, if empty
    apart : may not touch itself, in any orientation, at any height
    limits : {field: (lowest, highest)}: where it may stand, for problems with fields; a list of these: where
        any of them holds. `level` is not a field, but the height the tile stands at
    meets : which sides meet inside, for paths as of `Connected`: (("north", "south"), ("east", "west"))
        for a bridge, under which another way passes. A side in no group meets none; if empty, all meet
    flat_picture : for hexagons: what is drawn in place of `picture` where hexagons are flat-top; if not
        given, `picture` is turned for it
    """

    name: str
    sockets: tuple[str, ...] | None = None
    weight: float = 1.0
    symmetry: SymmetryName | str | Sequence[str | int] = "fixed"
    picture: Art | None = field(default=None, compare=False, repr=False)
    levels: int = 1
    rises: tuple[int, ...] = ()
    apart: bool = False
    limits: Range | Sequence[Range] = field(default_factory=dict, hash=False)
    flat_picture: Art | None = field(default=None, compare=False, repr=False)
    meets: tuple[tuple[str, ...], ...] = ()


class Pattern(NamedTuple):
    """A tile in one orientation, at one height."""

    name: str
    tile: Tile
    orientation: Orientation
    level: int
    sockets: tuple[str, ...] | None  # as turned; "" on a side that its cells lack
    heights: tuple[int, ...]  # of each side
    meets: tuple[int, ...] = ()  # the sides that meet inside, as bits, group by group; empty: all do


def choose_flat_art(tile: Tile) -> Art | None:
    """What to draw on flat-top hexagons: `flat_picture`, or the `flat` of a function that has one."""
    if tile.flat_picture is None and callable(tile.picture):
        found: Art | None = getattr(tile.picture, "flat", None)
        return found
    return tile.flat_picture


def expand_tile(tile: Tile, topology: str) -> Iterator[Pattern]:
    """The tile in each of its orientations, at each of its heights."""
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
    """The groups of sides that meet inside a tile, turned, as bits."""
    return tuple(
        sum(1 << ring.move_side(drawn[list(compass).index(side)], orientation) for side in group)
        for group in tile.meets
    )


def format_suffix(orientation: Orientation, level: int, levels: int, ring: Ring) -> str:
    """What a pattern's name adds to its tile's: `@90`, `@m90`; with levels `@r1l2`; nothing as drawn."""
    if levels == 1:
        return "" if orientation == Orientation() else f"@{ring.spell(orientation)}"
    parts = [
        "m" if orientation.mirrored else "",
        f"r{orientation.turn}" if orientation.turn else "",
        f"l{level}" if level else "",
    ]
    return f"@{''.join(parts)}" if any(parts) else ""


def parse_suffix(text: str, ring: Ring) -> tuple[Orientation, int] | None:
    """Inverse of `format_suffix`, in any spelling: degrees or steps, a level or none; None if invalid."""
    found = re.fullmatch(r"(.*?)(?:l(\d{1,2}))?", text)
    orientation = ring.parse(found[1] or "0") if found and text else None
    return None if orientation is None or found is None else (orientation, int(found[2] or 0))


def flip_socket(socket: Any) -> Any:
    """The socket in the mirror, which is also what it matches: `wall>` and `wall<`, or just the same."""
    if isinstance(socket, str) and socket[-1:] in ("<", ">"):
        return socket[:-1] + ("<" if socket[-1] == ">" else ">")
    return socket


def check_tile(tile: object, compass: tuple[str, ...], topology: str) -> None:
    """Raise for a tile that cannot be used, and say what would fix it."""
    if not isinstance(tile, Tile):
        raise TileSetError(f"a tile set needs tiles such as Tile('road', sockets), not {tile!r}")
    if not isinstance(tile.name, str) or not tile.name or "@" in tile.name:
        raise TileSetError(f"a tile needs a name without '@', not {tile.name!r}")
    if isinstance(tile.weight, bool) or not isinstance(tile.weight, Real):
        raise TileSetError(f"tile {tile.name!r} has weight {tile.weight!r}; it must be a number above 0")
    if tile.sockets is not None:
        check_sockets(tile, compass, topology)
    rises = tile.rises
    if not isinstance(rises, tuple | list) or any(type(each) is not int or each < 0 for each in rises):
        raise TileSetError(f"tile {tile.name!r} needs whole numbers of at least 0 as rises, not {rises!r}")
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
            f"tile {tile.name!r} needs a list of sockets, one for each side, not {tile.sockets!r}"
        ) from None
    if len(sockets) != len(compass):
        raise TileSetError(
            f"tile {tile.name!r} has {len(sockets)} sockets but {topology} cells have "
            f"{len(compass)} sides ({', '.join(compass)})"
        )


def check_meets(tile: Tile, compass: tuple[str, ...]) -> None:
    """Raise unless `meets` is groups of sides, none of them twice."""
    groups = tile.meets
    is_row = isinstance(groups, tuple | list) and all(isinstance(group, tuple | list) for group in groups)
    sides = [side for group in groups for side in group] if is_row else [groups]
    if not is_row or len({*map(str, sides)}) < len(sides) or any(side not in compass for side in sides):
        raise TileSetError(
            f"tile {tile.name!r} has meets={groups!r}; it must be groups of sides, no side twice, such as "
            f'[["{compass[0]}", "{compass[len(compass) // 2]}"]]; its sides are {", ".join(compass)}'
        )


def check_limits(tile: Tile) -> None:
    """Raise for limits that nothing could meet."""
    several = [tile.limits] if isinstance(tile.limits, Mapping) else tile.limits
    is_row = isinstance(several, list | tuple) and len(several) > 0
    if not is_row or not all(isinstance(each, Mapping) for each in several):
        raise TileSetError(
            f"tile {tile.name!r} needs limits as {{field: (low, high)}}, or a list of these, "
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
                "the lowest first"
            )
