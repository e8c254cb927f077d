"""`wavefold patchwork compare`: every way to join grids, as a table, as data or as a page."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from wavefold.cli import ledger
from wavefold.cli.audit_tables import say, tabulate
from wavefold.cli.generate import compiling, named
from wavefold.cli.outputs import check_apart
from wavefold.cli.patchwork_source import Source
from wavefold.cli.program import say_json
from wavefold.cli.world_telling import counting
from wavefold.common.files import check_writable, write_atomically
from wavefold.errors import ConfigError, suggest
from wavefold.patchwork.compare.results import Comparison
from wavefold.patchwork.compare.run import cases_for, compare
from wavefold.patchwork.compare.table import HEADINGS, as_csv, as_markdown, explain_columns, rows_of
from wavefold.plugins import available, find

PAGES = (".html", ".htm")
ENDINGS = (".csv", ".json", ".md", *PAGES)
FIELDS = ("plain", "driven", "both")
TEXT_COLUMNS = 3  # names; the others are numbers
PIPED_WIDTH = 200


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for on the command line."""

    source: Source
    seeds: int
    first: int
    joins: str
    retries: str
    fields: str
    page: Path | None
    outputs: tuple[Path, ...]  # the page is one of them
    as_json: bool


def contrast(request: Request) -> None:
    """Make all maps, then write and show the table. What would fail at the end is checked before."""
    ledger.keep()
    check_files(request)
    if request.fields not in FIELDS:
        raise ConfigError(f"--fields {request.fields!r} is none of {', '.join(FIELDS)}")
    joins, retries = read_joins(request.joins), read_retries(request.retries)
    with ledger.reading() as inputs:
        tiles = request.source.load()
    check_apart(request.outputs, [0], inputs)
    keys = request.source.keys(tiles)
    cases = cases_for(
        tiles,
        joins,
        retries,
        request.source.preset,
        plain=request.fields != "driven",
        driven=request.fields != "plain",
    )
    seeds = range(request.first, request.first + request.seeds)
    with compiling(), counting("maps") as progress:
        comparison = compare(
            tiles, cases, keys, seeds, request.source.radius, request.source.presets, progress
        )
    for path in request.outputs:
        write(comparison, path)
    if request.as_json:
        say_json(comparison.to_dict() | {"outputs": ledger.written()})
        return
    show(comparison)
    if request.outputs:
        typer.echo(f"\n{named(ledger.written())} — the same to keep")


def check_files(request: Request) -> None:
    """Raise, before any work, for files that could not be written."""
    for path in request.outputs:
        ending = path.suffix.lower()
        if path == request.page and ending not in PAGES:
            raise ConfigError(f"cannot write {str(path)!r}: a page ends in .html")
        if ending not in ENDINGS:
            raise ConfigError(f"cannot write {str(path)!r}: a table ends in {', '.join(ENDINGS)}")
        check_writable(path)


def read_joins(text: str) -> list[str] | None:
    """`overlap,fixed` -> their names; None for all."""
    names = list(dict.fromkeys(part for part in re.split(r"[,\s]+", text.strip()) if part))
    if names == ["all"] or not names:
        return None
    known = available("join")
    for name in names:
        if name not in known:
            raise ConfigError(f"--joins: there is no join {name!r}; {suggest(name, ['all', *known])}")
        find("join", name)
    return names


def read_retries(text: str) -> list[int]:
    """`1,3` -> [1, 3]."""
    if not re.fullmatch(r"\s*\d{1,5}(\s*,\s*\d{1,5})*\s*", text):
        raise ConfigError(f"--retries {text!r} are no numbers: write them as 1,3")
    numbers = list(dict.fromkeys(int(part) for part in text.split(",")))
    if not all(1 <= number <= 10_000 for number in numbers):
        raise ConfigError(f"--retries {text!r}: each is a whole number from 1 to 10,000")
    return numbers


def write(comparison: Comparison, path: Path) -> None:
    """The comparison as a file."""
    ending = path.suffix.lower()
    if ending in PAGES:
        from wavefold.patchwork.compare.page import save_compare_page

        save_compare_page(comparison, path)
    else:
        writers = {".csv": as_csv, ".json": as_json, ".md": as_markdown}
        with write_atomically(path) as file:
            file.write(writers[ending](comparison).encode())
    ledger.note(path)


def as_json(comparison: Comparison) -> str:
    """Everything, line by line."""
    return json.dumps(comparison.to_dict(), indent=1, ensure_ascii=False) + "\n"


def show(comparison: Comparison) -> None:
    """A table: with lines and colours for eyes, plain columns for pipes."""
    from rich.console import Console

    looking = sys.stdout.isatty()
    console = Console(highlight=False, width=None if looking else PIPED_WIDTH)
    rows: Sequence[Sequence[object]] = rows_of(comparison)
    title = f"{comparison.tiles.name or 'tiles'}: ways to join grids"
    tabulate(console, title, HEADINGS, rows, len(rows), TEXT_COLUMNS)
    say(console, f"\n{explain_columns(comparison)}")
