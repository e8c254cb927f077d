"""Runs requests for maps and stores what comes of them."""

from __future__ import annotations

import json
import secrets
from time import time
from typing import TYPE_CHECKING

import numpy as np
from starlette.requests import Request

from wavefold.api import generate
from wavefold.service.problems import unknown
from wavefold.service.solves.build import build_arguments, build_topology
from wavefold.service.solves.models import SolveAnswer, SolveRequest
from wavefold.solver import Solution

if TYPE_CHECKING:
    from wavefold.service.service import Service

TABLES = """
CREATE TABLE IF NOT EXISTS solves (
    id TEXT PRIMARY KEY, request TEXT NOT NULL, status TEXT NOT NULL, created REAL NOT NULL,
    patterns BLOB, stats TEXT, error TEXT
) WITHOUT ROWID;
"""


class Solves:
    """The maps of a server."""

    def __init__(self, service: Service) -> None:
        self._service = service
        service.database.create(TABLES)

    async def start(self) -> None:
        """Nothing is left unfinished."""

    async def stop(self) -> None:
        """Nothing is left unfinished."""

    async def create(self, body: SolveRequest, request: Request) -> SolveAnswer:
        """Make a map while the client waits."""
        key = ("solve", body.model_dump_json())
        solution = await self._service.quick.run_for(request, lambda: self.solve(body), key)
        return await self._service.quick.run(lambda: self._store(body, solution))

    def solve(self, body: SolveRequest) -> Solution:
        """The map that a request asks for."""
        tiles = self._service.tilesets.load(body.tileset)
        topology = build_topology(body.topology, tiles, self._service.limits)
        solution = generate(tiles, topology, **build_arguments(body, tiles, topology))
        self._service.metrics.solves.labels("solved").inc()
        return solution

    def find(self, name: str) -> SolveAnswer:
        """A stored map."""
        row = self._service.database.read_one("SELECT * FROM solves WHERE id = ?", (name,))
        if row is None:
            raise unknown("solve", name)
        patterns = None if row["patterns"] is None else np.frombuffer(row["patterns"], "<i4").tolist()
        stats = None if row["stats"] is None else json.loads(row["stats"])
        return SolveAnswer(id=row["id"], status=row["status"], patterns=patterns, stats=stats)

    def _store(self, body: SolveRequest, solution: Solution) -> SolveAnswer:
        name, stats = secrets.token_hex(8), solution.stats.to_dict()
        blob = solution.patterns.astype("<i4").tobytes()
        row = (name, body.model_dump_json(), "solved", time(), blob, json.dumps(stats))
        self._service.database.write(
            "INSERT INTO solves (id, request, status, created, patterns, stats) VALUES (?, ?, ?, ?, ?, ?)",
            row,
        )
        return SolveAnswer(id=name, status="solved", patterns=solution.patterns.tolist(), stats=stats)
