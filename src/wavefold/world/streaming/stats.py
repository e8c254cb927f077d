"""How calls with a budget ended: what was promised, and what became of each chunk."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import NamedTuple

FINAL, PROVISIONAL, NOT_READY, FAILED = "final", "provisional", "not ready", "failed"
CHUNKS = 4096  # that are remembered, those asked for last
WAITS = 256  # times until a chunk was final that are remembered


class Answer(NamedTuple):
    """What a call with a budget came to."""

    place: tuple[int, int]  # of the chunk
    kind: str
    started: float  # seconds, by any clock
    ended: float
    ms: float  # the budget

    @property
    def is_late(self) -> bool:
        """Whether it came after the budget, whatever it was."""
        return (self.ended - self.started) * 1e3 > self.ms

    @property
    def is_kept(self) -> bool:
        """Whether a chunk, final or provisional, was handed out within the budget."""
        return self.kind in (FINAL, PROVISIONAL) and not self.is_late


@dataclass(slots=True)
class ChunkHistory:
    """What was seen of a chunk so far."""

    since: float
    calls: int = 0
    is_final: bool = False


class CallStatistics:
    """Counts by call and by chunk. Who asks again and again for the same chunk counts once by chunk."""

    def __init__(self) -> None:
        self.kinds = {FINAL: 0, PROVISIONAL: 0, NOT_READY: 0, FAILED: 0}
        self.kept = self.late = 0
        self.chunks = self.kept_at_once = self.finished = 0
        self.calls_to_finish = 0  # of the finished ones, together
        self.waits: deque[float] = deque(maxlen=WAITS)  # ms from the first call to the final chunk
        self._asked: OrderedDict[tuple[int, int], ChunkHistory] = OrderedDict()
        self.lock = threading.Lock()

    def note(self, answer: Answer) -> None:
        """A call ended like this."""
        with self.lock:
            self.kinds[answer.kind] += 1
            self.late += answer.is_late
            self.kept += answer.is_kept
            self._note_chunk(answer)

    def _note_chunk(self, answer: Answer) -> None:
        asking = self._asked.get(answer.place)
        if asking is None:
            asking = self._asked[answer.place] = ChunkHistory(answer.started)
            self.chunks += 1
            self.kept_at_once += answer.is_kept
            while len(self._asked) > CHUNKS:
                self._asked.popitem(last=False)
        self._asked.move_to_end(answer.place)
        asking.calls += 1
        if answer.kind == FINAL and not asking.is_final:
            asking.is_final = True
            self.finished += 1
            self.calls_to_finish += asking.calls
            self.waits.append((answer.ended - asking.since) * 1e3)
