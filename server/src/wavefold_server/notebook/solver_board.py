"""A solver that a page drives, message by message: each is answered at once, with what there is to see.

The page asks for a few milliseconds of solving at a time, and asks again when it has drawn what came: nothing
runs in the background, the kernel is free in between, and a slow page has a slow solver, not a long queue.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, WavefoldError
from wavefold.formats import arrange
from wavefold.solver import Problem, Solution, Solver, count_single_bits, is_jump, paint, single_bits
from wavefold.storage import encode_png
from wavefold.tiles import TileSet
from wavefold.topology import HexGrid, SquareGrid
from wavefold_server.live.frames import Frame, board_of, split_events
from wavefold_server.live.views import describe_domain

LONGEST_MS = 100.0  # of solving for one message
MOST_STEPS = 100_000

Answer = dict[str, Any]


class Reply(NamedTuple):
    """What goes back to the page: JSON, and binary messages."""

    answer: Answer
    buffers: list[bytes]


class SolverBoard:
    """Commands of a page for one solver.

    painted : the map after something was painted on the finished one; the solver has it as it was before
    """

    def __init__(self, solver: Solver) -> None:
        if not can_show(solver.problem):
            raise ConfigError("only maps of squares and pointy-top hexagons have a live board")
        self.solver, self.problem = solver, solver.problem
        self.painted: list[Solution] = []
        self._shown: tuple[int, str] | None = None  # decisions and status that the page has seen
        self._commands: dict[str, Callable[[dict[str, Any]], Reply]] = {
            "open": self._open,
            "advance": self._advance,
            "undo": self._undo,
            "put": self._put,
            "domain": self._describe_domain,
        }

    @property
    def solution(self) -> Solution:
        """The map on the screen. Raises if it is not finished."""
        return self.painted[-1] if self.painted else self.solver.solution()

    def handle(self, message: Any) -> Reply:
        """Do what a page asks for. What goes wrong is part of the answer."""
        try:
            command = self._commands[message["command"]]
            return command(message)
        except WavefoldError as error:
            return Reply(self._describe() | {"error": str(error)}, [])
        except (KeyError, TypeError, ValueError):
            return Reply({"error": "this page and the kernel do not fit together: show the board again"}, [])

    def _describe(self) -> Answer:
        decided = self.problem.cell_count if self.painted else count_single_bits(self.solver.partial().words)
        about = {"status": self.solver.status, "decisions": self.solver.stats.decisions, "decided": decided}
        return about | {"cells": self.problem.cell_count, "edits": len(self.painted)}

    def _show_board(self) -> Reply:
        self._shown = (self.solver.stats.decisions, self.solver.status)
        words = (
            single_bits(self.painted[-1].patterns, self.problem.rules.words)
            if self.painted
            else self.solver.partial().words
        )
        return Reply(self._describe(), [board_of(words, len(self.problem.rules), 0).encode()])

    def _open(self, message: dict[str, Any]) -> Reply:
        """Everything that does not change: pictures, names, where cells are; then the board."""
        answer, buffers = self._show_board()
        rules, topology = self.problem.rules, self.problem.topology
        assert isinstance(topology, HexGrid | SquareGrid)
        pictures = draw_patterns(self.problem)
        columns = int(np.ceil(np.sqrt(len(pictures))))
        about = {"columns": columns, "width": pictures.shape[2], "height": pictures.shape[1]}
        tiles: dict[str, int] = {}  # the first pattern of each
        for number, tile in enumerate(rules.tile_of.tolist()):
            tiles.setdefault(rules.tiles[tile], number)
        answer |= {"atlas": about, "kind": topology.kind, "names": list(rules.names)}
        answer["tiles"] = [{"name": name, "pattern": number} for name, number in tiles.items()]
        atlas = encode_png(arrange(list(pictures), columns))
        where = np.ascontiguousarray(topology.coordinates, "<i4").tobytes()
        return Reply(answer, [*buffers, atlas, where])

    def _advance(self, message: dict[str, Any]) -> Reply:
        """Solve for `ms`, at most so many `steps`."""
        solver, batches = self.solver, list[NDArray[np.int32]]()
        is_stale = self._shown != (solver.stats.decisions, solver.status)
        self.painted.clear()
        stop = solver.listen(batches.append, batches=True)
        try:
            end = perf_counter() + min(float(message["ms"]), LONGEST_MS) / 1e3
            for _ in range(min(int(message["steps"]), MOST_STEPS)):
                if solver.status in ("solved", "impossible") or perf_counter() > end:
                    break
                solver.step()
        finally:
            stop()
        # The page follows removals. It needs a board after anything else, or if others used the solver.
        if is_stale or any(map(is_jump, batches)):
            return self._show_board()
        self._shown = (solver.stats.decisions, solver.status)
        frames: list[Frame] = list(split_events(batches, 0))
        return Reply(self._describe(), [frame.encode() for frame in frames])

    def _undo(self, message: dict[str, Any]) -> Reply:
        """Go back: what was painted first, then decisions."""
        if self.painted:
            self.painted.pop()
        else:
            self.solver.undo()
        return self._show_board()

    def _put(self, message: dict[str, Any]) -> Reply:
        """A tile for a cell: a pin while there is something to decide, then paint."""
        cell, tile = int(message["cell"]), str(message["tile"])
        if self.solver.status == "solved":
            self.painted.append(paint(self.solution, [cell], tile))
        else:
            self.solver.pin(cell, tile)
        return self._show_board()

    def _describe_domain(self, message: dict[str, Any]) -> Reply:
        return Reply(describe_domain(self.problem, self.solver.partial().words, int(message["cell"])), [])


def can_show(problem: Problem) -> bool:
    """Whether there is a board for such maps, and pictures."""
    topology = problem.topology
    if isinstance(topology, HexGrid):
        return topology.layout == "pointy" and isinstance(problem.tiles, TileSet)
    return isinstance(topology, SquareGrid) and isinstance(problem.tiles, TileSet)


def draw_patterns(problem: Problem) -> NDArray[np.uint8]:
    """Uint8 [pattern, row, column, RGBA]."""
    assert isinstance(problem.tiles, TileSet)
    return problem.tiles.pictures()
