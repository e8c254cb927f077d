"""The patchworks in the database: one row each, with all of the map but its tiles, which many share."""

from __future__ import annotations

import json
import secrets
from hashlib import blake2b
from pathlib import Path
from sqlite3 import Connection, Row
from time import time
from typing import Any

from wavefold.codec import decode_tiles
from wavefold.common.cache import BoundedCache
from wavefold.errors import TileSetError
from wavefold.patchwork.file_parts import decode_part, encode_tiles_once
from wavefold.patchwork.files import decode_file, encode_file
from wavefold.patchwork.patchwork import Patchwork
from wavefold.patchwork.state import OLD_KEYS, PatchworkReport
from wavefold.service.database import Database
from wavefold.service.patchworks.models import PatchworkRequest
from wavefold.service.problems import limit_problem, unknown
from wavefold.tiles import TileSet

TABLES = """
CREATE TABLE IF NOT EXISTS patchwork_tiles (digest TEXT PRIMARY KEY, files BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS patchworks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT UNIQUE NOT NULL, request TEXT NOT NULL, created REAL NOT NULL,
    tiles TEXT NOT NULL REFERENCES patchwork_tiles (digest), topology TEXT NOT NULL,
    revision INTEGER NOT NULL, grids TEXT NOT NULL, cells INTEGER NOT NULL, report TEXT NOT NULL,
    content BLOB NOT NULL
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
        files = encode_tile_files(patchwork.tiles)
        digest = blake2b(files, digest_size=16).hexdigest()
        with self._database.writing() as connection:
            self._check_room(connection)
            connection.execute("INSERT OR IGNORE INTO patchwork_tiles VALUES (?, ?)", (digest, files))
            connection.execute(
                "INSERT INTO patchworks (id, request, created, tiles, topology, revision, grids, cells,"
                " report, content) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?)",
                (name, request.model_dump_json(), time(), digest, patchwork.tiles.topology, *content),
            )
        return name

    def copy(self, name: str, draft: bool) -> str:
        """Store a patchwork a second time, as new; the id of the copy."""
        copied, columns = secrets.token_hex(8), "tiles, topology, revision, grids, cells, report, content"
        with self._database.writing() as connection:
            self._check_room(connection)
            added = connection.execute(
                f"INSERT INTO patchworks (id, created, request, {columns})"
                f" SELECT ?, ?, json_set(request, '$.draft', json(?)), {columns}"
                " FROM patchworks WHERE id = ?",
                (copied, time(), json.dumps(draft), name),
            )
            if not added.rowcount:
                raise unknown("patchwork", name)
        return copied

    def _check_room(self, connection: Connection) -> None:
        """Raise a `Problem` if there are as many patchworks as a server may have."""
        (count,) = connection.execute("SELECT count(*) FROM patchworks").fetchone()
        if count >= self._most:
            detail = f"there are {count:,} patchworks already; delete one first"
            raise limit_problem("patchworks", self._most, detail)

    def change(self, name: str, revision: int, patchwork: Patchwork) -> bool:
        """Store what a patchwork is now, if the row is still at this revision; whether it was."""
        content = encode_content(patchwork)
        changed = self._database.write(
            "UPDATE patchworks SET revision = revision + 1, grids = ?, cells = ?, report = ?, content = ?"
            " WHERE id = ? AND revision = ?",
            (*content, name, revision),
        )
        return changed > 0

    def find(self, name: str, columns: str = COLUMNS) -> Row:
        """A row without its content."""
        row = self._database.read_one(f"SELECT {columns} FROM patchworks WHERE id = ?", (name,))
        if row is None:
            raise unknown("patchwork", name)
        return row

    def list_rows(self, limit: int, before: int | None) -> list[Row]:
        """Rows, newest first."""
        return self._database.read(
            f"SELECT {COLUMNS} FROM patchworks WHERE number < ? ORDER BY number DESC LIMIT ?",
            (1 << 62 if before is None else before, limit),
        )

    def list_drafts(self) -> list[str]:
        """The ids of drafts, oldest first."""
        found = self._database.read(
            "SELECT id FROM patchworks WHERE json_extract(request, '$.draft') ORDER BY number"
        )
        return [row["id"] for row in found]

    def load(self, name: str) -> tuple[int, Patchwork]:
        """A patchwork as it was stored last, and its revision."""
        row = self.find(name, "revision, tiles, content")
        tiles = self._tiles.get(row["tiles"], lambda: self._load_tiles(row["tiles"]))
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
            "SELECT id FROM patchworks WHERE json_extract(request, '$.tileset') = ? LIMIT 1", (tileset,)
        )
        return None if row is None else f"the patchwork {row['id']!r}"

    def _load_tiles(self, digest: str) -> TileSet:
        row = self._database.read_one("SELECT files FROM patchwork_tiles WHERE digest = ?", (digest,))
        assert row is not None  # rows of patchworks refer to it
        return decode_part("tiles", decode_tiles, json.loads(row["files"]), Path("the patchwork"))


def encode_content(patchwork: Patchwork) -> tuple[Any, ...]:
    """The columns that change: grids, cells, report, content."""
    report = patchwork.report
    return (
        json.dumps(patchwork.grids),
        report.cells,
        json.dumps(describe_report(report)),
        encode_file(patchwork, with_tiles=False),
    )


def describe_report(report: PatchworkReport) -> dict[str, Any]:
    """A report as data, without the deprecated keys that it has in files."""
    grids = [drop_old_keys(each.to_dict()) for each in report.grids]
    return drop_old_keys(report.to_dict()) | {"grids": grids}


def drop_old_keys(data: dict[str, Any]) -> dict[str, Any]:
    """What has a newer name, under that name alone."""
    return {name: value for name, value in data.items() if name not in OLD_KEYS}


def encode_tile_files(tiles: TileSet) -> bytes:
    """All files of a tile set in one text."""
    files = encode_tiles_once(tiles)
    if files is None:
        raise TileSetError("this tile set contains Python code, so a patchwork of it cannot be stored")
    return json.dumps(files, sort_keys=True).encode()
