"""How a tile may be placed: turned, mirrored, or only as it was drawn."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import NamedTuple

from wavefold.errors import TileSetError, suggest


class Orientation(NamedTuple):
    """Mirrored left to right first, if at all; then turned clockwise, in steps from side to side."""

    turn: int = 0
    mirrored: bool = False

    def after(self, first: Orientation, sides: int) -> Orientation:
        """What both do, `first` first."""
        turn = self.turn + (-first.turn if self.mirrored else first.turn)
        return Orientation(turn % sides, self.mirrored != first.mirrored)


class Ring(NamedTuple):
    """The sides of a cell that go round when a tile is turned; any further ones (up, down) stay."""

    sides: int
    axis: int  # mirrored, side s becomes side axis - s

    @property
    def degrees(self) -> int:
        """What one step turns by."""
        return 360 // self.sides

    def moved(self, side: int, orientation: Orientation) -> int:
        """Where a side goes."""
        if side >= self.sides:
            return side
        return ((self.axis - side if orientation.mirrored else side) + orientation.turn) % self.sides

    def everything(self) -> list[Orientation]:
        """Every orientation: turned counter-clockwise as drawn, then clockwise as mirrored.

        The order of variants in the tile sets of mxgmn, so that ours and theirs number alike.
        """
        turned = [Orientation(-turn % self.sides) for turn in range(self.sides)]
        return turned + [Orientation(turn, True) for turn in range(self.sides)]

    def spelled(self, orientation: Orientation) -> str:
        """`90`, `m`, `m90`; `0` as drawn."""
        degrees = orientation.turn * self.degrees
        return f"m{degrees or ''}" if orientation.mirrored else str(degrees)

    def read(self, word: object) -> Orientation | None:
        """The reverse of `spelled`; degrees may also be a number, or be written in steps: `r1`."""
        text = str(word) if isinstance(word, int) and not isinstance(word, bool) else word
        found = re.fullmatch(r"(m?)(?:(r?)(\d{1,3}))?", text) if isinstance(text, str) and text else None
        if found is None:
            return None
        step = 1 if found[2] else self.degrees
        turn, rest = divmod(int(found[3] or 0), step)
        return Orientation(turn, bool(found[1])) if rest == 0 and turn < self.sides else None


RINGS = {"square": Ring(4, 0), "hex": Ring(6, 5), "cube": Ring(4, 0)}


class Symmetry(NamedTuple):
    """The ways a tile is placed, and which of them each orientation looks like."""

    variants: tuple[Orientation, ...]
    variant_of: dict[Orientation, int]


# What leaves a tile of this letter as it is: the letter itself, drawn upright, is the picture to think of.
LETTERS = {
    "X": ((1, False), (0, True)),
    "I": ((-1, False), (0, True)),  # -1 stands for half a turn
    "\\": ((-1, False), (1, True)),
    "L": ((1, True),),
    "T": ((0, True),),
    "F": (),
}
FIXED, TURNED = "fixed", "turned"
WORDS = (*LETTERS, FIXED, TURNED)


def symmetry_of(wish: object, ring: Ring, tile: str) -> Symmetry:
    """What a tile's `symmetry` means: a letter, a word, or a list of orientations."""
    if isinstance(wish, list):
        wish = tuple(wish)
    if isinstance(wish, tuple) and all(isinstance(each, Hashable) for each in wish):
        return listed(wish, ring, tile)
    if not isinstance(wish, str) or wish not in WORDS:
        known = suggest(wish, WORDS) if isinstance(wish, str) else f"one of {', '.join(WORDS)}"
        stop = "" if known.endswith("?") else "."
        raise TileSetError(
            f"tile {tile!r} cannot have symmetry {wish!r}; {known}{stop} "
            "Or list orientations, as ('0', '90', 'm')"
        )
    return named(wish, ring)


@lru_cache
def named(word: str, ring: Ring) -> Symmetry:
    """The symmetry of a letter or word."""
    if word == FIXED:
        return Symmetry((Orientation(),), {Orientation(): 0})
    if word == TURNED:
        return each_its_own(Orientation(turn) for turn in range(ring.sides))
    alike = generated(LETTERS[word], ring)
    variants: list[Orientation] = []
    variant_of: dict[Orientation, int] = {}
    for orientation in ring.everything():
        if orientation not in variant_of:
            variant_of |= {orientation.after(each, ring.sides): len(variants) for each in alike}
            variants.append(orientation)
    return Symmetry(tuple(variants), variant_of)


def generated(letters: Iterable[tuple[int, bool]], ring: Ring) -> list[Orientation]:
    """Everything these orientations give, one after another."""
    basis = [Orientation(ring.sides // 2 if turn < 0 else turn, mirrored) for turn, mirrored in letters]
    found = [Orientation()]
    for each in found:  # grows as it goes
        for more in (step.after(each, ring.sides) for step in basis):
            if more not in found:
                found.append(more)
    return found


def listed(words: tuple[object, ...], ring: Ring, tile: str) -> Symmetry:
    """Orientations one by one, as the author lists them."""
    found = [ring.read(word) for word in words]
    for word, orientation in zip(words, found, strict=True):
        if orientation is None:
            raise TileSetError(
                f"tile {tile!r} cannot be placed {word!r}; turns are multiples of {ring.degrees} below 360, "
                f"'m' is mirrored, 'm{ring.degrees}' mirrored and then turned"
            )
    if not found or len(set(found)) != len(found):
        raise TileSetError(f"tile {tile!r} must list each of its orientations once, not {words!r}")
    return each_its_own(each for each in found if each is not None)


def each_its_own(orientations: Iterable[Orientation]) -> Symmetry:
    variants = tuple(orientations)
    return Symmetry(variants, {each: number for number, each in enumerate(variants)})
