"""Patchworks as files: archives with tiles, fields and grids, written atomically."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, is_dataclass
from dataclasses import fields as fields_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wavefold._version import CHUNK_VERSION
from wavefold.errors import ConfigError, FormatError, PluginError
from wavefold.fields import Fields
from wavefold.formats.sections import (
    choose_fields,
    choose_tiles,
    decode_refining,
    encode_parts,
    encode_pins,
    encode_refining,
    expendable_tiles,
)
from wavefold.kernels.host.checkpoint import holding
from wavefold.options.values import format_count, parse_integer
from wavefold.patchwork.arguments import parse_pair
from wavefold.patchwork.join import Join
from wavefold.patchwork.plan import Cell
from wavefold.patchwork.refining import GridRefining
from wavefold.patchwork.state import Counts, GridReport, list_mismatches
from wavefold.plugins.registry import find
from wavefold.storage.archive import FIELDS, TILES, Archive, ArchiveKind, Section
from wavefold.storage.parsing import encode_integers, parse_integers, parse_limited_json
from wavefold.tiles import TileSet

if TYPE_CHECKING:
    from wavefold.patchwork.patchwork import Patchwork


MARKS = ("dropped", "changed", "rebuilt")
MAP = Section("map", ("grids", "patterns", *MARKS))
PATCHWORK = ArchiveKind("wavefold patchwork", (TILES, FIELDS, MAP), FormatError)


def encode_file(patchwork: Patchwork, with_tiles: bool = True) -> bytes:
    """Return the content of a file. Without tiles it is small, and `decode_file` needs them."""
    header, entries = encode_parts(patchwork.tiles, patchwork.fields, may_omit=True)
    if not with_tiles:
        entries = {name: content for name, content in entries.items() if not TILES.owns(name)}
    return encode_patchwork(patchwork, header, entries).pack()


def decode_file(
    kind: type[Patchwork],
    content: bytes,
    source: Path,
    tiles: TileSet | None = None,
    fields: Fields | None = None,
    join: Any = None,
) -> Patchwork:
    """Decode the content of a file. Given tiles, fields and join must match those of the file.

    source : the file name in messages
    """
    archive = PATCHWORK.unpack(content, source, expendable_tiles(tiles))
    tiles, fields = choose_tiles(archive, tiles), choose_fields(archive, fields)
    try:
        join = choose_join(archive, join)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{source} is not a valid {PATCHWORK.name}: {error!r}") from error
    if join.grows_from_seed:
        archive.check_content(CHUNK_VERSION, "Grids cut from them would not fit: use that version")
    with archive.decoding():
        return decode_patchwork(kind, archive, tiles, fields, join)


def encode_patchwork(patchwork: Patchwork, header: dict[str, Any], entries: dict[str, bytes]) -> Archive:
    """Encode a patchwork; `header` and `entries` are those of its tiles and fields."""
    parts = patchwork.parts
    context, state, refining = parts.context, parts.state, parts.refining
    with holding(parts.growing), state.lock:
        reports = list(state.reports.values())
        cells = (cell for report in reports for cell in context.plan.cells(report.key))
        return PATCHWORK.create(
            {
                **header,
                "content_version": CHUNK_VERSION,
                "radius": context.plan.radius,
                "seed": patchwork.seed,
                "join": encode_join(patchwork.join),
                "retries": asdict(patchwork.retries),
                "pins": encode_pins(context.pins),
                "refine": None if refining is None else encode_refining(*refining),
                "rebuilds": state.rebuilds,
            },
            {
                **entries,
                "grids": json.dumps([report.to_dict() for report in reports]).encode(),
                "patterns": encode_integers([context.patterns[cell] for cell in cells]),
                "dropped": encode_cells(context.dropped),
                "changed": encode_cells(state.changed),
                "rebuilt": encode_cells(state.rebuilt),
            },
        )


def decode_patchwork(
    kind: type[Patchwork], archive: Archive, tiles: TileSet, fields: Fields | None, join: Join
) -> Patchwork:
    """Decode the result of `encode_patchwork`."""
    header = archive.header
    refine = header["refine"] is not None and GridRefining(*decode_refining(header["refine"], len(tiles)))
    patchwork = kind(
        tiles,
        header["radius"],
        header["seed"],
        join,
        header["retries"],
        fields,
        {(q, r): tile for q, r, tile in header["pins"]},
        refine=refine,  # type: ignore[arg-type] # resolved
    )
    fill_grids(patchwork, archive)
    return patchwork


def fill_grids(patchwork: Patchwork, archive: Archive) -> None:
    """Put the grids into an empty patchwork, and validate each."""
    parts, entries = patchwork.parts, archive.entries
    context, state = parts.context, parts.state
    reports = [decode_report(each) for each in parse_limited_json(entries["grids"])]
    parts.check_keys(report.key for report in reports)
    count = len(reports) * context.plan.count_cells(patchwork.radius)
    patterns = parse_integers(entries["patterns"], count)
    if patterns.size and not 0 <= patterns.min() <= patterns.max() < len(patchwork.rules):
        raise FormatError("a grid has a pattern that its tiles do not have")
    cells = (cell for report in reports for cell in context.plan.cells(report.key))
    context.patterns |= dict(zip(cells, patterns.tolist(), strict=True))
    state.reports |= {report.key: report for report in reports}
    for name, marked in zip(MARKS, (context.dropped, state.changed, state.rebuilt), strict=True):
        marked.update(decode_cells(name, entries[name], context.patterns))
    state.rebuilds = parse_count("rebuilds", archive.header["rebuilds"])
    check_sides(patchwork)


def check_sides(patchwork: Patchwork) -> None:
    """Raise FormatError unless all sides fit, except those of dropped cells."""
    context = patchwork.parts.context
    torn = list_mismatches(context.rules, context.plan.moves, context.patterns, context.patterns)
    wrong = sorted(sorted(cells) for cells in torn if cells.isdisjoint(context.dropped))
    if wrong:
        names, ((x, y), other) = context.rules.names, wrong[0]
        here, there = names[context.patterns[x, y]], names[context.patterns[other]]
        raise FormatError(
            f"{format_count(len(wrong), 'sides')} between its cells do not fit, such as {here!r} at {(x, y)} "
            f"beside {there!r} at {other}; use a file that was saved by wavefold and not edited"
        )


def decode_report(data: dict[str, Any]) -> GridReport:
    """Decode the report of a grid: whole numbers, except for the seconds."""
    counts = {field.name: data[field.name] for field in fields_of(Counts)}
    seconds = counts.pop("seconds")
    if type(seconds) not in (int, float) or not math.isfinite(seconds) or seconds < 0:
        raise FormatError(f"a grid cannot have taken {seconds!r} seconds")
    if not isinstance(data["join"], str):
        raise FormatError(f"{data['join']!r} is not the name of a join")
    numbers: dict[str, Any] = {name: parse_count(name, number) for name, number in counts.items()}
    return GridReport(**numbers, seconds=seconds, key=parse_pair("a key", data["key"]), join=data["join"])


def parse_count(name: str, number: Any) -> int:
    """Return a whole number that is at least 0."""
    found = parse_integer(number)
    if found is None or found < 0:
        raise FormatError(f"{name} must be a whole number from 0 on, not {number!r}")
    return found


def encode_cells(cells: Iterable[Cell]) -> bytes:
    """Encode cells, in order."""
    return encode_integers(np.array(list(cells), np.int64).reshape(-1, 2))


def decode_cells(name: str, data: bytes, populated: dict[Cell, int]) -> dict[Cell, None]:
    """Decode the result of `encode_cells`. Raises FormatError for a cell in no grid."""
    cells: dict[Cell, None] = dict.fromkeys(map(tuple, parse_integers(data, -1, 2).tolist()))
    for cell in cells:
        if cell not in populated:
            raise FormatError(f"{name}: cell {cell} is in no grid of the map")
    return cells


# --- joins ------------------------------------------------------------------------------------------


def encode_join(join: Join, like: Any = None) -> dict[str, Any]:
    """Encode a join as its name and options; a join that is not a plugin as the name of its class.

    like : an encoded join; the same form is used, whether or not the join is installed here
    """
    is_like = isinstance(like, dict)
    is_plugin = is_dataclass(join) and "own" not in like if is_like else is_installed(join)
    if not is_plugin:
        return {"name": join.name, "own": type(join).__qualname__}
    options = {option.name: getattr(join, option.name) for option in fields_of(join)}
    inner = like.get("options", {}) if is_like else {}
    nested = {
        name: encode_join(value, inner.get(name)) if isinstance(value, Join) else value
        for name, value in options.items()
    }
    return {"name": join.name, "options": nested}


def is_installed(join: Join) -> bool:
    """Return whether the name of this join is registered for its class, not only for a base class."""
    try:
        return find("join", join.name) is type(join)
    except PluginError:
        return False


def choose_join(archive: Archive, given: Any) -> Join:
    """Return the given join, or that of the file. Raises if the map was made with another join."""
    saved, path = archive.header["join"], archive.path
    if given is None:
        return decode_join(saved, path)
    if not isinstance(given, Join):
        raise ConfigError(f"join must be given as a Join, such as Overlap(), not {given!r}")
    if json.loads(json.dumps(encode_join(given, saved))) != saved:
        remedy = "pass that join" if "own" in saved else "load it without join=, or pass that join"
        raise ConfigError(f"{path} was made with another join, {saved['name']!r}; {remedy}")
    return given


def decode_join(data: dict[str, Any], path: Path) -> Join:
    """Decode the result of `encode_join`. A join of a plugin must be installed."""
    if "own" in data:
        raise FormatError(
            f"{path} was made with a join of your own, {data['own']}, which cannot be saved; pass it, as in "
            "Patchwork.load(path, join=join)"
        )
    options = {
        name: decode_join(value, path) if isinstance(value, dict) and "name" in value else value
        for name, value in data["options"].items()
    }
    made: Join = find("join", data["name"])(**options)
    return made
