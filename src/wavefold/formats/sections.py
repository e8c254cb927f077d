"""Tiles and fields as sections of an archive, pins and refining in its header, and back.

The header of an archive has digests of its tiles and fields. A part that is given on opening must match them;
without it, the saved one is taken.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wavefold._version import __version__
from wavefold.errors import ConfigError, FormatError, TileSetError, TileSetWarning, WavefoldError, WorldError
from wavefold.fields import Fields, Noise
from wavefold.fields.expression import (
    MOST_NESTED,
    Absolute,
    Clamped,
    Combined,
    Constant,
    Expression,
    Rescaled,
)
from wavefold.fields.sources import (
    BEYOND,
    ArraySource,
    ExpressionSource,
    PictureSource,
    Source,
    make_read_only,
)
from wavefold.formats.toml.reader import load_toml
from wavefold.formats.toml.writer import encode_toml
from wavefold.options.groups import MOST_SWEEPS
from wavefold.options.values import parse_integer
from wavefold.storage.archive import TILES, Archive, ArchiveKind
from wavefold.storage.files import MemoryFile
from wavefold.storage.parsing import encode_array, parse_array, parse_limited_json
from wavefold.tiles import TileSet

TEXT, SHEET, FLAT_SHEET, OBJECTS = TILES.entries
# For each sheet: its table, and the keys of other tables that name parts of it.
TABLES = {
    SHEET: ("[sheet]", "[tiles.", ("at = ", "model = ")),
    FLAT_SHEET: ("[flat_sheet]", "[tiles.", ("flat_at = ",)),
    OBJECTS: (None, "[objects.", ("picture = ", "cut = ")),
}
TILE_SET = ArchiveKind("wavefold tile set", (TILES,), FormatError)
UNSAVED = "given"  # in place of the digest of fields that contain functions

_encoded: WeakKeyDictionary[TileSet, dict[str, bytes]] = WeakKeyDictionary()


# --- what is saved, and what is given on opening --------------------------------------------------


def encode_parts(
    tiles: TileSet, fields: Fields | None, may_omit: bool = False
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the header's digests of tiles and fields, and their entries.

    may_omit : whether parts that contain Python functions are left out, to be given on opening
    """
    entries: dict[str, bytes] = {}
    digest, omitted = None if fields is None else UNSAVED, (WavefoldError,) if may_omit else ()
    with suppress(*omitted):
        if fields is not None:
            entries |= encode_fields(fields)
            digest = fields.digest
    with suppress(*omitted):
        entries |= encode_tiles_once(tiles)
    return {"tiles": digest_tiles(tiles, fields), "fields": digest}, entries


def expendable_tiles(given: TileSet | None) -> tuple[str, ...]:
    """Return the entries of tiles that may be damaged: the pictures, or all entries if tiles are given."""
    return TILES.entries[1:] if given is None else TILES.entries


def choose_tiles(archive: Archive, given: TileSet | None) -> TileSet:
    """Return the given tiles, or those of an archive. Raises if the archive was made with other tiles."""
    if given is not None and not isinstance(given, TileSet):
        raise TileSetError(f"tiles must be a TileSet such as TileSet.load('pipes'), not {given!r:.80}")
    if given is None and TEXT not in archive.entries:
        raise not_saved_error(archive, "tiles")
    with archive.decoding():
        saved, fields = archive.header["tiles"], archive.header["fields"]
        tiles = decode_tiles(archive.entries) if given is None else given
    if digest_tiles(tiles, fields) != saved:
        message = f"{archive.path} was made with another tile set: the tiles"
        if given is None:
            raise archive.kind.error(f"{message} in it have other rules in wavefold {__version__}")
        raise TileSetError(
            f"{message} given have other rules, names or limits for fields; open it without tiles"
        )
    if archive.lost and given is None:
        warnings.warn(
            f"{archive.path}: the pictures of its tiles are damaged, and it opens without them; nothing else "
            "is lost. Give tiles= with the same rules to have pictures again",
            TileSetWarning,
            stacklevel=4,
        )
    return tiles


def choose_fields(archive: Archive, given: Fields | None) -> Fields | None:
    """Return the given fields, or those of an archive. Raises if the archive was made with other fields."""
    if given is not None and not isinstance(given, Fields):
        raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {given!r:.80}")
    with archive.decoding():
        saved = archive.header["fields"]
        if given is None and saved != UNSAVED:
            return decode_fields(archive.entries)
    if given is None:
        raise not_saved_error(archive, "fields")
    if saved is None:
        raise ConfigError(f"{archive.path} was made without fields; open it without them")
    if saved not in (UNSAVED, digest_fields(given)):
        raise ConfigError(f"{archive.path} was made with other fields; open it without fields to get its own")
    return given


