"""The commands of live sessions: JSON text, one command a message."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from fastapi.exceptions import RequestValidationError
from pydantic import Field, TypeAdapter, ValidationError, model_validator

from wavefold_server.bodies import Seed
from wavefold_server.live.logged_commands import (
    BanTile,
    Cell,
    Command,
    LockCells,
    Paint,
    PinCell,
    Refine,
    Regrow,
    Run,
    Step,
    Tile,
    Undo,
    UnpinCells,
    Version,
)
from wavefold_server.problems import Problem, invalid, unknown, validation_problem
from wavefold_server.solves.models import SolveRequest


class Open(SolveRequest):
    """Begin a session: the body of `POST /solves`, with what was done before.

    boards : "domains": frames with the domains of all cells, in place of boards with undecided ones
    """

    command: Literal["open"] = "open"
    version: Version = 0
    boards: Literal["counts", "domains"] = "counts"


class NewSeed(Command):
    """Begin again with another seed, and the same pins, bans and locks."""

    command: Literal["seed"] = "seed"
    seed: Seed


class Domain(Command):
    """What a cell may still be, and how likely."""

    command: Literal["domain"] = "domain"
    cell: Cell


class Possible(Command):
    """What each cell may be in any map at all, as far as the consequences of pins, paint and rules show.

    cells, tile : as if these were painted; both or neither
    keep : cells that must not change
    """

    command: Literal["possible"] = "possible"
    cells: list[Cell] = Field(default=[])
    tile: Tile | None = None
    keep: list[Cell] = Field(default=[])

    @model_validator(mode="after")
    def _check_both(self) -> Self:
        if bool(self.cells) != (self.tile is not None):
            raise ValueError("cells and tile belong together: give both or neither")
        return self


class Question(Command):
    """A command without arguments; all but `pause` and `close` change nothing."""

    command: Literal["pause", "board", "entropy", "colours", "explain", "names", "stats", "log", "close"]


AnyCommand = Annotated[
    Open | NewSeed | Step | Run | Undo | PinCell | BanTile | LockCells | UnpinCells | Paint | Regrow
    | Refine | Domain | Possible | Question,
    Field(discriminator="command"),
]  # fmt: skip
COMMANDS: TypeAdapter[Any] = TypeAdapter(AnyCommand)


def parse_command(text: str) -> Any:
    """One of the commands. Raises a `Problem` that says what is wrong with a message."""
    try:
        return COMMANDS.validate_json(text)
    except ValidationError as error:
        raise describe_fault(error) from None


def describe_fault(error: ValidationError) -> Problem:
    """The problem with a message, in the words that are used for bodies of requests."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "union_tag_invalid" and not first["loc"]:
        known = first["ctx"]["expected_tags"].replace("'", "").split(", ")
        return unknown("command", str(first["ctx"]["tag"]), known)
    if first["type"] == "union_tag_not_found" and not first["loc"]:
        return invalid("/command", "field 'command' is missing")
    faults = [{**each, "loc": each["loc"] or ("message",)} for each in error.errors(include_url=False)]
    return validation_problem(RequestValidationError(faults))
