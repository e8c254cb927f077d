"""`wavefold patchwork compare`: all ways to join grids, as a table, data or a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wavefold.cli.commands.patchwork import Grids, PatchworkSource, Presets, patchwork
from wavefold.cli.flags import Flags, declared_flags
from wavefold.cli.options import LEARNING, SUBSET, AsJson, Page, Preset, RequiredTileSet, command
from wavefold.cli.outputs import check_distinct, check_ending, list_written, print_result, record_written
from wavefold.cli.terminal import open_console, print_json, print_line, print_table, progress_bar
from wavefold.errors import ConfigError, suggest
from wavefold.options.groups import PatchworkOptions
from wavefold.plugins.registry import available, find, is_offered
from wavefold.storage.files import collect_reads, write_atomically

if TYPE_CHECKING:
    from wavefold.reports.comparing.results import Comparison

PAGES = (".html", ".htm")
ENDINGS = (".csv", ".json", ".md", *PAGES)
FIELDS = ("plain", "driven", "both")
TEXT_COLUMNS = 3  # names; the others are numbers
OWN_FLAGS = declared_flags((PatchworkOptions, "radius retries fields preset presets page"), LEARNING, SUBSET)


@command(
    "Example: wavefold patchwork compare --seeds 100 --html joins.html",
    "wavefold patchwork compare castle --radius 5 --grids 'ring 1' --joins overlap,fixed -o joins.csv",
    group=patchwork,
)
def compare(
    tileset: RequiredTileSet = "medieval",
    seeds: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many maps for each join, with seeds from --seed on.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 0,
    joins: Annotated[str, typer.Option(help="all, or names separated by commas: overlap,fixed.")] = "all",
    grids: Grids = "19",
    flags: Flags = OWN_FLAGS,
    retries: Annotated[
        str, typer.Option(metavar="N,N", help="Seeds per phase for the join fixed, separated by commas.")
    ] = "1,3",
    fields: Annotated[
        str, typer.Option(help="Maps without fields, driven by fields, or both: plain, driven, both.")
    ] = "both",
    preset: Preset = None,
    presets: Presets = False,
    page: Page = None,
    output: Annotated[
        list[Path] | None,
        typer.Option("-o", "--output", help="Write the table as .csv, .md, .json or .html."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the ways to join grids, with the same seeds: success, changes, drops, time."""
    from wavefold.reports.comparing.run import compare as compare_joins
    from wavefold.reports.comparing.run import list_cases

    source = PatchworkSource(tileset, flags, grids, preset, False, presets)
    outputs = [*(output or ()), *([page] if page else ())]
    check_ending(page, "a page", PAGES)
    for path in outputs:
        check_ending(path, "a table", ENDINGS)
    if fields not in FIELDS:
        raise ConfigError(f"--fields {fields!r} is not one of {', '.join(FIELDS)}")
    join_names, retry_counts = parse_joins(joins), parse_retries(retries)
    with collect_reads() as inputs:
        tiles = source.load()
    check_distinct(outputs, [0], inputs)
    keys = source.keys(tiles)
    cases = list_cases(
        tiles, join_names, retry_counts, source.preset, plain=fields != "driven", driven=fields != "plain"
    )
    tried = range(seed, seed + seeds)
    with progress_bar("maps") as progress:
        comparison = compare_joins(tiles, cases, keys, tried, source.options.radius, presets, progress)
    for path in outputs:
        write(comparison, path)
    if as_json:
        print_json(comparison.to_dict() | {"outputs": list_written()})
        return
    show(comparison)
    if outputs:
        typer.echo()
        print_result("comparison saved")


def parse_joins(text: str) -> list[str] | None:
    """`overlap,fixed` -> their names; None for all."""
    names = list(dict.fromkeys(part for part in re.split(r"[,\s]+", text.strip()) if part))
    if names == ["all"] or not names:
        return None
    for name in names:
        if not is_offered("join", name):
            hint = suggest(name, ["all", *available("join")])
            raise ConfigError(f"--joins: there is no join {name!r}; {hint}")
        find("join", name)
    return names


def parse_retries(text: str) -> list[int]:
    """`1,3` -> [1, 3]."""
    if not re.fullmatch(r"\s*\d{1,5}(\s*,\s*\d{1,5})*\s*", text):
        raise ConfigError(f"--retries {text!r} is not a list of numbers: write it as 1,3")
    numbers = list(dict.fromkeys(int(part) for part in text.split(",")))
    if not all(1 <= number <= 10_000 for number in numbers):
        raise ConfigError(f"--retries {text!r}: each is a whole number from 1 to 10,000")
    return numbers


def write(comparison: Comparison, path: Path) -> None:
    """Write the comparison as a page, a table or data."""
    ending = path.suffix.lower()
    if ending in PAGES:
        from wavefold.reports.comparing.page import save_compare_page

        save_compare_page(comparison, path)
    else:
        from wavefold.reports.comparing.results import as_csv, as_markdown

        writers = {".csv": as_csv, ".json": to_json, ".md": as_markdown}
        with write_atomically(path) as file:
            file.write(writers[ending](comparison).encode())
    record_written(path)


def to_json(comparison: Comparison) -> str:
    """Everything, line by line."""
    return json.dumps(comparison.to_dict(), indent=1, ensure_ascii=False) + "\n"


def show(comparison: Comparison) -> None:
    """Print the table."""
    from wavefold.reports.comparing.results import COLUMNS, build_rows, explain_columns

    console = open_console()
    rows = build_rows(comparison)
    title = f"{comparison.tiles.name or 'tiles'}: ways to join grids"
    print_table(console, title, list(COLUMNS), rows, len(rows), TEXT_COLUMNS)
    print_line(console, f"\n{explain_columns(comparison)}")
