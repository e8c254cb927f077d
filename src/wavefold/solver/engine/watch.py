"""Listening to a search: one transition at a time, told from the trail."""

from __future__ import annotations

from collections.abc import Callable

from wavefold.kernels import constants
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.events import Event, removals

Listener = Callable[[Event], None]


class Watcher:
    """Advances an engine transition by transition and tells listeners what each one did."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the result, called, removes it."""
        self.listeners.append(listener)

        def stop() -> None:
            if listener in self.listeners:
                self.listeners.remove(listener)

        return stop

    def tell(self, *events: Event) -> None:
        """Pass events on."""
        for event in events:
            for listener in tuple(self.listeners):
                listener(event)

    def advance(self) -> int:
        """One transition: a decision with its consequences, or a step back."""
        engine = self._engine
        phase, trail = int(engine.state[constants.PHASE]), int(engine.state[constants.TRAIL])
        made = int(engine.state[constants.DECISIONS])
        # What is taken back can only be told from what stood before; to list it each time would be quadratic.
        stack = engine.decisions() if self.listeners and phase == constants.CONFLICT else []
        answer = engine.advance(one_transition=True)
        if self.listeners:
            self.tell(*self._what_happened(phase, trail, made, stack))
        return answer

    def _what_happened(self, phase: int, trail: int, made: int, stack: list[tuple[int, int]]) -> list[Event]:
        engine, state = self._engine, self._engine.state
        decision = int(state[constants.DECISIONS])
        depth = int(state[constants.DEPTH])
        events: list[Event] = []
        start = min(trail, int(state[constants.TRAIL]))
        if phase == constants.CONFLICT:
            taken_back = stack[depth:]
            events += [Event("undone", cell, (pattern,), decision) for cell, pattern in reversed(taken_back)]
            if taken_back:  # what follows on the trail is the refutation
                start = int(engine.wave.decision_mark[depth, 0])
        if decision > made:
            cell, pattern = (
                int(array[depth - 1]) for array in (engine.wave.decision_cell, engine.wave.decision_pattern)
            )
            events.append(Event("chosen", cell, (pattern,), decision))
        events += removals(engine.wave, start, engine.width, decision)
        if state[constants.PHASE] == constants.CONFLICT and phase != constants.CONFLICT:
            events.append(Event("contradiction", int(state[constants.EMPTY_CELL]), (), decision))
        return events
