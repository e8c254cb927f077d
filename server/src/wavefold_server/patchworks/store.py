"""Patchworks in the database: one row each, with the map but not its tile set, which several share."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from sqlite3 import Connection, Row
from time import time
from typing import Any

from wavefold.formats import pack_tiles, unpack_tiles
from wavefold.patchwork import Patchwork, decode_file, encode_file
from wavefold.storage import BoundedCache, checksum
from wavefold.tiles import TileSet
from wavefold_server.database import Database
from wavefold_server.patchworks.models import PatchworkRequest
from wavefold_server.problems import damage_problem, limit_problem, unknown

TABLES = """
CREATE TABLE IF NOT EXISTS patchwork_tiles (
    digest TEXT PRIMARY KEY, files BLOB NOT NULL, row_digest BLOB, content_digest BLOB
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS patchworks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE NOT NULL, request TEXT NOT NULL, created REAL NOT NULL,
    tiles TEXT NOT NULL REFERENCES patchwork_tiles (digest), topology TEXT NOT NULL,
    revision INTEGER NOT NULL, grids TEXT NOT NULL, cells INTEGER NOT NULL, report TEXT NOT NULL,
    content BLOB NOT NULL, row_digest BLOB, content_digest BLOB
);
CREATE INDEX IF NOT EXISTS patchworks_by_tiles ON patchworks (tiles);
"""
COLUMNS = "number, id, request, created, topology, revision, grids, cells"
LOADED = 32  # tile sets in memory


class PatchworkStore:
    """Rows of patchworks. Any thread may use it; a row is on the disk when a method returns."""

    def __init__(self, database: Database, most: int) -> None:
        self._database, self._most = database, most
        self._tiles: BoundedCache[TileSet] = BoundedCache(LOADED)
        database.create(TABLES)

    def add(self, request: PatchworkRequest, patchwork: Patchwork) -> str:
        """Store a new patchwork; its id."""
        name, content = secrets.token_hex(8), encode_content(patchwork)
        files = pack_tiles(patchwork.tiles)
        digest = checksum(files).hex()
        with self._database.writing() as connection:
            self._check_room(connection)
            connection.execute(
                "INSERT OR IGNORE INTO patchwork_tiles (digest, files) VALUES (?, ?)", (digest, files)
            )
            connection.execute(
                "INSERT INTO patchworks (id, request, created, tiles, topology, revision, grids, cells,"
                " report, content) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
                (name, request.model_dump_json(), time(), digest, patchwork.tiles.topology, *content),
            )
        return name

    def copy(self, name: str, draft: bool) -> str:
        """Store a copy of a patchwork, and return its id."""
        copied, columns = secrets.token_hex(8), "tiles, topology, revision, grids, cells, report, content"
        with self._database.writing() as connection:
            self._check_room(connection)
            if not self.find(name, "content IS NOT NULL AS is_intact")["is_intact"]:
                raise damage_problem("patchwork", name)
            connection.execute(
                f"INSERT INTO patchworks (id, created, request, {columns})"
                f" SELECT ?, ?, json_set(request, '$.draft', json(?)), {columns}"
                " FROM patchworks WHERE id = ?",
                (copied, time(), json.dumps(draft), name),
            )
        return copied

    def _check_room(self, connection: Connection) -> None:
        """Raise a `Problem` if there are as many patchworks as a server may have."""
        (count,) = connection.execute("SELECT count(*) FROM patchworks").fetchone()
        if count >= self._most:
            detail = f"there are {count:,} patchworks already; delete one first"
            raise limit_problem("patchworks", self._most, detail)

    def change(self, name: str, revision: int, patchwork: Patchwork) -> bool:
        """Store a patchwork if the row is still at this revision, and return whether it was."""
        content = encode_content(patchwork)
        changed = self._database.write(
            "UPDATE patchworks SET revision = revision + 1, grids = ?, cells = ?, report = ?, content = ?"
            " WHERE id = ? AND revision = ?",
            (*content, name, revision),
        )
        return changed > 0

    def find(self, name: str, columns: str = COLUMNS) -> Row:
        """A row without its content."""
        return self._database.find("patchwork", "patchworks", name, columns)

    def list_rows(self, limit: int, before: int | None) -> list[Row]:
        """Rows, newest first."""
        return self._database.read(
            f"SELECT {COLUMNS} FROM intact_patchworks WHERE number < ? ORDER BY number DESC LIMIT ?",
            (1 << 62 if before is None else before, limit),
        )

    def list_drafts(self) -> list[str]:
        """The ids of drafts, oldest first."""
        found = self._database.read(
            "SELECT id FROM patchworks WHERE CASE WHEN json_valid(request)"
            " THEN json_extract(request, '$.draft') END ORDER BY number"
        )
        return [row["id"] for row in found]

    def load(self, name: str) -> tuple[int, Patchwork]:
        """A patchwork as it was stored last, and its revision."""
        row = self.find(name, "revision, tiles, content")
        if row["content"] is None:
            raise damage_problem("patchwork", name)
        tiles = self._tiles.get(row["tiles"], lambda: self._load_tiles(name, row["tiles"]))
        return row["revision"], decode_file(Patchwork, row["content"], Path(name), tiles)

    def delete(self, name: str) -> None:
        """Remove a patchwork, and tiles that no other has."""
        with self._database.writing() as connection:
            if not connection.execute("DELETE FROM patchworks WHERE id = ?", (name,)).rowcount:
                raise unknown("patchwork", name)
            connection.execute(
                "DELETE FROM patchwork_tiles WHERE digest NOT IN (SELECT tiles FROM patchworks)"
            )

    def find_use(self, tileset: str) -> str | None:
        """What needs a tile set, in words; None if no patchwork does."""
        row = self._database.read_one(
            "SELECT id FROM patchworks WHERE CASE WHEN json_valid(request)"
            " THEN json_extract(request, '$.tileset') END = ? LIMIT 1",
            (tileset,),
        )
        return None if row is None else f"the patchwork {row['id']!r}"

    def _load_tiles(self, name: str, digest: str) -> TileSet:
        row = self._database.read_one("SELECT files FROM intact_patchwork_tiles WHERE digest = ?", (digest,))
        if row is None or row["files"] is None:
            raise damage_problem("patchwork", name)
        return unpack_tiles(row["files"], Path("the patchwork"))


def encode_content(patchwork: Patchwork) -> tuple[Any, ...]:
    """The columns that change: grids, cells, report, content."""
    report = patchwork.report
    return (
        json.dumps(patchwork.grids),
        report.cells,
        json.dumps(report.to_dict()),
        encode_file(patchwork, with_tiles=False),
    )
