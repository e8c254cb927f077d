"""`wavefold bench` and `wavefold config`: the speed and the settings of an installation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from wavefold.cli.options import AsJson, ConfigFile, app
from wavefold.cli.terminal import print_json
from wavefold.errors import ConfigError
from wavefold.kernels.host.sources import CHECKOUT

if TYPE_CHECKING:
    from wavefold.config import Effective


@app.command(epilog="Example: wavefold bench --quick --json bench.json")
def bench(
    against: Annotated[
        str | None, typer.Option(help="A folder of reference kernels to compare with.")
    ] = None,
    output: Annotated[
        str, typer.Option("--json", help="The file for the figures (--json takes a name here).")
    ] = "bench.json",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer sizes and repetitions.")] = False,
) -> None:
    """Measure the speed of the solver on this machine, and write the figures."""
    if not (CHECKOUT / "benchmarks" / "run.py").exists():
        raise ConfigError("benchmarks need a checkout of wavefold: run `make bench` there")
    sys.path.insert(0, str(CHECKOUT))
    from benchmarks import main as run

    raise typer.Exit(run(against, output, quick))


@app.command(epilog="Example: wavefold config --json")
def config(
    as_json: AsJson = False,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Show the defaults, without any file, variable or flag.")
    ] = False,
    path: ConfigFile = None,
) -> None:
    """Show the configuration in force, and where each value comes from."""
    from wavefold.config import load_config

    effective = load_config("", environment={}) if defaults else load_config(path)
    if as_json:
        print_json(effective.to_dict())
    elif sys.stdout.isatty():
        print_table(effective)
    else:
        typer.echo(effective.to_toml(), nl=False)  # an equivalent file


def print_table(effective: Effective) -> None:
    """A row for each key; values that were set are bold."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from wavefold.config.effective import format_toml

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("key", "value", "from"):
        table.add_column(title, overflow="fold")
    section = None
    for path, value, origin in effective.settings():
        if path[0] != section:
            if section is not None:
                table.add_section()
            section = path[0]
        cells = (".".join(path), "not set" if value is None else format_toml(value), str(origin))
        table.add_row(*(Text(cell) for cell in cells), style="bold" if origin.rank else "dim")
    console = Console()
    console.print(Text(f"file: {effective.file.name if effective.file else 'none'}\n"))
    console.print(table)
