"""A solver that a client controls, and the log from which it can be rebuilt at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints import to_tuples
from wavefold.errors import ConfigError, Contradiction, WavefoldError
from wavefold.solver import (
    Pin,
    Problem,
    Solution,
    Stopped,
    count_single_bits,
    find_obstacles,
    paint,
    regrow,
    single_bits,
    single_patterns,
)
from wavefold.tiles import TileSet
from wavefold_server.live import logged_commands as logged
from wavefold_server.live import views
from wavefold_server.live.command_log import CommandLog, describe_entry
from wavefold_server.live.finished_maps import FinishedMaps, refine_map
from wavefold_server.live.frames import Frame, board_of, domains_of, tag_of
from wavefold_server.live.opening import LOCK, prepare
from wavefold_server.live.sliced_run import MOST_STATES, SlicedRun, count_states
from wavefold_server.problems import Problem as ProblemDocument
from wavefold_server.settings import Limits
from wavefold_server.solves.models import SolveRequest

REPLAY_SLICE = 0.05  # seconds
EDITS = ("paint", "regrow")  # commands that make another map of the finished one

Result = TypeVar("Result")
Answer = dict[str, Any]
Shown = tuple[list[Frame], Answer]  # what a command shows, and its answer


class LiveSession:
    """One solver, driven by commands one after another, in any thread but one at a time.

    request : what the session began with, without commands
    opening : the problem and the settings of the solver
    maps : what was made of the finished map; the solver has it as it was before
    pins : and bans, of commands
    left_out : how many of the commands given to `open` failed
    """

    def __init__(self, request: SolveRequest, tiles: TileSet, limits: Limits) -> None:
        self._tiles, self._limits = tiles, limits
        self._is_broken = False
        self._begin(request)

    def _begin(self, request: SolveRequest) -> None:
        """Build the solver, and do what was done before."""
        self.opening = prepare(request, self._tiles, self._limits)
        self.problem, self.solver = self.opening.problem, self.opening.build_solver()
        self.request = request.model_copy(update={"commands": []})
        self._shows_domains = getattr(request, "boards", "") == "domains"
        self.locks, self.pins = dict(request.locks), list[Pin]()
        self.maps, self.log = FinishedMaps(), CommandLog(self.find_cell)
        self.left_out = sum(not self.repeat(command) for command in request.commands)

    def repeat(self, command: Any) -> bool:
        """Do what was done before, without showing it. False if it failed."""
        with suppress(WavefoldError, ProblemDocument):
            if isinstance(command, logged.Step | logged.Run):
                progress = self.start(command, is_watched=False)
                while not progress.ending:
                    progress.advance(REPLAY_SLICE)
                self.finish(progress)
            elif isinstance(command, logged.Refine):
                self.take_refined(command, self.refine(command, lambda _: None))
            else:
                self.execute(command)
            return True
        return False

    @property
    def words(self) -> NDArray[np.uint64]:
        """[cell, word] what each cell may still be."""
        if self.maps.last is not None:
            return single_bits(self.maps.last.patterns, self.problem.rules.words)
        return self.solver.partial().words

    @property
    def solution(self) -> Solution:
        """The finished map. Raises if it is not finished."""
        return self._solve_result() if self.maps.last is None else self.maps.last

    @property
    def requirements(self) -> Problem:
        """The problem with all that holds from now on: pins and bans of commands, and what was painted."""
        if self.maps.last is not None:
            return self.maps.last.problem
        return self.problem.replace(pins=(*self.problem.pins, *self.pins)) if self.pins else self.problem

    def _solve_result(self) -> Solution:
        """The solver's map, which must keep the pins and bans of commands, whatever is made of it."""
        return replace(self.solver.solution(), problem=self.requirements)

    def show_board(self, version: int) -> Frame:
        """The whole state."""
        words, patterns, tag = self.words, len(self.problem.rules), tag_of(version)
        is_open = count_single_bits(words) < len(words)
        if is_open and self._shows_domains and count_states(self.solver) <= MOST_STATES:
            return domains_of(words, patterns, tag)
        return board_of(words, patterns, tag)

    def describe(self) -> Answer:
        """How far it is."""
        words, stats = self.words, self.solver.stats
        about = {"status": self.solver.status, "decisions": stats.decisions, "edits": len(self.maps)}
        about |= {"decided": count_single_bits(words), "cells": self.problem.cell_count}
        conflict = views.find_conflict(self.problem, words)
        return about | {"refined": self.maps.is_refined, "conflict": conflict}

    def describe_problem(self) -> Answer:
        """What does not change during a session."""
        rules, topology = self.problem.rules, self.problem.topology
        about = {"kind": topology.kind, "shape": topology.shape, "patterns": len(rules)}
        return about | {"rules": rules.digest, "seed": self.solver.seed, "left_out": self.left_out}

    def with_seed(self, seed: int) -> SolveRequest:
        """What begins a session with another seed, and the same pins, bans, locks and painted cells."""
        rows, commands, pinned = list[Any](), list[Any](), set[int]()
        for pin in self.requirements.pins:
            tile = as_lists(pin.name)
            if pin.noun == LOCK:
                continue
            if pin.kind == "ban":
                commands.append(logged.BanTile(cell=pin.cell, tile=tile))
            elif pin.cell in pinned:
                commands.append(logged.PinCell(cell=pin.cell, tile=tile))
            else:  # faster than a command
                coordinate: Any = self.problem.topology.coordinate(pin.cell)
                rows.append([*coordinate, tile])
                pinned.add(pin.cell)
        update = {"seed": seed, "pins": rows, "commands": commands, "locks": sorted(self.locks.items())}
        return self.request.model_copy(update=update)

    def complete(self, watch: Callable[[NDArray[np.uint64]], None] = lambda _: None) -> Solution:
        """The finished map; one that is not finished is solved to its end and refined, as in `generate`.

        watch : gets the wave [cell, word] now and then while it is refined
        """
        if self.solver.status != "solved":
            self.solver.run(self.opening.limits_of_run())
            command = logged.Refine()
            self.take_refined(command, self.refine_watched(command, watch))
        return self.solution

    # --- commands that take a while -------------------------------------------------------------------

    def start(self, command: logged.Step | logged.Run, is_watched: bool = True) -> SlicedRun:
        """Prepare to advance."""
        budget = self.opening.limits_of_run()
        return SlicedRun(self.solver, command, budget, is_watched, self._shows_domains)

    def advance(
        self, progress: SlicedRun, seconds: float, steps: int | None, shows: bool
    ) -> tuple[list[bytes], Answer | None]:
        """Advance for a while: what is to be seen, and the answer if that was all.

        shows : it is time to show something; what has happened is shown anyway once it is much
        """
        with self._changing():
            progress.advance(seconds, steps)
        if progress.ending:
            return self.finish(progress)
        return progress.take_messages() if shows or progress.is_full else [], None

    def finish(self, progress: SlicedRun, explains: bool = True) -> tuple[list[bytes], Answer]:
        """Note in the log what was done, however it ended.

        explains : say why there is no map; may take long
        """
        progress.pause()
        done = progress.to_log()
        answer = self.describe() | {"ending": progress.ending, "steps": progress.steps}
        if explains and progress.ending == "impossible":
            answer["explanation"] = views.explain_impossible(self.problem, self.pins)
        if done is not None:
            answer |= self.log.add(done)
        return progress.take_messages(), answer

    def refine(self, command: logged.Refine, show: Callable[[bytes], None]) -> Solution:
        """The finished map, refined; leaves the session as it is. `show` gets a board now and then."""
        patterns, tag = len(self.problem.rules), tag_of(command.version)
        return self.refine_watched(command, lambda words: show(board_of(words, patterns, tag).encode()))

    def refine_watched(self, command: logged.Refine, watch: Callable[[NDArray[np.uint64]], None]) -> Solution:
        """As `refine`; `watch` gets the wave [cell, word] now and then."""
        base, opening = self.maps.find_unrefined() or self._solve_result(), self.opening
        sweeps = opening.sweeps if command.sweeps is None else command.sweeps
        return refine_map(base, sweeps, opening.has_custom_order, opening.budget, watch)

    def take_refined(self, command: logged.Refine, found: Solution) -> Shown:
        """Go on with a refined map."""
        self.maps.add(found, is_refined=True)
        return self._show_change(command)

    # --- commands that are done at once ---------------------------------------------------------------

    def execute(self, command: Any) -> Shown:
        """Do what any other command says. Raises errors of the library and problem documents."""
        if command.command in views.ANSWERS:
            return views.ANSWERS[command.command](self, command)
        method: Callable[[Any], Shown] = getattr(self, f"_do_{command.command}")
        if command.command in EDITS:  # if it is ended half-way, nothing has changed
            self._check_usable()
            return method(command)
        with self._changing():
            return method(command)

    def _check_usable(self) -> None:
        self.log.check_length()
        if self._is_broken:
            raise ProblemDocument(
                410, "a command took too long, and was interrupted", error="SessionLost",
                advice="Open a session again with the log of this one.")  # fmt: skip

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Run a change of the solver. An interruption breaks the session: no log leads to its state."""
        self._check_usable()
        try:
            yield
        except Stopped:
            self._is_broken = True
            raise

    def _show_change(self, command: logged.Command) -> Shown:
        """A command changed something: note it, and show what is now."""
        return [self.show_board(command.version)], self.describe() | self.log.add(command)

    def _do_undo(self, command: logged.Undo) -> Shown:
        done = 0
        try:
            while done < command.count:
                if self.maps:
                    self.locks = self.maps.undo().freed | self.locks
                else:
                    self.solver.undo()
                done += 1
        except WavefoldError:
            if not done:
                raise
        return self._show_change(command.model_copy(update={"count": done}))

    def _do_pin(self, command: logged.PinCell) -> Shown:
        left = self.problem.patterns_named(to_tuples(command.tile))
        return self._restrict(command, left, self.solver.pin)

    def _do_ban(self, command: logged.BanTile) -> Shown:
        banned = self.problem.patterns_named(to_tuples(command.tile))
        left = np.setdiff1d(np.arange(len(self.problem.rules)), banned)
        return self._restrict(command, left, self.solver.ban)

    def _restrict(self, command: Any, left: NDArray[np.int64], restrict: Callable[[Any, Any], None]) -> Shown:
        if self.maps:
            raise ConfigError("this map was edited or refined: paint instead, or undo that first")
        cell, tile = self.find_cell(command.cell), to_tuples(command.tile)
        pin = Pin(cell, tile, left, command.command)
        try:
            restrict(cell, tile)
        except Contradiction as error:
            raise views.describe_refusal(error, self.problem, [*self.pins, pin], cell) from None
        self.pins.append(pin)
        return self._show_change(command)

    def _do_lock(self, command: logged.LockCells) -> Shown:
        cells = [self.find_cell(cell) for cell in command.cells]
        patterns = single_patterns(self.words[cells]).tolist() if cells else []
        if -1 in patterns:
            where = self.problem.topology.describe(cells[patterns.index(-1)])
            raise ConfigError(f"{where} is not decided yet: only decided cells can be locked")
        self.locks |= dict(zip(cells, patterns, strict=True))
        return [], self.describe() | self.log.add(command)

    def _do_unpin(self, command: logged.UnpinCells) -> Shown:
        freed = {self.find_cell(cell) for cell in command.cells}
        commands = self.log.without_cells(freed)
        pins = [row for row in self.request.pins if self.find_cell(row[:-1]) not in freed]
        locks = [lock for lock in self.request.locks if lock[0] not in freed]
        self._begin(self.request.model_copy(update={"commands": commands, "pins": pins, "locks": locks}))
        answer = self.describe() | {"left_out": self.left_out} | describe_entry(command)
        return [self.show_board(command.version)], answer

    def _do_paint(self, command: logged.Paint) -> Shown:
        cells, keep = self._find_cells(command.cells), self._find_cells(command.keep)
        tile, solution = to_tuples(command.tile), self.solution
        if command.drop == "auto":  # the log has what was found
            found = explain_failure(lambda: find_obstacles(solution, cells, tile, keep))
            command = command.model_copy(update={"drop": found})
        drop = self._find_cells(list(command.drop))
        freed = {cell: self.locks[cell] for cell in (*cells, *drop) if cell in self.locks}
        return self._edit(command, lambda: paint(solution, cells, tile, keep, drop), freed)

    def _do_regrow(self, command: logged.Regrow) -> Shown:
        cells, keep = self._find_cells(command.cells), self._find_cells(command.keep)
        return self._edit(command, lambda: regrow(self.solution, cells, command.seed, keep), {})

    def _edit(self, command: Any, edit: Callable[[], Solution], freed: dict[int, int]) -> Shown:
        self.maps.add(explain_failure(edit), is_refined=False, freed=freed)
        self.locks = {cell: pattern for cell, pattern in self.locks.items() if cell not in freed}
        return self._show_change(command)

    def _find_cells(self, cells: list[Any]) -> list[int]:
        return [self.find_cell(cell) for cell in cells]

    def find_cell(self, cell: Any) -> int:
        """The number of a cell."""
        return self.problem.cell(tuple(cell) if isinstance(cell, list) else cell)


def explain_failure(edit: Callable[[], Result]) -> Result:
    """Do something; if no map has it, the problem says why."""
    try:
        return edit()
    except Contradiction as error:
        raise views.describe_contradiction(error) from None


def as_lists(value: Any) -> Any:
    """Inverse of `to_tuples`, for JSON."""
    return [as_lists(each) for each in value] if isinstance(value, list | tuple) else value
