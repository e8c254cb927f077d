"""Commands that change a live session, as its log has them: any server can do them again."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from wavefold_server.bodies import Body, Seed, check_plain


def check_tile(tile: Any) -> Any:
    """What a pin may name."""
    if not (type(tile) in (str, int) or (isinstance(tile, list) and tile)):
        raise ValueError("must be the name of a tile, a list of names, or a colour of a learned set")
    return check_plain(tile)


MOST_COMMANDS = 10_000  # in a log
Count = Annotated[int, Field(ge=1, le=1 << 31)]
Number = Annotated[int, Field(ge=0, le=1 << 31)]
Cell = Annotated[
    Number | list[int], Field(description="a number, row by row, or coordinates `[x, y]`", examples=[[3, 4]])
]
Tile = Annotated[
    Any,
    AfterValidator(check_tile),
    Field(description="the name of a tile or pattern, a list of names, or a colour of a learned set"),
]
Version = Annotated[
    int, Field(ge=0, lt=1 << 53, description="the client's number for this command, which answers repeat")
]


class Command(Body):
    """The base class of commands."""

    version: Version = 0


class Step(Command):
    """Make steps: a decision with its consequences each, or a step back."""

    command: Literal["step"] = "step"
    count: Count = 1


class Run(Command):
    """Go on until the map is finished, or `until`, or until a command that changes something.

    speed : steps a second
    until : "end", "contradiction", or a number of further decisions
    show : "events" as they happen, "boards" (at most 60 a second) or, fastest, only the "end"
    """

    command: Literal["run"] = "run"
    speed: Annotated[float, Field(gt=0, le=1e6)] | Literal["max"] = "max"
    until: Literal["end", "contradiction"] | Count = "end"
    show: Literal["events", "boards", "end"] = "events"


class Undo(Command):
    """Undo what was made of the finished map, then decisions."""

    command: Literal["undo"] = "undo"
    count: Count = 1


class PinCell(Command):
    """This cell is this tile from now on."""

    command: Literal["pin"] = "pin"
    cell: Cell
    tile: Tile


class BanTile(Command):
    """This cell is not this tile from now on."""

    command: Literal["ban"] = "ban"
    cell: Cell
    tile: Tile


class LockCells(Command):
    """These cells stay as they are when the seed changes; they must be decided."""

    command: Literal["lock"] = "lock"
    cells: list[Cell]


class UnpinCells(Command):
    """Forget the pins, bans and locks of these cells, and do again what else was done."""

    command: Literal["unpin"] = "unpin"
    cells: list[Cell]


class Paint(Command):
    """These cells of the finished map become this tile, and as little else changes as possible.

    keep : other cells that must not change
    drop : cells whose pins, paint and locks need not hold any more; "auto": as few as are easily found
    """

    command: Literal["paint"] = "paint"
    cells: list[Cell] = Field(min_length=1)
    tile: Tile
    keep: list[Cell] = Field(default=[])
    drop: list[Cell] | Literal["auto"] = Field(default=[])


class Regrow(Command):
    """Replace the tiles of these cells of the finished map, and change as few others as possible.

    keep : cells that must not change
    """

    command: Literal["regrow"] = "regrow"
    cells: list[Cell] = Field(min_length=1)
    seed: Seed = 0
    keep: list[Cell] = Field(default=[])


class Refine(Command):
    """Refine the finished map; without a number of sweeps, as `refine` of `open` says."""

    command: Literal["refine"] = "refine"
    sweeps: Annotated[int, Field(ge=0, le=100_000)] | None = None


LoggedCommand = Annotated[
    Step | Run | Undo | PinCell | BanTile | LockCells | UnpinCells | Paint | Regrow | Refine,
    Field(discriminator="command"),
]
