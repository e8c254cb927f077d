"""Writes tile sets as TOML. Reading them returns equal tiles, rules, digests and pixels.

The text depends only on the tile set: reading and writing it again gives the same text.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from wavefold.errors import TileSetError
from wavefold.formats.sheet import is_sheet_name
from wavefold.formats.toml.adjacency import are_relations_equal, list_side_groups, make_unique_names
from wavefold.formats.toml.document import (
    FORMAT_VERSION,
    MOST_BYTES,
    MOST_PATTERNS,
    OTHER_SIDES,
    format_key,
    format_value,
)
from wavefold.formats.toml.pictures import (
    OBJECTS_ENDING,
    CollectedPictures,
    collect_pictures,
    format_objects,
    pack_objects,
)
from wavefold.storage.files import check_writable, write_files_atomically
from wavefold.storage.png import encode_png
from wavefold.tiles import LearnedTileSet, Tile, TileSet
from wavefold.tiles.neighbour_rules import to_tuple
from wavefold.topology import list_drawn_directions

FLAT_ENDING = "-flat.png"


def write_toml(tiles: TileSet, path: str | os.PathLike[str]) -> None:
    """Write the file, and its pictures into sheets beside it that have the same name.

    All files are complete before they are renamed, the sheets first, so that readers never see partial files.
    """
    path = Path(path)
    check_writable(path)
    files = encode_toml(tiles, path.name)
    write_files_atomically({path.with_name(name): content for name, content in files.items()})


def encode_toml(tiles: TileSet, name: str) -> dict[str, bytes]:
    """{name: content} of the sheets of a tile set and, as the last entry, the TOML file with this name."""
    check_rules(tiles)
    stem = PurePath(name).stem
    pictures = CollectedPictures([], None) if isinstance(tiles, LearnedTileSet) else collect_pictures(tiles)
    objects = pack_objects(tiles.objects)
    sheets = {
        stem + ".png": pictures.packed and pictures.packed.sheet.pixels,
        stem + FLAT_ENDING: pictures.flat and pictures.flat.sheet.pixels,
        stem + OBJECTS_ENDING: objects and objects.pixels,
    }
    files = {}
    for sheet, pixels in sheets.items():
        if pixels is not None:
            check_sheet_name(name, sheet)
            files[sheet] = encode_png(pixels)
    lines = [
        *format_file(tiles, pictures, stem),
        *format_objects(tiles.objects, objects, stem),
        *format_refine(tiles),
    ]
    return {**files, name: encode_file("\n".join(lines) + "\n")}


def check_rules(tiles: TileSet) -> None:
    """Raise for rules that cannot be written."""
    if tiles.allowed_at is not None:
        raise TileSetError(
            "a tile set with a function allowed_at cannot be saved, because files contain no Python code; "
            "use limits of tiles instead"
        )
    rules = tiles.rules
    if len(rules) > MOST_PATTERNS:
        raise TileSetError(
            f"a file can hold at most {MOST_PATTERNS:,} patterns; the tile set has {len(rules):,}"
        )
    kind = {tile.name: number for number, tile in enumerate(tile for tile in tiles.tiles if tile.apart)}
    kinds = [kind.get(pattern.tile.name, -1) for pattern in tiles.patterns]
    same = rules.names == tuple(pattern.name for pattern in tiles.patterns) and rules.kinds.tolist() == kinds
    if not same or (rules.values is not None and not isinstance(tiles, LearnedTileSet)):
        raise TileSetError(f"{type(tiles).__name__} cannot be saved: its rules do not follow from its tiles")


def check_sheet_name(name: str, sheet: str) -> None:
    """Raise if the name of the sheet is not valid on every system."""
    if not is_sheet_name(sheet):
        raise TileSetError(f"the name of the file, {name!r}, must not contain ':' or '\\'")


def encode_file(text: str) -> bytes:
    """Encode the text as UTF-8; raises if this is impossible, or if the text is too long to be read."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise TileSetError(f"{text[error.start]!r} in a name cannot be saved as UTF-8") from None
    if len(data) > MOST_BYTES:
        raise TileSetError(
            f"the file would have {len(data):,} bytes, but at most {MOST_BYTES:,} can be read; "
            "build tables of so many pairs in code"
        )
    return data


