"""Load for a running server, and how fast it answers:

    wavefold serve --data load-data &
    python tools/load_service.py http://localhost:8317 --seconds 60 --readers 200

A process of its own with plain sockets, so that it takes little of the machine and does not slow the server
down more than it must. It makes worlds and maps in the server's data folder: use one that you can delete.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from time import monotonic, perf_counter
from typing import Any
from urllib.parse import urlsplit

API = "/api/v1"
MAP = {"tileset": "pipes", "topology": {"width": 16, "height": 16}, "refine": False}
LONG = {"tileset": "castle", "topology": {"width": 400, "height": 400}}  # seconds of work each
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
MEMORY, CPU = "process_resident_memory_bytes", "process_cpu_seconds_total"  # of /metrics


class Connection:
    """One connection that is used again and again: HTTP/1.1 with nothing that this server does not use."""

    def __init__(self, address: str, key: str | None) -> None:
        parts = urlsplit(address)
        self.host, self.port = parts.hostname or "localhost", parts.port or 80
        self.head = f"Host: {self.host}:{self.port}\r\n"
        self.head += f"Authorization: Bearer {key}\r\n" if key else ""
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """The status and the content of an answer; status 0 if the connection broke."""
        content = b"" if body is None else json.dumps(body).encode()
        kind = "Content-Type: application/json\r\n" if content else ""
        head = f"{method} {path} HTTP/1.1\r\n{self.head}{kind}Content-Length: {len(content)}\r\n\r\n"
        is_old = self.streams is not None
        try:
            if self.streams is None:
                self.streams = await asyncio.open_connection(self.host, self.port)
            self.streams[1].write(head.encode() + content)
            return await self._read_answer(self.streams[0])
        except (OSError, EOFError, asyncio.IncompleteReadError):
            await self.close()
        # A server closes idle connections.
        return await self.ask(method, path, body) if is_old else (0, b"")

    async def _read_answer(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        head = await reader.readuntil(b"\r\n\r\n")
        status, length = int(head.split(b" ", 2)[1]), LENGTH.search(head)
        content = await reader.readexactly(int(length[1])) if length else b""
        if length is None and status not in (204, 304):
            await self.close()  # an answer of unknown length is not read
        return status, content

    async def close(self) -> None:
        """Close it; the next question opens it again."""
        if self.streams is not None:
            self.streams[1].close()
            with suppress(OSError):
                await self.streams[1].wait_closed()
        self.streams = None


@dataclass
class Figures:
    """Answers and how long they took.

    times : of each, in ms
    seconds : how long all of it took
    cpu_seconds : of the server meanwhile; for each request, that is the same on a busy machine
    """

    name: str
    times: list[float] = field(default_factory=list)
    errors: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    note: str = ""

    def add(self, status: int, milliseconds: float) -> None:
        """Count one answer."""
        self.errors += not 200 <= status < 400
        self.times.append(milliseconds)

    def percentile(self, share: float) -> float:
        """The time within which this share of answers came, in ms."""
        ordered = sorted(self.times)
        return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)], 3) if ordered else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All figures, but not the times of single answers."""
        requests = len(self.times)
        return {
            "name": self.name,
            "requests": requests,
            "errors": self.errors,
            "per_second": round(requests / max(self.seconds, 1e-9), 1),
            "p50": self.percentile(0.50),
            "p95": self.percentile(0.95),
            "p99": self.percentile(0.99),
            "cpu": round(1e3 * self.cpu_seconds / max(1, requests), 2),
            "note": self.note,
        }

    def __str__(self) -> str:
        return LINE.format(**self.to_dict())


LINE = "{name:<34}{requests:>8}{errors:>7}{per_second:>9}{p50:>9.2f}{p95:>9.2f}{p99:>9.2f}{cpu:>9}  {note}"
HEADER = f"{'':<34}{'requests':>8}{'errors':>7}{'/s':>9}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'CPU ms':>9}"
Question = tuple[str, str, Any]  # method, path, body
ROUNDS = 4  # with jobs and without, in turns: what else the machine does slows both alike


