"""Recording a solve while it happens."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.common.values import parse_size
from wavefold.render.animation import Animation
from wavefold.render.frames import FrameSampler
from wavefold.solver.budget import Budget
from wavefold.solver.engine.events import CHOSEN, CONTRADICTION, KIND, REMOVED, REPAIRED, RESTARTED, Batch
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Solution
from wavefold.solver.solver import Solver

STEPS = (CHOSEN, REPAIRED, RESTARTED)  # kinds of events that may get a frame


def animate(
    problem: Problem,
    seed: int = 0,
    frames: int = 120,
    budget: Budget | int | None = None,
    **options: Any,
) -> Animation:
    """Solve a problem and keep at most so many frames of it; the options are those of `Solver`.

    Raises what `Solver.run` raises. To see a solve that fails, use a `Recording`.
    """
    solver = Solver(problem, seed, **options)
    recording = Recording(solver, frames)
    solver.run(budget)
    return recording.animation()


class Recording:
    """Listens to a solver from now on and keeps at most `frames` moments of what it does.

        recording = Recording(solver)
        solver.run()
        recording.animation().save("solve.gif")

    The length of the solve need not be known: the longer it is, the fewer decisions get a frame of their own.
    """

    def __init__(self, solver: Solver, frames: int = 120) -> None:
        self._solver = solver
        self._reel = FrameSampler(solver.partial().words, parse_size("frames", frames, smallest=3))
        self._stop = solver.listen(self._record, batches=True)

    def animation(self) -> Animation:
        """What was recorded so far, with the wave as it is now as the last frame."""
        solver = self._solver
        problem = solver.problem
        solution = solver.solution() if solver.status == "solved" else None
        words = solver.partial().words if solution is None else solution_domains(solution)
        return Animation(problem, self._reel.finish(words, solver.stats.decisions), solution)

    def stop(self) -> None:
        """Stop recording; what was recorded stays."""
        self._stop()

    def _record(self, batch: Batch) -> None:
        for kind, cell, _, decision in batch[batch[:, KIND] != REMOVED].tolist():
            if kind == CONTRADICTION:
                self._reel.conflict(cell, decision)
            elif kind in STEPS and self._reel.is_due():
                self._reel.keep(self._solver.partial().words, decision)


def solution_domains(solution: Solution) -> NDArray[np.uint64]:
    """[cell, word] domains of one pattern each."""
    patterns = np.asarray(solution.patterns, np.uint64)
    words = np.zeros((len(patterns), solution.problem.rules.words), np.uint64)
    words[np.arange(len(patterns)), patterns >> np.uint64(6)] = np.uint64(1) << (patterns & np.uint64(63))
    return words
