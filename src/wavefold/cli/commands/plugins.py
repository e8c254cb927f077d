"""`wavefold plugins`: the parts that can be used by name, ours and those of other packages."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Annotated

import typer

from wavefold.cli.options import app
from wavefold.cli.terminal import note, open_console, print_json, print_table
from wavefold.errors import ConfigError, suggest
from wavefold.map_format import OLD_GROUPS
from wavefold.plugin_kinds import KINDS
from wavefold.plugins import PluginReport, examine

GROUP = "wavefold.{}"
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
        kind = group.removeprefix(GROUP.format(""))
        note(f"warning: {group!r} is not read: there is no kind {kind!r} of plugins; {suggest(kind, KINDS)}")


def find_unknown_groups() -> list[str]:
    """Groups of entry points that are meant for wavefold, but that nothing reads."""
    known = {*map(GROUP.format, KINDS), *OLD_GROUPS.values()}
    return sorted(group for group in entry_points().groups - known if group.startswith(GROUP.format("")))


def describe(found: PluginReport) -> str:
    """What it is or, if it cannot be used, that."""
    return "cannot be used" if found.problem else found.description
