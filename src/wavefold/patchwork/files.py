"""Patchworks as files: JSON, written whole or not at all, with the tiles in it."""

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
from wavefold.common.files import check_writable, read_limited, write_atomically
from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError, FormatError, TileSetError, WavefoldError, WorldError
from wavefold.fields import Fields
from wavefold.patchwork.arguments import pair
from wavefold.patchwork.join_text import found_join, join_to
from wavefold.patchwork.plan import Cell
from wavefold.patchwork.report import OLD_KEYS, Counts, GridReport
from wavefold.tiles import TileSet
from wavefold.world.codec import limits_of, tiles_from, tiles_to
from wavefold.world.field_codec import fields_from, fields_to

if TYPE_CHECKING:
    from wavefold.patchwork.patchwork import Patchwork


FORMAT = "wavefold patchwork"
VERSION = 1
MOST_BYTES = 1 << 30

_texts: WeakKeyDictionary[TileSet, dict[str, str] | None] = WeakKeyDictionary()  # of tile sets, as kept


def save_patchwork(patchwork: Patchwork, path: str | os.PathLike[str]) -> None:
    """Write a map into a file."""
    check_writable(path)
    told = described(patchwork)
    try:
        told["checksum"] = checksum(told)
    except TypeError as error:
        raise ConfigError(f"the join {patchwork.join!r} cannot be saved: {error}") from error
    with write_atomically(path) as file:
        file.write(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode())


