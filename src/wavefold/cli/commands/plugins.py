"""`wavefold plugins`: the parts that can be used by name, built-in or from other packages."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Annotated

import typer

from wavefold.cli.options import app
from wavefold.cli.terminal import note, open_console, print_json, print_table
from wavefold.errors import ConfigError, suggest
from wavefold.plugins.kinds import EXTENSIONS, KINDS, group_of
from wavefold.plugins.registry import PluginReport, examine

PREFIX = "wavefold."  # of groups of entry points
HEADINGS = ("kind", "name", "description", "origin")


@app.command(epilog="Example: wavefold plugins order")
def plugins(
    kind: Annotated[
        str | None, typer.Argument(help=f"Only this kind: {', '.join(KINDS)}.", show_default="all kinds")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
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
    known = EXTENSIONS.union(map(group_of, KINDS))
    return sorted(group for group in entry_points().groups - known if group.startswith(PREFIX))


def describe(found: PluginReport) -> str:
    """Its description, or that it cannot be used."""
    return "cannot be used" if found.problem else found.description
