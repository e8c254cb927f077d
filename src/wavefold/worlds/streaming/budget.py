"""Times of windows on this machine, estimates for time budgets, and statistics of calls.

Measured times affect only the assignment of work to threads and when a call returns, never the content of a
chunk.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

# The results of a call; each is counted in a field of BudgetReport.
FINAL, PROVISIONAL, NOT_READY, FAILED = "final", "provisional", "not_ready", "failed"
MOST_CHUNKS = 4096  # with statistics of calls; those requested last
MOST_WAITS = 256  # stored times until a chunk was final
DRAFT = "draft"  # the stage of assembling a provisional chunk
WAKING = "waking"  # the delay until a waiting thread wakes up
MOST_DURATIONS = 64  # per stage
LEAST_RESERVE_MS = 1.0
MOST_RESERVE_SHARE = 0.25  # of a budget


@dataclass(frozen=True, slots=True)
class StageTimes:
    """Recent durations of the windows of a stage, in milliseconds."""

    count: int = 0  # of all windows, not only recent ones
    p50: float = 0.0
    p95: float = 0.0


@dataclass(frozen=True, slots=True)
class BudgetReport:
    """Results of calls with a budget since the world was opened, by call and by chunk.

    A call is in time if it returned a chunk, final or provisional, within its budget. Counts by chunk include
    only the first call for each chunk.
    """

    calls: int = 0
    in_time: int = 0
    final: int = 0
    provisional: int = 0
    not_ready: int = 0
    failed: int = 0  # with another error
    late: int = 0  # ended after the budget, with any result
    chunks: int = 0  # different chunks that were requested
    first_in_time: int = 0  # chunks whose first call was in time
    finished: int = 0  # chunks that were returned as final
    calls_until_final: float = 0.0  # on average
    until_final: StageTimes = field(default_factory=StageTimes)  # since the first call
    stages: Mapping[str, StageTimes] = field(default_factory=dict)

    @property
    def share_in_time(self) -> float:
        """The share of calls that were in time; 1 if there were none."""
        return self.in_time / self.calls if self.calls else 1.0

    @property
    def share_first_in_time(self) -> float:
        """The share of chunks whose first call was in time; 1 if there were none."""
        return self.first_in_time / self.chunks if self.chunks else 1.0

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        shares = {"share_in_time": self.share_in_time, "share_first_in_time": self.share_first_in_time}
        return asdict(self) | shares


class BudgetManager:
    """Measures how long each stage takes for one tile set on this machine. Thread-safe."""

    def __init__(self) -> None:
        self._durations: dict[str, deque[float]] = {}
        self._counts: dict[str, int] = {}
        self.calls = CallStatistics()
        self._lock = threading.Lock()

    def note(self, stage: str, ms: float) -> None:
        """Record how long a window of this stage took."""
        with self._lock:
            durations = self._durations.setdefault(stage, deque(maxlen=MOST_DURATIONS))
            if self._counts.get(stage) == 1:
                durations.clear()  # the first duration includes loading kernels and building tables
            durations.append(ms)
            self._counts[stage] = self._counts.get(stage, 0) + 1

    def typical(self, stage: str, share: float = 0.5) -> float | None:
        """Return the time in ms within which this share of windows is done; None without history."""
        with self._lock:
            known = list(self._durations.get(stage, ()))
        return percentile(known, share)

    def surely_fits(self, stage: str, ms: float) -> bool:
        """Return whether 95 % of such windows are done within `ms`; False without history."""
        worst = self.typical(stage, 0.95)
        return worst is not None and worst <= ms

    def may_fit(self, stage: str, ms: float) -> bool:
        """Return whether half of such windows are done within `ms`; without history, whether `ms` > 0."""
        usual = self.typical(stage)
        return ms > 0 and (usual is None or usual <= ms)

    def reserve(self, ms: float) -> float:
        """Return the part of a budget, in ms, to reserve for returning the best available chunk."""
        late = max(LEAST_RESERVE_MS, self.typical(WAKING, 0.95) or 0.0)
        return min(late + (self.typical(DRAFT, 0.95) or 0.0), MOST_RESERVE_SHARE * ms)

    @property
    def report(self) -> BudgetReport:
        """Counts and times so far."""
        with self._lock:
            stages = {
                stage: summarize(self._counts[stage], known) for stage, known in self._durations.items()
            }
        return self.calls.report(stages)


@dataclass(slots=True)
class ChunkHistory:
    """The calls for one chunk so far."""

    since: float
    calls: int = 0
    is_final: bool = False


class CallStatistics:
    """Counts of results by call and by chunk."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()  # {field of BudgetReport: count}
        self._calls_to_finish = 0  # of all finished chunks together
        self._waits: deque[float] = deque(maxlen=MOST_WAITS)  # ms from the first call to the final chunk
        self._histories: OrderedDict[tuple[int, int], ChunkHistory] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def remembered_chunks(self) -> int:
        """The number of chunks with stored calls, at most MOST_CHUNKS."""
        return len(self._histories)

    def record(self, position: tuple[int, int], result: str, started: float, ended: float, ms: float) -> None:
        """Record a call with a budget of `ms`, and its start and end in seconds of any clock."""
        is_late = (ended - started) * 1e3 > ms
        is_in_time = result in (FINAL, PROVISIONAL) and not is_late
        with self._lock:
            self._counts.update(("calls", result))
            self._counts.update(late=is_late, in_time=is_in_time)
            if position not in self._histories:
                self._histories[position] = ChunkHistory(started)
                self._counts.update(chunks=1, first_in_time=is_in_time)
                while len(self._histories) > MOST_CHUNKS:
                    self._histories.popitem(last=False)
            self._histories.move_to_end(position)
            history = self._histories[position]
            history.calls += 1
            if result == FINAL and not history.is_final:
                history.is_final = True
                self._counts["finished"] += 1
                self._calls_to_finish += history.calls
                self._waits.append((ended - history.since) * 1e3)

    def report(self, stages: Mapping[str, StageTimes]) -> BudgetReport:
        """Build a report from the counts so far and the times of each stage."""
        with self._lock:
            finished = self._counts["finished"]
            return BudgetReport(
                **self._counts,
                calls_until_final=self._calls_to_finish / max(1, finished),
                until_final=summarize(finished, self._waits),
                stages=stages,
            )


def percentile(durations: Iterable[float], share: float) -> float | None:
    """Return the duration that this share of durations does not exceed; None if there are none."""
    known = sorted(durations)
    return known[min(len(known) - 1, int(share * len(known)))] if known else None


def summarize(count: int, durations: Iterable[float]) -> StageTimes:
    """Return the count, median and 95th percentile."""
    known = list(durations)
    return StageTimes(count, percentile(known, 0.5) or 0.0, percentile(known, 0.95) or 0.0)
