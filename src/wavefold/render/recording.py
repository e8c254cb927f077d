"""Record a solve while it runs, in a limited number of frames."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import single_bits
from wavefold.options.values import parse_size
from wavefold.render.animation import Animation, FrameDelta, merge_conflicts
from wavefold.solver.budget import Budget
from wavefold.solver.engine.events import (
    CELL,
    CHOSEN,
    CONTRADICTION,
    KIND,
    PATTERN,
    REMOVED,
    REPAIRED,
    RESTARTED,
    Batch,
)
from wavefold.solver.problem import Problem
from wavefold.solver.solver import Solver, SolverOptions

STEPS = (CHOSEN, REPAIRED, RESTARTED)  # kinds of events that may get a frame


def animate(
    problem: Problem,
    seed: int = 0,
    frames: int = 120,
    budget: Budget | int | None = None,
    **options: Unpack[SolverOptions],
) -> Animation:
    """Solve a problem and keep at most `frames` frames of it; the options are those of `Solver`.

    Raises what `Solver.run` raises. To see a solve that fails, use a `Recording`.
    """
    solver = Solver(problem, seed, **options)
    recording = Recording(solver, frames)
    solver.run(budget)
    return recording.animation()


class Recording:
    """Listens to a solver and keeps at most `frames` frames of its work.

        recording = Recording(solver)
        solver.run()
        recording.animation().save("solve.gif")

    The length of the solve need not be known: in a longer solve, fewer decisions get a frame of their own.
    """

    def __init__(self, solver: Solver, frames: int = 120) -> None:
        self._solver = solver
        self._reel = FrameSampler(solver.partial().words, parse_size("frames", frames, smallest=3))
        self._refined: NDArray[np.int64] | None = None  # [cell] the map after the last sweep
        self._stop = solver.listen(self._record, batches=True)

    def record_sweep(self, batch: Batch) -> None:
        """Record the cells that a sweep replaced (a listener for `Solution.refine`), perhaps as a frame."""
        if self._refined is None:
            self._refined = self._solver.solution().patterns.copy()
        self._refined[batch[:, CELL]] = batch[:, PATTERN]
        self.record_map(self._refined)

    def record_map(self, patterns: NDArray[np.int64]) -> None:
        """Record a map [cell] made from the solver's, for example by `refine` or `paint`."""
        self._refined = patterns.copy() if patterns is not self._refined else patterns
        if self._reel.is_due():
            words = single_bits(self._refined, self._solver.problem.rules.words)
            self._reel.keep(words, self._solver.stats.decisions)

    def animation(self) -> Animation:
        """The animation recorded so far, with the current wave as its last frame."""
        solver = self._solver
        solution = solver.solution() if solver.status == "solved" else None
        if solution is not None and self._refined is not None:
            solution = replace(solution, patterns=self._refined)
        rules = solver.problem.rules
        words = solver.partial().words if solution is None else single_bits(solution.patterns, rules.words)
        return Animation(solver.problem, self._reel.finish(words, solver.stats.decisions), solution)

    def stop(self) -> None:
        """Stop recording; what was recorded stays."""
        self._stop()

    def _record(self, batch: Batch) -> None:
        for kind, cell, _, decision in batch[batch[:, KIND] != REMOVED].tolist():
            if kind == CONTRADICTION:
                self._reel.conflict(cell, decision)
            elif kind in STEPS and self._reel.is_due():
                self._reel.keep(self._solver.partial().words, decision)


class FrameSampler:
    """At most `most` frames of a solve, evenly spread although its length is not known.

    At first every step is a frame. When there are too many, frames are merged in pairs and from then on only
    every second step is a frame, then every fourth.
    """

    def __init__(self, words: NDArray[np.uint64], most: int) -> None:
        everything = np.arange(len(words))
        self.moments = [FrameDelta(everything, words.copy(), (), 0)]
        self._now = words.copy()
        self._most = most - 1  # one is left for the end
        self._every = 1
        self._ticks = 0
        self._conflicts: tuple[int, ...] = ()

    def is_due(self) -> bool:
        """Count a step; return whether it becomes a frame."""
        self._ticks += 1
        return self._ticks % self._every == 0

    def conflict(self, cell: int, decision: int) -> None:
        """Mark a cell without any remaining pattern, in the frame of that decision, or else in the next."""
        last = self.moments[-1]
        if last.decision == decision and len(self.moments) > 1:
            self.moments[-1] = last._replace(conflicts=merge_conflicts(last.conflicts, (cell,)))
        else:
            self._conflicts = merge_conflicts(self._conflicts, (cell,))

    def keep(self, words: NDArray[np.uint64], decision: int) -> None:
        """Add a frame, unless nothing changed since the last one."""
        for change in self._changes(words, decision):
            self.moments.append(change)
            self._now[change.cells] = change.words
            self._conflicts = ()
        if len(self.moments) > self._most:
            self._thin()

    def finish(self, words: NDArray[np.uint64], decision: int) -> list[FrameDelta]:
        """Return all frames, the current wave as the last."""
        return [*self.moments, *self._changes(words, decision)]

    def _changes(self, words: NDArray[np.uint64], decision: int) -> list[FrameDelta]:
        """The frame of this wave, or none if nothing changed since the last one."""
        cells = np.flatnonzero((words != self._now).any(axis=1))
        if not cells.size and not self._conflicts:
            return []
        return [FrameDelta(cells, words[cells], self._conflicts, decision)]

    def _thin(self) -> None:
        first, *rest = self.moments
        pairs = [a.merge(b) for a, b in zip(rest[::2], rest[1::2], strict=False)]
        self.moments = [first, *pairs, *rest[len(pairs) * 2 :]]
        self._every *= 2
