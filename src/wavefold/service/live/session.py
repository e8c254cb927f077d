"""A solver that a client controls, and the log from which it can be rebuilt at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.api import bare_problem, default_budget, refine_solved
from wavefold.common.bitsets import count_single_bits, single_bits, single_patterns
from wavefold.common.checkpoint import Stopped, checkpoint
from wavefold.constraints.tables import as_tuples
from wavefold.errors import ConfigError, Contradiction, WavefoldError
from wavefold.service.live import models, views
from wavefold.service.live.frames import Frame, board_of, tag_of
from wavefold.service.live.sliced_run import SlicedRun
from wavefold.service.problems import Problem as ProblemDocument
from wavefold.service.problems import limit_problem
from wavefold.service.settings import Limits
from wavefold.service.solves.build import build_arguments, build_topology, check_limits
from wavefold.solver import Budget, Problem, Solution, Solver
from wavefold.solver.explain import explain
from wavefold.solver.problem import Pin
from wavefold.solver.refining.refine import count_sweeps
from wavefold.tiles import TileSet

PROBLEM_PARTS = ("pins", "constraints", "weights", "masks", "fields", "own_constraints")
SOLVER_PARTS = ("seed", "order", "propagation", "search", "undo", "choice")
REPLAY_SLICE = 0.05  # seconds
FRAME_SECONDS = 1 / 60  # between two pictures

Answer = dict[str, Any]
Shown = tuple[list[Frame], Answer]  # what a command shows, and its answer


class LiveSession:
    """One solver, driven by commands one after another, in any thread but one at a time.

    request : what the session began with, without commands
    log : commands since then that changed something, in a form that gives the same state when repeated
    refined : the map after `refine`; the solver has it as it was before
    left_out : how many of the commands given to `open` failed
    """

    def __init__(self, request: models.Open, tiles: TileSet, limits: Limits) -> None:
        self._tiles, self._limits = tiles, limits
        self._is_broken = False
        self._begin(request)

    def _begin(self, request: models.Open) -> None:
        """Build the solver, and do what was done before."""
        tiles = self._tiles
        topology = build_topology(request.topology, tiles, self._limits)
        check_live(request, topology.cell_count, self._limits)
        check_limits(request, tiles, topology, self._limits)
        parts = build_arguments(request, tiles, topology)
        own = {name: parts[name] for name in PROBLEM_PARTS if name in parts}
        problem = Problem(tiles, topology, **own) if own else bare_problem(tiles, topology)
        self.problem = lock_cells(problem, request.locks)
        self._settings = {name: parts[name] for name in SOLVER_PARTS if name in parts}
        self.solver = Solver(self.problem, **self._settings)
        self._sweeps, self._budget = parts["refine"], parts.get("budget")
        self.request = request.model_copy(update={"commands": []})
        self.locks = dict(request.locks)
        self.log: list[Any] = []
        self.pins: list[Pin] = []  # and bans, of commands
        self.refined: Solution | None = None
        self.left_out = sum(not self._repeat(command) for command in request.commands)

    def _repeat(self, command: Any) -> bool:
        """Do what was done before, without showing it. False if it failed."""
        with suppress(WavefoldError, ProblemDocument):
            if isinstance(command, models.Step | models.Run):
                progress = self.start(command, is_watched=False)
                while not progress.ending:
                    progress.advance(REPLAY_SLICE)
                self.finish(progress)
            elif isinstance(command, models.Refine):
                self.take_refined(command, self.refine(command, lambda _: None))
            else:
                self.execute(command)
            return True
        return False

    @property
    def words(self) -> NDArray[np.uint64]:
        """[cell, word] what each cell may still be."""
        if self.refined is not None:
            return single_bits(self.refined.patterns, self.problem.rules.words)
        return self.solver.partial().words

    def show_board(self, version: int) -> Frame:
        """The whole state."""
        return board_of(self.words, len(self.problem.rules), tag_of(version))

    def describe(self) -> Answer:
        """How far it is."""
        words = self.words
        about = {"status": self.solver.status, "decisions": self.solver.stats.decisions}
        about |= {"decided": count_single_bits(words), "cells": self.problem.cell_count}
        return about | {
            "refined": self.refined is not None,
            "conflict": views.find_conflict(self.problem, words),
        }

    def describe_problem(self) -> Answer:
        """What does not change during a session."""
        rules, topology = self.problem.rules, self.problem.topology
        about = {"kind": topology.kind, "shape": topology.shape, "patterns": len(rules)}
        return about | {"rules": rules.digest, "seed": self.solver.seed, "left_out": self.left_out}

    def with_seed(self, seed: int) -> models.Open:
        """What begins a session with another seed, and the same pins, bans and locks."""
        pins = [each for each in self.log if isinstance(each, models.PinCell | models.BanTile)]
        update = {"seed": seed, "commands": pins, "locks": sorted(self.locks.items())}
        return self.request.model_copy(update=update)

    # Commands that take a while

    def start(self, command: models.Step | models.Run, is_watched: bool = True) -> SlicedRun:
        """Prepare to advance. A refined map is finished."""
        budget = default_budget(self.problem.cell_count) if self._budget is None else self._budget
        progress = SlicedRun(self.solver, command, Budget.of(budget), is_watched)
        progress.ending = "solved" if self.refined is not None else progress.ending
        return progress

    def advance(
        self, progress: SlicedRun, seconds: float, steps: int | None, shows: bool
    ) -> tuple[list[bytes], Answer | None]:
        """Advance for a while: what is to be seen, and the answer if that was all.

        shows : it is time to show something; what has happened is shown anyway once a frame is full
        """
        with self._changing():
            progress.advance(seconds, steps)
        if progress.ending:
            return self.finish(progress)
        return progress.take_messages() if shows or progress.is_full else [], None

    def finish(self, progress: SlicedRun) -> tuple[list[bytes], Answer]:
        """Note in the log what was done, however it ended. If there is no map, say why."""
        progress.pause()
        done = progress.to_log()
        answer = self.describe() | {"ending": progress.ending, "steps": progress.steps}
        if done is not None:
            answer |= self._note(done)
        if progress.ending == "impossible":
            answer["explanation"] = views.explain_impossible(self.problem, self.pins)
        return progress.take_messages(), answer

    def refine(self, command: models.Refine, show: Callable[[bytes], None]) -> Solution:
        """The finished map, refined; leaves the session as it is. `show` gets a board now and then."""
        solution = self.solver.solution()
        asked = self._sweeps if command.sweeps is None else command.sweeps
        is_steered = self._settings.get("order", "auto") != "auto" or self._settings.get("choice") is not None
        sweeps, left_out = count_sweeps(asked, self.problem, is_steered)
        patterns, shown = solution.patterns.copy(), perf_counter()

        def take_sweep(batch: NDArray[np.int32]) -> None:
            nonlocal shown
            patterns[batch[:, 1]] = batch[:, 2]
            if perf_counter() - shown > FRAME_SECONDS:
                words = single_bits(patterns, self.problem.rules.words)
                show(board_of(words, len(self.problem.rules), tag_of(command.version)).encode())
                shown = perf_counter()

        found = refine_solved(solution, sweeps, left_out, self._budget, None, take_sweep)
        checkpoint()  # what ends a refinement leaves it unfinished
        return found

    def take_refined(self, command: models.Refine, found: Solution) -> Shown:
        """Go on with a refined map."""
        self.refined = found
        return [self.show_board(command.version)], self.describe() | self._note(command)

    # Commands that are done at once

    def execute(self, command: Any) -> Shown:
        """Do what any other command says. Raises errors of the library and problem documents."""
        method: Callable[[Any], Shown] = getattr(self, f"_do_{command.command}")
        return method(command)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Around what changes the solver: if it is ended half-way, no log leads to where it is."""
        if len(self.log) >= models.MOST_COMMANDS:
            detail = "the log of this session is too long: begin another one"
            raise limit_problem("commands", models.MOST_COMMANDS, detail)
        if self._is_broken:
            raise ProblemDocument(
                410, "a command took too long, and was ended half-way", error="SessionLost",
                advice="Open a session again with the log of this one.")  # fmt: skip
        try:
            yield
        except Stopped:
            self._is_broken = True
            raise

    def _note(self, command: models.Command) -> Answer:
        """Add a command to the log; the answer's part that says so."""
        last = self.log[-1] if self.log else None
        if isinstance(command, models.Step) and isinstance(last, models.Step):
            self.log[-1] = models.Step(count=last.count + command.count)
        else:
            self.log.append(command)
        return {"log": command.model_dump(mode="json", exclude={"version"})}

    def _do_undo(self, command: models.Undo) -> Shown:
        done = int(self.refined is not None)
        self.refined = None
        with self._changing():
            try:
                while done < command.count:
                    self.solver.undo()
                    done += 1
            except WavefoldError:
                if not done:
                    raise
        note = self._note(command.model_copy(update={"count": done}))
        return [self.show_board(command.version)], self.describe() | note

    def _do_pin(self, command: models.PinCell) -> Shown:
        return self._restrict(command, self.problem.patterns_named(as_tuples(command.tile)), self.solver.pin)

    def _do_ban(self, command: models.BanTile) -> Shown:
        banned = self.problem.patterns_named(as_tuples(command.tile))
        left = np.setdiff1d(np.arange(len(self.problem.rules)), banned)
        return self._restrict(command, left, self.solver.ban)

    def _restrict(self, command: Any, left: NDArray[np.int64], restrict: Callable[[Any, Any], None]) -> Shown:
        cell, tile = self.find_cell(command.cell), as_tuples(command.tile)
        pin = Pin(cell, tile, left, command.command)
        try:
            with self._changing():
                restrict(cell, tile)
        except Contradiction as error:
            raise views.describe_refusal(error, self.problem, self.pins, pin) from None
        self.pins.append(pin)
        self.refined = None
        return [self.show_board(command.version)], self.describe() | self._note(command)

    def _do_lock(self, command: models.LockCells) -> Shown:
        cells = [self.find_cell(cell) for cell in command.cells]
        patterns = single_patterns(self.words[cells]).tolist() if cells else []
        if -1 in patterns:
            where = self.problem.topology.describe(cells[patterns.index(-1)])
            raise ConfigError(f"{where} is not decided yet: only decided cells can be locked")
        self.locks |= dict(zip(cells, patterns, strict=True))
        return [], self.describe() | self._note(command)

    def _do_unpin(self, command: models.UnpinCells) -> Shown:
        freed = {self.find_cell(cell) for cell in command.cells}
        commands = [each for each in map(self._forget(freed), self.log) if each is not None]
        pins = [row for row in self.request.pins if self.find_cell(row[:-1]) not in freed]
        locks = [lock for lock in self.request.locks if lock[0] not in freed]
        with self._changing():
            self._begin(self.request.model_copy(update={"commands": commands, "pins": pins, "locks": locks}))
        entry = command.model_dump(mode="json", exclude={"version"})
        return [self.show_board(command.version)], self.describe() | {"left_out": self.left_out, "log": entry}

    def _forget(self, freed: set[int]) -> Callable[[Any], Any]:
        """A function that leaves pins, bans and locks of these cells out of a command."""

        def forget(command: Any) -> Any:
            if isinstance(command, models.PinCell | models.BanTile) and self.find_cell(command.cell) in freed:
                return None
            if isinstance(command, models.LockCells):
                kept = [cell for cell in command.cells if self.find_cell(cell) not in freed]
                return command.model_copy(update={"cells": kept})
            return command

        return forget

    def _do_domain(self, command: models.Domain) -> Shown:
        return [], views.describe_domain(self.problem, self.words, self.find_cell(command.cell))

    def _do_board(self, command: models.Question) -> Shown:
        return [self.show_board(command.version)], self.describe()

    def _do_entropy(self, command: models.Question) -> Shown:
        entropies = np.zeros(self.problem.cell_count) if self.refined else self.solver.entropy()
        return [views.show_entropies(self.problem, entropies, tag_of(command.version))], {}

    def _do_colours(self, command: models.Question) -> Shown:
        return [views.show_colours(self.problem, self.words, tag_of(command.version))], {}

    def _do_explain(self, command: models.Question) -> Shown:
        return [], {"explanation": views.describe_explanation(explain(self.problem, self.pins))}

    def _do_names(self, command: models.Question) -> Shown:
        rules = self.problem.rules
        return [], {"names": list(rules.names), "tiles": [rules.tiles[tile] for tile in rules.tile_of]}

    def _do_pause(self, command: models.Question) -> Shown:
        return [], self.describe()

    def _do_stats(self, command: models.Question) -> Shown:
        stats = self.refined.stats if self.refined else self.solver.stats
        return [], self.describe() | {"stats": stats.to_dict()}

    def _do_log(self, command: models.Question) -> Shown:
        opening = self.request.model_copy(update={"commands": self.log})
        return [], {"open": opening.model_dump(mode="json", exclude={"version"})}

    def find_cell(self, cell: Any) -> int:
        """The number of a cell."""
        return self.problem.cell(tuple(cell) if isinstance(cell, list) else cell)


def check_live(request: models.Open, cells: int, limits: Limits) -> None:
    """Refuse what cannot be shown live."""
    if cells > limits.live_cells:
        raise limit_problem("live_cells", limits.live_cells, f"this map would have {cells:,} cells")
    if request.search.ladder == "sat":
        raise ConfigError("the search 'sat' has no steps to watch: choose another for a live session")


def lock_cells(problem: Problem, locks: list[tuple[int, int]]) -> Problem:
    """The problem with pins at these cells, each of one pattern."""
    if not locks:
        return problem
    patterns = len(problem.rules)
    for cell, pattern in locks:
        if pattern >= patterns:
            raise ConfigError(f"a lock names pattern {pattern}: they go from 0 to {patterns - 1}")
        problem.cell(cell)
    pins = [Pin(cell, problem.rules.names[each], np.array([each]), noun="lock") for cell, each in locks]
    return problem.replace(pins=(*problem.pins, *pins))