def not_saved_error(archive: Archive, part: str) -> WavefoldError:
    return archive.kind.error(
        f"{archive.path} does not contain the {part}: they contain Python functions, which cannot be saved; "
        f"pass {part}= when you open it"
    )


# --- tiles ----------------------------------------------------------------------------------------


def encode_tiles(tiles: TileSet) -> dict[str, bytes]:
    """Return {entry: bytes}: the text of a tile set, and its tile sheets if it has pictures."""
    files = encode_toml(tiles, TEXT)
    return {name: files[name] for name in TILES.entries if name in files}


def pack_tiles(tiles: TileSet) -> bytes:
    """Encode a tile set as an archive in a zip file."""
    return TILE_SET.create({}, encode_tiles_once(tiles)).pack()


def unpack_tiles(data: bytes, source: Path) -> TileSet:
    """Decode the result of `pack_tiles`. source : the file name in messages"""
    archive = TILE_SET.unpack(data, source)
    with archive.decoding():
        return decode_tiles(archive.entries)


def encode_tiles_once(tiles: TileSet) -> dict[str, bytes]:
    """Return the result of `encode_tiles`, computed once for each tile set: drawing its sheets is slow."""
    if tiles not in _encoded:
        _encoded[tiles] = encode_tiles(tiles)
    return _encoded[tiles]


def decode_tiles(entries: Mapping[str, bytes]) -> TileSet:
    """Decode the result of `encode_tiles`, without the pictures of a missing tile sheet.

    Warnings about the tiles are not repeated: they were given when the tile set was made.
    """
    text = entries[TEXT]
    for sheet in TABLES:
        if sheet not in entries:
            text = remove_pictures(text, sheet)
    return load_toml(MemoryFile.of({**entries, TEXT: text}, TEXT))


def remove_pictures(text: bytes, sheet: str) -> bytes:
    """Remove a sheet and the positions in it from the text of a tile set written by wavefold."""
    sheet_table, others, keys = TABLES[sheet]
    lines, table, skipping = [], "", False
    for line in text.decode().split("\n"):  # other line ends, such as U+2028, may be in names
        if line.startswith("["):
            table = line
        if not line.startswith((" ", "]")):  # not the continuation of a value
            is_picture = table.startswith(others) and line.startswith(keys)
            skipping = table == sheet_table or is_picture
        if not skipping:
            lines.append(line)
    return "\n".join(lines).encode()


def digest_tiles(tiles: TileSet, fields: object) -> str:
    """Return a digest of everything in a tile set that determines maps; of limits only with fields."""
    rules, ground = tiles.rules, getattr(tiles, "ground_pattern", None)
    limits = []
    for tile in tiles.tiles if fields is not None else ():
        ranges = [tile.limits] if isinstance(tile.limits, Mapping) else tile.limits
        for each in ranges:
            limits += [(tile.name, *((name, *map(float, pair)) for name, pair in sorted(each.items())))]
    order = rules.order, None if ground is None else int(ground)
    decisive = repr((rules.digest, [*map(str, rules.names)], order, limits))
    return blake2b(decisive.encode(errors="surrogatepass"), digest_size=16).hexdigest()


# --- pins and refining ----------------------------------------------------------------------------


def encode_pins(pins: Mapping[tuple[int, int], Any]) -> list[Any]:
    """Return [[x, y, name or names]] of required tiles, for JSON."""
    return [
        [*cell, sorted(tile) if isinstance(tile, set | frozenset) else tile] for cell, tile in pins.items()
    ]


def encode_refining(sweeps: int, activities: NDArray[np.int64], **more: Any) -> dict[str, Any]:
    """Return the settings of refining, for JSON; `more` are further ones."""
    return {"sweeps": sweeps, "activities": activities.tolist(), **more}


def decode_refining(settings: Any, patterns: int) -> tuple[int, NDArray[np.int64]]:
    """Return the sweeps and activities in the result of `encode_refining`. Raises ValueError if invalid."""
    sweeps, activities = parse_integer(settings["sweeps"]), np.array(settings["activities"], np.int64)
    if activities.shape != (patterns,) or sweeps is None or not 1 <= sweeps <= MOST_SWEEPS:
        raise ValueError(f"refining with {settings['sweeps']!r} sweeps and {activities.size} activities")
    return sweeps, activities


# --- fields ---------------------------------------------------------------------------------------


def digest_fields(fields: Fields) -> str | None:
    """Return the digest of fields; None if they contain functions."""
    try:
        return fields.digest
    except WavefoldError:
        return None


