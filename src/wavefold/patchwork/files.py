"""Patchworks as files: one JSON document with tiles, fields and join in it, written atomically."""

from __future__ import annotations

import json
import math
import os
from base64 import b64decode, b64encode
from dataclasses import asdict
from dataclasses import fields as options_of
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.codec import (
    FORMAT_VERSION,
    JOINS,
    Section,
    check_sections,
    decode_fields,
    decode_tiles,
    digest_limits,
    encode_fields,
    encode_tiles,
)
from wavefold.common.files import check_writable, read_limited, write_atomically
from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, FormatError, PluginError, TileSetError, WavefoldError, WorldError
from wavefold.fields import Fields
from wavefold.patchwork.arguments import parse_pair
from wavefold.patchwork.joins import Join
from wavefold.patchwork.plan import Cell
from wavefold.patchwork.report import OLD_KEYS, Counts, GridReport
from wavefold.plugins import find
from wavefold.tiles import TileSet

if TYPE_CHECKING:
    from wavefold.patchwork.patchwork import Patchwork


FORMAT = "wavefold patchwork"
MOST_BYTES = 1 << 30
SECTIONS = (
    Section("header", ("format", "version", "wavefold", "content_version", "radius", "seed", "checksum")),
    Section("tiles", ("tiles", "tile_set", "limits")),
    Section("fields", ("fields",)),
    JOINS,
    Section("map", ("grids", "dropped", "changed", "rebuilt", "rebuilds")),
)

_encoded: WeakKeyDictionary[TileSet, dict[str, str] | None] = WeakKeyDictionary()  # tile sets, as saved


