"""`wavefold config`: the configuration in force, and where each value comes from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wavefold.cli.options import AsJson, ConfigFile, app, print_json

if TYPE_CHECKING:
    from wavefold.config import Effective


@app.command(epilog="Example: wavefold config --json")
def config(
    as_json: AsJson = False,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Show the defaults, without any file, variable or flag.")
    ] = False,
    path: ConfigFile = None,
) -> None:
    """Show the configuration in force, and where each value comes from."""
    run(as_json, defaults, path)


def run(as_json: bool = False, defaults: bool = False, path: Path | None = None) -> None:
    """Print JSON if asked for, a table in a terminal, and an equivalent TOML file in a pipe."""
    from wavefold.config import load_config
    from wavefold.config.dump import as_toml

    effective = load_config("", environment={}) if defaults else load_config(path)
    if as_json:
        print_json(effective.to_dict())
    elif sys.stdout.isatty():
        print_table(effective)
    else:
        typer.echo(as_toml(effective), nl=False)


def print_table(effective: Effective) -> None:
    """A row for each key; values that were set are bold."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from wavefold.config.dump import format_value

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("key", "value", "from"):
        table.add_column(title, overflow="fold")
    section = None
    for path, value, origin in effective.settings():
        if path[0] != section:
            if section is not None:
                table.add_section()
            section = path[0]
        cells = (".".join(path), "not set" if value is None else format_value(value), str(origin))
        table.add_row(*(Text(cell) for cell in cells), style="bold" if origin.rank else "dim")
    console = Console()
    console.print(Text(f"file: {effective.file.name if effective.file else 'none'}\n"))
    console.print(table)
