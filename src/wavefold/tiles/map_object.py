"""A kind of object placed on tiles, such as trees and chests: where it may stand, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.options.values import parse_colour, parse_integer
from wavefold.tiles.rules import Rules
from wavefold.tiles.tile import Pixels
from wavefold.tiles.tileset_arguments import WILD
from wavefold.topology.base import set_frozen

MOST_APART = 32
LARGEST = 16.0  # cells across
MOST_OBJECTS = 256


@dataclass(frozen=True, slots=True)
class MapObject:
    """What stands on tiles: trees, houses, chests, monsters. A cell has one object at most.

    Attributes
    ----------
    on : the tiles it stands on: names of tiles, patterns or groups, or `*`, `?` and `[…]` for any letters of
        a tile's name
    density : the chance of each such cell, before `apart` takes some away
    apart : the fewest steps from one to the next of the same name; 1: they may stand side by side
    picture : uint8 [row, column, RGB or RGBA], of any size; without one, a mark is drawn
    colour : of that mark; by default each object has another
    size : how many cells wide it is drawn; by default its pixels are as large as those of the tiles
    anchor : the point of the picture that lies where the object stands, as shares of its width and height:
        (0.5, 0.5) is its middle, (0.5, 1) the middle of its lower edge
    jitter : how far from the middle of its cell it may stand, in cells, in each direction: 0 to 0.5
    """

    name: str
    on: str | Sequence[str]
    density: float = 0.1
    apart: int = 1
    picture: Pixels | None = field(default=None, compare=False, repr=False)
    colour: str | None = None
    size: float | None = None
    anchor: tuple[float, float] = (0.5, 0.5)
    jitter: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise TileSetError(f"an object needs a name, not {self.name!r}")
        named = (self.on,) if isinstance(self.on, str) else self.on
        if (
            not isinstance(named, tuple | list)
            or not named
            or not all(isinstance(each, str) for each in named)
        ):
            self._refuse("on", "tiles such as ['forest', 'coast-*']")
        set_frozen(self, on=tuple(named))
        if not is_number(self.density, 0, 1):
            self._refuse("density", "a number from 0 to 1")
        apart = parse_integer(self.apart)
        if apart is None or not 1 <= apart <= MOST_APART:
            self._refuse("apart", f"a whole number of steps from 1 to {MOST_APART}")
        if self.colour is not None and (
            not isinstance(self.colour, str) or parse_colour(self.colour) is None
        ):
            self._refuse("colour", 'a colour such as "#70ac52" or "olive"')
        if self.size is not None and (not is_number(self.size, 0, LARGEST) or self.size == 0):
            self._refuse("size", f"a number of cells above 0, up to {LARGEST:g}")
        anchor = self.anchor
        if (
            not isinstance(anchor, tuple | list)
            or len(anchor) != 2
            or not all(is_number(each, 0, 1) for each in anchor)
        ):
            self._refuse("anchor", "two numbers from 0 to 1 such as (0.5, 1)")
        set_frozen(self, anchor=(float(anchor[0]), float(anchor[1])))
        if not is_number(self.jitter, 0, 0.5):
            self._refuse("jitter", "a number of cells from 0 to 0.5")
        self._check_picture()

    def _check_picture(self) -> None:
        if self.picture is None:
            return
        array = np.asarray(self.picture)
        if array.dtype != np.uint8 or array.ndim != 3 or array.shape[-1] not in (3, 4) or 0 in array.shape:
            raise TileSetError(
                f"the picture of object {self.name!r} is {array.dtype} {array.shape}; "
                "it must be uint8 [row, column, RGB or RGBA]"
            )

    def _refuse(self, key: str, expected: str) -> None:
        raise TileSetError(f"object {self.name!r} has {key}={getattr(self, key)!r}; it must be {expected}")

    def patterns(self, rules: Rules) -> NDArray[np.int64]:
        """The patterns it stands on, in order; raises for an unknown name, with the nearest known one."""
        found = [each for name in self.on for each in self._find(name, rules)]
        return np.unique(np.concatenate(found))

    def _find(self, name: str, rules: Rules) -> list[NDArray[np.int64]]:
        """The patterns of one entry of `on`."""
        if any(sign in name for sign in WILD) and name not in rules.patterns_by_name:
            matching = [rules.patterns(tile) for tile in rules.tiles if fnmatchcase(tile, name)]
            if not matching:
                raise TileSetError(
                    f"object {self.name!r}: no tile matches {name!r}; {suggest(name, rules.tiles)}"
                )
            return matching
        try:
            return [rules.patterns(name)]
        except TileSetError as error:
            raise TileSetError(f"object {self.name!r}: {error}") from None


def is_number(value: object, lowest: float, highest: float) -> bool:
    """Whether this is a number in this range; True is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and lowest <= value <= highest


def check_objects(objects: Any, rules: Rules) -> tuple[MapObject, ...]:
    """The objects of a tile set; raises for what is none, for a name twice, and for unknown tiles.

    `rules` have the tiles and groups; they need no relations.
    """
    if not isinstance(objects, Iterable):
        raise TileSetError(f"objects are given as [MapObject('oak', 'forest')], not {objects!r}")
    found = tuple(objects)
    if len(found) > MOST_OBJECTS:
        raise TileSetError(f"there are {len(found):,} objects; a tile set has at most {MOST_OBJECTS}")
    seen: set[str] = set()
    for each in found:
        if not isinstance(each, MapObject):
            raise TileSetError(f"objects are given as [MapObject('oak', 'forest')], not {each!r}")
        if each.name in seen:
            raise TileSetError(f"two objects are called {each.name!r}; names must differ")
        seen.add(each.name)
        each.patterns(rules)
    return found
