"""Orientations of tiles, and symmetries: the sets of orientations in which a tile is placed."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from wavefold.errors import TileSetError, suggest
from wavefold.topology import get_lattice_class


class Orientation(NamedTuple):
    """A rotation clockwise, in steps from side to side; before it, the tile may be mirrored left to right."""

    turn: int = 0
    mirrored: bool = False

    def after(self, first: Orientation, sides: int) -> Orientation:
        """The orientation that results from `first`, followed by this one."""
        turn = self.turn + (-first.turn if self.mirrored else first.turn)
        return Orientation(turn % sides, self.mirrored != first.mirrored)


class Ring(NamedTuple):
    """The sides of a cell that rotate with a tile; further sides (up, down) stay."""

    sides: int
    axis: int  # mirroring moves side s to side axis - s
    step: int = 1  # the smallest rotation that maps the sides of a cell to themselves; 2 for triangles

    @property
    def degrees(self) -> int:
        """The angle of one step."""
        return 360 // self.sides

    def move_side(self, side: int, orientation: Orientation) -> int:
        """The side to which an orientation moves this side."""
        if side >= self.sides:
            return side
        return ((self.axis - side if orientation.mirrored else side) + orientation.turn) % self.sides

    def read_letter(self, letter: str) -> list[Orientation]:
        """The orientations in which a tile of this letter looks as drawn."""
        moves = LETTER_MOVES[letter]
        return [Orientation(self.sides // 2 if turn < 0 else turn * self.step, flip) for turn, flip in moves]

    def list_orientations(self) -> list[Orientation]:
        """All orientations: the rotations counter-clockwise, then the mirrored ones clockwise.

        This is the order of variants in mxgmn's tile sets, so that patterns have the same numbers.
        """
        turned = [Orientation(-turn % self.sides) for turn in range(self.sides)]
        return turned + [Orientation(turn, True) for turn in range(self.sides)]

    def spell(self, orientation: Orientation) -> str:
        """Write an orientation as `0`, `90`, `m` or `m90`."""
        degrees = orientation.turn * self.degrees
        return f"m{degrees or ''}" if orientation.mirrored else str(degrees)

    def parse(self, word: object) -> Orientation | None:
        """Inverse of `spell`; None if invalid. An int is in degrees; `r1` is in steps."""
        text = str(word) if isinstance(word, int) and not isinstance(word, bool) else word
        found = re.fullmatch(r"(m?)(?:(r?)(\d{1,3}))?", text) if isinstance(text, str) and text else None
        if found is None:
            return None
        step = 1 if found[2] else self.degrees
        turn, rest = divmod(int(found[3] or 0), step)
        return Orientation(turn, bool(found[1])) if rest == 0 and turn < self.sides else None


@cache
def get_ring(topology: str) -> Ring:
    """The ring of sides of a kind of lattice, such as "square"."""
    grid = get_lattice_class(topology)
    ring = Ring(grid.turning_sides, grid.mirror_axis)
    drawn = set(grid.drawn_sides())
    turns = (
        turn
        for turn in range(1, ring.sides)
        if {ring.move_side(s, Orientation(turn)) for s in drawn} == drawn
    )
    return ring._replace(step=next(turns, ring.sides))


class Symmetry(NamedTuple):
    """The distinct orientations of a tile."""

    variants: tuple[Orientation, ...]
    variant_of: dict[Orientation, int]  # the variant that looks the same in this orientation


# Generators of the orientations (steps, mirrored) in which the upright letter looks the same.
LETTER_MOVES = {
    "X": ((1, False), (0, True)),
    "I": ((-1, False), (0, True)),  # -1: half a turn
    "\\": ((-1, False), (1, True)),
    "L": ((1, True),),
    "T": ((0, True),),
    "F": (),
}
FIXED, TURNED = "fixed", "turned"
SYMMETRY_WORDS = (*LETTER_MOVES, FIXED, TURNED)


def parse_symmetry(symmetry: object, ring: Ring, tile: str) -> Symmetry:
    """Parse the `symmetry` of a tile: a letter, a word, or a list of orientations."""
    if isinstance(symmetry, list):
        symmetry = tuple(symmetry)
    if isinstance(symmetry, tuple) and all(isinstance(each, Hashable) for each in symmetry):
        return parse_orientations(symmetry, ring, tile)
    if not isinstance(symmetry, str) or symmetry not in SYMMETRY_WORDS:
        known = (
            suggest(symmetry, SYMMETRY_WORDS)
            if isinstance(symmetry, str)
            else f"one of {', '.join(SYMMETRY_WORDS)}"
        )
        stop = "" if known.endswith("?") else "."
        raise TileSetError(
            f"tile {tile!r}: unknown symmetry {symmetry!r}; {known}{stop} "
            "Or list orientations, such as ('0', '90', 'm')"
        )
    if symmetry in LETTER_MOVES and any(move.turn % ring.step for move in ring.read_letter(symmetry)):
        raise TileSetError(
            f"tile {tile!r} cannot have symmetry {symmetry!r}: after half a turn its cell "
            "points another way; use X, L, T or F, or list orientations"
        )
    return look_up_symmetry(symmetry, ring)


@lru_cache
def look_up_symmetry(word: str, ring: Ring) -> Symmetry:
    """The symmetry of a letter or word."""
    if word == FIXED:
        return Symmetry((Orientation(),), {Orientation(): 0})
    if word == TURNED:
        return build_symmetry(Orientation(turn) for turn in range(ring.sides))
    alike = generate_group(ring.read_letter(word), ring)
    variants: list[Orientation] = []
    variant_of: dict[Orientation, int] = {}
    for orientation in ring.list_orientations():
        if orientation not in variant_of:
            variant_of |= {orientation.after(each, ring.sides): len(variants) for each in alike}
            variants.append(orientation)
    return Symmetry(tuple(variants), variant_of)


def generate_group(basis: Sequence[Orientation], ring: Ring) -> list[Orientation]:
    """All orientations that combinations of these give."""
    found = [Orientation()]
    for each in found:  # the loop extends the list
        for more in (step.after(each, ring.sides) for step in basis):
            if more not in found:
                found.append(more)
    return found


def parse_orientations(words: tuple[object, ...], ring: Ring, tile: str) -> Symmetry:
    """Parse a list of orientations."""
    found = [ring.parse(word) for word in words]
    for word, orientation in zip(words, found, strict=True):
        if orientation is None:
            raise TileSetError(
                f"tile {tile!r}: unknown orientation {word!r}; rotations are multiples of {ring.degrees} "
                f"below 360, 'm' is mirrored, 'm{ring.degrees}' mirrored and then rotated"
            )
    if not found or len(set(found)) != len(found):
        raise TileSetError(f"tile {tile!r}: list at least one orientation, and none twice, not {words!r}")
    return build_symmetry(each for each in found if each is not None)


def build_symmetry(orientations: Iterable[Orientation]) -> Symmetry:
    """The symmetry of a tile that looks different in each of these orientations."""
    variants = tuple(orientations)
    return Symmetry(variants, {each: number for number, each in enumerate(variants)})
