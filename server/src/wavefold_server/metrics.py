"""What a server counts, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

LATENCIES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0)  # seconds


class Metrics:
    """The figures of one server, in a registry of its own: several may run in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        ProcessCollector(registry=registry)  # memory, CPU and open files, under their usual names
        self.requests = Counter(
            "wavefold_requests",
            "Requests answered, by method, route and status",
            ("method", "route", "status"),
            registry=registry,
        )
        self.request_seconds = Histogram(
            "wavefold_request_seconds",
            "Seconds to answer, by method and route",
            ("method", "route"),
            buckets=LATENCIES,
            registry=registry,
        )
        self.solves = Counter(
            "wavefold_solves",
            "Maps, by outcome: solved, cancelled, or why not",
            ("outcome",),
            registry=registry,
        )
        self.backtracks = Counter("wavefold_backtracks", "Decisions that were undone", registry=registry)
        self.repairs = Counter("wavefold_repairs", "Local repairs", registry=registry)
        self.chunk_seconds = Histogram(
            "wavefold_chunk_seconds",
            "Seconds to make a chunk of a world",
            buckets=LATENCIES,
            registry=registry,
        )
        self.cache = Counter(
            "wavefold_cache",
            "Look-ups in the cache of pictures, by result: hit or miss",
            ("result",),
            registry=registry,
        )

    def watch_queue(self, name: str, length: Callable[[], int]) -> None:
        """Report the length of a queue whenever metrics are read."""
        self.watch(f"wavefold_{name}_queue", f"Work that waits or runs in the pool {name!r}", length)

    def watch(self, name: str, description: str, value: Callable[[], float]) -> None:
        """A gauge whose value is asked for whenever metrics are read."""
        Gauge(name, description, registry=self.registry).set_function(value)

    def render(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self.registry)
