"""Objects that are placed on tiles, such as trees and chests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, suggest
from wavefold.options.values import parse_colour, parse_integer
from wavefold.tiles.groups import WILDCARDS
from wavefold.tiles.rules import Rules
from wavefold.tiles.tile import Pixels
from wavefold.topology.base import set_frozen

LARGEST_APART = 32
LARGEST_SIZE_CELLS = 16.0
MOST_OBJECTS = 256


@dataclass(frozen=True, slots=True)
class MapObject:
    """An object that stands on tiles, such as a tree or a chest. A cell holds at most one.

    Attributes
    ----------
    on : the tiles it may stand on: tiles, patterns, groups, or wildcards (`*`, `?`, `[…]`)
    density : the probability per such cell, before `apart` removes some objects
    apart : the smallest distance, in steps, between objects of the same name; 1: they may be neighbours
    picture : uint8 [row, column, RGB or RGBA], of any size; without a picture, a mark is drawn
    colour : the colour of the mark; by default each object has a different one
    size : the width in cells; by default the pixels are as large as those of the tiles
    anchor : the point of the picture that is placed at the object's position, as shares of its width and
        height: (0.5, 0.5) is the middle, (0.5, 1) the middle of the lower edge
    jitter : the largest random offset of the position from the middle of the cell, in cells: 0 to 0.5
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
            raise TileSetError(f"the name of an object must be text, not {self.name!r}")
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
        if apart is None or not 1 <= apart <= LARGEST_APART:
            self._refuse("apart", f"a whole number of steps from 1 to {LARGEST_APART}")
        if self.colour is not None and (
            not isinstance(self.colour, str) or parse_colour(self.colour) is None
        ):
            self._refuse("colour", 'a colour such as "#70ac52" or "olive"')
        if self.size is not None and (not is_number(self.size, 0, LARGEST_SIZE_CELLS) or self.size == 0):
            self._refuse("size", f"a number of cells above 0, up to {LARGEST_SIZE_CELLS:g}")
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
        """The patterns it may stand on, in order. Raises TileSetError for an unknown name."""
        found = [each for name in self.on for each in self._find(name, rules)]
        return np.unique(np.concatenate(found))

    def _find(self, name: str, rules: Rules) -> list[NDArray[np.int64]]:
        """The arrays of patterns for one entry of `on`."""
        if any(sign in name for sign in WILDCARDS) and name not in rules.patterns_by_name:
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
    """Whether a value is a number in this range; True and False are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and lowest <= value <= highest


def check_objects(objects: Any, rules: Rules) -> tuple[MapObject, ...]:
    """Return the objects of a tile set as a tuple.

    Raises TileSetError for other values, duplicate names and unknown tiles. `rules` needs tiles and groups,
    but no relations.
    """
    if not isinstance(objects, Iterable):
        raise TileSetError(f"objects must be a list such as [MapObject('oak', 'forest')], not {objects!r}")
    found = tuple(objects)
    if len(found) > MOST_OBJECTS:
        raise TileSetError(f"there are {len(found):,} objects; a tile set can have at most {MOST_OBJECTS}")
    seen: set[str] = set()
    for each in found:
        if not isinstance(each, MapObject):
            raise TileSetError(f"an object must be a MapObject('oak', 'forest'), not {each!r}")
        if each.name in seen:
            raise TileSetError(f"two objects are called {each.name!r}; names must differ")
        seen.add(each.name)
        each.patterns(rules)
    return found
