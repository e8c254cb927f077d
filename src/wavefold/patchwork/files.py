"""Patchworks as files: one JSON document with tiles, fields and join, written atomically."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict
from dataclasses import fields as fields_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavefold._version import CHUNK_VERSION, __version__
from wavefold.errors import ConfigError, FormatError, WavefoldError
from wavefold.fields import Fields
from wavefold.formats.sections import hash_limits
from wavefold.kernels.host.checkpoint import holding
from wavefold.options.values import format_count, parse_integer
from wavefold.patchwork.arguments import parse_pair
from wavefold.patchwork.file_parts import (
    choose_fields,
    choose_join,
    choose_tiles,
    digest_tiles,
    encode_given_fields,
    encode_join,
    encode_tiles_once,
)
from wavefold.patchwork.plan import Cell
from wavefold.patchwork.refining import decode_grid_refining, encode_grid_refining
from wavefold.patchwork.state import Counts, GridReport, list_mismatches
from wavefold.storage.files import check_writable, read_limited, write_atomically
from wavefold.storage.sections import (
    FORMAT_VERSION,
    JOINS,
    MOST_LISTS,
    REFINE,
    Section,
    check_sections,
    checksum,
    measure_json,
    parse_limited_json,
)
from wavefold.tiles import TileSet

if TYPE_CHECKING:
    from wavefold.patchwork.patchwork import Patchwork


FORMAT = "wavefold patchwork"
MOST_BYTES = 256 << 20  # lists of whole numbers take up to eight times as much in memory
SECTIONS = (
    Section("header", ("format", "version", "wavefold", "content_version", "radius", "seed", "checksum")),
    Section("tiles", ("tiles", "tile_set", "limits")),
    Section("fields", ("fields",)),
    JOINS,
    REFINE,
    Section("map", ("grids", "dropped", "changed", "rebuilt", "rebuilds")),
)


def save_patchwork(patchwork: Patchwork, path: str | os.PathLike[str]) -> None:
    """Write a patchwork to a file."""
    check_writable(path)
    content = encode_file(patchwork)
    with write_atomically(path) as file:
        file.write(content)


def encode_file(patchwork: Patchwork, with_tiles: bool = True) -> bytes:
    """The content of a file. Without tiles it is small, and they must be passed to `decode_file`."""
    data = encode_patchwork(patchwork)
    if not with_tiles:
        data["tiles"] = None
    try:
        data["checksum"] = digest_document(data)
    except TypeError as error:
        raise ConfigError(f"the join {patchwork.join!r} cannot be saved: {error}") from error
    content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    if len(content) > MOST_BYTES or measure_json(content)[0] > MOST_LISTS:
        raise ConfigError(
            "the patchwork is too large to be read again; save its map alone: patchwork.solution().save(path)"
        )
    return content


def load_patchwork(
    kind: type[Patchwork],
    path: str | os.PathLike[str],
    tiles: TileSet | None,
    fields: Fields | None,
    join: Any = None,
) -> Patchwork:
    """The patchwork in a file."""
    source = Path(path)
    content = read_limited(source, MOST_BYTES, "it cannot be a patchwork")
    return decode_file(kind, content, source, tiles, fields, join)


def decode_file(
    kind: type[Patchwork],
    content: bytes,
    source: Path,
    tiles: TileSet | None = None,
    fields: Fields | None = None,
    join: Any = None,
) -> Patchwork:
    """The patchwork in the content of a file. source : the file name in messages"""
    try:
        data: Any = parse_limited_json(content)
    except ValueError as error:
        raise FormatError(f"{source} is not a patchwork file: not valid JSON ({error})") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise FormatError(f'{source} is not a patchwork file: it has no "format": "{FORMAT}"')
    if data.get("version") != FORMAT_VERSION:
        raise FormatError(
            f"{source} is a patchwork of format version {data.get('version')!r}, made by wavefold "
            f"{data.get('wavefold')}; this one, {__version__}, reads version {FORMAT_VERSION}"
        )
    if "checksum" not in data:
        raise FormatError(f"{source}: field 'checksum' is missing; save the patchwork again")
    if data.pop("checksum") != digest_document(data):
        raise FormatError(f"{source} is damaged: what is in it is not what was saved (its checksum differs)")
    check_sections(data, SECTIONS, source, FormatError, data.get("wavefold"))
    try:
        return decode_patchwork(kind, data, source, tiles, fields, join)
    except KeyError as error:
        raise FormatError(f"{source}: field {error} is missing") from error
    except (TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise FormatError(f"{source} is not a valid patchwork file: {error!r}") from error


def digest_document(data: dict[str, Any]) -> str:
    """The checksum of the document, whatever the order of its keys."""
    return checksum(json.dumps(data, sort_keys=True, separators=(",", ":"))).hex()


def encode_patchwork(patchwork: Patchwork) -> dict[str, Any]:
    """All parts of a patchwork, as plain data."""
    parts = patchwork.parts
    context, plan, state = parts.context, parts.context.plan, parts.state
    tiles = encode_tiles_once(patchwork.tiles)  # takes longest and never changes: not under the lock
    with holding(parts.growing), state.lock:
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "wavefold": __version__,
            "content_version": CHUNK_VERSION,
            "tile_set": digest_tiles(patchwork.tiles),
            "tiles": tiles,
            "radius": plan.radius,
            "seed": patchwork.seed,
            "join": encode_join(patchwork.join),
            "retries": asdict(patchwork.retries),
            "fields": encode_given_fields(patchwork.fields),
            "limits": None if patchwork.fields is None else hash_limits(patchwork.tiles),
            "presets": [
                [*cell, sorted(tile) if isinstance(tile, set | frozenset) else tile]
                for cell, tile in context.pins.items()
            ],
            "grids": [
                {
                    "patterns": [context.patterns[cell] for cell in plan.cells(report.key)],
                    "report": report.to_dict(),
                }
                for report in state.reports.values()
            ],
            "dropped": list(context.dropped),
            "changed": list(state.changed),
            "rebuilt": list(state.rebuilt),
            "rebuilds": state.rebuilds,
            **encode_grid_refining(parts.refining),
        }


def decode_patchwork(
    kind: type[Patchwork],
    data: dict[str, Any],
    source: Path,
    tiles: TileSet | None,
    fields: Fields | None,
    join: Any,
) -> Patchwork:
    """Inverse of `encode_patchwork`; given tiles, fields and join must match those of the file."""
    tiles = choose_tiles(data, source, tiles)
    fields = choose_fields(data["fields"], source, fields)
    join = choose_join(data["join"], source, join)
    if join.grows_from_seed and data["content_version"] != CHUNK_VERSION:
        raise FormatError(
            f"{source} was made by wavefold {data['wavefold']}, which generates different worlds from "
            f"{__version__}: grids cut from them would not fit"
        )
    try:
        presets = {(q, r): tile for q, r, tile in data["presets"]}
        refine = decode_grid_refining(data, len(tiles)) or False
        patchwork = kind(
            tiles,
            data["radius"],
            data["seed"],
            join,
            data["retries"],
            fields,
            presets,
            refine=refine,  # type: ignore[arg-type] # resolved
        )
        fill_grids(patchwork, data)
    except WavefoldError as error:
        raise FormatError(f"{source} is not a valid patchwork file: {error}") from error
    return patchwork


def fill_grids(patchwork: Patchwork, data: dict[str, Any]) -> None:
    """Put the grids into an empty patchwork, and validate each."""
    parts, count = patchwork.parts, len(patchwork.rules)
    context, state = parts.context, parts.state
    reports = [decode_report(grid["report"]) for grid in data["grids"]]
    parts.check_keys(report.key for report in reports)
    for report, grid in zip(reports, data["grids"], strict=True):
        patterns = grid["patterns"]
        if not all(type(each) is int and 0 <= each < count for each in patterns):
            raise FormatError(f"grid {report.key} has a pattern that its tiles do not have")
        context.patterns |= dict(zip(context.plan.cells(report.key), patterns, strict=True))
        state.reports[report.key] = report
    marks = {"dropped": context.dropped, "changed": state.changed, "rebuilt": state.rebuilt}
    for name, cells in marks.items():
        cells.update(decode_cells(name, data[name], context.patterns))
    state.rebuilds = parse_count("rebuilds", data["rebuilds"])
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
    """The report of a grid: whole numbers, except for the seconds."""
    counts = {field.name: data[field.name] for field in fields_of(Counts)}
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
    """Cells of the map, in order. Raises FormatError for a cell in no grid."""
    cells = {parse_pair(f"{name}: a cell", cell): None for cell in data}
    for cell in cells:
        if cell not in populated:
            raise FormatError(f"{name}: cell {cell} is in no grid of the map")
    return cells