# --- tables -------------------------------------------------------------------------------------


def format_file(tiles: TileSet, pictures: CollectedPictures, stem: str) -> Iterator[str]:
    """The lines before the objects; `stem` is the file name without its ending, for the sheets."""
    levels = Counter(tile.levels for tile in tiles.tiles).most_common(1)[0][0]
    yield from format_pairs(format=FORMAT_VERSION)
    yield from format_pairs(
        name=tiles.name or None, topology=tiles.topology, description=tiles.description or None
    )
    yield from format_pairs(size=tiles.size, order=tiles.order)
    yield from format_pairs(levels=levels if levels > 1 else None)
    if pictures.packed is not None:
        yield "\n[sheet]"
        yield from format_pairs(file=f"{stem}.png", size=pictures.packed.sheet.size)
    if pictures.flat is not None:
        yield "\n[flat_sheet]"
        yield from format_pairs(file=stem + FLAT_ENDING, size=pictures.flat.sheet.size)
    if isinstance(tiles, LearnedTileSet):
        yield from format_learned(tiles)
    else:
        weights = find_own_weights(tiles)
        for tile, art in zip(tiles.tiles, pictures.keys, strict=True):
            yield f"\n[tiles.{format_key(tile.name)}]"
            yield from format_tile(
                tile, list_drawn_directions(tiles.topology), levels, weights.get(tile.name), art
            )
    if tiles.groups:
        yield "\n[groups]"
        yield from (f"{format_key(group)} = {format_value(names)}" for group, names in tiles.groups.items())
    for rule in tiles.beside:
        yield "\n[[beside]]"
        yield from format_pairs(
            here=rule.here, there=rule.there, sides=rule.sides if to_tuple(rule.sides) else None
        )
        yield from format_pairs(allowed=None if rule.allowed else False)
        yield from format_pairs(weight=None if rule.weight is None else float(rule.weight))
    yield from format_constraints(tiles)
    if isinstance(tiles, LearnedTileSet) or needs_list(tiles):
        yield from format_touching(tiles)


def format_tile(
    tile: Tile, compass: Sequence[str], levels: int, weights: list[float] | None, art: dict[str, Any]
) -> Iterator[str]:
    """The keys of a tile, without keys that have their default value."""
    sockets = None if tile.sockets is None else group_by_side(check_sockets(tile), compass)
    yield from format_pairs(
        sockets=sockets, weight=None if tile.weight == 1 else float(tile.weight), weights=weights
    )
    yield from format_pairs(symmetry=None if tile.symmetry == "fixed" else tile.symmetry, **art)
    yield from format_pairs(levels=None if tile.levels == levels else tile.levels)
    yield from format_pairs(
        rises=group_by_side(tile.rises, compass, 0) if tile.rises else None, apart=tile.apart or None
    )
    yield from format_pairs(meets=[list(group) for group in tile.meets] or None)
    if isinstance(tile.limits, Mapping):
        for field, span in tile.limits.items():
            yield f"limits.{format_key(field)} = {format_span(span)}"
    else:
        tables = (
            ", ".join(f"{format_key(field)} = {format_span(each[field])}" for field in each)
            for each in tile.limits
        )
        yield f"limits = [{', '.join(f'{{ {table} }}' for table in tables)}]"


def format_span(span: tuple[float, float]) -> str:
    """The two ends of a range."""
    return format_value([float(each) for each in span])


def format_constraints(tiles: TileSet) -> Iterator[str]:
    """The tables of constraints."""
    if not tiles.constraints:
        return
    from wavefold.constraints.tables import tabulate_constraint  # loads the solver

    for constraint in tiles.constraints:
        yield "\n[[constraints]]"
        yield from format_pairs(**tabulate_constraint(constraint))