def load_patchwork(
    kind: type[Patchwork],
    path: str | os.PathLike[str],
    tiles: TileSet | None,
    fields: Fields | None,
    join: Any = None,
) -> Patchwork:
    """The map in a file."""
    source = Path(path)
    try:
        told: Any = json.loads(read_limited(source, MOST_BYTES, "it cannot be a patchwork"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{source} is no patchwork: it is not JSON ({error})") from error
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise FormatError(f'{source} is no patchwork: it has no "format": "{FORMAT}"')
    if told.get("version") != VERSION:
        raise FormatError(
            f"{source} is a patchwork of format version {told.get('version')!r}, made by wavefold "
            f"{told.get('wavefold')}; this one, {__version__}, reads version {VERSION}"
        )
    if "checksum" in told and told.pop("checksum") != checksum(told):
        raise FormatError(f"{source} is damaged: what is in it is not what was saved (its checksum differs)")
    try:
        return read(kind, told, source, tiles, fields, join)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FormatError(f"{source} does not tell all of its map: {error!r}") from error


def checksum(told: dict[str, Any]) -> str:
    """Of all that a file tells, in whatever order."""
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()


def described(patchwork: Patchwork) -> dict[str, Any]:
    """Everything there is to know of a map, as plain data."""
    context, plan = patchwork._context, patchwork._context.plan
    tiles = kept_tiles(patchwork.tiles)  # takes longest, and never changes: nobody waits for it
    with patchwork._growing, patchwork._state:
        return {
            "format": FORMAT,
            "version": VERSION,
            "wavefold": __version__,
            "content_version": CONTENT_VERSION,
            "tile_set": digest_of(patchwork.tiles),
            "tiles": tiles,
            "radius": plan.radius,
            "seed": patchwork.seed,
            "join": join_to(patchwork.join),
            "retries": asdict(patchwork.retries),
            "fields": kept_fields(patchwork.fields),
            "limits": None if patchwork.fields is None else limits_of(patchwork.tiles),
            "presets": [[*cell, listed(tile)] for cell, tile in context.pins.items()],
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


def read(
    kind: type[Patchwork],
    told: dict[str, Any],
    source: Path,
    tiles: TileSet | None,
    fields: Fields | None,
    join: Any,
) -> Patchwork:
    """The other way."""
    tiles = found_tiles(told, source, tiles)
    fields = found_fields(told["fields"], source, fields)
    if told.get("limits") is not None and limits_of(tiles) != told["limits"]:
        raise TileSetError(
            f"{source} was made with another tile set: these tiles say other things about fields; load it "
            "without tiles to get those it was made with"
        )
    join = found_join(told["join"], source, join)
    if join.grows_from_seed and told["content_version"] != CONTENT_VERSION:
        raise FormatError(
            f"{source} was made by wavefold {told['wavefold']}, whose endless worlds are others than those "
            f"of {__version__}: grids cut from them would not fit"
        )
    try:
        presets = {(q, r): tile for q, r, tile in told["presets"]}
        patchwork = kind(tiles, told["radius"], told["seed"], join, told["retries"], fields, presets)
        fill(patchwork, told)
    except WavefoldError as error:
        raise FormatError(f"{source} holds what no map can: {error}") from error
    return patchwork


def fill(patchwork: Patchwork, told: dict[str, Any]) -> None:
    """Put the grids into an empty map, each of them checked."""
    context, count = patchwork._context, len(patchwork.rules)
    reports = [report_from(grid["report"]) for grid in told["grids"]]
    patchwork._check([patchwork._key(report.key) for report in reports])
    for report, grid in zip(reports, told["grids"], strict=True):
        patterns = grid["patterns"]
        if not all(type(each) is int and 0 <= each < count for each in patterns):
            raise FormatError(f"grid {report.key} holds what is no pattern of its tiles")
        context.patterns |= dict(zip(context.plan.cells(report.key), patterns, strict=True))
        patchwork._reports[report.key] = report
    marked = {
        name: cells_from(name, told[name], context.patterns) for name in ("dropped", "changed", "rebuilt")
    }
    context.dropped |= marked["dropped"]
    patchwork._changed, patchwork._rebuilt = marked["changed"], marked["rebuilt"]
    patchwork._rebuilds = counted("rebuilds", told["rebuilds"])


def report_from(told: dict[str, Any]) -> GridReport:
    """What a grid took: whole numbers, but for the seconds."""
    told = told | {now: told[old] for old, now in OLD_KEYS.items() if now not in told}
    counts = {field.name: told[field.name] for field in options_of(Counts)}
    seconds = counts.pop("seconds")
    if type(seconds) not in (int, float) or not math.isfinite(seconds) or seconds < 0:
        raise FormatError(f"a grid cannot have taken {seconds!r} seconds")
    if not isinstance(told["join"], str):
        raise FormatError(f"{told['join']!r} is no name of a join")
    numbers: dict[str, Any] = {name: counted(name, number) for name, number in counts.items()}
    return GridReport(**numbers, seconds=seconds, key=pair("a key", told["key"]), join=told["join"])


def counted(name: str, number: Any) -> int:
    """A count: a whole number that is not below 0."""
    found = parse_integer(number)
    if found is None or found < 0:
        raise FormatError(f"{name} must be a whole number from 0 on, not {number!r}")
    return found


def cells_from(name: str, told: Any, populated: dict[Cell, int]) -> dict[Cell, None]:
    """Cells of the map, in their order."""
    cells = {pair(f"{name}: a cell", cell): None for cell in told}
    for cell in cells:
        if cell not in populated:
            raise FormatError(f"{name}: cell {cell} is in no grid of the map")
    return cells


def digest_of(tiles: TileSet) -> str:
    """A name for a tile set: its rules, and what its patterns are called."""
    digest = blake2b(tiles.rules.digest.encode(), digest_size=16)
    digest.update("\0".join(tiles.rules.names).encode())
    return digest.hexdigest()


def kept_tiles(tiles: TileSet) -> dict[str, str] | None:
    """The files of a tile set; None if it cannot be told without Python."""
    if tiles not in _texts:
        try:
            _texts[tiles] = {name: b64encode(content).decode() for name, content in tiles_to(tiles).items()}
        except WavefoldError:
            _texts[tiles] = None
    return _texts[tiles]


def found_tiles(told: dict[str, Any], source: Path, given: TileSet | None) -> TileSet:
    """The tiles that were given, or those in the file; either way those the map was made with."""
    tiles = given
    if tiles is None:
        if told["tiles"] is None:
            raise FormatError(
                f"{source} holds no tiles: they could not be saved (a file holds no Python); "
                "give them, as Patchwork.load(path, tiles)"
            )
        try:
            tiles = tiles_from({name: b64decode(content) for name, content in told["tiles"].items()})
        except WavefoldError as error:
            raise FormatError(f"{source} holds tiles this wavefold cannot read: {error}") from error
    if not isinstance(tiles, TileSet):
        raise TileSetError(f"tiles must be a TileSet, as from TileSet.load('medieval'), not {tiles!r}")
    if digest_of(tiles) != told["tile_set"]:
        raise TileSetError(
            f"{source} was made with another tile set: {'these' if given else 'its own'} tiles have other "
            "rules or names; load it without tiles to get those it was made with"
        )
    return tiles


def kept_fields(fields: Fields | None) -> dict[str, str] | str | None:
    """Fields as text; "given" if they cannot be told without Python."""
    if fields is None:
        return None
    try:
        return {name: b64encode(content).decode() for name, content in fields_to(fields).items()}
    except WorldError:
        return "given"


def found_fields(told: Any, source: Path, given: Fields | None) -> Fields | None:
    """The fields that were given, or those in the file; either way those the map was made with."""
    if given is not None and not isinstance(given, Fields):
        raise ConfigError(f"fields must be given as Fields(altitude=Noise(0.02)), not {given!r}")
    if told == "given":
        if given is None:
            raise FormatError(
                f"{source} does not hold the fields of its map: they could not be saved (a file holds no "
                "Python); give them, as Patchwork.load(path, fields=fields)"
            )
        return given
    if told is None:
        if given is not None:
            raise ConfigError(f"{source} was made without fields; load it without them")
        return None
    try:
        kept = fields_from({name: b64decode(content) for name, content in told.items()})
    except WavefoldError as error:
        raise FormatError(f"{source} holds fields this wavefold cannot read: {error}") from error
    if given is not None and name_of(given) != name_of(kept):
        raise ConfigError(
            f"{source} was made with other fields; load it without fields to get those it was made with"
        )
    return kept


def name_of(fields: Fields | None) -> str | None:
    """The digest of fields; None if they have none, because of functions."""
    try:
        return None if fields is None else fields.digest
    except WavefoldError:
        return None


def listed(tile: Any) -> Any:
    """A preset for JSON: a name, or a list of them."""
    return sorted(tile) if isinstance(tile, set | frozenset) else tile
