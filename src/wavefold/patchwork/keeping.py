"""Patchworks as files: JSON, written whole or not at all, with the tiles in it."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from dataclasses import asdict
from dataclasses import fields as options_of
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.errors import FormatError, TileSetError, WavefoldError, WorldError
from wavefold.fields import Fields
from wavefold.formats.octets import octets_of
from wavefold.patchwork.plan import Cell
from wavefold.patchwork.report import GridReport
from wavefold.render.save import whole_file
from wavefold.tiles import TileSet
from wavefold.world.field_text import fields_from, fields_to
from wavefold.world.parts import tiles_from, tiles_to

if TYPE_CHECKING:
    from wavefold.patchwork.patchwork import Patchwork

__all__ = ["load_patchwork", "save_patchwork"]

FORMAT = "wavefold patchwork"
VERSION = 1
MOST_BYTES = 1 << 30


def save_patchwork(patchwork: Patchwork, path: str | os.PathLike[str]) -> None:
    """Write a map into a file."""
    told = json.dumps(described(patchwork), ensure_ascii=False, separators=(",", ":"))
    with whole_file(path) as file:
        file.write(told.encode())


def load_patchwork(
    kind: type[Patchwork], path: str | os.PathLike[str], tiles: TileSet | None, fields: Fields | None
) -> Patchwork:
    """The map in a file."""
    source = Path(path)
    try:
        told: Any = json.loads(octets_of(source, MOST_BYTES, "it cannot be a patchwork"))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{source} is no patchwork: it is not JSON ({error})") from error
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise FormatError(f'{source} is no patchwork: it has no "format": "{FORMAT}"')
    if told.get("version") != VERSION:
        raise FormatError(
            f"{source} is a patchwork of format version {told.get('version')!r}, made by wavefold "
            f"{told.get('wavefold')}; this one, {__version__}, reads version {VERSION}"
        )
    try:
        return read(kind, told, source, tiles, fields)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise FormatError(f"{source} does not tell all of its map: {error!r}") from error


def described(patchwork: Patchwork) -> dict[str, Any]:
    """Everything there is to know of a map, as plain data."""
    ground, plan = patchwork._ground, patchwork._ground.plan
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
            "presets": [[*cell, listed(tile)] for cell, tile in ground.pins.items()],
            "grids": [
                {
                    "patterns": [ground.patterns[cell] for cell in plan.cells(report.key)],
                    "report": report.to_dict(),
                }
                for report in patchwork._reports.values()
            ],
            "dropped": list(ground.dropped),
            "changed": list(patchwork._changed),
            "rebuilt": list(patchwork._rebuilt),
            "rebuilds": patchwork._rebuilds,
        }


def read(
    kind: type[Patchwork], told: dict[str, Any], source: Path, tiles: TileSet | None, fields: Fields | None
) -> Patchwork:
    """The other way."""
    tiles = found_tiles(told, source, tiles)
    if fields is None and told["fields"] is not None:
        fields = found_fields(told["fields"], source)
    presets = {(q, r): tile for q, r, tile in told["presets"]}
    join = join_from(told["join"])
    if join.grows_from_seed and told["content_version"] != CONTENT_VERSION:
        raise FormatError(
            f"{source} was made by wavefold {told['wavefold']}, whose endless worlds are others than those "
            f"of {__version__}: grids cut from them would not fit"
        )
    patchwork = kind(tiles, told["radius"], told["seed"], join, told["retries"], fields, presets)
    ground, count = patchwork._ground, len(tiles.rules)
    for grid in told["grids"]:
        report = GridReport(**{**grid["report"], "key": cell_of(grid["report"]["key"])})
        patterns = grid["patterns"]
        if not all(isinstance(each, int) and 0 <= each < count for each in patterns):
            raise FormatError(f"{source}: grid {report.key} holds what is no pattern of its tiles")
        ground.patterns |= dict(zip(ground.plan.cells(report.key), patterns, strict=True))
        patchwork._reports[report.key] = report
    ground.dropped |= {cell_of(cell): None for cell in told["dropped"]}
    patchwork._changed = {cell_of(cell): None for cell in told["changed"]}
    patchwork._rebuilt = {cell_of(cell): None for cell in told["rebuilt"]}
    patchwork._rebuilds = int(told["rebuilds"])
    return patchwork


def digest_of(tiles: TileSet) -> str:
    """A name for a tile set: its rules, and what its patterns are called."""
    digest = blake2b(tiles.rules.digest.encode(), digest_size=16)
    digest.update("\0".join(tiles.rules.names).encode())
    return digest.hexdigest()


def kept_tiles(tiles: TileSet) -> dict[str, str] | None:
    """The files of a tile set; None if it cannot be told without Python."""
    try:
        return {name: b64encode(content).decode() for name, content in tiles_to(tiles).items()}
    except WavefoldError:
        return None


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


def found_fields(told: Any, source: Path) -> Fields | None:
    """The other way."""
    if told == "given":
        raise FormatError(
            f"{source} does not hold the fields of its map: they could not be saved (a file holds no "
            "Python); give them, as Patchwork.load(path, fields=fields)"
        )
    try:
        return fields_from({name: b64decode(content) for name, content in told.items()})
    except WavefoldError as error:
        raise FormatError(f"{source} holds fields this wavefold cannot read: {error}") from error


def join_to(join: Any) -> dict[str, Any]:
    """A join as its name and its numbers."""
    options = {option.name: getattr(join, option.name) for option in options_of(join)}
    if "grow" in options:
        options["grow"] = join_to(options["grow"])
    return {"name": join.name, "options": options}


def join_from(told: dict[str, Any]) -> Any:
    """The other way; another's join must be installed."""
    from wavefold.plugins import find

    options = dict(told["options"])
    if "grow" in options:
        options["grow"] = join_from(options["grow"])
    return find("join", told["name"])(**options)


def listed(tile: Any) -> Any:
    """A preset for JSON: a name, or a list of them."""
    return sorted(tile) if isinstance(tile, set | frozenset) else tile


def cell_of(told: Any) -> Cell:
    """Two whole numbers."""
    x, y = told
    return int(x), int(y)
