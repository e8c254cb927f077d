"""How calls with a budget ended, counted by call and by chunk."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import NamedTuple

FINAL, PROVISIONAL, NOT_READY, FAILED = "final", "provisional", "not ready", "failed"
CHUNKS = 4096  # whose calls are remembered, those requested last
WAITS = 256  # times until a chunk was final that are remembered


class Call(NamedTuple):
    """A call with a budget, and how it ended."""

    position: tuple[int, int]  # of the chunk
    result: str
    started: float  # seconds, by any clock
    ended: float
    ms: float  # the budget

    @property
    def is_late(self) -> bool:
        """Whether it ended after its budget, whatever the result."""
        return (self.ended - self.started) * 1e3 > self.ms

    @property
    def is_in_time(self) -> bool:
        """Whether it returned a chunk, final or provisional, within its budget."""
        return self.result in (FINAL, PROVISIONAL) and not self.is_late


@dataclass(slots=True)
class ChunkHistory:
    """The calls for one chunk so far."""

    since: float
    calls: int = 0
    is_final: bool = False


class CallStatistics:
    """Counts by call and by chunk: many calls for the same chunk count once by chunk."""

    def __init__(self) -> None:
        self.results = {FINAL: 0, PROVISIONAL: 0, NOT_READY: 0, FAILED: 0}
        self.in_time = self.late = 0
        self.chunks = self.first_in_time = self.finished = 0
        self.calls_to_finish = 0  # of all finished chunks together
        self.waits: deque[float] = deque(maxlen=WAITS)  # ms from the first call to the final chunk
        self._histories: OrderedDict[tuple[int, int], ChunkHistory] = OrderedDict()
        self.lock = threading.Lock()

    @property
    def remembered_chunks(self) -> int:
        """Chunks whose calls are remembered: no more than CHUNKS."""
        return len(self._histories)

    def record(self, call: Call) -> None:
        """Count a call that ended."""
        with self.lock:
            self.results[call.result] += 1
            self.late += call.is_late
            self.in_time += call.is_in_time
            self._record_chunk(call)

    def _record_chunk(self, call: Call) -> None:
        history = self._histories.get(call.position)
        if history is None:
            history = self._histories[call.position] = ChunkHistory(call.started)
            self.chunks += 1
            self.first_in_time += call.is_in_time
            while len(self._histories) > CHUNKS:
                self._histories.popitem(last=False)
        self._histories.move_to_end(call.position)
        history.calls += 1
        if call.result == FINAL and not history.is_final:
            history.is_final = True
            self.finished += 1
            self.calls_to_finish += history.calls
            self.waits.append((call.ended - history.since) * 1e3)
