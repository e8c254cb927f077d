"""Pins and bans made while a search is under way."""

from __future__ import annotations

import numpy as np

from wavefold.errors import Contradiction
from wavefold.kernels import constants
from wavefold.solver.engine.engine import Engine
from wavefold.solver.problem import Pin


def restrict(engine: Engine, pin: Pin, impossible: bool) -> None:
    """Narrow a cell for good: in the wave, and in the root that repairs and restarts go back to.

    Refused with `Contradiction`, leaving no trace, if nothing fits then.
    """
    rules = engine.problem.rules
    gone = np.setdiff1d(np.arange(len(rules)), pin.patterns)
    take_back = engine.checkpoint()
    if impossible or _is_hopeless(engine) or not engine.can_lose(pin.cell, gone):
        take_back()
        where = engine.problem.topology.describe(pin.cell)
        text = f"the {pin.kind} {pin.name!r} is refused at {where}: nothing fits then{_because(engine)}"
        raise Contradiction(text, pin.cell)
    words = engine.root_domains.copy()
    words[pin.cell] &= rules.words_for(pin.patterns)
    if pin.kind == "pin":
        engine.pinned.append(pin.cell)
    engine.change_root(engine.root_of(words))


def _is_hopeless(engine: Engine) -> bool:
    """Leave a contradiction the way the search would; True if it is the proof that nothing fits."""
    in_conflict = engine.state[constants.PHASE] == constants.CONFLICT
    if in_conflict and engine.state[constants.DEPTH] == 0 and engine.from_root:
        return True
    engine.leave_conflict()
    return False


def _because(engine: Engine) -> str:
    """What else stands in the way, and could be given up."""
    standing = int(engine.state[constants.DEPTH])
    parts = [f" with the {standing} decisions that stand; undo some first"] if standing else []
    if not engine.from_root:
        parts.append(" (a repair settled some cells; a new solver starts without them)")
    return "".join(parts)
