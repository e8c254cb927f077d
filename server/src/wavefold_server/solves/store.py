"""The maps in the database: requests, how far they are, and what came of them."""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection, Row
from time import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.solver import Refinement, Share, Solution, Statistics
from wavefold_server.database import Database
from wavefold_server.problems import Problem, damage_problem, unknown

TABLES = """
CREATE TABLE IF NOT EXISTS solves (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE NOT NULL, request TEXT NOT NULL, tileset TEXT NOT NULL, seed TEXT NOT NULL,
    status TEXT NOT NULL, created REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL, rules TEXT, provisional INTEGER, stats TEXT, error TEXT, patterns BLOB,
    row_digest BLOB, content_digest BLOB
);
CREATE INDEX IF NOT EXISTS solves_by_status ON solves (status, number, bytes);
CREATE INDEX IF NOT EXISTS solves_by_tileset ON solves (tileset, status, id);
"""
ABOUT = "number, id, request, tileset, seed, status, created, rules, provisional, stats, error"
UNFINISHED = "status IN ('queued', 'running')"
SPARE = 20  # of all that may be stored, one part in so many is dropped at once, so that it is not done often
MOST_ATTEMPTS = 3  # a job during which the server died so often is not tried again


class SolveStore:
    """Rows of maps. Any thread may use it; a row is on the disk when a method returns.

    most, most_bytes : finished maps; the oldest are dropped
    """

    def __init__(self, database: Database, most: int, most_bytes: int) -> None:
        self._database, self._most, self._most_bytes = database, most, most_bytes
        self._room, self._room_bytes = 0, 0.0  # at least so many more, and so large, until they are counted
        database.create(TABLES)

    def add(self, text: str, request: Any, solution: Solution | None = None) -> str:
        """Store a request, queued or with its map; its id."""
        name = secrets.token_hex(8)
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO solves (id, request, tileset, seed, bytes, status, created) "
                "VALUES (?, ?, ?, ?, ?, 'queued', ?)",
                (name, text, request.tileset, str(request.seed), len(text), time()),
            )
            if solution is not None:
                self._finish(connection, name, solution)
        return name

    def finish(self, name: str, outcome: Solution | Problem) -> None:
        """Store what came of a job, unless it was cancelled."""
        with self._writing() as connection:
            self._finish(connection, name, outcome)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that may drop maps. If it fails, they are still there, so all are counted again."""
        try:
            with self._database.writing() as connection:
                yield connection
        except BaseException:
            self._room = 0
            raise

    def _finish(self, connection: Connection, name: str, outcome: Solution | Problem) -> None:
        if isinstance(outcome, Problem):
            connection.execute(
                f"UPDATE solves SET status = 'failed', error = ? WHERE id = ? AND {UNFINISHED}",
                (json.dumps(outcome.to_dict()), name),
            )
        else:
            columns = encode_solution(outcome)
            connection.execute(
                "UPDATE solves SET status = 'solved', rules = ?, patterns = ?, provisional = ?, stats = ?, "
                f"bytes = bytes + ? WHERE id = ? AND {UNFINISHED}",
                (*columns, len(columns[1]), name),
            )
        self._count_finished(connection, name)

    def _count_finished(self, connection: Connection, name: str) -> None:
        """All maps are counted only when there may be too many: counting takes as long as there are maps."""
        (size,) = connection.execute("SELECT total(bytes) FROM solves WHERE id = ?", (name,)).fetchone()
        self._room, self._room_bytes = self._room - 1, self._room_bytes - size
        if self._room < 0 or self._room_bytes < 0:
            self._drop_oldest(connection)

    def _drop_oldest(self, connection: Connection) -> None:
        finished = f"FROM solves WHERE NOT {UNFINISHED}"
        count, size = connection.execute(f"SELECT count(*), total(bytes) {finished}").fetchone()
        if count > self._most or size > self._most_bytes:
            most, most_bytes = (each - each // SPARE for each in (self._most, self._most_bytes))
            rows = connection.execute(f"SELECT number, bytes {finished} ORDER BY number").fetchall()
            last = 0
            for number, length in rows[:-1]:  # the latest stays, however large it is
                if count <= most and size <= most_bytes:
                    break
                last, count, size = number, count - 1, size - length
            connection.execute(f"DELETE FROM solves WHERE number <= ? AND NOT {UNFINISHED}", (last,))
        self._room, self._room_bytes = self._most - count, self._most_bytes - size

    def start(self, names: list[str]) -> None:
        """These jobs are begun."""
        with self._database.writing() as connection:
            for name in names:
                connection.execute(
                    "UPDATE solves SET status = 'running', attempts = attempts + 1 WHERE id = ? "
                    f"AND {UNFINISHED}",
                    (name,),
                )

    def cancel(self, name: str) -> bool:
        """Whether it was unfinished, and is cancelled now."""
        statement = f"UPDATE solves SET status = 'cancelled' WHERE id = ? AND {UNFINISHED}"
        with self._writing() as connection:
            is_cancelled = connection.execute(statement, (name,)).rowcount > 0
            if is_cancelled:
                self._count_finished(connection, name)
        return is_cancelled

    def delete(self, name: str) -> None:
        """Forget it."""
        self._database.write("DELETE FROM solves WHERE id = ?", (name,))

    def requeue(self) -> None:
        """Before the server ends: whatever runs is to be done by the next one."""
        self._database.write(
            "UPDATE solves SET status = 'queued', attempts = attempts - 1 WHERE status = 'running'"
        )

    def resume(self) -> list[tuple[str, str]]:
        """(id, request) of all that a previous server left unfinished, in their order."""
        gave_up = Problem(500, f"the server ended {MOST_ATTEMPTS} times while it made this map",
                          error="InternalError", advice="Ask for a smaller map.")  # fmt: skip
        with self._database.writing() as connection:
            connection.execute(
                f"UPDATE solves SET status = 'failed', error = ? WHERE {UNFINISHED} AND attempts >= ?",
                (json.dumps(gave_up.to_dict()), MOST_ATTEMPTS),
            )
            connection.execute("UPDATE solves SET status = 'queued' WHERE status = 'running'")
            rows = connection.execute(
                "SELECT id, request FROM intact_solves WHERE status = 'queued' ORDER BY number"
            ).fetchall()
        return [(row["id"], row["request"]) for row in rows]

    def find(self, name: str, with_patterns: bool = True) -> Row:
        """The row with this id; raises a `Problem` if there is none, or if it is damaged."""
        row = self._database.find("solve", "solves", name, f"{ABOUT}, patterns" if with_patterns else ABOUT)
        if with_patterns and row["status"] == "solved" and row["patterns"] is None:
            raise damage_problem("solve", name)
        return row

    def check(self, name: str) -> None:
        """Raise a `Problem` if there is no row with this id; it may be damaged."""
        if self._database.read_one("SELECT 1 FROM solves WHERE id = ?", (name,)) is None:
            raise unknown("solve", name)

    def list(self, limit: int, before: int | None) -> list[Row]:
        """Intact rows without their maps, newest first, those with a number below `before`."""
        return self._database.read(
            "SELECT number, id, status, created, tileset, seed FROM intact_solves WHERE number < ? "
            "ORDER BY number DESC LIMIT ?",
            (1 << 62 if before is None else before, limit),
        )


# --- maps as columns --------------------------------------------------------------------------------


def encode_solution(solution: Solution) -> tuple[str, bytes, bool, str]:
    """The columns rules, patterns, provisional and stats."""
    blob = zlib.compress(solution.patterns.astype("<i4").tobytes(), 1)
    digest, stats = solution.problem.rules.digest, json.dumps(solution.stats.to_dict())
    return digest, blob, solution.provisional, stats


def decode_patterns(blob: bytes) -> NDArray[np.int64]:
    """[cell] from the column."""
    return np.frombuffer(zlib.decompress(blob), "<i4").astype(np.int64)


def decode_stats(text: str) -> Statistics:
    """Inverse of the column stats."""
    data = json.loads(text)
    refinement = data["refinement"]
    if refinement is not None:
        shares = {name: Share(**share) for name, share in refinement["shares"].items()}
        missed = tuple(refinement["missed"])
        data["refinement"] = Refinement(**(refinement | {"shares": shares, "missed": missed}))
    return Statistics(**(data | {"rungs": tuple(data["rungs"])}))
