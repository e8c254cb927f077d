"""What a session shows of its solver: domains, entropies, colours and explanations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wavefold.constraints import to_tuples
from wavefold.errors import Contradiction
from wavefold.render import compute_mean_colours, find_highest_entropy, get_cell_weights
from wavefold.solver import (
    Pin,
    Problem,
    Solver,
    count_set_bits,
    explain,
    single_patterns,
    unpack_bits,
    with_paint,
)
from wavefold_server.live.frames import COLOURS, ENTROPY, Frame, domains_of, tag_of
from wavefold_server.live.models import Domain, Possible, Question
from wavefold_server.live.sliced_run import MOST_STATES, count_states
from wavefold_server.problems import Problem as ProblemDocument
from wavefold_server.problems import problem_of

if TYPE_CHECKING:
    from wavefold_server.live.session import LiveSession, Shown

EXPLAIN_MS = 500.0  # for an explanation that nobody asked for

Words = NDArray[np.uint64]  # [cell, word] what each cell may still be


def show_entropies(problem: Problem, entropies: NDArray[np.float64], tag: int) -> Frame:
    """A byte for each cell: 0 if it is decided, 255 if it may be anything."""
    share = entropies / (find_highest_entropy(problem) or 1.0)
    levels = np.where(entropies > 0, np.maximum(1, np.rint(255 * share)), 0)
    return Frame(ENTROPY, tag, levels.clip(0, 255).astype(np.uint8))


def describe_domain(problem: Problem, words: Words, cell: int) -> dict[str, Any]:
    """What a cell may still be, the likeliest first, by the weights of patterns in this cell."""
    possible = np.flatnonzero(unpack_bits(words[cell], len(problem.rules)))
    weights = get_cell_weights(problem)
    own = weights[cell if len(weights) > 1 else 0, possible]
    chances = own / own.sum() if possible.size else own
    order = np.argsort(-chances, kind="stable")
    listed = [
        {"pattern": int(possible[each]), "name": problem.rules.names[possible[each]],
         "chance": float(chances[each])}
        for each in order
    ]  # fmt: skip
    return {"cell": cell, "coordinate": problem.topology.coordinate(cell), "domain": listed}


def find_conflict(problem: Problem, words: Words) -> dict[str, Any] | None:
    """A cell that nothing is left for."""
    empty = np.flatnonzero(count_set_bits(words) == 0)
    if not empty.size:
        return None
    return {"cell": int(empty[0]), "coordinate": problem.topology.coordinate(int(empty[0]))}


def explain_impossible(problem: Problem, pins: list[Pin]) -> dict[str, Any]:
    """Why it was proved that there is no map, as far as it is known soon."""
    return explain(problem, pins, proved=True, ms=EXPLAIN_MS).to_dict()


def describe_refusal(error: Exception, problem: Problem, pins: list[Pin], cell: int) -> ProblemDocument:
    """The problem with a pin or ban, the last of these, that nothing fits: which requirements clash.

    If none does, it is decisions that do: undoing them helps.
    """
    found = explain(problem, pins, ms=EXPLAIN_MS).to_dict()
    document = problem_of(error)
    document.more |= {"cell": cell, "explanation": found}
    if not found["contradictory"]:
        document.advice = "Undo some decisions first; on a finished map, paint makes room by itself."
    return document


def describe_contradiction(error: Contradiction) -> ProblemDocument:
    """The problem with what was painted, where no map has it."""
    document = problem_of(error)
    document.more |= {"cell": error.cell}
    if error.explanation is not None:
        document.more |= {"explanation": error.explanation.to_dict()}
    return document


# --- questions, by command ----------------------------------------------------------------------------


def answer_domain(session: LiveSession, command: Domain) -> Shown:
    """What a cell may still be."""
    return [], describe_domain(session.problem, session.words, session.find_cell(command.cell))


def answer_possible(session: LiveSession, command: Possible) -> Shown:
    """Return the patterns that each cell has in any map; for large maps, only whether a map may exist."""
    problem, painted = session.requirements, [session.find_cell(cell) for cell in command.cells]
    kept = sorted({session.find_cell(cell) for cell in command.keep} - set(painted))
    if painted:
        problem = with_paint(problem, painted, to_tuples(command.tile))
    names = problem.rules.names
    decided = [] if not kept else zip(kept, single_patterns(session.words[kept]).tolist(), strict=True)
    pins = [Pin(cell, names[each], np.array([each])) for cell, each in decided if each >= 0]
    solver = Solver(problem.replace(pins=(*problem.pins, *pins)))
    fits = solver.status not in ("contradiction", "impossible")
    is_shown = fits and not painted and count_states(solver) <= MOST_STATES
    frames = [domains_of(solver.partial().words, len(names), tag_of(command.version))] if is_shown else []
    return frames, {"fits": fits}


def answer_board(session: LiveSession, command: Question) -> Shown:
    """The whole state."""
    return [session.show_board(command.version)], session.describe()


def answer_entropy(session: LiveSession, command: Question) -> Shown:
    """The entropy of each cell."""
    is_finished = session.maps.last is not None
    entropies = np.zeros(session.problem.cell_count) if is_finished else session.solver.entropy()
    return [show_entropies(session.problem, entropies, tag_of(command.version))], {}


def answer_colours(session: LiveSession, command: Question) -> Shown:
    """The mean colour of each cell."""
    return [Frame(COLOURS, tag_of(command.version), compute_mean_colours(session.problem, session.words))], {}


def answer_explain(session: LiveSession, command: Question) -> Shown:
    """Whether the requirements can hold together."""
    return [], {"explanation": explain(session.problem, session.pins).to_dict()}


def answer_names(session: LiveSession, command: Question) -> Shown:
    """The patterns and their tiles by name."""
    rules = session.problem.rules
    return [], {"names": list(rules.names), "tiles": [rules.tiles[tile] for tile in rules.tile_of]}


def answer_stats(session: LiveSession, command: Question) -> Shown:
    """How far it is, and the counts of the search."""
    last = session.maps.last
    stats = session.solver.stats if last is None else last.stats
    return [], session.describe() | {"stats": stats.to_dict()}


def answer_log(session: LiveSession, command: Question) -> Shown:
    """What leads here."""
    opening = session.request.model_copy(update={"commands": session.log.entries})
    return [], {"open": opening.model_dump(mode="json", exclude={"version"})}


def answer_pause(session: LiveSession, command: Question) -> Shown:
    """How far it is."""
    return [], session.describe()


ANSWERS: dict[str, Callable[[LiveSession, Any], Shown]] = {
    "domain": answer_domain,
    "possible": answer_possible,
    "board": answer_board,
    "entropy": answer_entropy,
    "colours": answer_colours,
    "explain": answer_explain,
    "names": answer_names,
    "stats": answer_stats,
    "log": answer_log,
    "pause": answer_pause,
}
