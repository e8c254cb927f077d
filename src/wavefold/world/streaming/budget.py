"""How long things take here, learned from history, and how to spend a budget of milliseconds.

What is learned decides who works on what and when an answer is given, never what a chunk looks like.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from wavefold.world.streaming.stats import FAILED, FINAL, NOT_READY, PROVISIONAL, CallStatistics

DRAFT = "draft"  # the stage of putting a provisional chunk together
WAKING = "waking"  # how late it was noticed that time was up
REMEMBERED = 64  # durations per stage
LEAST_RESERVE = 1.0  # ms
LARGEST_RESERVE = 0.25  # of a budget
WINDOWS = {"corner": 4, "edge": 4, "joint": 8, "interior": 1}  # of a chunk that has nothing yet


@dataclass(frozen=True, slots=True)
class StageTimes:
    """How long the windows of a stage took of late, in milliseconds each."""

    count: int = 0  # of all, not only of late
    p50: float = 0.0
    p95: float = 0.0


@dataclass(frozen=True, slots=True)
class BudgetReport:
    """How calls with a budget ended since the world was opened, by call and by chunk.

    A call kept its promise if it handed out a chunk, final or provisional, within its budget. Who asks for
    the same chunk in every frame gets the same answer many times: by chunk, only the first counts.
    """

    calls: int = 0
    kept: int = 0
    final: int = 0
    provisional: int = 0
    not_ready: int = 0
    failed: int = 0  # ended with another error
    late: int = 0  # answered after the budget, whatever the answer
    chunks: int = 0  # different ones that were asked for
    kept_at_once: int = 0  # of these, by the first call
    finished: int = 0  # of these, handed out as they are for good
    calls_until_final: float = 0.0  # on average
    until_final: StageTimes = field(default_factory=StageTimes)  # from the first call on
    stages: Mapping[str, StageTimes] = field(default_factory=dict)

    @property
    def promise(self) -> float:
        """The share of calls that kept their promise; 1 if there was none."""
        return self.kept / self.calls if self.calls else 1.0

    @property
    def promise_at_once(self) -> float:
        """The share of chunks whose first call kept its promise; 1 if there was none."""
        return self.kept_at_once / self.chunks if self.chunks else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return asdict(self) | {"promise": self.promise, "promise_at_once": self.promise_at_once}


class BudgetManager:
    """Learns how long each stage takes for one tile set on one machine. May be used by many threads."""

    def __init__(self) -> None:
        self._durations: dict[str, deque[float]] = {}
        self._counts: dict[str, int] = {}
        self.answers = CallStatistics()
        self._lock = threading.Lock()

    def note(self, stage: str, ms: float) -> None:
        """A window of this stage took so long."""
        with self._lock:
            durations = self._durations.setdefault(stage, deque(maxlen=REMEMBERED))
            if self._counts.get(stage) == 1:
                durations.clear()  # the first of all had kernels to load and tables to build
            durations.append(ms)
            self._counts[stage] = self._counts.get(stage, 0) + 1

    def typical(self, stage: str, share: float = 0.5) -> float | None:
        """What this share of windows was done within, in ms; None before there is any history."""
        with self._lock:
            known = list(self._durations.get(stage, ()))
        return percentile(known, share)

    def surely_fits(self, stage: str, ms: float) -> bool:
        """Whether nineteen in twenty such windows are done within `ms`. Not without history."""
        worst = self.typical(stage, 0.95)
        return worst is not None and worst <= ms

    def may_fit(self, stage: str, ms: float) -> bool:
        """Whether half of such windows are done within `ms`; hopeful without history."""
        usual = self.typical(stage)
        return ms > 0 and (usual is None or usual <= ms)

    def reserve(self, ms: float) -> float:
        """How much of a budget to set aside for handing out what there is."""
        late = max(LEAST_RESERVE, self.typical(WAKING, 0.95) or 0.0)
        return min(late + (self.typical(DRAFT, 0.95) or 0.0), LARGEST_RESERVE * ms)

    def plan(self, ms: float) -> dict[str, float]:
        """How a budget is split among the stages of a cold chunk, by what they usually take.

        The part for a draft is set aside first; without history each window counts the same.
        """
        reserve = self.reserve(ms)
        usual = {stage: self.typical(stage) for stage in WINDOWS}
        known = [each for each in usual.values() if each is not None]
        guess = max(known, default=1.0) or 1.0
        cost = {stage: WINDOWS[stage] * (guess if each is None else each) for stage, each in usual.items()}
        share = (ms - reserve) / sum(cost.values()) if any(cost.values()) else 0.0
        return {stage: each * share for stage, each in cost.items()} | {DRAFT: reserve}

    @property
    def report(self) -> BudgetReport:
        """What happened so far."""
        with self._lock:
            stages = {
                stage: summarise(self._counts[stage], known) for stage, known in self._durations.items()
            }
        answers = self.answers
        with answers.lock:
            return BudgetReport(
                calls=sum(answers.kinds.values()),
                kept=answers.kept,
                final=answers.kinds[FINAL],
                provisional=answers.kinds[PROVISIONAL],
                not_ready=answers.kinds[NOT_READY],
                failed=answers.kinds[FAILED],
                late=answers.late,
                chunks=answers.chunks,
                kept_at_once=answers.kept_at_once,
                finished=answers.finished,
                calls_until_final=answers.calls_to_finish / max(1, answers.finished),
                until_final=summarise(answers.finished, answers.waits),
                stages=stages,
            )


def percentile(durations: Iterable[float], share: float) -> float | None:
    """What this share of durations does not exceed; None if there are none."""
    known = sorted(durations)
    return known[min(len(known) - 1, int(share * len(known)))] if known else None


def summarise(count: int, durations: Iterable[float]) -> StageTimes:
    """The usual and the longest of these."""
    known = list(durations)
    return StageTimes(count, percentile(known, 0.5) or 0.0, percentile(known, 0.95) or 0.0)
