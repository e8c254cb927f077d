"""Options for constraints: `--connected floor --count exit=1 --border wall`; `--constraint` for any other.

Each becomes a table, as in the configuration. Nothing is imported before a command runs.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection
from typing import Annotated, Any, NamedTuple

import typer

from wavefold.cli.flags import PANELS, FlagGroup
from wavefold.errors import ConfigError
from wavefold.options.text import read_value

RANGE = re.compile(r"(\d{0,9})(\.\.)?(\d{0,9})")
Table = dict[str, Any]


def read_tile(text: str) -> Table:
    """`floor`, `floor,road` or `sides=road`."""
    key, equals, sides = text.partition("=")
    if key == "sides" and equals:
        return {"sides": sides.split(",")}
    return {"tiles": read_value(text)}


def read_range(low: str, high: str, is_exact: bool = True) -> Callable[[str], Table]:
    """`exit=1`, `tower=2..5`, `tower=2..`; is_exact: one number is both bounds, not the lower one."""

    def read(text: str) -> Table:
        tile, bounds = split(text)
        found = RANGE.fullmatch(bounds)
        if found is None or not (found[1] or found[3]):
            raise ValueError
        table = {"tile": tile, low: int(found[1] or 0), high: int(found[3]) if found[3] else None}
        if found[2] is None and is_exact:
            table[high] = table[low]
        return {key: value for key, value in table.items() if value is not None and (key != low or value)}

    return read


def read_number(key: str) -> Callable[[str], Table]:
    """`chest=10`."""

    def read(text: str) -> Table:
        tile, number = split(text)
        return {"tile": tile, key: int(number)}

    return read


def read_border(text: str) -> Table:
    """`wall` or `wall=north` or `wall=north,corners`."""
    tile, _, side = text.partition("=")
    return {"tile": read_value(tile), **({"side": read_value(side)} if side else {})}


def read_any(text: str) -> Table:
    """`slope field=height tile=road at_most=0.1`."""
    kind, *words = shlex.split(text)
    pairs = [word.partition("=") for word in words]
    if any(not equals or not key for key, equals, _ in pairs):
        raise ValueError
    keys = [key for key, _, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ConfigError(
                f"--constraint {text!r} has the key {key!r} twice; write a list, such as {key}=a,b"
            )
    return {"kind": kind} | {key: read_value(value) for key, _, value in pairs}


def split(text: str) -> tuple[Any, str]:
    """The text before the last equals sign, and the text after it."""
    tile, equals, rest = text.rpartition("=")
    if not equals or not tile:
        raise ValueError
    return read_value(tile), rest


class Flag(NamedTuple):
    """An option: its syntax, and the function that reads it."""

    metavar: str
    help: str
    example: str
    read: Callable[[str], Table]


FLAGS = {
    "connected": Flag(
        "TILE|sides=SIDE", "All cells of this tile, or all paths of such sides, are in one piece.", "floor",
        read_tile,
    ),
    "count": Flag(
        "TILE=N", "How often a tile appears: exit=1, tower=2..5, lamp=3..", "exit=1",
        read_range("at_least", "at_most"),
    ),
    "border": Flag("TILE[=SIDE]", "The tile is at the edge: wall, wall=north.", "wall=north", read_border),
    "separation": Flag(
        "TILE=STEPS", "Any two cells of the tile are at least so many steps apart.", "chest=10",
        read_number("distance"),
    ),
    "max_run": Flag("TILE=N", "At most N of the tile in a row.", "corridor=6", read_number("at_most")),
    "parallel": Flag(
        "TILE=N", "Lines of the tile are side by side for at most N cells.", "road=2", read_number("at_most")
    ),
    "room": Flag(
        "TILE=N", "Cells of each connected area: floor=9, floor=9..80.", "floor=9..80",
        read_range("smallest", "largest", is_exact=False),
    ),
    "mirror": Flag("AXIS", "The map is mirror symmetric: vertical or horizontal.", "vertical",
                   lambda text: {"axis": text}),
    "rotational": Flag("ORDER", "The map is the same when turned: 2, 4; hexagons 2, 3, 6.", "4",
                       lambda text: {"order": int(text)}),
    "constraint": Flag(
        "KIND KEY=VALUE", "Any other: 'area tile=lake area=0,0,8,4', or one of a plugin.",
        "border tile=wall side=north", read_any,
    ),
}  # fmt: skip


def read_flags(given: dict[str, list[str] | None]) -> list[Table]:
    """The tables of all options for constraints."""
    tables = []
    for name, texts in given.items():
        flag = FLAGS[name]
        for text in texts or ():
            try:
                tables.append({"kind": name} | flag.read(text))
            except ValueError:
                option = f"--{name.replace('_', '-')}"
                raise ConfigError(
                    f"{option} {text!r} is invalid: write {flag.metavar}, such as {option} {flag.example!r}"
                ) from None
    return tables


def constraint_flags(hidden: Collection[str] = ()) -> Any:
    """The group of all options for constraints, which reach a command as tables.

    hidden : options that the help leaves out, because the command refuses their constraints
    """

    def describe_flag(name: str, flag: Flag) -> Any:
        option = typer.Option(
            f"--{name.replace('_', '-')}",
            metavar=flag.metavar,
            help=f"{flag.help.rstrip('.')}; repeatable.",
            rich_help_panel=PANELS["own_constraints"],
            show_default=False,
            hidden=name in hidden,
        )
        return Annotated[list[str] | None, option]

    return FlagGroup({name: describe_flag(name, flag) for name, flag in FLAGS.items()}, read_flags)


CONSTRAINTS = constraint_flags()
