"""`wavefold plugins`, `bench` and `config`: the parts of an installation, its speed and its settings."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated

import typer

from wavefold.cli.options import AsJson, ConfigFile, command
from wavefold.cli.terminal import note, open_console, print_json, print_table
from wavefold.errors import ConfigError, suggest
from wavefold.kernels.host.sources import CHECKOUT
from wavefold.plugins.kinds import EXTENSION_GROUPS, KINDS, find_entry_group
from wavefold.plugins.registry import PluginReport, examine

if TYPE_CHECKING:
    from wavefold.config import Effective

PREFIX = "wavefold."  # of groups of entry points
HEADINGS = ("kind", "name", "description", "origin")


@command("Example: wavefold plugins order")
def plugins(
    kind: Annotated[
        str | None, typer.Argument(help=f"Only this kind: {', '.join(KINDS)}.", show_default="all kinds")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the parts that can be used by name, where they come from, and why some cannot be used."""
    if kind is not None and kind not in KINDS:
        raise ConfigError(f"there is no kind {kind!r} of plugins; {suggest(kind, KINDS)}")
    found = [each for name in KINDS if kind in (None, name) for each in examine(name)]
    if as_json:
        print_json([each._asdict() for each in found])
        return
    rows = [(each.kind, each.name, describe(each), each.origin) for each in found]
    print_table(open_console(), "", HEADINGS, rows, len(rows))
    for each in found:
        if each.problem:
            note(f"warning: the {each.kind} {each.name!r} of {each.origin} cannot be used: {each.problem}")
    for group in find_unknown_groups():
        kind = group.removeprefix(PREFIX)
        note(f"warning: {group!r} is not read: there is no kind {kind!r} of plugins; {suggest(kind, KINDS)}")


def find_unknown_groups() -> list[str]:
    """Groups of entry points named after wavefold that it does not read."""
    known = EXTENSION_GROUPS.union(map(find_entry_group, KINDS))
    return sorted(group for group in entry_points().groups - known if group.startswith(PREFIX))


def describe(found: PluginReport) -> str:
    """Its description, or that it cannot be used."""
    return "cannot be used" if found.problem else found.description


@command("Example: wavefold bench --quick --json bench.json")
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


@command("Example: wavefold config --json")
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
        print_config(effective)
    else:
        typer.echo(effective.to_toml(), nl=False)  # an equivalent file


def print_config(effective: Effective) -> None:
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
