"""Names of tiles and directions in DeBroglie configurations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from wavefold.errors import FormatError, suggest
from wavefold.formats.debroglie.document import ConfigDocument, Reference
from wavefold.formats.debroglie.rotations import GENERATED, TREATMENTS, UNCHANGED, PlacedName, Rotations
from wavefold.formats.debroglie.sources import ConfigSource
from wavefold.options.values import parse_colour
from wavefold.tiles import Orientation, TileSet

DIRECTIONS = {
    "x+": "east", "xplus": "east", "0": "east", "x-": "west", "xminus": "west", "1": "west",
    "y+": "south", "yplus": "south", "2": "south", "y-": "north", "yminus": "north", "3": "north",
    "z+": "up", "zplus": "up", "4": "up", "z-": "down", "zminus": "down", "5": "down",
}  # fmt: skip


class Model(NamedTuple):
    """The tiles of a configuration, and their names in pins and constraints.

    tiles : the tile set
    meant : {tile: name of one pattern, or the value of several}
    """

    tiles: TileSet
    meant: dict[PlacedName, Any]


def make_title(document: ConfigDocument) -> str:
    """The title of the tile set: the name of the output file, without folder and ending."""
    return PurePosixPath(document.dest or document.src or "").stem


def parse_direction(text: str | int, where: str) -> str:
    """The side of a cell that a direction such as `x+` or `xplus` means."""
    found = DIRECTIONS.get(str(text).strip().lower())
    if found is None:
        raise FormatError(f"{where}: {text!r} is not a direction such as 'x+' or 'xplus'")
    return found


def parse_reference(reference: Reference, source: ConfigSource, where: str) -> PlacedName:
    """Parse a tile: `wall!90` is turned by 90 degrees clockwise, `wall!x90` is first mirrored."""
    name, mark, turn = str(reference).partition("!")
    found = re.fullmatch(r"(x?)(-?\d{1,3})", turn)
    if mark and (found is None or int(found[2]) % 90):
        raise FormatError(f"{where}: {reference!r} is not a tile, such as 'wall!90' or 'wall!x180'")
    name = source.names.get(name, name)
    if source.coloured:
        colour = parse_colour(name)
        if colour is None:
            raise FormatError(f"{where}: {name!r} is not a colour, such as '#70ac52'")
        opaque = len(colour) == 3 or colour[3] == 255
        name = f"#{(colour[:3] if opaque else colour).hex()}"
    if found is None:
        return PlacedName(name)
    return PlacedName(name, Orientation(int(found[2]) // 90 % 4, bool(found[1])))


def check_known(name: str, known: Iterable[str], where: str) -> None:
    """Raise for a tile that is not in the model."""
    listed = list(known)
    if name not in listed:
        raise FormatError(f"{where}: there is no tile {name!r}; {suggest(name, listed)}")


def read_rotations(document: ConfigDocument, source: ConfigSource, where: str) -> Rotations:
    """The turns in use, and their effect on tiles."""
    rotational, reflectional = document.rotational_symmetry, document.reflectional_symmetry
    if document.symmetry is not None:
        even = document.symmetry % 2 == 0
        rotational = (
            (document.symmetry // 2 if even else document.symmetry) if rotational is None else rotational
        )
        reflectional = even if reflectional is None else reflectional
    treatment = parse_treatment(document.rotation_treatment, where) or UNCHANGED
    rotations = Rotations(source.kind, rotational or 1, bool(reflectional), treatment, where)
    for index, tile in enumerate(document.tiles):
        if tile.value is None:
            continue
        here = f"{where}, tiles[{index}]"
        name = parse_reference(tile.value, source, here).name
        rotations.where = here
        if tile.tile_symmetry is not None:
            rotations.add_symmetry(name, tile.tile_symmetry)
        half = Orientation(rotations.sides // 2, True)
        moves = {
            "reflectX": (tile.reflect_x, Orientation(0, True)),
            "reflectY": (tile.reflect_y, half),
            "rotateCw": (tile.rotate_cw, rotations.smallest),
            "rotateCcw": (tile.rotate_ccw, rotations.inverse(rotations.smallest)),
        }
        for why, (other, move) in moves.items():
            if other is not None:
                rotations.relate(name, move, parse_reference(other, source, here).name, why)
        rotations.family(name).treatment = (
            parse_treatment(tile.rotation_treatment, here) or rotations.family(name).treatment
        )
    rotations.where = where
    return rotations


def parse_treatment(text: str | None, where: str) -> str | None:
    """The default treatment of turned tiles: unchanged, missing or generated."""
    if text is None:
        return None
    word = {"generate": GENERATED}.get(text.lower(), text.lower())
    if word not in TREATMENTS:
        raise FormatError(f"{where}: rotationTreatment {text!r} is not one of {', '.join(TREATMENTS)}")
    return word


def parse_factor(value: float | str, where: str) -> float:
    """A factor on a frequency: a number, or a percentage as text."""
    text = str(value).strip()
    try:
        factor = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        factor = -1.0
    if not 0 < factor < inf:
        shown = repr(value) if isinstance(value, str) else f"{value:g}"
        raise FormatError(
            f"{where}: multiplyFrequency {shown} is not a number above 0, such as 0.5 or '50%'; "
            "to exclude a tile, use a count of exactly 0"
        )
    return factor


def check_frequencies(frequencies: Iterable[float], where: str) -> None:
    """Raise if factors, or their product, are too small or too large."""
    if not all(0 < each < inf for each in frequencies):
        raise FormatError(
            f"{where}, tiles: multiplyFrequency makes a frequency 0 or infinite; use factors nearer to 1"
        )