def format_learned(tiles: LearnedTileSet) -> Iterator[str]:
    """The settings of learning, and the values of the patterns."""
    yield "\n[learned]"
    yield from format_pairs(n=tiles.n, symmetry=tiles.symmetry, periodic=bool(tiles.periodic))
    yield from format_pairs(ground=tiles.ground_pattern is not None)
    for tile, value in zip(tiles.tiles, tiles.values, strict=True):
        yield f"\n[tiles.{format_key(tile.name)}]"
        yield from format_pairs(weight=None if tile.weight == 1 else float(tile.weight))
        if isinstance(value, tuple) and tile.picture is not None:
            yield from format_pairs(colour="#" + bytes(value).hex())
        elif isinstance(value, str | int | float):  # a picture attached to the value is not written
            yield f"value = {format_value(value) if not isinstance(value, float) else repr(value)}"
        else:
            raise TileSetError(
                f"the value {value!r} cannot be saved; use colours, text, numbers, true or false"
            )


def format_touching(tiles: TileSet) -> Iterator[str]:
    """The allowed pairs, as groups of patterns."""
    names = [format_value(name) for name in make_unique_names(tiles)]

    def names_literal(numbers: list[int]) -> str:
        return names[numbers[0]] if len(numbers) == 1 else f"[{', '.join(names[each] for each in numbers)}]"

    yield "\n[touching]"
    for side, groups in list_side_groups(tiles):
        yield f"{side} = ["
        for here, there in groups:
            yield f"  {{ here = {names_literal(here)}, there = {names_literal(there)} }},"
        yield "]"


def format_refine(tiles: TileSet) -> Iterator[str]:
    """The recommended sweeps and shares, and the calibration."""
    found = tiles.calibration
    if tiles.sweeps is None and found is None and not tiles.shares:
        return
    yield "\n[refine]"
    yield from format_pairs(sweeps=tiles.sweeps)
    if tiles.shares:
        shares = ", ".join(
            f"{format_key(name)} = {format_value(float(share))}" for name, share in tiles.shares.items()
        )
        yield f"shares = {{ {shares} }}"
    if found is None:
        return
    yield from format_pairs(
        digest=found.digest, seeds=found.seeds, rounds=found.rounds, size=found.size or None
    )
    yield "\n[activities]"
    yield from (
        f"{format_key(tile)} = {format_value(float(each))}" for tile, each in found.activities.items()
    )
    if found.reached:
        yield "\n# of each tile: the share of cells that its weight asks for, and the share that came out"
        yield "[reached]"
        yield from (f"{format_key(tile)} = {format_value(pair)}" for tile, pair in found.reached.items())


def needs_list(tiles: TileSet) -> bool:
    """Whether the rules differ from those of the sockets and neighbour rules."""
    try:
        plain = TileSet(tiles.tiles, tiles.topology, beside=tiles.beside, groups=tiles.groups).rules.relations
    except TileSetError:  # too many patterns for a table, but not for a list
        return True
    return not all(map(are_relations_equal, tiles.rules.relations, plain))


def find_own_weights(tiles: TileSet) -> dict[str, list[float]]:
    """{tile: weights of its patterns}, for tiles with patterns whose weight differs from the tile's."""
    found: dict[str, list[float]] = {}
    for pattern, weight in zip(tiles.patterns, tiles.rules.weights.tolist(), strict=True):
        found.setdefault(pattern.tile.name, []).append(weight)
    return {
        tile.name: found[tile.name] for tile in tiles.tiles if set(found[tile.name]) != {float(tile.weight)}
    }


def check_sockets(tile: Tile) -> tuple[Any, ...]:
    """The sockets; raises unless they are words or whole numbers."""
    sockets: tuple[Any, ...] = tuple(tile.sockets or ())
    for socket in sockets:
        if not isinstance(socket, str) and type(socket) is not int:
            raise TileSetError(
                f"tile {tile.name!r} has a socket {socket!r}; only words and whole numbers can be saved"
            )
    return sockets


def group_by_side(values: Sequence[Any], compass: Sequence[str], default: Any = None) -> Any:
    """One value for all sides; a table, if more than half of the values are equal; otherwise a list."""
    common, count = Counter(values).most_common(1)[0]
    if count == len(values):
        return common
    if 2 * count <= len(values):
        return values
    table = {side: value for side, value in zip(compass, values, strict=True) if value != common}
    return table if common == default else table | {OTHER_SIDES: common}


def format_pairs(**values: Any) -> Iterator[str]:
    """A line for each value that is not None."""
    return (f"{name} = {format_value(value)}" for name, value in values.items() if value is not None)