def save_patchwork(patchwork: Patchwork, path: str | os.PathLike[str]) -> None:
    """Write a patchwork to a file."""
    check_writable(path)
    data = encode_patchwork(patchwork)
    try:
        data["checksum"] = checksum(data)
    except TypeError as error:
        raise ConfigError(f"the join {patchwork.join!r} cannot be saved: {error}") from error
    with write_atomically(path) as file:
        file.write(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


def load_patchwork(
    kind: type[Patchwork],
    path: str | os.PathLike[str],
    tiles: TileSet | None,
    fields: Fields | None,
    join: Any = None,
) -> Patchwork:
    """The patchwork in a file."""
    source = Path(path)
    try:
        data: Any = json.loads(read_limited(source, MOST_BYTES, "it cannot be a patchwork"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{source} is not a patchwork file: not valid JSON ({error})") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise FormatError(f'{source} is not a patchwork file: it has no "format": "{FORMAT}"')
    if data.get("version") != FORMAT_VERSION:
        raise FormatError(
            f"{source} is a patchwork of format version {data.get('version')!r}, made by wavefold "
            f"{data.get('wavefold')}; this one, {__version__}, reads version {FORMAT_VERSION}"
        )
    if "checksum" in data and data.pop("checksum") != checksum(data):
        raise FormatError(f"{source} is damaged: what is in it is not what was saved (its checksum differs)")
    check_sections(data, SECTIONS, source, FormatError, data.get("wavefold"))
    try:
        return decode_patchwork(kind, data, source, tiles, fields, join)
    except KeyError as error:
        raise FormatError(f"{source}: field {error} is missing") from error
    except (TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FormatError(f"{source} is not a valid patchwork file: {error!r}") from error


def checksum(data: dict[str, Any]) -> str:
    """A checksum of the document, whatever the order of its keys."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def encode_patchwork(patchwork: Patchwork) -> dict[str, Any]:
    """Everything that a patchwork consists of, as plain data."""
    context, plan = patchwork._context, patchwork._context.plan
    tiles = encode_tiles_section(patchwork.tiles)  # takes longest and never changes: not under the lock
    with patchwork._growing, patchwork._state:
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "wavefold": __version__,
            "content_version": CONTENT_VERSION,
            "tile_set": digest_tiles(patchwork.tiles),
            "tiles": tiles,
            "radius": plan.radius,
            "seed": patchwork.seed,
            "join": encode_join(patchwork.join),
            "retries": asdict(patchwork.retries),
            "fields": encode_fields_section(patchwork.fields),
            "limits": None if patchwork.fields is None else digest_limits(patchwork.tiles),
            "presets": [[*cell, encode_preset(tile)] for cell, tile in context.pins.items()],
            "grids": [
                {
                    "patterns": [context.patterns[cell] for cell in plan.cells(report.key)],
                    "report": report.to_dict(),
                }
                for report in patchwork._reports.values()
            ],
            "dropped": list(context.dropped),
            "changed": list(patchwork._changed),
            "rebuilt": list(patchwork._rebuilt),
            "rebuilds": patchwork._rebuilds,
        }


def decode_patchwork(
    kind: type[Patchwork],
    data: dict[str, Any],
    source: Path,
    tiles: TileSet | None,
    fields: Fields | None,
    join: Any,
) -> Patchwork:
    """Inverse of `encode_patchwork`; tiles, fields and join that are given must be those of the file."""
    tiles = choose_tiles(data, source, tiles)
    fields = choose_fields(data["fields"], source, fields)
    if data.get("limits") is not None and digest_limits(tiles) != data["limits"]:
        raise TileSetError(
            f"{source} was made with another tile set: these tiles have other limits for fields; load it "
            "without tiles to get those it was made with"
        )
    join = choose_join(data["join"], source, join)
    if join.grows_from_seed and data["content_version"] != CONTENT_VERSION:
        raise FormatError(
            f"{source} was made by wavefold {data['wavefold']}, which generates different worlds from "
            f"{__version__}: grids cut from them would not fit"
        )
    try:
        presets = {(q, r): tile for q, r, tile in data["presets"]}
        patchwork = kind(tiles, data["radius"], data["seed"], join, data["retries"], fields, presets)
        fill_grids(patchwork, data)
    except WavefoldError as error:
        raise FormatError(f"{source} is not a valid patchwork file: {error}") from error
    return patchwork


def fill_grids(patchwork: Patchwork, data: dict[str, Any]) -> None:
    """Put the grids into an empty patchwork, and validate each."""
    context, count = patchwork._context, len(patchwork.rules)
    reports = [decode_report(grid["report"]) for grid in data["grids"]]
    patchwork._check([patchwork._key(report.key) for report in reports])
    for report, grid in zip(reports, data["grids"], strict=True):
        patterns = grid["patterns"]
        if not all(type(each) is int and 0 <= each < count for each in patterns):
            raise FormatError(f"grid {report.key} has a pattern that its tiles do not have")
        context.patterns |= dict(zip(context.plan.cells(report.key), patterns, strict=True))
        patchwork._reports[report.key] = report
    marked = {
        name: decode_cells(name, data[name], context.patterns) for name in ("dropped", "changed", "rebuilt")
    }
    context.dropped |= marked["dropped"]
    patchwork._changed, patchwork._rebuilt = marked["changed"], marked["rebuilt"]
    patchwork._rebuilds = parse_count("rebuilds", data["rebuilds"])


def decode_report(data: dict[str, Any]) -> GridReport:
    """The report of a grid: whole numbers, except for the seconds."""
    data = data | {now: data[old] for old, now in OLD_KEYS.items() if now not in data}
    counts = {field.name: data[field.name] for field in options_of(Counts)}
    seconds = counts.pop("seconds")
    if type(seconds) not in (int, float) or not math.isfinite(seconds) or seconds < 0:
        raise FormatError(f"a grid cannot have taken {seconds!r} seconds")
    if not isinstance(data["join"], str):
        raise FormatError(f"{data['join']!r} is not the name of a join")
    numbers: dict[str, Any] = {name: parse_count(name, number) for name, number in counts.items()}
    return GridReport(**numbers, seconds=seconds, key=parse_pair("a key", data["key"]), join=data["join"])


def parse_count(name: str, number: Any) -> int:
    """A whole number that is at least 0."""
    found = parse_integer(number)
    if found is None or found < 0:
        raise FormatError(f"{name} must be a whole number from 0 on, not {number!r}")
    return found


def decode_cells(name: str, data: Any, populated: dict[Cell, int]) -> dict[Cell, None]:
    """Cells of the map, in order. Raises FormatError for one in no grid."""
    cells = {parse_pair(f"{name}: a cell", cell): None for cell in data}
    for cell in cells:
        if cell not in populated:
            raise FormatError(f"{name}: cell {cell} is in no grid of the map")
    return cells


def digest_tiles(tiles: TileSet) -> str:
    """A digest of the rules of a tile set and the names of its patterns."""
    digest = blake2b(tiles.rules.digest.encode(), digest_size=16)
    digest.update("\0".join(tiles.rules.names).encode())
    return digest.hexdigest()


def encode_tiles_section(tiles: TileSet) -> dict[str, str] | None:
    """{entry: base64} of a tile set; None if it cannot be saved, because it needs Python."""
    if tiles not in _encoded:
        try:
            _encoded[tiles] = {
                name: b64encode(content).decode() for name, content in encode_tiles(tiles).items()
            }
        except WavefoldError:
            _encoded[tiles] = None
    return _encoded[tiles]


def choose_tiles(data: dict[str, Any], source: Path, given: TileSet | None) -> TileSet:
    """The tiles given, or those in the file; raises if they are not those the map was made with."""
    tiles = given
    if tiles is None:
        if data["tiles"] is None:
            raise FormatError(
                f"{source} does not contain the tiles: they could not be saved (files cannot contain Python "
                "code); pass them, as in Patchwork.load(path, tiles)"
            )
        try:
            tiles = decode_tiles({name: b64decode(content) for name, content in data["tiles"].items()})
        except WavefoldError as error:
            raise FormatError(f"{source} holds tiles this wavefold cannot read: {error}") from error
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('medieval'), not {tiles!r}")
    if digest_tiles(tiles) != data["tile_set"]:
        raise TileSetError(
            f"{source} was made with another tile set: {'these' if given else 'its own'} tiles have other "
            "rules or names; load it without tiles to get those it was made with"
        )
    return tiles


def encode_fields_section(fields: Fields | None) -> dict[str, str] | str | None:
    """{entry: base64} of fields; "given" if they cannot be saved, because they need Python."""
    if fields is None:
        return None
    try:
        return {name: b64encode(content).decode() for name, content in encode_fields(fields).items()}
    except WorldError:
        return "given"


def choose_fields(data: Any, source: Path, given: Fields | None) -> Fields | None:
    """The fields given, or those in the file; raises if they are not those the map was made with."""
    if given is not None and not isinstance(given, Fields):
        raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {given!r}")
    if data == "given":
        if given is None:
            raise FormatError(
                f"{source} does not contain the fields: they could not be saved (files cannot contain Python "
                "code); pass them, as in Patchwork.load(path, fields=fields)"
            )
        return given
    if data is None:
        if given is not None:
            raise ConfigError(f"{source} was made without fields; load it without them")
        return None
    try:
        saved = decode_fields({name: b64decode(content) for name, content in data.items()})
    except WavefoldError as error:
        raise FormatError(f"{source} holds fields this wavefold cannot read: {error}") from error
    if given is not None and digest_fields(given) != digest_fields(saved):
        raise ConfigError(
            f"{source} was made with other fields; load it without fields to get those it was made with"
        )
    return saved


def digest_fields(fields: Fields | None) -> str | None:
    """The digest of fields; None if they have none, because they contain functions."""
    try:
        return None if fields is None else fields.digest
    except WavefoldError:
        return None


def encode_preset(tile: Any) -> Any:
    """A preset for JSON: a name, or a list of names."""
    return sorted(tile) if isinstance(tile, set | frozenset) else tile


# --- joins ------------------------------------------------------------------------------------------


def encode_join(join: Join) -> dict[str, Any]:
    """A join as its name and its options; one that is not a plugin as the name of its class."""
    if not is_installed(join):
        return {"name": join.name, "own": type(join).__qualname__}
    options = {option.name: getattr(join, option.name) for option in options_of(join)}
    nested = {n: encode_join(value) if isinstance(value, Join) else value for n, value in options.items()}
    return {"name": join.name, "options": nested}


def is_installed(join: Join) -> bool:
    """Whether the name of this join is registered for its very class; a subclass has another."""
    try:
        return find("join", join.name) is type(join)
    except PluginError:
        return False


def choose_join(data: dict[str, Any], source: Path, given: Any) -> Join:
    """The join given, or the one in the file; raises if it is not the one the map was made with."""
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
