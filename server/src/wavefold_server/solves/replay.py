"""Maps that a live session has led to: its log is done again, and what it shows is the map."""

from __future__ import annotations

from wavefold.render import Recording
from wavefold.solver import Solution, single_patterns
from wavefold.tiles import TileSet
from wavefold_server.live.logged_commands import Refine
from wavefold_server.live.session import LiveSession
from wavefold_server.settings import Limits
from wavefold_server.solves.models import SolveRequest


def has_log(request: SolveRequest) -> bool:
    """Whether the map of a request is that of a session."""
    return bool(request.commands or request.locks)


def record_log(request: SolveRequest, tiles: TileSet, limits: Limits, frames: int) -> Recording:
    """The way to the map, at most so many frames of it."""
    log = LiveSession(request, tiles, limits).log.entries  # without what failed or was taken back
    session = LiveSession(request.model_copy(update={"commands": []}), tiles, limits)
    recording = Recording(session.solver, frames)

    def show_map() -> None:
        if session.solver.status == "solved":
            recording.record_map(session.solution.patterns)

    for command in log:
        if isinstance(command, Refine):
            found = session.refine_watched(
                command, lambda words: recording.record_map(single_patterns(words))
            )
            session.take_refined(command, found)
        else:
            session.repeat(command)
        show_map()
    session.complete(lambda words: recording.record_map(single_patterns(words)))
    show_map()
    return recording


def make_logged(request: SolveRequest, tiles: TileSet, limits: Limits) -> Solution:
    """The map that a log leads to. Raises `Contradiction` and `OutOfBudget` as `wf.generate` does."""
    return LiveSession(request, tiles, limits).complete()
