"""`wavefold config`: the configuration in force, and where each value comes from."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from wavefold.cli.program import say_json
from wavefold.config import Effective, load_config
from wavefold.config.dump import as_toml, written


def show_config(as_json: bool = False, defaults: bool = False, path: Path | None = None) -> None:
    """JSON if asked for; else a table for eyes, and for pipes a TOML file that says the same."""
    effective = load_config("", environment={}) if defaults else load_config(path)
    if as_json:
        say_json(effective.to_dict())
    elif sys.stdout.isatty():
        show_table(effective)
    else:
        typer.echo(as_toml(effective), nl=False)


def show_table(effective: Effective) -> None:
    """A row for each key; what somebody set stands out."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("key", "value", "from"):
        table.add_column(title, overflow="fold")
    section = None
    for path, value, origin in effective.settings():
        if path[0] != section:
            if section is not None:
                table.add_section()
            section = path[0]
        cells = (".".join(path), "not set" if value is None else written(value), str(origin))
        table.add_row(*(Text(cell) for cell in cells), style="bold" if origin.rank else "dim")
    console = Console()
    console.print(Text(f"file: {effective.file.name if effective.file else 'none'}\n"))
    console.print(table)
