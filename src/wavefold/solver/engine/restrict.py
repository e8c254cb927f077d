"""Pins and bans made while a search is under way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.solver.engine.engine import Engine


def restrict(engine: Engine, cell: int, patterns: NDArray[np.int64], is_pin: bool) -> bool:
    """Narrow a cell to these patterns for good: in the wave, and in the root of repairs and restarts.

    False, leaving no trace, if nothing fits then.
    """
    rules = engine.problem.rules
    removed = np.setdiff1d(np.arange(len(rules)), patterns)
    restore = engine.checkpoint()
    if _is_refuted(engine) or not engine.can_lose(cell, removed):
        restore()
        return False
    words = engine.root_domains.copy()
    words[cell] &= rules.words_for(patterns)
    if is_pin:
        engine.pinned.append(cell)
    engine.change_root(engine.root_of(words))
    return True


def _is_refuted(engine: Engine) -> bool:
    """Leave a contradiction the way the search would; True if it proves that nothing fits."""
    if engine.in_conflict and engine.depth == 0 and engine.from_root:
        return True
    engine.leave_conflict()
    return False