class Load:
    """The scenarios, for one server."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.random = random.Random(options.seed)
        self.control = self.connect()

    def connect(self) -> Connection:
        """A new connection."""
        return Connection(self.options.address, self.options.key)

    async def create(self, path: str, body: dict[str, Any]) -> str:
        """The path of something new; ends the program if the server refuses."""
        status, content = await self.control.ask("POST", f"{API}{path}", body)
        if status not in (200, 201, 202):
            sys.exit(f"POST {API}{path} {json.dumps(body)} was answered {status}: {content.decode()}")
        return f"{API}{path}/{json.loads(content)['id']}"

    async def create_world(self) -> str:
        """The path of a new world."""
        return await self.create("/worlds", {"tileset": self.options.tileset, "seed": self.options.seed})

    async def read_metric(self, name: str) -> float:
        """A figure of the server's own."""
        _, content = await self.control.ask("GET", "/metrics")
        found = re.search(rf"^{name} (\S+)", content.decode(), re.MULTILINE)
        return float(found[1]) if found else math.nan

    async def measure(
        self, figures: Figures, readers: int, seconds: float, questions: Callable[[], Iterable[Question]]
    ) -> Figures:
        """Send these requests over `readers` connections, one after another on each, for `seconds`."""
        cpu, started, end = await self.read_metric(CPU), perf_counter(), monotonic() + seconds

        async def read() -> None:
            connection = self.connect()
            for method, path, body in questions():
                if monotonic() > end:
                    break
                begun = perf_counter()
                status, _ = await connection.ask(method, path, body)
                figures.add(status, (perf_counter() - begun) * 1e3)
            await connection.close()

        await asyncio.gather(*(read() for _ in range(readers)))
        figures.seconds += perf_counter() - started
        figures.cpu_seconds += await self.read_metric(CPU) - cpu
        return figures

    def shuffle(self, paths: list[str]) -> Callable[[], Iterator[Question]]:
        """These paths in another order for each reader, again and again."""

        def ask() -> Iterator[Question]:
            order = self.random.sample(paths, len(paths))
            return cycle([("GET", path, None) for path in order])

        return ask

    async def warm_tiles(self) -> Figures:
        """Tiles that were drawn before."""
        world = await self.create_world()
        paths = [f"{world}/tiles/0/{x}/{y}.png" for x in range(-4, 4) for y in range(-4, 4)]
        for path in paths:
            await self.control.ask("GET", path)
        figures, seconds = Figures("warm map tiles"), self.options.seconds / 3
        return await self.measure(figures, self.options.connections, seconds, self.shuffle(paths))

    async def cold_tiles(self, zoom: int, chunks: int) -> Figures:
        """Map tiles of unread chunks, far apart; times are per needed chunk."""
        world = await self.create_world()

        def ask() -> Iterator[Question]:
            for n in range(1 << 20):
                yield "GET", f"{world}/tiles/{zoom}/{1000 + 16 * (n % 64)}/{-1000 - 16 * (n // 64)}.png", None

        figures = Figures(f"cold tiles, {chunks} chunk{'s' * (chunks > 1)} each", note="for each chunk")
        await self.measure(figures, 1, self.options.seconds / 3, ask)
        figures.times = [each / chunks for each in figures.times]
        figures.cpu_seconds /= chunks
        return figures

    async def many_readers(self) -> Figures:
        """Readers that pan and zoom over cached maps, and request chunks and lists."""
        world, before = await self.create_world(), await self.read_metric(MEMORY)
        paths = [
            f"{world}/tiles/{z}/{x}/{y}.png"
            for z, reach in ((0, 4), (1, 4), (2, 4), (-1, 2))
            for x in range(-reach, reach)
            for y in range(-reach, reach)
        ]
        paths += [f"{path}?revision=0" for path in paths]
        paths += [f"{API}/tilesets", world, "/healthz", f"{world}/chunks/0/0.npz", f"{world}/chunks/1/1.json"]
        for path in paths:
            await self.control.ask("GET", path)
        figures = Figures(f"{self.options.readers} readers")
        await self.measure(figures, self.options.readers, self.options.seconds, self.shuffle(paths))
        after = await self.read_metric(MEMORY)
        figures.note = f"memory {before / (1 << 20):.0f} → {after / (1 << 20):.0f} MiB"
        return figures

    async def beside_jobs(self) -> list[Figures]:
        """Small maps, each with another seed, when nothing else happens, and while long jobs run."""

        def ask() -> Iterator[Question]:
            while True:
                yield "POST", f"{API}/solves", MAP | {"seed": self.random.getrandbits(48)}

        idle, busy = Figures("small maps, idle server"), Figures("small maps beside long jobs")
        seconds, unfinished = self.options.seconds / 3 / ROUNDS, 0
        await self.control.ask("POST", f"{API}/solves", MAP)  # load what is loaded on first use
        for number in range(ROUNDS):
            await self.measure(idle, 2, seconds, ask)
            jobs = [await self.create("/solves", LONG | {"seed": 4 * number + each}) for each in range(4)]
            await self.measure(busy, 2, seconds, ask)
            for path in jobs:
                _, content = await self.control.ask("GET", path)
                unfinished += json.loads(content)["status"] in ("queued", "running")
                await self.control.ask("DELETE", path)
            await self.wait_for_jobs()
        ratio = busy.percentile(0.95) / max(idle.percentile(0.95), 1e-9)
        busy.note = f"p95 {ratio:.2f} × idle; {unfinished} of {4 * ROUNDS} jobs unfinished"
        return [idle, busy]

    async def wait_for_jobs(self) -> None:
        """Until those that were cancelled have ended."""
        end = monotonic() + 10
        while await self.read_metric("wavefold_job_queue") and monotonic() < end:
            await asyncio.sleep(0.05)

    async def run(self) -> list[Figures]:
        """All scenarios in turn, each printed when it is done."""
        scenarios: dict[str, Callable[[], Awaitable[Figures | list[Figures]]]] = {
            "warm": self.warm_tiles,
            "cold": lambda: self.cold_tiles(0, 1),
            "cold4": lambda: self.cold_tiles(-1, 4),
            "readers": self.many_readers,
            "jobs": self.beside_jobs,
        }
        found: list[Figures] = []
        print(HEADER, flush=True)
        for name in self.options.only or scenarios:
            result = await scenarios[name]()
            for each in result if isinstance(result, list) else [result]:
                print(each, flush=True)
                found.append(each)
        await self.control.close()
        return found


def parse_options(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Measure how fast a wavefold server answers.")
    parser.add_argument("address", nargs="?", default="http://localhost:8317")
    parser.add_argument("--key", help="an API key with the scope 'write'")
    parser.add_argument("--tileset", default="castle")
    parser.add_argument("--seconds", type=float, default=30.0, help="for the readers; a third for the others")
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--connections", type=int, default=4, help="for warm tiles")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", action="append", choices=("warm", "cold", "cold4", "readers", "jobs"))
    parser.add_argument("--json", help="a file for the figures")
    return parser.parse_args(arguments)


def main() -> None:
    """Run the requested measurements; exit code 1 if any request failed."""
    options = parse_options()
    found = asyncio.run(Load(options).run())
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([each.to_dict() for each in found], file, indent=2)
    sys.exit(any(each.errors for each in found))


if __name__ == "__main__":
    main()
