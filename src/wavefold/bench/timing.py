"""Clocks: processor time of work in this process, and measurements in fresh processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any, TypeVar

Result = TypeVar("Result")


def timed(work: Callable[..., Result], *arguments: Any) -> tuple[float, Result]:
    """Processor time in milliseconds, and what the work gave. Other processes do not count."""
    started = process_time()
    result = work(*arguments)
    return (process_time() - started) * 1e3, result


def by_turns(
    contestants: Mapping[str, Callable[[int], float]], seeds: Sequence[int]
) -> dict[str, list[float]]:
    """Milliseconds of each contestant for each seed, taking turns so that a busy machine is fair to all."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for seed in seeds:
        for name, run in contestants.items():
            times[name].append(run(seed))
    return times


def ratio(times: Mapping[str, Sequence[float]], above: str, below: str) -> float:
    """The median of one contestant over another, turn by turn."""
    return median(one / other for one, other in zip(times[above], times[below], strict=True))


def in_fresh_process(probe: str, *arguments: Any, **environment: str) -> dict[str, float]:
    """Call a function of `wavefold.bench.probes` in a new process; the numbers it prints."""
    code = f"from wavefold.bench import probes; probes.{probe}(*{arguments!r})"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    numbers: dict[str, float] = json.loads(done.stdout)
    return numbers
