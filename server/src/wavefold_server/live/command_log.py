"""The log of a session: the commands that changed it, which give the same state when they are repeated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wavefold_server.live.logged_commands import (
    MOST_COMMANDS,
    BanTile,
    Command,
    LockCells,
    Paint,
    PinCell,
    Step,
)
from wavefold_server.problems import Problem


class CommandLog:
    """What was done, in order.

    find_cell : the number of a cell, from what a command calls it
    """

    def __init__(self, find_cell: Callable[[Any], int]) -> None:
        self.entries: list[Any] = []
        self._find_cell = find_cell

    def add(self, command: Command) -> dict[str, Any]:
        """Note a command; the part of its answer that says so. Steps in succession are one entry."""
        last = self.entries[-1] if self.entries else None
        if isinstance(command, Step) and isinstance(last, Step):
            self.entries[-1] = Step(count=last.count + command.count)
        else:
            self.entries.append(command)
        return describe_entry(command)

    def check_length(self) -> None:
        """Refuse to go on for ever."""
        if len(self.entries) >= MOST_COMMANDS:
            detail = f"the log of this session has {MOST_COMMANDS:,} commands, which is the most it may"
            raise no_room(detail, "Begin a session with locks for all cells: it begins where this one is.")

    def without_cells(self, freed: set[int]) -> list[Any]:
        """All entries, but without pins, bans, locks and paint in these cells."""
        kept = [self._leave_out(each, freed) for each in self.entries]
        return [each for each in kept if each is not None]

    def _leave_out(self, command: Any, freed: set[int]) -> Any:
        """A command without what it says of these cells; None if nothing is left of it."""
        if isinstance(command, PinCell | BanTile):
            return None if self._find_cell(command.cell) in freed else command
        if isinstance(command, LockCells | Paint):
            cells = [cell for cell in command.cells if self._find_cell(cell) not in freed]
            return command.model_copy(update={"cells": cells}) if cells else None
        return command


def no_room(detail: str, advice: str) -> Problem:
    """The answer to a command for which a session has gone on for too long."""
    return Problem(422, detail, error="LimitExceeded", advice=advice)


def describe_entry(command: Command) -> dict[str, Any]:
    """What an answer says of the log."""
    return {"log": command.model_dump(mode="json", exclude={"version"})}