def encode_fields(fields: Fields) -> dict[str, bytes]:
    """Return {entry: bytes}: one entry with all fields, and one more for each array."""
    data, entries = {}, {}
    for name, source in fields.sources.items():
        data[name] = encode_source(name, source)
        if isinstance(source, ArraySource):
            entries[f"field {name}"] = encode_array(np.asarray(source.array, "<f8"))
    if fields.limits or fields.factors:
        factors = {tile: encode_factor(tile, factor) for tile, factor in fields.factors.items()}
        entries["meaning of fields"] = json.dumps(
            {"limits": dict(fields.limits), "factors": factors}
        ).encode()
    return {"fields": json.dumps(data).encode(), **entries}


def decode_fields(entries: Mapping[str, bytes]) -> Fields | None:
    """Decode the result of `encode_fields`; None if there are no fields."""
    if "fields" not in entries:
        return None
    data = parse_limited_json(entries["fields"])
    fields = Fields(
        **{name: decode_source(each, entries.get(f"field {name}")) for name, each in data.items()}
    )
    meaning = parse_limited_json(entries.get("meaning of fields", b"{}"), infinite=True)
    factors = {tile: decode_factor(factor) for tile, factor in meaning.get("factors", {}).items()}
    return fields.with_limits(meaning.get("limits", {})).with_factors(factors)


def encode_factor(tile: str, factor: Any) -> Any:
    """Encode the factor for the weight of a tile as a number, the name of a field, or a tree of lists."""
    if isinstance(factor, Expression):
        return {"expression": encode_expression(f"factor for {tile}", factor)}
    if callable(factor):
        raise WorldError(
            f"the factor for {tile!r} is a function, which cannot be saved: files cannot contain Python "
            "code; make a field of noise of it, and name that field as the factor"
        )
    return factor


def decode_factor(data: Any) -> Any:
    """Decode the result of `encode_factor`."""
    return decode_expression(data["expression"]) if isinstance(data, dict) else data


def encode_source(name: str, source: Source) -> Any:
    """Encode the kind of a field as plain data; the numbers of an array are a separate entry."""
    if isinstance(source, ExpressionSource):
        return {"expression": encode_expression(name, source.expression)}
    if type(source) in (ArraySource, PictureSource):
        beyond = {} if source.beyond is None else {"beyond": source.beyond}  # type: ignore[attr-defined]
        return {"array": source.kind, **beyond}  # type: ignore[attr-defined]
    raise WorldError(
        f"the field {name!r} is {source!r}, which cannot be saved: files cannot contain Python code; "
        "use noise, or give the values as an array"
    )


def decode_source(data: Any, content: bytes | None) -> Source:
    """Decode the result of `encode_source`; content: the array, if it is one."""
    if "expression" in data:
        return ExpressionSource(decode_expression(data["expression"]))
    array = parse_array(content or b"")
    if array.dtype != np.dtype("<f8") or not np.isfinite(array).all():
        raise ValueError("the array of a field is not of finite numbers")
    beyond = data.get("beyond")
    if beyond is not None and beyond not in BEYOND:
        raise WorldError(
            f"a field continues {beyond!r:.40} outside its array, which this wavefold cannot read"
        )
    kind = PictureSource if data["array"] == PictureSource.kind else ArraySource
    return kind(make_read_only(array.astype(np.float64)), beyond)


def encode_expression(name: str, expression: Expression) -> Any:
    """Encode an expression as a tree of lists, each beginning with the name of its operation."""
    kind = type(expression)
    if kind is Noise:
        return ["noise", asdict(expression)]  # type: ignore[call-overload]
    if isinstance(expression, Constant):
        return ["number", expression.amount]
    if isinstance(expression, Combined):
        sides = (encode_expression(name, side) for side in (expression.left, expression.right))
        return [expression.sign, *sides]
    if isinstance(expression, Clamped | Rescaled):
        verb = "clamp" if isinstance(expression, Clamped) else "rescaled"
        return [verb, encode_expression(name, expression.of), expression.low, expression.high]
    if isinstance(expression, Absolute):
        return ["abs", encode_expression(name, expression.of)]
    raise WorldError(f"field {name!r} cannot be saved: {kind.__name__} is not a built-in expression")


def decode_expression(data: Any, depth_left: int = MOST_NESTED) -> Expression:
    """Decode the result of `encode_expression`. Raises WorldError for other data."""
    if depth_left < 0:
        raise WorldError("a field is nested too deeply")
    depth_left -= 1
    match data:
        case ["noise", dict(given)]:
            return Noise(**given)
        case ["number", amount]:
            return Constant(amount)
        case ["+" | "-" | "*" as sign, left, right]:
            return Combined(sign, decode_expression(left, depth_left), decode_expression(right, depth_left))
        case ["clamp", of, low, high]:
            return Clamped(decode_expression(of, depth_left), low, high)
        case ["rescaled", of, low, high]:
            return Rescaled(decode_expression(of, depth_left), low, high)
        case ["abs", of]:
            return Absolute(decode_expression(of, depth_left))
    raise WorldError(f"a field holds {data!r:.60}, which this wavefold cannot read")
