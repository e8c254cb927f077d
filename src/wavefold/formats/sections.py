"""Tile sets and fields as bytes, for files that contain them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import blake2b
from io import BytesIO
from typing import Any

import numpy as np

from wavefold.errors import WorldError
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
from wavefold.fields.sources import BEYOND, ArraySource, ExpressionSource, PictureSource, Source, freeze
from wavefold.formats.toml.reader import load_toml
from wavefold.formats.toml.writer import encode_toml
from wavefold.storage.files import MemoryFile
from wavefold.storage.sections import TILES, parse_array, parse_limited_json
from wavefold.tiles import TileSet

TEXT, SHEET, FLAT_SHEET, OBJECTS = TILES.entries
# For each sheet: its table, and the keys of other tables that name parts of it.
TABLES = {
    SHEET: ("[sheet]", "[tiles.", ("at = ", "model = ")),
    FLAT_SHEET: ("[flat_sheet]", "[tiles.", ("flat_at = ",)),
    OBJECTS: (None, "[objects.", ("picture = ", "cut = ")),
}


def encode_tiles(tiles: TileSet) -> dict[str, bytes]:
    """{entry: bytes}: the text of a tile set, and its tile sheets if it has pictures."""
    files = encode_toml(tiles, TEXT)
    return {name: files[name] for name in TILES.entries if name in files}


def decode_tiles(entries: Mapping[str, bytes]) -> TileSet:
    """Inverse of `encode_tiles`; without the pictures of a tile sheet that is missing.

    Warnings about the tiles are not repeated: they were given when the tile set was made.
    """
    text = entries[TEXT]
    for sheet in TABLES:
        if sheet not in entries:
            text = remove_pictures(text, sheet)
    return load_toml(MemoryFile.of({**entries, TEXT: text}, TEXT))


def remove_pictures(text: bytes, sheet: str) -> bytes:
    """The text of a tile set written by wavefold, without one of its sheets and the positions in it."""
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


def hash_limits(tiles: TileSet) -> str:
    """A digest of the limits of tiles, which the digest of their rules does not cover."""
    limits = []
    for tile in tiles.tiles:
        ranges = [tile.limits] if isinstance(tile.limits, Mapping) else tile.limits
        for each in ranges:
            limits += [(tile.name, *((name, *map(float, pair)) for name, pair in sorted(each.items())))]
    return blake2b(repr(limits).encode(), digest_size=16).hexdigest()


def encode_fields(fields: Fields) -> dict[str, bytes]:
    """{entry: bytes}: one entry with all fields, and one more for each array."""
    data, entries = {}, {}
    for name, source in fields.sources.items():
        data[name] = encode_source(name, source)
        if isinstance(source, ArraySource):
            content = BytesIO()
            np.save(content, np.asarray(source.array, "<f8"), allow_pickle=False)
            entries[f"field {name}"] = content.getvalue()
    if fields.limits or fields.factors:
        factors = {tile: encode_factor(tile, factor) for tile, factor in fields.factors.items()}
        entries["meaning of fields"] = json.dumps(
            {"limits": dict(fields.limits), "factors": factors}
        ).encode()
    return {"fields": json.dumps(data).encode(), **entries}


def decode_fields(entries: Mapping[str, bytes]) -> Fields | None:
    """Inverse of `encode_fields`; None if there are no fields."""
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
    """The factor for the weight of a tile: a number, the name of a field, or a tree of lists."""
    if isinstance(factor, Expression):
        return {"expression": encode_expression(f"factor for {tile}", factor)}
    if callable(factor):
        raise WorldError(
            f"the factor for {tile!r} is a function, which cannot be saved: files cannot contain Python "
            "code; make a field of noise of it, and name that field as the factor"
        )
    return factor


def decode_factor(data: Any) -> Any:
    """Inverse of `encode_factor`."""
    return decode_expression(data["expression"]) if isinstance(data, dict) else data


def encode_source(name: str, source: Source) -> Any:
    """The kind of a field as plain data; the numbers of an array are a separate entry."""
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
    """Inverse of `encode_source`; content: the array, if it is one."""
    if "expression" in data:
        return ExpressionSource(decode_expression(data["expression"]))
    array = parse_array(content or b"")
    if array is None or array.dtype != np.dtype("<f8") or not np.isfinite(array).all():
        raise WorldError("the array of a field is damaged: it does not match its header")
    beyond = data.get("beyond")
    if beyond is not None and beyond not in BEYOND:
        raise WorldError(
            f"a field continues {beyond!r:.40} outside its array, which this wavefold cannot read"
        )
    kind = PictureSource if data["array"] == PictureSource.kind else ArraySource
    return kind(freeze(array.astype(np.float64)), beyond)


def encode_expression(name: str, expression: Expression) -> Any:
    """A tree of lists, each beginning with the name of its operation."""
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
    """Inverse of `encode_expression`. Raises WorldError for data that it does not write."""
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
