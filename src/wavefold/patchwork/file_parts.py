"""Tiles, fields and join of a patchwork file: encoding, and the choice between given and saved ones."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import fields as options_of
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from wavefold.errors import ConfigError, FormatError, PluginError, TileSetError, WavefoldError, WorldError
from wavefold.fields import Fields
from wavefold.formats.sections import decode_fields, decode_tiles, encode_fields, encode_tiles, hash_limits
from wavefold.patchwork.join import Join
from wavefold.plugins.registry import find
from wavefold.tiles import TileSet

Part = TypeVar("Part")
Entries = dict[str, str]  # {entry: base64}

_encoded: WeakKeyDictionary[TileSet, Entries | None] = WeakKeyDictionary()  # tile sets, as saved


def encode_entries(entries: Mapping[str, bytes]) -> Entries:
    """Bytes as text, for JSON."""
    return {name: b64encode(content).decode() for name, content in entries.items()}


def decode_part(
    what: str, decode: Callable[[Mapping[str, bytes]], Part], entries: Entries, source: Path
) -> Part:
    """Decode an object from these entries. Raises FormatError if it cannot be read."""
    try:
        return decode({name: b64decode(content) for name, content in entries.items()})
    except WavefoldError as error:
        raise FormatError(f"{source} holds {what} this wavefold cannot read: {error}") from error


def not_saved_error(source: Path, what: str, call: str) -> FormatError:
    return FormatError(
        f"{source} does not contain the {what}: they could not be saved (files cannot contain Python "
        f"code); pass them, as in {call}"
    )


# --- tiles ------------------------------------------------------------------------------------------


def digest_tiles(tiles: TileSet) -> str:
    """A digest of the rules of a tile set and the names of its patterns."""
    digest = blake2b(tiles.rules.digest.encode(), digest_size=16)
    digest.update("\0".join(tiles.rules.names).encode())
    return digest.hexdigest()


def encode_tiles_once(tiles: TileSet) -> Entries | None:
    """A tile set as entries; None if it cannot be saved because it contains Python functions."""
    if tiles not in _encoded:
        try:
            _encoded[tiles] = encode_entries(encode_tiles(tiles))
        except WavefoldError:
            _encoded[tiles] = None
    return _encoded[tiles]


def choose_tiles(data: dict[str, Any], source: Path, given: TileSet | None) -> TileSet:
    """The given tiles, or those in the file; raises if the map was made with other tiles."""
    tiles = given
    if tiles is None:
        if data["tiles"] is None:
            raise not_saved_error(source, "tiles", "Patchwork.load(path, tiles)")
        tiles = decode_part("tiles", decode_tiles, data["tiles"], source)
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"tiles must be a TileSet such as TileSet.load('medieval'), not {tiles!r}")
    problem = None
    if digest_tiles(tiles) != data["tile_set"]:
        problem = f"{'these' if given else 'its own'} tiles have other rules or names"
    elif data["limits"] is not None and hash_limits(tiles) != data["limits"]:
        problem = "these tiles have other limits for fields"
    if problem:
        raise TileSetError(
            f"{source} was made with another tile set: {problem}; load it without tiles to get those it was "
            "made with"
        )
    return tiles


# --- fields -----------------------------------------------------------------------------------------


def encode_given_fields(fields: Fields | None) -> Entries | str | None:
    """Fields as entries; "given" if they cannot be saved because they contain Python functions."""
    if fields is None:
        return None
    try:
        return encode_entries(encode_fields(fields))
    except WorldError:
        return "given"


def choose_fields(data: Any, source: Path, given: Fields | None) -> Fields | None:
    """The given fields, or those in the file; raises if the map was made with other fields."""
    if given is not None and not isinstance(given, Fields):
        raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {given!r}")
    if data == "given":
        if given is None:
            raise not_saved_error(source, "fields", "Patchwork.load(path, fields=fields)")
        return given
    if data is None:
        if given is not None:
            raise ConfigError(f"{source} was made without fields; load it without them")
        return None
    saved = decode_part("fields", decode_fields, data, source)
    if given is not None and digest_fields(given) != digest_fields(saved):
        raise ConfigError(
            f"{source} was made with other fields; load it without fields to get those it was made with"
        )
    return saved


def digest_fields(fields: Fields | None) -> str | None:
    """The digest of fields; None if they contain functions."""
    try:
        return None if fields is None else fields.digest
    except WavefoldError:
        return None


# --- joins ------------------------------------------------------------------------------------------


def encode_join(join: Join) -> dict[str, Any]:
    """A join as its name and its options; a join that is not a plugin as the name of its class."""
    if not is_installed(join):
        return {"name": join.name, "own": type(join).__qualname__}
    options = {option.name: getattr(join, option.name) for option in options_of(join)}
    nested = {n: encode_join(value) if isinstance(value, Join) else value for n, value in options.items()}
    return {"name": join.name, "options": nested}


def is_installed(join: Join) -> bool:
    """Whether the name of this join is registered for exactly its class, not for a base class."""
    try:
        return find("join", join.name) is type(join)
    except PluginError:
        return False


def choose_join(data: dict[str, Any], source: Path, given: Any) -> Join:
    """The given join, or the one in the file; raises if the map was made with another join."""
    if given is None:
        return decode_join(data, source)
    if not isinstance(given, Join):
        raise ConfigError(f"join must be given as a Join, such as Overlap(), not {given!r}")
    if encode_join(given) != data:
        remedy = "pass that join" if "own" in data else "load it without join=, or pass that join"
        raise ConfigError(f"{source} was made with another join, {data['name']!r}; {remedy}")
    return given


def decode_join(data: dict[str, Any], source: Path) -> Join:
    """Inverse of `encode_join`; a join of a plugin must be installed."""
    if "own" in data:
        raise FormatError(
            f"{source} was made with a join of your own, {data['own']}, which cannot be saved; pass it, "
            "as in Patchwork.load(path, join=join)"
        )
    options = {
        name: decode_join(value, source) if isinstance(value, dict) and "name" in value else value
        for name, value in data["options"].items()
    }
    made: Join = find("join", data["name"])(**options)
    return made
